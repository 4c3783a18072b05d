"""The last state of a recorded run, so that it can be entered again."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_graph import End

from ontologies.provenance import Run, Transition
from triplestore.errors import NotFoundError

from ..execution.executor import Executor
from .graph import Graph, StateT, successors
from .run import former_run


async def replay(graph: Graph[StateT], state: StateT, run: str, executor: Executor) -> StateT:
    """Return the state that a run ended in, or was cut off in, from its record.

    The recorded steps are done again, in their order and with their fields, which costs nothing as
    long as memory gives their results back; what memory has lost is computed anew. A run that went
    on from another starts where that one ended. Steps that failed are left out. Where a recorded
    step is not possible any more, the steps before it count.

    It is for graphs whose work is calculations. A device is not to do its commands twice: read its
    state instead.

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
    for one in reversed(chain):
        last = None
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
            state = (await node.work(state, executor)).state
            last = type(node)
    return state
