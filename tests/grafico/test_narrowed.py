"""Lists of runs are narrowed by time, workflow, method, tag, formula and failure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.narrowed import moment
from tests.typed import typed
from triplestore.errors import GraficoError, InputError
from workflows.text.formulas import hill

NOW = datetime(2026, 11, 27, 15, 30, tzinfo=UTC)  # a Friday


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("today", "2026-11-27T00:00"),
        ("Yesterday", "2026-11-26T00:00"),
        ("last week", "2026-11-20T15:30"),
        ("2 days ago", "2026-11-25T15:30"),
        ("an hour ago", "2026-11-27T14:30"),
        ("3 weeks", "2026-11-06T15:30"),
        ("since three weeks ago", "2026-11-06T15:30"),
        ("monday", "2026-11-23T00:00"),
        ("last friday", "2026-11-20T00:00"),
        ("14:30", "2026-11-27T14:30"),
        ("2 pm", "2026-11-27T14:00"),
        ("yesterday 9:05", "2026-11-26T09:05"),
        ("2026-11-01T08:00+00:00", "2026-11-01T08:00"),
    ],
)
def test_a_time_in_words(words: str, when: str) -> None:
    assert moment(words, NOW) == datetime.fromisoformat(f"{when}+00:00")


@pytest.mark.parametrize(
    "words", ["", "soon", "2 moons ago", "99999 years ago", "2026-13-01", "25:00"]
)
def test_what_is_no_time_is_refused(words: str) -> None:
    with pytest.raises(InputError, match="time"):
        moment(words, NOW)


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        with pytest.raises(GraficoError):
            opened.run("water", method="HF", basis="STO-3G", task="optimise", max_steps=1)
        opened.run("helium", method="HF", basis="STO-3G")
        opened.run("neon", method="PBE", basis="STO-3G")
        few: dict[str, Any] = {"response": "TDA", "states": 1}
        opened.run("[H][H]", method="HF", basis="STO-3G", workflow="excite", **few)
        yield opened


@pytest.mark.parametrize(
    ("only", "found"),
    [
        ({}, ["[H][H]", "neon", "helium", "water"]),
        ({"since": "an hour ago"}, ["[H][H]", "neon", "helium", "water"]),
        ({"since": datetime.now(UTC) + timedelta(days=1)}, []),
        ({"method": "pbe"}, ["neon"]),
        ({"workflow": "excite"}, ["[H][H]"]),
        ({"formula": "He"}, ["helium"]),
        ({"failed": True}, ["water"]),
        ({"tag": "nobody's"}, []),
        ({"about": "EL"}, ["helium"]),
        ({"about": '") } #'}, []),
        ({"status": "failed"}, ["water"]),
        ({"status": "goal unmet"}, []),
        ({"status": "finished", "about": "e"}, ["neon", "helium"]),
        ({"status": "not finished"}, []),
        ({"status": " Goal  Unmet"}, []),
        ({"method": '" } #'}, []),
    ],
)
def test_runs_are_narrowed(session: Grafico, only: dict[str, Any], found: list[str]) -> None:
    assert [line.subject for line in session.runs(**only)] == found


def test_a_tag_narrows(session: Grafico) -> None:
    session.tag(session.iri("last~1"), "noble")
    assert [line.subject for line in session.runs(tag="Noble")] == ["neon"]


def test_a_workflow_that_there_is_not_is_refused(session: Grafico) -> None:
    with pytest.raises(GraficoError, match="nowhere"):
        session.runs(workflow="nowhere")


@pytest.mark.parametrize("status", ["done", "running", '" } #'])
def test_a_status_that_no_run_has_is_refused(session: Grafico, status: str) -> None:
    with pytest.raises(InputError, match="finished, goal unmet, failed, interrupted, not finished"):
        session.runs(status=status)


def test_results_are_narrowed_by_time(session: Grafico) -> None:
    assert len(session.find("helium", since="an hour ago")) == 1
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    assert session.find("helium", since=later) == []


def test_the_latest_unfinished_run_is_what_is_gone_on_with(session: Grafico) -> None:
    (cut,) = session.runs(failed=True)
    again = session.resume(max_steps=50)
    assert again.status == "finished"
    assert session.runs(1)[0].subject == cut.subject == "water"


@pytest.mark.parametrize(
    ("only", "found"),
    [
        ({}, {"He", "Ne", "H2"}),
        ({"method": "hf"}, {"He", "H2"}),
        ({"method": "PBE", "basis": "sto3g"}, {"Ne"}),
        ({"basis": "def2"}, set()),
        ({"workflow": "excite"}, {"H2"}),
        ({"workflow": "run"}, {"He", "Ne", "H2"}),  # a part of what excites is one, too
        ({"formula": " H2 "}, {"H2"}),
        ({"failed": True}, set()),
        ({"tag": "light"}, {"He"}),
        ({"tag": "light", "method": "pbe"}, set()),
        ({"since": datetime.now(UTC) + timedelta(days=1)}, set()),
        ({"since": "since an hour ago", "formula": "Ne"}, {"Ne"}),
        ({"tag": '" } #'}, set()),
    ],
)
def test_results_are_narrowed_by_the_same_words(
    session: Grafico, only: dict[str, Any], found: set[str]
) -> None:
    [run] = session.runs(formula="He")
    session.tag(run.run, "light")
    water = {"H2O"}  # another test goes on with it
    assert {hit.formula for hit in session.find(**only)} - water == found
    assert {hit.formula for hit in session.find(name="homo", **only)} - water <= found


def test_what_a_failed_run_came_to_is_found() -> None:
    with Grafico("memory:", threads_per_calculation=1) as session:
        asked: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "task": "optimise"}
        with pytest.raises(GraficoError):
            session.run("2 [H] -> [H][H]", workflow="react", max_steps=1, **asked)
        session.run("[He]", method="HF", basis="STO-3G")
        assert {hit.formula for hit in session.find(failed=True)} == {"H"}
        assert {hit.formula for hit in session.find(workflow="react")} == {"H"}


@pytest.mark.parametrize(
    ("written", "hill_order"),
    [("OH2", "H2O"), ("C2H5OH", "C2H6O"), ("NaCl", "ClNa"), ("CO", "CO"), ("Co", "Co")],
)
def test_a_formula_is_understood_in_any_order(written: str, hill_order: str) -> None:
    assert hill(written) == hill_order


@pytest.mark.parametrize("formula", ["", " ", "h2o", "Xx2", "H2O)", "X2"])
def test_what_is_no_formula_is_refused(session: Grafico, formula: str) -> None:
    if not formula:
        assert session.runs(formula=formula)  # as good as not said
        return
    with pytest.raises(InputError, match="formula"):
        session.runs(formula=formula)
    with pytest.raises(InputError, match="formula"):
        session.find(formula=formula)


def test_commands_that_list_take_the_same_words() -> None:
    from grafico.cli.find import find
    from grafico.cli.options import narrowing
    from grafico.cli.query import runs

    def own(command: Any) -> set[str]:
        return {one.name for one in command.params}

    assert len(narrowing) == len(
        own(runs) & own(find) - {"limit", "store", "as_json", "debug", "withdrawn"}
    )


def test_a_list_of_nothing_names_the_store(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    where = ("--store", str(tmp_path / "store"))
    assert f"no run in the store {tmp_path / 'store'}" in typed("runs", *where).output
    assert "no run of that kind" in typed("runs", "--failed", *where).output
    assert typed("runs", "--json", *where).output.strip() == "[]"
