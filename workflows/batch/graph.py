"""The graph of a batch: one step, which computes all entries."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontologies.collection import Batch, Collection
from workflows.engine import Executor, Findings, StepGraph, step
from workflows.engine.execution.executor import DeferredError

from .dispatch import Dispatch
from .entries import Entries
from .recall import recall


@dataclass(frozen=True)
class BatchState(Findings):
    """Where a batch stands; each entry has a run of its own, with its results.

    Attributes:
        collection: of what.
        batch: what is asked.
        entries: of it.
        left: keys of what is to be computed, in this order.
        failures: how many have failed now.
        small: whether each is expected to take a moment.
        again: whether those are computed that have failed before.
    """

    collection: Collection
    batch: Batch
    entries: Entries
    left: tuple[str, ...] = ()
    failures: int = 0
    small: bool = False
    again: bool = False


@step("entries", done="are done")
async def compute_each(state: BatchState, executor: Executor) -> BatchState:
    """Compute each entry, several at once; failures are kept apart."""
    async with executor.alone(f"batch-{state.batch.iri.rpartition('/')[2]}"):
        # another process may have computed some of them meanwhile
        left, share = tuple(state.entries.to_do(again=state.again)), executor.share
        if share is not None:
            left = tuple(key for key in left if key in share)
        if executor.defers:
            if not executor.recompute:
                left = await recall(state.entries, left, executor)
            if left:
                raise DeferredError(compute_each.__name__)
        dispatch = Dispatch(state.entries, left, executor, small=state.small)
        await dispatch.all()
    return replace(state, left=left, failures=dispatch.failed)


BATCH = StepGraph("batch", compute_each)
