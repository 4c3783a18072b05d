"""Atoms of a crystal that cannot be there at once, and which of them are kept.

A site that a file says is taken in part stands for atoms that are there in some cells only. Two
such sites nearer to each other than atoms can be are alternatives: one of them is there in each
cell. Files that say nothing of shares hold alternatives too, as a site beside its own image.

What is there more often is kept. Of alternatives that are there equally often as many are kept as
can be there at once, of several such choices the one in which most atoms are bonded to what is kept
already, so that one half of a ring is kept and not a bit of each; then the first. Atoms of one
group of the file that are bonded to each other are kept or left together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import Bond, connectivity, covalent_radii
from ontologies.units import Floats, Integers
from workflows.molecule.cif import EQUAL
from workflows.molecule.cif_sites import WHOLE

from .codes import is_metal

APART = 0.72
"""Sums of covalent radii. No two atoms are nearer: a triple bond has 0.77, a hydrogen seen by
X-rays 0.72."""

CLOSEST = {(8, 8): 1.15, (8, 9): 1.25, (9, 9): 1.3, (7, 9): 1.2}
"""Å, by atomic numbers, where that is too little, as no triple bond is possible. Bonds have 1.21
(O2), 1.36 (FO), 1.41 (F2), 1.32 Å (NF). Source: K. P. Huber, G. Herzberg, Constants of Diatomic
Molecules (1979)."""

UNBONDED = {(8, 8): 1.9, (8, 9): 1.9, (9, 9): 1.9}
"""Å. The same for two sites that are taken in part: two halves of a water, or of a CF3 group, are
met in such places, and no peroxide."""

HYDROGENS = 1.3
"""Å. Two hydrogens of which one is there in part exclude each other if they are nearer: those of a
methyl group have 1.75."""

METALS, FARTHEST, MULTIPLE = 0.95, 2.5, 0.62
"""Sums of covalent radii for two metals that are both there in part: single bonds have 0.95 or more
(Zn–Zn of decamethyldizincocene 2.30 Å) and none is needed beyond 2.5 Å; those of the elements of
groups 5 to 9, which have multiple bonds, have 0.63 and more (Cr–Cr 1.75 Å). From memory of the
literature."""

OFTEN = (23, 24, 25, 26, 27, 41, 42, 43, 44, 45, 73, 74, 75, 76, 77)
"""Metals of groups 5 to 9."""

SEEN = 3.0
"""Å. Atoms that are farther from each other are not looked at."""

SURE, BONDED = 1.0, 1.3
"""Sums of covalent radii. What is nearer than the first, and no alternative, is bonded; what is
farther than the second is not."""

HALF, ALL = 0.5 - 1e-6, 0.95
"""Shares: of what is kept at least; of all parts of one split atom."""

OTHERS = 2.0
"""Å. Atoms of two groups of the file that are there equally often are alternatives if nearer."""

MOST = 4_000
"""Choices among one group of alternatives that are looked at; of more the first that is found."""

HYDROGEN = 1
ENDS = ("first", "second")


@dataclass(frozen=True)
class Listed:
    """The atoms of a cell as a file has them.

    Attributes:
        numbers: atomic numbers.
        shares: how often each is there.
        labels: what the file calls each; images of one site have one label.
        groups: assembly and group of those that are there as often as another group; else empty.
    """

    numbers: Integers
    shares: Floats
    labels: Sequence[str]
    groups: Sequence[str]


@dataclass(frozen=True)
class Near:
    """Pairs of atoms near each other, each pair twice; an image of itself is none.

    Attributes:
        first: one of each pair.
        second: the other.
        lengths: their distances in Å.
    """

    first: Integers
    second: Integers
    lengths: Floats


@dataclass(frozen=True)
class Chosen:
    """Which atoms stay.

    Attributes:
        kept: their numbers, in order.
        left: those that are left out as they exclude others or are there too seldom.
        equal: pairs of whole atoms, images of one site, of which one was left out, with their
            distances in Å.
    """

    kept: tuple[int, ...]
    left: tuple[int, ...]
    equal: tuple[tuple[int, int, float], ...]


Booleans: TypeAlias = NDArray[np.bool_]
Around: TypeAlias = Mapping[int, Collection[int]]
Bonds: TypeAlias = Mapping[int, Mapping[int, float]]


def closest(numbers: Integers, first: Integers, second: Integers) -> Floats:
    """Return how near pairs of atoms can be, in Å."""
    radii = covalent_radii()
    return _raised(
        CLOSEST, numbers, first, second, APART * (radii[numbers[first]] + radii[numbers[second]])
    )


def possible_bonds(atoms: ConceptualAtoms) -> list[Bond]:
    """Return the bonds of a crystal without those of atoms that are nearer than two can be.

    These are alternatives if each such pair is of one element; else the cell may be wrong, and all
    bonds are returned.
    """
    bonds = connectivity(atoms).bonds
    first, second = (np.array([getattr(one, end) for one in bonds], int) for end in ENDS)
    near = np.array([bond.length for bond in bonds]) < closest(atoms.numbers, first, second)
    if (atoms.numbers[first[near]] != atoms.numbers[second[near]]).any():
        return list(bonds)
    return [bond for bond, too_near in zip(bonds, near.tolist(), strict=True) if not too_near]


def _raised(
    table: Mapping[tuple[int, int], float],
    numbers: Integers,
    first: Integers,
    second: Integers,
    limits: Floats,
) -> Floats:
    low = np.minimum(numbers[first], numbers[second])
    high = np.maximum(numbers[first], numbers[second])
    for (one, other), length in table.items():
        limits = np.where((low == one) & (high == other), length, limits)
    return limits


def _limits(listed: Listed, near: Near) -> Floats:
    """Return up to which distance in Å pairs of atoms are alternatives; 0 for two whole ones."""
    numbers, first, second = listed.numbers, near.first, near.second
    radii = covalent_radii()
    limits = closest(numbers, first, second)
    both = (numbers[first] == HYDROGEN) & (numbers[second] == HYDROGEN)
    limits = np.where(both, HYDROGENS, limits)
    part = listed.shares < WHOLE
    raised = _raised(UNBONDED, numbers, first, second, limits)
    metal = np.array([is_metal(int(one)) for one in numbers], bool)
    often = np.isin(numbers, OFTEN)
    share = np.where(often[first] & often[second], MULTIPLE, METALS)
    metals = np.minimum(share * (radii[numbers[first]] + radii[numbers[second]]), FARTHEST)
    raised = np.where(metal[first] & metal[second], metals, raised)
    limits = np.where(part[first] & part[second], raised, limits)
    limits = np.where(part[first] | part[second], limits, 0.0)
    names = [one.rpartition(" ") for one in listed.groups]
    _, assembly = np.unique([one[0] for one in names], return_inverse=True)
    _, group = np.unique(list(listed.groups), return_inverse=True)
    grouped = np.array([bool(one) for one in listed.groups])
    other = (assembly[first] == assembly[second]) & (group[first] != group[second])
    return np.where(grouped[first] & grouped[second] & other, np.maximum(limits, OTHERS), limits)


def choose(listed: Listed, near: Near, among: Booleans) -> Chosen:
    """Return which atoms stay where some exclude each other.

    Args:
        listed: the atoms.
        near: which are near each other, up to `SEEN`.
        among: which of them count.
    """
    shares, (first, second) = listed.shares, (near.first, near.second)
    apart = near.lengths < _limits(listed, near)
    out: dict[int, set[int]] = defaultdict(set)
    for one, other in zip(first[apart].tolist(), second[apart].tolist(), strict=True):
        out[one].add(other)
    equal = _equal(listed, near)
    for one, other, _ in equal:
        out[one].add(other)
        out[other].add(one)
    atoms: list[int] = np.flatnonzero(among).tolist()
    here = {atom for atom in atoms if _is_here(atom, listed, out)}
    bonds = _bonds(listed.numbers, near, apart)
    units = _units(here, listed.groups, out, bonds)
    kept = {atom for atom in here if not out[atom] & here and len(units[atom]) == 1}
    for share in _by_share(here - kept, shares):
        free = {atom for atom in share if not any(out[one] & kept for one in units[atom])}
        for part in _in_order(free, units, out, bonds, kept):
            kept |= _best(part, out, bonds, kept)
    gone = sorted(set(atoms) - kept)
    return Chosen(
        tuple(sorted(kept)),
        tuple(gone),
        tuple((one, other, length) for one, other, length in equal if {one, other} & set(gone)),
    )


def _is_here(atom: int, listed: Listed, out: Around) -> bool:
    """Tell whether an atom is there often enough, alone or with the other parts of a split one."""
    numbers, shares = listed.numbers, listed.shares
    if shares[atom] >= HALF:
        return True
    parts = [one for one in out.get(atom, ()) if numbers[one] == numbers[atom]]
    together = float(shares[atom] + shares[parts].sum())
    return together >= ALL and all(shares[one] <= shares[atom] + EQUAL for one in parts)


def _equal(listed: Listed, near: Near) -> list[tuple[int, int, float]]:
    """Return pairs of whole atoms that are images of one site and nearer than atoms can be.

    None where other whole atoms are too near as well: then the cell may be wrong.
    """
    numbers, labels, first, second = listed.numbers, listed.labels, near.first, near.second
    whole = (listed.shares[first] >= WHOLE) & (listed.shares[second] >= WHOLE)
    both = (numbers[first] == HYDROGEN) & (numbers[second] == HYDROGEN)
    close = near.lengths < closest(numbers, first, second)
    chosen = whole & ~both & close & (first < second)
    rows = (first[chosen].tolist(), second[chosen].tolist(), near.lengths[chosen].tolist())
    found = sorted(zip(*rows, strict=True))
    alike = [(a, b, d) for a, b, d in found if numbers[a] == numbers[b] and labels[a] == labels[b]]
    return alike if len(alike) == len(found) else []


def _bonds(numbers: Integers, near: Near, apart: Booleans) -> dict[int, dict[int, float]]:
    """Return which atoms may be bonded, and how sure that is by their distance, up to 1."""
    first, second, radii = near.first, near.second, covalent_radii()
    relative = near.lengths / (radii[numbers[first]] + radii[numbers[second]])
    sure = np.clip((BONDED - relative) / (BONDED - SURE), 0.0, 1.0).round(3)
    found: dict[int, dict[int, float]] = defaultdict(dict)
    bonded = ~apart & (sure > 0)
    rows = zip(first[bonded].tolist(), second[bonded].tolist(), sure[bonded].tolist(), strict=True)
    for one, other, how in rows:
        found[one][other] = max(how, found[one].get(other, 0.0))
    return found


def _units(
    atoms: Collection[int], groups: Sequence[str], out: Around, bonds: Bonds
) -> dict[int, tuple[int, ...]]:
    """Return of each atom those that are kept or left with it: bonded ones of one group."""
    found: dict[int, tuple[int, ...]] = {}
    for start in sorted(atoms):
        if start in found:
            continue
        members = [start]
        for one in members:  # grows while it is gone through
            for other in sorted(bonds.get(one, ()) if groups[one] else ()):
                if other in atoms and groups[other] == groups[one] and other not in members:
                    members.append(other)
        own = set(members)
        if any(own & set(out.get(one, ())) for one in members):  # its own image, too near
            found |= {one: (one,) for one in members}
        else:
            found |= dict.fromkeys(members, tuple(sorted(members)))
    return found


def _by_share(atoms: Iterable[int], shares: Floats) -> list[set[int]]:
    """Return atoms in groups that are there equally often, the most frequent first."""
    groups: list[set[int]] = []
    last = np.inf
    for atom in sorted(atoms, key=lambda atom: (-shares[atom], atom)):
        if not groups or last - shares[atom] > EQUAL:
            groups.append(set())
            last = float(shares[atom])
        groups[-1].add(atom)
    return groups


def _in_order(
    atoms: set[int],
    units: Mapping[int, tuple[int, ...]],
    out: Around,
    bonds: Bonds,
    kept: set[int],
) -> Iterator[list[tuple[int, ...]]]:
    """Iterate over what hangs together by exclusion: next what is bonded to the last, else first.

    `kept` grows while this goes on.
    """
    parts: list[list[tuple[int, ...]]] = []
    place: dict[int, int] = {}
    for start in sorted(atoms):
        if start in place:
            continue
        members = [units[start]]
        place |= dict.fromkeys(units[start], len(parts))
        for unit in members:  # grows while it is gone through
            for other in sorted({other for one in unit for other in out.get(one, ())}):
                if other in atoms and other not in place:
                    members.append(units[other])
                    place |= dict.fromkeys(units[other], len(parts))
        parts.append(sorted(members))
    done = [False] * len(parts)
    for first in range(len(parts)):
        border = [first]
        while border:
            at = border.pop(0)
            if done[at]:
                continue
            done[at] = True
            yield parts[at]
            new = {one for unit in parts[at] for one in unit} & kept
            ends = {other for one in new for other in bonds.get(one, ())}
            near = {place[one] for one in ends if one in place}
            border = sorted(one for one in near if not done[one]) + border


def _best(
    part: Sequence[tuple[int, ...]], out: Around, bonds: Bonds, kept: Collection[int]
) -> set[int]:
    """Return as many atoms of a group as can be there at once, those that are bonded best."""
    best: tuple[int, float] = (-1, -1.0)
    chosen: frozenset[int] = frozenset()
    rest = [sum(map(len, part[at:])) for at in range(len(part) + 1)]
    looked = 0

    def bound(taken: frozenset[int]) -> float:
        return round(
            sum(
                how * (2 * (other in kept) + (other in taken))
                for one in taken
                for other, how in bonds.get(one, {}).items()
            ),
            3,
        )

    stack: list[tuple[int, frozenset[int]]] = [(0, frozenset())]
    while stack and looked < MOST:
        looked += 1
        at, taken = stack.pop()
        if len(taken) + rest[at] < best[0]:
            continue
        if at == len(part):
            score = len(taken), bound(taken)
            if score > best:
                best, chosen = score, taken
            continue
        stack.append((at + 1, taken))
        if not any(other in taken for one in part[at] for other in out.get(one, ())):
            stack.append((at + 1, taken | frozenset(part[at])))
    return set(chosen)
