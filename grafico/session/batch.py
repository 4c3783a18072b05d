"""A batch as Python has it: rows as they end, a table at the end."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, cast

from workflows.batch.entries import Entries
from workflows.batch.rows import row_of
from workflows.registry import workflows

from .handles import as_named

if TYPE_CHECKING:
    import pandas as pd

    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row
    from workflows.engine.request.workflow import Ready

    from .verbs import Verbs

WAIT = 0.2
"""Seconds between two looks whether a batch has ended."""


class RunningBatch(Iterator["Row"]):
    """A batch that is under way: an iterator over its rows in the order in which they end.

    What was computed before stands in `result()`, which waits for the end, and in `frame()`.

    Args:
        future: what it comes to.
        ended: keys of what has ended.
        entries: of the batch.
    """

    def __init__(
        self, future: Future[BatchResult], ended: queue.SimpleQueue[str], entries: Entries
    ) -> None:
        self._future, self._ended, self._entries = future, ended, entries

    def __repr__(self) -> str:
        state = "ended" if self._future.done() else "under way"
        return (
            f"RunningBatch({state}; frame() waits for its table, result() for its result; "
            "iterating gives rows as they end)"
        )

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Row:
        """Return the next row that has ended.

        Raises:
            GraficoError: the batch cannot go on; what has ended is kept.
        """
        try:
            while True:
                over = self._future.done()
                try:
                    key = self._ended.get(timeout=0 if over else WAIT)
                    return row_of(self._entries, key)
                except queue.Empty:
                    if over:
                        self._future.result()
                        raise StopIteration from None
        except KeyboardInterrupt:
            self._future.cancel()
            raise

    def result(self) -> BatchResult:
        """Wait for the end, and return what it came to.

        Raises:
            GraficoError: the batch cannot go on; what has ended is kept.
        """
        try:
            return self._future.result()
        except KeyboardInterrupt:
            self._future.cancel()
            raise

    def frame(self, columns: Sequence[str] = ()) -> pd.DataFrame:
        """Wait for the end, and return all rows as a table; units are in the names of columns.

        Args:
            columns: as `--columns` of the command line, such as `dipole` or `distance C-F`; all
                if there is none.
        """
        return self.result().frame(columns=columns)

    to_pandas = frame


def several(workflow: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return which of the arguments of a workflow are lists of values where one is meant."""
    whole = (workflows().named(workflow) if workflow else workflows().usual).whole
    fields = {n: field for form in whole.all_forms for n, field in form.offered().items()}
    lists = [name for name, one in asked.items() if isinstance(one, list | tuple)]
    many = {n for n, field in fields.items() if "tuple[" in str(field.annotation)}
    return {name: asked[name] for name in lists if name not in many}


def start(session: Verbs, source: object, *, recompute: bool, **asked: Any) -> RunningBatch:
    """Start a batch; see `Grafico.batch`."""
    from workflows.batch.listed import listed

    if isinstance(source, list | tuple):
        given = cast("Sequence[object]", source)
        source = session.wait_for(lambda: _as_texts(session, given, asked.get("each", "")))
    source = listed(source) or source
    ended: queue.SimpleQueue[str] = queue.SimpleQueue()

    async def prepared() -> Ready:
        return await session.prepare_async(source, workflow="batch", recompute=recompute, **asked)

    ready = session.wait_for(prepared)
    ready.prepared.state.entries.told = ended.put
    ready.estimate(force=asked.get("force", False))

    async def performed() -> BatchResult:
        return await session.perform_async(replace(ready, estimated=True))

    future = session.start(performed)
    return RunningBatch(future, ended, ready.prepared.state.entries)


async def _as_texts(session: Verbs, given: Sequence[object], workflow: str) -> list[object]:
    """Return what a list has, objects among it by the IRIs under which they are stored."""
    chosen = workflows().named(workflow) if workflow else workflows().usual
    subject, found = chosen.whole.subject, list[object]()
    for one in given:
        named = as_named(one, subject.model, *subject.members)
        if not isinstance(named, str | float | None):
            read = await subject.read(named, subject.form(), session.executor)
            session.executor.record(read.model)
            named = read.model.iri
        found.append(named)
    return found
