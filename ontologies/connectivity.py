"""Who is bonded to whom, judged by distances alone, and what changed between two geometries."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from triplestore.errors import InputError

from .atoms import ConceptualAtoms
from .elements import SYMBOLS
from .units import Floats, Integers

BOND_FACTOR = 1.3
"""Two atoms are bonded up to this many sums of their covalent radii.

The longest ordinary bonds are near it (F2 1.24, N–N of N2O4 1.25, both bridges of B2H6 1.15), the
nearest atoms that are not bonded beyond it (H…H of water 2.4, a strong hydrogen bond 1.5).
"""

CLEAR_CHANGE = 0.1
"""Sums of covalent radii. A length must change by more to count as broken or formed, so that a
long bond that trembles about the limit does not."""

CATIONS = (3, 4, 11, 12, 19, 20, 37, 38, 55, 56, 87, 88)
"""Groups 1 and 2: as ions far smaller than their covalent radii."""

NONMETALS = (1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 33, 34, 35, 52, 53, 85)
"""What they are ions beside."""


@dataclass(frozen=True)
class Bond:
    """Two atoms that are bonded.

    Attributes:
        first: index of the atom that comes first, from 0.
        second: index of the other; the same index where an atom meets its own image.
        length: in Å.
        label: symbols and numbers from 1, such as `C1-H4`.
    """

    first: int
    second: int
    length: float
    label: str


@dataclass(frozen=True)
class Connectivity:
    """The bonds of a structure.

    Attributes:
        bonds: ordered by their atoms; in a crystal one for each image that is met.
        coordination: how many bonds each atom has.
        molecules: indices of the atoms that hang together.
    """

    bonds: tuple[Bond, ...]
    coordination: tuple[int, ...]
    molecules: tuple[tuple[int, ...], ...]

    def neighbours(self, index: int) -> tuple[int, ...]:
        """Return the atoms that one is bonded to."""
        ends = [(b.first, b.second) for b in self.bonds if index in (b.first, b.second)]
        return tuple(sorted(two if one == index else one for one, two in ends))


@dataclass(frozen=True)
class Changes:
    """What became of the bonds; lengths are those afterwards.

    That bonds change is chemistry, not an error: it is for a result to report.

    Attributes:
        broken: bonded before, and not any more.
        formed: bonded now, and not before.
    """

    broken: tuple[Bond, ...]
    formed: tuple[Bond, ...]

    def __bool__(self) -> bool:
        return bool(self.broken or self.formed)

    def __str__(self) -> str:
        parts = [("broken", self.broken), ("formed", self.formed)]
        said = [f"{what}: {', '.join(b.label for b in bonds)}" for what, bonds in parts if bonds]
        return "; ".join(said) or "all bonds kept"


@functools.cache
def covalent_radii() -> Floats:
    """Return the radii in Å by atomic number (of Mn, Fe and Co those of low spin).

    Source: B. Cordero et al., Dalton Trans. 2008, 2832, as ASE tabulates them.
    """
    from ase.data import covalent_radii as table

    return np.array(table, float)


def connectivity(atoms: ConceptualAtoms, factor: float = BOND_FACTOR) -> Connectivity:
    """Return the bonds of a structure, periodic images included.

    A metal of groups 1 and 2 is not bonded to another metal where a nonmetal is bonded to either:
    then it is an ion.

    Args:
        atoms: the structure.
        factor: the longest bond in sums of covalent radii.
    """
    numbers = atoms.numbers
    first, second, lengths = _pairs(atoms, factor)
    salty, plain = np.isin(numbers, CATIONS), np.isin(numbers, NONMETALS)
    with_nonmetal = np.zeros(len(numbers), bool)
    mixed = plain[first] != plain[second]
    with_nonmetal[first[mixed]] = with_nonmetal[second[mixed]] = True
    metals = ~plain[first] & ~plain[second] & (salty[first] | salty[second])
    ionic = metals & (with_nonmetal[first] | with_nonmetal[second])
    kept = [
        _bond(atoms, int(i), int(j), float(length))
        for i, j, length in zip(first[~ionic], second[~ionic], lengths[~ionic], strict=True)
    ]
    kept.sort(key=lambda bond: (bond.first, bond.second, bond.length))
    ends = Counter(end for bond in kept for end in (bond.first, bond.second))
    coordination = tuple(ends[index] for index in range(len(numbers)))
    return Connectivity(tuple(kept), coordination, _molecules(len(numbers), kept))


def changes(before: ConceptualAtoms, after: ConceptualAtoms) -> Changes:
    """Return the bonds that were broken and formed between two geometries of the same atoms.

    A hydrogen that ends up between two carbons has formed a bond and broken none.

    Raises:
        InputError: not the same atoms in the same order.
    """
    if not np.array_equal(before.numbers, after.numbers):
        raise InputError(
            "the bonds of two geometries were to be compared",
            f"one is of {before.formula}, the other of {after.formula}, or in another order",
            "give two geometries of the same atoms",
        )
    radii = covalent_radii()[before.numbers]

    def lost(one: ConceptualAtoms, other: ConceptualAtoms) -> list[tuple[int, int]]:
        """Return the bonds of one that the other lacks by a clear margin."""
        had, has = (
            Counter((b.first, b.second) for b in connectivity(a).bonds) for a in (one, other)
        )
        found: list[tuple[int, int]] = []
        for pair, count in (had - has).items():
            longer = _distance(other, *pair) - _distance(one, *pair)
            if has[pair] or longer > CLEAR_CHANGE * radii[list(pair)].sum():
                found += [pair] * count
        return found

    def told(pairs: list[tuple[int, int]]) -> tuple[Bond, ...]:
        return tuple(_bond(after, i, j, _distance(after, i, j)) for i, j in sorted(pairs))

    return Changes(told(lost(before, after)), told(lost(after, before)))


def _pairs(atoms: ConceptualAtoms, factor: float) -> tuple[Integers, Integers, Floats]:
    """Return every pair within its limit once: first indices, second ones and distances."""
    reach = factor * covalent_radii()[atoms.numbers]
    if not atoms.is_periodic:
        from scipy.spatial import KDTree

        near: Any = KDTree(atoms.positions).query_pairs(2 * reach.max(), output_type="ndarray")
        first, second = near.T
        lengths = np.linalg.norm(atoms.positions[first] - atoms.positions[second], axis=1)
        bonded = lengths < reach[first] + reach[second]
        return first[bonded], second[bonded], lengths[bonded]
    from ase.neighborlist import neighbor_list

    found: Any = neighbor_list("ijdS", atoms.to_ase(), reach)
    first, second, lengths, images = found
    # A pair is found from both its ends, an atom and its own image from both sides.
    x, y, z = images.T
    sign = np.where(x != 0, x, np.where(y != 0, y, z))
    once = (first < second) | ((first == second) & (sign > 0))
    return first[once], second[once], lengths[once]


def _distance(atoms: ConceptualAtoms, first: int, second: int) -> float:
    """Return the shortest distance, to an image if that is nearer."""
    frame: Any = atoms.to_ase()
    return float(frame.get_distance(first, second, mic=atoms.is_periodic))


def _bond(atoms: ConceptualAtoms, first: int, second: int, length: float) -> Bond:
    one, two = (f"{SYMBOLS[atoms.numbers[index]]}{index + 1}" for index in (first, second))
    return Bond(first, second, length, f"{one}-{two}")


def _molecules(count: int, bonds: list[Bond]) -> tuple[tuple[int, ...], ...]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = ([bond.first for bond in bonds], [bond.second for bond in bonds])
    graph = coo_array((np.ones(len(bonds)), ends), shape=(count, count))
    found: Any = connected_components(graph, directed=False)
    members: dict[int, list[int]] = {}
    for index, label in enumerate(found[1].tolist()):
        members.setdefault(label, []).append(index)
    return tuple(map(tuple, members.values()))
