"""Relaxed geometries and vibrations by tight binding."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase.build import molecule

from evals.validation.xtb import Job
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from ontologies.tightbinding import TightBinding
from tests.conftest import Need
from tests.dft.structures import CARBON_DIOXIDE, PLANAR_AMMONIA, WATER, rotated, single
from triplestore import open_store
from triplestore.errors import InputError, NotConvergedError
from workflows.engine import Executor
from workflows.engine.execution.context import Context, inside
from workflows.geometry import harmonic
from workflows.geometry.constraints import measured
from workflows.tightbinding.calculations import frequencies, optimise
from workflows.tightbinding.levels import resolve_level


def known(name: str) -> ConceptualAtoms:
    found = molecule(name)
    return ConceptualAtoms(numbers=found.numbers, positions=found.positions)


def level(method: str = "GFN2-xTB", **more: Any) -> TightBinding:
    return resolve_level(method, **more).level


@pytest.mark.parametrize("method", ["GFN1-xTB", "GFN2-xTB"])
@pytest.mark.parametrize("name", ["CH3CH2OH", "C6H6", "NH3"])
def test_xtb_finds_the_same_vibrations(method: str, name: str, need: Need) -> None:
    need("xtb")
    relaxed = optimise(known(name), level(method), convergence="very tight")
    ours = frequencies(relaxed.atoms, relaxed.level)
    theirs = Job(relaxed.atoms, method, task="--hess").run()
    assert ours.stationarity == "minimum"
    assert ours.wavenumbers == pytest.approx(theirs["wavenumbers"], abs=0.2)
    assert ours.infrared == pytest.approx(theirs["infrared"], rel=0.01, abs=0.3)


def test_wavenumbers_in_a_solvent_are_curvatures_of_the_energy() -> None:
    """The surface in a solvent is a grid: the softest mode is seen in the energies themselves."""
    from workflows.tightbinding.hamiltonian import Hamiltonian

    relaxed = optimise(known("CH3OH"), level(solvent="water"), convergence="very tight")
    found = frequencies(relaxed.atoms, relaxed.level)
    hamiltonian, step = Hamiltonian(relaxed.atoms, relaxed.level), 0.02
    middle, *sides = (
        hamiltonian.at(relaxed.atoms.positions + side * step * 0.529177210544 * found.modes[0])[0]
        for side in (0, 1, -1)
    )
    stiffness = (sum(sides) - 2 * middle) / step**2
    wave = np.sqrt(stiffness / (found.reduced_masses[0] * 1822.888486)) * 219474.63
    assert found.wavenumbers[0] == pytest.approx(wave, abs=3)


def test_relaxed_water_and_what_is_said_of_it(gfn2: TightBinding) -> None:
    found = optimise(WATER, gfn2, convergence="tight")
    assert measured(found.atoms.positions, [0, 1]) == pytest.approx(0.9590, abs=5e-4)
    assert measured(found.atoms.positions, [1, 0, 2]) == pytest.approx(107.17, abs=0.1)
    assert found.energies[-1] == found.energy
    assert found.max_gradient < 1.5e-5 * 3**0.5
    assert (found.initial, found.path, found.remarks) == (WATER, ("TRIC",), ())
    assert found.level == gfn2


def test_planar_ammonia_is_a_saddle_point_with_one_way_down(gfn2: TightBinding) -> None:
    flat = optimise(PLANAR_AMMONIA, gfn2)
    found = frequencies(flat.atoms, gfn2)
    assert (found.stationarity, found.imaginary) == ("saddle point", 1)
    assert frequencies(WATER, gfn2).stationarity == "not stationary"


def test_vibrations_of_a_turned_molecule_are_the_same(gfn2: TightBinding) -> None:
    relaxed = optimise(WATER, gfn2, convergence="very tight").atoms
    here, there = (frequencies(one, gfn2) for one in (relaxed, rotated(relaxed, 0.7)))
    assert there.wavenumbers == pytest.approx(here.wavenumbers, abs=0.1)
    assert there.infrared == pytest.approx(here.infrared, abs=0.05)


def test_a_linear_molecule_has_one_mode_more(gfn2: TightBinding) -> None:
    assert len(frequencies(optimise(CARBON_DIOXIDE, gfn2).atoms, gfn2).wavenumbers) == 4


def test_an_atom_has_nothing_to_relax_and_no_modes(gfn2: TightBinding) -> None:
    neon = single(10)
    found, waves = optimise(neon, gfn2), frequencies(neon, gfn2)
    assert (found.steps, found.criteria, found.energy) == (0, "a single atom", waves.energy)
    assert (len(waves.wavenumbers), waves.stationarity) == (0, "minimum")


def test_constraints_are_held(gfn2: TightBinding) -> None:
    held = GeometryConstraints(
        distance_atoms=np.array([[0, 1]]), distances=np.array([1.1]), frozen=np.array([2])
    )
    found = optimise(WATER, gfn2, constraints=held)
    assert measured(found.atoms.positions, [0, 1]) == pytest.approx(1.1, abs=1e-3)
    assert found.atoms.positions[2] == pytest.approx(WATER.positions[2], abs=1e-6)
    assert found.constraints == held
    with pytest.raises(InputError, match="very tight"):
        optimise(WATER, gfn2, convergence="sloppy")  # pyright: ignore


def test_a_bond_that_breaks_is_told(gfn2: TightBinding) -> None:
    apart = ConceptualAtoms(numbers=np.array([2, 2]), positions=np.array([[0, 0, 0], [0, 0, 0.7]]))
    found = optimise(apart, gfn2)
    assert found.bonds_broken is not None
    assert any("fell apart" in remark for remark in found.remarks)


def test_what_was_cut_off_goes_on(gfn2: TightBinding, tmp_path: Path) -> None:
    ethanol = known("CH3CH2OH")
    whole = optimise(ethanol, gfn2)
    with inside(Context(folder=tmp_path)):
        with pytest.raises(NotConvergedError, match="2 steps were made"):
            optimise(ethanol, gfn2, 2)
        again = optimise(ethanol, gfn2)
    assert again.steps > 2
    assert again.energy == pytest.approx(whole.energy, abs=2e-6)
    frames = (tmp_path / "frames.jsonl").read_text().splitlines()
    assert sum('"optimise"' in line for line in frames) >= again.steps


def test_vibrations_that_were_cut_off_go_on(
    gfn2: TightBinding, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    atoms = optimise(WATER, gfn2).atoms
    whole = frequencies(atoms, gfn2)
    save, saved = harmonic.save, list[int]()

    def cut_off(path: Path, kept: Any) -> None:
        save(path, kept)
        saved.append(kept["done"])
        if len(saved) == 2:
            raise KeyboardInterrupt

    with inside(Context(folder=tmp_path)):
        with monkeypatch.context() as patch:
            patch.setattr(harmonic, "save", cut_off)
            with pytest.raises(KeyboardInterrupt):
                frequencies(atoms, gfn2)
        (tmp_path / "frames.jsonl").unlink()
        again = frequencies(atoms, gfn2)
    frames = (tmp_path / "frames.jsonl").read_text().splitlines()
    assert saved == [6, 12]
    assert sum('"displacement"' in line for line in frames) == 1
    assert again.wavenumbers == pytest.approx(whole.wavenumbers, abs=1e-3)


def test_through_an_executor_it_is_remembered_for_a_turned_copy(gfn2: TightBinding) -> None:
    async def run() -> None:
        kg = KnowledgeGraph(open_store("memory:"))
        async with aclosing(Executor(kg)) as executor:
            relaxed = (await executor.run(optimise.bind(WATER, gfn2))).result.atoms
            first = await executor.run(frequencies.bind(relaxed, gfn2))
            turned = rotated(relaxed, 1.1)
            second = await executor.run(frequencies.bind(turned, gfn2))
            stored = kg.pull(type(first.result), first.recorded)
        kg.store.close()
        assert (first.reused, second.reused) == (False, True)
        assert second.result.atoms.positions == pytest.approx(turned.positions, abs=1e-9)
        straight = frequencies(turned, gfn2)
        assert second.result.dipole == pytest.approx(straight.dipole, abs=1e-3)
        assert np.abs(second.result.modes[0]) == pytest.approx(np.abs(straight.modes[0]), abs=1e-3)
        assert stored == first.result

    asyncio.run(run())
