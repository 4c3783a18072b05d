"""What it costs to be remembered: a known calculation, and a moved copy of one, among 100,000."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import SinglePoint
from triplestore import Store, open_store
from workflows.dft.properties.energy import single_point
from workflows.engine import Call, Executor

from .bundles import at_work, bundle, fill, quads
from .figures import Figure, below, in_turn, say

FEW, MANY = 1_000, 100_000
TIMES = 100
WARM = 10
LIMIT = 5.0  # ms


def known(number: int) -> Call[SinglePoint]:
    """Return the call of a bundle, from atoms that nobody has looked at yet."""
    result, _ = bundle(number)
    atoms = ConceptualAtoms(numbers=result.atoms.numbers, positions=result.atoms.positions)
    return single_point.bind(atoms, result.level)


def moved(number: int) -> Call[SinglePoint]:
    """Return that call for the atoms turned, shifted and renumbered."""
    result, _ = bundle(number)
    dice = np.random.default_rng(number)
    turn, _ = np.linalg.qr(dice.normal(size=(3, 3)))
    turn *= np.sign(np.linalg.det(turn))
    order = dice.permutation(len(result.atoms.numbers))
    positions = (result.atoms.positions @ turn.T + dice.normal(size=3))[order]
    atoms = ConceptualAtoms(numbers=result.atoms.numbers[order], positions=positions)
    return single_point.bind(atoms, result.level)


def new(number: int) -> Call[SinglePoint]:
    """Return a call that no bundle has, of atoms that resemble those of one."""
    result, _ = bundle(number)
    atoms = result.atoms.moved_to(result.atoms.positions * 1.003)
    return single_point.bind(atoms, result.level)


def measure(folder: Path, few: int = FEW, many: int = MANY, times: int = TIMES) -> Iterator[Figure]:
    """Fill two stores, and ask an executor on each for the same calls in turn."""
    with (
        open_store(str(folder / "few")) as small,
        open_store(str(folder / "many")) as large,
        asyncio.Runner() as runner,
        ExitStack() as stack,
    ):
        say(f"engine: storing {few:,} and {many:,} calculations, about two minutes…")
        small.insert(quads(0, few))
        fill(large, many)
        say("engine: looking them up…")
        executors = [Executor(at_work(store)) for store in (small, large)]
        for executor in executors:
            stack.callback(executor.close)

        def hit(executor: Executor, call: Call[SinglePoint]) -> None:
            assert runner.run(executor.run(call)).reused

        def miss(executor: Executor, call: Call[SinglePoint]) -> None:
            assert executor.recall(call) is None

        def ping(store: Store) -> None:
            store.query("ASK {}")

        for name, make, ask, limit in (
            ("cache hit", known, hit, LIMIT),
            ("hit of a moved copy", moved, hit, None),
            ("not remembered", new, miss, None),
        ):
            # others each time, and in each store objects of its own: what a session still holds of
            # the last ones is not asked for
            chosen = random.Random(name).sample(range(few), WARM + times)
            few_calls, many_calls = ([make(number) for number in chosen] for _ in executors)
            in_turn(
                WARM,
                lambda i: ask(executors[0], few_calls[times + i]),  # noqa: B023
                lambda i: ask(executors[1], many_calls[times + i]),  # noqa: B023
            )
            less, more, least = in_turn(
                times,
                lambda i: ask(executors[0], few_calls[i]),  # noqa: B023
                lambda i: ask(executors[1], many_calls[i]),  # noqa: B023
                lambda _: ping(large),
            )
            yield below(f"{name}, of {few:,}", less, limit, "ms", "empty query", least)
            yield below(f"{name}, of {many:,}", more, limit, "ms", f"of {few:,}", less)
