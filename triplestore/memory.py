"""A store in the memory of this process: for tests, notebooks and dry runs."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox

from triplestore.bounds import MAX_BYTES, Bounds
from triplestore.broker import wire
from triplestore.broker.replica import Replica, read
from triplestore.errors import InputError, MemoryLimitError, ResourceError
from triplestore.guard.check import check_local
from triplestore.immutable import check_settled
from triplestore.machine import spare_memory
from triplestore.quads import load_quads, query_errors
from triplestore.reach import by_path
from triplestore.store import Answer, Store, Table, Term, Triples

Row = TypeVar("Row")

_PIECE = 256 * 1024
GUARDED_AT_ONCE = 4
"""Queries of others that are answered at once, and share the memory that they may take."""


class MemoryStore(Store):
    """Quads that vanish with the process.

    A query of our own is evaluated in a thread. Were it to spin inside the engine, it could not be
    stopped: past its time limit the caller gets its `TimeLimitError` and the thread is left behind,
    busy, until the process ends. Queries of others are evaluated in a process apart, on a copy of
    the quads, which is made when there is one to answer, and kept up to date until it is idle.

    Args:
        max_bytes: bytes of an answer, as text, after which it is cut.
    """

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._quads: ox.Store | None = ox.Store()
        self._writing = threading.Lock()
        self._replica: Replica | None = None
        self._ahead: list[bytes] = []  # what was inserted since the replica was told
        self._feeding = threading.Lock()
        self._room = threading.BoundedSemaphore(GUARDED_AT_ONCE)

    @property
    def url(self) -> str:
        """What `open_store` takes for such a store, a new one each time."""
        return "memory:"

    @property
    def home(self) -> Path | None:
        """None: it has no folder."""
        return None

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        """Answer a query; see `Store.query`."""
        quads, bounds = self._open(), Bounds(timeout, max_rows, self._max_bytes)
        deadline = time.monotonic() + bounds.timeout
        check_local(sparql)
        done: list[Answer | BaseException] = []

        def run() -> None:
            try:
                with query_errors(sparql):
                    done.append(_collect(quads.query(sparql), bounds, deadline))
            except BaseException as error:  # handed to the caller below
                # Without its frames: what pyoxigraph made in this thread must end in it.
                error.__cause__ = error.__context__ = None
                done.append(error.with_traceback(None))

        worker = threading.Thread(target=run, daemon=True, name="memory-query")
        worker.start()
        worker.join(bounds.timeout + 0.25)
        if not done:
            raise bounds.late()
        if isinstance(done[0], BaseException):
            raise done[0]
        return done[0]

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        """Answer a query of somebody else; see `Store.query_guarded`.

        Four of them are answered at once, each in a quarter of the memory that they may take.
        """
        memory = spare_memory() if bounds.memory is None else bounds.memory
        bounds = replace(
            bounds,
            memory=memory // GUARDED_AT_ONCE,
            max_bytes=min(bounds.max_bytes, self._max_bytes),
        )
        if not self._room.acquire(timeout=bounds.timeout):
            raise ResourceError(
                "answer a query",
                f"{GUARDED_AT_ONCE} others were running all the time",
                "ask again later",
            )
        try:
            for last in (False, True):
                with suppress(wire.FrameBroken):
                    with self._feeding:
                        link = self._fed().ask(sparql, bounds)
                    return read(link, bounds)
                self._open()  # the replica was idle and has ended, or the store was closed
                self._leave_replica()
                assert not last or self._replica is None
        except MemoryLimitError:
            self._open()  # closed meanwhile: that is why
            raise
        finally:
            self._room.release()
        raise ResourceError("answer a query", "its process ends at once", "see the machine's log")

    def _fed(self) -> Replica:
        """Return the replica, with all quads in it; to be asked by one thread at a time.

        Raises:
            wire.Broken: it is gone.
        """
        if self._replica is not None and self._replica.pid != os.getpid():
            self._leave_replica()  # a forked child: it is the parent's
        with self._writing:
            if self._replica is None:
                self._replica, pieces = Replica(), list(self.dump())
            else:
                pieces = self._ahead
            self._ahead = []
        self._replica.insert(pieces)
        return self._replica

    def _leave_replica(self) -> None:
        with self._writing:
            replica, self._replica, self._ahead = self._replica, None, []
        if replica is not None:
            replica.close()

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        """Return subjects and what can be reached from them; see `Store.reach`."""
        table = self.query(by_path(iris, along))
        assert isinstance(table, Table)
        return table

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        """Add N-Quads in one transaction; see `Store.insert`."""
        del durable  # there is no disk
        store = self._open()
        with self._writing:
            check_settled(store, quads, settled)
            load_quads(store, quads)
            if self._replica is not None:
                self._ahead.append(quads)

    def flush(self) -> None:
        """Do nothing: there is no disk."""
        self._open()

    def dump(self) -> Iterator[bytes]:
        """Iterate over all quads as N-Quads; see `Store.dump`.

        The text is written at once: pyoxigraph's iterators may not leave the thread they began in.
        """
        text = self._open().dump(format=ox.RdfFormat.N_QUADS) or b""
        begin = 0
        while begin < len(text):
            end = text.find(b"\n", begin + _PIECE) + 1 or len(text)
            yield text[begin:end]
            begin = end

    def close(self) -> None:
        """Drop the quads."""
        self._quads = None
        self._leave_replica()

    def _open(self) -> ox.Store:
        if self._quads is None:
            raise InputError("use a store", "it was closed", "open it again")
        return self._quads


def _collect(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, bounds: Bounds, deadline: float
) -> Answer:
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    if isinstance(found, ox.QuerySolutions):
        names = tuple(variable.value for variable in found.variables)
        solutions, cut = _take((tuple(row) for row in found), _row_size, bounds, deadline)
        return Table(names, solutions, cut)
    triples, cut = _take(found, _triple_size, bounds, deadline)
    answer = Triples(triples)
    answer.cut = cut
    return answer


def _take(
    found: Iterable[Row], size: Callable[[Row], int], bounds: Bounds, deadline: float
) -> tuple[list[Row], str | None]:
    rows: list[Row] = []
    left = bounds.max_bytes
    for row in found:
        if len(rows) == bounds.max_rows:
            return rows, bounds.rows_cut()
        if time.monotonic() > deadline:
            raise bounds.late()
        left -= size(row)
        if left < 0:
            return rows, bounds.bytes_cut(len(rows))
        rows.append(row)
    return rows, None


# Sizes are those of the lines in which the embedded store sends its answers.
def _row_size(row: tuple[Term | None, ...]) -> int:
    return len("\t".join("" if term is None else str(term) for term in row).encode()) + 1


def _triple_size(triple: ox.Triple) -> int:
    return len(f"{triple} .\n".encode())
