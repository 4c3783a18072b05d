"""A store that counts what it is asked: round trips, as a server sees them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from triplestore import Answer, Store, Table
from triplestore.bounds import Bounds
from triplestore.remote.store import RemoteStore


class Counting:
    """Passes everything on to a store.

    Attributes:
        queries: how many questions went through; of a server's store, requests that it sent.
        inserts: how many insertions went through.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked = self.inserts = 0
        self._before = store.requests if isinstance(store, RemoteStore) else 0

    @property
    def queries(self) -> int:
        """How often the store was asked."""
        if isinstance(self._store, RemoteStore):
            return self._store.requests - self._before
        return self._asked

    @property
    def url(self) -> str:
        """That of the store."""
        return self._store.url

    @property
    def home(self) -> Path | None:
        """That of the store."""
        return self._store.home

    def damage(
        self, tell: Callable[[str], None] = lambda _: None, patience: float | None = None
    ) -> list[str]:
        """Pass on."""
        return self._store.damage(tell, patience)

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        """Count and pass on."""
        self._asked += 1
        return self._store.query(sparql, timeout=timeout, max_rows=max_rows)

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        """Count and pass on."""
        self._asked += 1
        return self._store.query_guarded(sparql, bounds)

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        """Count and pass on."""
        self._asked += 1
        return self._store.reach(iris, along)

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        """Count and pass on."""
        self.inserts += 1
        self._store.insert(quads, durable=durable, settled=settled)

    def flush(self) -> None:
        """Pass on."""
        self._store.flush()

    def dump(self) -> Iterator[bytes]:
        """Pass on."""
        return self._store.dump()

    def close(self) -> None:
        """Pass on."""
        self._store.close()

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
