"""The answer to a SELECT query, as Python and notebooks have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triplestore import Table
from workflows.show.blocks import Column, Displayed, Note, Section
from workflows.show.blocks import Table as TableBlock

from .inspection import cell

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class QueryTable(Table, Displayed):
    """The solutions of a query, which a notebook shows as a table."""

    def frame(self) -> pd.DataFrame:
        """Return it as a table of pandas: numbers as numbers, other terms as text, None for none.

        Units are those of the properties that were asked for: energies in hartree, lengths in Å.
        """
        import pandas as pd

        rows = [[cell(term) for term in row] for row in self.rows]
        return pd.DataFrame(rows, columns=list(self.variables))

    def shown_sections(self) -> tuple[Section, ...]:
        """Return it as the one table that it is."""
        columns = tuple(Column(name, name=name, digits="") for name in self.variables)
        rows = tuple(tuple(cell(term) for term in row) for row in self.rows)
        note = (Note(self.cut),) if self.cut else ()
        return (Section("Answer", (TableBlock("", columns, rows, name="answer"), *note)),)
