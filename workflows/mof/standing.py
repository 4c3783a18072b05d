"""On which kind of vertices or edges of its net each piece of a framework stands.

The net of a crystal is the one that is drawn in the library, if its key is. Read in the order of
that key, the vertices of both are the same one by one, and those of the drawn net have kinds. Where
a net has more symmetry than it is drawn with, several readings give other kinds: what needs the
fewest kinds for its blocks is taken, then what fits best.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.mofs import BlockGeometry, ConnectionFigure, OrganicLinker, PlacedOn, figure_of
from ontologies.mofs import Net as NamedNet
from ontologies.units import Floats
from triplestore.errors import ComponentError

from .drawn import drawn
from .fingerprints import HEXAGONAL, KAGOME_DUAL, LAYERS, Recognition, layer
from .matching import arms_of, figure_rmsd
from .nets import Component, Net, branching, ordered, placement, reading_of


@dataclass(frozen=True)
class Standing:
    """Where a piece stands.

    Attributes:
        on: a vertex or an edge.
        kind: which kind of them; None where that is not known.
        figure: what is asked for there; None for edges.
        rmsd: how far the piece is from that.
    """

    on: PlacedOn
    kind: int | None = None
    figure: ConnectionFigure | None = None
    rmsd: float | None = None


@dataclass(frozen=True)
class KnownNet:
    """A net with kinds of vertices.

    Attributes:
        net: as it is stored.
        kinds: of each of its numbers in the order of its key.
        figures: what each kind asks for.
        directions: the same as vectors.
        pairs: kinds of edges: the kinds of vertices at their ends, the lower first.
    """

    net: NamedNet
    kinds: tuple[int, ...]
    figures: tuple[ConnectionFigure, ...]
    directions: tuple[Floats, ...]
    pairs: tuple[tuple[int, int], ...]


@functools.lru_cache(maxsize=64)
def known_net(name: str) -> KnownNet | None:
    """Return a net of the library, or a layer; None if translations mix the kinds of its vertices.

    Raises:
        ComponentError: the library is not installed.
    """
    if name in LAYERS or name == "kgd":
        return _layer(name)
    found = drawn(name)
    edges = [
        ordered(one, other, tuple(step))
        for (one, other), step in zip(found.ends.tolist(), found.steps.tolist(), strict=True)
    ]
    kinds = _by_number(Net(len(found.kinds), tuple(sorted(edges))), found.kinds)
    directions = [found.directions(found.kinds.index(kind)) for kind in sorted(set(found.kinds))]
    figures = [kind.figure for kind in found.net.vertex_kinds]
    if kinds is None:
        return None
    return KnownNet(found.net, kinds, tuple(figures), tuple(directions), found.pairs)


def _layer(name: str) -> KnownNet | None:
    """Return a layer. Its stored net has no kinds: nothing can be built on it."""
    if name == "kgd":
        net, kinds, cell = KAGOME_DUAL, (0, 1, 1), np.array([[1.0, 0.0], HEXAGONAL])
        places = placement(net) @ cell
    else:
        net = layer(name)
        length, (x, y), points = LAYERS[name]
        kinds, places = (0,) * net.vertices, np.array(points)
        cell = length * np.array([[1.0, 0.0], [x, y]])
    directions: list[Floats] = []
    for vertex in map(kinds.index, sorted(set(kinds))):
        near = [places[to] + np.array(step) @ cell for to, step in net.neighbours[vertex]]
        directions.append(np.pad(np.array(near) - places[vertex], ((0, 0), (0, 1))))
    pairs = {(min(kinds[a], kinds[b]), max(kinds[a], kinds[b])) for a, b, _ in net.edges}
    numbers = _by_number(net, kinds)
    assert numbers is not None
    return KnownNet(
        NamedNet(name=name, net_dimensionality=2),
        numbers,
        tuple(map(figure_of, directions)),
        tuple(directions),
        tuple(sorted(pairs)),
    )


def _by_number(net: Net, kinds: Sequence[int]) -> tuple[int, ...] | None:
    """Return the kinds of vertices in the order of the net's key."""
    numbers = reading_of(net).numbers
    if not numbers:
        return None
    found: dict[int, int] = {}
    for number, kind in zip(numbers[0], kinds, strict=True):
        if found.setdefault(number, kind) != kind:
            return None
    return tuple(found[number] for number in range(len(found)))


@dataclass(frozen=True)
class Stands:
    """Where all pieces of a framework stand.

    Attributes:
        net: as the library has it; None where that is not known.
        places: of each piece.
        remark: why kinds are not known; empty where they are.
    """

    net: NamedNet | None
    places: tuple[Standing, ...]
    remark: str = ""


def stands(
    blocks: Sequence[BlockGeometry], parts: Sequence[tuple[Component, Recognition | None]]
) -> Stands:
    """Return where each piece of a framework stands.

    Args:
        blocks: of each piece, its block.
        parts: the nets that its pieces make, with their names.
    """
    places = [Standing("edge" if _is_link(block) else "vertex") for block in blocks]
    names = {found.names[:1] if found else () for _, found in parts}
    known, remark = None, ""
    (name,) = names if len(names) == 1 else ((),)
    if name:
        try:
            known = known_net(name[0])
            remark = "" if known else "the kinds of its vertices are not told apart by its net"
        except ComponentError as error:
            remark = f"on which kinds of vertices blocks stand is not told: {error.found}"
    for part, found in parts:
        if found is None:
            continue
        net, kept = branching(part.net)
        for vertex, piece in enumerate(part.members):
            places[piece] = Standing("vertex" if vertex in kept else "edge")
        if known is not None:
            kinds = _kinds(known, net, [blocks[part.members[vertex]] for vertex in kept])
            _place(known, part, dict(zip(kept, kinds, strict=True)), blocks, places)
    return Stands(known.net if known else None, tuple(places), remark)


def _is_link(block: BlockGeometry) -> bool:
    return isinstance(block.block, OrganicLinker) and block.block.connections == 2


def _kinds(known: KnownNet, net: Net, blocks: Sequence[BlockGeometry]) -> tuple[int, ...]:
    """Return the kind of each vertex of a net."""
    ways = {tuple(known.kinds[number] for number in numbers) for numbers in reading_of(net).numbers}
    apart: dict[tuple[str, int], float] = {}

    def cost(kinds: tuple[int, ...]) -> tuple[int, float, list[tuple[int, str]]]:
        pairs = sorted(
            {(kind, one.block.block_code) for kind, one in zip(kinds, blocks, strict=True)}
        )
        for kind, one in zip(kinds, blocks, strict=True):
            key = one.block.block_code, kind
            if key not in apart:
                apart[key] = _rmsd(known, one, kind)
        far = max(apart[code, kind] for kind, code in pairs)
        return len(pairs), round(far, 2), pairs

    return min(ways, key=cost)


def _rmsd(known: KnownNet, block: BlockGeometry, kind: int) -> float:
    wanted = known.directions[kind]
    if len(wanted) != len(block.connection_points):
        return math.inf
    return figure_rmsd(arms_of(block), wanted)


def _place(
    known: KnownNet,
    part: Component,
    kinds: dict[int, int],
    blocks: Sequence[BlockGeometry],
    places: list[Standing],
) -> None:
    """Tell where the pieces of one net stand.

    What stands on an edge with others, or has other connections than its place, has no kind.
    """
    near = [set(found) for found in part.net.neighbours]
    far: dict[tuple[str, int], float] = defaultdict(float)
    for vertex, kind in kinds.items():
        piece = part.members[vertex]
        code = blocks[piece].block.block_code
        if (code, kind) not in far:
            far[code, kind] = _rmsd(known, blocks[piece], kind)
        rmsd = far[code, kind]
        if rmsd < math.inf:
            places[piece] = Standing("vertex", kind, known.figures[kind], round(rmsd, 3))
    for vertex, piece in enumerate(part.members):
        ends = [kinds[other] for other, _ in near[vertex] if other in kinds]
        alone = len(ends) == len(near[vertex]) == len(blocks[piece].connection_points) == 2
        pair = (min(ends), max(ends)) if alone else (-1, -1)
        if vertex not in kinds and pair in known.pairs:
            places[piece] = Standing("edge", known.pairs.index(pair))
