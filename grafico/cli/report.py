"""``grafico report``: one page on one or several runs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..say import say
from .options import check_output, options, reading, write_whole


@click.command()
@click.argument("run", nargs=-1)
@options(
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        default=Path("report.html"),
        show_default=True,
        help="Where to write it.",
    ),
)
def report(
    run: tuple[str, ...], output: Path, store: str | None, as_json: bool, debug: bool
) -> None:
    """Write one HTML file on one or several runs.

    RUN is the IRI of a run or of a batch; the latest is taken if none is given.
    """
    from triplestore.errors import NotFoundError

    check_output(output, force=True, endings=(".html", ".htm"))
    with reading(store) as grafico:
        chosen = list(run) or [line.run for line in grafico.runs(1)]
        if not chosen:
            raise NotFoundError(
                "a report was asked for", "the store has no runs", "see `grafico run --help`"
            )
        page = grafico.report(*chosen)
    write_whole(output, page)
    if as_json:
        say(json.dumps({"report": str(output.resolve()), "runs": chosen}))
    else:
        say(f"report written to {output.resolve()}")
