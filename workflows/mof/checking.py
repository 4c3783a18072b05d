"""What is wrong with a framework or a crystal: atoms too near, bonds too long, no framework."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity, covalent_radii
from ontologies.units import Integers
from workflows.text.words import count

from .assembled import Assembled
from .codes import is_metal

FARTHEST = 3.5
"""Å. Atoms that are farther from each other are not looked at."""

ROOM = 0.45
"""Å. Atoms that are not connected clash if they are nearer than their covalent radii and this."""

STRETCH = 0.25
"""Å. By which a bond between blocks may be off."""

UNEVEN = 0.15
"""Å. By which a bond between blocks may differ from covalent radii: from an aromatic ring to a
carboxylate it is 0.03, to a triple bond 0.09."""


OVERLAP = 0.65
"""Sums of covalent radii. Atoms that are nearer lie on each other: a triple bond has 0.77, a
hydrogen seen by X-rays 0.72."""


def checked(
    atoms: ConceptualAtoms, whole: Assembled, bonded: Integers
) -> tuple[float | None, list[str]]:
    """Return the least distance of atoms of blocks that are not bonded, and what is wrong.

    Atoms over up to three bonds from each other are no neighbours by chance.
    """
    from ase.neighborlist import primitive_neighbor_list

    first, second, lengths = primitive_neighbor_list(
        "ijd", np.array([True] * 3), atoms.cell, atoms.positions, FARTHEST
    )
    radii, members = covalent_radii()[atoms.numbers], np.array(whole.members)
    near = _near(len(members), bonded)
    once = first < second
    first, second, lengths = first[once], second[once], lengths[once]
    apart = members[first] != members[second]
    free = (
        np.array(
            [int(b) not in near[int(a)] for a, b in zip(first, second, strict=True)], bool
        ).reshape(-1)
        & apart
    )
    told: list[str] = []
    closest = round(float(lengths[free].min()), 3) if free.any() else None
    clash = free & (lengths < radii[first] + radii[second] + ROOM)
    if clash.any():
        order = np.lexsort((second[clash], first[clash], np.round(lengths[clash], 3)))
        at = np.flatnonzero(clash)[order[0]]
        one, other = int(first[at]), int(second[at])
        told.append(
            f"{int(clash.sum())} pairs of atoms of blocks that are not connected are too near each "
            f"other, the nearest {atoms.symbols[one]}{one + 1} and {atoms.symbols[other]}"
            f"{other + 1} with {lengths[at]:.2f} Å"
        )
    told += _unmeant(atoms, bonded)
    found: dict[tuple[int, int], float] = {}
    for a, b, length in zip(first.tolist(), second.tolist(), lengths.tolist(), strict=True):
        found[a, b] = min(length, found.get((a, b), FARTHEST))  # of all images
    off: list[float] = []
    usual: list[tuple[float, float]] = []
    for one, other, expected in whole.joints:
        length = found.get((min(one, other), max(one, other)), FARTHEST)
        if length < FARTHEST and not any(is_metal(int(atoms.numbers[a])) for a in (one, other)):
            usual.append((length, float(radii[one] + radii[other])))
        if abs(length - expected) > STRETCH:
            off.append(length)
    if off:
        worst = max(off, key=lambda length: abs(length - 1.5))
        said = f"{worst:.2f} Å" if worst < FARTHEST else f"more than {FARTHEST} Å"
        told.append(
            f"{len(off)} of {len(whole.joints)} bonds between blocks have unreasonable lengths, "
            f"the worst {said}"
        )
    elif usual:
        told += _uneven(usual)
    return closest, told


def _uneven(bonds: list[tuple[float, float]]) -> list[str]:
    """Return what is wrong with bonds between blocks: each as it is, and as covalent radii say."""
    lengths = [length for length, _ in bonds]
    more = [length - sum_of_radii for length, sum_of_radii in bonds]
    if max(map(abs, more)) <= UNEVEN:
        return []
    mean = float(np.mean(more))
    so = f"so that the cell is too {'narrow' if mean < 0 else 'wide'}"
    return [
        f"bonds between blocks are {min(lengths):.2f} to {max(lengths):.2f} Å long, on average "
        f"{abs(mean):.2f} Å {'less' if mean < 0 else 'more'} than covalent radii say: the "
        f"connection points of a block lie unevenly, {so}"
    ]


def _near(count: int, bonded: Integers) -> list[set[int]]:
    """Return of each atom those over up to three bonds."""
    direct = [set[int]() for _ in range(count)]
    for one, other in bonded.tolist():
        direct[one].add(other)
        direct[other].add(one)
    found: list[set[int]] = []
    for atom in range(count):
        reached = {atom}
        for _ in range(3):
            reached |= {other for one in reached for other in direct[one]}
        found.append(reached)
    return found


def _unmeant(atoms: ConceptualAtoms, bonded: Integers) -> list[str]:
    """Return which atoms are as near as bonded ones, and are not: those over three bonds too."""
    meant = {(min(one, other), max(one, other)) for one, other in bonded.tolist()}
    numbers: list[int] = atoms.numbers.tolist()
    found = sorted(
        (round(bond.length, 2), *sorted((bond.first, bond.second)))
        for bond in connectivity(atoms).bonds
        if not (is_metal(numbers[bond.first]) and is_metal(numbers[bond.second]))
    )
    extra = [one for one in found if one[1:] not in meant]
    if not extra:
        return []
    length, one, other = extra[0]
    return [
        f"{count(len(extra), 'pair')} of atoms that are not meant to be bonded are as near as if "
        f"they were, the nearest {atoms.symbols[one]}{one + 1} and {atoms.symbols[other]}"
        f"{other + 1} with {length:.2f} Å"
    ]


def doubts(atoms: ConceptualAtoms, goes_on: int) -> list[str]:
    """Return why a crystal may not be what is meant to be measured.

    Args:
        atoms: the crystal.
        goes_on: in how many directions its bonds go on.
    """
    from ase.neighborlist import primitive_neighbor_list

    told: list[str] = []
    if not goes_on:
        told.append(
            "nothing in it goes on without end: it consists of separate atoms, molecules or ions, "
            "and its pores are what is left between them"
        )
    radii = covalent_radii()[atoms.numbers]
    first, second, lengths = primitive_neighbor_list(
        "ijd", np.array([True] * 3), atoms.cell, atoms.positions, 2 * OVERLAP * float(radii.max())
    )
    near = (first < second) & (lengths < OVERLAP * (radii[first] + radii[second]))
    if near.any():
        at = int(np.flatnonzero(near)[lengths[near].argmin()])
        one, other = int(first[at]), int(second[at])
        told.append(
            f"{count(int(near.sum()), 'pair')} of atoms nearer to each other than any bond, such "
            f"as {atoms.symbols[one]}{one + 1} and {atoms.symbols[other]}{other + 1} with "
            f"{lengths[at]:.2f} Å: its cell may be wrong, or it is disordered"
        )
    return told
