"""The best superposition of two molecules: a proper rotation, a translation and a numbering.

A frame is put on the centre and two atoms of one molecule, and on every like pair of the other;
each of these rotations is refined by assigning atoms (Hungarian method) and rotating (Kabsch) in
turn. Pairs are like if they could lie within the tolerance: of N atoms, one can be off by no more
than √N times the root mean square distance.

Sources: H. W. Kuhn, Nav. Res. Logist. Q. 2, 83 (1955); W. Kabsch, Acta Cryst. A 32, 922 (1976).
"""

# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

from .units import Floats, Integers

if TYPE_CHECKING:
    from .atoms import ConceptualAtoms

DIRECTIONLESS = 1e-3
"""Å. An atom nearer than this to the centre, or to an axis, gives no direction."""


def superposed(one: ConceptualAtoms, other: ConceptualAtoms, tolerance: float) -> bool:
    """Tell whether a proper rotation, a translation and a numbering lay one molecule on another.

    Args:
        one: a molecule.
        other: a molecule of the same formula.
        tolerance: the root mean square distance allowed, in Å.
    """
    points, moved = (m.positions - m.positions.mean(axis=0) for m in (one, other))
    slack = tolerance * float(np.sqrt(len(points))) + 1e-9
    return any(
        _refined(one.numbers, points, other.numbers, moved, rotation) <= tolerance
        for rotation in _rotations(one.numbers, points, other.numbers, moved, slack)
    )


def _rotations(
    numbers: Integers, one: Floats, other_numbers: Integers, two: Floats, slack: float
) -> Iterator[Floats]:
    """Yield the rotations that lay the second molecule on the first, roughly."""
    far, far_two = np.linalg.norm(one, axis=1), np.linalg.norm(two, axis=1)
    if far.max() < DIRECTIONLESS:
        yield np.eye(3)
        return
    like = (numbers[:, None] == other_numbers) & (np.abs(far[:, None] - far_two) <= slack)
    firsts = np.flatnonzero(far >= 0.5 * far.max())
    first = int(firsts[like[firsts].sum(axis=1).argmin()])
    off = np.linalg.norm(one - np.outer(one @ one[first], one[first]) / far[first] ** 2, axis=1)
    seconds = np.flatnonzero(off >= 0.5 * off.max())
    gaps = np.linalg.norm(one - one[first], axis=1)
    for image in np.flatnonzero(like[first]):
        if off.max() < DIRECTIONLESS:
            yield _frame(one[first], None).T @ _frame(two[image], None)
            continue
        gaps_two = np.linalg.norm(two - two[image], axis=1)
        near = like & (np.abs(gaps[:, None] - gaps_two) <= 1.5 * slack)
        second = int(seconds[near[seconds].sum(axis=1).argmin()])
        for partner in np.flatnonzero(near[second]):
            if partner != image:
                yield _frame(one[first], one[second]).T @ _frame(two[image], two[partner])


def _frame(first: Floats, second: Floats | None) -> Floats:
    """Return a right-handed frame as rows: along `first`, then towards `second`."""
    x = first / max(float(np.linalg.norm(first)), 1e-12)
    guide = np.eye(3)[np.abs(x).argmin()]
    y = guide if second is None else second
    y = y - (y @ x) * x
    if np.linalg.norm(y) < DIRECTIONLESS * 1e-3:
        y = guide - (guide @ x) * x
    y = y / np.linalg.norm(y)
    return np.array([x, y, np.cross(x, y)])


def _refined(
    numbers: Integers, one: Floats, other_numbers: Integers, two: Floats, rotation: Floats
) -> float:
    """Return the distance after assigning and rotating in turn until nothing gets better."""
    best = np.inf
    while True:
        order = _assigned(numbers, one, other_numbers, two @ rotation.T)
        u, _, vt = np.linalg.svd(two[order].T @ one)
        proper = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
        rotation = (u @ proper @ vt).T
        found = float(np.sqrt(((two[order] @ rotation.T - one) ** 2).sum(axis=1).mean()))
        if found > best - 1e-6:
            return min(found, best)
        best = found


def _assigned(numbers: Integers, one: Floats, other_numbers: Integers, moved: Floats) -> Integers:
    """Return the numbering of the second molecule that lies nearest, element by element."""
    order = np.zeros(len(numbers), np.int64)
    for element in np.unique(numbers):
        rows, columns = np.flatnonzero(numbers == element), np.flatnonzero(other_numbers == element)
        costs = ((one[rows, None] - moved[None, columns]) ** 2).sum(axis=2)
        picked_rows, picked = linear_sum_assignment(costs)
        order[rows[picked_rows]] = columns[picked]
    return order
