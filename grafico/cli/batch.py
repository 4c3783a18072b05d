"""``grafico batch``: any workflow on each of many subjects."""

from __future__ import annotations

import itertools
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from workflows.text.words import count

from ..say import say
from .forms import added_options, given
from .meant import Command, Option, output_names
from .options import computing, options, plan_option, session, where_option

if TYPE_CHECKING:
    from workflows.batch.listed import Files, Listed
    from workflows.batch.rows import Row
    from workflows.engine import Event
    from workflows.registry import Workflow

    from .sending import Where

OF_THE_WORKFLOW = "grafico.batch"
"""Where the options of the workflow are kept with what was typed."""

SHOWN, FACTS, REASON = 20, 4, 60
"""Of the table that is told: rows, facts of each, and characters of a reason."""

EXAMPLE = "write a line such as `method: [HF, PBE]`"

LONGEST_GRID, LONGEST_NUMBER = 100_000, 100
"""Bytes of a file of settings, and of a number in it."""

OURS = ("arguments", "grid", "each", "of", "reading")
"""What is said by other options."""


class BatchCommand(Command):
    """A command whose options are, besides its own, those of the workflow that it names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        said, _, _ = parser.parse_args(list(args))
        ctx.meta[OF_THE_WORKFLOW] = offered(self, said.get("workflow") or "")
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OF_THE_WORKFLOW, ())]


def offered(command: click.Command, workflow: str) -> list[click.Option]:
    """Return the options of a workflow, of a batch, and of how a source is read."""
    from workflows.batch.reading import ReadingMany, library_of
    from workflows.batch.request import BatchRequest

    from ..session.settings import USUAL

    whole = chosen(workflow).whole
    _, library = library_of(whole.subject.name)
    forms = (BatchRequest, ReadingMany, library.form, *whole.all_forms)
    found = added_options(command, forms, USUAL)
    return [one for one in found if one.name not in OURS]


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
        help="Write the table: .csv, .tsv, .jsonl, .parquet, .sdf or .html; several can.",
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
        metavar="NAME",
        default="",
        help="Rank rows by a number, smallest first; with - before it largest first: --sort=-gap.",
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
    from ..views.batch_page import LivePages
    from ..views.progress import Progress
    from ..views.row_files import write_rows, writer_of
    from .verbs import show_plans

    wanted = [one.strip() for one in columns.split(",") if one.strip()]
    for path in output:
        writer_of(path)
        for one in source:
            check_apart(path, one)
    given_as = source[0] if len(source) == 1 else several(source)
    kind = chosen(workflow or "")
    asked = sorted_out(kind, given(said), _grid(grid))
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
        if plan:
            show_plans(grafico.wait_for(lambda: grafico.prepare_async(given_as, **words)), as_json)
            return
        with pages.written(grafico.kg):
            got = grafico.run(given_as, **words, **where.said)
            result = where.result(grafico, got, progress, as_json)
            result = replace(result, order=sort.strip())
        for path in output:
            write_rows(result, path, wanted, raw=raw)
            say(f"table written to {path.resolve()}", err=True)
        show(result, wanted, as_json, told=not output)
        counts = result.counts
    if result.status != "finished" or counts["open"] or not counts["finished"]:
        sys.exit(1)


def several(words: tuple[str, ...]) -> Files | Listed:
    """Return several words of a command line as what they are: files all, or subjects all.

    Raises:
        InputError: some are files, and some are not.
    """
    from triplestore.errors import InputError
    from workflows.batch.listed import Files, listed

    others = [one for one in words if not Path(one).is_file()]
    if not others:
        return Files(words)
    if len(others) < len(words):
        raise InputError(
            f"a batch of {', '.join(words)} was asked for",
            f"of these {', '.join(others)} {'is' if len(others) == 1 else 'are'} no file, the "
            "others are",
            "give files alone, or names and SMILES alone",
        )
    found = listed(words)
    assert found is not None
    return found


def check_apart(path: Path, source: str) -> None:
    """Refuse to write over what is read.

    Raises:
        InputError: it is the very file.
    """
    from triplestore.errors import InputError

    if path.exists() and Path(source).exists() and path.samefile(source):
        raise InputError(f"cannot write {path}", "it is the source", "choose another name")


def _grid(path: Path | None) -> dict[str, Any]:
    """Return what a file of settings says.

    Raises:
        InputError: it is no YAML, or no settings by name.
    """
    if path is None:
        return {}
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.events import AliasEvent, ScalarEvent

    from triplestore.errors import InputError, NotFoundError

    asked = f"the settings in {path} were asked for"
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST_GRID + 1)
        reader = cast("Any", YAML(typ="safe", pure=True))
        if len(text) > LONGEST_GRID:
            raise InputError(asked, f"it has more than {LONGEST_GRID:,} bytes", EXAMPLE)
        for event in reader.parse(text):
            if isinstance(event, AliasEvent):
                told = "a few lines of anchors and aliases (&a, *a) stand for any number of values"
                raise InputError(asked, told, "write each value where it belongs")
            if isinstance(event, ScalarEvent) and not (scalar := cast("Any", event)).style:
                _check_number(asked, str(scalar.value))
        found: Any = reader.load(text)
        json.dumps(found, default=str)
    except OSError as error:
        raise NotFoundError(asked, f"it cannot be read: {error.strerror}", "check it") from error
    except (YAMLError, ValueError, TypeError, RecursionError) as error:
        told = " ".join(str(error).split())[:200]
        raise InputError(asked, f"it is no YAML: {told}", EXAMPLE) from error
    if not isinstance(found, dict):
        raise InputError(asked, "it says nothing by name", EXAMPLE)
    said = cast("dict[Any, Any]", found)
    return {str(name): said[name] for name in said}


def _check_number(asked: str, word: str) -> None:
    """Refuse a word that YAML takes for a number which nobody has meant or can read."""
    from triplestore.errors import InputError

    if not re.fullmatch(r"[-+]?[0-9][0-9a-zA-Z_.]*", word):
        return
    if len(word) > LONGEST_NUMBER:
        found = f"a number in it has {len(word):,} digits, and {LONGEST_NUMBER:,} are allowed"
        raise InputError(asked, found, "write a number such as 0 or 1.5e-3")
    if re.fullmatch(r"[-+0-9.eE]*_[-+0-9.eE_]*", word):
        raise InputError(asked, f"{word} is not a number in the digits 0 to 9", "leave out the _")


def sorted_out(kind: Workflow, said: dict[str, Any], grid: dict[str, Any]) -> dict[str, Any]:
    """Return what was said as the fields of the forms of a batch."""
    from workflows.batch.reading import ReadingMany, library_of
    from workflows.batch.request import BatchRequest

    name = kind.whole.subject.name
    own = {*BatchRequest.model_fields, *ReadingMany.model_fields}
    cleaning = {*library_of(name)[1].form.model_fields}
    found = {key: value for key, value in said.items() if key in own}
    arguments = {k: v for k, v in said.items() if k not in own and k not in cleaning}
    arguments |= {key: value for key, value in grid.items() if not isinstance(value, list)}
    return {
        **found,
        "of": name,
        "reading": {key: value for key, value in said.items() if key in cleaning},
        "arguments": arguments,
        "grid": {key: value for key, value in grid.items() if isinstance(value, list)},
    }


def show(result: Any, wanted: list[str], as_json: bool, *, told: bool) -> None:
    """Print what a batch came to: its rows, or, where a file has these, how many there are."""
    from workflows.batch.columns import columns_of, record_of

    counts = result.counts
    if as_json:
        names = columns_of(result, wanted, every_unit=True)
        head = {
            "run": result.run,
            "batch": result.batch.iri,
            "status": result.status,
            "counts": counts,
            "remarks": result.remarks,
        }
        say(json.dumps(head)[:-1] + ', "rows": [')
        between = ""
        for row in result.rows():
            say(between + json.dumps(record_of(row, names), allow_nan=False), nl=False)
            between = ",\n"
        say("\n]}")
        return
    from .tables import listing, summary

    if wanted:
        columns_of(result, wanted, every_unit=True)  # refuses what there is not
    if told:
        rows: list[Row] = list(itertools.islice(result.rows(), SHOWN))
        listing(*_table(rows, wanted))
        if more := counts["calculations"] + counts["unreadable"] - len(rows):
            say(f"… and {count(more, 'more row')}: write all with -o table.csv", err=True)
    summary(result)


def shortened(reason: str) -> str:
    """Return a reason as it is told at the terminal."""
    return reason if len(reason) <= REASON else reason[: REASON - 1] + "…"


def _blank(row: Row, places: list[tuple[str, str]]) -> str:
    """Return why cells of a finished row are blank; empty where none is."""
    from workflows.batch.columns import lacking_in

    return lacking_in(row, [where for where, _ in places])


def _table(rows: list[Row], wanted: list[str]) -> tuple[list[str], list[list[str]]]:
    """Return heads and cells of what is told at the terminal."""
    from workflows.batch.columns import fact_at, facts_among, places_of
    from workflows.text.names import named

    from ..views.text import amount

    facts = facts_among(rows)
    usual = [name for name, one in facts.items() if isinstance(one.value, float) and not one.minor]
    first = [name for name in usual if facts[name].headline] or usual
    places = [
        (where, f"{facts[name].label} ({one.unit})".removesuffix(" ()"))
        for name in (facts if wanted else first[:FACTS])
        for where, one in places_of(name, facts[name])[: None if wanted else 1]
        if not wanted or {name, named(name, one.unit)} & {*wanted}
    ]
    cells = [
        [
            row.entry.name,
            *(
                amount(one.value, "", one.digits) if (one := fact_at(row.facts, where)) else ""
                for where, _ in places
            ),
            row.status,
            shortened(row.reason or row.implausible or _blank(row, places)),
        ]
        for row in rows
    ]
    return ["name", *(head for _, head in places), "status", "reason"], cells
