"""Charts of a result as Python is handed them: shown in a notebook, written to a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from triplestore.errors import InputError, NotFoundError
from workflows.show.blocks import Chart, Fact, Section
from workflows.show.run_blocks import RunSummary, answer_first, answering
from workflows.text.names import plain

from ..whole_files import write_whole
from .chart_data import as_csv
from .drawing import files_of

ENDINGS = ("png", "svg", "pdf", "csv")


@dataclass(frozen=True)
class Plot:
    """A chart; see `Drawing`.

    Attributes:
        chart: what is drawn.
    """

    chart: Chart

    def save(self, path: str | Path) -> Path:
        """Write it to a file; see `Drawing.save`."""
        place = Path(path)
        form, asked = place.suffix.lower().removeprefix("."), f"cannot write {place}"
        if form not in ENDINGS:
            endings = ", ".join(f".{one}" for one in ENDINGS)
            raise InputError(
                asked, f"nothing is drawn as {place.suffix or 'that'}", f"use {endings}"
            )
        made = as_csv(self.chart) if form == "csv" else files_of([self.chart], form)[0]
        try:
            write_whole(place, made)
        except OSError as error:
            raise InputError(asked, error.strerror or str(error), "choose another place") from error
        return place.resolve()

    def __repr__(self) -> str:
        return f"Plot({self.chart.title!r}); save('x.png') writes it ({', '.join(ENDINGS)})"

    def _repr_svg_(self) -> str:
        return files_of([self.chart], "svg")[0].decode()


def plotted(sections: Sequence[Section], name: str = "") -> Plot:
    """Return a chart of sections.

    Args:
        sections: where it is looked for.
        name: its name or title, in any spelling; the first chart if empty.

    Raises:
        NotFoundError: there is none.
    """
    charts = charts_of(sections)
    asked = f"a chart {name!r} was asked for" if name else "a chart was asked for"
    if not charts:
        raise NotFoundError(asked, "this result has none", "its tables and numbers are in blocks")
    for one in charts:
        if not name or plain(name) in (plain(one.name), plain(one.title)):
            return Plot(entitled(one, sections))
    names = ", ".join(one.name or one.title for one in charts)
    raise NotFoundError(asked, "it has none of that name", f"there are: {names}")


def charts_of(sections: Iterable[Section]) -> list[Chart]:
    """Return the charts among blocks, each once: those of what was asked come first."""
    found = (block for one in sections for block in one.blocks if isinstance(block, Chart))
    charts = {(one.title, one.series): one for one in found}.values()
    return sorted(charts, key=lambda one: one.aside)


def charted(ran: RunSummary) -> tuple[Section, ...]:
    """Return the sections of a run in which charts are looked for, and what it is about."""
    about = (one for one in answer_first(ran) if one.name == "about")
    return (*answering(ran), *about)


def _levels(sections: Iterable[Section]) -> list[str]:
    """Return the level of results of which what they are about says none, where it is one."""
    facts = (one for part in sections for one in part.blocks if isinstance(one, Fact))
    found = {str(one.value) for one in facts if one.name == "level"}
    return [*found] if len(found) == 1 else []


def entitled(chart: Chart, sections: Iterable[Section]) -> Chart:
    """Return a chart whose title says what it is about, as where it stands alone.

    A title that ends with what it is of is left so, and the level alone is added.

    Args:
        chart: one of the sections.
        sections: what is shown of a result; the first that says what that is about is taken.
    """
    about = next((one for one in sections if one.name == "about"), None)
    facts = [one for one in about.blocks if isinstance(one, Fact)] if about else []
    kept = [*facts[:2], *(one for one in facts[2:3] if one.label == facts[1].label)]
    told = [one.value for one in kept if isinstance(one.value, str)]
    told = [*told[:1], *([", ".join(told[1:])] if told[1:] else _levels(sections))]
    if told and any(chart.title.endswith(f" of {one}") for one in told[0].split("; ")):
        return replace(chart, title=" at ".join([chart.title, *told[1:]]))
    return replace(chart, title=f"{chart.title}: {' at '.join(told)}") if told else chart
