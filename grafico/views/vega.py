"""Charts as Vega-Lite specifications: the one place that says how a chart looks.

A specification is data and words of ours. Texts of others stand among the values, titles and
domains alone, none of which Vega reads as an expression, a link or an address.
"""

from __future__ import annotations

import textwrap

from workflows.show.blocks import Chart
from workflows.text.safe_text import on_one_line

from .chart_data import drawn, heading
from .vega_axes import HEIGHT, INK, SOFT, TICKS, WIDTH, Spec
from .vega_levels import levels
from .vega_series import layers_of

FONT = "Grafico Sans"
"""The font that comes with Grafico; see `fonts`."""

ENTRIES = 12
"""Names in a legend; the others are counted."""

SIZE = 13
"""Pixels of letters."""


def specification(chart: Chart, *, titled: bool = True) -> Spec:
    """Return a chart as a Vega-Lite specification.

    Args:
        chart: what is drawn.
        titled: whether its title and note stand above it, as where nothing else says them.
    """
    shown = drawn(chart)
    if any(one.series.kind == "levels" for one in shown):
        layers, height = levels(chart, [one for one in shown if one.series.kind == "levels"])
    else:
        layers, height = list(layers_of(chart, shown)), HEIGHT
    whole: Spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": heading(chart),
        "width": WIDTH,
        "height": height,
        "layer": layers,
        "config": config(56 if chart.above else 10),
    }
    if height != HEIGHT:  # a narrow screen has larger letters, which need not be cut
        whole["padding"] = {"left": 5, "top": 5, "bottom": 5, "right": 45}
    if len(layers) > 1:
        whole["resolve"] = {"scale": {"y": "independent"}}
    if titled:
        whole["title"] = {
            "text": textwrap.wrap(heading(chart), 70)[:3],
            "subtitle": textwrap.wrap(on_one_line(chart.note), 84)[:4],
        }
    return whole


def config(above: int) -> Spec:
    """Return what all charts have in common.

    Args:
        above: pixels between the axes and a legend.
    """
    axis = {f"{part}Color": SOFT for part in ("domain", "tick", "label", "title")}
    return {
        "font": f"{FONT}, DejaVu Sans, sans-serif",
        "background": "#ffffff",
        "view": {"stroke": None},
        "mark": {"aria": False},
        "axis": {
            **axis,
            "grid": False,
            "labelFontSize": SIZE,
            "titleFontSize": SIZE,
            "titleFontWeight": "normal",
            "titlePadding": 12,
            "labelLimit": 160,
            "titleLimit": WIDTH,
            "tickCount": TICKS,
            "labelSeparation": 6,
        },
        "axisX": {"labelFlush": False},
        "legend": {
            "orient": "top",
            "title": None,
            "labelFontSize": SIZE,
            "labelColor": SOFT,
            "labelLimit": 200,
            "symbolLimit": ENTRIES,
            "symbolStrokeWidth": 1.8,
            "columns": 3,
            "columnPadding": 28,
            "offset": above,
        },
        "text": {"fontSize": SIZE, "fill": SOFT},
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": INK,
            "fontSize": 15,
            "fontWeight": "bold",
            "subtitleColor": SOFT,
            "subtitleFontSize": SIZE - 1,
            "offset": 12,
        },
        # numbers with a real minus, and no comma in a wavenumber
        "locale": {
            "number": {
                "decimal": ".",
                "thousands": "",
                "grouping": [3],
                "currency": ["", ""],
                "minus": "−",
            }
        },
    }
