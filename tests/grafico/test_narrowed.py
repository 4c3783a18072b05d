"""Lists of runs are narrowed by time, workflow, method, tag, formula and failure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from grafico import Grafico
from grafico.session.narrowed import moment
from triplestore.errors import GraficoError, InputError

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
        ("monday", "2026-11-23T00:00"),
        ("last friday", "2026-11-20T00:00"),
        ("2026-11-01T08:00+00:00", "2026-11-01T08:00"),
    ],
)
def test_a_time_in_words(words: str, when: str) -> None:
    assert moment(words, NOW) == datetime.fromisoformat(f"{when}+00:00")


@pytest.mark.parametrize("words", ["", "soon", "2 moons ago", "99999 years ago", "2026-13-01"])
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


def test_results_are_narrowed_by_time(session: Grafico) -> None:
    assert len(session.find("helium", since="an hour ago")) == 1
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    assert session.find("helium", since=later) == []


def test_the_latest_unfinished_run_is_what_is_gone_on_with(session: Grafico) -> None:
    (cut,) = session.runs(failed=True)
    again = session.resume(max_steps=50)
    assert again.status == "finished"
    assert session.runs(1)[0].subject == cut.subject == "water"
