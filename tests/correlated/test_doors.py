"""Correlated levels by the verbs `run` and `react`: no door knows of them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedEnergy, CorrelatedOptimisation
from ontologies.factors import HARTREE
from ontologies.quantum import RelaxedGeometry
from ontologies.reactions import ReactionEnergy
from tests.dft.structures import WATER
from triplestore import open_store
from triplestore.errors import InputError, ResourceError
from workflows.correlated.levels import resolve_level
from workflows.dft.request.forms import DFTRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Executor
from workflows.engine.request.cost import Granted, check
from workflows.registry.levels import offered
from workflows.show.blocks import Fact
from workflows.show.object_blocks import blocks_of


def test_an_energy_is_computed_remembered_listed_and_reported(session: Grafico) -> None:
    asked: dict[str, Any] = {"method": "CCSD(T)", "basis": "6-31G"}
    first = session.run("water", **asked)
    assert isinstance(first.last, CorrelatedEnergy)
    assert first.level.label == "CCSD(T)/6-31G (frozen core)"
    assert session.run("water", **asked).reused
    assert session.resume(first.run).reused
    line = next(one for one in session.runs() if one.run == first.run)
    assert "CCSD(T)" in line.level
    page = session.report(first.run)
    assert "T1 diagnostic" in page
    assert "frozen" in page


def test_all_its_parts_are_shown(session: Grafico) -> None:
    found = session.run("water", method="MP2", basis="6-31G").last
    assert isinstance(found, CorrelatedEnergy)
    facts = {one.name: one for one in blocks_of(found).blocks if isinstance(one, Fact)}
    for name in ("reference_energy", "correlation_energy", "same_spin_energy"):
        assert (facts[name].value, facts[name].unit) == (getattr(found, name), "Eh")
    assert "t1_diagnostic" not in facts


def test_a_reaction_takes_its_energies_from_it(session: Grafico) -> None:
    """H2 -> 2 H: two electrons, so that CCSD is exact in the basis; experiment 109.5 kcal/mol."""
    done = session.run(
        "[H][H] -> 2 [H]",
        workflow="reaction",
        method="HF",
        basis="6-31G**",
        task="optimise",
        energy_at="CCSD(T)/cc-pVTZ",
    )
    [found] = done.ran.made
    assert isinstance(found, ReactionEnergy)
    assert "CCSD(T)/cc-pVTZ" in found.level.label
    # K. P. Huber, G. Herzberg (1979): D_e 38,297 1/cm; what cc-pVTZ lacks is 1 kcal/mol
    assert found.energy_change * HARTREE["kcal/mol"] == pytest.approx(109.49, abs=1.2)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"solvent": "water"}, "no solvent"),
        ({"grid": 5}, "no integration grid"),
        ({"states": 3}, "no excited states"),
        ({"analysis": True}, "no analysis of the wavefunction"),
        ({"reference": "restricted open-shell"}, "open shells are unrestricted"),
    ],
)
def test_what_it_has_not_is_refused(session: Grafico, more: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        session.run("water", method="MP2", basis="6-31G", **more)


def test_coupled_cluster_relaxes(session: Grafico) -> None:
    done = session.run("[H][H]", method="CCSD(T)", basis="6-31G", task="optimise")
    assert done.last.level.label == "CCSD(T)/6-31G (frozen core)"
    assert isinstance(done.last, RelaxedGeometry)
    assert done.last.max_gradient < 4.5e-4


def chain(count: int) -> ConceptualAtoms:
    """Hydrogen peroxides beside each other: four atoms each."""
    one = [[0, 0, 0], [1.45, 0, 0], [-0.2, 0.95, 0], [1.65, -0.5, 0.8]]
    places = np.vstack([np.array(one) + np.array([0, 0, 4.0 * step]) for step in range(count)])
    return ConceptualAtoms(numbers=[8, 8, 1, 1] * count, positions=places)


def test_coupled_cluster_of_forty_atoms_is_refused_before_it_starts() -> None:
    async def run() -> None:
        store = open_store("memory:")
        async with aclosing(Executor(KnowledgeGraph(store))) as executor:
            level = resolve_level("CCSD(T)", "cc-pVTZ", "restricted").level
            large = MoleculeCost(chain(10), level, DFTRequest())
            with pytest.raises(ResourceError) as caught:
                check([large], "an energy", executor)
            fitted = resolve_level("DF-MP2", "def2-SVP", "restricted").level
            found = MoleculeCost(chain(10), fitted, DFTRequest()).cost(Granted(), executor)
        store.close()
        assert "40 atoms" in caught.value.found
        assert "the limit is" in caught.value.found
        assert "ask for DF-MP2, or a functional" in caught.value.advice
        assert found is not None
        assert found.seconds < 24 * 3600

    asyncio.run(run())


def test_an_estimate_grows_as_the_method_does() -> None:
    granted, request = Granted(), DFTRequest()

    def seconds(method: str, count: int) -> float:
        level = resolve_level(method, "cc-pVTZ", "restricted").level
        return offered(level).cost(chain(count), level, request, granted).seconds

    grown = {
        method: seconds(method, 8) / seconds(method, 4) for method in ("DF-MP2", "CCSD", "CCSD(T)")
    }
    assert grown["DF-MP2"] < 40  # 2⁵
    assert 40 < grown["CCSD"] < 80  # 2⁶
    assert 90 < grown["CCSD(T)"] < 140  # 2⁷


def test_an_estimate_is_of_the_order_of_what_it_takes() -> None:
    import time

    level = resolve_level("CCSD(T)", "cc-pVTZ", "restricted").level
    found = offered(level).cost(WATER, level, DFTRequest(), Granted())
    call = offered(level).energy(WATER, level)
    started = time.process_time()
    call.calculation(**call.arguments)
    took = time.process_time() - started
    assert found.seconds / 50 < took < found.seconds * 50
    assert "3 atoms, 58 basis functions and 8 correlated electrons" in found.size


def test_optimise_and_frequencies_by_the_same_verb(session: Grafico) -> None:
    asked: dict[str, Any] = {"method": "DF-MP2", "basis": "STO-3G"}
    relaxed = session.run("[H][H]", task="optimise", **asked)
    assert isinstance(relaxed.last, CorrelatedOptimisation)
    done = session.run("[H][H]", task="frequencies", **asked)
    assert done.status == "finished", done.message
    page = session.report(done.run)
    assert "DF-MP2/STO-3G (frozen core)" in page
    assert "zero-point energy" in page


def test_an_estimate_knows_what_gradients_cost() -> None:
    level = resolve_level("DF-MP2", "def2-TZVP", "restricted").level
    program, granted = offered(level), Granted()
    energy, relaxed, vibrating = (
        program.cost(chain(6), level, DFTRequest(task=task), granted)
        for task in ("energy", "optimise", "frequencies")
    )
    assert relaxed.seconds > 10 * energy.seconds
    assert vibrating.seconds > 4 * relaxed.seconds
    assert relaxed.memory > energy.memory
