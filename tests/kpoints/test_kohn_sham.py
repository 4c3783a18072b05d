"""Functionals of crystals: forces and stress against differences, a molecule far from others."""

from __future__ import annotations

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import GIGAPASCAL
from ontologies.factors import BOHR
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.crystal.surface import cell_of
from workflows.kpoints.crystal import PeriodicMeanField
from workflows.kpoints.levels import resolve_level

CELL = np.diag([3.0, 3.2, 3.6])


def hydrogen(cell: Floats, places: list[list[float]]) -> ConceptualAtoms:
    return ConceptualAtoms(numbers=[1, 1], positions=places, cell=cell, periodic=[True, True, True])


def test_forces_and_stress_are_the_derivatives_of_the_energy() -> None:
    atoms = hydrogen(CELL, [[0.1, 0.2, 0.1], [0.25, 0.1, 0.95]])
    level = resolve_level("GTH-PBE", "gth-szv", (1, 1, 2), 60.0).level
    surface = PeriodicMeanField(atoms, level)
    here, step = surface.at(atoms.positions, CELL), 2e-3
    assert here.stress is not None

    def energy(shift: Floats, strain: Floats) -> float:
        way = np.eye(3) + strain
        return surface.at((atoms.positions + shift) @ way, CELL @ way).energy

    shift, still = np.zeros((2, 3)), np.zeros((2, 3))
    shift[1, 2] = step
    slope = (energy(shift, np.zeros((3, 3))) - energy(-shift, np.zeros((3, 3)))) / (2 * step)
    assert slope * BOHR == pytest.approx(here.gradient[1, 2], abs=2e-5)
    strain = np.zeros((3, 3))
    strain[2, 2] = step
    slope = (energy(still, strain) - energy(still, -strain)) / (2 * step)
    volume = abs(np.linalg.det(cell_of(atoms))) / BOHR**3
    assert slope / volume * GIGAPASCAL == pytest.approx(here.stress[2, 2] * GIGAPASCAL, abs=0.01)


def test_a_molecule_far_from_its_images_has_its_own_energy() -> None:
    """PySCF's molecules have other integrals: no grid of plane waves, no Fourier transforms."""
    from pyscf import dft, gto

    places = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.75]]
    atoms = hydrogen(np.eye(3) * 8, places)
    level = resolve_level("GTH-LDA", "gth-dzvp", (1, 1, 1), 80.0).level
    boxed = PeriodicMeanField(atoms, level).at(atoms.positions, np.eye(3) * 8)
    mol = gto.M(
        atom=[("H", place) for place in places], basis="gth-dzvp", pseudo="gth-pade", verbose=0
    )
    alone = dft.RKS(mol)
    alone.xc = "lda,vwn"
    assert boxed.energy == pytest.approx(alone.kernel(), abs=1e-3)
    assert boxed.stress == pytest.approx(np.zeros((3, 3)), abs=1e-4)


@pytest.mark.parametrize(
    ("method", "basis", "told"),
    [
        ("GTH-PBE", "def2-SVP", "all-electron sets do not exist"),
        ("GTH-B3LYP", "gth-dzvp", "GTH-PBE"),
    ],
)
def test_other_sets_and_functionals_are_refused(method: str, basis: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve_level(method, basis, (1, 1, 1), 100.0)
    assert told in str(caught.value)
