"""What files a model gets at: through each door, in the place of each text that a workflow takes.

The workflows and their arguments are those that are installed: a new one is tried without a line.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Agent, ToolContext
from grafico.agent.rules.model import plain_model
from grafico.agent.toolbox import ArgumentsError
from grafico.agent.tools import tools
from tests.agent.helpers import H2, used
from triplestore.errors import ComponentError
from workflows.engine.request.rules import choices_of
from workflows.registry import subjects, workflows

KEY = "OPENAI_API_KEY=sk-not-for-you"
WATER = "3\n\nO 0 0 0.117\nH 0 0.757 -0.47\nH 0 -0.757 -0.47\n"
AMMONIA = "4\n\nN 0 0 0.1\nH 0 0.94 -0.27\nH 0.81 -0.47 -0.27\nH -0.81 -0.47 -0.27\n"
SALT = """data_salt
_cell_length_a 5.64
_cell_length_b 5.64
_cell_length_c 5.64
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Na1 0 0 0
Cl1 0.5 0.5 0.5
"""
NAMES = ("key", "mine.xyz", "mine.cif", "mine.csv", "query.rq")
FORMS = (
    "{}",
    "{} -> O",
    "2 O + {} -> O",
    "{}; O",
    "{}{{+1}}",
    "{} + e- -> O",
    "{}#1",
    "{}=4.7",
    "pcu {} {}",
)
"""How a file is named where a molecule is, or one of several, or one beside a number."""

STARTS = ("O", "[O] -> [O]", "O; N", "[OH] + e- -> [OH-]", "pcu N16 E14", "NaCl", "two.csv")
"""Subjects of all kinds that are found, so that arguments are looked at."""

SPECIES = re.compile(r"\[?\b(OH?|H|N)\b[-+]?\]?")


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder of the person, which is none of a model's business."""
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / "key").write_text(KEY)
    (folder / "mine.xyz").write_text(WATER)
    (folder / "mine.cif").write_text(SALT)
    (folder / "mine.csv").write_text(f"smiles,note\nO,{KEY}\n")
    (folder / "query.rq").write_text("SELECT ?smiles { ?s ?p ?smiles }")
    return folder


@pytest.fixture
def context(session: Grafico, secret: Path, tmp_path: Path) -> Iterator[ToolContext]:
    made = ToolContext(session, tmp_path / "context")
    (made.folder / "a.xyz").write_text(WATER)
    (made.folder / "two.csv").write_text("smiles\nO\n")
    for name in NAMES:
        (made.folder / f"link-{name}").symlink_to(secret / name)
    yield made
    made.close()


LOOKING: list[str] = []
OPENED: list[str] = []


def _hear(event: str, arguments: Sequence[Any]) -> None:
    if LOOKING and event == "open" and isinstance(arguments[0], str | bytes | Path):
        path = arguments[0]
        text = path.decode("utf-8", "replace") if isinstance(path, bytes) else str(path)
        if LOOKING[0] in text:
            OPENED.append(text)


@pytest.fixture(scope="module", autouse=True)
def hearing() -> Iterator[None]:
    sys.addaudithook(_hear)  # which cannot be taken away again
    yield
    LOOKING.clear()


def usable() -> list[str]:
    found: list[str] = []
    for name, one in workflows().items():
        with suppress(ComponentError):
            found += [name] if one.whole else []
    return found


def asked(context: ToolContext, name: str, subject: str, arguments: dict[str, Any]) -> str:
    call = {"name": name, "subjects": [subject] if subject else [], "arguments": arguments}
    with suppress(ArgumentsError):
        try:
            return json.dumps(used(context, "run_workflow", **call), ensure_ascii=False)
        except ArgumentsError as error:
            return str(error)
    return ""


def same_answer(
    context: ToolContext, secret: Path, name: str, form: str, file: str, field: str = ""
) -> None:
    """Ask for what is there and for what is not, and compare what is told."""
    whole = workflows()[name].whole
    OPENED.clear()
    told: list[str] = []
    for there in (secret / file, secret / f"{file[:-1]}q"):
        path = str(there)
        given = form.replace("{}", path).replace("{{", "{").replace("}}", "}")
        if field:
            several = "tuple" in str(whole.arguments[field].annotation)
            start = next((one for one in STARTS if whole.subject.name in _kinds(one)), STARTS[0])
            said = asked(context, name, start, {field: [given] if several else given})
            said = SPECIES.sub("…", said)  # several are looked at, side by side
        else:
            said = asked(context, name, given, {})
        for text in (given, path, there.name, json.dumps(given)[1:-1]):
            said = said.replace(text, "…")
        told.append(said)
    assert told[0] == told[1], (name, field, form, file)
    assert KEY[:14] not in told[0]
    assert OPENED == []


def _kinds(start: str) -> Sequence[str]:
    return {
        "O": ("molecule", "guess"),
        "[O] -> [O]": ("reaction",),
        "O; N": ("molecule set", "ensemble set"),
        "[OH] + e- -> [OH-]": ("half reaction",),
        "pcu N16 E14": ("framework design",),
        "two.csv": ("source",),
    }.get(start, ())


@pytest.mark.parametrize("name", usable())
def test_no_file_is_a_subject_that_lies_elsewhere(
    context: ToolContext, secret: Path, name: str
) -> None:
    LOOKING[:] = [str(secret)]
    for form in FORMS:
        for file in NAMES[1:2] if form != "{}" else NAMES:
            same_answer(context, secret, name, form, file)
    for file in NAMES:
        there, absent = (asked(context, name, f"{one}-{file}", {}) for one in ("link", "lind"))
        assert there.replace("link-", "lind-") == absent
        assert OPENED == []


def texts(name: str) -> list[str]:
    """The arguments of a workflow that take any text."""
    return [
        field
        for field, info in workflows()[name].whole.arguments.items()
        if "str" in str(info.annotation)
        and not choices_of(info.annotation)
        and "dict" not in str(info.annotation)
    ]


@pytest.mark.parametrize(("name", "field"), [(one, f) for one in usable() for f in texts(one)])
def test_no_file_is_an_argument_that_lies_elsewhere(
    context: ToolContext, secret: Path, name: str, field: str
) -> None:
    LOOKING[:] = [str(secret)]
    for form in ("{}", "{}=4.7") if field.startswith("reference") else ("{}",):
        same_answer(context, secret, name, form, "mine.xyz", field)


@pytest.mark.parametrize("start", ["{}", "../secret/{}", "link-{}"])
def test_a_batch_of_a_model_reads_neither_its_source_nor_its_arguments_elsewhere(
    context: ToolContext, secret: Path, start: str
) -> None:
    LOOKING[:] = [str(secret)]
    place = str(secret / "mine.xyz") if start == "{}" else start.format("mine.xyz")
    (context.folder / "list.csv").write_text(f"smiles,name\nO,water\n{place},x\n")
    (context.folder / "list.txt").write_text(f"name\n{place}\n")
    for call in (
        {"subjects": [place]},
        {"subjects": [str(secret)]},
        {"subjects": ["../secret"]},
        {"subjects": ["-"]},
        {"subjects": ["/dev/stdin"]},
        {"subjects": ["list.csv"], "arguments": {"each": "run", "arguments": {"method": "HF"}}},
        {
            "subjects": ["list.csv"],
            "arguments": {"each": "cluster", "limit": 1, "arguments": {"solvent": place}},
        },
        {"subjects": [str(secret / "query.rq")]},
    ):
        said = json.dumps(used(context, "run_workflow", name="batch", **call))
        assert KEY[:14] not in said
        assert OPENED == [], call
    [row] = used(context, "run_workflow", name="batch", subjects=["list.txt"])["sources"]
    assert row["status"] == "failed" or not row["values"].get("finished")


def test_other_tools_read_nothing_elsewhere(context: ToolContext, secret: Path) -> None:
    LOOKING[:] = [str(secret)]
    path = str(secret / "mine.xyz")
    kind = next(iter(subjects()))
    for tool, arguments in (
        ("calculate", {f"{kind}s": [path, f"{path}#1", "link-mine.xyz", "../secret/mine.xyz"]}),
        ("find_results", {kind: path}),
        ("find_results", {kind: path, "by": "substructure"}),
        ("get", {"iri": path}),
        ("query", {"sparql": f"SELECT * {{ SERVICE <file://{path}> {{ ?s ?p ?o }} }}"}),
        ("query", {"sparql": f"SELECT * FROM <file://{path}> {{ ?s ?p ?o }}"}),
        ("resume", {"run": path}),
        ("draw_structure", {"iri": path}),
        ("report", {"runs": [path]}),
    ):
        if tool in tools():
            with suppress(ArgumentsError):
                said = json.dumps(used(context, tool, **arguments))
                assert '"finished"' not in said
                assert "H2O" not in said
        assert OPENED == [], tool


def test_rules_that_stand_in_for_a_model_read_nothing_elsewhere(
    session: Grafico, secret: Path, tmp_path: Path
) -> None:
    LOOKING[:] = [str(secret)]
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "link.xyz").symlink_to(secret / "mine.xyz")
    told: list[str] = []
    with Agent(plain_model(), session=session, folder=folder) as agent:
        for name in ("mine", "mind"):
            OPENED.clear()
            path = f"{secret}/{name}.xyz"
            said = agent.ask(f'HF/STO-3G energy of "{path}"').text
            told.append(said.replace(path, "…").replace(f"{name}.xyz", "…"))
            assert "Eh" not in said
            assert OPENED == []
        assert told[0] == told[1]
        assert "Eh" not in agent.ask("HF/STO-3G energy of link.xyz").text
    assert OPENED == []


def test_whether_a_folder_exists_is_not_told_by_how_a_path_is_shown(
    context: ToolContext, secret: Path
) -> None:
    paths = [f"{secret}/x/key -> O", f"{secret.parent}/nowhere/x/key -> O"]
    rows = used(context, "run_workflow", name="react", subjects=paths)
    one, other = (json.dumps(row["error"]) for row in rows["reactions"])
    assert one == other


def test_files_of_the_conversation_are_subjects_and_parts_of_subjects(
    context: ToolContext,
) -> None:
    folder = context.folder
    (folder / "h2.xyz").write_text(H2.format(""))
    (folder / "ammonia.xyz").write_text(AMMONIA)
    (folder / "h.xyz").write_text("1\n\nH 0 0 0\n")
    (folder / "below").mkdir()
    (folder / "below" / "oh.xyz").write_text("2\n\nO 0 0 0\nH 0 0 0.97\n")
    hf = {"method": "HF", "basis": "STO-3G"}
    for name, subject, arguments in (
        ("excite", "a.xyz; ammonia.xyz", {**hf, "states": 1}),
        ("react", "a.xyz -> below/oh.xyz{doublet} + h.xyz", {**hf, "task": "energy"}),
        ("react", "h2.xyz -> h.xyz + h.xyz", {**hf, "task": "energy"}),
        ("run", "a.xyz#1", {**hf, "task": "energy"}),
        ("spin-states", str(folder / "h2.xyz"), {**hf, "task": "energy"}),
    ):
        [row] = next(
            iter(
                used(
                    context, "run_workflow", name=name, subjects=[subject], arguments=arguments
                ).values()
            )
        )
        assert row["status"] == "finished", row
    [row] = used(
        context, "run_workflow", name="batch", subjects=["two.csv"], arguments={"arguments": hf}
    )["sources"]
    assert row["status"] == "finished", row
