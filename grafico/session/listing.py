"""Lists of what was found, which a notebook shows as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar, cast

from workflows.show.blocks import Column, Displayed, Section, Table

from .inspection import shorten

if TYPE_CHECKING:
    import pandas as pd

TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(?:Z|\+00:00)")
"""A time in UTC with more digits than are told."""

T = TypeVar("T")


class Listing(list[T], Displayed):
    """A list of dataclasses whose fields are texts, numbers and truth values.

    Args:
        found: what is in it.
        title: above the table.
        units: of fields that are numbers, by their names.
        older: how many are left out, as newer ones say the same of the same.
        called: what fields are called in a table of pandas, where not as here.
    """

    def __init__(
        self,
        found: Iterable[T],
        title: str,
        units: dict[str, str] | None = None,
        older: int = 0,
        called: dict[str, str] | None = None,
    ) -> None:
        super().__init__(found)
        self.older = older
        self._title, self._units, self._called = title, units or {}, called or {}

    def frame(self) -> pd.DataFrame:
        """Return it as a table of pandas, a column for each field; units are in their names."""
        import pandas as pd

        names = {**dict.fromkeys(self._units, ""), **self._called}
        named = {
            name: "_".join(filter(None, [called or name, self._units.get(name, "")]))
            for name, called in names.items()
        }
        return pd.DataFrame(self._rows()).rename(columns=named)

    to_pandas = frame

    def __repr__(self) -> str:
        return Displayed.__repr__(self) if self else f"{self._title}: none"

    def shown_sections(self) -> tuple[Section, ...]:
        """Return it as the one table that it is, names in the graph last.

        Columns in which nothing stands are left out.
        """
        rows = self._rows()
        fields = rows[0] if rows else {}
        kept = [name for name in fields if any(row[name] not in ("", None, False) for row in rows)]
        kept.sort(key=lambda name: any(_is_iri(row[name]) for row in rows))
        columns = tuple(Column(name, self._units.get(name, ""), name, ".9g") for name in kept)
        cells = tuple(tuple(_cell(row[name]) for name in kept) for row in rows)
        return (Section(self._title, (Table("", columns, cells, name="listed"),)),)

    def _rows(self) -> list[dict[str, Any]]:
        return [asdict(cast("Any", one)) for one in self]


def _cell(value: Any) -> float | int | bool | str | None:
    """Return what stands in a table for a value."""
    if _is_iri(value):
        return shorten(value)
    if isinstance(value, dict):
        return ", ".join(f"{n} {one}" for n, one in cast("dict[str, Any]", value).items())
    if isinstance(value, str) and (whole := TIME.fullmatch(value)):
        return whole[1]
    return value if value is None or isinstance(value, float | int | bool | str) else str(value)


def _is_iri(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("https://")
