"""How blocks are turned where the net leaves that open: so that planes that meet are one plane.

A carboxylate and the ring that it hangs on are flat together. Each connection of a block has a
plane if the atom there has two neighbours in the block and lies flat. What is chosen are, for each
node, the way in which it lies on its vertex, for each linker the angle about its axis and which
end comes first; all so that the planes are least twisted against each other. Choices are made among
rounded numbers, so that the last digits of a processor decide nothing.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.mofs import BlockGeometry
from ontologies.units import Floats

from .drawn import DrawnNet
from .matching import Lying, rotation, units

FLAT = 0.35
"""Sine of the angle between a connection and its plane, at most."""

SECTOR = math.pi / 36
"""Angles that differ by less make no other orientation."""

OFFSET = 0.1234
"""Radians. Angles of nets, such as 0 or 90°, lie within sectors, not at their borders."""

BETTER = 1e-3
"""Twist that another choice must save."""


@dataclass(frozen=True)
class CentredBlock:
    """A block as it is used.

    Attributes:
        geometry: its atoms.
        arms: its connection points, seen from their centre.
        places: its atoms, seen from there.
        normals: of the plane at each connection; None where there is none.
    """

    geometry: BlockGeometry
    arms: Floats
    places: Floats
    normals: tuple[Floats | None, ...]

    def mirrored(self) -> CentredBlock:
        """Return its mirror image."""
        return CentredBlock(self.geometry, -self.arms, -self.places, self.normals)


def piece_of(geometry: BlockGeometry) -> CentredBlock:
    """Return a block as it is used."""
    centre = geometry.connection_points.mean(axis=0)
    arms, places = geometry.connection_points - centre, geometry.atoms.positions - centre
    normals: list[Floats | None] = []
    for arm, atom in zip(arms, geometry.connected_atoms.tolist(), strict=True):
        near = [
            other if one == atom else one
            for one, other in geometry.bonded.tolist()
            if atom in (one, other)
        ]
        normal: Floats | None = None
        if len(near) == 2:
            to_one, to_other = (units(places[at] - places[atom]) for at in near)
            across: Floats = np.cross(to_one, to_other)
            if np.linalg.norm(across) > 0.3:
                across = units(across)
                out = arm - places[atom]
                flat = np.linalg.norm(out) < 1e-6 or abs(float(across @ units(out))) < FLAT
                normal = across if flat else None
        normals.append(normal)
    return CentredBlock(geometry, arms, places, tuple(normals))


@dataclass(frozen=True)
class Turned:
    """A way of lying on a vertex, in space.

    Attributes:
        lying: which connection points in which direction.
        piece: the block, or its mirror image.
        turn: rotation of the block.
        angles: of the plane at each of the vertex's edges, about the edge; None for no plane.
    """

    lying: Lying
    piece: CentredBlock
    turn: Floats
    angles: tuple[float | None, ...]


def across(direction: Floats) -> tuple[Floats, Floats]:
    """Return two axes across a direction that depend on it alone."""
    least = int(np.round(np.abs(direction), 3).argmin())
    first: Floats = np.eye(3)[least]
    first = units(first - (first @ direction) * direction)
    return first, np.cross(direction, first)


def angle_about(direction: Floats, normal: Floats | None) -> float | None:
    """Return the angle of a plane about a direction, from -`OFFSET` to π - `OFFSET`."""
    if normal is None:
        return None
    first, second = across(direction)
    x, y = float(normal @ first), float(normal @ second)
    return (math.atan2(y, x) + OFFSET) % math.pi - OFFSET if math.hypot(x, y) > 0.3 else None


def orientations(
    net: DrawnNet, vertex: int, piece: CentredBlock, ways: Sequence[Lying]
) -> list[Turned]:
    """Return the ways of lying on a vertex whose planes differ.

    Args:
        net: as drawn.
        vertex: which one.
        piece: the block for it.
        ways: in which it lies equally well.
    """
    found: dict[tuple[int, ...], Turned] = {}
    wanted = units(net.directions(vertex))
    for way in ways:
        used = piece.mirrored() if way.mirrored else piece
        order = list(way.order)
        turn = rotation(units(used.arms[order]), wanted)
        angles: list[float | None] = []
        for (edge, end), at, direction in zip(net.around[vertex], order, wanted, strict=True):
            del edge
            normal = used.normals[at]
            along = direction * (1 - 2 * end)  # the direction of the edge itself
            angles.append(angle_about(along, None if normal is None else turn @ normal))
        key = tuple(-1 if one is None else math.floor((one + OFFSET) / SECTOR) for one in angles)
        found.setdefault(key, Turned(way, used, turn, tuple(angles)))
    return list(found.values())


def linker_twist(piece: CentredBlock | None) -> float | None:
    """Return the angle between the planes at the ends of a linker; None where one has none."""
    if piece is None:
        return 0.0
    axis = units(piece.arms[1] - piece.arms[0])
    first, second = (angle_about(axis, normal) for normal in piece.normals)
    return None if first is None or second is None else second - first


def twist(one: float | None, other: float | None, within: float | None) -> float:
    """Return how twisted the planes along an edge are at least: 0 for none, 1 for 90°.

    Args:
        one: angle of the plane of the block at the first end.
        other: that at the second.
        within: angle between the planes of the linker; None where they do not count.
    """
    if one is None or other is None:
        return 0.0
    return 1.0 - abs(math.cos(other - one - (within or 0.0)))


def chosen(
    net: DrawnNet, options: Sequence[Sequence[Turned]], within: Sequence[float | None]
) -> tuple[list[int], float]:
    """Return which orientation each vertex gets, and the mean twist of the edges.

    From each orientation of the first vertex, its neighbours get what suits them best, one after
    the other; then each vertex is asked again until nothing changes.

    Args:
        net: as drawn.
        options: of each vertex.
        within: of each edge, the twist of its linker.
    """
    place = [{edge: at for at, (edge, end) in enumerate(near) if end == 0} for near in net.around]
    back = [{edge: at for at, (edge, end) in enumerate(near) if end == 1} for near in net.around]

    def cost(edge: int, states: dict[int, int]) -> float:
        first, second = net.ends[edge].tolist()
        if first not in states or second not in states:
            return 0.0
        one = options[first][states[first]].angles[place[first][edge]]
        other = options[second][states[second]].angles[back[second][edge]]
        return twist(one, other, within[edge])

    def best(vertex: int, states: dict[int, int]) -> int:
        edges = sorted({edge for edge, _ in net.around[vertex]})
        costs = [
            round(sum(cost(edge, {**states, vertex: state}) for edge in edges), 3)
            for state in range(len(options[vertex]))
        ]
        return costs.index(min(costs))

    order = _breadth_first(net)
    results: list[tuple[float, list[int]]] = []
    for start in range(len(options[0])):
        states = {0: start}
        for vertex in order[1:]:
            states[vertex] = best(vertex, states)
        for _ in range(10):
            before = dict(states)
            for vertex in order:
                states[vertex] = best(vertex, states)
            if states == before:
                break
        total = sum(cost(edge, states) for edge in range(len(net.ends))) / len(net.ends)
        results.append((round(total, 3), [states[vertex] for vertex in range(len(options))]))
    least = min(total for total, _ in results)
    return next(states for total, states in results if total == least), least


def _breadth_first(net: DrawnNet) -> list[int]:
    """Return the vertices, neighbours after neighbours."""
    found: dict[int, None] = {}
    for start in range(len(net.kinds)):
        border = [start] if start not in found else []
        found |= dict.fromkeys(border)
        while border:
            border = list(
                dict.fromkeys(
                    other
                    for vertex in border
                    for edge, end in net.around[vertex]
                    if (other := int(net.ends[edge][1 - end])) not in found
                )
            )
            found |= dict.fromkeys(border)
    return list(found)


def about_axis(
    one: float | None, other: float | None, first: float | None, second: float | None
) -> tuple[float, list[float]]:
    """Return by what angle a linker is turned about its edge, and what twists are left at its ends.

    Args:
        one: angle of the plane of the node at its first end.
        other: that at its second.
        first: angle of the plane at its own first end, before it is turned.
        second: that at its second.
    """
    wanted = [
        node - own
        for node, own in ((one, first), (other, second))
        if node is not None and own is not None
    ]
    total = sum(cmath.exp(2j * angle) for angle in wanted)
    if not wanted:
        return 0.0, []
    if abs(total) < 1e-2:  # they ask for 90° from each other
        turn = min((angle + OFFSET) % math.pi - OFFSET for angle in wanted) + math.pi / 4
    else:
        turn = cmath.phase(total) / 2
    turn = (turn + OFFSET) % math.pi - OFFSET
    left = [abs((angle - turn + math.pi / 2) % math.pi - math.pi / 2) for angle in wanted]
    return turn, left
