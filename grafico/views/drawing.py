"""Charts as pictures: SVG for a page, and files.

They are drawn in a process of its own, all of a page in one, so that nothing here loads what draws
them, and nothing that goes wrong there stops a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from triplestore.errors import ComponentError, GraficoError
from workflows.programs.isolated import in_subprocess_now
from workflows.show.blocks import Chart, Section

from .vega import specification
from .vega_axes import COLOURS, Spec
from .vega_render import render

SECONDS, PATIENCE = 60, 120.0
"""Of processor time and on the clock, for all pictures that are asked for at once."""


@dataclass(frozen=True)
class Picture(Chart):
    """A chart with its drawing.

    Attributes:
        svg: an SVG element; empty where it could not be drawn.
        trouble: why not.
    """

    svg: str = ""
    trouble: str = ""


def pictures(charts: Sequence[Chart]) -> list[Picture]:
    """Return charts with their drawings for a page; a chart that cannot be drawn says why."""
    if not charts:
        return []
    specifications = [specification(one, titled=False) for one in charts]
    made: list[bytes | GraficoError] = []
    try:
        made += _render(specifications, "page")
    except GraficoError as error:
        # the others need not fail by one of them
        several = len(charts) > 1 and not isinstance(error, ComponentError)
        made += map(_alone, specifications) if several else [error] * len(charts)
    return [
        Picture(**vars(chart), trouble=one.found or str(one))
        if isinstance(one, GraficoError)
        else Picture(**vars(chart), svg=one.decode())
        for chart, one in zip(charts, made, strict=True)
    ]


def _alone(one: Spec) -> bytes | GraficoError:
    try:
        return _render([one], "page")[0]
    except GraficoError as error:
        return error


def charts_of(sections: Iterable[Section]) -> list[Chart]:
    """Return the charts among blocks, each once."""
    found = (block for one in sections for block in one.blocks if isinstance(block, Chart))
    return list({(one.title, one.series): one for one in found}.values())


def files_of(charts: Sequence[Chart], form: str) -> list[bytes]:
    """Return charts as files.

    Args:
        charts: what is drawn.
        form: `svg`, `png` or `pdf`.

    Raises:
        GraficoError: one cannot be drawn.
    """
    return _render([specification(one) for one in charts], form)


def _render(specifications: Sequence[Spec], form: str) -> list[bytes]:
    asked = "a chart was to be drawn"
    colours = {colour: f"var(--{name})" for name, colour in COLOURS.items()}
    try:
        return in_subprocess_now(
            asked, render, specifications, form, colours, seconds=SECONDS, patience=PATIENCE
        )
    except RuntimeError as error:  # what was raised there
        said = str(error).splitlines()[0]
        if said.startswith("ModuleNotFoundError"):
            missing, advice = "vl-convert is not installed", "pip install vl-convert-python"
            raise ComponentError(asked, missing, advice) from error
        raise GraficoError(asked, said, "write its numbers as .csv") from error
