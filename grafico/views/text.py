"""Blocks as text for a terminal: rows of a label and what it says, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from grafico.session.inspection import shorten
from workflows.show.blocks import Column, Fact, Note, Section, Table, Value

Row: TypeAlias = tuple[str, str]

MOST = 20
"""Rows of a table that are written as lines; all are stored."""


def rows(sections: Iterable[Section]) -> list[Row]:
    """Return what is not a detail as rows; tables that are none in a short form are left out."""
    return [row for section in sections for row in _of(section)]


def text_of(sections: Sequence[Section]) -> str:
    """Return what is not a detail as text: tables by themselves, then rows."""
    parts = ["\n".join(_aligned(head, cells)) for head, cells in tables(sections)]
    told = rows(sections)
    width = max((len(label) for label, _ in told), default=0)
    parts.append("\n".join(f"{label:{width}}  {said}".rstrip() for label, said in told))
    return "\n\n".join(filter(None, parts))


def _aligned(head: list[str], cells: list[list[str]]) -> Iterator[str]:
    """Write a table as lines, of a long one the first rows."""
    shown = [head, *cells[:MOST]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for line in shown:
        yield "  ".join(
            f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)
        ).rstrip()
    if len(cells) > MOST:
        yield f"… {len(cells)} in all"


def tables(sections: Iterable[Section]) -> list[tuple[list[str], list[list[str]]]]:
    """Return heads and cells of the tables that are no rows."""
    return [
        (
            [f"{c.label} ({c.unit})" if c.unit else c.label for c in _columns(block)],
            [[_cell(cell, column) for column, cell in pairs] for pairs in _pairs(block)],
        )
        for section in sections
        for block in section.blocks
        if isinstance(block, Table) and not block.minor and not block.lines
    ]


def _of(section: Section) -> Iterator[Row]:
    for block in section.blocks:
        match block:
            case Fact(minor=False):
                yield block.label, fact_text(block)
            case Note(minor=False):
                yield "note", block.text
            case Table(minor=False, lines="rows"):
                yield from _by_row(block)
            case Table(minor=False, lines="columns"):
                yield from by_column(block)
            case _:
                pass


def fact_text(fact: Fact) -> str:
    """Return what a fact says, without its label."""
    parts = [amount(fact.value, fact.unit, fact.digits)]
    for other in fact.also:
        text = amount(other.value, other.unit, other.digits)
        same = other.name == fact.name and not isinstance(other.value, str)
        parts.append(
            f"  {other.label} {text}" if other.label else f"{' =' if same else ','} {text}"
        )
    if fact.at:
        conditions = (amount(one.value, one.unit, one.digits) for one in fact.at)
        parts.append(f" at {' and '.join(conditions)}")
    return "".join(parts) + (f" ({fact.note})" if fact.note else "")


def amount(value: Value | tuple[Value, ...], unit: str = "", digits: str = "") -> str:
    """Return a value with its unit, such as `3 steps` or `1.0, 2.0 cm⁻¹`."""
    if isinstance(value, tuple):
        text = ", ".join(written(one, digits) for one in value) or "none"
    else:
        text = written(value, digits)
        if value == 1 and not isinstance(value, bool) and len(unit) > 3:
            unit = unit.removesuffix("s")  # one step
    return f"{text}{'' if unit == '°' else ' '}{unit}".strip()


def written(value: Value, digits: str = "") -> str:
    """Return one value as people write it."""
    match value:
        case _ if "{" in digits:
            return digits.format(value)
        case bool():
            yes, _, no = (digits or "yes|no").partition("|")
            return yes if value else no
        case str():
            return shorten(value)
        case int():
            return format(value, digits if digits in ("+d", "d") else "")
        case _:
            return format(value, digits or ".6g")


def _cell(value: Value | None, column: Column) -> str:
    return "" if value is None else written(value, column.digits)


def _columns(table: Table) -> list[Column]:
    return [column for column in table.columns if not column.minor]


def _pairs(table: Table) -> list[list[tuple[Column, Value | None]]]:
    """Return the cells of each row with their columns, those of a short form."""
    return [
        [pair for pair in zip(table.columns, row, strict=True) if not pair[0].minor]
        for row in table.rows
    ]


def _by_row(table: Table) -> Iterator[Row]:
    """Write each row as a line, labelled with its first cell."""
    for number, pairs in enumerate(_pairs(table)):
        if number == MOST:
            yield "", f"… {len(table.rows)} in all"
            return
        (head, first), *rest = pairs
        indent = "  " if head.label == "state" else ""
        text = ""
        for column, cell in rest:
            if cell is not None and cell != "":
                lead = column.lead if text or column.lead.strip(", ") else ""
                text += f"{lead}{amount(cell, column.unit, column.digits)}"
        yield f"{indent}{head.label} {_cell(first, head)}", text


def by_column(table: Table) -> Iterator[Row]:
    """Write each column as a line; cells are named after the first, if that does not just count."""
    head, *columns = _columns(table)
    counts = [row[0] for row in table.rows] == list(range(1, len(table.rows) + 1))
    del head
    for column in columns:
        place = table.columns.index(column)
        cells = [
            (_cell(row[0], table.columns[0]), written(cell, column.digits))
            for row in table.rows
            if (cell := row[place]) is not None
        ]
        texts = [text if counts else f"{name} {text}" for name, text in cells]
        unit = f" {column.unit}" if column.unit and counts and texts else ""
        note = f" ({table.note})" if table.note else ""
        yield column.label, f"{', '.join(texts) or 'none'}{unit}{note}"
