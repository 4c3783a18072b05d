"""Whether the ground state of a molecule is degenerate in space, and a gas of it gains by that."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from ontologies.units import Floats
from workflows.geometry.symmetry import has_degenerate_species, symmetrised

TOLERANCES = (0.05, 0.15, 0.3, 0.6)
"""Å. How far a geometry may be from a symmetric one: a degenerate state distorts its own."""

STRAIGHT = 0.15
"""Å. The same from a line. A radical that is bent further, such as NO2, has a state of its own."""

EQUAL = 1e-4
"""Eh. Orbitals nearer than this are of one energy, at a geometry that is exactly symmetric."""

FRACTION = 0.03
"""Electrons. An orbital whose occupation is as near to a whole number holds that number."""

NEAR = 1.2 / HARTREE["eV"]
"""Eh. Within this of the orbital of the unpaired electron, an equal pair says that a degenerate
state is near: 0.6 eV in NO3 and 1.0 eV in C2H, where it is known to be, 1.4 eV in NH3+ and 3.8 eV
in CH3, where it is not."""


@dataclass(frozen=True)
class Degeneracy:
    """What the orbitals say of a ground state at the symmetric geometry.

    Attributes:
        group: of the symmetric geometry.
        symmetry_number: of it.
        tolerance: within which the geometry has that group, in Å.
        orbitals: how many of one energy are partly filled, or nearly.
        electrons: how many are in these.
        states: how many states of one energy that makes.
        gap: of these orbitals to that of the unpaired electron, in Eh; 0 where it is among them.
    """

    group: str
    symmetry_number: int
    tolerance: float
    orbitals: int
    electrons: int
    states: int
    gap: float = 0.0


def spatial_degeneracy(atoms: ConceptualAtoms) -> Degeneracy | None:
    """Return why the ground state of an open shell is degenerate in space, or nearly; else None.

    The nearest symmetric geometry is made, and the orbitals of GFN2-xTB are looked at there, whose
    occupation is an average over states, so that it breaks no symmetry.

    Args:
        atoms: a molecule with unpaired electrons.

    Raises:
        GraficoError: GFN2-xTB has no orbitals for it.
    """
    every: list[Degeneracy] = []
    seen: set[str] = set()
    for tolerance in TOLERANCES:
        group, number, points = symmetrised(atoms, tolerance)
        bent = "∞" in group and tolerance > STRAIGHT
        if group in seen or bent or not has_degenerate_species(group):
            continue
        seen.add(group)
        energies, occupations = _orbitals(atoms.model_copy(update={"positions": points}))
        found = _open_set(energies, occupations, atoms.multiplicity - 1)
        if found is not None:
            every.append(Degeneracy(group, number, tolerance, *found))
    return max(every, key=lambda one: (not one.gap, one.states), default=None)


def _orbitals(atoms: ConceptualAtoms) -> tuple[Floats, Floats]:
    """Return energies (Eh) and occupations of the orbitals of GFN2-xTB."""
    from ontologies.tightbinding import TightBinding
    from workflows.tightbinding.hamiltonian import Hamiltonian

    hamiltonian = Hamiltonian(atoms, TightBinding(method="GFN2-xTB"))
    hamiltonian.at(atoms.positions)
    return hamiltonian.orbital_energies, hamiltonian.occupations


def _open_set(
    energies: Floats, occupations: Floats, unpaired: int
) -> tuple[int, int, int, float] | None:
    """Return orbitals, electrons, states and gap of a set that is partly filled, or nearly so."""
    sets = np.split(np.arange(len(energies)), np.flatnonzero(np.diff(energies) > EQUAL) + 1)
    whole = np.abs(occupations - np.round(occupations)) < FRACTION
    for one in sets:
        if len(one) > 1 and not whole[one].any():
            size, electrons = len(one), round(float(occupations[one].sum()))
            above = min(unpaired, electrons, 2 * size - electrons)
            beta = (electrons - above) // 2
            states = math.comb(size, beta) * math.comb(size, electrons - beta)
            if states > 1:
                return size, electrons, states, 0.0
    singly = np.flatnonzero(np.abs(occupations - 1) < 0.5)
    near: list[tuple[float, list[int]]] = []
    for one in sets:
        if len(one) > 1 and singly.size and not np.isin(one, singly).any():
            gap = float(np.abs(energies[one][:, None] - energies[singly]).min())
            near.append((gap, one.tolist()))
    near.append((NEAR, []))
    gap, members = min(near)
    if gap >= NEAR:
        return None
    return len(members), round(float(occupations[members].sum())), len(members), gap
