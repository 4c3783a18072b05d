"""How long an answer may take and how much of it is given, and the words for what was cut."""

from __future__ import annotations

import math
from dataclasses import dataclass

from triplestore.errors import InputError, TimeLimitError

MAX_BYTES = 256 << 20
"""Bytes of an answer, written as text, after which it is cut: what memory surely holds."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one query.

    Args:
        timeout: seconds; a negative number means 0, and more than twelve days mean twelve days.
        max_rows: rows or triples, or None for no limit.
        max_bytes: bytes of the rows as text.

    Raises:
        InputError: `timeout` is no number, or `max_rows` is negative.
    """

    timeout: float = 45.0
    max_rows: int | None = None
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        if self.max_rows is not None and self.max_rows < 0:
            raise InputError("query a store", f"max_rows is {self.max_rows}", "give 0 or more")
        if math.isnan(self.timeout):
            raise InputError("query a store", "timeout is not a number", "give seconds")
        # Infinity is no time that a lock or a socket can wait.
        object.__setattr__(self, "timeout", min(max(self.timeout, 0.0), 1e6))

    def rows_cut(self) -> str:
        """The note that the limit of rows was reached."""
        return f"cut after {self.max_rows} rows"

    def bytes_cut(self, rows: int) -> str:
        """The note that the limit of bytes was reached, and so many rows are left."""
        return f"cut after {rows} rows, as more would exceed {_size(self.max_bytes)}"

    def late(self) -> TimeLimitError:
        """The error for a query that took too long."""
        return TimeLimitError(
            "answer a query",
            f"it ran longer than {self.timeout:g} s",
            "narrow it or raise the limit",
        )


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
