"""``grafico batch``: any workflow on each of many subjects."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..say import say
from .batch_sources import (
    asks_for_more,
    check_apart,
    grid_of,
    is_subject,
    meant_by_lines,
    ordered_by,
    several,
    stored_batch,
    verb_before,
)
from .batch_tables import list_errors, show
from .forms import added_options, given
from .meant import Command, Option, output_names
from .options import computing, options, plan_option, session, where_option
from .plots import plotting

if TYPE_CHECKING:
    from workflows.engine import Event
    from workflows.registry import Workflow

    from .sending import Where

OF_THE_WORKFLOW = "grafico.batch"
"""Where the options of the workflow are kept with what was typed."""

OURS = ("arguments", "grid", "each", "of", "reading")
"""What is said by other options."""


class BatchCommand(Command):
    """A command whose options are, besides its own, those of the workflow that it names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        said, _, _ = parser.parse_args(list(args))
        source: Any = said.get("source")  # without any it is a mark of click's
        words = (
            list(map(str, cast("tuple[Any, ...]", source)))
            if isinstance(source, tuple | list)
            else []
        )
        workflow, rest = said.get("workflow") or "", list(args)
        if not workflow and (workflow := verb_before(words)):
            rest.remove(words[0])
        workflow = workflow or meant_by_lines(words)
        if workflow and not said.get("workflow"):
            args = ["--workflow", workflow, *rest]
            say(f"read as: {shlex.join(['grafico', 'batch', *args])}", err=True)
        ctx.meta[OF_THE_WORKFLOW] = offered(self, workflow)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OF_THE_WORKFLOW, ())]


def offered(command: click.Command, workflow: str) -> list[click.Option]:
    """Return the options of a workflow, of a batch, and of how a source is read."""
    from workflows.batch.reading import ReadingMany, library_of
    from workflows.batch.request import BatchRequest

    from ..session.settings import USUAL
    from .wrapping import take_lists

    kind = chosen(workflow)
    whole = kind.whole
    _, library = library_of(whole.subject.name)
    forms = (BatchRequest, ReadingMany, library.form, *whole.all_forms)
    found = [one for one in added_options(command, forms, USUAL) if one.name not in OURS]
    ours = {
        name for form in (BatchRequest, ReadingMany, library.form) for name in form.model_fields
    }
    take_lists(kind, (one for one in found if one.name not in ours))
    return found


def chosen(name: str) -> Workflow:
    """Return the workflow that is meant."""
    from workflows.registry import workflows

    return workflows().named(name) if name else workflows().usual


@click.command(cls=BatchCommand)
@click.argument("source", nargs=-1, required=True, metavar="SOURCE...")
@options(
    click.option("--workflow", help="What is asked of each entry.  [default: run]"),
    click.option(
        "--grid",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="YAML: arguments by name; of several values each is computed.",
    ),
    click.option(
        "-o",
        "--output",
        cls=Option,
        otherwise=(*output_names, "csv", "tsv", "table"),
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the table: .csv, .tsv, .xlsx, .md, .tex, .json, .jsonl, .parquet, .sdf or "
        ".html; several can.",
    ),
    click.option(
        "--columns",
        cls=Option,
        otherwise=("column", "quantity", "quantities", "property", "properties"),
        metavar="NAMES",
        default="",
        help="Facts in the table, set apart by commas.  [default: all]",
    ),
    click.option(
        "--sort",
        cls=Option,
        otherwise=("sort_by", "order_by", "rank", "rank_by", "order"),
        metavar="NAME",
        default="",
        help="Rank rows by a number, smallest first; with - before it largest first: --sort=-gap.",
    ),
    click.option(
        "--largest",
        cls=Option,
        otherwise=("descending", "desc", "reverse"),
        is_flag=True,
        help="With --sort: the largest first.",
    ),
    click.option(
        "--filter",
        "conditions",
        cls=Option,
        otherwise=("where", "only", "select", "keep"),
        multiple=True,
        metavar="CONDITION",
        help="Only rows such as 'gap > 0.3' or 'status = failed'; can be repeated.",
    ),
    click.option(
        "--top",
        cls=Option,
        otherwise=("head", "best", "first"),
        type=click.IntRange(1),
        metavar="N",
        help="Only so many rows, the first: --sort=-gap --top 5.",
    ),
    click.option(
        "--against",
        cls=Option,
        otherwise=("experiment", "exp", "measured", "versus", "vs", "mae", "error", "errors"),
        metavar="NAME",
        default="",
        help="Tell the errors (mean, MAE, RMSE, R²) of --columns against a column of the source, "
        "such as of measured values; --plot draws them.",
    ),
    plotting(
        "Draw --columns: two against each other, one by name, or of many as a histogram; "
        ".png, .svg, .pdf or .csv."
    ),
    click.option(
        "--raw",
        is_flag=True,
        help="Write texts that look like formulas (=…) into CSV and TSV without the mark '.",
    ),
    plan_option,
    where_option,
    *computing,
)
def batch(
    source: tuple[str, ...],
    workflow: str | None,
    grid: Path | None,
    output: tuple[Path, ...],
    columns: str,
    sort: str,
    largest: bool,
    conditions: tuple[str, ...],
    top: int | None,
    against: str,
    plots: tuple[Path, ...],
    raw: bool,
    plan: bool,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    recompute: bool,
    accept: tuple[str, ...],
    where: Where,
    store: str | None,
    as_json: bool,
    debug: bool,
    **said: Any,
) -> None:
    """Compute each entry of a source: a library of molecules, a table, a folder.

    SOURCE is a file (CSV, TSV, SMI, SDF, XYZ, extended XYZ, CIF, each also as .gz), a folder of
    such files, a SPARQL query, - for standard input, or the IRI of a collection or of a run of a
    batch; several: files, or names and SMILES that are entries themselves. The same command goes on
    where it was interrupted; what is remembered is not computed, failures stand beside the rest
    with their reasons (`--retry failed` asks again for them alone).
    """
    from triplestore.errors import InputError
    from workflows.batch.charting import pictures
    from workflows.batch.choosing import Condition

    from ..session.naming import is_name
    from ..views.batch_page import LivePages
    from ..views.progress import Progress
    from ..views.row_files import write_rows, writer_of
    from .plots import check_plots, told, write_plots
    from .verbs import show_plans
    from .wrapping import apart, together

    wanted = apart(columns, names=False)
    Condition.every(conditions)
    check_plots(plots, where, plan=plan)
    for path in output:
        writer_of(path)
        for one in source:
            check_apart(path, one)
    given_as = source[0] if len(source) == 1 and not is_subject(source[0]) else several(source)
    if against and not wanted:
        raise InputError(
            f"errors against {against} were asked for",
            "it is not said what is set against it",
            f"name it, as in --columns dipole --against {against}",
        )
    kind = chosen(workflow or "")
    asked = sorted_out(kind, together(given(said)), grid_of(grid))
    pages = LivePages([path for path in output if path.suffix.lower() == ".html"], wanted)

    def hear(event: Event) -> None:
        pages(event)
        progress(event)

    words: dict[str, Any] = {
        **asked,
        "workflow": "batch",
        "recompute": recompute,
        "each": kind.name,
    }
    with (
        Progress(quiet) as progress,
        session(
            store, threads_per_calculation=threads, listener=hear, trace=trace, accept=accept
        ) as grafico,
    ):
        if len(source) == 1 and is_name(source[0]):
            given_as = grafico.iri(source[0])
        stored = None if asks_for_more(asked) else stored_batch(grafico, given_as)
        if plan:
            show_plans(grafico.wait_for(lambda: grafico.prepare_async(given_as, **words)), as_json)
            return
        with pages.written(grafico.kg):
            if stored is None:
                got = grafico.run(given_as, **words, **where.said)
                result = where.result(grafico, got, progress, as_json)
            else:
                result = stored
            unit = grafico.settings.energy_unit
            result = result.asking(wanted, ordered_by(sort, largest), conditions, top, unit)
        for path in output:
            write_rows(result, path, wanted, raw=raw)
            say(f"table written to {path.resolve()}", err=True)
        show(result, wanted, as_json, told=not output)
        if plots or against:
            drawn = (pictures(result, wanted, against),)
            if against and not as_json:
                list_errors(drawn[0])
            told(write_plots(drawn, plots, result.run))
        counts = result.counts
    if result.status != "finished" or counts["open"] or not counts["finished"]:
        sys.exit(1)


def sorted_out(kind: Workflow, said: dict[str, Any], grid: dict[str, Any]) -> dict[str, Any]:
    """Return what was said as the fields of the forms of a batch."""
    from workflows.batch.comparing import takes_several
    from workflows.batch.reading import ReadingMany, library_of
    from workflows.batch.request import BatchRequest

    name = kind.whole.subject.name
    own = {*BatchRequest.model_fields, *ReadingMany.model_fields}
    cleaning = {*library_of(name)[1].form.model_fields}
    found = {key: value for key, value in said.items() if key in own}
    arguments = {k: v for k, v in said.items() if k not in own and k not in cleaning}
    several: dict[str, Any] = {
        key: list(dict.fromkeys(cast("list[Any]", value)))
        for key, value in arguments.items()
        if isinstance(value, list) and not takes_several(kind, key)
    }
    grid = several | grid
    arguments = {k: v for k, v in arguments.items() if k not in several}
    arguments |= {key: value for key, value in grid.items() if not isinstance(value, list)}
    return {
        **found,
        "of": name,
        "reading": {key: value for key, value in said.items() if key in cleaning},
        "arguments": arguments,
        "grid": {key: value for key, value in grid.items() if isinstance(value, list)},
    }
