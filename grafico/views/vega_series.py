"""Lines, sticks and points of a chart, against one axis or two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from workflows.show.blocks import Axis, Chart
from workflows.text.safe_text import on_one_line

from .chart_data import Drawn, Point, named, told
from .vega_axes import (
    HEIGHT,
    INK,
    SERIES,
    SOFT,
    WIDTH,
    Extent,
    Spec,
    below,
    beside,
    extent,
    text_layer,
)

LABELS, WORTH, APART = 6, 0.05, 46.0
"""Sticks that are labelled at most, with at least this share of the tallest, pixels apart."""

GAP = 4.0
"""Pixels between a label and what it stands above."""


def layers_of(chart: Chart, shown: Sequence[Drawn]) -> Iterator[Spec]:
    """Draw series against the axes of the chart, and those with an own second axis against that."""
    kinds = {one.series.kind for one in shown}
    places = [point.x for one in shown for point in one.points]
    pad = _beside(places, chart.x)
    across = extent(places, chart.x, WIDTH, nice="line" not in kinds, pad=pad)
    second = next((one.series.axis for one in shown if one.series.axis), None)
    colour = coloured(shown, several=sum(bool(one.label) for one in shown) > 1)
    room = 18 if "sticks" in kinds else 0
    tops: list[tuple[float, float]] = []
    for own in (None, *([second] if second else [])):
        ours = [one for one in shown if (one.series.axis is None) == (own is None)]
        up = _upright(ours, own or chart.y, room, own is not None)
        tops += [
            (across.at(point.x), up.at(point.y, down=True))
            for one in ours
            if one.series.kind == "line"
            for point in one.points
        ]
        layers = [_frame(across, up, right=own is not None)]
        for kind in ("line", "sticks", "points"):
            for one in ours:
                if one.series.kind == kind:
                    layers += _series(chart, one, across, up, colour, tops)
        layers += beside(up, right=own is not None) if up.axis.ticks else ()
        layers += below(across, HEIGHT) if across.axis.ticks and own is None else ()
        if own is None and chart.above is not None:
            layers += _above(chart.above, across)
        if not shown:
            layers.append(
                text_layer([{"x": WIDTH / 2, "y": HEIGHT / 2, "text": "nothing to draw"}])
            )
        yield {"layer": layers}


def _beside(places: Iterable[float], axis: Axis) -> float:
    """Return what is shown beyond the first and the last of things that stand side by side."""
    ticks = sorted(place for place, _ in axis.ticks)
    if len(ticks) < 2 or not set(places) <= set(ticks):
        return 0.0
    return min(after - before for before, after in pairwise(ticks)) / 2


def _upright(ours: Sequence[Drawn], axis: Axis, room: float, own: bool) -> Extent:
    values = [point.y for one in ours for point in one.points]
    low, high = min(values, default=0.0), max(values, default=0.0)
    if own or any(one.series.kind == "sticks" for one in ours) or 0 < low < 0.5 * high:
        values += [0.0]
    return extent(values, axis, HEIGHT, nice=True, room=room)


def _frame(across: Extent, up: Extent, *, right: bool) -> Spec:
    """Return the axes, which stand there though nothing is drawn."""
    x = across.drawn(titlePadding=34 if across.axis.ticks else 10)
    y = up.drawn(orient="right" if right else "left", titlePadding=60 if up.axis.ticks else 12)
    return {
        "data": {"values": [{"x": across.low, "y": up.low}]},
        "mark": {"type": "point", "opacity": 0, "size": 0},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "scale": across.scale, "axis": x},
            "y": {"field": "y", "type": "quantitative", "scale": up.scale, "axis": y},
        },
    }


def coloured(shown: Sequence[Drawn], *, several: bool) -> Spec:
    """Return how series are told apart: by name, with a legend, if there are several of them."""
    if not several:
        return {"color": {"value": SERIES[0]}}
    names = list(dict.fromkeys(one.label for one in shown))
    dashed = {one.label for one in shown if one.series.dashed}
    stroked = any(one.series.kind != "points" for one in shown)
    legend: Spec = {
        "values": [name for name in names if name],
        "symbolType": "stroke" if stroked else "circle",
    }
    colours = [SERIES[n % len(SERIES)] for n in range(len(names))]
    by_name: Spec = {
        "color": {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": names, "range": colours},
            "legend": legend,
        }
    }
    if dashed and stroked:
        by_name["strokeDash"] = {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": names, "range": [[5, 3] if n in dashed else [1, 0] for n in names]},
            "legend": legend,
        }
    return by_name


def _series(
    chart: Chart,
    one: Drawn,
    x: Extent,
    y: Extent,
    colour: Spec,
    tops: Sequence[tuple[float, float]],
) -> Iterator[Spec]:
    rows = [
        {"n": n, "x": point.x, "y": point.y, "series": one.label,
         "told": told(point, chart.x, y.axis)}
        for n, point in enumerate(one.points)
    ]  # fmt: skip
    dashes: Spec = (
        {"strokeDash": [5, 3]} if one.series.dashed and "strokeDash" not in colour else {}
    )
    places: Spec = {
        "x": {"field": "x", "type": "quantitative", "scale": x.scale},
        "y": {"field": "y", "type": "quantitative", "scale": y.scale},
    }
    said: Spec = {"description": {"field": "told", "type": "nominal"}}
    kind = one.series.kind
    if kind == "line" and len(rows) > 1:
        mark: Spec = {"type": "line", "strokeWidth": 1.8, **dashes}
        order = {"field": "n", "type": "quantitative"}
        rows = [{name: row[name] for name in ("n", "x", "y", "series")} for row in rows]
        yield {
            "data": {"values": rows},
            "mark": mark,
            "encoding": {**places, **colour, "order": order},
        }
    elif kind == "sticks":
        yield from _sticks(one, rows, x, y, {**places, **said}, colour, dashes, tops)
    else:
        only = {name: how for name, how in colour.items() if name == "color"}
        yield {
            "data": {"values": rows},
            "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1, "aria": True},
            "encoding": {**places, **only, **said},
        }


def _sticks(
    one: Drawn,
    rows: Sequence[Spec],
    x: Extent,
    y: Extent,
    places: Spec,
    colour: Spec,
    dashes: Spec,
    tops: Sequence[tuple[float, float]],
) -> Iterator[Spec]:
    """Draw sticks from zero; those too short to be seen are short and grey below it.

    Labels stand above them, and above what lines (pixels `tops`) there are below the label.
    """
    zero: Spec = {"datum": 0}
    seen = [row for row in rows if abs(y.pixels(row["y"]) - y.pixels(0.0)) >= 1]
    yield {
        "data": {"values": seen},
        "mark": {"type": "rule", "strokeWidth": 1.8, "aria": True, **dashes},
        "encoding": {**places, **colour, "y2": zero},
    }
    if len(seen) < len(rows):
        yield {
            "data": {"values": [row for row in rows if row not in seen]},
            "mark": {"type": "rule", "strokeWidth": 1.5, "y2Offset": 6, "aria": True},
            "encoding": {**places, "y": {**zero, "scale": y.scale}, "y2": zero,
                         "color": {"value": SOFT}},
        }  # fmt: skip
    labels: list[Spec] = []
    for point in labelled(one.points, x):
        here, top = x.at(point.x), y.at(point.y, down=True)
        top = min([top, *(up for at, up in tops if abs(at - here) < APART / 2)])
        labels.append({"x": here, "y": top - GAP, "text": on_one_line(point.label)})
    if labels:
        yield text_layer(labels, baseline="bottom", fill=INK, fontWeight="bold")


def labelled(points: Iterable[Point], x: Extent) -> Iterator[Point]:
    """Iterate over the strongest sticks, none of whose labels hides another."""
    ranked = sorted(points, key=lambda point: point.y, reverse=True)[: 40 * LABELS]
    tallest, taken = ranked[0].y if ranked else 0.0, list[float]()
    for point in ranked:
        here = x.at(point.x)
        free = len(taken) < LABELS and all(abs(here - other) > APART for other in taken)
        if free and point.label and point.y >= WORTH * tallest > 0:
            taken.append(here)
            yield point


def _above(axis: Axis, across: Extent) -> Iterator[Spec]:
    """Draw the first axis read in another unit, above."""
    places = [
        {"x": across.at(place), "y": 0, "text": on_one_line(text)}
        for place, text in axis.ticks
        if across.low <= place <= across.high
    ]
    ends: Spec = {"y": {"value": 0}, "color": {"value": SOFT}}
    yield {
        "data": {"values": [{}]},
        "mark": "rule",
        "encoding": {**ends, "x": {"value": 0}, "x2": {"value": WIDTH}},
    }
    x: Spec = {"field": "x", "type": "quantitative", "scale": None}
    yield {
        "data": {"values": places},
        "mark": "rule",
        "encoding": {**ends, "x": x, "y2": {"value": -5}},
    }
    yield text_layer(places, dy=-13)
    yield text_layer([{"x": WIDTH / 2, "y": -32, "text": named(axis)}])
