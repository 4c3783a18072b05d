"""``--plot``: the charts of a result as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..say import say
from .meant import Option
from .options import check_output, write_whole

if TYPE_CHECKING:
    from workflows.show.blocks import Section

    from .sending import Where

ENDINGS = (".png", ".svg", ".pdf", ".csv")

plot_names = ("png", "svg", "pdf", "figure", "chart", "picture", "image")
"""What people call the file that is drawn."""


def plotting(told: str) -> Callable[[Any], Any]:
    """Return what adds the option of the files that are drawn, with its help."""
    return click.option(
        "--plot",
        "plots",
        cls=Option,
        otherwise=plot_names,
        multiple=True,
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help=told,
    )


plot_option = plotting(
    "Draw the chart of the result: .png, .svg or .pdf; .csv for its numbers; can be repeated."
)


def check_plots(plots: Sequence[Path], where: Where | None = None, *, plan: bool = False) -> None:
    """Check that charts can be written, before anything is computed.

    Raises:
        InputError: a name says none of the kinds, nothing can stand there, or there will be no
            result to draw when the command ends.
    """
    if not plots:
        return
    check_there(plots[0], "draw", "draw it later: grafico report RUN --plot FILE", where, plan=plan)
    for path in plots:
        check_output(path, force=True, endings=ENDINGS)


def check_there(
    path: Path, verb: str, advice: str, where: Where | None = None, *, plan: bool = False
) -> None:
    """Check that a command waits for the result that is to stand in a file.

    Raises:
        InputError: it does not.
    """
    from triplestore.errors import InputError

    elsewhere = where is not None and not where.follow
    if plan or (elsewhere and where and (where.on or where.begin or where.after)):
        problem = "this command ends before there is a result"
        raise InputError(f"cannot {verb} {path}", problem, advice)


def write_plots(sections: Iterable[Section], plots: Sequence[Path], run: str) -> dict[Path, str]:
    """Write the charts of a result; what stands there is replaced.

    The first chart of what was asked has the name that was given, others of that their own besides.
    A chart of how it came about is written where there is no other, or the file has its name. A
    CSV file with the name of a table, such as `charges.csv`, has that.

    Args:
        sections: what is shown of it, the answer first.
        plots: names of files.
        run: IRI of the run.

    Returns:
        The files, with the titles of their charts.

    Raises:
        RecordError: it has no chart.
    """
    from .tables import as_read

    sections = as_read(sections)
    if not plots:
        return {}
    from ogm.terms import shorten
    from triplestore.errors import RecordError
    from workflows.show.blocks import Table

    from ..views.chart_data import as_csv, table_as_csv
    from ..views.drawing import files_of
    from ..views.plotted import charts_of, entitled
    from .tables import as_read

    shown = as_read(sections)
    charts, written = charts_of(shown), dict[Path, str]()
    tables = {b.name: b for one in shown for b in one.blocks if isinstance(b, Table) and b.name}
    for path in plots:
        if path.suffix.lower() == ".csv" and path.stem in tables:
            write_whole(path, table_as_csv(tables[path.stem]))
            written[path] = tables[path.stem].title
    plots = [path for path in plots if path not in written]
    if not plots:
        return written
    if not charts:
        names = [f"{b.title} (--plot {name}.csv)" for name, b in tables.items()]
        there = f"; it has the tables {', '.join(names)}" if names else ""
        raise RecordError(
            f"a chart was to be written to {plots[0]}",
            f"this result has none{there}",
            f"grafico report {shorten(run)} shows all of it",
        )
    asked_for = [one for one in charts if not one.aside] or charts
    for path in plots:
        form = path.suffix.lower().removeprefix(".")
        chosen = [one for one in charts if one.aside and one.name == path.stem] or asked_for
        alone = [entitled(one, shown) for one in chosen]
        made = map(as_csv, chosen) if form == "csv" else files_of(alone, form)
        for place, chart, content in zip(_places(path, chosen), chosen, made, strict=True):
            write_whole(place, content)
            written[place] = chart.title
    return written


def told(written: Mapping[Path, str]) -> None:
    """Say what was written; of several charts, which is where."""
    for place, title in written.items():
        which = f" ({title})" if len(set(written.values())) > 1 and title else ""
        say(f"written to {place.resolve()}{which}", err=True)


def _places(path: Path, charts: Sequence[Any]) -> Iterator[Path]:
    taken = set[str]()
    for number, chart in enumerate(charts, 1):
        name = "".join(c for c in chart.name if c.isascii() and (c.isalnum() or c == "_"))
        name = name if name and name not in taken else str(number)
        taken.add(name)
        yield path if number == 1 else path.with_stem(f"{path.stem}-{name}")
