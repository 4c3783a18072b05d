"""Files for pyoxigraph to write to that send whole lines on, and cut an answer at its limits."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable
from typing import IO, NoReturn, cast

import pyoxigraph as ox

from triplestore.bounds import Bounds

# Below this many rows each is looked at before the next is asked for, so a small `max_rows` or a
# time limit bites at once even when rows come slowly; the rest goes through pyoxigraph's own
# serialiser, twice as quick, which shows us 8 kB at a time.
_SINGLY = 100
_SHOWN = 8 * 1024
_PIECE = 256 * 1024


class LineSink(io.RawIOBase):
    """Gathers what is written and sends it on, whole lines and about 256 kB at a time."""

    def __init__(self, send: Callable[[bytes | bytearray], None]) -> None:
        self._send, self._buffer = send, bytearray()
        self._ended = False

    def write(self, data: bytes, /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        if not self._ended:  # pyoxigraph writes out what it holds even after an error
            self._buffer += data
            if len(self._buffer) > _PIECE and (end := self._buffer.rfind(b"\n") + 1):
                try:
                    self._send(self._buffer[:end])
                except BaseException:
                    self._ended = True
                    raise
                del self._buffer[:end]
        return len(data)

    def finish(self) -> None:
        """Send what is left."""
        if self._buffer:
            self._send(self._buffer)


class Full(Exception):
    """A limit on rows or bytes was reached; its text is the note for the reader."""


class AnswerSink(LineSink):
    """Takes the answer to a query, one line a row, up to its limits.

    Args:
        send: takes the pieces.
        bounds: the limits of rows and bytes.
        deadline: when time is up, on the clock of `time.monotonic`.
    """

    def __init__(
        self, send: Callable[[bytes | bytearray], None], bounds: Bounds, deadline: float
    ) -> None:
        super().__init__(send)
        self._bounds, self._deadline = bounds, deadline
        self._rows, self._left, self._skip = 0, bounds.max_bytes, False
        self._cells = self._row = 0
        self.kind = "table"

    def fill(self, found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples) -> None:
        """Take a whole answer: a table as TSV, a boolean as a word, triples as N-Triples.

        Raises:
            Full: a limit of rows or bytes was reached; `finish` sends what was taken.
            TimeLimitError: the deadline has passed.
        """
        if isinstance(found, ox.QueryBoolean):
            self._buffer += b"true" if found else b"false"
            self.kind = "boolean"
            return
        file = cast("IO[bytes]", self)
        if isinstance(found, ox.QuerySolutions):
            header = "\t".join(str(variable) for variable in found.variables)
            self._buffer += header.encode() + b"\n"
            if self._take_singly(
                "\t".join(["" if term is None else str(term) for term in row]) + "\n"
                for row in found
            ):
                self._skip = True  # the serialiser starts with a header of its own
                found.serialize(file, ox.QueryResultsFormat.TSV)
            return
        self.kind = "triples"
        if self._take_singly(f"{triple} .\n" for triple in found):
            found.serialize(file, ox.RdfFormat.N_TRIPLES)

    def _take_singly(self, lines: Iterable[str]) -> bool:
        """Take the first rows, one by one; return whether there may be more.

        They are written together as long as no limit can have been reached.
        """
        most = self._bounds.max_rows
        few = _SINGLY if most is None else min(_SINGLY, most + 1)
        kept, size = list[str](), 0
        for taken, line in enumerate(lines, 1):
            kept.append(line)
            size += len(line)
            if taken >= few or size > _SHOWN or time.monotonic() > self._deadline:
                self.write("".join(kept).encode())
                kept, size = [], 0
                if taken >= _SINGLY:
                    return True
        self.write("".join(kept).encode())
        return False

    def write(self, data: bytes, /) -> int:
        if time.monotonic() > self._deadline:
            raise self._bounds.late()
        taken = len(data)
        if self._ended:
            return taken
        if self._skip:
            _, found, data = data.partition(b"\n")
            self._skip = not found
        rows, most = data.count(b"\n"), self._bounds.max_rows
        if most is not None and self._rows + rows > most:
            end = 0
            for _ in range(most - self._rows):
                end = data.index(b"\n", end) + 1
            self._end(data[:end], self._bounds.rows_cut())
        if len(data) > self._left:
            data = data[: max(0, self._left)]
            self._end(data, self._bounds.bytes_cut(self._rows + data.count(b"\n")))
        self._check_row(data)
        self._rows += rows
        self._left -= len(data)
        self._cells += data.count(b"\t") + rows
        if self._cells > self._bounds.max_cells:
            self._end(data, self._bounds.cells_cut(self._rows))
        super().write(data)
        return taken

    def _check_row(self, data: bytes) -> None:
        """Refuse a row that its reader could not read."""
        self._row += len(data)
        if (end := data.rfind(b"\n") + 1) or self._row > self._bounds.max_row:
            if self._row - (len(data) - end) > self._bounds.max_row:
                self._ended = True
                raise self._bounds.row_too_large()
            self._row = len(data) - end

    def _end(self, data: bytes, why: str) -> NoReturn:
        self._buffer += data
        del self._buffer[self._buffer.rfind(b"\n") + 1 :]
        self._ended = True
        raise Full(why)
