"""Axes of charts as Vega-Lite has them: which values are shown, and what stands beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from workflows.show.blocks import Axis
from workflows.text.safe_text import on_one_line

from .chart_data import named
from .numbers import RAISED

Spec: TypeAlias = dict[str, Any]

WIDTH, HEIGHT = 470, 220
"""Pixels between the axes; a chart of levels is half as high again."""

COLOURS = {
    "accent": "#0d5f86",
    "good": "#1c7a4a",
    "warn": "#9a6200",
    "bad": "#b3261e",
    "ink": "#1d2329",
    "soft": "#5b6570",
}
"""Colours of what is drawn, by the names that a page has for them: it may have others (dark)."""

SERIES = tuple(COLOURS.values())[:5]
SOFT, INK = COLOURS["soft"], COLOURS["ink"]

LETTER = 7.5
"""Pixels that a letter takes."""

TICKS = 6
"""Numbers at an axis, about."""


def _raised() -> str:
    """Return Vega's expression for a tick's label with its power of ten raised."""
    power = "split(datum.label, 'e')[1]"
    for digit, small in {"\\+": "", **RAISED}.items():
        power = f"replace({power}, /{digit}/g, '{small}')"
    return f"datum.value === 0 ? '0' : split(datum.label, 'e')[0] + '×10' + {power}"


@dataclass(frozen=True)
class Extent:
    """Values of an axis that are shown, from `low` to `high`.

    Attributes:
        axis: what is measured.
        low: the least.
        high: the greatest.
        size: pixels of the axis.
        whole: whether nothing but whole numbers is counted.
    """

    axis: Axis
    low: float
    high: float
    size: int
    whole: bool

    def pixels(self, value: float) -> float:
        """Return how far from the low end a value is, in pixels."""
        return (value - self.low) / (self.high - self.low) * self.size

    def at(self, value: float, *, down: bool = False) -> float:
        """Return the pixel of a value, from the left or, if so, from above."""
        return self.size - self.pixels(value) if self.axis.reversed != down else self.pixels(value)

    @property
    def scale(self) -> Spec:
        """How values become pixels."""
        return {
            "domain": [self.low, self.high],
            "nice": False,
            "zero": False,
            "reverse": self.axis.reversed,
        }

    def drawn(self, **more: Any) -> Spec:
        """Return the axis as it is drawn."""
        axis: Spec = {"title": named(self.axis) or None, **more}
        size = max(abs(self.low), abs(self.high))
        if self.axis.ticks:
            axis |= {
                "values": [place for place, _ in self.axis.ticks],
                "labels": False,
                "labelOverlap": False,
            }
        elif not 1e-3 <= size < 1e6:
            axis |= {"format": "~e", "labelExpr": _raised()}
        elif self.whole and self.high - self.low <= 2 * TICKS:
            places = range(math.ceil(self.low), math.floor(self.high) + 1)
            axis |= {"values": [*places], "format": "d"}
        return axis


def extent(
    values: Sequence[float], axis: Axis, size: int, *, nice: bool, pad: float = 0.0, room: float = 0
) -> Extent:
    """Return what is shown of an axis.

    Args:
        values: what is drawn.
        axis: what they are.
        size: pixels of the axis.
        nice: whether it goes on to round numbers.
        pad: shown beyond the values on both sides.
        room: pixels kept free beyond the highest.
    """
    places = [*values, *(place for place, _ in axis.ticks)]
    places += [] if axis.reach is None else [axis.reach]
    low = min(places, default=0.0) - pad
    high = max(places, default=1.0) + pad
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        half = 0.5 * abs(low) or 0.5
        low, high = low - half, high + half
    high += (high - low) * room / (size - room)
    whole = bool(values) and all(value == int(value) for value in values if abs(value) < 1e9)
    if nice and not axis.ticks:
        power = 10.0 ** math.floor(math.log10((high - low) / TICKS))
        step = next(n * power for n in (1, 2, 5, 10) if (high - low) / (n * power) <= TICKS)
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return Extent(axis, low, high, size, whole)


def text_layer(values: Sequence[Spec], **mark: Any) -> Spec:
    """Return texts at pixels `x` and `y`, from the left and from above."""
    return {
        "data": {"values": list(values)},
        "mark": {"type": "text", **mark},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "scale": None},
            "y": {"field": "y", "type": "quantitative", "scale": None},
            "text": {"field": "text", "type": "nominal"},
        },
    }


def below(across: Extent, height: int) -> Iterator[Spec]:
    """Write what stands at ticks that have texts, below; aslant where there is no room."""
    rows = [
        {"x": across.at(place), "y": height + 18, "text": on_one_line(text)}
        for place, text in across.axis.ticks
    ]
    places = sorted(across.pixels(place) for place, _ in across.axis.ticks)
    room = min((after - before for before, after in pairwise(places)), default=WIDTH)
    longest = max((len(on_one_line(text)) for _, text in across.axis.ticks), default=0)
    if LETTER * longest > room:
        yield text_layer(rows, align="right", angle=-30, limit=180)
    else:
        yield text_layer(rows)


def beside(up: Extent, *, right: bool = False) -> Iterator[Spec]:
    """Write what stands at ticks that have texts, at one side."""
    rows = [
        {
            "x": WIDTH + 8 if right else -8,
            "y": up.at(place, down=True),
            "text": on_one_line(text),
        }
        for place, text in up.axis.ticks
    ]
    yield text_layer(rows, align="left" if right else "right")
