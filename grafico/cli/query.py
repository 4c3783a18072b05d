"""``grafico query``, ``show`` and ``runs``: looking into a store."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from triplestore.errors import GraficoError

from ..say import say
from .options import MOST, existing, narrowing, options, reading, unit_option

if TYPE_CHECKING:
    from workflows.show.blocks import Section

FILE = re.compile(r"[^\s<>{}]*[./][^\s<>{}]*")
"""What can be the name of a file, but not a query."""


@click.command()
@click.argument("sparql")
@options(
    click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="How to print the answer.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1, MOST),
        default=10_000,
        show_default=True,
        help="Print at most so many rows.",
    ),
)
def query(
    sparql: str, form: str, limit: int, store: str | None, as_json: bool, debug: bool
) -> None:
    """Answer a read-only SPARQL query.

    SPARQL is the query itself, a file with it, or - for standard input. The prefixes g, prov,
    rdf, rdfs, xsd and unit need no declaration.
    """
    from triplestore import open_store
    from triplestore.errors import InputError

    from ..session import inspection
    from ..session.ontology import unknown_terms
    from . import tables

    if sparql == "-":
        sparql = sys.stdin.read()
    elif os.path.exists(sparql) or FILE.fullmatch(sparql):
        sparql = read_query(Path(sparql))
    if not sparql.strip():
        raise InputError(
            "cannot answer a query",
            "it is empty",
            "give one, such as SELECT * { ?run a g:Run }, a file with one, or - for standard input",
        )
    settings = existing(store)
    with open_store(settings.store, settings.home) as opened:
        answer = inspection.query(opened, sparql, limit, settings)
    tables.answer(answer, "json" if as_json else form)
    for line in unknown_terms(sparql):
        say(line, err=True)


def read_query(path: Path) -> str:
    """Read a query from a file."""
    from triplestore.errors import InputError, NotFoundError

    asked = f"the query in {path} was asked for"
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        advice = "give a file, or a query such as SELECT * { ?s ?p ?o }"
        raise NotFoundError(asked, "there is no such file", advice) from error
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise InputError(asked, str(problem), "give a text file with one query") from error


@click.command()
@click.argument("iri", metavar="[NAME]", nargs=-1)
@options(
    unit_option,
    click.option("--all", "whole", is_flag=True, help="Of a run, also how it is stored."),
)
def show(iri: tuple[str, ...], whole: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Show what a run came to, or any other object, and its neighbours.

    NAME is what it is called: `last` (the latest run, taken if none is given), `last~1`, a running
    number of `grafico runs` such as #17, the beginning of an IRI's last part, a tag, or an IRI;
    g:id/… and id/… are short for the full one.
    """
    from . import tables
    from .batch_sources import stored_batch
    from .batch_tables import list_rows

    with reading(store) as grafico:
        portrait = grafico.show(" ".join(iri) or "last")
        told: Iterable[Section] = ()
        with suppress(GraficoError):  # of a strange class: it is shown as it is stored
            told = grafico.blocks(portrait.iri) if portrait.run and not as_json else ()
            batch = stored_batch(grafico, portrait.iri) if told else None
            if batch is not None and batch.comparison() is None:
                list_rows(batch.asking(unit=grafico.settings.energy_unit), [])
    if as_json:
        say(json.dumps(vars(portrait), indent=2))
    else:
        tables.portrait(portrait, told, whole=whole)


@click.command()
@options(
    click.option(
        "--limit",
        type=click.IntRange(1, MOST),
        default=20,
        show_default=True,
        help="Show at most so many.",
    ),
    click.option("--parts", is_flag=True, help="Also parts of others, such as those of a batch."),
    click.option("--withdrawn", is_flag=True, help="Also those that were withdrawn."),
    *narrowing,
    click.option("--who", default="", metavar="NAME", help="Those that somebody asked for, or me."),
)
def runs(
    limit: int,
    parts: bool,
    withdrawn: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **only: Any,
) -> None:
    """List the latest runs that were asked for, newest first."""
    from . import tables

    with reading(store) as grafico:
        latest = grafico.runs(limit + 1, parts=parts, withdrawn=withdrawn, **only)
        place = grafico.settings.store
    lines, more = latest[:limit], len(latest) > limit
    if as_json:
        say(json.dumps([vars(line) for line in lines], indent=2))
    elif lines:
        tables.runs(lines)
    else:
        narrowed = any(only.values())
        say(f"no run {'of that kind ' * narrowed}in the store {place}")
    if more:
        say(f"these are the latest {limit}; --limit N lists more", err=True)
    if any(line.outdated for line in lines):
        say(
            "outdated: a result would be computed anew today, with other numbers; `grafico fsck` "
            "says why",
            err=True,
        )
