"""A run short enough for a language model: numbers with their units in the names, IRIs, one line.

Of a quantity in several units the last is told. Nothing is cut in the
middle of a number: a list that is too long ends after an item, and a number beside it says how many
there are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from grafico.session.inspection import shorten
from workflows.registry.plausibility import IMPLAUSIBLE, warning_in
from workflows.show.blocks import Column, Fact, Note, Section, Table, Value
from workflows.show.run_blocks import RunSummary, run_blocks
from workflows.text.names import named

from .text import fact_text

Found: TypeAlias = dict[str, Any]

MOST_ROWS = 10
"""Rows of a table that are told; all are stored."""

MOST_ITEMS = 40
"""Items of a list that are told."""

NUMBER = re.compile(r"(?<![^\s(])\d[\d.]*(?: |$)")
"""A number in a label."""

DIGITS = re.compile(r"(?<![\w.])[+−-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
"""A number in a remark."""

LONGEST_HEAD = 60
"""Letters of what a remark is of, before a colon."""


def brief(
    ran: RunSummary,
    sections: Iterable[Section] = (),
    *,
    lists: int = MOST_ITEMS,
    both: bool = False,
) -> Found:
    """Return what a model is told of a run.

    Args:
        ran: the run.
        sections: its sections, if they are there already.
        lists: items that a list may have to be told; of a longer one where it is.
        both: whether molar energies are told in kJ/mol and kcal/mol, and labels with numbers.
    """
    sections = tuple(sections) or run_blocks(ran)
    found: Found = {
        "status": ran.status,
        "reading": reading(ran, sections),
        "run": shorten(ran.run),
    }
    if ran.geometry:
        found["geometry"] = shorten(ran.geometry)
    if ran.status != "finished":
        found["goal_unmet"] = {
            "found": ran.message,
            "advice": "change the request, or go on from this run with resume",
        }
    if ran.implausible:
        found["implausible"] = list(ran.implausible)
    made = [(one.result, one.recorded) for one in ran.answers]
    made += [(one, one.iri) for one in ran.made]
    results = {type(one).__name__: iri for one, iri in made}
    found["results"] = {name: shorten(iri) for name, iri in results.items()}
    if stages := [name for name, iri in results.items() if iri in ran.stages]:
        found["stages"] = stages
    middle = [one for one in sections if one.name not in ("about", "how")]
    names = {shorten(iri): name for name, iri in results.items()}
    found["values"], details = values(middle, lists, names, both)
    remarks = [
        b.text
        for section in sections
        for b in section.blocks
        if isinstance(b, Note) and not b.minor
    ]
    more = {"details": details, "remarks": together(remarks)}
    return found | {name: value for name, value in more.items() if value}


def together(remarks: Iterable[str]) -> list[str]:
    """Return remarks, those that say the same of several things as one, with the numbers of each.

    `A: 72 gradients` and `B: 90 gradients` become `A, B: 72, 90 gradients`.
    """
    alike: dict[str, list[tuple[str, str]]] = {}
    for text in dict.fromkeys(remarks):
        head, colon, tail = text.partition(": ")
        of = head if colon and len(head) <= LONGEST_HEAD else ""
        said = tail if of else text
        alike.setdefault(f"{bool(of)} {DIGITS.sub('#', said)}" if of else text, []).append(
            (of, said)
        )
    return [_one(group) for group in alike.values()]


def _one(group: list[tuple[str, str]]) -> str:
    """Return remarks that differ in what they are of, and in numbers, as one."""
    if len(group) == 1:
        return ": ".join(filter(None, group[0]))
    texts = [said for _, said in group]
    columns = zip(*(DIGITS.findall(one) for one in texts), strict=True)
    numbers = [", ".join(column if len({*column}) > 1 else column[:1]) for column in columns]
    parts = DIGITS.split(texts[0])
    said = "".join(a + b for a, b in zip(parts, [*numbers, ""], strict=True))
    return f"{', '.join(of for of, _ in group)}: {said}"


def reading(ran: RunSummary, sections: Iterable[Section]) -> str:
    """Return one line for a person: what it is about, at which level, in which state."""
    parts: list[str] = []
    for fact in (b for s in sections if s.name == "about" for b in s.blocks):
        if not isinstance(fact, Fact) or fact.minor:
            continue
        if not parts:
            beside = ", ".join(f"{one.label} {_written(one)}".strip() for one in fact.also)
            parts.append(f"{fact.value}{f' ({beside})' if beside else ''}")
        elif fact.name == "label":
            parts[0] += f" at {fact.value}"
        else:
            parts.append(f"{fact.label} {fact_text(fact)}")
    if ran.reused and (ran.answers or ran.remembered):
        parts.append("remembered")
    return "; ".join(parts)


def _written(fact: Fact) -> str:
    return f"{fact.value:+d}" if fact.digits == "+d" else str(fact.value)


def values(
    sections: Iterable[Section],
    lists: int = MOST_ITEMS,
    names: Mapping[str, str] | None = None,
    both: bool = False,
) -> tuple[Found, Found]:
    """Return the numbers that matter, and what is not a number or more than one of them.

    Args:
        sections: where they stand.
        lists: items that a list may have to be told.
        names: what objects are called that stand beside them, by their short IRIs.
        both: see `brief`.
    """
    names = names or {}
    numbers: Found = {}
    details: Found = {}
    for block in (block for section in sections for block in section.blocks):
        match block:
            case Fact(minor=False):
                _fact(block, numbers, details, both)
            case Table(minor=False, lines="columns"):
                details |= dict(_by_column(block, lists, names))
            case Table(minor=False):
                rows = [_row(block.columns, row) for row in block.rows]
                numbers[block.name] = rows[:MOST_ROWS]
                if len(rows) > MOST_ROWS:
                    numbers[f"{block.name}_in_all"] = _where(len(rows), block, names)
            case _:
                pass
    return numbers, details


def headlines(sections: Iterable[Section]) -> Found:
    """Return the first number of each section that stands at the head of a page; else the first.

    Of a section with a number that is not plausible, the warning.
    """
    found: Found = {}
    for wanted in (True, False):
        for section in sections if not found else ():
            if warning := warning_in(section.blocks):
                found[IMPLAUSIBLE] = warning
                continue
            facts = (one for one in section.blocks if isinstance(one, Fact) and not one.minor)
            for fact in facts:
                if fact.headline is wanted and isinstance(fact.value, float):
                    _fact(replace(fact, at=()), found, {})
                    break
    return found


def _fact(fact: Fact, numbers: Found, details: Found, both: bool = False) -> None:
    if isinstance(fact.value, tuple):
        rounded = [_rounded(one, fact.digits) for one in fact.value[:MOST_ITEMS]]
        details.setdefault(named(fact.label.strip(), fact.unit), rounded)
    elif isinstance(fact.value, str):
        details.setdefault(fact.label.strip(), fact_text(fact))
    else:
        every = (fact, *fact.also, *fact.at)
        units = {one.name: one for one in every}  # of several the last
        other = {"kJ/mol", "kcal/mol"} if both else set[str]()
        molar = [one for one in every if {one.unit, units[one.name].unit} == other]
        for one in (*units.values(), *molar):
            if not isinstance(one.value, tuple):
                name = named(one.name, one.unit)
                numbers.setdefault(name, _rounded(one.value, one.digits, 2))
                if both and NUMBER.search(one.label):  # which says what it is: "95 % interval"
                    details.setdefault(name, one.label.strip(" ±"))


def _rounded(value: Value, digits: str, more: int = 0) -> Value:
    """Return a number with as many decimals as it is written with, or more, but no more than 8.

    Differences of energies to a hundredth of a J/mol remain. Others get six significant digits.
    """
    if isinstance(value, bool | int | str) or not math.isfinite(value):
        return shorten(value) if isinstance(value, str) else value
    places = re.fullmatch(r"\+?\.(\d+)f", digits)
    return round(value, min(int(places[1]) + more, 8)) if places else tidy(value, 7)


def tidy(value: float, digits: int = 6) -> float:
    """Return a number with so many significant digits."""
    return float(f"{value:.{digits}g}") if math.isfinite(value) else value


def _where(count: int, table: Table, names: Mapping[str, str]) -> Value:
    """Return how many there are, and the object that has them all."""
    iri = shorten(table.iri)
    return f"{count}, all in {names.get(iri, iri)}" if iri else count


def _row(columns: tuple[Column, ...], row: tuple[Value | None, ...]) -> Found:
    """Return a row by the names of its columns, those of details too."""
    return {
        named(one.name, one.unit) or one.label: _rounded(cell, one.digits, 1)
        for one, cell in zip(columns, row, strict=True)
        if cell is not None
    }


def _by_column(table: Table, lists: int, names: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Return each column: a list where rows are just counted, else its numbers by their names."""
    iri = shorten(table.iri)
    counts = [row[0] for row in table.rows] == list(range(1, len(table.rows) + 1))
    for place, column in enumerate(table.columns):
        if place == 0 or column.minor or not table.rows:
            continue
        cells = [
            (str(row[0]), _rounded(cell, column.digits))
            for row in table.rows
            if (cell := row[place]) is not None
        ]
        key = named(column.label, column.unit)
        if counts and lists < min(len(cells), MOST_ITEMS):
            yield key, f"{len(cells)} in {names.get(iri, iri)}"
            continue
        if counts:
            yield key, [cell for _, cell in cells[:MOST_ITEMS]]
        else:
            alike: dict[Value, list[str]] = {}
            for name, cell in cells:
                alike.setdefault(cell, []).append(name)
            listed = list(alike.items())
            yield key, {" ".join(names): cell for cell, names in listed[:MOST_ITEMS]}
            cells = listed
        if len(cells) > MOST_ITEMS:
            yield f"{key} in all", _where(len(table.rows), table, names)
