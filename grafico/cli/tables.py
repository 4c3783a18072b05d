"""Answers as tables for a terminal, or as JSON and CSV for a program."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleDimensions
from rich.table import Table as RichTable
from rich.text import Text

from ogm.array_storage import ARRAY_DATATYPE
from triplestore import Answer, Table
from triplestore.store import Triples
from workflows.show.blocks import Block, Chart, Note
from workflows.text.safe_text import on_one_line, printable
from workflows.text.words import count
from workflows.trust.account import own_account

from ..say import say, say_styled
from ..session.inspection import Portrait, array_text, numbers, shorten, text
from ..session.latest import RunLine
from .errors import as_typed, spelled

if TYPE_CHECKING:
    from workflows.show.blocks import Section
    from workflows.show.displayed_run import DisplayedRun

    from ..agent.conversations import Line

BETWEEN, HEAD = 3, 2
"""Of a table: spaces between columns, and lines of the head."""

RULE = 100
"""Characters of the line under the head at most, where the head itself is no longer."""

WORD = 40
"""Characters. Longer words are folded, unless they are IRIs."""
IRI = re.compile(r"[A-Za-z][\w+.-]*:\S")

SHORTEST = 16
"""Characters that the goal and the subject of a run keep in a list."""


def _console() -> Console:
    """Return a console that cuts nothing off when its output goes to a file or a pipe."""
    return Console() if sys.stdout.isatty() else Console(width=100_000, highlight=False)


def _print(
    header: Sequence[str], rows: Iterable[Sequence[str]], beneath: Sequence[str] = ()
) -> None:
    """Print a table; text is wrapped between words, and what is copied in one piece never folded.

    Args:
        header: names of the columns.
        rows: the cells.
        beneath: a line to stand under each row; the rows are then not wrapped at all.
    """
    header = [on_one_line(name) for name in header]
    listed = [[on_one_line(cell) for cell in row] for row in rows]
    table = RichTable(box=box.SIMPLE, pad_edge=False)
    least = BETWEEN * len(header)
    for index, name in enumerate(header):
        cells = [row[index] for row in listed]
        needed = max([cell_len(name), *(_whole(cell, bool(beneath)) for cell in cells)])
        table.add_column(name, overflow="fold", min_width=needed)
        least += needed
    for row in listed:  # as texts, not markup
        table.add_row(*map(Text, row))
    console = _console()
    console.size = ConsoleDimensions(max(console.width, least), console.height)
    with console.capture() as captured:
        console.print(table, crop=False)
    lines = [line.rstrip() for line in captured.get().splitlines() if line.strip()]
    lines[1] = lines[1][: max(cell_len(lines[0]), RULE)]
    if beneath:
        both = zip(lines[HEAD:], map(printable, beneath), strict=True)
        lines = lines[:HEAD] + [line for pair in both for line in pair]
    say_styled("\n".join(lines))


def _whole(cell: str, unwrapped: bool) -> int:
    """Return the width of what stays in one piece: an IRI, a number, a word, but no endless one."""
    if unwrapped:
        return cell_len(cell)
    pieces = (word for word in cell.split() if len(word) <= WORD or IRI.match(word))
    return max(map(cell_len, pieces), default=0)


def _fit(text: str, width: int) -> str:
    """Shorten a text to a width on the screen."""
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)) + "…"


def answer(found: Answer, form: str) -> None:
    """Print the answer of a query."""
    if isinstance(found, bool):
        say(json.dumps({"boolean": found}) if form == "json" else str(found).lower())
        return
    if isinstance(found, Table):
        header = list(found.variables)
        rows = [list(row) for row in found.rows]
    else:
        header = ["subject", "predicate", "object"]
        rows = [[triple.subject, triple.predicate, triple.object] for triple in found]
    cut = found.cut if isinstance(found, Table | Triples) else None
    if form == "json":
        listed = [dict(zip(header, map(_plain, row), strict=True)) for row in rows]
        say(json.dumps({"variables": header, "rows": listed, "cut": cut}, indent=2))
    elif form == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(header)
        shown = printable if sys.stdout.isatty() else str  # for a program, it is what it is
        writer.writerows([shown(text(term)) for term in row] for row in rows)
    else:
        _print(header, ([_short(term) for term in row] for row in rows))
        say(count(len(rows), "row"), err=True)
    if cut:
        more = "--limit N prints more" if cut.endswith("rows") else "narrow the query"
        say(f"this is not the whole answer: {cut}; {more}", err=True)


def comma_separated(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()


def _plain(term: Any) -> Any:
    """Return a term as JSON would have it: numbers and truth values as such."""
    kind = getattr(getattr(term, "datatype", None), "value", "").rpartition("#")[2]
    value = text(term)
    if term is None:
        return None
    if kind in ("integer", "int", "long"):
        return int(value)
    if kind in ("double", "float", "decimal"):
        number = float(value)
        return number if number - number == 0 else value
    if kind == "boolean":
        return value == "true"
    return numbers(term) if _is_array(term) else value


def _is_array(term: Any) -> bool:
    return getattr(getattr(term, "datatype", None), "value", "") == ARRAY_DATATYPE


def _short(term: Any) -> str:
    value = text(term)
    if _is_array(term):
        return array_text(value)
    if hasattr(term, "datatype"):
        return value if len(value) <= 200 else value[:197] + "…"
    return shorten(value)


def runs(lines: list[RunLine]) -> None:
    """Print a list of runs; on a narrow screen the goal stands beneath each.

    What a run is called comes first: its number here, or its IRI in a store without a folder. Who
    asked for it is said where that was anybody else.
    """
    width, own = _console().width, own_account().text
    columns = {
        "run": [shorten(x.run) if x.number is None else f"#{x.number}" for x in lines],
        **({"who": [x.who for x in lines]} if {x.who for x in lines} - {"", own} else {}),
        "subject": [line.subject for line in lines],
        "goal": [line.goal for line in lines],
        "level": [line.level for line in lines],
        "energy (Eh)": ["" if x.energy is None else f"{x.energy:.6f}" for x in lines],
        **({"result": [x.result for x in lines]} if any(x.result for x in lines) else {}),
        "status": [
            line.status
            + ", outdated" * line.outdated
            + ", withdrawn" * line.withdrawn
            + ", rests on what is withdrawn" * line.rests
            for line in lines
        ],
        "started": [line.started[:16].replace("T", " ") for line in lines],
    }
    beneath: list[str] = []
    room = _room(width, columns, "subject", "goal")
    needed = _widest(columns["subject"]) + _widest(columns["goal"])
    if room < min(needed, 2 * SHORTEST):
        beneath = [f"   {_fit(goal, width - 3)}" for goal in columns.pop("goal")]
        room, goal = _room(width, columns, "subject"), 0
    else:
        goal = min(_widest(columns["goal"]), max(room - _widest(columns["subject"]), room // 2))
        columns["goal"] = [_fit(text, goal) for text in columns["goal"]]
    columns["subject"] = [_fit(text, max(room - goal, SHORTEST)) for text in columns["subject"]]
    _print(list(columns), zip(*columns.values(), strict=True), beneath)


def _room(width: int, columns: dict[str, list[str]], *flexible: str) -> int:
    """Return how much of a width the other columns leave to the flexible ones."""
    fixed = (max(len(n), _widest(c)) for n, c in columns.items() if n not in flexible)
    return width - sum(fixed) - BETWEEN * len(columns)


def _widest(cells: list[str]) -> int:
    return max(map(cell_len, cells), default=0)


def portrait(shown: Portrait, told: Iterable[Section] = (), *, whole: bool = False) -> None:
    """Print one object and its neighbours.

    Args:
        shown: the object.
        told: what it came to, if it is a run.
        whole: whether how a run is stored is shown, too.
    """
    say(shown.iri)
    for label, said in shown.headline:
        say(f"{label}: {said}")
    if told := tuple(told):
        sections(told)
    if whole or not told:
        _print(("property", "value"), shown.properties)
    if shown.referrers and (whole or not told):
        _print(("referred to as", "by"), [(name, shorten(iri)) for name, iri in shown.referrers])
    if shown.more:
        say("… and more")
    for where in shown.where:
        say(f"computed on {where}")
    if shown.note:
        say(f"note: {shown.note}")


def listing(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of texts beneath a header."""
    _print(header, rows)


def summary(result: DisplayedRun) -> None:
    """Print what a request came to."""
    if result.status != "finished":
        say(f"{result.status}: {result.message}")
    sections(result.shown_sections())


def sections(found: Iterable[Section]) -> None:
    """Print sections: tables by themselves, facts in one list."""
    from ..views.text import rows, tables

    read = as_read(found)
    for head, cells in tables(read):
        listing(head, cells)
    listing(("quantity", "value"), rows(read))


def as_read(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return sections in the unit of energy that the settings name, options as they are typed."""
    from workflows.show.units import in_units

    from ..session.settings import read_settings

    ctx = click.get_current_context(silent=True)
    options = spelled(ctx.command.get_params(ctx)) if ctx else {}
    return tuple(
        replace(one, blocks=tuple(_typed(block, options) for block in one.blocks))
        for one in in_units(sections, read_settings().energy_unit)
    )


def _typed(block: Block, options: Mapping[str, str]) -> Block:
    """Return a block whose remarks name options as they are typed."""
    if isinstance(block, Note):
        return replace(block, text=as_typed(block.text, options))
    return replace(block, note=as_typed(block.note, options)) if isinstance(block, Chart) else block


def chats(lines: list[Line]) -> None:
    """Print a list of conversations; on a narrow screen the IRI stands beneath each."""
    width = _console().width
    columns = {
        "last asked": [f"{line.last:%Y-%m-%d %H:%M:%S}" for line in lines],
        "name": [line.name for line in lines],
        "questions": [str(line.turns) for line in lines],
        "runs": [str(line.runs) for line in lines],
        "tokens": [str(line.spent.tokens) for line in lines],
        "conversation": [line.conversation for line in lines],
    }
    beneath: list[str] = []
    room = _room(width, columns, "name")
    if room < min(_widest(columns["name"]), 2 * SHORTEST):
        beneath = [f"   {iri}" for iri in columns.pop("conversation")]
        room = _room(width, columns, "name")
    columns["name"] = [_fit(name, max(room, SHORTEST)) for name in columns["name"]]
    _print(list(columns), zip(*columns.values(), strict=True), beneath)
