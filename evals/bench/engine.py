"""What the engine costs: a step, a calculation of nothing, a memory of 100,000; and slots."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ogm import KnowledgeGraph
from triplestore import open_store
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.engine import Call, Executor, Slots, run_all
from workflows.engine.local.devices import usable_cores

from . import recalling
from .figures import Figure, below, in_turn, say, shown
from .molecules import BASES, METHODS, SMILES, structure
from .nothing import Number, bare_count, count, nothing

STEPS, RUNS = 10, 30
CALCULATIONS, ROUNDS, CHILDREN = 1_000, 5, 100
SMALL = tuple(SMILES)[:10]
TURNS = 2


def measure(folder: Path) -> Iterator[Figure]:
    """Measure steps, calculations, slots and memory."""
    say("engine: steps and calculations that do nothing, about half a minute…")
    yield overhead()
    yield from calculations(folder)
    say("engine: slots, about half a minute…")
    yield from slots()
    yield from recalling.measure(folder)


def overhead(steps: int = STEPS, runs: int = RUNS) -> Figure:
    """Measure a step of a run: planned, checked and recorded in memory.

    The begin and the end of its run are shared out among the steps.
    """
    bare = bare_count()
    with at_work("memory:") as (executor, runner):
        runner.run(count(executor, steps))
        ours, least = in_turn(
            runs,
            lambda _: runner.run(count(executor, steps)),
            lambda _: runner.run(bare(steps)),
        )
    name, against = "node that does nothing", "pydantic-graph alone"
    return below(name, ours / steps, 1, "ms", against, least / steps)


def calculations(
    folder: Path, number: int = CALCULATIONS, rounds: int = ROUNDS, children: int = CHILDREN
) -> Iterator[Figure]:
    """Measure calculations through one-thread slots with warm workers.

    Beside them stands what the standard library has for processes that share nothing: a fresh
    child a task, as many at once.
    """
    cores = usable_cores()
    numbers = itertools.count()

    def batch(size: int) -> dict[str, Call[Any]]:
        return {str(i): nothing.bind(Number(value=i)) for i in itertools.islice(numbers, size)}

    with (
        at_work("memory:", Slots(total_cores=cores, slots=cores)) as (memory, runner),
        at_work(str(folder / "nothing"), Slots(total_cores=cores, slots=cores)) as (durable, other),
        ThreadPoolExecutor(cores) as threads,
    ):

        def through(executor: Executor, runner: asyncio.Runner, size: int) -> None:
            calls = batch(size)
            assert len(runner.run(run_all(executor, calls)).all()) == size

        def fresh(_: int) -> None:
            list(threads.map(child, range(children // rounds)))

        through(memory, runner, 4 * cores)
        through(durable, other, 4 * cores)
        size = number // rounds
        times = in_turn(
            rounds,
            lambda _: through(memory, runner, size),
            lambda _: through(durable, other, size),
            fresh,
        )
    ours, stored, least = times[0] / size, times[1] / size, times[2] / (children // rounds)
    against = f"a fresh child process a task, {cores} at once"
    yield below("calculation of nothing, memory", ours, 5, "ms", against, least)
    yield below("calculation of nothing, folder", stored, 25, "ms", against, least)


def child(_: int) -> None:
    """Let a fresh Python do nothing."""
    subprocess.run([sys.executable, "-c", ""], check=True)


def slots(names: Sequence[str] = SMALL, turns: int = TURNS) -> Iterator[Figure]:
    """Compare one-thread slots with one slot of all cores on single points of small molecules."""
    cores = usable_cores()
    if cores == 1:
        say("  left out: slots: there is but one core")
        return
    levels = [resolve_level(method, BASES[0], "restricted").level for method in METHODS]
    calls = {
        f"{name} {level.label}": single_point.bind(structure(name), level)
        for name in names
        for level in levels
    }
    with (
        at_work("memory:", Slots(total_cores=cores, slots=cores)) as (narrow, runner),
        at_work("memory:", Slots(total_cores=cores, slots=1)) as (wide, other),
    ):

        def through(executor: Executor, runner: asyncio.Runner, some: dict[str, Call[Any]]) -> None:
            assert len(runner.run(run_all(executor.recomputing(), some)).all()) == len(some)

        first = dict(itertools.islice(calls.items(), cores))
        through(narrow, runner, first)
        through(wide, other, first)
        ours, theirs = in_turn(
            turns,
            lambda _: through(narrow, runner, calls),
            lambda _: through(wide, other, calls),
        )
    name, against = f"{len(calls)} single points, {cores} slots", f"one slot of {cores} threads"
    yield shown(name, ours / 1e3, theirs / 1e3, "s", against)


@contextmanager
def at_work(url: str, slots: Slots | None = None) -> Generator[tuple[Executor, asyncio.Runner]]:
    """Yield an executor on a store, and what runs its coroutines in the loop of its workers."""
    with open_store(url) as store, asyncio.Runner() as runner:
        executor = Executor(KnowledgeGraph(store), slots)
        try:
            yield executor, runner
        finally:
            runner.run(executor.aclose())
