"""Requests in plain words: the cases, what judges the answers, and what the rules are worth."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_ai import models

from evals.__main__ import main
from evals.rates import all_of, at_least_one, rates, tasks
from evals.requests import task
from evals.requests.cases import Cases, dataset
from evals.requests.checks import CHECKS, has, missing
from evals.requests.wanted import Expected, Wanted
from evals.results import Results, lines
from evals.running import Experiment, Kept, Outcome, run, session_for
from grafico import Grafico
from grafico.agent.sources import UNITS
from ontologies.conversion import convert
from tests.agent.helpers import HF, scripted
from tests.agent.server import Message, calls, says, serving

FLOOR = 34
"""Cases that the rules pass at least; docs/evals.md says which, and is raised when they learn."""

PAGE = Path(__file__).parents[2] / "docs" / "evals.md"

ASKED = itertools.count()

HELIUM = [("calculate", {"molecules": ["[He]"], **HF})]


@pytest.fixture(autouse=True)
def no_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", False)


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with session_for("memory:") as opened:
        yield opened


def expected(**changes: Any) -> Expected:
    given: dict[str, Any] = {
        "what": "energy",
        "value": -2.807784,
        "unit": "Eh",
        "within": 5e-5,
        "source": "a textbook",
    }
    return Expected(**{**given, **changes})


def asked(
    session: Grafico, *steps: Any, wanted: Wanted | None = None, repeat: int = 1
) -> list[Outcome]:
    """Judge what a script answers to a case of its own."""
    cases = Cases(name="one", cases=[], evaluators=[check() for check in CHECKS])
    metadata = wanted or Wanted(topic="energies", numbers=(expected(),))
    cases.add_case(name="helium", inputs=dataset().cases[0].inputs, metadata=metadata)
    kept = Kept(session.kg, Experiment.of(session, str(next(ASKED)), "small"), "one")
    return run(cases, task(session, scripted(*steps)), kept, repeat=repeat)


def failed(report: list[Outcome]) -> set[str]:
    [one] = report
    assert not one.unjudged
    return {name for name, held in one.checks.items() if not held}


# --- the cases ---------------------------------------------------------------------------------


def test_every_case_says_what_is_true_and_who_found_it() -> None:
    cases = dataset().cases
    assert len(cases) >= 25
    assert len({case.name for case in cases}) == len(cases)
    units = {*UNITS.values(), ""}
    for case in cases:
        assert case.metadata is not None
        for one in case.metadata.numbers:
            assert one.unit in units, f"{case.name}: {one.unit!r} cannot be read in answers"
            assert "Grafico" not in one.source
            assert abs(one.within / one.value) < 0.02
        assert case.metadata.numbers or case.metadata.because
    assert sum(case.metadata.declined == "must" for case in cases if case.metadata) >= 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"topic": "x"},
        {"topic": "x", "words": ["a"]},
        {"topic": "x", "declined": "must"},
        {"topic": "x", "numbers": [{"what": "e", "value": 1, "unit": "Eh", "within": 1}]},
        {"topic": "x", "declined": "must", "because": "no", "surprise": 1},
    ],
)
def test_a_case_without_source_or_reason_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Wanted.model_validate(wrong)


# --- numbers in answers ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "It is -2.80778 Eh.",
        "**−2.8078 hartree** at HF/STO-3G",
        f"E = {convert(-2.807784, 'Eh', 'eV'):.3f} eV",
        f"{convert(-2.807784, 'Eh', 'kJ/mol'):,.1f} kJ/mol",
        "| level | energy (Eh) |\n|---|---|\n| HF/STO-3G | -2.807784 |",
        "energies: -1.117, -2.807784, and -0.4666 Eh",
    ],
)
def test_a_right_number_is_found(text: str) -> None:
    assert has(text, expected())


@pytest.mark.parametrize(
    "text",
    [
        "It is -2.80790 Eh.",  # wrong
        "It is -2.8 Eh.",  # too few digits
        "It is 2.807784 Eh.",  # sign
        "It is -2.807784 eV.",  # unit
        "It is -2.807784.",  # no unit
        "It is -2.807784.\n\nAn Eh is 27.2 eV.",  # the unit is said of something else
        "Understood: energy -2.807784 Eh",
    ],
)
def test_a_wrong_number_is_not(text: str) -> None:
    assert not has(text, expected())


def test_what_a_unit_or_a_sign_is_asked_for_decides() -> None:
    nanometres = expected(value=495.937, unit="nm", within=0.5, only=True)
    assert has("2.5 eV = 495.94 nm", nanometres)
    assert not has("2.5 eV = 400 nm", nanometres)
    assert has(
        "HNC is 80.8 kJ/mol higher",
        expected(value=-80.79, unit="kJ/mol", within=0.2, signless=True),
    )
    charge = expected(value=-0.3635, unit="", within=0.002)
    assert has("O1 -0.364, H2 +0.182", charge)
    assert not has("-0.364 Eh", charge)


def test_declining_takes_words_for_it() -> None:
    must = Wanted(topic="errors", declined="must", because="no such thing", words=("electron",))
    assert not missing("This cannot be: there are ten electrons.", must)
    assert "cannot be done" in missing("With ten electrons it is -74.2 Eh, not optimised.", must)
    assert "electron" in missing("This is impossible.", must)
    may = Wanted(
        topic="errors", declined="may", because="a slip", words=("B3LYP",), numbers=(expected(),)
    )
    assert not missing("No such functional; did you mean B3LYP? I can’t go on.", may)
    assert not missing("With B3LYP it is -2.807784 Eh.", may)
    assert "energy" in missing("With B3LYP it is -2.9 Eh.", may)


# --- what judges ---------------------------------------------------------------------------------


def test_a_right_answer_passes(session: Grafico) -> None:
    report = asked(session, HELIUM, "It is -2.807784 Eh at HF/STO-3G.")
    assert failed(report) == set()
    [one] = report
    assert (one.word, one.passed, one.why) == ("right", True, "")
    assert (one.metrics["requests"], one.metrics["calls"]) == (2, 1)


@pytest.mark.parametrize(
    ("answer", "lost", "outcome"),
    [
        ("It is -2.9077 Eh.", {"Right", "Candid", "Sourced"}, "wrong"),
        ("It is -2.807784 eV.", {"Right", "Candid", "Sourced"}, "wrong"),
        ("It is -2.807784 Eh, that of He+ -1.9317 Eh.", {"Sourced"}, "right"),
        ("It is -2.807784 Eh, a minimum.", {"Minimum"}, "right"),
        ("It is -2.807784 Eh; not a minimum.", set[str](), "right"),
        ("The energy could not be computed.", {"Right"}, "declined"),
    ],
)
def test_what_is_wrong_is_caught(
    session: Grafico, answer: str, lost: set[str], outcome: str
) -> None:
    report = asked(session, HELIUM, answer)
    assert failed(report) == lost
    assert report[0].word == outcome
    assert bool(report[0].why) == bool(lost)


@pytest.mark.parametrize(("task", "lost"), [("optimise", {"Minimum"}), ("frequencies", set())])
def test_a_minimum_has_vibrations(session: Grafico, task: str, lost: set[str]) -> None:
    water = expected(value=-74.965901, source="Q-Chem, quoted in Psi4's tests/opt1")
    wanted = [("calculate", {"molecules": ["water"], **HF, "task": task})]
    report = asked(
        session,
        wanted,
        "At the minimum it is -74.965901 Eh.",
        wanted=Wanted(topic="energies", numbers=(water,)),
    )
    assert failed(report) == lost


def test_too_many_calls_are_counted(session: Grafico) -> None:
    wanted = Wanted(topic="energies", numbers=(expected(),), requests=2, calls=1)
    report = asked(session, HELIUM, HELIUM, "It is -2.807784 Eh.", wanted=wanted)
    assert failed(report) == {"Effort"}
    assert "3 requests where 2 are enough" in report[0].why


# --- how often -----------------------------------------------------------------------------------


def test_repeats_are_estimated_a_case_and_then_averaged(session: Grafico) -> None:
    right, wrong = "It is -2.807784 Eh.", "It is -2.9077 Eh."
    stays = [HELIUM, wrong, wrong]  # it hears that nobody has given the number
    report = asked(session, HELIUM, right, *stays, HELIUM, right, HELIUM, right, repeat=4)
    [one] = tasks(report)
    assert (one.passes, len(one.runs)) == (3, 4)
    assert at_least_one(3, 4, 1) == all_of(3, 4, 1) == 0.75
    assert at_least_one(3, 4, 2) == 1  # no two runs are wrong
    assert all_of(3, 4, 2) == 0.5  # 3 of 6 pairs
    assert rates([one])["pass^k"] == [0.75, 0.5, 0.25, 0]


def test_what_breaks_is_told_and_counts_as_not_passed(
    session: Grafico, capsys: pytest.CaptureFixture[str]
) -> None:
    report = asked(session, HELIUM, "It is -2.807784 Eh.", RuntimeError("no provider"), repeat=2)
    assert [one.broken for one in report] == [False, True]
    assert rates(tasks(report)) == {"pass@k": [0.5, 1.0], "pass^k": [0.5, 0.0]}
    results = Results(Experiment.of(session, "scripted", "small"), {"one": report})
    assert "1 broken" in "\n".join(lines(results))
    assert "BROKEN" in capsys.readouterr().err


# --- the rules -----------------------------------------------------------------------------------


def test_the_rules_answer_what_they_should(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    summary = found["sets"]["requests"]
    runs: Sequence[dict[str, Any]] = summary["outcomes"]
    assert found["model"] == "plain requests"
    assert len(said.err.splitlines()) == len(runs) == len(dataset().cases)
    told = {one["case"]: one["reasons"] for one in runs}
    passed, of = Counter[str](), Counter(one["topic"] for one in runs)
    for one in runs:
        passed[one["topic"]] += one["passed"]
    shown = re.findall(
        r"^\| ([a-z ]+) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert {topic: int(count) for topic, _, count in shown} == of
    assert all(passed[topic] >= int(count) for topic, count, _ in shown), told
    assert sum(int(count) for _, count, _ in shown) >= FLOOR
    assert not [one["case"] for one in runs if one["outcome"] == "wrong"]
    assert all(one["checks"]["Sourced"] and one["checks"]["Minimum"] for one in runs)
    assert {one["metrics"]["cost_USD"] for one in runs} == {0}
    rates = summary["criteria"]["every check"]
    assert rates["pass@k"] == rates["pass^k"] == [pytest.approx(passed.total() / of.total())]


def test_what_is_stored_is_not_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    only = ["--only", "helium", "--store", str(tmp_path / "store")]
    assert main(only) == 0
    assert "1 right" in capsys.readouterr().out
    assert main([*only, "--json", "--repeat", "2"]) == 0
    said = capsys.readouterr()
    assert "1 of 2 are in the store" in said.err
    assert said.err.count("helium") == 1
    first, second = json.loads(said.out)["sets"]["requests"]["outcomes"]
    assert "remembered" not in first["attributes"]["answer"]
    assert "remembered" in second["attributes"]["answer"]


def test_cases_are_chosen_by_name_and_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "helium", "units", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["sets"]["requests"]["outcomes"]
    assert {one["case"] for one in runs} > {"helium"}
    assert {one["topic"] for one in runs} == {"energies", "units"}
    assert main(["--only", "helum"]) == 1
    assert "'helum'" in capsys.readouterr().err


def test_a_model_that_cannot_be_asked_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["--model", "openai-chat:gpt-5", "--only", "helium"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("gpt-5") == 1
    assert "OPENAI_API_KEY" in said.err


def test_a_model_is_asked_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(request: dict[str, Any]) -> Message:
        asked = request["messages"][-1]["role"] == "user"
        return calls(*HELIUM) if asked else says("The energy is -2.807784 Eh.")

    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    wanted = ["--model", "openai-chat:any", "--only", "helium"]
    with serving(answer) as server, models.override_allow_model_requests(True):
        monkeypatch.setenv("GRAFICO_AGENT_BASE_URL", server.url)
        assert main(wanted) == 0
        line = capsys.readouterr().out.splitlines()[1]
        assert line.split()[:7] == ["helium", "energies", "1/1", "2.0", "1.0", "2100", "?"]
        server.faults = [401]
        assert main([*wanted, "--store", str(tmp_path)]) == 1
        said = capsys.readouterr()
        assert main([*wanted, "--store", str(tmp_path)]) == 0  # it is asked again
    assert "0 answers" in said.out
    assert "1 broken" in said.out
    assert "check the key" in said.err
