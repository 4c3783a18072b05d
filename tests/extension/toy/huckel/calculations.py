"""What is computed, remembered and recorded."""

from __future__ import annotations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.engine import Backend, calculation

from .model import Huckel, HuckelEnergy, HuckelResolution, PiBonds, PiOrbitals, Skeleton

NUMPY = Backend(name="NumPy", epoch="1", preload=("numpy",), packages=("numpy", "huckel"))

HARTREE = 27.211386245981
"""eV (CODATA 2022)."""

LONGEST = 1.6
"""Å. Carbon atoms that are closer are bonded."""


def occupied(neighbours: Floats, resonance: float) -> tuple[Floats, Floats, Floats]:
    """Return orbital energies in eV, orbitals in columns, and electrons in each."""
    energies, orbitals = np.linalg.eigh(-resonance * neighbours)
    places = np.arange(len(energies), dtype=np.float64)
    return energies, orbitals, np.clip(len(energies) - 2 * places, 0, 2)


def neighbours_of(skeleton: Skeleton) -> Floats:
    """Return 1 for each pair of bonded atoms, else 0."""
    found = np.eye(skeleton.carbons, k=1)
    if skeleton.ring:
        found[0, -1] = 1.0
    return found + found.T


@calculation("huckel.orbitals", version="1", backend=NUMPY)
def orbitals(skeleton: Skeleton, level: Huckel) -> PiOrbitals:
    """Find the pi orbitals."""
    energies, _, electrons = occupied(neighbours_of(skeleton), level.resonance)
    full, empty = energies[electrons > 0], energies[electrons < 2]
    return PiOrbitals(
        skeleton=skeleton, level=level, energy=float(electrons @ energies),
        gap=float(max(empty[0] - full[-1], 0.0)), orbitals=energies,
    )  # fmt: skip


@calculation("huckel.bonds", version="1", backend=NUMPY)
def bonds(skeleton: Skeleton, level: Huckel) -> PiBonds:
    """Find the orders of the pi bonds."""
    _, columns, electrons = occupied(neighbours_of(skeleton), level.resonance)
    density = (columns * electrons) @ columns.T
    orders = np.append(np.diagonal(density, 1), density[0, -1] if skeleton.ring else [])
    return PiBonds(skeleton=skeleton, level=level, orders=orders)


@calculation("huckel.energy", version="1", backend=NUMPY)
def energy(atoms: ConceptualAtoms, level: Huckel) -> HuckelEnergy:
    """Find the energy of the pi electrons of a molecule."""
    carbons = atoms.positions[atoms.numbers == 6]
    if len(carbons) < 2:
        raise InputError(
            f"the pi electrons of {atoms.formula} were asked for",
            "it has no two carbon atoms",
            "give a conjugated hydrocarbon",
        )
    apart = np.linalg.norm(carbons[:, None] - carbons[None], axis=2)
    near = ((apart > 0) & (apart < LONGEST)).astype(float)
    energies, _, electrons = occupied(near, level.resonance)
    return HuckelEnergy(atoms=atoms, level=level, energy=float(electrons @ energies) / HARTREE)


@calculation("huckel.resolve", version="1", backend=NUMPY, brief=True, title="level of theory")
def resolve(method: str, resonance: float) -> HuckelResolution:
    """Find the level that is meant."""
    level = Huckel(method="Hückel", resonance=resonance)
    return HuckelResolution(method=method, level=level)
