"""A store in the memory of this process: for tests, notebooks and dry runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox

from triplestore.bounds import MAX_BYTES, Bounds
from triplestore.errors import InputError
from triplestore.guard import check_local
from triplestore.quads import load_quads, query_errors
from triplestore.reach import by_path
from triplestore.settled import check_settled
from triplestore.store import Answer, Store, Table, Term, Triples

Row = TypeVar("Row")

_PIECE = 256 * 1024


class MemoryStore(Store):
    """Quads that vanish with the process.

    A query that spins inside the engine cannot be stopped from outside, and a thread cannot be
    killed. Past its time limit the caller gets its `TimeLimitError` and the thread is left behind,
    busy, until the process ends; the embedded store is the one to use for queries of others.

    Args:
        max_bytes: bytes of an answer, as text, after which it is cut.
    """

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._quads: ox.Store | None = ox.Store()
        self._writing = threading.Lock()

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

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        """Return subjects and what can be reached from them; see `Store.reach`."""
        found = self.query(by_path(iris, along))
        assert isinstance(found, Table)
        return found

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        """Add N-Quads in one transaction; see `Store.insert`."""
        del durable  # there is no disk
        store = self._open()
        with self._writing:
            check_settled(store, quads, settled)
            load_quads(store, quads)

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
