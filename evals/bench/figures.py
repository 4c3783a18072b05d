"""A figure of the benchmark, and how its numbers are taken."""

from __future__ import annotations

import functools
import gc
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measurement beside its baseline.

    Attributes:
        name: what was measured.
        ours: what Grafico came to, a median where it was measured several times.
        baseline: the same of what it is compared with; None where nothing is.
        unit: of both.
        against: what the baseline is.
        target: what was aimed at, in words.
        met: whether it was reached; None where there is no target.
    """

    name: str
    ours: float
    baseline: float | None
    unit: str
    against: str
    target: str
    met: bool | None

    @property
    def ratio(self) -> float | None:
        """Ours as a multiple of the baseline."""
        return self.ours / self.baseline if self.baseline else None

    def as_dict(self) -> dict[str, Any]:
        """Return everything, the ratio too, for JSON."""
        return {**asdict(self), "ratio": self.ratio}


def shown(name: str, ours: float, baseline: float | None, unit: str, against: str) -> Figure:
    """Return a figure without a target."""
    return Figure(name, ours, baseline, unit, against, "shown only", None)


def speed(name: str, ours: float, baseline: float, against: str, least: float) -> Figure:
    """Return a figure of two speeds in objects/s, ours at least so many times the other."""
    target, met = f"at least {least:g} times", ours >= least * baseline
    return Figure(name, ours, baseline, "objects/s", against, target, met)


def more(name: str, ours: float, baseline: float, limit: float, unit: str, against: str) -> Figure:
    """Return a figure that should be so little above its baseline."""
    extra = ours - baseline
    target = f"under {limit:g} {unit} more (is {extra:.1f})"
    return Figure(name, ours, baseline, unit, against, target, extra < limit)


def times(name: str, ours: float, baseline: float, most: float, unit: str, against: str) -> Figure:
    """Return a figure that should be at most so many times its baseline."""
    target = f"at most {most:g} times"
    return Figure(name, ours, baseline, unit, against, target, ours <= most * baseline)


def below(
    name: str, ours: float, limit: float | None, unit: str, against: str, baseline: float | None
) -> Figure:
    """Return a figure that should stay under a limit, if there is one."""
    if limit is None:
        return shown(name, ours, baseline, unit, against)
    return Figure(name, ours, baseline, unit, against, f"under {limit:g} {unit}", ours < limit)


def milliseconds(function: Callable[[], Any]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    function()
    return (time.perf_counter() - started) * 1e3


def in_turn(times: int, *functions: Callable[[int], Any], clean: bool = False) -> list[float]:
    """Call functions in turn and return the median of each, in ms.

    Args:
        times: how often each is called, with 0, 1, 2, …
        functions: what to call.
        clean: collect garbage before each call, so that none pays for the litter of another.
    """
    columns: list[list[float]] = [[] for _ in functions]
    for step in range(times):
        for function, column in zip(functions, columns, strict=True):
            if clean:
                gc.collect()
            column.append(milliseconds(functools.partial(function, step)))
    return [statistics.median(column) for column in columns]


def say(text: str) -> None:
    """Tell on stderr what goes on."""
    print(text, file=sys.stderr, flush=True)
