"""``grafico backup``, ``restore``, ``export``, ``import``, ``fsck``, ``migrate``: archives."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workflows.text.words import count

from ..say import say
from .options import options, reading, session

if TYPE_CHECKING:
    from ogm.keeping.check import Report
    from triplestore import Answer

FILE = click.Path(path_type=Path)

PATIENCE = 2.0
"""Seconds before the first line on how far something is, and between two."""

SHOWN = 10
"""Findings of a kind that are shown."""


class Ticker:
    """Tells how far something is on standard error, if it takes long."""

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()

    def __call__(self, text: str) -> None:
        """Print the text, unless the last one was a moment ago."""
        now = time.monotonic()
        if now - self._told >= PATIENCE:
            say(f"{now - self._started:7.1f} s  {text}", err=True)
            self._told = now


def say_result(as_json: bool, result: Any, text: str) -> None:
    """Print a result: for a program, or in words."""
    if as_json:
        say(json.dumps(asdict(result), indent=2, default=str))
    else:
        say(text)


@click.command()
@click.argument("file", type=FILE)
@options(click.option("--force", is_flag=True, help="Replace FILE if it exists."))
def backup(file: Path, force: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Save the whole store into FILE, also while others write to it."""
    from ogm.keeping.backup import backup as save
    from triplestore.errors import NotFoundError

    with reading(store) as grafico:
        if grafico.query("ASK { ?s ?p ?o }") is False:  # a slip must not replace a good backup
            raise NotFoundError(
                f"back up the store {grafico.settings.store}",
                "it is empty",
                "is it the right one?",
            )
        saved = save(grafico.kg, file, overwrite=force, tell=Ticker())
    what = f"{count(saved.quads, 'quad')} and {count(saved.arrays, 'array')}"
    say_result(as_json, saved, f"saved {what} in {file.resolve()} ({saved.bytes / 1e6:,.1f} MB)")
    for name, wrong in saved.missing.items():
        say(f"array {name} could not be saved: {wrong}", err=True)
    if saved.missing:
        sys.exit(1)


@click.command()
@click.argument("file", type=FILE)
@options()
def restore(file: Path, store: str | None, as_json: bool, debug: bool) -> None:
    """Bring everything from the backup FILE into the store, new or not.

    The file is checked as a whole first. What the store has already stays as it is, so it may be
    done again, also after an interruption.
    """
    from ogm.keeping.backup import restore as bring_back

    with session(store) as grafico:
        restored = bring_back(grafico.kg, file, tell=Ticker())
        url = grafico.kg.store.url
    what = f"{count(restored.quads, 'quad')} and {count(restored.arrays, 'array')}"
    say_result(as_json, restored, f"restored {what} of {restored.created} into {url}")
    if restored.missing:
        lacking = count(len(restored.missing), "array")
        say(f"{lacking} lacked already when it was saved: see `grafico fsck`", err=True)


@click.command("export")
@click.argument("iris", metavar="[NAME]...", nargs=-1)
@options(
    click.option("-o", "--output", type=FILE, required=True, help="Where to write it."),
    click.option("--query", metavar="SPARQL", help="Export what this query's answer names."),
    click.option("--author", default="", metavar="NAME", help="Who publishes it, for archives."),
    click.option("--licence", default="", metavar="URL", help="The licence, for archives."),
    click.option(
        "--anonymous", is_flag=True, help="Leave out who asked, agreed, tagged or withdrew."
    ),
    click.option("--force", is_flag=True, help="Replace the output if it exists."),
)
def export(
    iris: tuple[str, ...],
    output: Path,
    query: str | None,
    author: str,
    licence: str,
    anonymous: bool,
    force: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Write objects with everything that they rest on into one file.

    NAME is what a run, a result or anything else that is stored is called, as for `grafico show`;
    `last 3` are the latest three runs. The file is a zip with TriG, arrays, PROV-O and RO-Crate
    metadata. What other programs read (geometries, orbitals, inputs) writes `grafico write`.
    """
    from ogm.keeping.bundle import export_bundle
    from triplestore.errors import InputError
    from workflows.engine.request.endings import check_ending

    from ..session.inspection import shorten

    check_ending(str(output), (".zip",))
    with reading(store) as grafico:
        roots = grafico.iris(*iris)
        if query is not None:
            roots += named(grafico.query(query))
            if not roots:
                raise InputError(
                    "export what a query names",
                    "its answer names no IRI",
                    "select the objects themselves, such as SELECT ?run { ?run a g:Run }",
                )
        if not roots:
            raise InputError(
                "export", "nothing is named", "give a run (see `grafico runs`) or --query"
            )
        made = export_bundle(
            grafico.kg,
            roots,
            output,
            overwrite=force,
            author=author,
            licence=licence,
            names=not anonymous,
            tell=Ticker(),
        )
    what = f"{count(made.objects, 'object')} and {count(made.arrays, 'array')}"
    say_result(as_json, made, f"exported {what} to {output.resolve()} ({made.bytes / 1e6:,.1f} MB)")
    for iri in made.unknown[:SHOWN]:
        say(f"note: {iri} is linked to, but not stored", err=True)
    if len(made.unknown) > SHOWN:
        say(f"note: … and {len(made.unknown) - SHOWN} more", err=True)
    for iri, number in made.left_out.items():
        short, others = shorten(iri), count(number, "other part")
        say(f"note: {others} of {short} left out: name {short} to export all of it", err=True)


def named(answer: Answer) -> list[str]:
    """Return the IRIs in an answer, as far as they can be things that are stored.

    Raises:
        InputError: it names nothing, or was cut.
    """
    from pyoxigraph import NamedNode

    from triplestore import Table
    from triplestore.errors import InputError

    asked = "export what a query names"
    if isinstance(answer, bool):
        raise InputError(asked, "its answer is yes or no", "write a SELECT query")
    if cut := getattr(answer, "cut", None):
        raise InputError(asked, cut, "narrow the query")
    if isinstance(answer, Table):
        terms = [term for row in answer.rows for term in row]
    else:
        terms = [triple.subject for triple in answer]
    return [term.value for term in terms if isinstance(term, NamedNode)]


@click.command()
@options(
    click.option(
        "--prune",
        is_flag=True,
        help="Remove arrays that nothing names and temporary files, older than a day.",
    ),
)
def fsck(prune: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Read the whole store once and say what is wrong with it.

    The status is 1 if there is a fault; notices do not count. Nothing is changed but for --prune.
    """
    from ogm.keeping.check import check_store
    from workflows.engine.execution.outdated import outdated
    from workflows.registry.notices import kinds

    with reading(store) as grafico:
        report = check_store(grafico.kg, prune=prune, tell=Ticker())
        if "damaged" not in report.counts:  # else what is asked of it may have no end
            for iri, why in sorted(outdated(grafico.kg).items()):
                report.add("outdated", iri, "", why)
            for kind in kinds():
                for notice in kind.look(grafico.kg):
                    report.told[kind.name] = kind.title
                    report.add(kind.name, notice.subject, "", notice.found)
    if as_json:
        say(json.dumps({"clean": report.clean, **asdict(report)}, indent=2))
    else:
        show(report)
    if not report.clean:
        sys.exit(1)


@click.command("migrate")
@options()
def bring_up_to_date(store: str | None, as_json: bool, debug: bool) -> None:
    """Write what earlier versions have stored in today's form, too.

    Reading never needs it, as old objects are upgraded on the way; queries in SPARQL see them in
    today's form only afterwards. Nothing is removed, and every object keeps its IRI.
    """
    from ogm import migrate

    tell = Ticker()
    with reading(store) as grafico:
        done = migrate(grafico.kg, lambda name, so_far: tell(count(so_far, name)))
    if as_json:
        say(json.dumps({"migrated": done}, indent=2))
    else:
        say("\n".join(count(n, name) for name, n in done.items()) or "all is up to date")


def show(report: Report) -> None:
    """Print what a check found."""
    from ogm.keeping.check import FAULTS, NOTICES

    from ..session.inspection import shorten
    from .tables import listing

    read = f"{count(report.triples, 'triple')}, {count(report.objects, 'object')}"
    pruned = f"; removed {count(report.pruned, 'file')}" if report.pruned else ""
    say(f"read {read}, {count(report.arrays, 'array')}{pruned}")
    words = {**FAULTS, **NOTICES, **report.told}
    kinds = [kind for kind in words if kind in report.counts]
    if kinds:
        said = [(k, "fault" if k in FAULTS else "notice", f"{report.counts[k]:,}") for k in kinds]
        rows = [(*row, words[kind]) for row, kind in zip(said, kinds, strict=True)]
        listing(("kind", "", "count", "what"), rows)
        shown = [
            (found.kind, shorten(found.subject), shorten(found.place), found.found)
            for kind in kinds
            for found in [f for f in report.findings if f.kind == kind][:SHOWN]
        ]
        listing(("kind", "object or file", "property", "found"), shown)
        if len(shown) < sum(report.counts.values()):
            say(f"at most {SHOWN} of a kind are shown; --json gives more")
    if "damaged" in report.counts:
        say(
            "the store is damaged: `grafico backup FILE` saves it while all can still be read, and"
            " `grafico restore FILE --store NEW` makes a whole one; if it cannot be read any more,"
            " restore an earlier backup"
        )
    say("no fault was found" if report.clean else "there are faults: see docs/keeping.md")
