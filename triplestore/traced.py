"""`TracedStore`: a store that makes a span of each request."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from opentelemetry.trace import Tracer

from triplestore.bounds import Bounds
from triplestore.spans import note, span
from triplestore.store import Answer, Store, Table, is_remote

_FORM = re.compile(r"(?:^|[\s}>])(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)


class TracedStore(Store):
    """A store as it is, whose requests can be seen in a trace.

    A span tells how much was asked and how much came back: form and length of a query, rows, bytes
    and quads. What was asked is not told, for the literals of a query belong to who asks.

    Args:
        store: does the work.
        tracer: makes the spans.
    """

    def __init__(self, store: Store, tracer: Tracer) -> None:
        self._store, self._tracer = store, tracer
        url = store.url
        self._kind = "memory" if url == "memory:" else "server" if is_remote(url) else "folder"

    @property
    def url(self) -> str:
        return self._store.url

    @property
    def home(self) -> Path | None:
        return self._store.home

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        return self._traced(
            sparql, lambda: self._store.query(sparql, timeout=timeout, max_rows=max_rows)
        )

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        return self._traced(sparql, lambda: self._store.query_guarded(sparql, bounds))

    def _traced(self, sparql: str, ask: Callable[[], Answer]) -> Answer:
        with span(self._tracer, "store query", store=self._kind) as here:
            answer = ask()
            if here.is_recording():
                form = _FORM.search(sparql)
                note(here, form=form[1].upper() if form else None, length=len(sparql))
                if isinstance(answer, Table):
                    note(here, rows=len(answer.rows), cut=answer.cut)
                elif not isinstance(answer, bool):
                    note(here, rows=len(answer), cut=getattr(answer, "cut", None))
            return answer

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        with span(self._tracer, "store reach", store=self._kind, subjects=len(iris)) as here:
            table = self._store.reach(iris, along)
            note(here, rows=len(table.rows), cut=table.cut)
            return table

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        with span(self._tracer, "store insert", store=self._kind, durable=durable) as here:
            if here.is_recording():
                note(here, bytes=len(quads), quads=quads.count(b"\n"), settled=len(settled))
            self._store.insert(quads, durable=durable, settled=settled)

    def flush(self) -> None:
        with span(self._tracer, "store flush", store=self._kind):
            self._store.flush()

    def dump(self) -> Iterator[bytes]:
        # no span: it would be the current one of whoever reads the pieces
        return self._store.dump()

    def damage(
        self, tell: Callable[[str], None] = lambda _: None, patience: float | None = None
    ) -> list[str]:
        with span(self._tracer, "store check", store=self._kind):
            return self._store.damage(tell, patience)

    def close(self) -> None:
        self._store.close()
