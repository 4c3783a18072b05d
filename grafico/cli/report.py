"""``grafico report``: one page on one or several runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..say import say
from .meant import Command, Option, output_names
from .options import check_output, options, reading, unit_option, write_whole
from .plots import check_plots, plot_option, told, write_plots

if TYPE_CHECKING:
    from workflows.show.blocks import Section

    from ..session.client import Grafico


@click.command(cls=Command)
@click.argument("run", nargs=-1)
@options(
    unit_option,
    click.option(
        "-o",
        "--output",
        cls=Option,
        otherwise=output_names,
        type=click.Path(dir_okay=False, path_type=Path),
        help="Where to write it.  [default: report.html]",
    ),
    plot_option,
)
def report(
    run: tuple[str, ...],
    output: Path | None,
    plots: tuple[Path, ...],
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Write one HTML file on one or several runs.

    RUN is what a run or batch is called, as for `grafico show`; `last 3` are the latest three. The
    latest is taken if none is given. With --plot its charts alone are written, if no --output is
    given.
    """
    from triplestore.errors import NotFoundError

    output = output or (None if plots else Path("report.html"))
    check_plots(plots)
    if output:
        check_output(output, force=True, endings=(".html", ".htm"))
    with reading(store) as grafico:
        chosen = grafico.iris(*run) or [line.run for line in grafico.runs(1)]
        if not chosen:
            raise NotFoundError(
                "a report was asked for", "the store has no runs", "see `grafico run --help`"
            )
        page = grafico.report(*chosen) if output else ""
        written = write_plots(_sections(grafico, chosen), plots, chosen[0]) if plots else {}
    told(written)
    if output:
        write_whole(output, page)
    if as_json:
        files = {"plots": [str(one.resolve()) for one in written]} if plots else {}
        where = {"report": str(output.resolve())} if output else {}
        say(json.dumps({**where, **files, "runs": chosen}))
    elif output:
        say(f"report written to {output.resolve()}")


def _sections(grafico: Grafico, runs: list[str]) -> list[Section]:
    """Return what runs answer."""
    from workflows.batch.result import BatchResult
    from workflows.show.run_blocks import read_run

    from ..views.plotted import charted

    found: list[Section] = []
    for iri in runs:
        batch = BatchResult.stored(grafico.kg, iri)
        found += batch.shown_sections() if batch else charted(read_run(grafico.kg, iri))
    return found
