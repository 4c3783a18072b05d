"""The graph of a batch: one step, which computes all entries."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from ontologies.collection import Batch, Collection
from workflows.engine import Executor, Findings, Graph, Node, StepGraph, step
from workflows.engine.execution.answer import DeferredError
from workflows.engine.graph.effects import STANDING, Many, Target, why
from workflows.registry import workflows
from workflows.text.words import count

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


def _asked_for(state: BatchState) -> list[type[Node[Any]]]:
    """Return the steps of each entry to which a person has to agree, all at once.

    What settings can allow standing is asked for entry by entry, where they do not.
    """
    return [node for node in _graph_of(state).nodes if node.effects - STANDING]


def _graph_of(state: BatchState) -> Graph[Any]:
    return workflows().named(state.batch.workflow).whole.graph


def _effects(_: Node[BatchState], state: BatchState) -> frozenset[str]:
    steps = _asked_for(state) if state.left else []
    return frozenset[str]().union(*(node.effects for node in steps))


def _target(_: Node[BatchState], state: BatchState) -> Target:
    steps, keys = _asked_for(state), frozenset(state.left)
    listed = ", ".join(f"{node.__name__} ({why(node.effects)})" for node in steps)
    many = Many(_graph_of(state).name, frozenset(node.__name__ for node in steps), keys)
    digest = hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()
    told = (f"{count(len(keys), 'subject')}, for each at most once: {listed}",)
    return Target(bound=(state.batch.iri, digest), checks=told, many=many)


@step("entries", done="are done", effects_on=_effects, target=_target)
async def compute_each(state: BatchState, executor: Executor) -> BatchState:
    """Compute each entry, several at once; failures are kept apart."""
    async with executor.alone(f"batch-{state.batch.iri.rpartition('/')[2]}"):
        # another process may have computed some of them meanwhile
        left, share = tuple(state.entries.to_do(again=state.again)), executor.policy.share
        if share is not None:
            left = tuple(key for key in left if key in share)
        if executor.policy.deferred is not None:
            if not executor.recompute:
                left = await recall(state.entries, left, executor)
            if left:
                raise DeferredError(compute_each.__name__)
        dispatch = Dispatch(state.entries, left, executor, small=state.small)
        await dispatch.all()
    return replace(state, left=left, failures=dispatch.failed)


BATCH = StepGraph("batch", compute_each)
