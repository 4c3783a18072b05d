"""A store that was made before the workflows became one: all of it is read, remembered, resumed.

`stored/second.zip` was made by `make_store`, of `requests`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.latest import RunLine
from ogm import migrate
from ogm.keeping import restore
from ogm.keeping.check import check_store
from ontologies import Activity, Optimisation, Run, Transition
from ontologies.quantum import ElectronicResult
from ontologies.schema import classes
from tests.golden.requests import FAILED, INTERRUPTED, KILLED, QUESTION, REQUESTS, UNMET, Request
from tests.typed import typed

BACKUP = Path(__file__).with_name("stored") / "second.zip"

STORED = {
    "Activity": 66, "ConceptualAtoms": 28, "Conversation": 1, "ConversationName": 1, "Device": 1,
    "Dispersion": 1, "ElectronicResult": 35, "Embedding": 12, "ExcitedStates": 2, "Fragment": 4,
    "FragmentEnergy": 4, "FrequencyAnalysis": 2, "GeometryConstraints": 1,
    "HeatingParameters": 2, "Identification": 22, "InteractionEnergy": 2, "LevelOfTheory": 12,
    "LevelResolution": 12, "Message": 4, "Optimisation": 9, "OrbitalVolume": 1, "Outcome": 29,
    "Part": 14, "PercentConversion": 1, "Run": 30, "SinglePoint": 18, "Software": 12,
    "Solvation": 2, "SpinState": 4, "SpinStateScan": 2, "StabilityAnalysis": 3, "Synthesizer": 1,
    "SynthesizerCommand": 7, "SynthesizerState": 7, "Thermochemistry": 2, "Transition": 46,
    "Turn": 1, "TurnOutcome": 1, "WavefunctionAnalysis": 1,
}  # fmt: skip
"""How many objects of each class it was made with."""

ENDED = {"finished": 26, "goal unmet": 1, "interrupted": 1, "failed": 1, "not finished": 1}


@dataclass(frozen=True)
class Golden:
    """The store as it was restored: what is asked of it later stands beside that.

    Attributes:
        path: where it is.
        session: a session with it.
        objects: how many objects it has of each class.
        lines: its runs.
    """

    path: Path
    session: Grafico
    objects: dict[str, int]
    lines: list[RunLine]

    def run_of(self, request: Request) -> str:
        """Return the IRI of the run of a molecule that nothing else was asked of."""
        [line] = [line for line in self.lines if line.subject == request.molecule]
        return line.run

    def ask(self, request: Request) -> Any:
        return getattr(self.session, request.verb)(request.molecule, **request.asked)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Golden]:
    path = tmp_path_factory.mktemp("golden") / "store"
    with Grafico(path, threads_per_calculation=1) as session:
        restore(session.kg, BACKUP)
        yield Golden(path, session, counted(session), session.runs(1000, parts=True))


def counted(session: Grafico) -> dict[str, int]:
    return {cls.__name__: len(session.kg.find(cls)) for cls in classes() if cls.__name__ in STORED}


@pytest.fixture
def said(golden: Golden) -> Callable[..., str]:
    def call(*words: str) -> str:
        done = typed(*words, "--store", str(golden.path))
        return done.stdout

    return call


def test_every_object_is_found_by_its_class(golden: Golden) -> None:
    assert golden.objects == STORED
    for result in golden.session.kg.find(ElectronicResult):
        assert result.level.label
        assert result.energy < 0
        assert len(result.mulliken_charges) == len(result.atoms.numbers)


def test_nothing_is_wrong_with_it(golden: Golden) -> None:
    assert check_store(golden.session.kg).clean


def test_its_runs_are_listed(golden: Golden, said: Callable[..., str]) -> None:
    assert Counter(line.status for line in golden.lines) == ENDED
    assert not [line for line in golden.lines if line.outdated]
    told = [line["run"] for line in json.loads(said("runs", "--limit", "1000", "--json"))]
    assert {line.run for line in golden.lines} <= set(told)
    assert "frequencies of a minimum" in said("runs", "--limit", "1000")


BUILT_ANEW = {"counterpoise of parts that are named"}
"""Of a notation of several molecules: a force field had put them beside each other."""


@pytest.mark.parametrize("name", [one for one in REQUESTS if one not in BUILT_ANEW])
def test_what_was_asked_is_remembered(golden: Golden, name: str) -> None:
    before = len(golden.session.kg.find(Activity))
    result = golden.ask(REQUESTS[name])
    assert (result.status, result.reused) == ("finished", True)
    assert len(golden.session.kg.find(Activity)) == before, "something was computed again"


@pytest.mark.parametrize("name", sorted(BUILT_ANEW))
def test_what_is_built_anew_is_computed_once(golden: Golden, name: str) -> None:
    result = golden.ask(REQUESTS[name])
    assert (result.status, result.reused) == ("finished", False)
    made = len(golden.session.kg.find(Activity))
    assert golden.ask(REQUESTS[name]).reused
    assert len(golden.session.kg.find(Activity)) == made


def test_every_object_is_shown(golden: Golden, said: Callable[..., str]) -> None:
    assert "the frequencies of a minimum" in said("show", golden.run_of(UNMET))
    for cls in classes():
        if cls.__name__ in STORED:
            for model in golden.session.kg.find(cls)[:2]:
                assert golden.session.show(model.iri).iri == model.iri


def test_every_run_is_reported(golden: Golden) -> None:
    page = golden.session.report(*(line.run for line in golden.lines))
    for words in ("goal unmet", "superposition", "C-PCM", "Gibbs", "microwave", "N#N"):
        assert words.lower() in page.lower(), words


def test_numbers_are_found(golden: Golden) -> None:
    hits = golden.session.find("O", method="HF", basis="STO-3G")
    assert "SinglePoint" in {hit.kind for hit in hits}
    [gibbs] = golden.session.find("O", name="gibbs_energy")
    assert gibbs.kind == "Thermochemistry"


def test_the_device_stands_as_it_was_left(golden: Golden, said: Callable[..., str]) -> None:
    found = json.loads(said("microwave", "--status", "--json"))["state"]
    assert (found["vial"], found["lid"], found["heating"]) == (3, "closed", False)
    assert found["heated"]["temperature_degC"] == 100


def test_the_conversation_is_kept(golden: Golden, said: Callable[..., str]) -> None:
    [talk] = json.loads(said("chats", "--json"))
    assert QUESTION in said("chats", "show", talk["conversation"])


@pytest.mark.parametrize(
    "request_", [KILLED, INTERRUPTED, UNMET], ids=["killed", "interrupted", "unmet"]
)
def test_what_was_not_finished_goes_on(golden: Golden, request_: Request) -> None:
    former, kg = golden.run_of(request_), golden.session.kg
    done = kg.find(Transition, run=kg.pull(Run, former))
    assert "Optimise" in {step.node for step in done}
    result = golden.session.resume(former)
    assert result.status == "finished"
    assert result.thermochemistry is not None
    assert isinstance(result.answers[0].result, Optimisation)
    assert result.answers[0].reused
    resumes = kg.pull(Run, result.run).resumes
    assert resumes is not None
    assert resumes.iri == former


def test_what_failed_goes_on_with_more_steps(golden: Golden) -> None:
    result = golden.ask(FAILED._replace(asked={**FAILED.asked, "max_steps": 50}))
    assert result.status == "finished"


def test_it_is_brought_up_to_date(tmp_path: Path) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        restore(session.kg, BACKUP)
        migrate(session.kg)
        assert migrate(session.kg) == {}
        assert counted(session) == STORED
        assert check_store(session.kg).clean
        for name in ("HF", "frequencies and thermochemistry", "counterpoise"):
            request = REQUESTS[name]
            assert getattr(session, request.verb)(request.molecule, **request.asked).reused


def test_it_is_checked_at_the_terminal(golden: Golden, said: Callable[..., str]) -> None:
    assert json.loads(said("fsck", "--json"))["findings"] == []
