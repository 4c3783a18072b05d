"""Charts as SVG: lines, sticks, points and levels, drawn from data alone.

A chart needs no script and loads nothing; texts in it are escaped. What is not finite is left out
and counted in the title that a screen reader hears.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import groupby, pairwise

from workflows.blocks import Axis, Chart, Series
from workflows.safe_text import on_one_line
from workflows.words import count

WIDTH, HEIGHT = 560, 280
"""Pixels of a chart; one of levels is half as high again."""

LEFT, FOOT = 80, 46
"""Pixels kept for the vertical axis and below the horizontal one."""

LARGEST = 1e290
"""Values beyond which nothing is drawn, so that no difference of two overflows."""

MOST = 1200
"""Points of a series that are drawn; of more, the extremes of each step across are."""

LABELS, WORTH, APART = 6, 0.05, 46.0
"""Sticks that are labelled at most, with at least this share of the tallest, pixels apart."""

LINE, BESIDE = 14.0, 122.0
"""Pixels between the labels of levels, and those kept beside a column for them."""


@dataclass(frozen=True)
class Point:
    """A point of a series: values, label and mark."""

    x: float
    y: float
    label: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` onto pixels from `start` to `end`, with ticks."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[tuple[float, str], ...]

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def draw(chart: Chart, width: int = WIDTH, height: int = 0) -> str:
    """Return a chart as an SVG element.

    Args:
        chart: what is drawn.
        width: in pixels.
        height: in pixels; 0 for what suits its kind.
    """
    levels = any(series.kind == "levels" for series in chart.series)
    height = height or (HEIGHT * 3 // 2 if levels else HEIGHT)
    series = [replace(one, axis=None) if levels else one for one in chart.series]
    read = [(one, _points(one)) for one in series]
    shown = [(one, points) for one, points in read if points]
    lost = sum(max(len(s.x), len(s.y)) - len(points) for s, points in read)
    second = next((series.axis for series, _ in shown if series.axis), None)
    named = [s for s, _ in read if s.label] if len(read) > 1 and not levels else []
    top = 24 + 18 * bool(named) + 36 * (chart.above is not None)
    floor, right = height - FOOT, width - (72 if second and second.label else 16)
    across = _scale(
        [point.x for _, points in shown for point in points],
        chart.x,
        (right, LEFT) if chart.x.reversed else (LEFT, right),
        tight=any(series.kind == "line" for series, _ in shown),
        pad=0.5 if levels else 0.0,
    )
    room = 18 if any(series.kind == "sticks" for series, _ in shown) else 0
    upright = partial(_upright, shown, floor=floor, top=top + room)
    up, beside = upright(chart.y, None), upright(second, second) if second else None
    parts = [*_frame(chart, across, up, top, floor, right, levels=levels)]
    if beside and second and second.label:
        parts += _right(second, beside, right, height)
    if not shown:
        middle = f'x="{(LEFT + right) / 2:g}" y="{(top + floor) / 2:g}"'
        parts.append(f'<text {middle} text-anchor="middle">nothing to draw</text>')
    if levels:
        parts += _levels(shown, across, up)
    order = {"line": 0, "sticks": 1, "points": 2}
    colours = list(dict.fromkeys(one.label for one, _ in shown))
    for series, points in sorted(shown, key=lambda one: order.get(one[0].kind, 3)):
        y = beside if beside and series.axis else up
        if series.kind != "levels":
            parts += _series(chart, series, points, colours.index(series.label), across, y)
    place = top - 36 * (chart.above is not None)
    parts += _legend(read, named, place) if named else []
    return _whole(chart, parts, lost, width, height)


def _whole(chart: Chart, parts: Iterable[str], lost: int, width: int, height: int) -> str:
    title = chart.title or chart.y.label or "chart"
    title += f" ({count(lost, 'point')} without a finite value left out)" if lost else ""
    right = f'x="{(width + LEFT) / 2:g}" y="{height - 7}"'
    names = f"<text {right}>{_axis(chart.x)}</text>" if _axis(chart.x) else ""
    if said := _axis(chart.y):
        names += f'<text transform="translate(14 {height / 2 - 10:g}) rotate(-90)">{said}</text>'
    return (
        f'<svg class="chart" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><title>{text(title)}</title>{"".join(parts)}'
        f'<g text-anchor="middle">{names}</g></svg>'
    )


def text(words: str) -> str:
    """Return a text as it may stand in a page."""
    return escape(on_one_line(words))


def number(value: float, digits: str = "") -> str:
    """Write a number, with a real minus and powers of ten raised.

    Args:
        value: the number.
        digits: as in `format`; empty for six significant digits.
    """
    said = format(value, digits or ",.6g")
    mantissa, _, power = said.partition("e")
    if power:
        raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        said = f"{mantissa}×10{raised}"
    elif said.lstrip("+-").strip("0.") == "":
        said = said.lstrip("+-")  # what is rounded to zero has no sign
    return said.replace("-", "−")


def _axis(axis: Axis) -> str:
    unit = f" / {text(axis.unit)}" if axis.unit else ""
    return f"{text(axis.label)}{unit}"


def _said(value: float, axis: Axis) -> str:
    """Return a value with its unit, or what stands at its place on the axis."""
    named = dict(axis.ticks)
    if value in named:
        return text(named[value])
    return f"{number(value)} {text(axis.unit)}".strip()


# --- data and scales -----------------------------------------------------------------------------


def _points(series: Series) -> list[Point]:
    """Return the finite points of a series, thinned out where there are more than can be seen."""
    labels = (*series.labels, *[""] * len(series.x))
    marks = (*series.marks, *[""] * len(series.x))
    points = [
        Point(float(x), float(y), label, mark)
        for x, y, label, mark in zip(series.x, series.y, labels, marks, strict=False)
        if abs(x) < LARGEST and abs(y) < LARGEST
    ]
    if len(points) <= MOST:
        return points
    if series.kind != "line":
        points.sort(key=lambda point: point.x)
    low, high = min(point.x for point in points), max(point.x for point in points)
    wide = (high - low) / (MOST // 4) or 1.0
    kept: list[Point] = []
    for _, group in groupby(points, key=lambda point: int((point.x - low) / wide)):
        here = list(group)
        ends = {
            id(one): one
            for one in (here[0], min(here, key=_height), max(here, key=_height), here[-1])
        }
        kept += [point for point in here if id(point) in ends]
    # A line that runs to and fro has more groups than there are steps.
    return kept if len(kept) <= 4 * MOST else kept[:: len(kept) // MOST]


def _height(point: Point) -> float:
    return point.y


def _upright(
    shown: Sequence[tuple[Series, list[Point]]],
    axis: Axis,
    own: Axis | None,
    floor: float,
    top: float,
) -> Scale:
    """Return the scale of what is drawn against an axis; `own` is None for that of the chart."""
    ours = [(series, points) for series, points in shown if (series.axis is None) == (own is None)]
    values = [point.y for _, points in ours for point in points]
    tall = any(series.kind == "sticks" for series, _ in ours) or own is not None
    low, high = min(values, default=0.0), max(values, default=0.0)
    if tall or 0 < low < 0.5 * high:
        values += [0.0]
    tight = any(series.kind in ("sticks", "line") for series, _ in ours)
    return _scale(values, axis, (top, floor) if axis.reversed else (floor, top), tight=tight)


def _scale(
    values: Sequence[float], axis: Axis, ends: tuple[float, float], *, tight: bool, pad: float = 0.0
) -> Scale:
    """Return a scale that shows values, from the first to the last of them or of round numbers."""
    named = [place for place, _ in axis.ticks]
    low = min([*values, *named], default=0.0) - pad
    high = max([*values, *named], default=1.0) + pad
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        half = 0.5 * abs(low) or 0.5
        low, high = low - half, high + half
    whole = bool(values) and all(value == int(value) for value in values if abs(value) < 1e9)
    step = _step(high - low, whole)
    if not tight and not named:
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    ticks = axis.ticks
    if not ticks:
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        places = [float(f"{index * step:.12g}") for index in range(first, last + 1)]
        ticks = tuple((place, number(place)) for place in places)
    return Scale(low, high, ends[0], ends[1], ticks)


def _step(span: float, whole: bool) -> float:
    """Return the distance of some five to eight round numbers."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    step = next(size * power for size in (1, 2, 5, 10) if span / (size * power) <= 8)
    return max(step, 1.0) if whole else step


# --- axes ----------------------------------------------------------------------------------------


def _frame(
    chart: Chart, across: Scale, up: Scale, top: float, floor: float, right: float, *, levels: bool
) -> Iterator[str]:
    below = "" if levels else f"H{right:g}"
    yield f'<path class="axis" d="M{LEFT} {top:g}V{floor:g}{below}"/>'
    for value, said in up.ticks:
        y = up(value)
        yield f'<path class="axis" d="M{LEFT - 5} {y:.1f}h5"/>'
        yield f'<text x="{LEFT - 9}" y="{y + 4:.1f}" text-anchor="end">{text(said)}</text>'
    # where levels stand side by side measures nothing, unless that has a name
    nothing = levels and not (_axis(chart.x) or chart.x.ticks)
    for value, said in () if nothing else across.ticks:
        x = across(value)
        yield "" if levels else f'<path class="axis" d="M{x:.1f} {floor:g}v5"/>'
        x -= BESIDE / 2 - 14 if levels else 0
        yield f'<text x="{x:.1f}" y="{floor + 20:g}" text-anchor="middle">{text(said)}</text>'
    if chart.above is None:
        return
    yield f'<path class="axis" d="M{LEFT} {top:g}H{right:g}"/>'
    for value, said in chart.above.ticks:
        x = across(value)
        if LEFT <= x <= right:
            yield f'<path class="axis" d="M{x:.1f} {top:g}v-5"/>'
            yield f'<text x="{x:.1f}" y="{top - 10:g}" text-anchor="middle">{text(said)}</text>'
    middle = f'x="{(LEFT + right) / 2:g}" y="{top - 28:g}"'
    yield f'<text {middle} text-anchor="middle">{_axis(chart.above)}</text>'


def _right(axis: Axis, scale: Scale, right: float, height: int) -> Iterator[str]:
    yield f'<path class="axis" d="M{right:g} {scale.end:g}V{scale.start:g}"/>'
    for value, said in scale.ticks:
        y = scale(value)
        yield f'<path class="axis" d="M{right:g} {y:.1f}h5"/>'
        yield f'<text x="{right + 9:g}" y="{y + 4:.1f}">{text(said)}</text>'
    place = f"translate({right + 64:g} {height / 2 - 10:g}) rotate(-90)"
    yield f'<text transform="{place}" text-anchor="middle">{_axis(axis)}</text>'


def _legend(
    read: Sequence[tuple[Series, list[Point]]], named: Sequence[Series], top: float
) -> Iterator[str]:
    x = LEFT + 14.0
    colours = list(dict.fromkeys(series.label for series, points in read if points))
    for series in named:
        if series.label not in colours:
            continue
        kind = _class(series, colours.index(series.label))
        label = on_one_line(series.label)[:40]
        yield f'<path class="{kind}" d="M{x:g} {top - 14:g}h18"/>'
        yield f'<text x="{x + 24:g}" y="{top - 10:g}">{text(label)}</text>'
        x += 48 + 7.2 * len(label)


def _class(series: Series, index: int) -> str:
    return f"series s{index % 5}{' dashed' if series.dashed else ''}"


# --- series --------------------------------------------------------------------------------------


def _series(
    chart: Chart, series: Series, points: Sequence[Point], index: int, across: Scale, up: Scale
) -> Iterator[str]:
    kind, axis = _class(series, index), series.axis or chart.y
    if series.kind == "sticks":
        yield from _sticks(chart, series, points, kind, across, up)
        return
    if series.kind == "line":
        line = " ".join(f"{across(one.x):.1f},{up(one.y):.1f}" for one in points)
        yield f'<polyline class="{kind}" points="{line}"/>'
    if series.kind == "points" or len(points) == 1:
        for one in points:
            said = _told(one, chart.x, axis)
            yield (
                f'<circle class="dot {kind}" cx="{across(one.x):.1f}" cy="{up(one.y):.1f}" '
                f'r="3.2"><title>{said}</title></circle>'
            )


def _told(point: Point, x: Axis, y: Axis) -> str:
    label = f"{text(point.label)}: " if point.label else ""
    return f"{label}{_said(point.x, x)}, {_said(point.y, y)}"


def _sticks(
    chart: Chart, series: Series, points: Sequence[Point], kind: str, across: Scale, up: Scale
) -> Iterator[str]:
    """Draw sticks from zero; those too short to be seen are short and grey below it."""
    axis, zero = series.axis or chart.y, up(0.0)
    for one in points:
        tall = up(one.y) - zero
        seen = abs(tall) >= 1
        shape = f"M{across(one.x):.1f} {zero:.1f}v{tall if seen else 6:.1f}"
        said = _told(replace(one, label=""), chart.x, axis)
        yield f'<path class="{kind if seen else "faint"}" d="{shape}"><title>{said}</title></path>'
    tallest = max((one.y for one in points), default=0.0)
    taken: list[float] = []
    for one in sorted(points, key=_height, reverse=True)[: 40 * LABELS]:
        here = across(one.x)
        free = len(taken) < LABELS and all(abs(here - other) > APART for other in taken)
        if free and one.label and one.y >= WORTH * tallest > 0:
            taken.append(here)
            place = f'x="{min(here, max(across.start, across.end) - 14):.1f}"'
            yield (
                f'<text class="peak" {place} y="{up(one.y) - 5:.1f}" text-anchor="middle">'
                f"{text(one.label)}</text>"
            )


# --- levels --------------------------------------------------------------------------------------


def _levels(shown: Sequence[tuple[Series, list[Point]]], across: Scale, up: Scale) -> Iterator[str]:
    """Draw levels in a column at each place across; those of like height stand side by side."""
    levels = [
        (point, _class(series, 0))
        for series, points in shown
        if series.kind == "levels"
        for point in points
    ]
    places = sorted({point.x for point, _ in levels})
    between = abs(across(1.0) - across(0.0))
    column = min([between, *(abs(across(b) - across(a)) for a, b in pairwise(places))])
    room = max(24.0, min(column - BESIDE, 170.0))
    for place in places:
        here = sorted((one for one in levels if one[0].x == place), key=lambda one: one[0].y)
        left = across(place) - (room + BESIDE) / 2 + 14
        groups: list[list[tuple[Point, str]]] = []
        for one in here:
            if groups and abs(up(groups[-1][0][0].y) - up(one[0].y)) < LINE:
                groups[-1].append(one)
            else:
                groups.append([one])
        for group in groups:
            gaps = 8.0 * (len(group) - 1)
            length = max(2.0, min(64.0, (room - gaps) / len(group)))
            start = left + (room - length * len(group) - gaps) / 2
            for rank, (point, kind) in enumerate(group):
                yield from _level(point, kind, start + rank * (length + 8), length, up)
        yield from _beside([point for point, _ in here], left + room + 6, up)


def _level(point: Point, kind: str, x: float, length: float, up: Scale) -> Iterator[str]:
    said = f"{text(point.label)} {number(point.y)} {text(point.mark)}".strip()
    y = up(point.y)
    yield f'<path class="{kind}" d="M{x:.1f} {y:.1f}h{length:.1f}"><title>{said}</title></path>'
    if point.mark and set(point.mark) <= {"↑", "↓"}:
        for rank, arrow in enumerate(point.mark[:4]):
            at = x + length / 2 + (rank - (len(point.mark[:4]) - 1) / 2) * 7
            way = 1 if arrow == "↑" else -1
            yield (
                f'<path class="spin" d="M{at:.1f} {y + 6 * way:.1f}v{-12 * way}'
                f'm-2.5 {4 * way}l2.5 {-4 * way}l2.5 {4 * way}"/>'
            )
    elif point.mark:
        middle = f'x="{x + length / 2:.1f}" y="{y - 4:.1f}"'
        yield f'<text {middle} text-anchor="middle">{text(point.mark)}</text>'


def _beside(points: Sequence[Point], x: float, up: Scale) -> Iterator[str]:
    """Write labels and values beside levels, those with a label first, none over another."""
    taken: list[float] = []
    for point in sorted(points, key=lambda one: (not one.label, one.y)):
        height = up(point.y)
        if all(abs(height - other) >= LINE for other in taken):
            taken.append(height)
            kind = ' class="peak"' if point.label else ""
            said = f"{text(point.label)} {_fixed(point.y)}".strip()
            yield f'<text{kind} x="{x:.1f}" y="{height + 4:.1f}">{said}</text>'


def _fixed(value: float) -> str:
    size = abs(value)
    return number(value, ".2f" if 0.1 <= size < 1e5 or not value else "")
