"""What a batch can be shared out into, and how long each piece is thought to take."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

import numpy as np

from workflows.engine import Executor
from workflows.engine.request.cost import Granted, Priced
from workflows.engine.request.definition import Piece

from .entries import Entries

LEAST = 0.05
"""Seconds that an entry takes at least, with its structure and its record."""

TINY = 4.0**2
"""Weight of an entry of so few atoms that nobody estimates it: it is thought to take the least."""

UNKNOWN = 600.0
"""Seconds that an entry of average size is thought to take, where nothing estimates it."""


def pieces_of(
    entries: Entries,
    left: Sequence[str],
    priced: Mapping[str, Sequence[Priced]],
    executor: Executor,
) -> list[Piece]:
    """Return the pieces: the same of one subject in two spellings is computed once, so in one.

    Args:
        entries: of the batch.
        left: keys of what is to be computed, the same side by side.
        priced: what some entries consist of.
        executor: estimates them.
    """
    weights = [entries.weight(key) for key in left]
    known = _known(entries, priced, executor)
    if known:
        at = sorted(known)
        each = np.interp(weights, at, [known[one] for one in at]).tolist()
    else:
        usual = statistics.fmean(weights) if weights else 1.0
        each = [UNKNOWN * weight / usual for weight in weights]
    seconds = dict(zip(left, each, strict=True))
    pieces: list[Piece] = []
    for key in left:
        if pieces and entries.alike(pieces[-1].keys[-1], key):
            pieces[-1] = Piece((*pieces[-1].keys, key), pieces[-1].seconds)
        else:
            pieces.append(Piece((key,), seconds[key]))
    return pieces


def _known(
    entries: Entries, priced: Mapping[str, Sequence[Priced]], executor: Executor
) -> dict[float, float]:
    """Return how long entries take on one core, in s, by their weights, as far as it is known."""
    memory = executor.slots.memory / executor.slots.total_cores
    granted = Granted(1, memory, hours=0)  # also of what takes less than a minute
    found: dict[float, list[float]] = {}
    for key, parts in priced.items():
        costs = [cost for part in parts if (cost := part.cost(granted, executor)) is not None]
        if costs or entries.weight(key) <= TINY:
            seconds = max(LEAST, sum(cost.seconds for cost in costs))
            found.setdefault(entries.weight(key), []).append(seconds)
    if found:
        found.setdefault(TINY, [LEAST])
    return {weight: statistics.fmean(each) for weight, each in found.items()}
