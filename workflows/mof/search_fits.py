"""How far a block is, at most, from a figure that it has never been compared with.

How far two sets of directions are apart after the best rotation and numbering is a distance in the
sense of geometry: by another figure, or another block, the way is never shorter. So where a block
has one role, and another block has that role and a further one, the first has that further role
too, and the sum of the deviations along such a chain bounds its own. The best chain is a shortest
path between blocks and figures; a path in SPARQL tells that there is one, not how long it is.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Chain:
    """Why a block fits a figure.

    Attributes:
        rmsd: how far it is from that, at most.
        by: IRIs from the figure to the block: figure, block, figure, …, block.
    """

    rmsd: float
    by: tuple[str, ...]

    @property
    def measured(self) -> bool:
        """Whether the block itself was compared with the figure."""
        return len(self.by) == 2


class Roles:
    """Which blocks fit which figures, as far as what was compared says so.

    Args:
        fits: how far blocks are from figures, by the IRIs of both.
        limit: how far a block may be from a figure.
    """

    def __init__(self, fits: Mapping[tuple[str, str], float], limit: float) -> None:
        self._limit = limit
        self._near: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for (block, figure), rmsd in fits.items():
            if rmsd <= limit:
                self._near[block].append((figure, rmsd))
                self._near[figure].append((block, rmsd))
        self._known: dict[str, dict[str, Chain]] = {}

    def of(self, figure: str) -> Mapping[str, Chain]:
        """Return the blocks that fit a figure, by their IRIs."""
        if figure not in self._known:
            self._known[figure] = dict(self._from(figure))
        return self._known[figure]

    def _from(self, figure: str) -> Iterator[tuple[str, Chain]]:
        """Iterate over the blocks in order of their distance."""
        done: set[str] = set()
        waiting: list[tuple[float, int, tuple[str, ...]]] = [(0.0, 1, (figure,))]
        while waiting:
            far, length, path = heapq.heappop(waiting)
            here = path[-1]
            if here in done:
                continue
            done.add(here)
            if length % 2 == 0:
                yield here, Chain(far, path)
            for other, rmsd in self._near[here]:
                if other not in done and far + rmsd <= self._limit:
                    heapq.heappush(waiting, (far + rmsd, length + 1, (*path, other)))
