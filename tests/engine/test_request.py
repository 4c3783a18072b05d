"""A request is one value: what JSON says of it means the same, and reading it opens nothing."""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.engine.request.request import LONGEST, Placement, Request
from workflows.registry import subject_kinds, subjects, workflows

DFT = workflows().usual
LEVEL = {"method": "HF", "basis": "STO-3G"}
ARGUMENTS = st.fixed_dictionaries(
    {"method": st.sampled_from(["HF", "B3LYP", "PBE0"]), "basis": st.just("def2-SVP")},
    optional={
        "task": st.sampled_from(["energy", "optimise", "frequencies"]),
        "charge": st.integers(-3, 3),
        "solvent": st.sampled_from(["water", "ethanol"]),
        "grid": st.integers(0, 9),
        "force": st.booleans(),
        "kind": st.sampled_from(["smiles", "name"]),
    },
)
PLACES = st.builds(
    Placement,
    on=st.text(max_size=8),
    begin=st.sampled_from(["", "22:00"]),
    after=st.lists(st.text(max_size=8), max_size=3).map(tuple),
)


def written(**other: Any) -> str:
    whole = {"request": 1, "workflow": "dft", "subjects": ["water"], "arguments": LEVEL}
    return json.dumps(whole | other)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=20), max_size=3), ARGUMENTS, PLACES, st.booleans())
def test_what_json_says_is_the_same_request(
    subjects: list[str], asked: dict[str, Any], place: Placement, again: bool
):
    usual = {"basis": "3-21G", "online": True, "pubchem": "https://pubchem.example", "method": "HF"}
    request = Request.of(DFT, subjects, asked, usual, place=place, recompute=again)
    found = Request.read(request.as_json(), usual, personal=True)
    assert found == request
    assert found.as_json() == request.as_json()
    assert request.arguments == asked
    assert [one.subjects for one in found.each()] == [(text,) for text in subjects]


def test_what_the_settings_filled_in_means_the_same_where_they_are_others():
    mine = {"method": "HF", "basis": "STO-3G", "pubchem": "mine", "online": False}
    request = Request.of(DFT, ["water"], {}, mine)
    found = Request.read(request.as_json(), {"method": "PBE0", "basis": "3-21G", "pubchem": "own"})
    every = {name: value for form in found.forms for name, value in form}
    assert (every["method"], every["basis"], every["pubchem"]) == ("HF", "STO-3G", "own")
    assert "mine" not in request.as_json()


def test_an_object_stands_in_it_by_its_iri():
    atoms = ConceptualAtoms(numbers=[2], positions=[[0.0, 0.0, 0.0]])
    found = Request.read(Request.of(DFT, [atoms], LEVEL).as_json())
    assert found.subjects == (atoms.iri,)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Invalid JSON"),
        ("[]", "object"),
        (written(request=2), "request: Input should be 1"),
        (written(request="1"), "request: Input should be 1"),
        (written(code="import os"), "code: Extra inputs are not permitted"),
        (written(subjects="water"), "subjects"),
        (written(subjects=[{"path": "/etc/passwd"}]), "subjects.0: Input should be a valid string"),
        (written(place={"on": "here", "command": "x"}), "place.command"),
        (written(place={"on": 1}), "place.on: Input should be a valid string"),
        (written(recompute="yes"), "recompute: Input should be a valid boolean"),
        (written(arguments=["HF"]), "arguments: Input should be"),
        (written(arguments={**LEVEL, "methd": "HF"}), "did you mean method"),
        (written(arguments={**LEVEL, "grid": "fine"}), "grid='fine' was asked for"),
        (written(arguments={**LEVEL, "force": True}), "force=True was asked for"),
        (written(arguments={**LEVEL, "pubchem": "http://evil"}), "there is no such field"),
        (written(subjects=["x" * LONGEST]), "are allowed"),
    ],
)
def test_what_is_none_is_refused(text: str, why: str):
    with pytest.raises(InputError) as refused:
        Request.read(text)
    assert why in str(refused.value)


def test_a_workflow_that_there_is_not_is_refused():
    with pytest.raises(NotFoundError, match="os:system"):
        Request.read(written(workflow="os:system"))


_heard: list[str] | None = None


def _hear(event: str, _: tuple[object, ...]) -> None:
    if _heard is not None and event in ("open", "import", "exec", "subprocess.Popen"):
        _heard.append(event)


sys.addaudithook(_hear)


@contextmanager
def heard() -> Generator[list[str]]:
    global _heard
    _heard = told = []
    try:
        yield told
    finally:
        _heard = None


def test_nothing_is_opened_or_run_by_reading():
    hostile = ["/etc/passwd", "../.ssh/id_rsa", "__import__('os').system('true')", "file:///x"]
    text = written(subjects=hostile, place={"on": "/bin/sh", "after": ["../../x"]})
    Request.read(text)  # what it needs is imported
    with heard() as told:
        found = Request.read(text)
    assert found.subjects == tuple(hostile)
    assert told == []


def test_a_subject_may_be_named():
    found = Request.of(DFT, (), {**LEVEL, "molecule": "water"})
    assert (found.subjects, found.said) == (("water",), ("method", "basis"))
    with pytest.raises(GraficoError, match="molecule='water'"):
        Request.of(DFT, ["ammonia"], {**LEVEL, "molecule": "water"})


def test_what_workflows_are_about_is_declared_as_it_is():
    for one in workflows().values():
        assert one.subject is not None
        subject = one.whole.subject
        assert one.subject.name == (subject.name if subject.metavar else "")


def test_kinds_of_subjects_are_known_before_any_is_imported():
    kinds = {kind.name: kind for kind in subject_kinds()}
    assert next(iter(kinds)) == DFT.whole.subject.name
    assert list(subjects()) == list(kinds)
    pasted = {name for name, one in subjects().items() if _pastes(one)}
    assert {name for name, kind in kinds.items() if kind.pasted} <= pasted


def _pastes(subject: Any) -> bool:
    from workflows.engine.request.definition import Subject

    return type(subject).pasted is not Subject.pasted
