"""What of a crystal is no framework: molecules in its pores, solvent at its metals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import hill_formula
from ontologies.mof_parts import SolventChoice

from .codes import is_metal
from .pieces import CARBON, HYDROGEN, NITROGEN, Bonds, parts

OXYGEN = 8

OXO = 1.9
"""Å. Oxygen alone that is nearer to its only metal is an oxide, not water without hydrogens."""

BENT = 150.0
"""Degrees at a carbon atom with two neighbours: one with less has a third, a hydrogen."""


@dataclass(frozen=True)
class Sorted:
    """The atoms of a crystal by what they are.

    Attributes:
        framework: those that hang together without end, without what was to be removed.
        guests: molecules in the pores.
        bound: solvent at metals that was to be removed.
    """

    framework: tuple[int, ...]
    guests: tuple[tuple[int, ...], ...]
    bound: tuple[tuple[int, ...], ...]


def sort_atoms(atoms: ConceptualAtoms, bonds: Bonds, choice: SolventChoice) -> Sorted:
    """Return which atoms are framework and which are solvent."""
    numbers: list[int] = atoms.numbers.tolist()
    found = parts(bonds.edges, range(len(numbers)))
    guests = [tuple(members) for net, members in found if not net.dimension]
    framework = {atom for net, members in found if net.dimension for atom in members}
    bound = _bound(atoms, numbers, bonds, framework) if choice == "all" else []
    kept = framework.difference(*bound)
    return Sorted(tuple(sorted(kept)), tuple(guests), tuple(bound))


def _bound(
    atoms: ConceptualAtoms, numbers: Sequence[int], bonds: Bonds, framework: Collection[int]
) -> list[tuple[int, ...]]:
    """Return molecules that hang on one metal by one bond, and are no ions by the look of it."""
    found: list[tuple[int, ...]] = []
    rest = [atom for atom in framework if not is_metal(numbers[atom])]
    cell = np.array(atoms.cell)
    for net, members in parts(bonds.edges, rest):
        holds = [
            (atom, other, step)
            for atom in members
            for other, step in bonds.around[atom]
            if is_metal(numbers[other])
        ]
        if net.dimension or len(holds) != 1 or numbers[holds[0][0]] not in (NITROGEN, OXYGEN):
            continue
        atom, other, step = holds[0]
        kinds = sorted(numbers[member] for member in members)
        if kinds == [OXYGEN]:
            apart = atoms.positions[other] + np.array(step) @ cell - atoms.positions[atom]
            if np.linalg.norm(apart) < OXO:
                continue
        elif kinds == [HYDROGEN, OXYGEN]:
            continue
        found.append(tuple(members))
    return found


def told(numbers: Sequence[int], molecules: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the formulas of molecules, each with how many of it there are."""
    counts = Counter(hill_formula([numbers[atom] for atom in one]) for one in molecules)
    return tuple(f"{many} {name}" for name, many in sorted(counts.items()))


def lacking_hydrogens(atoms: ConceptualAtoms, bonds: Bonds, among: Sequence[int]) -> int:
    """Return how many carbon atoms have too few neighbours for their angles."""
    numbers: list[int] = atoms.numbers.tolist()
    cell = np.array(atoms.cell)
    lacking = 0
    for atom in among:
        if numbers[atom] != CARBON:
            continue
        near = bonds.around[atom]
        if len(near) == 2:
            one, other = (
                atoms.positions[at] + np.array(step) @ cell - atoms.positions[atom]
                for at, step in near
            )
            cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
            lacking += bool(np.degrees(np.arccos(np.clip(cosine, -1, 1))) < BENT)
        elif len(near) == 1:
            lacking += numbers[near[0][0]] == CARBON
    return lacking
