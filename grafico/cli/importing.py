"""``grafico import``: what was exported elsewhere, and what other programs have computed."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workflows.text.safe_text import on_one_line
from workflows.text.words import count

from ..say import say
from .archive import FILE, SHOWN, Ticker, say_result
from .options import options, session

if TYPE_CHECKING:
    from workflows.registry import Taken

    from ..session.client import Grafico

ROWS = 20
"""Lines in which every file is shown; of more those that need a look."""

ZIP = b"PK"
"""With which an exported file begins."""


@click.command("import")
@click.argument("file", metavar="FILE...", nargs=-1, required=True, type=FILE)
@options(
    click.option(
        "--trust",
        is_flag=True,
        help="Of an exported file: take values of earlier schemas too, whose names cannot be "
        "checked.",
    ),
    click.option(
        "--max-size",
        type=click.FloatRange(min=0, min_open=True, max=1e6),
        default=16.0,
        show_default=True,
        help="Of an exported file: the most that it may unpack to, in GB.",
    ),
    click.option(
        "--marks",
        is_flag=True,
        help="Of an exported file: also its tags and withdrawals of what is here already.",
    ),
)
def bring_in(
    file: tuple[Path, ...],
    trust: bool,
    max_size: float,
    marks: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Bring exported objects, or what other programs have computed, into the store.

    FILE is what `grafico export` has written, or outputs of other programs: one, several, or
    folders of them. Which it is, the file itself says, not its name.

    Exported: the file is checked as a whole first, whoever wrote it. Outputs: each is read by
    itself, its numbers compared with its own digits, and stored as read from a file, not computed
    here; it never answers a request. Doing it again changes nothing.
    """
    from triplestore.errors import NotFoundError

    for one in file:
        if not one.exists():
            asked = f"{on_one_line(str(one))} was to be imported"
            raise NotFoundError(asked, "there is no such file", "check the path")
    with session(store) as grafico:
        if len(file) == 1 and _is_zip(file[0]):
            _bundle(grafico, file[0], trust, max_size, marks, as_json)
        else:
            _outputs(grafico, file, as_json)


def _is_zip(file: Path) -> bool:
    try:
        with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
            return stream.read(len(ZIP)) == ZIP
    except OSError:
        return False


def _bundle(
    grafico: Grafico, file: Path, trust: bool, max_size: float, marks: bool, as_json: bool
) -> None:
    from ogm.keeping.bundle import import_bundle
    from workflows.engine.execution.withdrawn import withdrawals

    from ..session.marks import MarksOfOthers

    size, before = int(max_size * 1e9), withdrawals(grafico.kg).keys()
    hold = None if marks else MarksOfOthers()
    made = import_bundle(grafico.kg, file, trust=trust, max_bytes=size, hold=hold, tell=Ticker())
    what = f"{count(made.objects, 'object')} ({made.new:,} new) and {count(made.arrays, 'array')}"
    say_result(
        as_json, made, "\n".join([f"imported {what}", *(f"  {iri}" for iri in made.roots[:SHOWN])])
    )
    for warning in made.warnings:
        say(f"note: {warning}", err=True)
    if made.held:
        for line in (hold.told if hold else [])[:SHOWN]:
            say(f"note: left out: {line}", err=True)
        which = count(len(made.held), "mark", "marks")
        say(
            f"note: {which} of somebody else on what was here already: left out; "
            "`--marks` takes them over",
            err=True,
        )
    after = withdrawals(grafico.kg).keys()
    for changed, what in ((after - before, "withdraws"), (before - after, "takes back into use")):
        if changed:  # somebody else's word on what may be ours
            objects = count(len(changed), "run or activity", "runs and activities")
            say(f"note: it {what} {objects}; see `grafico runs --withdrawn`", err=True)


def _outputs(grafico: Grafico, files: tuple[Path, ...], as_json: bool) -> None:
    from workflows.registry.readers import read_files, refusal_of

    found: list[Taken] = []
    fates = Counter[str]()
    for one in read_files(grafico.kg, [str(one) for one in files], Ticker()):
        fates[one.fate] += 1
        if as_json or len(found) < ROWS or one.fate not in ("new", "there"):
            found.append(one)
    bad = fates["refused"] + fates["not known"]
    if as_json:
        say(json.dumps([asdict(one) for one in found], indent=2))
    elif len(found) == bad == 1:
        raise refusal_of(found[0])
    else:
        _show(found, fates)
    if bad or not fates:
        sys.exit(1)


def _show(found: list[Taken], fates: Counter[str]) -> None:
    from ..session.inspection import shorten
    from .tables import listing

    whole = sum(fates.values())
    shown = found if whole <= ROWS else [one for one in found if one.fate not in ("new", "there")]
    for one in shown[:ROWS]:
        job = f", job {one.job}" if one.job > 1 else ""
        if one.fate != "new" or one.message:
            say(f"{one.fate}: {on_one_line(one.file)}{job}: {one.message}", err=True)
    if len(shown) > ROWS:
        say(f"… and {len(shown) - ROWS} more; --json gives all", err=True)
    rows = [
        (
            on_one_line(Path(one.file).name),
            one.formula,
            one.level,
            "" if one.energy is None else f"{one.energy:.8f}",
            shorten(one.run),
        )
        for one in shown
        if one.fate == "new"
    ]
    if rows:
        listing(("file", "formula", "level of theory", "energy (Eh)", "run"), rows)
    told = ", ".join(f"{number:,} {fate}" for fate, number in sorted(fates.items()))
    say(f"{count(whole, 'job')}: {told}" if whole else "nothing in it is an output that is read")
