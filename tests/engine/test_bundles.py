"""What a bundle computes is held for it until it is stored, so that nobody else computes it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from ontologies.provenance import Activity, Run, Software
from tests.engine import toys
from tests.engine.toys import Number
from triplestore import open_store
from workflows.engine import Executor
from workflows.engine.execution.answer import Answer, DeferredError
from workflows.engine.execution.bundled import CollectingStore, taken
from workflows.engine.execution.calculation import Call
from workflows.engine.execution.context import Context
from workflows.engine.execution.inline import InlineExecutor
from workflows.engine.execution.task import Tasks, in_flight

CALL: Call[toys.Answer] = toys.double.bind(Number(value=3))


class Bundle:
    """A bundle, as its worker and the process that waits for it have it between them."""

    def __init__(self, home: Path, name: str) -> None:
        self.folder = home / "tasks" / name
        self.tasks = Tasks(home / "tasks", None)
        claim = self.tasks.try_claim(name)
        assert claim is not None
        self._claim = claim
        self._store = open_store(str(home))
        self._collecting = CollectingStore(self._store)
        self.executor = InlineExecutor(KnowledgeGraph(self._collecting), Context(self.folder))

    def run(self, call: Call[toys.Answer] = CALL) -> Answer[toys.Answer]:
        """Compute as an entry of a batch does."""

        async def one() -> Answer[toys.Answer]:
            with self.executor.unless_deferred():
                run = Run(
                    graph="toys",
                    goal="a number",
                    subject="a number",
                    request="{}",
                    started=datetime.now(UTC),
                    software=Software(name="toys", version="1"),
                )
                self.executor.record(run, durable=False)
                return await self.executor.run(call)

        return asyncio.run(one())

    def store(self) -> None:
        """Store what it came to, and tidy up."""
        self._collecting.leave(self.folder)
        quads, settled = taken(self.folder)
        self._store.insert(quads, settled=settled)
        self.tasks.release(self.folder.name)
        for path in self.folder.iterdir():
            path.unlink()
        self.folder.rmdir()
        self.die()

    def die(self) -> None:
        """End as one does that is killed: nothing is tidied up."""
        os.close(self._claim)
        self._store.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    home = tmp_path / "store"
    with open_store(str(home)) as store:
        store.flush()
        yield home


def keys(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "tasks").iterdir() if path.is_symlink())


def stored(home: Path) -> tuple[int, int]:
    """Return how many activities and runs are stored."""
    with open_store(str(home)) as store:
        kg = KnowledgeGraph(store)
        return len(kg.find(Activity)), len(kg.find(Run))


def test_what_another_bundle_computes_is_left_to_it_and_then_remembered(home: Path) -> None:
    one, other = Bundle(home, "one"), Bundle(home, "other")
    assert not one.run().reused
    assert one.run().reused  # it knows what it has computed itself
    with pytest.raises(DeferredError):
        other.run()
    assert not other.run(toys.double.bind(Number(value=4))).reused
    assert len(keys(home)) == 2
    one.store()
    again = other.run()  # asked of the store anew, although it was not there before
    assert again.reused
    assert again.result.value == 6
    assert keys(home) == [toys.double.bind(Number(value=4)).key]
    other.store()
    assert keys(home) == []
    assert stored(home) == (2, 4)  # no run of what was left to another
    assert not list((home / "tasks").iterdir())


def test_what_takes_a_moment_is_not_waited_for(home: Path) -> None:
    one, other = Bundle(home, "one"), Bundle(home, "other")
    for bundle in (one, other):
        assert not bundle.run(toys.glance.bind(Number(value=3))).reused
    assert keys(home) == []
    one.die()
    other.die()


async def test_a_calculation_alone_waits_for_the_bundle_that_has_it(home: Path) -> None:
    bundle = Bundle(home, "one")
    first = await asyncio.to_thread(bundle.run)
    with open_store(str(home)) as store, ExitStack() as after:
        executor = Executor(KnowledgeGraph(store), threads_per_calculation=1)
        after.callback(executor.close)
        waits = asyncio.ensure_future(executor.run(CALL))
        await asyncio.wait([waits], timeout=0.5)
        assert not waits.done()
        bundle.store()
        answer = await asyncio.wait_for(waits, 60)
    assert (answer.reused, answer.recorded) == (True, first.recorded)
    assert stored(home)[0] == 1


async def test_a_bundle_leaves_alone_what_is_computed_alone(home: Path) -> None:
    bundle = Bundle(home, "one")
    claim = bundle.tasks.try_claim(CALL.key)
    assert claim is not None
    with pytest.raises(DeferredError):
        await asyncio.to_thread(bundle.run)
    os.close(claim)
    bundle.die()


@pytest.mark.parametrize("folder_stays", [True, False])
async def test_what_a_killed_bundle_held_is_free(home: Path, folder_stays: bool) -> None:
    bundle = Bundle(home, "one")
    await asyncio.to_thread(bundle.run)
    assert in_flight(home / "tasks") == [{"key": "one", "calculation": "?", "state": "computing"}]
    bundle.die()
    if not folder_stays:
        for path in bundle.folder.iterdir():
            path.unlink()
        bundle.folder.rmdir()
    assert keys(home) == [CALL.key]
    next_one = Bundle(home, "next")
    assert not (await asyncio.to_thread(next_one.run)).reused
    next_one.die()
    with open_store(str(home)) as store, ExitStack() as after:
        executor = Executor(KnowledgeGraph(store), threads_per_calculation=1)
        after.callback(executor.close)
        assert not list((home / "tasks").iterdir())  # swept, with what they held
        assert not (await asyncio.wait_for(executor.run(CALL), 60)).reused
    assert not list((home / "tasks").iterdir())
