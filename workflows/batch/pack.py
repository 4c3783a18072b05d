"""Small entries of a batch, many a worker: one task, one transaction."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.collection import Batch
from ontologies.provenance import Part, Run
from ontologies.units import Seconds
from triplestore import open_store
from triplestore.errors import GraficoError
from workflows.engine import Backend, calculation, context
from workflows.engine.execution.answer import DeferredError
from workflows.engine.execution.bundled import CollectingStore
from workflows.engine.execution.events import Scope, within
from workflows.engine.execution.inline import InlineExecutor
from workflows.engine.graph.waiting import ApprovalError
from workflows.registry import workflows
from workflows.trust.caller import Caller, asked_by

from .compute import compute
from .entries import Entries

ABREAST = 25
"""Entries for which the store is asked at once."""

PACKS = Backend(name="batch", epoch="1", preload=("workflows.batch.pack",))


class Packed(GraphModel, identity="result"):
    """How the entries of a pack ended; it is read by the batch, and not stored.

    Attributes:
        failures: why some failed, by their keys, as JSON.
        seconds: that it took.
        waiting: keys of those that somebody has to agree to, which nobody can here, and of those
            that need what somebody else is computing.
    """

    failures: str
    waiting: tuple[str, ...] = ()
    seconds: Seconds


@calculation("batch.pack", version="1", backend=PACKS, gpu=False, title="entries")
def pack(
    batch: str,
    run: str,
    keys: tuple[str, ...],
    store: str,
    arrays: str,
    recompute: bool,
    who: str,
    homes: tuple[str, ...] = (),
) -> Packed:
    """Compute entries of a batch one after the other, and leave what is to be stored.

    Args:
        batch: IRI.
        run: IRI of the run of the batch that this belongs to.
        keys: of the entries.
        store: URL of the store, which is asked for what is remembered.
        arrays: folder of large arrays.
        recompute: compute what is remembered too.
        who: asks, see `Caller.text`.
        homes: folders of packages that declare workflows and levels: a worker, which has no home
            of the person and nothing on its path but Grafico, would not find them there.
    """
    sys.path += [one for one in homes if one not in sys.path]
    here, clock = context(), time.monotonic()
    assert here.folder is not None
    opened = open_store(store)
    try:
        collecting = CollectingStore(opened)
        kg = KnowledgeGraph(collecting, Path(arrays) if arrays else None)
        executor = InlineExecutor(kg, here, recompute=recompute)
        with asked_by(Caller.of_text(who)):
            failures, waiting = asyncio.run(_each(kg, executor, batch, run, keys))
        collecting.leave(here.folder)
    finally:
        opened.close()
    return Packed(failures=json.dumps(failures), waiting=waiting, seconds=time.monotonic() - clock)


async def _each(
    kg: KnowledgeGraph, executor: InlineExecutor, batch: str, run: str, keys: tuple[str, ...]
) -> tuple[dict[str, str], tuple[str, ...]]:
    entries = Entries(kg, kg.pull(Batch, batch))
    workflow = workflows().named(entries.batch.workflow)
    entries.ahead(keys)
    failures: dict[str, str] = {}
    waiting: list[str] = []

    async def one(key: str) -> None:
        started = datetime.now(UTC)
        with within(Scope(run, 0, key)):
            try:
                with executor.unless_deferred():
                    await compute(entries, key, workflow, executor)
            except (ApprovalError, DeferredError):  # it is not ended, and goes on where that can be
                waiting.append(key)
                return
            except GraficoError as error:
                failures[key] = str(error)
        executor.record(
            Part(
                run=Link[Run](run),
                index=0,
                part=key,
                started=started,
                ended=datetime.now(UTC),
                failure=failures.get(key, ""),
            )
        )
        context().report("entry", key=key)

    for first in range(0, len(keys), ABREAST):
        await executor.abreast(map(one, keys[first : first + ABREAST]))
    return failures, tuple(waiting)
