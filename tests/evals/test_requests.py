"""Requests in plain words: the cases, what judges the answers, and what the rules are worth."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_ai import models

from evals.requests import rates
from evals.requests.__main__ import judge, main
from evals.requests.asking import session_for
from evals.requests.cases import Cases, all_cases
from evals.requests.checks import CHECKS, has, missing
from evals.requests.wanted import Expected, Wanted
from grafico import Grafico
from grafico.agent.sources import UNITS
from ontologies.conversion import convert
from tests.agent.helpers import HF, scripted
from tests.agent.server import Message, calls, says, serving

FLOOR = 34
"""Cases that the rules pass at least; docs/evals.md says which, and is raised when they learn."""

PAGE = Path(__file__).parents[2] / "docs" / "evals.md"

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
) -> rates.Report:
    """Judge what a script answers to a case of its own."""
    cases = Cases(name="one", cases=[], evaluators=[check() for check in CHECKS])
    metadata = wanted or Wanted(topic="energies", numbers=(expected(),))
    cases.add_case(name="helium", inputs=all_cases().cases[0].inputs, metadata=metadata)
    return judge(session, scripted(*steps), cases, repeat=repeat)


def failed(report: rates.Report) -> set[str]:
    [run] = report.cases
    assert not run.evaluator_failures
    return {name for name, held in run.assertions.items() if not held.value}


# --- the cases ---------------------------------------------------------------------------------


def test_every_case_says_what_is_true_and_who_found_it() -> None:
    cases = all_cases().cases
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


def test_cases_are_chosen_by_name_and_topic() -> None:
    chosen = all_cases({"helium", "units"}).cases
    assert {case.name for case in chosen} > {"helium"}
    assert {case.metadata.topic for case in chosen if case.metadata} == {"energies", "units"}


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
    [run] = report.cases
    assert (rates.outcome(run), rates.passed(run), rates.reasons(run)) == ("right", True, "")
    assert (run.output.usage.requests, run.output.calls) == (2, 1)


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
    assert rates.outcome(report.cases[0]) == outcome
    assert bool(rates.reasons(report.cases[0])) == bool(lost)


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
    assert "3 requests where 2 are enough" in rates.reasons(report.cases[0])


# --- how often -----------------------------------------------------------------------------------


def test_repeats_are_estimated_a_case_and_then_averaged(session: Grafico) -> None:
    right, wrong = "It is -2.807784 Eh.", "It is -2.9077 Eh."
    stays = [HELIUM, wrong, wrong]  # it hears that nobody has given the number
    report = asked(session, HELIUM, right, *stays, HELIUM, right, HELIUM, right, repeat=4)
    [one] = rates.tried(report)
    groups = report.case_groups()
    assert groups is not None
    assert [len(group.runs) for group in groups] == [one.count] == [4]
    assert one.passes == 3
    assert one.at(1) == one.all_of(1) == 0.75
    assert one.at(2) == 1  # no two runs are wrong
    assert one.all_of(2) == 0.5  # 3 of 6 pairs
    assert one.all_of(4) == 0
    never = rates.Tried("never", "x", [], report.failures)
    assert rates.rates([one])["pass^k"] == [0.75, 0.5, 0.25, 0]
    assert never.count == 0


def test_what_breaks_is_told_and_counts_as_not_passed(
    session: Grafico, capsys: pytest.CaptureFixture[str]
) -> None:
    report = asked(session, HELIUM, "It is -2.807784 Eh.", RuntimeError("no provider"), repeat=2)
    assert rates.is_broken(report)
    assert rates.rates(rates.tried(report)) == {"pass@k": [0.5, 1.0], "pass^k": [0.5, 0.0]}
    assert "1 broken" in "\n".join(rates.lines(report, "scripted"))
    assert "BROKEN" in capsys.readouterr().err


# --- the rules -----------------------------------------------------------------------------------


def test_the_rules_answer_what_they_should(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    runs: Sequence[dict[str, Any]] = [case["runs"][0] for case in found["cases"]]
    assert found["model"] == "plain requests"
    assert len(said.err.splitlines()) == len(runs) == len(all_cases().cases)
    told = {case["name"]: case["runs"][0]["reasons"] for case in found["cases"]}
    passed, of = Counter[str](), Counter(case["topic"] for case in found["cases"])
    for case in found["cases"]:
        passed[case["topic"]] += case["passed"]
    shown = re.findall(
        r"^\| ([a-z ]+) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert {topic: int(count) for topic, _, count in shown} == of
    assert all(passed[topic] >= int(count) for topic, count, _ in shown), told
    assert sum(int(count) for _, count, _ in shown) >= FLOOR
    assert not [case["name"] for case in found["cases"] if case["runs"][0]["outcome"] == "wrong"]
    assert all(run["checks"]["Sourced"] and run["checks"]["Minimum"] for run in runs)
    assert {run["cost_USD"] for run in runs} == {0}
    assert found["pass@k"] == found["pass^k"] == [pytest.approx(passed.total() / of.total())]


def test_a_store_remembers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = ["--only", "helium", "--store", str(tmp_path / "store")]
    assert main(only) == 0
    first = capsys.readouterr().out
    assert "1 right" in first
    assert main([*only, "--json", "--repeat", "2"]) == 0
    runs = json.loads(capsys.readouterr().out)["cases"][0]["runs"]
    assert all("remembered" in run["answer"] for run in runs)


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
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
        assert main(wanted) == 1
        said = capsys.readouterr()
    assert "0 answers" in said.out
    assert "1 broken" in said.out
    assert "check the key" in said.err
