"""Levels of a chart: a column at each place across, those of like height side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from workflows.show.blocks import Chart
from workflows.text.safe_text import on_one_line

from .chart_data import Drawn, Point, named
from .numbers import number
from .vega_axes import COLOURS, HEIGHT, INK, SERIES, WIDTH, Extent, Spec, beside, extent, text_layer

LINE, NEAR, LETTER = 17.0, 3.0, 7.8
"""Pixels between labels, between levels of several names beyond which they need not stand side by
side, and of a letter."""

ARROW = "M0,1L0,-1M-0.45,-0.5L0,-1L0.45,-0.5"
"""An electron of spin up."""


@dataclass(frozen=True)
class Level:
    """A level with its place: pixels from the left, whether it is dashed, and of which series."""

    point: Point
    left: float
    length: float
    colour: str
    dashed: bool
    series: tuple[int, ...] = ()

    @property
    def middle(self) -> float:
        """Pixels from the left to its middle."""
        return self.left + self.length / 2


def levels(chart: Chart, shown: Sequence[Drawn]) -> tuple[list[Spec], int]:
    """Return the layers of a chart of levels, and its height in pixels."""
    height = HEIGHT * 3 // 2
    names = _named(shown)
    points = [point for one in shown for point in one.points]
    across = extent([one.x for one in points], chart.x, WIDTH, nice=False, pad=0.5)
    # where levels stand side by side measures nothing, unless that has a name
    measured = bool(named(chart.x) and not chart.x.ticks)
    up = extent([one.y for one in points], chart.y, height, nice=True)
    places = sorted({one.x for one in points})
    longest = max(len(_said(point, names.get(n, ""))) for n, one in enumerate(shown)
                  for point in one.points)  # fmt: skip
    between = abs(across.at(1.0) - across.at(0.0))
    column = min([between, *(abs(across.at(b) - across.at(a)) for a, b in pairwise(places))])
    text = LETTER * min(longest, 24) + 10
    room = max(30.0, min(column - text, 170.0))
    placed: list[Level] = []
    labels: list[Spec] = []
    for place in places:
        left = max(across.at(place) - (room + text) / 2, 4.0)
        here = [
            (replace(point, label=point.label or names.get(n, "")), n, one)
            for n, one in enumerate(shown)
            for point in one.points
            if point.x == place
        ]
        here.sort(key=lambda level: level[0].y)
        column_levels = list(_column(here, left, room, up, bool(names)))
        placed += column_levels
        beyond = max(one.left + one.length for one in column_levels) + 6
        labels += _labels([one.point for one in column_levels], beyond, up)
    y: Spec = {"field": "y", "type": "quantitative", "scale": up.scale}
    frame: Spec = {
        "data": {"values": [{"x": across.low, "y": up.low}]},
        "mark": {"type": "point", "opacity": 0, "size": 0},
        "encoding": {
            "x": {
                "field": "x",
                "type": "quantitative",
                "scale": across.scale,
                "axis": across.drawn() if measured else None,
            },
            "y": {**y, "axis": up.drawn(titlePadding=60 if chart.y.ticks else 12)},
        },
    }
    joined = [n for n, one in enumerate(shown) if one.series.joined]
    layers = [frame, *_joints(placed, joined, y), *_lines(placed, y), *_electrons(placed, y)]
    if joined:  # labels stand in front of dotted lines
        layers.append(text_layer(labels, align="left", stroke="#ffffff", strokeWidth=5))
    for strong in (True, False):
        rows = [row for row in labels if row["strong"] is strong]
        how: Spec = {"fill": INK, "fontWeight": "bold"} if strong else {}
        layers.append(text_layer(rows, align="left", **how))
    layers += beside(up) if chart.y.ticks else ()
    steps = [
        {
            "x": max(across.at(place) - text / 2, 4 + room / 2),
            "y": height + 18,
            "text": on_one_line(said),
        }
        for place, said in chart.x.ticks
    ]
    layers.append(text_layer(steps))
    return [{"layer": layers}], height


def _named(shown: Sequence[Drawn]) -> dict[int, str]:
    """Return what each level of a series is called, where levels have no names of their own."""
    if any(any(one.series.labels) for one in shown):
        return {}
    names = {n: one.label for n, one in enumerate(shown) if one.label}
    return names if len(names) > 1 else {}


def _column(
    here: Sequence[tuple[Point, int, Drawn]], left: float, room: float, up: Extent, named: bool
) -> Iterator[Level]:
    near, groups = NEAR if named else LINE, list[list[tuple[Point, int, Drawn]]]()
    for one in here:
        if groups and abs(up.pixels(groups[-1][0][0].y) - up.pixels(one[0].y)) < near:
            groups[-1].append(one)
        else:
            groups.append([one])
    for group in groups:
        first, _, one = group[0]
        if one.series.joined and len(group) > 1 and len({point.y for point, _, _ in group}) == 1:
            length, every = min(64.0, room), tuple(n for _, n, _ in group)  # such as all zeros
            point = replace(first, label="")
            yield Level(point, left + (room - length) / 2, length, INK, False, every)
            continue
        gaps = 8.0 * (len(group) - 1)
        length = max(2.0, min(64.0, (room - gaps) / len(group)))
        start = left + (room - length * len(group) - gaps) / 2
        for rank, (point, n, one) in enumerate(group):
            colour = SERIES[n % len(SERIES)] if named else COLOURS["accent"]
            place = start + rank * (length + 8)
            yield Level(point, place, length, colour, one.series.dashed, (n,))


def _joints(placed: Sequence[Level], joined: Sequence[int], y: Spec) -> Iterator[Spec]:
    """Join the levels of a series by dotted lines."""
    for n in joined:
        own = sorted((one for one in placed if n in one.series), key=lambda one: one.point.x)
        rows = [
            {"x": one.left + one.length, "x2": two.left, "y": one.point.y, "y2": two.point.y}
            for one, two in pairwise(own)
            if one.point.x < two.point.x
        ]
        if rows:
            x: Spec = {"field": "x", "type": "quantitative", "scale": None}
            yield {
                "data": {"values": rows},
                "mark": {"type": "rule", "strokeWidth": 1, "strokeDash": [2, 3]},
                "encoding": {
                    "x": x,
                    "x2": {"field": "x2"},
                    "y": y,
                    "y2": {"field": "y2"},
                    "color": {"value": SERIES[n % len(SERIES)]},
                },
            }


def _lines(placed: Sequence[Level], y: Spec) -> Iterator[Spec]:
    for dashed in (False, True):
        for colour in dict.fromkeys(one.colour for one in placed):
            rows = [
                {
                    "x": one.left,
                    "x2": one.left + one.length,
                    "y": one.point.y,
                    "told": " ".join(
                        filter(None, [on_one_line(one.point.label), number(one.point.y),
                                      on_one_line(one.point.mark)])
                    ),
                }
                for one in placed
                if one.dashed is dashed and one.colour == colour
            ]  # fmt: skip
            if rows:
                dashes: Spec = {"strokeDash": [5, 3]} if dashed else {}
                yield {
                    "data": {"values": rows},
                    "mark": {"type": "rule", "strokeWidth": 2, "aria": True, **dashes},
                    "encoding": {
                        "x": {"field": "x", "type": "quantitative", "scale": None},
                        "x2": {"field": "x2"},
                        "y": y,
                        "color": {"value": colour},
                        "description": {"field": "told", "type": "nominal"},
                    },
                }


def _electrons(placed: Sequence[Level], y: Spec) -> Iterator[Spec]:
    """Draw electrons as arrows, and what else stands on a level as its text."""
    spins = {"↑": list[Spec](), "↓": list[Spec]()}
    words: list[Spec] = []
    for one in placed:
        mark = one.point.mark
        if mark and set(mark) <= set(spins):
            for rank, spin in enumerate(mark[:4]):
                at = one.middle + (rank - (len(mark[:4]) - 1) / 2) * 8
                spins[spin].append({"x": at, "y": one.point.y})
        elif mark:
            words.append({"x": one.middle, "y": one.point.y, "text": on_one_line(mark)})
    for spin, rows in spins.items():
        if rows:
            yield {
                "data": {"values": rows},
                "mark": {"type": "point", "shape": ARROW, "size": 240, "stroke": INK,
                         "strokeWidth": 1.2, "filled": False, "opacity": 1,
                         "angle": 0 if spin == "↑" else 180},
                "encoding": {"x": {"field": "x", "type": "quantitative", "scale": None}, "y": y},
            }  # fmt: skip
    if words:
        layer = text_layer(words, dy=-8)
        layer["encoding"]["y"] = y
        yield layer


def _labels(points: Sequence[Point], x: float, up: Extent) -> Iterator[Spec]:
    """Write labels and values beside levels, none over another.

    Those with a label make room for each other, the others stand where there is some.
    """
    taken: dict[float, str] = {}
    for point in sorted(points, key=lambda one: (not one.label, one.y)):
        height, said = up.pixels(point.y), _said(point)
        if said in taken.values():
            continue
        # a sum of heights is rounded: one that is moved by a line is a line away, or nearly so
        while near := [one for one in taken if abs(height - one) < LINE - 1e-6]:
            if not point.label:
                break
            height = max(near) + LINE
        else:
            taken[height] = said
            yield {"x": x, "y": up.size - height, "text": said, "strong": bool(point.label)}


def _said(point: Point, label: str = "") -> str:
    return f"{on_one_line(point.label or label)} {_fixed(point.y)}".strip()


def _fixed(value: float) -> str:
    size = abs(value)
    return number(value, ".2f" if 0.1 <= size < 1e5 or not value else "")
