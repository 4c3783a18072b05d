"""The execution graphs of the workflows that are installed, and the paths that runs took."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ogm import KnowledgeGraph
    from workflows.engine import Graph
    from workflows.engine.graph.drawing import Path


def graphs() -> dict[str, Graph[Any]]:
    """Return the graphs of the workflows that are installed and can be used, by name."""
    from triplestore.errors import ComponentError
    from workflows.registry import workflows

    found: dict[str, Graph[Any]] = {}
    for name, one in workflows().items():
        with contextlib.suppress(ComponentError):
            found[name] = one.whole.graph
    return dict(sorted(found.items()))


def chosen(name: str) -> Graph[Any]:
    """Return the graph of a workflow, by any of its names.

    Raises:
        NotFoundError: there is none.
        ComponentError: it cannot be used.
    """
    from workflows.registry import workflows

    return workflows().named(name).whole.graph


def path_of(kg: KnowledgeGraph, iri: str) -> tuple[str, Path]:
    """Return the graph of a run, and the way that the run took so far.

    Raises:
        NotFoundError: there is no such run.
        InputError: that is something else.
    """
    from ontologies.provenance import Outcome, Transition
    from workflows.engine.graph.drawing import Path
    from workflows.engine.graph.stored_runs import stored_run

    run = stored_run(kg, iri)
    steps = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
    outcomes = kg.find(Outcome, run=run)
    failed = bool(steps and steps[-1].failure)
    return run.graph, Path([step.node for step in steps], failed, bool(outcomes))


def described(graph: Graph[Any]) -> dict[str, Any]:
    """Return what a graph's nodes do and what may follow them."""
    from pydantic_graph import End

    from workflows.engine import successors

    nodes: dict[str, Any] = {}
    for node in graph.nodes:
        after = successors(node)
        nodes[node.__name__] = {
            "does": (node.__doc__ or "").strip().partition("\n")[0],
            "fields": list(node.model_fields),
            "successors": [kind.__name__ for kind in graph.nodes if kind in after],
            "may_end": End in after,
        }
    return {"nodes": nodes}
