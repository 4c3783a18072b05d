"""The columns of the table of a batch, and what a row has under them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from triplestore.errors import InputError
from workflows.show.asked_facts import examples, meant_among
from workflows.text.names import named, plain
from workflows.text.words import first_line

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row
    from workflows.show.blocks import Fact

OWN = ("index", "name", "place", "status", "reason", "run", "geometry", "remarks")
"""Columns that every row has, before those of the source and the facts."""


def facts_among(rows: Iterable[Row]) -> dict[str, Fact]:
    """Return a fact of each name that rows have: one that is no detail where there is one.

    What is a headline of most rows is a detail of one in which it is not plausible.
    """
    found: dict[str, Fact] = {}
    for row in rows:
        for name, fact in row.facts.items():
            if name not in found or (found[name].minor and not fact.minor):
                found[name] = fact
    return found


def columns_of(
    result: BatchResult, wanted: Sequence[str] = (), *, every_unit: bool = False
) -> dict[str, str]:
    """Return the columns of the table of a batch: where each value is from, by its name.

    A source's column with the name of one of ours keeps it; ours is then `NAME (computed)`.

    Args:
        result: the batch.
        wanted: facts that are to be columns, by name with or without unit, in their order, beside
            those of the source, the name, and the reason where one has any; all if there is none.
        every_unit: whether a value that people are told in two units has a column for each.

    Raises:
        InputError: nothing of such a name is known of any entry.
    """
    source: dict[str, None] = {}
    unlike: set[str] = set()
    facts: dict[str, tuple[str, str]] = {}
    for row in result.rows():
        source.update(dict.fromkeys(row.columns))
        unlike.update(one for one, cell in row.columns.items() if cell != row.entry.name)
        for name, fact in row.facts.items():
            if wanted or not fact.minor:
                for where, one in places_of(name, fact)[: None if every_unit else 1]:
                    facts[where] = name, named(name, one.unit)
    varied = result.varied
    if wanted:
        known = facts_among(result.rows())
        exact = {one for names in facts.values() for one in names} | {*OWN, *source, *varied}
        heads = {plain(one): one for one in (*source, *varied)}
        meant = {
            one: next((x for x in (one, _with_unit(one)) if x in exact), "")
            or heads.get(plain(one))
            or meant_among(one, known)
            for one in wanted
        }
        if strange := [one for one, name in meant.items() if not name]:
            there = ", ".join(sorted(name for _, name in facts.values())) or "none"
            more = f"; of the source: {', '.join(source)}" if source else ""
            raise InputError(
                f"the columns {', '.join(strange)} were asked for",
                "no entry has them",
                f"there are: {there}{more}; and of the atoms: {', '.join(examples())}",
            )
        facts = {
            where: names
            for one in meant.values()
            for name in _with_others(one, known)
            for where, names in facts.items()
            if name in names and name not in source
        }
    kept = [one for one in OWN if not wanted or one in wanted or one == "name"]
    if wanted and "reason" not in kept and any(why_not(row, facts) for row in result.rows()):
        kept.append("reason")
    told = [one for one in source if plain(one) == "name" and one not in unlike]
    own = [
        *((f"own:{one}", one) for one in kept if not (wanted and one in source)),
        *((f"said:{one}", one) for one in varied),
        *((where, name) for where, (_, name) in facts.items()),
    ]
    found = {name: f"column:{name}" for name in source}
    for where, name in own:
        free = name
        while free in found:
            free = f"{free} (computed)"
        found[free] = where
    if told and "name" not in source:  # `Name` of the source says it
        del found["name"]
    first = [one for one, where in found.items() if where == "own:index"]
    first += told[:1] or [one for one, where in found.items() if where == "own:name"]
    return {name: found[name] for name in (*first, *(one for one in found if one not in first))}


def _with_unit(said: str) -> str:
    """Return a name and its unit as columns have them: of `gap in eV` and `gap (eV)`."""
    found = re.fullmatch(r"(.+?)(?: in | ?\()([^\s()]+)\)?", said)
    return named(found[1], found[2]) if found else said


def _with_others(name: str, known: Mapping[str, Fact]) -> list[str]:
    """Return a name, and those of all facts that answer the same words as that one."""
    said = known[name].asked if name in known else ""
    return [name, *(other for other, one in known.items() if said and one.asked == said != name)]


def places_of(name: str, fact: Fact) -> list[tuple[str, Fact]]:
    """Return where a fact stands, and where the same value in another unit, with what is there."""
    others = [one for one in fact.also if one.unit and not one.label]
    kind = "asked" if fact.asked and fact.asked != name else "fact"
    return [(f"{kind}:{name}", fact), *((f"also:{name} {one.unit}", one) for one in others)]


def fact_at(facts: Mapping[str, Fact], where: str) -> Fact | None:
    """Return the fact of a column, see `columns_of`; None where there is none."""
    name = name_at(where)
    return dict(places_of(name, facts[name])).get(where) if name in facts else None


def name_at(where: str) -> str:
    """Return the name of the fact of a column, see `columns_of`."""
    kind, _, name = where.partition(":")
    return name.rpartition(" ")[0] if kind == "also" else name


def head_of(rows: Sequence[Row], name: str, where: str) -> tuple[str, str]:
    """Return how a column is headed for people, and how its numbers are written.

    Args:
        rows: of the table.
        name: of the column.
        where: its values are from, see `columns_of`.
    """
    facts = (one for row in rows if (one := fact_at(row.facts, where)))
    fact = next(facts, None)
    if fact is None:
        return name.replace("_", " ") if where.startswith("said:") else name, ""
    label = next(row.facts[n].label for row in rows if (n := name_at(where)) in row.facts)
    return f"{label.strip()} ({fact.unit})".removesuffix(" ()"), fact.digits


def lacking_in(row: Row, places: Iterable[str]) -> str:
    """Return why a finished row has nothing at some places, in words; empty where it has all."""
    if row.status != "finished":
        return ""
    there = [one for one in places if one.startswith("fact:") and not fact_at(row.facts, one)]
    names = [one.partition(":")[2] for one in there]
    return "; ".join(dict.fromkeys(row.lacking.get(name) or f"no {name} here" for name in names))


def why_not(row: Row, places: Iterable[str]) -> str:
    """Return what is to be said of a row beside its numbers, in words; empty for nothing."""
    return row.reason or row.implausible or lacking_in(row, places)


def record_of(row: Row, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row by the names of its columns; None for what is not known of it."""
    entry, columns = row.entry, row.columns
    own = {
        "index": entry.index,
        "name": entry.name,
        "place": entry.place,
        "status": row.status,
        "reason": row.reason,
        "run": row.run,
        "geometry": row.geometry,
        "remarks": "; ".join(filter(None, [*entry.notes, row.implausible])),
    }
    found: dict[str, Any] = {}
    for name, where in names.items():
        kind, _, key = where.partition(":")
        if kind == "own":
            found[name] = own[key] if own[key] != "" else None
            if key == "reason" and "own:status" not in names.values():
                found[name] = found[name] or lacking_in(row, names.values()) or None
        elif kind == "said":
            found[name] = first_line(row.said.get(key))
        elif kind == "column":
            found[name] = columns.get(key)
        else:
            fact = fact_at(row.facts, where)
            value = None if fact is None else fact.value
            bad = isinstance(value, float) and not math.isfinite(value)
            found[name] = None if bad else value
    return found
