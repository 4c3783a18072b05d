"""How long an answer may take and how much of it is given, and the words for what was cut."""

from __future__ import annotations

import math
from dataclasses import dataclass

from triplestore.errors import InputError, MemoryLimitError, QueryError, TimeLimitError

MAX_BYTES = 256 << 20
"""Bytes of an answer, written as text, after which it is cut: what memory surely holds."""

LONGEST = 86_400.0
"""Seconds that a query may take at most: a day."""

MAX_CELLS = 2_000_000
"""Cells of the answer to a query that somebody else wrote: an object each for who asked."""

LARGEST_TERM = (16 << 20) - 4096
"""Bytes of a term, as text, that the parsers of pyoxigraph can read."""

LARGEST_ROW = 2 << 20
"""Bytes of a row of the answer to a query that somebody else wrote: who asked reads a row in a time
that grows with the square of its length, 0.2 s for this and 25 s for the largest of all."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one query.

    Args:
        timeout: seconds; a negative number means 0, and more than a day means a day.
        max_rows: rows or triples, or None for no limit.
        max_bytes: bytes of the rows as text.
        memory: bytes that the process that answers may hold meanwhile, for a query that somebody
            else wrote; None for one of our own.

    Raises:
        InputError: `timeout` is no number, or `max_rows` or `memory` is negative.
    """

    timeout: float = 45.0
    max_rows: int | None = None
    max_bytes: int = MAX_BYTES
    memory: int | None = None

    def __post_init__(self) -> None:
        if self.max_rows is not None and self.max_rows < 0:
            raise InputError("query a store", f"max_rows is {self.max_rows}", "give 0 or more")
        if self.memory is not None and self.memory < 0:
            raise InputError("query a store", f"memory is {self.memory}", "give 0 or more bytes")
        if math.isnan(self.timeout):
            raise InputError("query a store", "timeout is not a number", "give seconds")
        # Infinity is no time that a lock or a socket can wait.
        object.__setattr__(self, "timeout", min(max(self.timeout, 0.0), LONGEST))

    def rows_cut(self) -> str:
        """The note that the limit of rows was reached."""
        return f"cut after {self.max_rows} rows"

    def bytes_cut(self, rows: int) -> str:
        """The note that the limit of bytes was reached, and so many rows are left."""
        return f"cut after {rows} rows, as more would exceed {_size(self.max_bytes)}"

    @property
    def max_cells(self) -> float:
        """Cells after which an answer is cut."""
        return math.inf if self.memory is None else MAX_CELLS

    def cells_cut(self, rows: int) -> str:
        """The note that the limit of cells was reached, and so many rows are left."""
        return f"cut after {rows} rows, as more would exceed {MAX_CELLS:,} cells"

    @property
    def max_row(self) -> int:
        """Bytes of a row, more than which cannot be read."""
        return LARGEST_TERM if self.memory is None else LARGEST_ROW

    def row_too_large(self) -> QueryError:
        """The error for a row that is too large to be read."""
        return QueryError(
            "answer a query",
            f"a row of its answer has more than {_size(self.max_row)}",
            "ask for less of it: a part of a text is SUBSTR(?text, 1, 1000), its length STRLEN",
        )

    def late(self) -> TimeLimitError:
        """The error for a query that took too long."""
        return TimeLimitError(
            "answer a query",
            f"it ran longer than {self.timeout:g} s",
            "narrow it or raise the limit",
        )

    def too_large(self) -> MemoryLimitError:
        """The error for a query that took too much memory, or was in flight when one did."""
        return MemoryLimitError(
            "answer a query",
            f"memory ran out: queries of others may take {_size(self.memory or 0)} together",
            "narrow it (fewer rows before ORDER BY, GROUP BY or DISTINCT, no patterns without a"
            " common variable) or raise the limit",
        )


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
