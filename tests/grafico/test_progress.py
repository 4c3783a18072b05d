"""What a person sees while a run goes on, and the loop that it goes on in."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from grafico.session.loop import Loop
from grafico.views.progress import Progress
from triplestore.errors import InputError
from workflows.engine import Event
from workflows.engine.execution.events import Scope
from workflows.engine.execution.stream import LEAST, Backlog

IRI = "g:id/ConceptualAtoms/95d3f7701404ed5f56c4d100217f87b1"
SEVERAL = [
    Event("run", "r1", {"about": "water"}, Scope("r1")),
    Event("started", "dft.single_point", {"threads": 1}, Scope("r1")),
    Event("subject", "He", {"given": IRI, "remarks": []}),
    Event("run", "r2", {"about": IRI}, Scope("r2")),
    Event("alive", "dft.single_point", {"elapsed": 3}, Scope("r1")),
    Event("alive", "dft.single_point", {"elapsed": 4}, Scope("r2")),
    Event("warning", "dft.single_point", {"reason": "slow"}, Scope("r1")),
    Event("alive", "dft.single_point", {"elapsed": 9}, Scope("r1")),
    Event("finished", "r2", {"status": "finished"}, Scope("r2")),
    Event("finished", "r1", {"status": "failed"}, Scope("r1")),
    Event("run", "r3", {"about": "neon"}, Scope("r3")),
    Event("alive", "dft.single_point", {"elapsed": 5}, Scope("r3")),
]


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


def test_a_file_gets_fewer_signs_of_life_the_longer_it_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("grafico.views.progress.time.monotonic", lambda: now[0])
    told = Progress()
    for second in range(3600):
        now[0] = float(second)
        told(Event("alive", "dft.single_point", {"elapsed": second}, Scope("r1")))
    told(Event("warning", "dft.single_point", {"reason": "slow"}, Scope("r1")))
    lines = capsys.readouterr().err.splitlines()
    assert 60 < len(lines) < 150
    assert lines[-1].endswith("slow"), "what is no sign of life is always told"


def test_warnings_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    backlog = Backlog(LEAST)
    for step in range(LEAST + 3):
        backlog.put(Event("alive", "toys.slow", {"elapsed": step}))
    missed = backlog.take()
    assert missed is not None
    for quiet in (False, True):
        Progress(quiet)(missed)
    Progress()(Event("warning", "model", {"reason": "no answer", "chosen_by": "goal for model"}))
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith(
        "warning: 3 events were left out, because this listener is slower than they"
    )
    assert second.endswith("warning: no answer")


def test_a_loop_that_would_wait_for_itself_says_so(loop: Loop) -> None:
    async def inner() -> int:
        return 1

    async def outer() -> int:
        return loop.call(inner)

    with pytest.raises(InputError, match="would wait for itself"):
        loop.call(outer)
    assert loop.call(lambda: asyncio.wait_for(inner(), 1)) == 1, "it goes on"


def test_a_state_is_told_once_however_many_steps_are_in_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = Progress()
    held = {"reason": "the cpu slots are held by other calculations"}
    for number in range(50):
        progress(Event("waiting", "dft.optimise", held))
        progress(Event("started", "dft.optimise", {"threads": 1}))
        progress(Event("alive", "dft.optimise", {"elapsed": float(number)}))
    other = {"reason": "the cpu slots are held by process 7"}
    for reason in (other, held):
        progress(Event("waiting", "dft.optimise", reason))
    lines = capsys.readouterr().err.splitlines()
    waits = [line.partition("waiting, ")[2] for line in lines if "waiting" in line]
    assert waits == [held["reason"], other["reason"], held["reason"]]


def test_what_goes_on_side_by_side_is_told_with_its_subject(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = Progress()
    waiting = Event("waiting", "molecule.embed", {"reason": "the brief slots are held"})
    for event in (waiting, waiting):
        progress(event)
    assert len(capsys.readouterr().err.splitlines()) == 1, "told once, not of each"
    for event in SEVERAL:
        progress(event)
    lines = [line.partition(" s  ")[2] for line in capsys.readouterr().err.splitlines()]
    ends = [line.rpartition(": ")[2] for line in lines]
    assert lines.pop(1) == f"{IRI} → He"
    del ends[1]
    assert [line.partition(": ")[0] for line in lines[1:-1]] == [
        "water",
        "He",
        "water",
        "water",
        "He",
        "water",
    ]
    assert ends[3:-1] == ["slow", "at work, 9 s so far", "finished", "failed"]
    assert "water" not in lines[0], "it is alone yet"
    assert "neon" not in lines[-1], "and it again"


def test_a_step_that_fails_is_told_in_words() -> None:
    failed = Event("transition", "ComputeSpecies", {"failure": "no energy", "said": ""})
    assert Progress().line(failed) == "the step “compute species” failed"


def test_on_a_terminal_each_has_one_line_that_is_rewritten() -> None:
    code = (
        "from tests.grafico.test_progress import SEVERAL\n"
        "from grafico.views.progress import Progress\n"
        "progress = Progress()\n"
        "for event in SEVERAL: progress(event)\n"
    )
    primary, secondary = os.openpty()
    there = {**os.environ, "TERM": "xterm", "COLUMNS": "60", "LINES": "40"}
    with subprocess.Popen([sys.executable, "-c", code], stderr=secondary, env=there) as child:
        os.close(secondary)
        data = b""
        with contextlib.suppress(OSError):  # how Linux says that the other end is closed
            while piece := os.read(primary, 1 << 16):
                data += piece
        assert child.wait() == 0
    os.close(primary)
    shown = [line.partition(" s  ")[2] for line in screen(data.decode())]
    assert [line.rpartition(": ")[2] for line in shown[2:]] == [
        "slow",
        "finished",
        "failed",
        "at work, 5 s so far",
    ]
    assert "at work, 3 s" in data.decode()


def screen(written: str) -> list[str]:
    """Return the lines on a terminal that knows how to go up and to clear what is below."""
    lines: list[str] = []
    for up, line in re.findall(r"(?:\x1b\[(\d+)F\x1b\[J)?([^\x1b\r\n]*)\r?\n?", written):
        del lines[len(lines) - int(up or 0) :]
        lines += [line] if line else []
    return lines


def test_what_is_left_follows_the_share_of_the_work_and_not_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [100.0]
    monkeypatch.setattr("grafico.views.progress.time.monotonic", lambda: clock[0])
    progress = Progress()
    start = {"done": 0, "failed": 0, "total": 100}
    progress.line(Event("progress", "", {**start, "share": 0.0}))
    clock[0] += 10
    told = progress.line(Event("progress", "", {**start, "done": 4, "share": 0.5}))
    assert told == "4 of 100 done, 24.0 a minute, 10 seconds left", "the largest came first"
    clock[0] += 10
    told = progress.line(Event("progress", "", {**start, "done": 8}))
    assert told == "8 of 100 done, 24.0 a minute, 3.8 minutes left", "nothing is known of shares"
