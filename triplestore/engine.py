"""The engine inside the broker: pyoxigraph over a folder, with limits and flushes."""

from __future__ import annotations

import io
import os
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn, cast

import pyoxigraph as ox

from triplestore.errors import ResourceError, TimeLimitError
from triplestore.guard import check_local
from triplestore.quads import disk_error, parse_quads, query_errors

# Below this many rows each is looked at before the next is asked for, so a small `max_rows` or a
# time limit bites at once even when rows come slowly; the rest goes through pyoxigraph's own
# serialiser, twice as quick, which shows us 8 kB at a time.
_SINGLY = 1000
_PIECE = 256 * 1024
# RocksDB cannot even open a store on a full disk: this much is left for it.
_RESERVE = 16 << 20


class WoundedError(Exception):
    """A write failed earlier, and RocksDB takes no more until the store is opened afresh."""


class Engine:
    """The quads of one folder, for the threads of one process.

    Args:
        folder: the folder `quads`; created when missing.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._store = ox.Store(folder)
        except RuntimeError as error:
            raise OSError(str(error)) from error  # how pyoxigraph reports damage
        self._writing = threading.Lock()
        self._flushing = threading.Lock()
        self._committed = self._flushed = 0
        self._logs: dict[Path, int] = {}
        self.wounded = False

    def insert(self, quads: bytes, *, durable: bool) -> None:
        """Commit N-Quads in one transaction and, if durable, flush.

        Raises:
            InputError: they are malformed.
            ResourceError: the disk is full.
            WoundedError: a write failed earlier; open the store again.
        """
        parsed = parse_quads(quads)
        with self._writing:
            self._check_space(len(quads))
            try:
                # One transaction, by its documentation: all or nothing.
                self._store.extend(parsed)
            except (OSError, RuntimeError) as error:
                self.wounded = True
                raise disk_error("insert quads", error) from error
            self._committed += 1
        if durable:
            self.flush()

    def flush(self) -> None:
        """Bring what was committed to the disk; writers that wait meanwhile share one flush.

        RocksDB writes each transaction to its write-ahead log before it acknowledges it, and reads
        that log when it opens. So it is enough to synchronise the log, sixteen times quicker than
        pyoxigraph's own flush, which writes a table file of each column family.

        Raises:
            ResourceError: the disk is full.
        """
        wanted = self._committed
        with self._flushing:
            if self._flushed >= wanted:
                return
            reached = self._committed
            try:
                self._synchronise_log()
            except (OSError, RuntimeError) as error:
                self.wounded = True
                raise disk_error("flush the store", error) from error
            self._flushed = reached

    def _synchronise_log(self) -> None:
        """Synchronise the log files that have grown, and the folder when there are others."""
        sizes: dict[Path, int] = {}
        for path in self._folder.glob("*.log"):
            with suppress(FileNotFoundError):  # its content has moved into a table file
                sizes[path] = path.stat().st_size
        if not sizes:
            self._store.flush()
            return
        for path, size in sizes.items():
            if self._logs.get(path) != size:
                with suppress(FileNotFoundError):
                    _synchronise(path)
        if sizes.keys() != self._logs.keys():
            _synchronise(self._folder)
        self._logs = sizes

    def tidy(self) -> None:
        """Move what the log holds into tables, so that the next start has nothing to repeat."""
        with self._flushing, suppress(OSError, RuntimeError):  # the log holds it all the same
            if self._committed:
                self._store.flush()

    @property
    def dirty(self) -> bool:
        """True while something committed has not been flushed."""
        return self._flushed < self._committed

    def _check_space(self, size: int) -> None:
        """Refuse early what cannot fit, while there is still room to open the store for reading."""
        try:
            free = shutil.disk_usage(self._folder).free
        except OSError as error:
            raise disk_error("insert quads", error) from error
        if free < 4 * size + _RESERVE:
            raise ResourceError(
                "insert quads",
                f"the disk is full: {free >> 10} KiB are left in {self._folder}",
                "free some space and ask again; nothing was stored",
            )
        if self.wounded:
            raise WoundedError

    def answer(
        self,
        sparql: str,
        send: Callable[[bytes | bytearray], None],
        *,
        deadline: float,
        max_rows: int | None,
        max_bytes: int,
    ) -> tuple[str, str | None]:
        """Answer a query into `send`: solutions and booleans as TSV, triples as N-Triples.

        TSV has half the bytes of JSON, is read as fast, gives back every term exactly, and has one
        line a row, so rows can be counted and an answer cut at a line end.

        Returns:
            The kind of answer (`table`, `boolean` or `triples`) and what was cut, if anything.
        """
        check_local(sparql)
        sink = _Sink(send, deadline, max_rows, max_bytes)
        try:
            with query_errors(sparql):
                kind = sink.fill(self._store.query(sparql))
        except _Full as full:
            kind, cut = sink.kind, str(full)
        else:
            cut = None
        sink.finish()
        return kind, cut


def _synchronise(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class _Full(Exception):
    """A limit on rows or bytes was reached."""


class _Sink(io.RawIOBase):
    """A file for pyoxigraph to write to that counts lines and bytes, and sends whole lines."""

    def __init__(
        self,
        send: Callable[[bytes | bytearray], None],
        deadline: float,
        max_rows: int | None,
        max_bytes: int,
    ) -> None:
        self._send, self._deadline = send, deadline
        self._max_rows, self._left = max_rows, max_bytes
        self._max_bytes = max_bytes
        self._rows, self._buffer, self._skip = 0, bytearray(), False
        self._full = False
        self.kind = "table"

    def fill(self, found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples) -> str:
        if isinstance(found, ox.QueryBoolean):
            self._buffer += b"true" if found else b"false"
            self.kind = "boolean"
            return self.kind
        file = cast("IO[bytes]", self)
        if isinstance(found, ox.QuerySolutions):
            header = "\t".join(str(variable) for variable in found.variables)
            self._buffer += header.encode() + b"\n"
            for row in found:
                self.write(("\t".join("" if t is None else str(t) for t in row) + "\n").encode())
                if self._rows >= _SINGLY:
                    self._skip = True  # the serialiser starts with a header of its own
                    found.serialize(file, ox.QueryResultsFormat.TSV)
                    break
            return self.kind
        self.kind = "triples"
        for triple in found:
            self.write(f"{triple} .\n".encode())
            if self._rows >= _SINGLY:
                found.serialize(file, ox.RdfFormat.N_TRIPLES)
                break
        return self.kind

    def write(self, data: bytes, /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        if time.monotonic() > self._deadline:
            raise TimeLimitError(
                "answer a query", "it ran past its time limit", "narrow it or raise the limit"
            )
        taken = len(data)
        if self._full:
            return taken  # pyoxigraph writes out what it holds even after an error
        if self._skip:
            _, found, data = data.partition(b"\n")
            self._skip = not found
        rows = data.count(b"\n")
        if self._max_rows is not None and self._rows + rows > self._max_rows:
            end = 0
            for _ in range(self._max_rows - self._rows):
                end = data.index(b"\n", end) + 1
            self._buffer += data[:end]
            self._end(f"cut after {self._max_rows} rows")
        if len(data) > self._left:
            self._buffer += data[: self._left]
            self._end(f"cut after {self._max_bytes} bytes")
        self._rows += rows
        self._left -= len(data)
        self._buffer += data
        if len(self._buffer) > _PIECE and (end := self._buffer.rfind(b"\n") + 1):
            self._send(self._buffer[:end])
            del self._buffer[:end]
        return taken

    def _end(self, why: str) -> NoReturn:
        del self._buffer[self._buffer.rfind(b"\n") + 1 :]
        self._full = True
        raise _Full(why)

    def finish(self) -> None:
        if self._buffer:
            self._send(self._buffer)
