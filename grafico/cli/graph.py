"""``grafico graph``: the execution graphs, as diagrams, with the path of a run on request."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import click

from ..say import say
from .app import main, options, session

if TYPE_CHECKING:
    from ogm import KnowledgeGraph
    from workflows.engine import Graph
    from workflows.engine.drawing import Path


@main.command()
@click.argument("name", required=False)
@options(
    click.option("--run", metavar="IRI", help="Highlight the path of this run.")
)  # fmt: skip
def graph(name: str | None, run: str | None, store: str | None, as_json: bool, debug: bool) -> None:
    """Print the diagram of a graph, in Mermaid's language; without NAME list the graphs."""
    path = None
    if run is not None:
        from ..session.client import full_iri

        with session(store) as grafico:
            of_run, path = path_of(grafico.kg, full_iri(run))
        if name is not None and chosen(name).name != of_run:
            raise click.UsageError(f"that is a run of the graph {of_run}, not of {name}")
        name = of_run
    if name is None:
        show_list(graphs(), as_json)
        return
    drawn = (found := chosen(name)).mermaid(path)
    if as_json:
        said = {"graph": found.name, "run": run, "mermaid": drawn, **described(found)}
        if path is not None:
            said |= {"path": list(path.nodes), "failed": path.failed, "ended": path.ended}
        say(json.dumps(said, indent=2))
    else:
        say(drawn)


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
    from workflows.engine.drawing import Path
    from workflows.engine.run import stored_run

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


def show_list(known: dict[str, Graph[Any]], as_json: bool) -> None:
    """Print the names of the graphs, with their nodes."""
    if as_json:
        say(json.dumps({name: described(graph) for name, graph in known.items()}, indent=2))
        return
    width = max(map(len, known), default=0)
    for name, graph in known.items():
        say(f"{name:{width}}  {', '.join(node.__name__ for node in graph.nodes)}")
