"""Which blocks may stand at which places of which nets: by what was seen, or by what fits.

Metal nodes and organic blocks are told apart at each kind of vertices. By what was seen, an edge
holds whatever it has held between two such classes. By what fits, edges follow: two metal nodes are
bound by a linker, a metal node and an organic block of three or more connections directly; two
organic blocks are not proposed. Nor is a framework without a metal node.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from .search_fits import Chain, Roles
from .search_graph import MofGraph, Place, StoredFramework, StoredNet
from .search_rank import Option, Places

NOTHING = ""
"""What stands where no block does."""

MOST_KINDS = 6
"""Kinds of vertices of a net that is searched: each doubles the patterns of metals."""


@dataclass(frozen=True)
class Restricted:
    """Which blocks may take part: IRIs; all that are stored if None.

    Attributes:
        nodes: metal nodes.
        linkers: organic linkers.
    """

    nodes: frozenset[str] | None = None
    linkers: frozenset[str] | None = None

    def takes(self, block: str, metal: bool) -> bool:
        """Return whether a block may take part."""
        among = self.nodes if metal else self.linkers
        return block == NOTHING or among is None or block in among


class Filling(Protocol):
    """What may stand at the places of a net."""

    def vertex(self, place: Place, metal: bool) -> Mapping[str, float]:
        """Return blocks of a class for a kind of vertices, with how far they are from it."""
        ...

    def edge(self, place: Place, first: bool, second: bool) -> Mapping[str, float]:
        """Return blocks for a kind of edges between two classes, metal or not."""
        ...


class Seen:
    """What stands in stored frameworks on a net.

    Args:
        graph: what is stored.
        net: which net.
        places: its places.
        frameworks: those on it.
    """

    def __init__(
        self,
        graph: MofGraph,
        net: StoredNet,
        places: Sequence[Place],
        frameworks: Sequence[StoredFramework],
    ) -> None:
        self._vertices: defaultdict[tuple[Place, bool], dict[str, float]] = defaultdict(dict)
        self._edges: defaultdict[tuple[Place, bool, bool], dict[str, float]] = defaultdict(dict)
        for one in frameworks:
            classes: defaultdict[int, set[bool]] = defaultdict(set)
            for place in places:
                for block in one.blocks.get(place, ()) if place.on == "vertex" else ():
                    metal = graph.blocks[block].metal
                    classes[place.kind].add(metal)
                    figure = net.figures.get(place.kind, "")
                    rmsd = graph.fits.get((block, figure), 0.0)
                    self._vertices[place, metal][block] = rmsd
            for place in places:
                if place.on != "edge":
                    continue
                for first, second in itertools.product(*(classes[n] for n in net.ends[place.kind])):
                    held = one.blocks.get(place, (NOTHING,))
                    self._edges[place, first, second] |= dict.fromkeys(held, 0.0)

    def vertex(self, place: Place, metal: bool) -> Mapping[str, float]:
        return self._vertices.get((place, metal), {})

    def edge(self, place: Place, first: bool, second: bool) -> Mapping[str, float]:
        return self._edges.get((place, first, second), {})


class Fitting:
    """What has the roles that a net asks for.

    Args:
        graph: what is stored.
        net: which net.
        roles: which blocks fit which figures.
    """

    def __init__(self, graph: MofGraph, net: StoredNet, roles: Roles) -> None:
        self._graph, self._net, self._roles = graph, net, roles
        self._straight = {
            one.iri: 0.0 for one in graph.blocks.values() if not one.metal and one.connections == 2
        }

    def vertex(self, place: Place, metal: bool) -> Mapping[str, float]:
        blocks = self._graph.blocks
        return {
            block: chain.rmsd
            for block, chain in self.chains(place).items()
            if block in blocks and blocks[block].metal == metal
        }

    def edge(self, place: Place, first: bool, second: bool) -> Mapping[str, float]:
        if first and second:
            return self._straight
        return {NOTHING: 0.0} if first != second else {}

    def chains(self, place: Place) -> Mapping[str, Chain]:
        """Return why blocks fit a kind of vertices."""
        return self._roles.of(self._net.figures[place.kind])


@dataclass(frozen=True)
class Candidates:
    """What a net may be filled with.

    Attributes:
        net: which.
        places: its kinds of vertices, then of edges; options stand in this order.
        ways: one for each pattern of metals.
        known: the fillings that are stored, by the IRIs of blocks in the order of the places.
        seen: in how many frameworks a block stands at a place, and one of them.
        filling: what may stand at its places.
    """

    net: StoredNet
    places: tuple[Place, ...]
    ways: tuple[Places, ...]
    known: frozenset[tuple[str, ...]]
    seen: Mapping[tuple[Place, str], tuple[int, str]]
    filling: Filling

    @property
    def count(self) -> int:
        """How many fillings there are that are not stored."""
        options = [[{one.block for one in of} for of in way.options] for way in self.ways]
        stored = sum(any(map(within, options, itertools.repeat(blocks))) for blocks in self.known)
        return sum(way.count for way in self.ways) - stored


def within(options: Sequence[set[str]], blocks: Sequence[str]) -> bool:
    """Tell whether each block is among the options of its place."""
    return all(block in of for block, of in zip(blocks, options, strict=True))


def candidates(
    graph: MofGraph, only: Restricted, roles: Roles | None = None
) -> Iterator[Candidates]:
    """Iterate over the nets whose places can all be filled.

    Args:
        graph: what is stored.
        only: which blocks may take part.
        roles: which blocks fit which figures; None for blocks that stand on the net already.
    """
    by_net: defaultdict[str, list[StoredFramework]] = defaultdict(list)
    for one in graph.frameworks:
        by_net[one.net].append(one)
    for name, net in sorted(graph.nets.items()):
        places = (
            *(Place("vertex", kind) for kind in sorted(net.figures)),
            *(Place("edge", kind) for kind in sorted(net.ends)),
        )
        inside = [one for one in by_net[name] if set(one.blocks) <= set(places)]
        sound = [one for one in inside if one.sound]
        if not 0 < len(net.figures) <= MOST_KINDS or (roles is None and not sound):
            continue
        filling = Fitting(graph, net, roles) if roles else Seen(graph, net, places, sound)
        ways = tuple(_ways(graph, net, places, only, filling))
        if ways:
            yield Candidates(net, places, ways, _known(places, inside), _seen(sound), filling)


def _ways(
    graph: MofGraph, net: StoredNet, places: Sequence[Place], only: Restricted, filling: Filling
) -> Iterator[Places]:
    """Iterate over the patterns of metals in which every place can be filled."""
    for pattern in itertools.product((True, False), repeat=len(net.figures)):
        metals = dict(zip(sorted(net.figures), pattern, strict=True))
        options: list[tuple[Option, ...]] = []
        for place in places:
            if place.on == "vertex":
                found = filling.vertex(place, metals[place.kind])
            else:
                found = filling.edge(place, *(metals[n] for n in net.ends[place.kind]))
            options.append(
                tuple(
                    sorted(
                        Option(rmsd, _label(graph, block), block)
                        for block, rmsd in found.items()
                        if only.takes(block, block in graph.blocks and graph.blocks[block].metal)
                    )
                )
            )
        organic = not all(pattern) or any(
            one.block
            for of, place in zip(options, places, strict=True)
            for one in of
            if place.on == "edge"
        )
        if any(pattern) and organic and all(options):
            yield Places(net.iri, net.name, tuple(options))


def _label(graph: MofGraph, block: str) -> str:
    return graph.blocks[block].formula if block != NOTHING else ""


def _known(
    places: Sequence[Place], frameworks: Sequence[StoredFramework]
) -> frozenset[tuple[str, ...]]:
    """Return the fillings of frameworks that have one block at each place."""
    found: set[tuple[str, ...]] = set()
    for one in frameworks:
        each = [one.blocks.get(place, (NOTHING,)) for place in places]
        if all(len(blocks) == 1 for blocks in each):
            found.add(tuple(blocks[0] for blocks in each))
    return frozenset(found)


def _seen(frameworks: Sequence[StoredFramework]) -> Mapping[tuple[Place, str], tuple[int, str]]:
    """Return in how many frameworks a block stands at a place, and the first of them."""
    counts = Counter[tuple[Place, str]]()
    first: dict[tuple[Place, str], str] = {}
    for one in frameworks:
        for place, blocks in one.blocks.items():
            for block in blocks:
                counts[place, block] += 1
                first.setdefault((place, block), one.iri)
    return {key: (number, first[key]) for key, number in counts.items()}
