"""What is many is shared out among few jobs, by how long each piece is thought to take."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from ..request.definition import Piece
from ..runners.cluster import Cluster

WELL = 1 / 3
"""Of its walltime that a part is to fill at most: estimates are right within a factor."""


def shared_out(pieces: Sequence[Piece], cluster: Cluster) -> list[list[str]]:
    """Return the keys of each part: as few parts as are worth a job each, with alike much to do.

    The longest pieces come first, each to the part that has the least to do.
    """
    parts: list[list[str]] = [[] for _ in range(_number(pieces, cluster))]
    loads = [(0.0, at) for at in range(len(parts))]
    for piece in sorted(pieces, key=lambda one: -one.seconds):
        load, at = loads[0]
        parts[at] += piece.keys
        heapq.heapreplace(loads, (load + piece.seconds, at))
    return parts


def _number(pieces: Sequence[Piece], cluster: Cluster) -> int:
    whole = sum(piece.seconds for piece in pieces) / cluster.cores
    each = min(cluster.part_minutes * 60, cluster.hours * 3600 * WELL)
    most = min(cluster.parts, len(pieces))
    return max(1, most if whole >= each * most else math.ceil(whole / each))
