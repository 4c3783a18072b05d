"""How the connections of a building block lie on the directions that a vertex asks for."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ontologies.mofs import BlockGeometry
from ontologies.units import Floats

NEAR = 0.6
"""Radians. Pairs of connections whose angle differs more from that of two directions are not
tried on them."""

ALIKE = 0.03
"""Ways of lying whose RMSD differs by less are equally good: library files have four decimals."""


@dataclass(frozen=True)
class Lying:
    """A way in which a block lies on a vertex.

    Attributes:
        order: which connection of the block points in each direction.
        rmsd: of unit vectors.
        mirrored: whether it is the mirror image of the block.
    """

    order: tuple[int, ...]
    rmsd: float
    mirrored: bool = False


def units(vectors: Floats) -> Floats:
    """Return vectors of length 1."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def arms_of(block: BlockGeometry) -> Floats:
    """Return the connection points of a block, seen from their centre."""
    points = block.connection_points
    return points - points.mean(axis=0)


def rotation(given: Floats, wanted: Floats) -> Floats:
    """Return the proper rotation that brings vectors nearest to others: `given @ rotation.T`."""
    left, _, right = np.linalg.svd(wanted.T @ given)
    sign = 1.0 if np.linalg.det(left @ right) > 0 else -1.0
    return left @ np.diag([1.0, 1.0, sign]) @ right


def ways_of_lying(block: Floats, wanted: Floats) -> list[Lying]:
    """Return the ways in which a block lies best on directions, all that are equally good.

    A pair of its connections is put on two directions, the others go to what is nearest, and all
    are turned to fit best. Mirror images count only where they fit better.

    Args:
        block: its connection points seen from their centre.
        wanted: as many directions.
    """
    found = _lying(block, wanted, mirrored=False)
    best = min((one.rmsd for one in found), default=math.inf)
    if best > ALIKE:
        other = _lying(-block, wanted, mirrored=True)
        if other and min(one.rmsd for one in other) < best - ALIKE:
            found = other
            best = min(one.rmsd for one in found)
    return sorted((one for one in found if one.rmsd < best + ALIKE), key=lambda one: one.order)


def _lying(block: Floats, wanted: Floats, *, mirrored: bool) -> list[Lying]:
    from scipy.optimize import linear_sum_assignment

    given, asked = units(block), units(wanted)
    if len(given) == 2:
        return [
            Lying(order, _rmsd(given[list(order)], asked), mirrored) for order in ((0, 1), (1, 0))
        ]
    beside = np.round(np.abs(asked @ asked[0]), 3)
    second = int(beside.argmin())
    angle = math.acos(np.clip(asked[0] @ asked[second], -1, 1))
    frame = _frame(asked[0], asked[second])
    found: dict[tuple[int, ...], Lying] = {}
    for one in range(len(given)):
        for other in range(len(given)):
            between = float(np.clip(given[one] @ given[other], -1, 1))
            if one == other or abs(between) > 0.999 or abs(math.acos(between) - angle) > NEAR:
                continue
            turned = given @ (frame.T @ _frame(given[one], given[other])).T
            _, columns = linear_sum_assignment(np.round(1 - asked @ turned.T, 6))
            order = tuple(int(column) for column in columns)
            if order not in found:
                found[order] = Lying(order, _rmsd(given[list(order)], asked), mirrored)
    return list(found.values())


def _frame(first: Floats, second: Floats) -> Floats:
    """Return rectangular axes as rows: the first vector, in the plane of both, and across."""
    across = units(np.cross(first, second))
    return np.array([first, np.cross(across, first), across])


def _rmsd(given: Floats, asked: Floats) -> float:
    apart = given @ rotation(given, asked).T - asked
    return float(np.sqrt((apart**2).sum(axis=1).mean()))


def figure_rmsd(block: Floats, wanted: Floats) -> float:
    """Return how far connections lie from directions, root mean square of unit vectors."""
    return min((one.rmsd for one in ways_of_lying(block, wanted)), default=math.inf)
