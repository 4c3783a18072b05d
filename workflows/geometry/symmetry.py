"""The point group of a molecule, and how often it looks the same as it turns."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats, Integers
from triplestore.errors import InputError

_Kind: TypeAlias = tuple[Integers, Any]  # the atoms of an element, and a tree of their places

Shape: TypeAlias = Literal["monatomic", "linear", "nonlinear"]

SYMMETRY_TOLERANCE = 0.05
"""Å. Optimised geometries are symmetric to within 1e-2 Å; at twice this, hydrogen peroxide that is
twisted by 10° counts as planar."""

ROUNDS = 8
"""Of bringing places together that operations of a group carry into each other."""


@dataclass(frozen=True)
class Operation:
    """A rotation, reflection, inversion or rotary reflection that leaves a molecule as it is.

    Attributes:
        places: where each atom goes.
        proper: whether it is a rotation.
        trace: of its matrix.
        deviation: the distance by which the worst atom misses its place, in Å.
    """

    places: tuple[int, ...]
    proper: bool
    trace: float
    deviation: float

    @property
    def name(self) -> tuple[tuple[int, ...], bool]:
        """What tells it from the others; reflection in a molecule's plane moves no atom."""
        return self.places, self.proper

    @property
    def order(self) -> int:
        """After how many times each atom is in its first place."""
        places, times = self.places, 1
        while any(place != atom for atom, place in enumerate(places)):
            places, times = tuple(self.places[place] for place in places), times + 1
        return times


def point_group(atoms: ConceptualAtoms, tolerance: float = SYMMETRY_TOLERANCE) -> str:
    """Return the point group in the Schoenflies notation, `Kh`, `D∞h` and `C∞v` among them.

    Args:
        atoms: a molecule; isotopes are not told apart.
        tolerance: how far an operation may miss an atom, in Å.

    Raises:
        InputError: the structure is periodic.
    """
    return rotor(atoms, tolerance)[0]


def rotor(atoms: ConceptualAtoms, tolerance: float = SYMMETRY_TOLERANCE) -> tuple[str, int, Shape]:
    """Return point group, rotational symmetry number and shape.

    An operation counts if it brings each atom to within the tolerance of an equal one. Where those
    that count form no group, for some are just within it and their products are not, the worst
    are left out until the rest is one. The symmetry number is the number of rotations.

    Args:
        atoms: a molecule; isotopes are not told apart.
        tolerance: how far an operation may miss an atom, in Å.

    Raises:
        InputError: the structure is periodic.
    """
    if atoms.is_periodic:
        raise InputError(
            f"the point group of {atoms.formula} was asked for",
            "it is periodic, and has a space group",
            "give a molecule",
        )
    if len(atoms.numbers) == 1:
        return "Kh", 1, "monatomic"
    centred: Floats = atoms.positions - atoms.numbers @ atoms.positions / atoms.numbers.sum()
    axis: Floats = np.linalg.svd(centred)[2][0]
    along: Floats = centred @ axis
    if np.linalg.norm(centred - np.outer(along, axis), axis=1).max() < tolerance:
        symmetric = _reversible(atoms.numbers, along, tolerance)
        return ("D∞h", 2, "linear") if symmetric else ("C∞v", 1, "linear")
    operations = _group(_operations(atoms.numbers, centred, tolerance))
    return _schoenflies(operations), sum(one.proper for one in operations), "nonlinear"


def _reversible(numbers: Integers, along: Floats, tolerance: float) -> bool:
    order, back = np.argsort(along), np.argsort(-along)
    near = np.abs(along[order] + along[back]).max() < tolerance
    return bool(near and np.array_equal(numbers[order], numbers[back]))


def _operations(numbers: Integers, centred: Floats, tolerance: float) -> list[Operation]:
    """Return the operations within the tolerance.

    One that exists carries two atoms, not in line with the centre, to two others as far from it
    and from each other; each such quartet proposes a rotation and a rotary reflection.
    """
    from scipy.spatial import KDTree

    trees: dict[int, _Kind] = {}
    for number in set(numbers.tolist()):
        members = np.flatnonzero(numbers == number)
        trees[number] = members, KDTree(centred[members])
    radii: Floats = np.linalg.norm(centred, axis=1)
    alike: Any = (numbers[:, None] == numbers) & (np.abs(radii[:, None] - radii) < 2 * tolerance)
    one = int(np.argmin(alike.sum(1) / np.maximum(radii, 1e-9)))
    off: Floats = np.linalg.norm(np.cross(centred, centred[one] / radii[one]), axis=1)
    two = int(np.argmin(alike.sum(1) / np.maximum(off, 1e-9)))
    apart = float(np.linalg.norm(centred[one] - centred[two]))
    frame = _frame(centred[one], centred[two])
    found: dict[tuple[tuple[int, ...], bool], Operation] = {}
    for first in np.flatnonzero(alike[one]):
        for second in np.flatnonzero(alike[two]):
            distance = float(np.linalg.norm(centred[first] - centred[second]))
            if first == second or abs(distance - apart) > 4 * tolerance:
                continue
            other = _frame(centred[first], centred[second])
            for sign in (1.0, -1.0):
                made = _refined(other * [1.0, 1.0, sign] @ frame.T, numbers, centred, trees)
                if made is not None and made.deviation < tolerance:
                    found[made.name] = made
    return list(found.values())


def _frame(one: Floats, two: Floats) -> Floats:
    """Return three orthonormal columns: towards one, in the plane of both, across it."""
    first = one / np.linalg.norm(one)
    across = np.cross(first, two)
    across /= np.linalg.norm(across) or 1.0
    return np.column_stack([first, np.cross(across, first), across])


def _refined(
    matrix: Floats, numbers: Integers, centred: Floats, trees: dict[int, _Kind]
) -> Operation | None:
    """Fit a matrix that brings two atoms to their places to all; None if there are no places."""
    sign = float(np.sign(np.linalg.det(matrix)))
    places = np.empty(len(numbers), int)
    for _ in range(2):
        for members, tree in trees.values():
            moved = centred[members] @ matrix.T
            places[members] = members[tree.query(moved)[1]]
        if len(set(places.tolist())) < len(places):
            return None  # two atoms would go to the same
        matrix = _fitted(centred, centred[places], sign)
    missed = np.linalg.norm(centred @ matrix.T - centred[places], axis=1)
    trace = float(np.trace(matrix))
    return Operation(tuple(places.tolist()), sign > 0, trace, float(missed.max()))


def _fitted(points: Floats, places: Floats, sign: float) -> Floats:
    """Return the orthogonal matrix of that determinant that carries points best onto places."""
    left, _, right = np.linalg.svd(places.T @ points)
    handed = np.sign(np.linalg.det(left) * np.linalg.det(right))
    return left @ np.diag([1.0, 1.0, sign * handed]) @ right


def _group(operations: list[Operation]) -> list[Operation]:
    """Return the best operations, as many as form a group."""
    best = sorted(operations, key=lambda one: one.deviation)
    while not _closed(best):
        worst = best[-1].deviation
        best = [one for one in best if one.deviation < worst - 1e-6]
    return best


def _closed(operations: list[Operation]) -> bool:
    names = {one.name for one in operations}
    tables = np.array([one.places for one in operations])
    return all(
        (tuple(row), two.proper == one.proper) in names
        for two in operations
        for one, row in zip(operations, tables[:, list(two.places)].tolist(), strict=True)
    )


def _schoenflies(operations: list[Operation]) -> str:
    """Name a finite point group: the counts of its operations tell it from all others."""
    rotations = [one for one in operations if one.proper]
    count, n = len(rotations), max(one.order for one in rotations)
    chiral = count == len(operations)
    involutions = [one for one in operations if not one.proper and one.order <= 2]
    mirrors = sum(one.trace > -1.0 for one in involutions)  # of a mirror 1, of the inversion -3
    inversion = len(involutions) > mirrors
    match (count, n):
        case (12, 3):
            return "T" if chiral else "Th" if inversion else "Td"
        case (24, 4):
            return "O" if chiral else "Oh"
        case (60, 5):
            return "I" if chiral else "Ih"
        case (1, _):
            return "C1" if chiral else "Ci" if inversion else "Cs"
        case _ if count == n:
            return f"C{n}" if chiral else f"S{2 * n}" if not mirrors else f"C{n}{'hv'[mirrors > 1]}"
        case _:
            return f"D{n}" if chiral else f"D{n}{'hd'[mirrors == n]}"


def symmetrised(atoms: ConceptualAtoms, tolerance: float) -> tuple[str, int, Floats]:
    """Return the point group within a tolerance, its symmetry number, and the nearest such places.

    Args:
        atoms: a molecule of two atoms or more.
        tolerance: how far an operation may miss an atom, in Å.

    Returns:
        Group and number as of `rotor`; positions in Å that have the group, shape (atoms, 3).

    Raises:
        InputError: the structure is periodic.
    """
    name, number, shape = rotor(atoms, tolerance)
    points: Floats = atoms.positions - atoms.numbers @ atoms.positions / atoms.numbers.sum()
    if shape != "nonlinear":
        axis: Floats = np.linalg.svd(points)[2][0]
        along: Floats = points @ axis
        if name == "D∞h":
            order, back = np.argsort(along), np.argsort(-along)
            halves = (along[order] - along[back]) / 2
            along = halves[np.argsort(order)]
        return name, number, along[:, None] * axis
    operations = _group(_operations(atoms.numbers, points, tolerance))
    for _ in range(ROUNDS):
        moved = np.zeros_like(points)
        for one in operations:
            places = list(one.places)
            matrix = _fitted(points, points[places], 1.0 if one.proper else -1.0)
            moved[places] += points @ matrix.T
        points = moved / len(operations)
    return name, number, points


def has_degenerate_species(group: str) -> bool:
    """Tell whether states of a point group can be degenerate in space.

    Args:
        group: in the Schoenflies notation.
    """
    if group[0] in "TOIK" or "∞" in group:
        return True
    order = int("".join(filter(str.isdigit, group)) or 1)
    return order > 2 or (group[0] == "D" and group.endswith("d"))
