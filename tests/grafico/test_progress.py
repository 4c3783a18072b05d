"""What a person sees while a run goes on, and the loop that it goes on in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from grafico.session.loop import Loop
from grafico.views.progress import Progress
from triplestore.errors import InputError
from workflows.engine import Event
from workflows.engine.execution.stream import LEAST, Backlog


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


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
