"""Entries of a batch that are remembered already are done here, before the rest goes elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from ogm import GraphModel, Link
from ontologies.provenance import Part, Run
from workflows.engine import Executor
from workflows.engine.execution.events import Scope, scope, within
from workflows.engine.execution.recalling import RecallingExecutor
from workflows.registry import workflows

from .compute import compute
from .entries import Entries

ABREAST = 25
"""Entries for which the store is asked at once."""

QUIET = 2.0
"""Seconds after which it is told how far this is."""


async def recall(entries: Entries, left: Sequence[str], executor: Executor) -> tuple[str, ...]:
    """Record the entries of which all is remembered; return the keys of the others.

    Args:
        entries: of the batch.
        left: keys of what is to be done.
        executor: records; what is remembered of the others is noted in its `deferred`.
    """
    run, workflow = scope().run, workflows().named(entries.batch.workflow)
    recalling = RecallingExecutor(executor)
    others: list[str] = []
    made: list[GraphModel] = []

    async def one(key: str) -> None:
        started = datetime.now(UTC)
        with within(Scope(run, 0, key)):
            recorded = await recalling.whole(compute(entries, key, workflow, recalling))
        if recorded is None:
            others.append(key)
            return
        part = Part(run=Link[Run](run), index=0, part=key, started=started, ended=datetime.now(UTC))
        made.extend((*recorded, part))

    clock = time.monotonic()
    for first in range(0, len(left), ABREAST):
        keys = left[first : first + ABREAST]
        entries.ahead(keys)
        await recalling.abreast(map(one, keys))
        if made:
            executor.record(*made, durable=False)
            made.clear()
        for key in set(keys).difference(others):
            entries.told(key)
        if time.monotonic() - clock > QUIET:
            done = min(first + ABREAST, len(left))
            executor.emit("progress", "", done=done, failed=0, total=len(left))
    waiting = set(others)
    return tuple(key for key in left if key in waiting)
