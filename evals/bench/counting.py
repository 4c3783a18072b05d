"""A store that counts what it is asked: round trips, as a server sees them."""

from __future__ import annotations

from typing import Any, Self

from triplestore import Store
from triplestore.remote.store import RemoteStore

ASKING = ("query", "query_guarded", "reach")
_Store: Any = object
"""For type checkers it is any store; what it does not have, the other one does."""


class Counting(_Store):
    """Passes everything on to a store.

    Attributes:
        inserts: how many insertions went through.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._asked, self.inserts = store, 0, 0
        self._before = store.requests if isinstance(store, RemoteStore) else 0

    @property
    def queries(self) -> int:
        """How many questions went through; of a server's store, requests that it sent."""
        if isinstance(self._store, RemoteStore):
            return self._store.requests - self._before
        return self._asked

    def __getattr__(self, name: str) -> Any:
        self._asked += name in ASKING
        self.inserts += name == "insert"
        return getattr(self._store, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()
