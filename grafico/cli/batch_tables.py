"""The table of a batch at the terminal."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workflows.show.blocks import Table
from workflows.text.words import count

from ..say import say

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row
    from workflows.show.blocks import Section

SHOWN, FACTS, REASON = 20, 4, 60
"""Of the table that is told: rows, facts of each, and characters of a reason."""


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
    from .tables import summary

    if wanted:
        columns_of(result, wanted, every_unit=True)  # refuses what there is not
    if told:
        list_rows(result, wanted)
        if result.where:
            every = counts["calculations"] + counts["unreadable"]
            matching = sum(1 for _ in replace(result, top=None).rows())
            say(f"note: {matching} of {count(every, 'row')} match", err=True)
    summary(result)


def list_rows(result: BatchResult, wanted: list[str]) -> None:
    """Print the first rows of a batch."""
    from .tables import listing

    rows: list[Row] = list(itertools.islice(result.rows(), SHOWN))
    listing(*_table(rows, result, wanted))
    number = sum(1 for _ in result.rows())
    if more := number - len(rows):
        say(f"… and {count(more, 'more row')}: write all with -o table.csv", err=True)


def list_errors(section: Section) -> None:
    """Print the tables of a section, each with what belongs to it."""
    from ..views.text import tables
    from .tables import as_read, listing

    for block in section.blocks:
        if isinstance(block, Table):
            [(heads, cells)] = tables(as_read([replace(section, blocks=(block,))]))
            listing(heads, cells)
            say(f"note: {block.note}", err=True)


def shortened(reason: str) -> str:
    """Return a reason as it is told at the terminal."""
    return reason if len(reason) <= REASON else reason[: REASON - 1] + "…"


def _cell(row: Row, where: str) -> str:
    """Return what a row has in a column, as it is told at the terminal."""
    from workflows.batch.columns import fact_at
    from workflows.batch.comparison import written

    from ..views.text import amount

    kind, _, key = where.partition(":")
    if kind == "said":
        return written(key, row.said.get(key))
    if kind == "column":
        return row.columns.get(key, "")
    fact = fact_at(row.facts, where)
    return amount(fact.value, "", fact.digits) if fact else ""


def _table(
    rows: list[Row], result: BatchResult, wanted: list[str]
) -> tuple[list[str], list[list[str]]]:
    """Return heads and cells of what is told at the terminal.

    How each ended, and why, has columns where they say anything.
    """
    from workflows.batch.columns import (
        columns_of,
        facts_among,
        head_of,
        lacking_in,
        name_at,
        places_of,
    )
    from workflows.show.asked_facts import meant_among
    from workflows.text.names import plain

    facts = facts_among(rows)
    if wanted:
        source = {plain(one) for one in wanted}
        every = columns_of(result, wanted, every_unit=True)
        units: dict[str, list[str]] = {}
        for one in every.values():
            if one.partition(":")[0] in ("fact", "also"):
                units.setdefault(name_at(one), []).append(one)
        ev = {n: next((x for x in each if x.endswith(" eV")), each[0]) for n, each in units.items()}
        left = {one for name, each in units.items() for one in each if one != ev[name]}
        places = [
            (where, name)
            for name, where in every.items()
            if not where.startswith("own:") and where not in left
            if not where.startswith("column:") or plain(name) in source
        ]
    else:
        usual = [n for n, one in facts.items() if isinstance(one.value, float) and not one.minor]
        first = [name for name in usual if facts[name].headline] or usual
        rank = result.order.lstrip("+-")
        by = meant_among(rank, facts)
        shown: list[str] = list(dict.fromkeys([*first[:FACTS], *filter(None, [by])]))
        places = [(f"said:{one}", one) for one in result.varied]
        places += [(f"column:{rank}", rank)] * any(rank in row.columns for row in rows)
        for name in shown:
            there = [where for where, _ in places_of(name, facts[name])]
            places.append((next((x for x in there if x.endswith(" eV")), there[0]), name))
    heads = [head_of(rows, name, where)[0] for where, name in places]
    asked = [where for where, _ in places]
    why = [shortened(one.reason or one.implausible or lacking_in(one, asked)) for one in rows]
    ended = any(one.status != "finished" for one in rows)
    cells = [
        [
            row.entry.name,
            *(_cell(row, where) for where in asked),
            *([row.status] if ended else []),
            *([reason] if any(why) else []),
        ]
        for row, reason in zip(rows, why, strict=True)
    ]
    return [
        "name",
        *heads,
        *(["status"] if ended else []),
        *(["reason"] if any(why) else []),
    ], cells
