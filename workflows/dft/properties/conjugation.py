"""Which atoms have π functions, and along which directions, by what surrounds them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.units import Floats

LINEAR = 165.0
"""Degrees from which an atom between two others is taken for one of a straight line."""

FLAT = 350.0
"""Degrees between the three bonds of a planar atom; exactly planar, they are 360."""

NEARLY_FLAT = 328.0
"""Those of one whose lone pair may be conjugated, such as nitrogen in aniline; 320 in ammonia."""

ALONG = 0.5
"""Cosine between neighbouring directions from which they are conjugated."""

BEFORE_NITROGEN = frozenset([5, 6, 13, 14, 31, 32, 50])
NITROGEN, OXYGEN = frozenset([7, 15, 33]), frozenset([8, 16, 34, 52])


def pi_planes(atoms: ConceptualAtoms) -> dict[int, Floats]:
    """Return the directions of the π functions of atoms that have some, shape (1 or 2, 3).

    Unsaturated atoms have them: those of three neighbours in a plane, or of fewer. Lone pairs have
    them beside such an atom, where they point the same way; elsewhere they are not conjugated.
    Two directions span all that is across the axis of a linear part.
    """
    bonds, places = connectivity(atoms), np.asarray(atoms.positions, float)
    around = [bonds.neighbours(n) for n in range(len(atoms.numbers))]
    numbers: list[int] = atoms.numbers.tolist()
    planes: dict[int, Floats] = {}
    for atom, near in enumerate(around):
        ends = any(len(around[one]) == 1 and numbers[one] in NITROGEN | OXYGEN for one in near)
        if _unsaturated(numbers[atom], _angles(places, atom, near), ends):
            planes[atom] = _across(places, atom, near)
    multiple = BEFORE_NITROGEN | NITROGEN | OXYGEN
    for atom, near in enumerate(around):  # at the ends of multiple bonds
        if len(near) != 1 or numbers[atom] == 1:
            continue
        other = near[0]
        if other in planes:
            planes[atom] = planes[other]
        elif len(around[other]) == 1 and {numbers[atom], numbers[other]} <= multiple:
            planes[atom] = _normals(places[atom] - places[other])
    lone = NITROGEN | OXYGEN
    for atom, near in enumerate(around):  # lone pairs beside them
        if atom in planes or numbers[atom] not in lone or not 1 < len(near) < 4:
            continue
        angles = _angles(places, atom, near)
        if len(near) == 3 and sum(angles) < NEARLY_FLAT:
            continue
        own = _across(places, atom, near)
        others = [planes[one] for one in near if one in planes]
        if any(float(np.linalg.norm(other @ own[0])) >= ALONG for other in others):
            planes[atom] = own
    return planes


def _unsaturated(number: int, angles: list[float], ends: bool) -> bool:
    """Return whether an atom of several neighbours has π functions.

    Args:
        number: of its element.
        angles: between its bonds, in degrees: one of two neighbours, three of three.
        ends: whether oxygen or nitrogen is bonded to it alone, as in nitro groups and ozone.
    """
    match len(angles):
        case 1:
            return number in BEFORE_NITROGEN | NITROGEN or (number in OXYGEN and ends)
        case 3:
            flat = sum(angles) >= FLAT
            return flat and (number in BEFORE_NITROGEN or (number in NITROGEN and ends))
        case _:
            return False


def _angles(places: Floats, atom: int, near: tuple[int, ...]) -> list[float]:
    """Return the angles between the bonds of an atom, in degrees."""
    ways = [
        (places[one] - places[atom]) / np.linalg.norm(places[one] - places[atom]) for one in near
    ]
    return [
        float(np.degrees(np.arccos(np.clip(one @ two, -1, 1))))
        for one, two in combinations(ways, 2)
    ]


def _across(places: Floats, atom: int, near: tuple[int, ...]) -> Floats:
    """Return the normal of the plane of an atom and two or three others, or two of an axis."""
    if len(near) == 3:
        return _normal(places[near[1]] - places[near[0]], places[near[2]] - places[near[0]])
    first, second = places[near[0]] - places[atom], places[near[1]] - places[atom]
    if _angles(places, atom, near)[0] >= LINEAR:
        return _normals(first)
    return _normal(first, second)


def _normal(first: Floats, second: Floats) -> Floats:
    """Return the direction across a plane, shape (1, 3)."""
    found = np.array([np.cross(first, second)], float)
    return found / np.linalg.norm(found)


def _normals(axis: Floats) -> Floats:
    """Return two directions across an axis, at right angles to each other, shape (2, 3)."""
    away: Floats = np.eye(3)[int(np.abs(axis).argmin())]
    one = _normal(axis, away)
    return np.concatenate([one, _normal(axis, one[0])])
