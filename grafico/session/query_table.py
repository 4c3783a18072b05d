"""The answer to a SELECT query, as Python and notebooks have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triplestore import Table
from workflows.show.blocks import Column, Displayed, Note, Section
from workflows.show.blocks import Table as TableBlock

from .inspection import cell, numbers

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class QueryTable(Table, Displayed):
    """The solutions of a query, which a notebook shows as a table.

    To go through it gives a `dict` for each row, as `frame` has it, so that pandas takes it.
    """

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self.rows:
            yield dict(zip(self.variables, map(numbers, row), strict=True))

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return True  # as of any answer, that of no rows too

    def frame(self) -> pd.DataFrame:
        """Return it as a table of pandas: numbers as numbers, other terms as text, None for none.

        Small arrays are lists of numbers.

        Units are those of the properties that were asked for: energies in hartree, lengths in Å.
        """
        import pandas as pd

        return pd.DataFrame([*self], columns=list(self.variables))

    to_pandas = frame

    def shown_sections(self) -> tuple[Section, ...]:
        """Return it as the one table that it is."""
        columns = tuple(Column(name, name=name, digits="") for name in self.variables)
        rows = tuple(tuple(cell(term) for term in row) for row in self.rows)
        note = (Note(self.cut),) if self.cut else ()
        return (Section("Answer", (TableBlock("", columns, rows, name="answer"), *note)),)
