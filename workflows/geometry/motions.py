"""What moves in a mode of vibration: bonds stretch, angles bend, bonds turn, atoms leave planes.

A mode is a movement of all atoms. It is told in the words of a chemist by what it would cost to
move each bond, angle and dihedral angle by as much as the mode does, with a usual force constant of
each kind: a potential energy distribution in a simple force field. The shares say which motion
leads, no more: none of the mode's own wavenumber goes into them.

Source: Y. Morino, K. Kuchitsu, J. Chem. Phys. 20, 1809 (1952), for the distribution.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity, single_lengths
from ontologies.units import Floats
from workflows.text.words import numbered

STRETCH, BEND, TURN, OUT = 5.0, 0.8, 0.12, 0.4
"""Usual force constants: mdyn/Å of a single bond, and mdyn Å of an angle, of a turn about a bond
and of an angle out of a plane."""

STEP = 1e-4
"""Å that atoms are moved to see how an angle changes."""

LINEAR = 172.0
"""Degrees from which on an angle is straight: it bends in two directions."""

FLAT = 0.2
"""Å that an atom with three neighbours is off their plane at most, where the four are flat."""

SOFTER = 0.3
"""Å by which a bond is shorter for a factor of e in its order (L. Pauling, 1947)."""

WORTH, MOST = 0.15, 2
"""Share from which a motion is named, and how many are."""

MANY = 200
"""Atoms beyond which nothing is told: motions of so many have no short name."""

TOGETHER, AGAINST = 0.9, 0.3
"""In step are bonds whose changes add up to this share of their sizes; against each other below."""


@dataclass(frozen=True)
class Part:
    """A bond, an angle or the like, and how it is called.

    Attributes:
        kind: such as `C=O stretch`.
        where: which one, such as `C1=O2`.
        stiffness: usual force constant, in mdyn/Å or mdyn Å.
        atoms: that belong to it; of a bond its two ends.
        rows: how it changes by each atom, in Å or rad per Å, shape (ways, atoms, 3).
    """

    kind: str
    where: str
    stiffness: float
    atoms: tuple[int, ...]
    rows: Floats


def motions(atoms: ConceptualAtoms, modes: Floats) -> tuple[str, ...]:
    """Return what moves in each mode, such as `C=O stretch 92 %`; empty where no bond is known.

    Args:
        atoms: the geometry.
        modes: Cartesian displacements, shape (modes, atoms, 3), of any length.
    """
    if not 2 <= len(atoms.numbers) <= MANY or atoms.is_periodic or not len(modes):
        return ("",) * len(modes)
    parts = list(_parts(atoms))
    if not parts:
        return ("",) * len(modes)
    return tuple(_told(parts, np.asarray(mode, float)) for mode in modes)


def _told(parts: list[Part], mode: Floats) -> str:
    """Return the leading motions of a mode with their shares."""
    changes = [np.tensordot(part.rows, mode, axes=((1, 2), (0, 1))) for part in parts]
    costs = [
        part.stiffness * float(change @ change) for part, change in zip(parts, changes, strict=True)
    ]
    whole = sum(costs)
    if not whole > 0.0:
        return ""
    shares: dict[str, float] = defaultdict(float)
    for part, cost in zip(parts, costs, strict=True):
        shares[part.kind] += cost / whole
    ranked = sorted(shares.items(), key=lambda one: -one[1])
    named: list[str] = []
    for kind, share in ranked[:MOST]:
        if share >= WORTH or not named:
            own = [n for n, part in enumerate(parts) if part.kind == kind]
            step = _step([(parts[n], float(changes[n][0]), costs[n]) for n in own])
            best = max(own, key=lambda n: costs[n])
            alone = len(own) > 1 and costs[best] > 0.9 * share * whole
            place = f" of {parts[best].where}" if alone else ""
            named.append(f"{step}{kind}{place} {100 * share:.0f} %")
    return ", ".join(named)


def _step(own: list[tuple[Part, float, float]]) -> str:
    """Return whether bonds of one atom stretch in step or against each other; empty for neither."""
    most = max(cost for _, _, cost in own)
    moved = [(part, change) for part, change, cost in own if cost > 0.05 * most]
    if len(moved) < 2 or not moved[0][0].kind.endswith("stretch"):
        return ""
    if not any(all(atom in part.atoms for part, _ in moved) for atom in moved[0][0].atoms):
        return ""
    share = abs(sum(change for _, change in moved)) / sum(abs(change) for _, change in moved)
    return "symmetric " if share > TOGETHER else "antisymmetric " if share < AGAINST else ""


def _parts(atoms: ConceptualAtoms) -> Iterator[Part]:
    """Iterate over all bonds, angles, turns about bonds and angles out of planes."""
    places, names, kinds = atoms.positions, numbered(atoms.symbols), list(atoms.symbols)
    bonds = [(bond.first, bond.second) for bond in connectivity(atoms).bonds]
    beside: dict[int, list[int]] = defaultdict(list)
    for one, two in bonds:
        beside[one].append(two)
        beside[two].append(one)
    for one, two in bonds:
        order = _order(atoms, one, two)
        sign = "≡" if order >= 2.6 else "=" if order >= 1.65 else "–"
        ends = sorted((one, two), key=lambda n: _rank(kinds[n]))
        kind = sign.join(kinds[n] for n in ends) + " stretch"
        where = sign.join(names[n] for n in ends)
        yield Part(kind, where, STRETCH * max(1.0, order), (one, two), _stretch(places, one, two))
    for middle, ends in beside.items():
        for one, two in combinations(ends, 2):
            first, last = sorted((one, two), key=lambda n: _rank(kinds[n]))
            trio = (first, middle, last)
            kind = "–".join(kinds[n] for n in trio) + " bend"
            where = "–".join(names[n] for n in trio)
            yield Part(kind, where, BEND, trio, _bend(places, *trio))
        if len(ends) == 3 and _height(places[[middle, *ends]]) < FLAT:
            kind = f"{kinds[middle]} out of plane"
            yield Part(kind, names[middle], OUT, (middle, *ends), _out(places, middle, ends))
    for one, two in bonds:
        chains = [
            (a, one, two, b)
            for a in beside[one]
            for b in beside[two]
            if len({a, b, one, two}) == 4
            and _turns(places, a, one, two)
            and _turns(places, b, two, one)
        ]
        if chains:
            order = max(1.0, _order(atoms, one, two))
            ends = sorted((one, two), key=lambda n: _rank(kinds[n]))
            rows = np.mean([_torsion(places, *chain) for chain in chains], axis=0)
            kind = "–".join(kinds[n] for n in ends) + " torsion"
            where = "–".join(names[n] for n in ends)
            yield Part(kind, where, TURN * order**2, (one, two), rows)


def _rank(symbol: str) -> tuple[int, str]:
    """Return where an element stands in the name of a bond: carbon first, as in C–H and C=O."""
    return {"C": 0, "H": 2}.get(symbol, 1), symbol


def _order(atoms: ConceptualAtoms, one: int, two: int) -> float:
    """Return about which order a bond has, by its length; bonds of hydrogen are single."""
    numbers = atoms.numbers
    if 1 in (numbers[one], numbers[two]):
        return 1.0
    single = float(single_lengths(numbers[[one]], numbers[[two]])[0])
    length = float(np.linalg.norm(atoms.positions[two] - atoms.positions[one]))
    return float(np.exp((single - length) / SOFTER))


def _stretch(places: Floats, one: int, two: int) -> Floats:
    along = places[two] - places[one]
    along = along / np.linalg.norm(along)
    row = np.zeros((1, *places.shape))
    row[0, one], row[0, two] = -along, along
    return row


def _bend(places: Floats, first: int, middle: int, last: int) -> Floats:
    """Return how an angle changes; a straight one in two directions across it."""
    a, b = places[first] - places[middle], places[last] - places[middle]
    long, other = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    a, b = a / long, b / other
    cosine = float(np.clip(a @ b, -1.0, 1.0))
    if np.degrees(np.arccos(cosine)) > LINEAR:
        across = np.cross(a, np.eye(3)[int(np.abs(a).argmin())])
        across /= np.linalg.norm(across)
        ways = [across, np.cross(a, across)]
        pulls = [(way / long, way / other) for way in ways]
    else:
        sine = np.sqrt(1.0 - cosine**2)
        pulls = [((cosine * a - b) / (long * sine), (cosine * b - a) / (other * sine))]
    rows = np.zeros((len(pulls), *places.shape))
    for n, (one, two) in enumerate(pulls):
        rows[n, first], rows[n, last], rows[n, middle] = one, two, -one - two
    return rows


def _turns(places: Floats, end: int, middle: int, other: int) -> bool:
    """Return whether a dihedral angle is known that begins with these atoms."""
    a, b = places[end] - places[middle], places[other] - places[middle]
    cosine = float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    return abs(cosine) < -np.cos(np.radians(LINEAR))


def _torsion(places: Floats, *chain: int) -> Floats:
    return _slope(places, chain, _dihedral)


def _out(places: Floats, middle: int, ends: list[int]) -> Floats:
    """Return how far an atom leaves the plane of its neighbours, over their mean distance."""
    return _slope(places, (middle, *ends), _leaves)


def _slope(places: Floats, chain: tuple[int, ...], angle: Callable[[Floats], float]) -> Floats:
    """Return how an angle of some atoms changes with the place of each."""
    own, rows = places[list(chain)], np.zeros((1, *places.shape))
    for atom in range(len(chain)):
        for axis in range(3):
            ends: list[float] = []
            for sign in (1.0, -1.0):
                moved = own.copy()
                moved[atom, axis] += sign * STEP
                ends.append(angle(moved))
            change = (ends[0] - ends[1] + np.pi) % (2 * np.pi) - np.pi
            rows[0, chain[atom], axis] = change / (2 * STEP)
    return rows


def _dihedral(four: Floats) -> float:
    a, b, c = np.diff(four, axis=0)
    one, two = np.cross(a, b), np.cross(b, c)
    return float(np.arctan2(np.cross(one, two) @ b / np.linalg.norm(b), one @ two))


def _height(four: Floats) -> float:
    """Return how far the first of four places is off the plane of the others."""
    return abs(_leaves(four)) * _far(four)


def _far(four: Floats) -> float:
    return float(np.linalg.norm(four[1:] - four[0], axis=1).mean())


def _leaves(four: Floats) -> float:
    normal = np.cross(four[2] - four[1], four[3] - four[1])
    return float((four[0] - four[1]) @ normal / np.linalg.norm(normal) / _far(four))
