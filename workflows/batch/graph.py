"""The graph of a batch: one step, which computes all entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic_graph import End, GraphRunContext

from ontologies.collection import Batch, Collection
from workflows.engine import Done, Executor, Finish, Graph, Journey, Node
from workflows.engine.execution.executor import DeferredError

from .dispatch import Dispatch
from .entries import Entries
from .recall import recall


@dataclass(frozen=True)
class BatchState:
    """Where a batch stands.

    Attributes:
        collection: of what.
        batch: what is asked.
        entries: of it.
        left: keys of what is to be computed, in this order.
        done: whether all have ended.
        failures: how many have failed now.
        small: whether each is expected to take a moment.
        again: whether those are computed that have failed before.
    """

    collection: Collection
    batch: Batch
    entries: Entries
    left: tuple[str, ...] = ()
    done: bool = False
    failures: int = 0
    small: bool = False
    again: bool = False

    @property
    def situation(self) -> bool:
        """Whether all have ended."""
        return self.done

    @property
    def recorded(self) -> Sequence[str]:
        """None: each entry has a run of its own, with its results."""
        return ()

    @property
    def product(self) -> None:
        """None: the collection stays as it is."""


class ComputeEach(Node[BatchState]):
    """Compute each entry, several at once; failures are kept apart."""

    def precondition(self, situation: bool) -> str | None:
        return "all have ended" if situation else None

    def effect(self, situation: bool) -> bool:
        return True

    async def work(self, state: BatchState, executor: Executor) -> Done[BatchState]:
        async with executor.alone(f"batch-{state.batch.iri.rpartition('/')[2]}"):
            # another process may have computed some of them meanwhile
            left, share = tuple(state.entries.to_do(again=state.again)), executor.share
            if share is not None:
                left = tuple(key for key in left if key in share)
            if executor.defers:
                if not executor.recompute:
                    left = await recall(state.entries, left, executor)
                if left:
                    raise DeferredError(self.name)
            dispatch = Dispatch(state.entries, left, executor, small=state.small)
            await dispatch.all()
        return Done(replace(state, done=True, left=left, failures=dispatch.failed))

    async def run(self, ctx: GraphRunContext[Journey[BatchState], None]) -> End[Finish]:
        return await self.proceed(ctx)


BATCH: Graph[BatchState] = Graph("batch", ComputeEach)
