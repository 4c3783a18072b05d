"""When the records of a run are stored: before anything is computed, together if nothing is."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel
from pydantic_graph import End

from ogm import GraphModel, KnowledgeGraph
from ontologies.provenance import Outcome, Part, Run, Transition
from tests.engine.toys import Number, double, glance
from triplestore.errors import GraficoError, InputError, ResourceError
from triplestore.memory import MemoryStore
from workflows.engine import (
    Answer,
    Choice,
    Crossroads,
    Done,
    Event,
    Executor,
    Finish,
    Goal,
    GoalRouter,
    Graph,
    Node,
    fan_out,
    run_graph,
)


class Counted(MemoryStore):
    """A store that counts what is inserted at once."""

    def __init__(self) -> None:
        super().__init__()
        self.insertions = 0
        self.full = False

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        if self.full:
            raise ResourceError("objects were to be stored", "the disk is full", "free some space")
        super().insert(quads, durable=durable, settled=settled)
        self.insertions += 1


class Doubles(BaseModel):
    """Asks for doubles; there is nothing to be said about them."""


@dataclass(frozen=True)
class Numbers:
    values: tuple[float, ...]
    answers: tuple[Answer[Any], ...] = ()

    @property
    def situation(self) -> bool:
        return bool(self.answers)

    @property
    def recorded(self) -> tuple[str, ...]:
        return tuple(answer.recorded for answer in self.answers)

    @property
    def product(self) -> None:
        return None


class DoubleAll(Node[Numbers]):
    """Double them all."""

    then: ClassVar[End[Finish]]
    only_calculates = True

    def effect(self, situation: bool) -> bool:
        return True

    async def work(self, state: Numbers, executor: Executor) -> Done[Numbers]:
        calls = {str(value): double.bind(Number(value=value)) for value in state.values}
        answers = tuple((await fan_out(executor, calls, executor.run, width=1)).all().values())
        return Done(replace(state, answers=answers))


class Ring(DoubleAll):
    """Ring a bell, and double them all."""

    then: ClassVar[End[Finish]]
    only_calculates = False

    async def work(self, state: Numbers, executor: Executor) -> Done[Numbers]:
        BELL.append(len(executor.kg.find(Run)))
        return await super().work(state, executor)


class Refuse(DoubleAll):
    """Say that it cannot be done."""

    then: ClassVar[End[Finish]]

    async def work(self, state: Numbers, executor: Executor) -> Done[Numbers]:
        raise InputError("doubles were asked for", "not today", "ask tomorrow")


BELL: list[int] = []
DOUBLING: Graph[Numbers] = Graph("doubling", DoubleAll)
RINGING: Graph[Numbers] = Graph("ringing", Ring)
REFUSING: Graph[Numbers] = Graph("refusing", Refuse)
DOUBLED = Goal("doubles", bool)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with Counted() as store:
        executor = Executor(KnowledgeGraph(store), threads_per_calculation=1)
        yield executor
        executor.close()


async def run(executor: Executor, *values: float, graph: Graph[Numbers] = DOUBLING) -> Finish:
    state = Numbers(values)
    about: list[GraphModel] = [Number(value=value) for value in values]
    return await run_graph(
        graph, state, Doubles(), DOUBLED, executor, subject="numbers", about=about
    )


def insertions(executor: Executor) -> int:
    assert isinstance(executor.kg.store, Counted)
    return executor.kg.store.insertions


def unfinished(executor: Executor) -> set[str]:
    ended = {one.run.iri for one in executor.kg.find(Outcome)}
    return {one.iri for one in executor.kg.find(Run)} - ended


async def test_a_run_of_what_is_remembered_is_stored_at_once(executor: Executor) -> None:
    await run(executor, 1, 2, 3)
    before = insertions(executor)
    finish = await run(executor, 1, 2, 3)
    assert insertions(executor) == before + 1
    asked = executor.kg.pull(Run, finish.run)
    [step] = executor.kg.find(Transition, run=asked)
    [outcome] = executor.kg.find(Outcome, run=asked)
    parts = executor.kg.find(Part, run=asked)
    assert (outcome.status, step.node, len(parts)) == ("finished", "DoubleAll", 3)
    assert all(part.reused and part.activity is not None for part in parts)
    assert not unfinished(executor)


async def test_a_run_is_there_before_anything_is_computed(executor: Executor) -> None:
    """Another one has claimed the key: the run waits for it, and is to be seen meanwhile."""
    await run(executor, 1)
    key = double.bind(Number(value=2)).key
    claimed, released = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with executor._tasks.claim(key, claimed.set):  # pyright: ignore[reportPrivateUsage]
            claimed.set()
            await released.wait()

    holder = asyncio.create_task(hold())
    await claimed.wait()
    async with executor.events.feed() as events:
        running = asyncio.create_task(run(executor, 1, 2))
        async for event in events:
            if event.kind == "waiting":
                break
        [begun] = unfinished(executor)
        [part] = executor.kg.find(Part, run=executor.kg.pull(Run, begun))
        assert part.part == "1", "what was remembered before is stored too"
    released.set()
    await holder
    assert (await running).run == begun
    assert not unfinished(executor)


async def test_a_run_is_there_before_a_node_does_anything_else(executor: Executor) -> None:
    BELL.clear()
    for expected in (1, 2):
        await run(executor, 5, graph=RINGING)
        assert BELL[-1] == expected


class Asking:
    """Chooses as a goal router does, and looks which runs are stored when it is asked."""

    name = "asking"

    def __init__(self, kg: KnowledgeGraph) -> None:
        self.kg = kg
        self.seen: list[int] = []

    async def choose(self, at: Crossroads) -> Choice:
        self.seen.append(len(self.kg.find(Run)))
        return await GoalRouter().choose(at)


async def test_a_run_is_there_before_somebody_is_asked(executor: Executor) -> None:
    router = Asking(executor.kg)
    await run_graph(
        DOUBLING, Numbers((1,)), Doubles(), DOUBLED, executor, subject="one", router=router
    )
    assert router.seen == [1, 1]


async def test_a_run_that_fails_before_anything_is_computed_is_stored(executor: Executor) -> None:
    with pytest.raises(InputError, match="not today"):
        await run(executor, 1, graph=REFUSING)
    [outcome] = executor.kg.find(Outcome)
    assert outcome.status == "failed"
    [step] = executor.kg.find(Transition, run=executor.kg.pull(Run, outcome.run.iri))
    assert "not today" in step.failure


async def test_a_run_whose_end_cannot_be_stored_says_that_it_has_ended(executor: Executor) -> None:
    assert isinstance(executor.kg.store, Counted)
    executor.kg.store.full = True
    heard: list[Event] = []
    executor.events.call(heard.append)
    with pytest.raises(GraficoError, match="disk is full"):
        await run(executor, 1)
    assert [one.kind for one in heard if one.kind in ("run", "finished")] == ["run", "finished"]
    assert heard[-1].data["status"] == "failed"


async def test_what_takes_a_moment_is_looked_up_once(executor: Executor) -> None:
    """And a newer answer, computed again, is the one that is remembered."""
    call = glance.bind(Number(value=1))
    first = await executor.run(call)
    assert not first.reused
    for _ in range(2):
        again = await executor.run(glance.bind(Number(value=1)))
        assert again.reused
        assert again.recorded == first.recorded
    newer = await executor.run(call, recompute=True)
    assert not newer.reused
    assert newer.former is not None
    assert newer.recorded != first.recorded
    last = await executor.recomputing().run(call)
    assert executor.recall(call) == replace(last, reused=True, former=None)


async def test_a_newer_answer_of_another_session_is_remembered(executor: Executor) -> None:
    call = double.bind(Number(value=1))
    first = await executor.run(call)
    other = Executor(KnowledgeGraph(executor.kg.store), threads_per_calculation=1)
    newer = await other.run(call, recompute=True)
    other.close()
    assert newer.recorded != first.recorded
    assert (await executor.run(call)).recorded == newer.recorded
