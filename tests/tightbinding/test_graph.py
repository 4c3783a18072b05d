"""Tight binding through the graph, the executor and the estimate that every level shares."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import numpy as np
import pytest

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.tightbinding import (
    TightBinding,
    TightBindingEnergy,
    TightBindingFrequencies,
    TightBindingOptimisation,
)
from tests.dft.structures import PLANAR_AMMONIA, WATER, rotated
from triplestore import open_store
from workflows.dft.graphs.graph import DFT, start
from workflows.dft.request.forms import PROPERTIES, DFTRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Executor, Finish, run_graph
from workflows.engine.request.cost import TOLD, Granted
from workflows.registry.levels import LevelForm, offered
from workflows.tightbinding.levels import resolve_level
from workflows.tightbinding.request import TightBindingRequest

Ask = Callable[..., Awaitable[Finish]]


def through(work: Callable[[Ask], Awaitable[None]]) -> None:
    """Do something with a graph over a memory store."""

    async def run() -> None:
        store = open_store("memory:")
        async with aclosing(Executor(KnowledgeGraph(store))) as executor:

            async def ask(atoms: ConceptualAtoms, level: TightBinding, task: str) -> Finish:
                request = DFTRequest(task=task)  # pyright: ignore
                state = start(atoms, level, executor, request)
                goal = request.goal()
                return await run_graph(
                    DFT, state, request, goal, executor, subject="it", about=(atoms, level)
                )

            await work(ask)
        store.close()

    asyncio.run(run())


def results(finish: Finish) -> list[type[Any]]:
    return [type(answer.result) for answer in finish.state.answers]


def test_a_geometry_is_known_to_be_stationary_and_never_computed_twice() -> None:
    level = resolve_level("GFN2-xTB", solvent="water").level

    async def work(ask: Ask) -> None:
        first = await ask(WATER, level, "frequencies")
        assert first.status == "finished"
        assert results(first) == [TightBindingOptimisation, TightBindingFrequencies]
        assert first.state.heat.result.zero_point_energy == pytest.approx(0.01968, abs=1e-4)
        turned = rotated(first.state.product, 0.9)
        again = await ask(turned, level, "frequencies")
        assert all(answer.reused for answer in again.state.answers)
        assert results(again)[-1] is TightBindingFrequencies
        gas = await ask(WATER, resolve_level("GFN2-xTB").level, "energy")
        assert results(gas) == [TightBindingEnergy]
        assert not gas.state.answers[0].reused

    through(work)


def test_a_saddle_point_is_left_for_the_minimum_below() -> None:
    async def work(ask: Ask) -> None:
        found = await ask(PLANAR_AMMONIA, resolve_level("GFN2-xTB").level, "frequencies")
        labels = [
            answer.result.stationarity
            for answer in found.state.answers
            if isinstance(answer.result, TightBindingFrequencies)
        ]
        assert labels == ["saddle point", "minimum"]
        assert found.status == "finished"

    through(work)


def test_the_method_decides_which_form_is_filled_in() -> None:
    assert LevelForm.variant({"method": "gfn2"}) is TightBindingRequest
    form = TightBindingRequest(method="gfn1", solvent="MeCN", electronic_temperature=1000.0)
    level = form.resolution(WATER).calculation(**form.resolution(WATER).arguments).level
    assert level.label == "GFN1-xTB in ALPB acetonitrile (1000 K electrons)"
    there = {one.name for one in PROPERTIES if offered(level).place_of(one, type(level))}
    assert there == {"analysis", "dipole"}  # which its energy has already
    assert offered(level).energy(WATER, level).calculation.name == "tightbinding.single_point"


def waters(count: int) -> ConceptualAtoms:
    side = np.arange(12) * 3.1
    places = np.array([[x, y, z] for x in side for y in side for z in side])[:count]
    return ConceptualAtoms(
        numbers=np.tile(WATER.numbers, count),
        positions=(places[:, None] + WATER.positions).reshape(-1, 3),
    )


def test_an_estimate_is_of_the_order_of_what_it_takes(gfn2: TightBinding) -> None:
    program, granted = offered(gfn2), Granted()
    cluster, energy = waters(30), DFTRequest(task="energy")
    found = program.cost(cluster, gfn2, energy, granted)
    started = time.process_time()
    call = program.energy(cluster, gfn2)
    call.calculation(**call.arguments)
    took = time.process_time() - started
    assert found.seconds / 50 < took < found.seconds * 50
    assert "90 atoms and 180 orbitals" in found.size
    whole = program.cost(cluster, gfn2, DFTRequest(task="frequencies"), granted)
    assert whole.seconds > 100 * found.seconds


def test_what_takes_long_is_told_and_what_is_short_is_not(gfn2: TightBinding) -> None:
    async def run() -> None:
        store = open_store("memory:")
        async with aclosing(Executor(KnowledgeGraph(store))) as executor:
            small = MoleculeCost(PLANAR_AMMONIA, gfn2, DFTRequest(task="frequencies"))
            middle = MoleculeCost(waters(10), gfn2, DFTRequest(task="energy"))
            large = MoleculeCost(waters(1000), gfn2, DFTRequest(task="frequencies"))
            assert small.cost(Granted(), executor) is None
            assert middle.cost(Granted(), executor) is None
            found = large.cost(Granted(), executor)
        store.close()
        assert found is not None
        assert found.seconds > 24 * 3600 > TOLD
        assert "3000 atoms" in found.size or "3,000 atoms" in found.size

    asyncio.run(run())
