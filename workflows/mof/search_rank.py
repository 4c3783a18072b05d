"""The best combinations of building blocks first, without making the others.

A net has places (its kinds of vertices and edges), and each place some blocks that may stand there,
with how far their connection points lie from the figure of that place. All combinations of a graph
of ten thousand frameworks are many more than anybody looks at, so they are made in order of rank
and no more of them than are wanted.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Option:
    """What may stand at a place of a net.

    Attributes:
        deviation: how far its connection points lie from the figure, root mean square; at most,
            where it is not measured itself.
        label: what it is called.
        block: its IRI; empty where nothing stands there, so that its neighbours are bound directly.
    """

    deviation: float
    label: str
    block: str


@dataclass(frozen=True)
class Places:
    """A net with what may stand at each of its places.

    Attributes:
        net: its IRI.
        label: its name.
        options: of each place, the best first.
        edges: how many of the last places are edges, which every linker fits.
    """

    net: str
    label: str
    options: tuple[tuple[Option, ...], ...]
    edges: int = 0

    @property
    def count(self) -> int:
        """How many combinations there are."""
        return math.prod(map(len, self.options))


@dataclass(frozen=True)
class Combination:
    """A block for each place of a net.

    Attributes:
        net: IRI of the net.
        label: its name.
        options: what stands at each place.
    """

    net: str
    label: str
    options: tuple[Option, ...]

    @property
    def blocks(self) -> tuple[str, ...]:
        """IRIs of the blocks, place by place; empty where none stands."""
        return tuple(one.block for one in self.options)

    @property
    def deviation(self) -> float:
        """That of the block that fits worst."""
        return max((one.deviation for one in self.options), default=0.0)

    @property
    def name(self) -> str:
        """Net and formulas."""
        return "_".join([self.label, *(one.label for one in self.options if one.block)])


Rank = tuple[float, float, tuple[str, ...], str]


def _rank(places: Places, chosen: Sequence[int]) -> Rank:
    """Return by what combinations are sorted; it grows with each of the numbers chosen.

    First how far the block that fits worst lies off, then all together, then the names.
    """
    options = [of[number] for of, number in zip(places.options, chosen, strict=True)]
    apart = [one.deviation for one in options]
    names = (places.label, *(one.label for one in options))
    return max(apart, default=0.0), math.fsum(apart), names, places.net


def best_first(nets: Collection[Places]) -> Iterator[Combination]:
    """Iterate over the combinations of all nets, that which fits best first.

    Of equal rank is only what has equal names on one net; such come in order of their IRIs.
    """
    waiting: list[tuple[Rank, tuple[str, ...], int, tuple[int, ...]]] = []
    every = sorted(nets, key=lambda one: (one.label, one.net))
    seen: list[set[tuple[int, ...]]] = [set() for _ in every]

    def put(number: int, chosen: tuple[int, ...]) -> None:
        places = every[number]
        inside = all(n < len(of) for n, of in zip(chosen, places.options, strict=True))
        if inside and chosen not in seen[number]:
            seen[number].add(chosen)
            blocks = tuple(of[n].block for n, of in zip(chosen, places.options, strict=True))
            heapq.heappush(waiting, (_rank(places, chosen), blocks, number, chosen))

    for number, places in enumerate(every):
        if places.options:
            put(number, (0,) * len(places.options))
    while waiting:
        _, _, number, chosen = heapq.heappop(waiting)
        places = every[number]
        options = tuple(of[n] for n, of in zip(chosen, places.options, strict=True))
        yield Combination(places.net, places.label, options)
        for place in range(len(chosen)):
            put(number, (*chosen[:place], chosen[place] + 1, *chosen[place + 1 :]))
