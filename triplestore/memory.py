"""A store in the memory of this process: for tests, notebooks and dry runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pyoxigraph as ox

from triplestore.errors import InputError, TimeLimitError
from triplestore.guard import check_local
from triplestore.quads import parse_quads, query_errors
from triplestore.store import Answer, Table, Triples

Row = TypeVar("Row")


class MemoryStore:
    """Quads that vanish with the process.

    A query that spins inside the engine cannot be stopped from outside, and a thread cannot be
    killed. Past its time limit the caller gets its `TimeLimitError` and the thread is left behind,
    busy, until the process ends; the embedded store is the one to use for queries of others.
    """

    url = "memory:"
    home: Path | None = None

    def __init__(self) -> None:
        self._quads: ox.Store | None = ox.Store()
        self._writing = threading.Lock()

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        """Answer a query; see `Store.query`."""
        quads, deadline = self._open(), time.monotonic() + timeout
        check_local(sparql)
        done: list[Answer | BaseException] = []

        def run() -> None:
            try:
                with query_errors(sparql):
                    done.append(_collect(quads.query(sparql), deadline, timeout, max_rows))
            except BaseException as error:  # handed to the caller below
                # Without its frames: what pyoxigraph made in this thread must end in it.
                error.__cause__ = error.__context__ = None
                done.append(error.with_traceback(None))

        worker = threading.Thread(target=run, daemon=True, name="memory-query")
        worker.start()
        worker.join(min(timeout, 1e6) + 0.25)
        if not done:
            raise _late(timeout)
        if isinstance(done[0], BaseException):
            raise done[0]
        return done[0]

    def insert(self, quads: bytes, *, durable: bool = True) -> None:
        """Add N-Quads in one transaction; see `Store.insert`."""
        del durable  # there is no disk
        store = self._open()
        with self._writing:
            store.extend(parse_quads(quads))

    def flush(self) -> None:
        """Do nothing: there is no disk."""
        self._open()

    def close(self) -> None:
        """Drop the quads."""
        self._quads = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None:
        self.close()

    def _open(self) -> ox.Store:
        if self._quads is None:
            raise InputError("use a store", "it was closed", "open it again")
        return self._quads


def _late(timeout: float) -> TimeLimitError:
    return TimeLimitError(
        "answer a query", f"it ran longer than {timeout:g} s", "narrow it or raise the limit"
    )


def _collect(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples,
    deadline: float,
    timeout: float,
    max_rows: int | None,
) -> Answer:
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    if isinstance(found, ox.QuerySolutions):
        names = tuple(variable.value for variable in found.variables)
        solutions, cut = _take(found, deadline, timeout, max_rows)
        return Table(names, [tuple(row) for row in solutions], cut)
    triples, cut = _take(found, deadline, timeout, max_rows)
    answer = Triples(triples)
    answer.cut = cut
    return answer


def _take(
    found: Iterable[Row], deadline: float, timeout: float, max_rows: int | None
) -> tuple[list[Row], str | None]:
    rows: list[Row] = []
    for row in found:
        if len(rows) == max_rows:
            return rows, f"cut after {max_rows} rows"
        if time.monotonic() > deadline:
            raise _late(timeout)
        rows.append(row)
    return rows, None
