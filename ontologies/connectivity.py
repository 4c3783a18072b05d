"""Who is bonded to whom, judged by positions alone, and what changed between two geometries.

This is the one way in which bonds are found: pictures, fragments, SMILES and what an optimisation
changed all ask `connectivity`. Pairs that are near enough are taken from the relatively shortest to
the longest. One is left out where two bonds lead round to it and the ring of three that it would
close is none: the angle at the atom between is too wide (opposite corners of a ring of four, the
carbon of an acetate and its metal), or the pair too long for its angle (the bridgeheads of
bicyclo[1.1.1]pentane). Charges, multiplicities and valences are not asked.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from triplestore.errors import InputError

from .atoms import ConceptualAtoms
from .elements import SYMBOLS
from .units import Floats, Integers

PERCEPTION = "2"
"""Version of the rule. It is stored beside what was concluded from bonds, and goes up whenever the
bonds of some structure change."""

BOND_FACTOR = 1.3
"""Two atoms may be bonded up to this many times the length of a single bond between them.

The longest bonds are near it (N–N of N2O3 1.28, bridges of B2H6 1.15), the nearest atoms that
are not bonded and share no neighbour beyond it (a strong hydrogen bond 1.5).
"""

LONGER = {
    (1, 1): 0.85,
    (1, 9): 0.92,
    (7, 7): 1.46,
    (7, 8): 1.45,
    (7, 9): 1.40,
    (8, 8): 1.46,
    (8, 9): 1.45,
    (9, 9): 1.42,
}
"""Å. Single bonds that are longer than their covalent radii say, by atomic numbers: lone pairs keep
the two atoms apart (hydrazine, hydrogen peroxide, F2), or one electron holds them (H2+: 1.06).

Source: K. P. Huber, G. Herzberg, Constants of Diatomic Molecules (1979); CRC Handbook of Chemistry
and Physics, 97th ed. (2016), section 9.
"""

ACROSS, ACROSS_METAL = 1.05, 1.03
"""A pair is seen across a ring if it is longer than both bonds of the way round by this factor,
each in lengths of its single bond; with a metal, or where three ways lead round, by the second."""

WIDE, WIDE_METAL = 77.0, 83.0
"""Degrees at the atom between, above which what lies across is not bonded. Rings of three have up
to 72° (between two atoms of carbon on a metal 76°, on a slipped ring 83°), rings of four from 83°
on (an acetate on its metal 88°)."""

STRETCHED = 1.13
"""Longest bond across a narrower angle: 1.09 in difluorodioxirane, 1.05 in [1.1.1]propellane; the
bridgeheads of bicyclo[1.1.1]pentane are 1.23 apart, of its radical 1.17."""

BRIDGEHEADS = 1.075
"""The same where three ways lead round: 1.05 in [1.1.1]propellane, 1.09 in the bicyclopentane with
silicon at its bridgeheads."""

FARTHER = 1.2
"""A metal is not bonded to what is farther by this factor, each in lengths of its single bond, than
the donor between (the carbon of a dithiocarbamate 1.29, a slipped ring 1.11)."""

BRIDGED = 1.03
"""Two metals that share a nonmetal are bonded up to this only: Fe2 under its carbonyls 0.96, but
Al2Me6 1.08. Two borons under a hydrogen are not: three centres share its electrons."""

CLEAR_CHANGE = 0.1
"""Sums of covalent radii. A length must change by more to count as broken or formed, so that a
long bond that trembles about the limit does not."""

FEW = 500
"""Atoms of a molecule up to which all distances are looked at: SciPy takes longer to load."""

CATIONS = (3, 4, 11, 12, 19, 20, 37, 38, 55, 56, 87, 88)
"""Groups 1 and 2: as ions far smaller than their covalent radii."""

NONMETALS = (1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 33, 34, 35, 36, 52, 53, 54, 85, 86)
"""What they are ions beside."""


@dataclass(frozen=True)
class Bond:
    """Two atoms that are bonded.

    Attributes:
        first: index of the atom that comes first, from 0.
        second: index of the other; the same index where an atom meets its own image.
        length: in Å.
        label: symbols and numbers from 1, such as `C1-H4`.
        image: in which image of the cell the other one is; zeros in a molecule.
    """

    first: int
    second: int
    length: float
    label: str
    image: tuple[int, int, int] = (0, 0, 0)


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


def connectivity(atoms: ConceptualAtoms) -> Connectivity:
    """Return the bonds of a structure, periodic images included.

    Ions in contact count as bonded, so NaCl is one pair and its crystal has coordination 6; a
    metal of groups 1 and 2 is not bonded to another metal where a nonmetal is bonded to either.
    What hydrogen bonds, dispersion or charge transfer hold is not bonded.
    """
    numbers = atoms.numbers
    near = _pairs(atoms)
    salty, plain = np.isin(numbers, CATIONS), np.isin(numbers, NONMETALS)
    with_nonmetal = np.zeros(len(numbers), bool)
    first, second = near.first, near.second
    mixed = plain[first] != plain[second]
    with_nonmetal[first[mixed]] = with_nonmetal[second[mixed]] = True
    metals = ~plain[first] & ~plain[second] & (salty[first] | salty[second])
    ionic = metals & (with_nonmetal[first] | with_nonmetal[second])
    kept = [
        _bond(
            atoms,
            int(first[place]),
            int(second[place]),
            float(near.lengths[place]),
            tuple(near.images[place].tolist()),
        )
        for place in _not_across(near, numbers, plain, ionic)
    ]
    kept.sort(key=lambda bond: (bond.first, bond.second, bond.length))
    ends = Counter(end for bond in kept for end in (bond.first, bond.second))
    coordination = tuple(ends[index] for index in range(len(numbers)))
    return Connectivity(tuple(kept), coordination, _molecules(len(numbers), kept))


def single_lengths(first: Integers, second: Integers) -> Floats:
    """Return the lengths of single bonds in Å between atoms of these atomic numbers."""
    radii = covalent_radii()
    lengths: Floats = radii[first] + radii[second]
    low, high = np.minimum(first, second), np.maximum(first, second)
    for (one, other), length in LONGER.items():
        lengths = np.where((low == one) & (high == other), length, lengths)
    return lengths


def nearest_if_unbonded(atoms: ConceptualAtoms) -> float | None:
    """Return the shortest distance in Å where no two atoms are near enough to be bonded.

    None where a bond is possible, for a single atom and for a crystal.
    """
    if len(atoms.numbers) < 2 or atoms.is_periodic or len(_pairs(atoms).first):
        return None
    from scipy.spatial import KDTree

    found: Any = KDTree(atoms.positions).query(atoms.positions, k=2)
    return float(found[0][:, 1].min())


def changes(before: ConceptualAtoms, after: ConceptualAtoms) -> Changes:
    """Return the bonds that were broken and formed between two geometries of the same atoms.

    A hydrogen that ends up between two carbons has formed a bond and broken none.

    Raises:
        InputError: not the same atoms in the same order.
    """
    if not np.array_equal(before.numbers, after.numbers):
        raise InputError(
            "cannot compare the bonds of two geometries",
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


class _Near(NamedTuple):
    """Pairs that are near enough to be bonded, each once.

    Attributes:
        first, second: indices, shape (pairs,).
        lengths: in Å, shape (pairs,).
        relative: in lengths of single bonds, shape (pairs,).
        images: in which image of the cell the second one is, shape (pairs, 3).
    """

    first: Integers
    second: Integers
    lengths: Floats
    relative: Floats
    images: Integers


def _pairs(atoms: ConceptualAtoms) -> _Near:
    """Return every pair within its limit once."""
    numbers = atoms.numbers
    kinds = np.flatnonzero(np.bincount(numbers))  # `np.unique` would import `numpy.ma`
    longest = BOND_FACTOR * single_lengths(kinds[:, None], kinds[None, :])
    if not atoms.is_periodic:
        first, second, lengths = _within(atoms.positions, float(longest.max()))
        images = np.zeros((len(first), 3), int)
    else:
        from ase.neighborlist import neighbor_list

        limits = {
            (int(one), int(other)): float(longest[i, j])
            for i, one in enumerate(kinds)
            for j, other in enumerate(kinds[: i + 1])
        }
        pairs: Any = neighbor_list("ijdS", atoms.to_ase(), limits)
        first, second, lengths, images = pairs
        # A pair is found from both its ends, an atom and its own image from both sides.
        x, y, z = images.T
        sign = np.where(x != 0, x, np.where(y != 0, y, z))
        once = (first < second) | ((first == second) & (sign > 0))
        first, second, lengths, images = (array[once] for array in pairs)
    relative: Floats = lengths / single_lengths(numbers[first], numbers[second])
    bonded = relative < BOND_FACTOR
    return _Near(first[bonded], second[bonded], lengths[bonded], relative[bonded], images[bonded])


def _within(positions: Floats, limit: float) -> tuple[Integers, Integers, Floats]:
    """Return the pairs of points within a distance, each once, and how far they are apart."""
    if len(positions) <= FEW:
        first, second = np.triu_indices(len(positions), 1)
    else:
        from scipy.spatial import KDTree

        found: Any = KDTree(positions).query_pairs(limit, output_type="ndarray")
        first, second = found.T
    lengths: Floats = np.linalg.norm(positions[first] - positions[second], axis=1)
    near = lengths <= limit
    return first[near], second[near], lengths[near]


_Place = tuple[int, tuple[int, int, int]]
"""An atom and the image of the cell in which it is."""


def _not_across(near: _Near, numbers: Integers, plain: Any, never: Any) -> list[int]:
    """Return the pairs that are bonded, by their places in `near`."""
    around: dict[int, dict[_Place, tuple[float, float]]] = {}
    kept: list[int] = []
    metal = ~plain
    # What bridges two metals or borons is to be known before they are looked at.
    later = (metal[near.first] & metal[near.second]) | (
        (numbers[near.first] == 5) & (numbers[near.second] == 5)
    )
    for place in np.lexsort((near.relative, later)).tolist():
        if never[place]:
            continue
        one, other = int(near.first[place]), int(near.second[place])
        image: tuple[int, int, int] = tuple(near.images[place].tolist())
        length, relative = float(near.lengths[place]), float(near.relative[place])
        ways = _ways(around, one, (other, image))
        boron = numbers[one] == numbers[other] == 5
        metals = bool(metal[one] and metal[other])
        with_metal = bool(metal[one] or metal[other])
        wide, across = (WIDE_METAL, ACROSS_METAL) if with_metal else (WIDE, ACROSS)
        stretched = STRETCHED
        if len(ways) > 2 and not with_metal:
            stretched, across = BRIDGEHEADS, ACROSS_METAL
        for between, (left, before), (right, after) in ways:
            if metals and metal[between]:
                continue  # a lattice, a cluster
            cosine = (left**2 + right**2 - length**2) / (2 * left * right)
            angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
            longer = relative / max(before, after)
            far = longer > FARTHER if with_metal else relative > stretched
            if boron and numbers[between] == 1:
                break
            if metals and (relative > BRIDGED or angle > WIDE_METAL):
                break
            if longer > across and (far or angle > wide):
                break
        else:
            if with_metal and _is_round(around, one, (other, image), relative / FARTHER):
                continue
            kept.append(place)
            back = (-image[0], -image[1], -image[2])
            around.setdefault(one, {})[other, image] = length, relative
            around.setdefault(other, {})[one, back] = length, relative
    return kept


def _is_round(
    around: dict[int, dict[_Place, tuple[float, float]]], one: int, goal: _Place, most: float
) -> bool:
    """Tell whether three bonds, each shorter than `most`, lead from an atom to another."""
    other, (x, y, z) = goal
    beside = around.get(other, {})
    for (near, (u, v, w)), (_, first) in around.get(one, {}).items():
        if first > most:
            continue
        for (next_, (r, s, t)), (_, second) in around.get(near, {}).items():
            last = beside.get((next_, (u + r - x, v + s - y, w + t - z)))
            if last is not None and max(second, last[1]) <= most:
                return True
    return False


def _ways(
    around: dict[int, dict[_Place, tuple[float, float]]], one: int, goal: _Place
) -> list[tuple[int, tuple[float, float], tuple[float, float]]]:
    """Return the atoms bonded to both ends, with length and relative length of either bond."""
    other, (x, y, z) = goal
    beside = around.get(other, {})
    found: list[tuple[int, tuple[float, float], tuple[float, float]]] = []
    for (between, (u, v, w)), left in around.get(one, {}).items():
        right = beside.get((between, (u - x, v - y, w - z)))
        if right is not None:
            found.append((between, left, right))
    return found


def _distance(atoms: ConceptualAtoms, first: int, second: int) -> float:
    """Return the shortest distance, to an image if that is nearer."""
    frame: Any = atoms.to_ase()
    return float(frame.get_distance(first, second, mic=atoms.is_periodic))


def _bond(
    atoms: ConceptualAtoms,
    first: int,
    second: int,
    length: float,
    image: tuple[int, int, int] = (0, 0, 0),
) -> Bond:
    one, two = (f"{SYMBOLS[atoms.numbers[index]]}{index + 1}" for index in (first, second))
    return Bond(first, second, length, f"{one}-{two}", image)


def _molecules(count: int, bonds: list[Bond]) -> tuple[tuple[int, ...], ...]:
    """Return the atoms that hang together, each molecule in the order of its atoms."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for bond in bonds:
        beside[bond.first].append(bond.second)
        beside[bond.second].append(bond.first)
    found: list[tuple[int, ...]] = []
    seen = [False] * count
    for start in range(count):
        if seen[start]:
            continue
        seen[start] = True
        members = [start]
        for one in members:  # grows while it is gone through
            for other in beside[one]:
                if not seen[other]:
                    seen[other] = True
                    members.append(other)
        found.append(tuple(sorted(members)))
    return tuple(found)
