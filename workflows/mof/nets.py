"""Nets: graphs that repeat, and the name of each that no choice of cell or numbering changes.

A net is given by its quotient graph: the vertices of one cell, and edges that say into which cell
they lead. In the barycentric placement each vertex lies in the middle of its neighbours; it is the
same for all who draw the net. The key is what one reads walking through the net from a vertex, in
axes along its edges, taken where it comes out smallest.

Source: O. Delgado-Friedrichs, M. O'Keeffe, Acta Crystallogr. A 59, 351 (2003). Their axes are three
edges; these are rectangular, in the metric in which the edges have no preferred direction, so that
two edges are enough.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.units import Floats, Integers

Edge = tuple[int, int, tuple[int, ...]]
"""From a vertex to another, and into which cell."""

GRAIN = 1e-4
"""Coordinates are told in these steps; vertices of nets that were tried are 100 times farther."""

OFFSET = 0.381966
"""Of the steps, so that no simple fraction lies between two of them."""

SHELLS = 10
"""Of coordination sequences."""


@dataclass(frozen=True)
class Net:
    """A quotient graph.

    Attributes:
        vertices: how many a cell has.
        edges: each once; more than one may lead from a vertex to the same other.
        dimension: in how many directions it repeats.
    """

    vertices: int
    edges: tuple[Edge, ...]
    dimension: int = 3

    @functools.cached_property
    def neighbours(self) -> list[list[tuple[int, tuple[int, ...]]]]:
        """Of each vertex: vertex and cell, each edge from both its ends."""
        found: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(self.vertices)]
        for one, other, cell in self.edges:
            found[one].append((other, cell))
            found[other].append((one, tuple(-x for x in cell)))
        return found

    @property
    def degrees(self) -> list[int]:
        """How many edges each vertex has."""
        return [len(found) for found in self.neighbours]


@dataclass(frozen=True)
class Component:
    """A part of a quotient graph that hangs together.

    Attributes:
        net: the part by itself, in cells of its own.
        members: which vertices of the whole its vertices are.
        copies: how many separate nets of this kind are in a cell of the whole; 0 if it repeats in
            fewer than all directions.
    """

    net: Net
    members: tuple[int, ...]
    copies: int


def components(net: Net) -> list[Component]:
    """Return the parts of a quotient graph, each in the lattice of its own translations."""
    placed: dict[int, tuple[int, Integers]] = {}
    parts: list[list[int]] = []
    for start in range(net.vertices):
        if start in placed:
            continue
        placed[start] = (len(parts), np.zeros(net.dimension, np.int64))
        part, queue = [start], deque([start])
        while queue:
            one = queue.popleft()
            for other, cell in net.neighbours[one]:
                if other not in placed:
                    placed[other] = (len(parts), placed[one][1] + np.array(cell, np.int64))
                    part.append(other)
                    queue.append(other)
        parts.append(part)
    loops: list[list[tuple[int, int, Integers]]] = [[] for _ in parts]
    for one, other, cell in net.edges:
        which, start = placed[one]
        loops[which].append((one, other, start + np.array(cell, np.int64) - placed[other][1]))
    found: list[Component] = []
    for part, edges in zip(parts, loops, strict=True):
        numbers = {vertex: number for number, vertex in enumerate(part)}
        basis = lattice([loop for *_, loop in edges], net.dimension)
        rank = len(basis)
        inverse = np.linalg.pinv(basis.astype(float)) if rank else np.zeros((net.dimension, 0))
        own: list[Edge] = []
        for one, other, loop in edges:
            cell = tuple(int(x) for x in np.rint(loop @ inverse))
            own.append((numbers[one], numbers[other], cell))
        copies = round(abs(np.linalg.det(basis))) if rank == net.dimension else 0
        found.append(Component(Net(len(part), tuple(own), rank), tuple(part), copies))
    return found


def lattice(vectors: Iterable[Integers], dimension: int) -> Integers:
    """Return a basis in rows (Hermite's normal form) of what integer vectors generate."""
    given = dict.fromkeys(tuple(int(x) for x in vector) for vector in vectors)
    rows: list[list[int]] = [list(row) for row in given if any(row)]
    basis: list[list[int]] = []
    for column in range(dimension):
        while len(rest := [row for row in rows if row[column]]) > 1:
            _, place = min((abs(row[column]), place) for place, row in enumerate(rest))
            least = rest.pop(place)
            for row in rest:
                times = row[column] // least[column]
                row[:] = [x - times * y for x, y in zip(row, least, strict=True)]
            rows = [row for row in rows if any(row)]
        if rest:
            rows = [row for row in rows if not row[column]]
            basis.append(rest[0] if rest[0][column] > 0 else [-x for x in rest[0]])
    return np.array(basis, np.int64).reshape(len(basis), dimension)


def simplified(net: Net) -> Net:
    """Return a net of vertices that branch: dead ends are cut, two edges with one between are one.

    Edges that run side by side become one too.
    """
    return branching(net)[0]


def branching(net: Net) -> tuple[Net, tuple[int, ...]]:
    """Return the net as `simplified` does, and which vertices of the given one are left."""
    edges: Counter[Edge] = Counter()
    for one, other, cell in net.edges:
        edges[ordered(one, other, cell)] += 1
    kept = set(range(net.vertices))
    while True:
        once = [edge for edge in edges if edge[0] != edge[1] or any(edge[2])]
        ends: dict[int, list[Edge]] = defaultdict(list)
        for edge in once:
            ends[edge[0]].append(edge)
            ends[edge[1]].append(edge)
        few = next((vertex for vertex in sorted(kept) if len(ends[vertex]) < 3), None)
        if few is None or len(kept) == 1:
            break
        kept.discard(few)
        left = [edge for edge in once if few not in edge[:2]]
        if len(ends[few]) == 2 and ends[few][0] != ends[few][1]:
            (a, first), (b, second) = (_from(few, edge) for edge in ends[few])
            left.append(ordered(a, b, tuple(y - x for x, y in zip(first, second, strict=True))))
        edges = Counter(left)
    numbers = {vertex: number for number, vertex in enumerate(sorted(kept))}
    final = sorted(edge for edge in edges if edge[0] != edge[1] or any(edge[2]))
    short = tuple((numbers[a], numbers[b], c) for a, b, c in final)
    return Net(len(kept), short, net.dimension), tuple(sorted(kept))


def _from(vertex: int, edge: Edge) -> tuple[int, tuple[int, ...]]:
    one, other, cell = edge
    return (other, cell) if one == vertex else (one, tuple(-x for x in cell))


def ordered(one: int, other: int, cell: tuple[int, ...]) -> Edge:
    """Return an edge from the end that comes first."""
    back = tuple(-x for x in cell)
    if one > other or (one == other and cell < back):
        return other, one, back
    return one, other, cell


def placement(net: Net) -> Floats:
    """Return places, in parts of the cell, at which each vertex is amid its neighbours."""
    matrix = np.zeros((net.vertices, net.vertices))
    right = np.zeros((net.vertices, net.dimension))
    for one, other, cell in net.edges:
        step = np.array(cell, float)
        matrix[one, one] += 1
        matrix[other, other] += 1
        matrix[one, other] -= 1
        matrix[other, one] -= 1
        right[one] += step
        right[other] -= step
    places = np.zeros((net.vertices, net.dimension))
    if net.vertices > 1:
        places[1:] = np.linalg.solve(matrix[1:, 1:], right[1:])
    return places


@dataclass(frozen=True)
class Key:
    """The name of a net.

    Attributes:
        text: equal for equal nets.
        exact: whether different nets have different ones. If vertices fall onto each other in the
            barycentric placement, it is made of coordination sequences and rings, which some nets
            share.
        vertices: of the smallest cell; 0 where that was not found.
        edges: of the smallest cell.
    """

    text: str
    exact: bool
    vertices: int
    edges: int


@dataclass(frozen=True)
class NetReading:
    """What a net is by itself, and its vertices by that.

    Attributes:
        key: its name.
        numbers: of each vertex, when it is met in the walk that the key is made of, where those
            that a translation carries onto each other are one. There are as many such walks as the
            net has symmetries; none if the key is not exact.
    """

    key: Key
    numbers: tuple[tuple[int, ...], ...]


def key_of(net: Net) -> Key:
    """Return the key of a connected net in two or three directions.

    Every vertex has three edges or more, and no edge runs beside another, see `simplified`.
    """
    return reading_of(net).key


def reading_of(net: Net) -> NetReading:
    """Return the key of a net, see `key_of`, with its vertices in the order of equal nets."""
    places = placement(net)
    if _collide(places):
        return NetReading(_coarse_key(net), ())
    steps = [
        np.array([places[other] + cell - places[one] for other, cell in found])
        for one, found in enumerate(net.neighbours)
    ]
    spread = np.einsum("ij,ik->jk", *[np.concatenate(steps)] * 2) / net.vertices
    lengths, directions = np.linalg.eigh(spread)
    axes: Floats = directions / np.sqrt(lengths)
    targets = [[other for other, _ in found] for found in net.neighbours]
    orbits = _orbits(places, targets, steps)
    _, first = np.unique(orbits, return_index=True)
    chosen: list[int] = [int(one) for one in first]
    vectors: list[Floats] = [steps[one] @ axes for one in chosen]
    leads = [[int(orbits[other]) for other in targets[one]] for one in chosen]
    best: list[tuple[int, ...]] = []
    walks: set[tuple[int, ...]] = set()
    for start, turn in _frames(vectors):
        told, numbers = _read(start, turn, vectors, leads)
        if not walks or told < best:
            best, walks = told, set()
        if told == best:
            walks.add(tuple(numbers[int(orbit)] for orbit in orbits))
    edges = sum(map(len, leads)) // 2
    head = (net.dimension, len(chosen), edges)
    key = Key(_digest((head, best)), True, len(chosen), edges)
    return NetReading(key, tuple(sorted(walks)))


def _digest(content: object) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()[:20]


def _rounded(values: Floats) -> Integers:
    return np.floor(values / GRAIN + OFFSET).astype(np.int64)


def _collide(places: Floats) -> bool:
    if not len(places):
        return True
    wrapped = _wrapped(places)
    return len(np.unique(wrapped, axis=0)) < len(wrapped)


def _wrapped(places: Floats) -> Integers:
    """Return places within the cell, in steps."""
    count = round(1 / GRAIN)
    return np.mod(np.floor(np.mod(places, 1.0) * count + OFFSET).astype(np.int64), count)


def _orbits(places: Floats, targets: list[list[int]], steps: list[Floats]) -> Integers:
    """Return which vertices a translation carries onto each other, numbered from 0."""
    size = len(places)
    found = {tuple(row): number for number, row in enumerate(_wrapped(places).tolist())}
    around = [
        {tuple(row): other for row, other in zip(_rounded(step).tolist(), target, strict=True)}
        for step, target in zip(steps, targets, strict=True)
    ]
    alike = [frozenset(one) for one in around]
    orbits = np.arange(size)
    for goal in range(1, size):
        if alike[goal] != alike[0] or orbits[goal] == orbits[0]:
            continue
        moved = _wrapped(places + (places[goal] - places[0]))
        images = [found.get(tuple(row)) for row in moved.tolist()]
        if any(to is None or alike[to] != alike[one] for one, to in enumerate(images)):
            continue
        whole: list[int] = [to for to in images if to is not None]
        if any(
            around[whole[one]][step] != whole[other]
            for one in range(size)
            for step, other in around[one].items()
        ):
            continue
        for one, to in enumerate(whole):
            low, high = sorted((int(orbits[one]), int(orbits[to])))
            orbits[orbits == high] = low
    return np.unique(orbits, return_inverse=True)[1]


def _frames(vectors: list[Floats]) -> Iterator[tuple[int, Floats]]:
    """Yield vertices to start from and axes along their edges: those of the rarest kind."""
    kinds: dict[Any, list[tuple[int, int, int]]] = defaultdict(list)
    for start, found in enumerate(vectors):
        products = found @ found.T
        grams = _rounded(products)
        local = hashlib.sha256(np.sort(grams, axis=None).tobytes()).hexdigest()
        if found.shape[1] == 2:
            for one in range(len(found)):
                kinds[local, int(grams[one, one])].append((start, one, one))
            continue
        for one, other in itertools.permutations(range(len(found)), 2):
            across = products[one, one] * products[other, other] - products[one, other] ** 2
            if across > 1e-3 * products[one, one] * products[other, other]:
                kind = local, *(int(grams[a]) for a in ((one, one), (other, other), (one, other)))
                kinds[kind].append((start, one, other))
    for start, one, other in kinds[min(kinds, key=lambda kind: (len(kinds[kind]), kind))]:
        first = vectors[start][one] / np.linalg.norm(vectors[start][one])
        if len(first) == 2:
            second = np.array([-first[1], first[0]])
            yield from ((start, np.array([first, sign * second]).T) for sign in (1, -1))
            continue
        rest = vectors[start][other] - (vectors[start][other] @ first) * first
        second = rest / np.linalg.norm(rest)
        third = np.cross(first, second)
        yield from ((start, np.array([first, second, sign * third]).T) for sign in (1, -1))


def _read(
    start: int, turn: Floats, vectors: list[Floats], leads: list[list[int]]
) -> tuple[list[tuple[int, ...]], dict[int, int]]:
    """Return what is met walking from a vertex, each edge by its ends and its direction.

    Also when each vertex is met.
    """
    numbers, queue, told = {start: 0}, deque([start]), list[tuple[int, ...]]()
    while queue:
        one = queue.popleft()
        rows = _rounded(vectors[one] @ turn).tolist()
        for row, other in sorted(zip(rows, leads[one], strict=True)):
            if other not in numbers:
                numbers[other] = len(numbers)
                queue.append(other)
            told.append((numbers[one], numbers[other], *row))
    return told, numbers


def coordination_sequence(net: Net, start: int, shells: int = SHELLS) -> tuple[int, ...]:
    """Return how many vertices are 1, 2, … edges away."""
    base = 4 * shells + 9  # cells are numbered from the middle of so many
    weights = np.array([net.vertices * base**axis for axis in range(net.dimension)], np.int64)
    near = [
        np.array([other + int(np.dot(weights, cell)) for other, cell in found], np.int64)
        for found in net.neighbours
    ]
    middle = int(weights.sum()) * (base // 2)
    last, this = np.array([], np.int64), np.array([start + middle], np.int64)
    told: list[int] = []
    for _ in range(shells):
        kinds = this % net.vertices
        parts = [
            ((this[kinds == kind] - kind)[:, None] + near[int(kind)][None, :]).ravel()
            for kind in np.unique(kinds)
        ]
        reached = np.unique(np.concatenate(parts))
        reached = np.setdiff1d(np.setdiff1d(reached, this), last)
        told.append(len(reached))
        last, this = this, reached
    return tuple(told)


def rings(net: Net, start: int, longest: int = 12) -> tuple[int, ...]:
    """Return the shortest ring at each pair of edges of a vertex, ordered; 0 where it is longer."""
    home = (start, (0,) * net.dimension)
    told: list[int] = []
    for number, (first, cell) in enumerate(net.neighbours[start]):
        goals = Counter(net.neighbours[start][number + 1 :])
        seen, shell, steps = {home, (first, cell)}, [(first, cell)], 0
        while goals and shell and steps + 2 <= longest:
            told += [steps + 2] * sum(goals.pop(one, 0) for one in shell)
            steps += 1
            reached: list[tuple[int, tuple[int, ...]]] = []
            for one, place in shell:
                for other, shift in net.neighbours[one]:
                    point = other, tuple(x + y for x, y in zip(place, shift, strict=True))
                    if point not in seen:
                        seen.add(point)
                        reached.append(point)
            shell = reached
        told += [0] * sum(goals.values())
    return tuple(sorted(told))


def _coarse_key(net: Net) -> Key:
    """Return what can be told of a net without its placement: shares of the kinds of vertices."""
    kinds = Counter(
        (coordination_sequence(net, one), rings(net, one)) for one in range(net.vertices)
    )
    common = math.gcd(*kinds.values()) if kinds else 1
    told = sorted((kind, count // common) for kind, count in kinds.items())
    return Key(_digest((net.dimension, told)), False, 0, 0)


def multiplied(net: Net, times: Sequence[int]) -> Net:
    """Return the same net in a cell that is so many times as long along its axes."""
    cells = list(itertools.product(*[range(count) for count in times]))
    numbers = {cell: number for number, cell in enumerate(cells)}
    edges: list[Edge] = []
    for (one, other, step), cell in itertools.product(net.edges, cells):
        reach = [a + b for a, b in zip(cell, step, strict=True)]
        inside = tuple(a % b for a, b in zip(reach, times, strict=True))
        over = tuple(a // b for a, b in zip(reach, times, strict=True))
        place = one * len(cells) + numbers[cell]
        edges.append((place, other * len(cells) + numbers[inside], over))
    return Net(net.vertices * len(cells), tuple(edges), net.dimension)
