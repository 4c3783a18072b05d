"""The largest spheres in a crystal and through it, among atoms of different size.

Zeo++ divides space among spheres by planes, whose corners are not where most room is if the
radii differ: its cavities come out up to 0.4 Å too wide. Here the room at a point is its distance
to the nearest surface of an atom. A grid finds where it is largest and by which passes these places
are connected; each is then carried to its exact place by linear programs. A distance is a convex
function, so that a step by its tangents never promises too much.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import PoreDiameters
from ontologies.units import Floats, Integers

FINEST, MOST_POINTS = 0.25, 150_000
"""Å between points of the grid at least, and how many points there are at most."""

ROUND, FLAT = 1e-5, 1e-3
"""Å. Steps that are shorter change nothing; and the slope along a pass that is none."""

REACH = 8.0
"""Å. Where an atom's surface is sought at first; farther if there is none."""

STEPS, ALONG = 40, 12
"""Of one place, and of the way along a pass."""

BEHIND = 0.6
"""Å. Places and passes with so much less room on the grid than the best are not refined."""

MOST_PLACES = 80
"""Places, and passes, that are refined."""

ALIKE = 7
"""Decimals of the room at points of the grid by which images by symmetry are known."""


@dataclass(frozen=True)
class Pass:
    """A way from one place to another.

    Attributes:
        ends: the two places.
        step: in which cell the second is, seen from the first.
        room: how large a sphere passes, as its radius in Å.
    """

    ends: tuple[int, int]
    step: tuple[int, int, int]
    room: float


class Room:
    """How much room there is among the atoms of a crystal.

    Args:
        atoms: the crystal.
        radii: of its atoms, in Å.
        reach: Å. Nowhere is an atom's surface farther away.
    """

    def __init__(self, atoms: ConceptualAtoms, radii: Floats, reach: float) -> None:
        from scipy.spatial import KDTree

        self.cell: Floats = np.array(atoms.cell)
        inverse = np.linalg.inv(self.cell)
        places: Floats = atoms.positions @ inverse
        places -= np.floor(places)
        far = (reach + float(radii.max())) * np.linalg.norm(inverse, axis=0)
        ranges = [range(-int(np.ceil(one)), int(np.ceil(one)) + 1) for one in far]
        images, sizes = list[Floats](), list[Floats]()
        for step in itertools.product(*ranges):
            moved = places + np.array(step)
            inside = ((moved >= -far) & (moved <= 1 + far)).all(axis=1)
            images.append(moved[inside])
            sizes.append(radii[inside])
        self.places: Floats = np.vstack(images) @ self.cell
        self.radii: Floats = np.concatenate(sizes)
        self._kinds: list[tuple[float, Any]] = [
            (float(size), KDTree(self.places[self.radii == size])) for size in np.unique(self.radii)
        ]

    def at(self, points: Floats) -> Floats:
        """Return the room at points in the cell, as the radius of a sphere in Å."""
        return np.min([tree.query(points)[0] - size for size, tree in self._kinds], axis=0)

    def around(self, point: Floats, limit: float) -> tuple[Floats, Floats]:
        """Return the room that atoms leave at a point, and the directions in which that grows.

        They are all that can be nearest anywhere within a limit along each axis.
        """
        far = float(self.at(point[None])[0]) + 2 * 3**0.5 * limit
        rooms, ways = list[Floats](), list[Floats]()
        for size, tree in self._kinds:
            near = tree.query_ball_point(point, max(far + size, 0.0))
            away = point - tree.data[near].reshape(-1, 3)
            lengths = np.linalg.norm(away, axis=1)
            rooms.append(lengths - size)
            ways.append(away / np.maximum(lengths, ROUND)[:, None])
        return np.concatenate(rooms), np.vstack(ways)

    def widest(
        self, start: Floats, limit: float, across: Floats | None = None
    ) -> tuple[Floats, float, float]:
        """Return the place near another with most room, that room, and its slope.

        Args:
            start: where the search begins.
            limit: Å, how far a step may go along each axis; in a plane, all of them.
            across: a direction in which it may not move; the slope is along that.
        """
        from scipy.optimize import linprog

        point, slope = start.copy(), 0.0
        room, ways = self.around(point, limit)
        for _ in range(STEPS):
            moved = np.zeros(3) if across is None else point - start
            low, high = -limit - moved, limit - moved
            found = linprog(
                [0, 0, 0, -1.0],
                A_ub=np.hstack([-ways, np.ones((len(ways), 1))]),
                b_ub=room,
                A_eq=None if across is None else [[*across, 0.0]],
                b_eq=None if across is None else [0.0],
                bounds=[*zip(low, high, strict=True), (None, None)],
            )
            if found.x is None:
                break
            if across is not None:
                slope = float(-(found.ineqlin.marginals @ ways) @ across)
            point = point + found.x[:3]
            room, ways = self.around(point, limit)
            if float(np.abs(found.x[:3]).max()) < ROUND:
                break
        return point, float(room.min()), slope


def spheres(atoms: ConceptualAtoms, radii: Floats) -> PoreDiameters | None:
    """Return the diameters of the largest spheres in a crystal and through it.

    Args:
        atoms: the crystal.
        radii: of its atoms, in Å.

    Returns:
        None where there is no room between the atoms, or nothing that goes on without end.
    """
    reach = REACH
    while True:
        largest, found = _found(Room(atoms, radii, reach))
        if largest < reach:
            return found
        reach *= 2  # farther atoms were left out


def _found(room: Room) -> tuple[float, PoreDiameters | None]:
    counts, points = _grid(room.cell)
    values = room.at(points)
    heights = np.linalg.norm(room.cell, axis=1) / counts
    spacing = float(heights.max())
    tops, basins, shifts = _basins(values, counts)
    most = values[tops].copy()
    exact: dict[tuple[float, ...], float] = {}
    for number in np.argsort(-most, kind="stable").tolist():
        seen = (round(float(values[tops[number]]), ALIKE),)
        if seen[0] < values.max() - max(BEHIND, spacing):
            break
        if seen not in exact and len(exact) < MOST_PLACES:
            exact[seen] = room.widest(points[tops[number]], spacing)[1]
        most[number] = exact.get(seen, most[number])
    largest = float(most.max())
    passes = _passes(values, counts, basins, shifts)
    limiting, _ = _through(len(tops), [one for one, _, _ in passes])
    better, exact = list[Pass](), dict[tuple[float, ...], float]()
    for one, first, second in passes:
        low, high = sorted((float(values[first]), float(values[second])))
        seen = round(low, ALIKE), round(high, ALIKE)
        if abs(low - limiting) < max(BEHIND, spacing):
            if seen not in exact and len(exact) < MOST_PLACES:
                exact[seen] = _saddle(room, points, first, second, low, spacing)
            one = Pass(one.ends, one.step, exact.get(seen, low))
        better.append(one)
    limiting, reached = _through(len(tops), sorted(better, key=lambda one: -one.room))
    if largest <= 0 or limiting <= 0 or not reached:
        return largest, None
    return largest, PoreDiameters(
        largest_cavity=2 * largest,
        pore_limiting=2 * min(limiting, largest),
        largest_free_path=2 * max(float(most[list(reached)].max()), limiting),
    )


def _grid(cell: Floats) -> tuple[Integers, Floats]:
    """Return how many points there are along each axis, and where they are in Å."""
    volume = abs(float(np.linalg.det(cell)))
    apart = max(FINEST, (volume / MOST_POINTS) ** (1 / 3))
    counts = np.maximum(np.ceil(np.linalg.norm(cell, axis=1) / apart).astype(int), 3)
    axes = np.indices(tuple(counts.tolist())).reshape(3, -1).T
    return counts, axes / counts @ cell


def _neighbours(counts: Integers, way: Integers) -> tuple[Integers, Integers]:
    """Return of each point the next one in a direction, and in which cell that is."""
    axes = np.indices(tuple(counts.tolist())).reshape(3, -1).T + way
    shift = np.floor_divide(axes, counts)
    axes = axes - shift * counts
    return np.array(np.ravel_multi_index(tuple(axes.T), tuple(counts.tolist()))), shift


def _basins(values: Floats, counts: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the tops of the grid, to which of them each point climbs, and into which cell."""
    best, up = values.copy(), np.arange(len(values))
    shift = np.zeros((len(values), 3), int)
    for way in itertools.product((-1, 0, 1), repeat=3):
        other, step = _neighbours(counts, np.array(way))
        # where two have the same room the first counts, so that no two climb to each other
        higher = (values[other] > best) | ((values[other] == best) & (other < up))
        best, up = np.where(higher, values[other], best), np.where(higher, other, up)
        shift[higher] = step[higher]
    while True:
        further = up[up]
        if (further == up).all():
            break
        shift = shift + shift[up]
        up = further
    tops, basins = np.unique(up, return_inverse=True)
    return tops, basins, shift


def _passes(
    values: Floats, counts: Integers, basins: Integers, shifts: Integers
) -> list[tuple[Pass, int, int]]:
    """Return the best ways between basins, each with the points where it leads over, widest first.

    A basin may border on its own image in another cell.
    """
    found: dict[tuple[int, ...], tuple[float, int, int]] = {}
    every = np.arange(len(values))
    for way in itertools.product((-1, 0, 1), repeat=3):
        if way <= (0, 0, 0):
            continue
        other, step = _neighbours(counts, np.array(way))
        apart = step + shifts[other] - shifts
        border = (basins != basins[other]) | apart.any(axis=1)
        first, second = every[border], other[border]
        room = np.minimum(values[first], values[second])
        keys = np.column_stack([basins[first], basins[second], apart[border]])
        order = np.argsort(-room, kind="stable")
        _, once = np.unique(keys[order], axis=0, return_index=True)
        for at in order[once].tolist():
            one, end, *cell = keys[at].tolist()
            if (end, one) < (one, end) or (one == end and cell < [0, 0, 0]):
                one, end, cell = end, one, [-part for part in cell]
            key = (one, end, *cell)
            if key not in found or room[at] > found[key][0]:
                found[key] = float(room[at]), int(first[at]), int(second[at])
    rows = sorted(found.items(), key=lambda one: (-one[1][0], one[0]))
    return [
        (Pass((one, end), (x, y, z), room), first, second)
        for (one, end, x, y, z), (room, first, second) in rows
    ]


def _saddle(
    room: Room, points: Floats, first: int, second: int, known: float, spacing: float
) -> float:
    """Return how much room there is where a way is narrowest.

    Across the way the place with most room is sought, along it the one with least of that.
    """
    inverse = np.linalg.inv(room.cell)
    apart = (points[second] - points[first]) @ inverse
    along = (apart - np.rint(apart)) @ room.cell
    middle = points[first] + along / 2
    along /= np.linalg.norm(along)
    ends = {-1: 1.5 * -spacing, 1: 1.5 * spacing}
    slopes = {-1: -1.0, 1: 1.0}
    point, best, offset = middle, known, 0.0
    for _ in range(ALONG):
        aside = (point - middle) - ((point - middle) @ along) * along
        point, best, slope = room.widest(middle + offset * along + aside, spacing, along)
        if abs(slope) < FLAT:
            break
        side = 1 if slope > 0 else -1
        ends[side], slopes[side] = offset, slope
        slopes[-side] /= 2  # so that both ends move
        width = ends[1] - ends[-1]
        if width < 10 * ROUND:
            break
        share = slopes[-1] / (slopes[-1] - slopes[1])
        offset = ends[-1] + width * min(max(share, 0.05), 0.95)
    lost = 1.5 * spacing - abs(offset) < 0.1 * spacing or abs(best - known) > spacing
    return known if lost else best


def _through(places: int, passes: list[Pass]) -> tuple[float, set[int]]:
    """Return the room of the widest way that goes on for ever, and the places that it reaches.

    Args:
        places: how many there are.
        passes: between them, the widest first.
    """
    above = list(range(places))
    offset = np.zeros((places, 3), int)

    def root(one: int) -> tuple[int, Integers]:
        total = np.zeros(3, int)
        while above[one] != one:
            total = total + offset[one]
            one = above[one]
        return one, total

    for one in passes:
        first, way = root(one.ends[0])
        second, back = root(one.ends[1])
        step = np.array(one.step) + way - back
        if first != second:
            above[second], offset[second] = first, step
        elif step.any():
            goal = {n for n in range(places) if root(n)[0] == first}
            return one.room, goal
    return 0.0, set()
