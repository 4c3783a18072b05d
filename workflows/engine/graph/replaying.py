"""The last state of a recorded run, so that it can be entered again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from pydantic import ValidationError
from pydantic_graph import End

from ontologies.provenance import Outcome, Run, Transition
from triplestore.errors import NotFoundError

from ..execution.executor import Executor
from .graph import Graph, StateT, successors
from .stored_runs import former_run


@dataclass(frozen=True)
class Replayed(Generic[StateT]):
    """Where a recorded run stands.

    Attributes:
        state: that it ended in, or was cut off in.
        behind: names of its steps, where it was interrupted in between two and goes on right behind
            the last; empty where it may be entered at any node.
    """

    state: StateT
    behind: tuple[str, ...] = ()


async def replay(graph: Graph[StateT], state: StateT, run: str, executor: Executor) -> StateT:
    """Return the state that a run ended in, or was cut off in; see `replayed`."""
    return (await replayed(graph, state, run, executor)).state


async def replayed(
    graph: Graph[StateT], state: StateT, run: str, executor: Executor
) -> Replayed[StateT]:
    """Return where a run ended, or was cut off, from its record.

    The recorded steps are done again, in their order and with their fields, which costs nothing as
    long as memory gives their results back; what memory has lost is computed anew. A run that went
    on from another starts where that one ended. Steps that failed are left out. Where a recorded
    step is not possible any more, the steps before it count.

    What a step has done to the world is never done again: it says itself what came of it
    (`Node.already_done`), or the steps before it count.

    Args:
        graph: the graph of the run.
        state: the state that the first run started from.
        run: IRI of the run.
        executor: its memory is asked.

    Raises:
        NotFoundError: the run is not stored.
        InputError: it is a run of another graph.
        GraficoError: a result was lost and could not be computed again.
    """
    chain = [former_run(graph, run, executor)]
    while (before := chain[-1].resumes) is not None:
        chain.append(executor.kg.pull(Run, before.iri))
    steps: list[str] = []
    last, goes_on = None, False
    for one in reversed(chain):
        last = last if goes_on else None
        transitions = executor.kg.find(Transition, run=one)
        for step in sorted(transitions, key=lambda step: step.index):
            if step.failure:
                break
            try:
                node = graph.named(step.node).model_validate_json(step.inputs)
            except (ValidationError, NotFoundError):
                break
            follows = last is None or type(node) in successors(last) - {End}
            if not follows or node.precondition(state.situation) is not None:
                break
            if node.all_effects(state):
                done = await node.already_done(state, executor)
                if done is None:
                    break
            else:
                done = await node.work(state, executor)
            state = done.state
            last = type(node)
            steps.append(node.name)
        goes_on = any(end.pending for end in executor.kg.find(Outcome, run=one))
    return Replayed(state, tuple(steps) if goes_on and last is not None else ())
