"""Many requests in one worker: what they store is collected, and handed over in one piece."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from triplestore.bounds import Bounds
from triplestore.store import Answer as QueryAnswer
from triplestore.store import Store, Table

from .task import write

BUNDLE, SETTLED = "bundle.nq", "settled.json"
"""Files of a task folder."""


class CollectingStore(Store):
    """A store that is asked as it is; what is inserted is collected, not stored.

    Args:
        store: which is asked.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._quads: list[bytes] = []
        self._settled: dict[str, None] = {}

    @property
    def url(self) -> str:
        return self._store.url

    @property
    def home(self) -> Path | None:
        return self._store.home

    def query(
        self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None
    ) -> QueryAnswer:
        return self._store.query(sparql, timeout=timeout, max_rows=max_rows)

    def query_guarded(self, sparql: str, bounds: Bounds) -> QueryAnswer:
        return self._store.query_guarded(sparql, bounds)

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        return self._store.reach(iris, along)

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        self._quads.append(quads)
        self._settled.update(dict.fromkeys(settled))

    def flush(self) -> None:
        return

    def dump(self) -> Iterator[bytes]:
        return self._store.dump()

    def close(self) -> None:
        self._store.close()

    def leave(self, folder: Path) -> None:
        """Write what was collected, for `taken`."""
        write(folder / BUNDLE, b"".join(self._quads))
        write(folder / SETTLED, json.dumps(list(self._settled)).encode())


def taken(folder: Path) -> tuple[bytes, list[str]]:
    """Return the quads that a worker has left, and which of their subjects are settled."""
    return (folder / BUNDLE).read_bytes(), json.loads((folder / SETTLED).read_text())
