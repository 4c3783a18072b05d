"""``grafico graph``: the execution graphs, as diagrams, with the path of a run on request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .cli import main, options, session
from .say import say

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
    known = graphs()
    path = None
    if run is not None:
        from .client import full_iri

        with session(store) as grafico:
            of_run, path = path_of(grafico.kg, full_iri(run))
        if name not in (None, of_run):
            raise click.UsageError(f"that is a run of the graph {of_run}, not of {name}")
        name = of_run
    if name is None:
        show_list(known, as_json)
        return
    drawn = chosen(name, known).mermaid(path)
    if as_json:
        said = {"graph": name, "run": run, "mermaid": drawn, **described(known[name])}
        if path is not None:
            said |= {"path": list(path.nodes), "failed": path.failed, "ended": path.ended}
        say(json.dumps(said, indent=2))
    else:
        say(drawn)


def graphs() -> dict[str, Graph[Any]]:
    """Return the graphs by name: those in the module `graph` or `graphs` of every domain."""
    from importlib import import_module
    from importlib.util import find_spec
    from pkgutil import iter_modules

    import workflows
    from workflows.engine import Graph

    found: dict[str, Graph[Any]] = {}
    for module in iter_modules(workflows.__path__, "workflows."):
        if module.name == "workflows.engine" or not module.ispkg:
            continue
        places = (f"{module.name}.graph", f"{module.name}.graphs")
        for place in filter(find_spec, places):
            for value in vars(import_module(place)).values():
                if isinstance(value, Graph):
                    found[value.name] = value
    return dict(sorted(found.items()))


def chosen(name: str, known: dict[str, Graph[Any]]) -> Graph[Any]:
    """Return the graph of that name.

    Raises:
        NotFoundError: there is none.
    """
    from triplestore.errors import NotFoundError

    if name not in known:
        raise NotFoundError(
            f"the graph {name!r} was asked for",
            "there is none of that name",
            "choose one of: " + ", ".join(known),
        )
    return known[name]


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
