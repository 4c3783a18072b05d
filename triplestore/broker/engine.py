"""The engine inside the broker: pyoxigraph over a folder, with limits and flushes."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

import pyoxigraph as ox

from triplestore.bounds import Bounds
from triplestore.broker.answering import write_answer
from triplestore.broker.sink import LineSink
from triplestore.disk import synchronise
from triplestore.errors import ResourceError
from triplestore.immutable import check_settled
from triplestore.quads import disk_error, load_quads

# RocksDB cannot even open a store on a full disk: this much is left for it.
_RESERVE = 16 << 20

# What RocksDB has in its log it holds in memory too, up to half a gigabyte, and reads it all when
# it opens: beyond this it is moved into tables.
_LOG = 64 << 20


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

    def insert(self, quads: bytes, *, durable: bool, settled: Collection[str] = ()) -> None:
        """Commit N-Quads in one transaction and, if durable, flush.

        Raises:
            ConflictError: a settled subject has another value.
            InputError: they are malformed.
            ResourceError: the disk is full.
            WoundedError: a write failed earlier; open the store again.
        """
        with self._writing:
            self._check_space(len(quads))
            try:
                check_settled(self._store, quads, settled)
            except (OSError, RuntimeError) as error:
                raise disk_error("read from the store", error) from error
            try:
                # One transaction, by its documentation: all or nothing.
                load_quads(self._store, quads)
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
                    synchronise(path)
        if sizes.keys() != self._logs.keys():
            synchronise(self._folder)
        self._logs = sizes
        if sum(sizes.values()) > _LOG:
            self._store.flush()

    def tidy(self) -> None:
        """Move what the log holds into tables, so that the next start has nothing to repeat."""
        with self._flushing, suppress(OSError, RuntimeError):  # the log holds it all the same
            if self._committed:
                self._store.flush()

    def copy(self, place: Path) -> None:
        """Make a copy of one moment in a folder that there is not, of links on the same disk.

        Raises:
            ResourceError: there is no room, or the store cannot be read.
        """
        try:
            self._store.backup(str(place))
        except (OSError, RuntimeError) as error:
            raise disk_error("copy the store", error) from error

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
        bounds: Bounds,
        deadline: float,
    ) -> tuple[str, str | None]:
        """Answer a query into `send`; see `write_answer`."""
        return write_answer(self._store, sparql, send, bounds, deadline)

    def dump(self, send: Callable[[bytes | bytearray], None]) -> None:
        """Send all quads as N-Quads, whole lines at a time.

        pyoxigraph dumps a snapshot, so it is the state of one moment, and it asks for the next
        quads only when we have taken the last.

        Raises:
            ResourceError: the disk cannot be read.
        """
        sink = LineSink(send)
        try:
            self._store.dump(cast("IO[bytes]", sink), ox.RdfFormat.N_QUADS)
        except (OSError, RuntimeError) as error:
            raise disk_error("read all quads", error) from error
        sink.finish()
