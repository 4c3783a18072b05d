"""How an estimate is corrected by what like calculations took, and how far it is right then.

An estimate says that it is right within a factor: nine times of ten, as it is taken here. What it
is off by has a part that like calculations share (the processor, the level, what was counted
wrongly) and one of each alone (the number of cycles and steps). Before anything was measured, half
of the variance is thought to be of either kind. Both are then learnt from the logarithms of
measured times over estimated ones, with normal distributions: the mean of the shared part is drawn
from 0 towards that of what was measured, the more the more was measured; so is the spread.

What is alike counts more: each measurement has a weight, and estimates that are far off in size
have little, so that a size that grows faster than was thought spoils only what is near. What takes
less than a second counts as a second: that is mostly start and end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NINE_OF_TEN = 1.645
"""Standard deviations on either side within which nine of ten lie."""

NEAR = math.log(5.0)
"""How far apart estimates are, as a logarithm, of which one still tells of the other."""

BELIEVED = 3.0
"""Measurements whose spread counts as much as the one that was thought before."""

MOMENT = 1.0
"""s. What takes less is mostly start and end, whatever is computed: it counts as this, and what was
thought to take less, too, and did, says nothing."""

LEAST = 1.25
"""Factor within which no estimate is said to be right: other programs compute beside it."""


@dataclass(frozen=True)
class Past:
    """What a calculation took.

    Attributes:
        thought: s that it would have been estimated to take before anything was measured.
        took: s.
        weight: how like it is to what is to be estimated, from 0 to 1, its size apart.
    """

    thought: float
    took: float
    weight: float = 1.0


@dataclass(frozen=True)
class Lesson:
    """What to make of an estimate.

    Attributes:
        times: by which it is to be multiplied.
        factor: within which it is right then.
        measured: measurements that it rests on, each counted by its weight.
    """

    times: float
    factor: float
    measured: float


def learn(thought: float, factor: float, past: Sequence[Past]) -> Lesson:
    """Return what to make of an estimate, by what like calculations took.

    Args:
        thought: the estimate, in s.
        factor: within which it is right if nothing was measured.
        past: what was measured.
    """
    alike = [one for one in past if one.weight > 0 and max(one.thought, one.took) > MOMENT]
    alike = [one for one in alike if one.thought > 0 and one.took > 0]
    if thought <= 0 or not alike:
        return Lesson(1.0, factor, 0.0)
    half = (math.log(factor) / NINE_OF_TEN) ** 2 / 2
    weights = [
        one.weight * math.exp(-0.5 * (math.log(one.thought / thought) / NEAR) ** 2) for one in alike
    ]
    off = [math.log(max(one.took, MOMENT) / max(one.thought, MOMENT)) for one in alike]
    many = sum(weights)
    shared = sum(w * x for w, x in zip(weights, off, strict=True)) / (many + 1)
    spread = sum(w * (x - shared) ** 2 for w, x in zip(weights, off, strict=True))
    own = (BELIEVED * half + spread) / (BELIEVED + many)
    wide = math.sqrt(own + max(own, half / (many + 1)) / (many + 1))
    return Lesson(math.exp(shared), max(LEAST, math.exp(NINE_OF_TEN * wide)), many)
