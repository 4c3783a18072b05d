"""Lengths, angles and dihedral angles of the bonds that are drawn of a structure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from string import ascii_letters
from typing import TypeAlias

from workflows.show.blocks import Structure

MOST_LENGTHS, MOST_ANGLES = 30, 12
"""Atoms of a structure of which lengths are told, and angles."""

MOST_DIHEDRALS = 30
"""Dihedral angles that are told one by one; of more only one for each bond."""


@dataclass(frozen=True)
class Measure:
    """A kind of measure of a structure.

    Attributes:
        name: what it is called with its unit, such as `bond_lengths_Å`.
        noun: what it is called in a sentence.
        unit: Å or °.
        atoms: how many atoms span it.
    """

    name: str
    noun: str
    unit: str
    atoms: int


MEASURES = (
    Measure("bond_lengths_Å", "bond lengths", "Å", 2),
    Measure("bond_angles_deg", "bond angles", "°", 3),
    Measure("dihedral_angles_deg", "dihedral angles", "°", 4),
)
"""What is told of the shape of a structure."""


def measures(drawn: Structure) -> Mapping[str, dict[str, float]]:
    """Return what is told of the shape of a structure, by the names of `MEASURES`."""
    each = (lengths(drawn), angles(drawn), dihedrals(drawn))
    return {kind.name: some for kind, some in zip(MEASURES, each, strict=True) if some}


def lengths(drawn: Structure) -> dict[str, float]:
    """Return the lengths of bonds in Å by their atoms, counted from 1: `O1-H2`."""
    if len(drawn.symbols) > MOST_LENGTHS:
        return {}
    where = drawn.positions
    return {
        _named(drawn, (i, j)): round(math.dist(where[i], where[j]), 4) for i, j, _ in drawn.bonds
    }


def angles(drawn: Structure) -> dict[str, float]:
    """Return the angles between bonds at an atom in degrees: `H2-O1-H3`."""
    if len(drawn.symbols) > MOST_ANGLES:
        return {}
    return {
        _named(drawn, (i, middle, j)): round(_angle(drawn, i, middle, j), 2)
        for middle, others in sorted(_bonded(drawn).items())
        for i, j in combinations(sorted(others), 2)
    }


def dihedrals(drawn: Structure) -> dict[str, float]:
    """Return the angles between planes about bonds in degrees, −180 to 180: `H3-O1-O2-H4`.

    Seen along the middle bond the far one is turned clockwise by a positive angle (IUPAC). An
    angle of which three atoms lie on a line has no value and is left out. Of small structures all
    are told, else those that end in no hydrogen, one for each bond where these are many.
    """
    if len(drawn.symbols) > MOST_LENGTHS:
        return {}
    bonded, found = _bonded(drawn), dict[tuple[int, ...], float]()
    for i, j in sorted({(min(i, j), max(i, j)) for i, j, _ in drawn.bonds}):
        for first, last in product(sorted(bonded[i]), sorted(bonded[j])):
            if len({first, i, j, last}) == 4:
                value = _dihedral(drawn, (first, i, j, last))
                found |= {} if value is None else {(first, i, j, last): round(value, 2)}

    def ends_in_hydrogen(path: tuple[int, ...]) -> int:
        return sum(drawn.symbols[n] == "H" for n in (path[0], path[3]))

    if len(drawn.symbols) > MOST_ANGLES or len(found) > MOST_DIHEDRALS:
        heavy = {path: value for path, value in found.items() if not ends_in_hydrogen(path)}
        found = heavy or found
    if len(found) > MOST_DIHEDRALS:
        best = {path[1:3]: path for path in sorted(found, key=ends_in_hydrogen, reverse=True)}
        found = {path: found[path] for path in sorted(best.values(), key=lambda one: one[1:3])}
    return {_named(drawn, path): value for path, value in found.items()}


def matching(drawn: Mapping[str, float], part: str) -> dict[str, float]:
    """Return the measures of a structure that a person means by elements or numbers of atoms.

    Args:
        drawn: measures by their atoms, such as `H3-O1-O2-H4`.
        part: `H-O-O-H`, `3-1-2-4` or `H3-O1-O2-H4`, in either order.
    """
    said = re.findall(r"[A-Z][a-z]?\d*|\d+", part)

    def fits(atoms: list[str]) -> bool:
        return len(atoms) == len(said) and all(
            asked in (atom, atom.strip("0123456789"), atom.lstrip(ascii_letters))
            for atom, asked in zip(atoms, said, strict=True)
        )

    split = {name: name.split("-") for name in drawn}
    return {name: drawn[name] for name, one in split.items() if fits(one) or fits(one[::-1])}


def _bonded(drawn: Structure) -> dict[int, list[int]]:
    beside: dict[int, list[int]] = {}
    for i, j, _ in drawn.bonds:
        beside.setdefault(i, []).append(j)
        beside.setdefault(j, []).append(i)
    return beside


def _named(drawn: Structure, atoms: Iterable[int]) -> str:
    return "-".join(_atom(drawn, n) for n in atoms)


def _atom(drawn: Structure, number: int) -> str:
    return f"{drawn.symbols[number]}{number + 1}"


def _angle(drawn: Structure, i: int, middle: int, j: int) -> float:
    at = drawn.positions[middle]
    one, other = ([a - b for a, b in zip(drawn.positions[n], at, strict=True)] for n in (i, j))
    cosine = sum(a * b for a, b in zip(one, other, strict=True))
    return math.degrees(math.acos(max(-1, min(1, cosine / math.hypot(*one) / math.hypot(*other)))))


STRAIGHT = 1e-6
"""Å². The area that two bonds span at least where they lie on no line."""


def _dihedral(drawn: Structure, path: tuple[int, ...]) -> float | None:
    """Return a dihedral angle in degrees; None where it has no value."""
    a, b, c, d = (drawn.positions[n] for n in path)
    one, axis, other = _between(a, b), _between(b, c), _between(c, d)
    first, second = _cross(one, axis), _cross(axis, other)
    if min(math.hypot(*first), math.hypot(*second)) < STRAIGHT:
        return None
    along = math.hypot(*axis) * _dot(one, second)
    return math.degrees(math.atan2(along, _dot(first, second)))


Vector: TypeAlias = "tuple[float, float, float]"


def _between(one: Sequence[float], other: Sequence[float]) -> Vector:
    x, y, z = (b - a for a, b in zip(one, other, strict=True))
    return x, y, z


def _cross(one: Vector, other: Vector) -> Vector:
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x


def _dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
