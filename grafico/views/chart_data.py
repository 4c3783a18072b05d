"""What is drawn of a chart, and the same as a table: finite points, few enough to be seen."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from workflows.show.blocks import Axis, Chart, Column, Series, Table, Value
from workflows.text.safe_text import on_one_line
from workflows.text.words import count

from .numbers import number

LARGEST = 1e290
"""Values beyond which nothing is drawn, so that no difference of two overflows."""

MOST, TOGETHER, FEWEST = 1200, 12_000, 40
"""Points of a series that are drawn, those of all series, and those that each may have at least: of
more, the extremes of each step across are."""

SERIES = 100
"""Series that are drawn."""

LONGEST = 60
"""Letters of a name in a picture."""


@dataclass(frozen=True)
class Point:
    """A point of a series: values, label and mark."""

    x: float
    y: float
    label: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Drawn:
    """A series with the points of it that are drawn."""

    series: Series
    points: tuple[Point, ...]

    @property
    def label(self) -> str:
        """Its name in the legend."""
        return on_one_line(self.series.label)[:LONGEST]


def drawn(chart: Chart) -> list[Drawn]:
    """Return the series of which something can be drawn."""
    most = max(FEWEST, min(MOST, TOGETHER // max(len(chart.series), 1)))
    read = (Drawn(series, tuple(_points(series, most))) for series in chart.series[:SERIES])
    return [one for one in read if one.points]


def heading(chart: Chart) -> str:
    """Return the title of a chart, with how much of it is not drawn."""
    title = on_one_line(chart.title or chart.y.label or "chart")
    lost = sum(max(len(s.x), len(s.y)) - len(_finite(s)) for s in chart.series)
    notes = [f"{count(lost, 'point')} without a finite value left out"] if lost else []
    if (more := len(chart.series) - SERIES) > 0:
        notes.append(f"the first {SERIES} series of {SERIES + more}")
    return f"{title} ({'; '.join(notes)})" if notes else title


def named(axis: Axis) -> str:
    """Return what an axis measures, with its unit."""
    unit = f" / {on_one_line(axis.unit)}" if axis.unit else ""
    return f"{on_one_line(axis.label)}{unit}"


def told(point: Point, x: Axis, y: Axis) -> str:
    """Return what is told of a point."""
    label = f"{on_one_line(point.label)}: " if point.label else ""
    return f"{label}{_told(point.x, x)}, {_told(point.y, y)}"


def _told(value: float, axis: Axis) -> str:
    """Return a value with its unit, or what stands at its place on the axis."""
    places = dict(axis.ticks)
    if value in places:
        return on_one_line(places[value])
    return f"{number(value)} {on_one_line(axis.unit)}".strip()


def _finite(series: Series) -> list[Point]:
    labels = (*series.labels, *[""] * len(series.x))
    marks = (*series.marks, *[""] * len(series.x))
    return [
        Point(float(x), float(y), label, mark)
        for x, y, label, mark in zip(series.x, series.y, labels, marks, strict=False)
        if abs(x) < LARGEST and abs(y) < LARGEST
    ]


def _points(series: Series, most: int) -> list[Point]:
    """Return the finite points of a series, thinned out where there are more than can be seen."""
    points = _finite(series)
    if len(points) <= most:
        return points
    if series.kind != "line":
        points.sort(key=lambda point: point.x)
    low, high = min(point.x for point in points), max(point.x for point in points)
    wide = (high - low) / (most // 4) or 1.0
    kept: list[Point] = []
    for _, group in groupby(points, key=lambda point: int((point.x - low) / wide)):
        here = list(group)
        ends = {
            id(one): one
            for one in (here[0], min(here, key=_height), max(here, key=_height), here[-1])
        }
        kept += [point for point in here if id(point) in ends]
    # A line that runs to and fro has more groups than there are steps.
    return kept if len(kept) <= 4 * most else kept[:: len(kept) // most]


def _height(point: Point) -> float:
    return point.y


# --- as a table ----------------------------------------------------------------------------------


def as_table(chart: Chart) -> Table:
    """Return all numbers of a chart: a row for each place, a column for each series.

    A series that is drawn twice, as a line and as points, has one column. Where a series has
    several points at a place, such as orbitals, each has a row.
    """
    once = list({(one.label, one.x, one.y): one for one in chart.series}.values())
    rows: dict[tuple[float, int], dict[int, Value]] = {}
    columns = [_column(chart.x, "", "x")]
    ticks = {place: on_one_line(text) for place, text in chart.x.ticks}
    for series in once:
        here, axis = len(columns), series.axis or chart.y
        several = len(once) > 1
        columns.append(_column(axis, series.label if several else "", "y"))
        texts = {"label": series.labels, "mark": series.marks}
        texts = {name: one for name, one in texts.items() if any(one)}
        for name in texts:
            of = on_one_line(series.label) if several else ""
            columns.append(Column(f"{of}, {name}".removeprefix(", "), name=name))
        seen = Counter[float]()
        for n, (x, y) in enumerate(zip(series.x, series.y, strict=False)):
            row = rows.setdefault((x, seen[x]), {})
            seen[x] += 1
            row[here] = y
            named = {here + k: one[n] for k, one in enumerate(texts.values(), 1) if n < len(one)}
            row |= {place: on_one_line(text) for place, text in named.items()}
    if all(x in ticks for x, _ in rows):  # what has no value at its place is not passed over
        rows = {(place, 0): {} for place in ticks} | rows
    return Table(
        chart.title,
        tuple(columns),
        tuple(
            (ticks.get(x, x), *(row.get(n) for n in range(1, len(columns))))
            for (x, _), row in sorted(rows.items(), key=lambda one: one[0])
        ),
        chart.name,
        chart.iri,
    )


def _column(axis: Axis, series: str, other: str) -> Column:
    label = ", ".join(filter(None, [on_one_line(series), on_one_line(axis.label)]))
    return Column(label or other, axis.unit, name=other)


def as_csv(chart: Chart) -> str:
    """Return the numbers of a chart as CSV, with units in its first line."""
    return table_as_csv(as_table(chart))


def table_as_csv(table: Table) -> str:
    """Return a table as CSV, with units in its first line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = [f"{one.label} / {one.unit}" if one.unit else one.label for one in table.columns]
    writer.writerow(map(_cell, heads))
    writer.writerows(["" if cell is None else _cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _cell(value: Value) -> Value:
    """Return a cell; a text that a spreadsheet would compute has an apostrophe before it."""
    dangerous = isinstance(value, str) and value.startswith(("=", "+", "-", "@"))
    return f"'{value}" if dangerous else value
