"""The best superposition of two molecules: a proper rotation, a translation and a numbering.

A frame is put on the centre and two atoms of one molecule, and on every like pair of the other.
Pairs are like if they could lie within the tolerance. This gives no more rotations than there are
pairs of atoms, and for a molecule without like atoms just one.

`aligned` is strict: copies lie upon each other but for the rounding of their coordinates, so each
atom has only one that it can be, and the rotation that fits best follows (Kabsch). `superposed`
forgives more: it assigns atoms (Hungarian method) and rotates in turn. Of N atoms, one can be off
by no more than √N times the root mean square distance.

Sources: H. W. Kuhn, Nav. Res. Logist. Q. 2, 83 (1955); W. Kabsch, Acta Cryst. A 32, 922 (1976).
"""

# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import KDTree

from ogm import Motion

from .units import Floats, Integers

if TYPE_CHECKING:
    from .atoms import ConceptualAtoms

DIRECTIONLESS = 1e-3
"""Å. An atom nearer than this to the centre, or to an axis, gives no direction."""


WORK = 400_000
"""Atoms that are placed before an alignment is given up, or the best so far is taken: 2000
rotations of 200 atoms, a quarter of a second."""

LARGEST = 2000
"""Atoms beyond which only the numbering as it stands is tried."""

BATCH = 64
"""Rotations that are tried at once."""

BESIDE = 0.05
"""Å. An atom of a copy, roughly rotated, is this near to its original: no atoms are nearer to each
other than 0.2 Å, so it is near to no other."""


def aligned(one: ConceptualAtoms, other: ConceptualAtoms, tolerance: float) -> Motion | None:
    """Return the motion that carries a molecule onto its copy, None if it is no copy.

    The numbering as it stands is tried first. Else, of the motions that are possible (several for
    a symmetric molecule), it is the one that leaves the smallest deviation, among those that
    `WORK` allows. Mirror images are no copies, unless a rotation carries one onto the other.

    Args:
        one: the copy.
        other: a molecule of the same formula.
        tolerance: the distance allowed for each atom, in Å.
    """
    points, others = one.positions, other.positions
    if np.array_equal(one.numbers, other.numbers):
        motion = _fitted(points, others, None)
        if motion.deviation <= tolerance:
            return motion
    if len(points) > LARGEST:
        return None
    centred, moved = points - points.mean(axis=0), others - others.mean(axis=0)
    slack = 2 * tolerance + 1e-9  # that of an atom, and that of the centre
    rotations = islice(
        _rotations(one.numbers, centred, other.numbers, moved, slack), WORK // len(points)
    )
    tree: Any = KDTree(moved)
    kinds = np.append(other.numbers, 0)  # of an atom that is not there
    best, smallest = None, tolerance
    while batch := list(islice(rotations, BATCH)):
        orders: Integers = tree.query(centred @ np.array(batch), distance_upper_bound=BESIDE)[1]
        orders = orders[(kinds[orders] == one.numbers).all(axis=1)]
        if len(orders):
            renumbered = moved[orders]
            turned = renumbered @ kabsch(centred, renumbered).swapaxes(-1, -2)
            off = np.linalg.norm(turned - centred, axis=2).max(axis=1)
            if off.min() <= smallest:
                best, smallest = orders[off.argmin()], float(off.min())
    return None if best is None else _fitted(points, others, best)


def _fitted(one: Floats, other: Floats, order: Integers | None) -> Motion:
    """Return the motion that carries one set of points best onto another."""
    renumbered = other if order is None else other[order]
    centre, from_centre = one.mean(axis=0), renumbered.mean(axis=0)
    rotation = kabsch(one - centre, renumbered - from_centre)
    shift = centre - rotation @ from_centre
    off = np.linalg.norm(renumbered @ rotation.T + shift - one, axis=1)
    x, y, z = shift.tolist()
    numbering = None if order is None else tuple(order.tolist())
    rows = tuple(tuple(row) for row in rotation.tolist())
    return Motion((x, y, z), rows, numbering, float(off.max()))


def superposed(one: ConceptualAtoms, other: ConceptualAtoms, tolerance: float) -> bool:
    """Tell whether a proper rotation, a translation and a numbering lay one molecule on another.

    Args:
        one: a molecule.
        other: a molecule of the same formula.
        tolerance: the root mean square distance allowed, in Å.
    """
    numbers = (one.numbers, other.numbers)
    return any(
        off <= tolerance
        for off in deviations(numbers[0], one.positions, numbers[1], other.positions, tolerance)
    )


def deviations(
    kinds: Integers, one: Floats, other_kinds: Integers, other: Floats, tolerance: float
) -> Iterator[float]:
    """Yield root mean square distances, in Å, after superposing one set of points on another.

    Each is the end of one way to begin. That of the best is among them if it is within the
    tolerance.

    Args:
        kinds: of the points; a point is laid on one of its kind.
        one: in Å, shape (points, 3).
        other_kinds: the same of the second set.
        other: as many points.
        tolerance: in Å; the larger, the more ways there are to begin.
    """
    points, moved = one - one.mean(axis=0), other - other.mean(axis=0)
    slack = tolerance * float(np.sqrt(len(points))) + 1e-9
    for rotation in _rotations(kinds, points, other_kinds, moved, slack):
        yield _refined(kinds, points, other_kinds, moved, rotation)


def _rotations(
    numbers: Integers, one: Floats, other_numbers: Integers, two: Floats, slack: float
) -> Iterator[Floats]:
    """Yield the rotations that lay the second molecule on the first, roughly."""
    far, far_two = np.linalg.norm(one, axis=1), np.linalg.norm(two, axis=1)
    if far.max() < DIRECTIONLESS:
        yield np.eye(3)
        return
    like = (numbers[:, None] == other_numbers) & (np.abs(far[:, None] - far_two) <= slack)
    if not like.any(axis=1).all():
        return
    firsts = np.flatnonzero(far >= 0.5 * far.max())
    first = int(firsts[like[firsts].sum(axis=1).argmin()])
    off = np.linalg.norm(one - np.outer(one @ one[first], one[first]) / far[first] ** 2, axis=1)
    if off.max() < DIRECTIONLESS:
        frame = _frame(one[first], None).T
        for image in np.flatnonzero(like[first]):
            yield frame @ _frame(two[image], None)
        return
    # the atom off the axis that has the fewest of its kind, as seen from the first
    gaps = np.linalg.norm(one - one[first], axis=1)
    seconds = np.flatnonzero(off >= 0.5 * off.max())
    kin = (numbers[seconds, None] == numbers) & (np.abs(far[seconds, None] - far) <= slack)
    kin &= np.abs(gaps[seconds, None] - gaps) <= 1.5 * slack
    second = int(seconds[kin.sum(axis=1).argmin()])
    frame = _frame(one[first], one[second]).T
    for image in np.flatnonzero(like[first]):
        gaps_two = np.linalg.norm(two - two[image], axis=1)
        near = like[second] & (np.abs(gaps[second] - gaps_two) <= 1.5 * slack)
        for partner in np.flatnonzero(near):
            if partner != image:
                yield frame @ _frame(two[image], two[partner])


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
        rotation = kabsch(one, two[order])
        rmsd = float(np.sqrt(((two[order] @ rotation.T - one) ** 2).sum(axis=1).mean()))
        if rmsd > best - 1e-6:
            return min(rmsd, best)
        best = rmsd


def kabsch(one: Floats, two: Floats) -> Floats:
    """Return the proper rotations that lay sets of centred points best on the first."""
    u, _, vt = np.linalg.svd(two.swapaxes(-1, -2) @ one)
    u[..., 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return (u @ vt).swapaxes(-1, -2)


def _assigned(numbers: Integers, one: Floats, other_numbers: Integers, moved: Floats) -> Integers:
    """Return the numbering of the second molecule that lies nearest, element by element."""
    order = np.zeros(len(numbers), np.int64)
    for element in np.unique(numbers):
        rows, columns = np.flatnonzero(numbers == element), np.flatnonzero(other_numbers == element)
        costs = ((one[rows, None] - moved[None, columns]) ** 2).sum(axis=2)
        picked_rows, picked = linear_sum_assignment(costs)
        order[rows[picked_rows]] = columns[picked]
    return order
