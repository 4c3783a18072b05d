"""Some rows of the table of a batch: those that match, sorted, the first of them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from grafico.session.inspection import shorten
from triplestore.errors import InputError
from workflows.batch.choosing import Condition, as_number
from workflows.batch.columns import columns_of, facts_among, record_of
from workflows.batch.tables import MANY_COLUMNS, NAMES
from workflows.registry.plausibility import IMPLAUSIBLE
from workflows.text.names import named, nearest, plain
from workflows.text.safe_text import printable

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row

FACTS, LONGEST = 4, 60
"""Facts of each row where nobody has chosen columns, and letters of a text."""

MOST = 50
"""Rows of one order."""

IRIS = ("run", "geometry")

Columns: TypeAlias = Annotated[tuple[str, ...], Field(max_length=MANY_COLUMNS)]
Sort: TypeAlias = Annotated[
    tuple[str, ...],
    Field(max_length=5, description="'-gap': largest first; of several each."),
]
Top: TypeAlias = Annotated[int, Field(ge=1, le=MOST)]
Where: TypeAlias = Annotated[
    tuple[str, ...], Field(max_length=10, description="As 'gap > 0.3', 'status = failed'.")
]


class RowChoice(BaseModel):
    """Which rows of a table are told, and what of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    columns: Columns = ()
    sort: Sort = ()
    top: Top = 5
    where: Where = ()


@dataclass(frozen=True)
class _Columns:
    """The columns of a table: where each value is from, and which are told when nobody chooses."""

    every: dict[str, str]
    usual: tuple[str, ...]
    shown: tuple[str, ...]

    @classmethod
    def of(cls, result: BatchResult) -> _Columns:
        facts = facts_among(result.rows())
        plainly = columns_of(result)
        every = plainly | {
            named(name, fact.unit): f"fact:{name}" for name, fact in facts.items() if fact.minor
        }
        numbers = [
            name
            for name, where in every.items()
            if where.startswith("fact:")
            and isinstance((fact := facts[where.removeprefix("fact:")]).value, float)
            and not fact.minor
        ]
        heads = [one for one in numbers if facts[every[one].removeprefix("fact:")].headline]
        return cls(every, (*(heads or numbers)[:FACTS],), (*plainly,))

    def named(self, name: str) -> str:
        """Return the column of a name, with or without its unit.

        Raises:
            InputError: there is none.
        """
        keys = {plain(where.partition(":")[2]): one for one, where in self.every.items()}
        keys |= {plain(one): one for one in self.every}
        found = keys.get(plain(name))
        if found is None:
            near = " or ".join(map(_short, nearest(plain(name), keys)))
            raise InputError(
                f"the column {_short(name)!r} of a table was asked for",
                "it has none of that name" + (f", did you mean {near}?" if near else ""),
                f"there are: {', '.join(self.told)}",
            )
        return found

    @property
    def told(self) -> list[str]:
        """The names of columns as they are told."""
        more = len(self.shown) - MANY_COLUMNS
        return [
            *map(_short, self.shown[:MANY_COLUMNS]),
            *([f"and {more} more"] if more > 0 else []),
        ]


def chosen_rows(result: BatchResult, choice: RowChoice) -> dict[str, Any]:
    """Return rows of a batch as a model is told of them, which they are, and the columns there are.

    Raises:
        InputError: a column is not there, or a condition is none.
    """
    columns = _Columns.of(result)
    conditions = [Condition.read(one) for one in choice.where]
    conditions = [replace(one, name=columns.named(one.name)) for one in conditions]
    orders = [(one, columns.named(one.lstrip("+-"))) for one in choice.sort]
    asked = [columns.named(one) for one in choice.columns] or list(columns.usual)
    used = [one.name for one in conditions] + [name for _, name in orders]
    shown = list(dict.fromkeys([*asked, *used]))
    left = [
        name
        for name, where in columns.every.items()
        if where in ("own:name", "own:status")
        or (where.startswith("column:") and not choice.columns and plain(name) in NAMES)
    ]
    shown = [*(one for one in left if one not in shown), *shown]
    total = matching = 0

    def kept() -> Iterator[tuple[int, Row, dict[str, Any]]]:
        nonlocal matching, total
        total = matching = 0
        for at, row in enumerate(result.rows()):
            total += 1
            record = record_of(row, columns.every)
            if all(one.holds(record.get(one.name)) for one in conditions):
                matching += 1
                yield at, row, record

    rows: list[dict[str, Any]] = []
    parts: list[str] = []
    for said, name in orders or [("", "")]:
        first = _first(kept(), name, choice.top, largest=said.startswith("-"))
        by = {"by": said} if len(orders) > 1 else {}
        rows += [by | _told(row, record, shown, columns.every) for row, record in first]
        parts.append(_which(len(first), matching) + (f" by {said}" if said else ""))
    of = f", which match, of {total}" if conditions else ""
    return {"shown": "; ".join(parts) + of, "columns": columns.told, "rows": rows}


def _first(
    rows: Iterator[tuple[int, Row, dict[str, Any]]], name: str, most: int, *, largest: bool
) -> list[tuple[Row, dict[str, Any]]]:
    """Return the first rows by a column: numbers before texts, those without it not at all.

    Without a name they are the first in their own order. All rows are gone through.
    """
    sign = -1.0 if largest else 1.0

    def key(one: tuple[int, Row, dict[str, Any]]) -> Any:
        value = as_number(one[2][name]) if name else 0.0
        if isinstance(value, float):
            return (0, sign * value, "", one[0])
        return (1, 0.0, str(value), one[0])

    there = (one for one in rows if not name or one[2].get(name) is not None)
    return [(row, record) for _, row, record in heapq.nsmallest(most, there, key=key)]


def _which(number: int, of: int) -> str:
    if not number:
        return f"none of {of} rows"
    return f"rows 1–{number} of {of}" if number > 1 else f"row 1 of {of}"


def _told(
    row: Row, record: Mapping[str, Any], shown: Sequence[str], every: Mapping[str, str]
) -> dict[str, Any]:
    """Return what is told of a row; what the source says stands apart, and stays text."""
    found: dict[str, Any] = {}
    given: dict[str, str] = {}
    for name in shown:
        value = record[name]
        if every[name] == "own:reason":
            continue
        if isinstance(value, float):
            value = float(f"{value:.10g}")
        elif isinstance(value, str):
            value = shorten(value) if every[name].removeprefix("own:") in IRIS else _short(value)
        if every[name].startswith("column:"):
            if value and value != row.entry.name:
                given[_short(name)] = str(value)
        elif value is not None:
            found["name" if every[name] == "own:name" else name] = value
    if given:
        found["given"] = given
    if row.run:
        found["run"] = shorten(row.run)
    if row.implausible:
        found[IMPLAUSIBLE] = printable(row.implausible)
    return found | ({"reason": _short(row.reason)} if row.reason else {})


def _short(text: str) -> str:
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


__all__ = ["RowChoice", "chosen_rows"]
