"""``grafico graph``: the execution graphs, as diagrams, with the path of a run on request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..say import say
from .options import options, session

if TYPE_CHECKING:
    from workflows.engine import Graph


@click.command()
@click.argument("name", required=False)
@options(click.option("--run", metavar="RUN", help="Highlight the path of this run."))
def graph(name: str | None, run: str | None, store: str | None, as_json: bool, debug: bool) -> None:
    """Print the diagram of a graph, in Mermaid's language; without NAME list the graphs."""
    from ..session.graphs import chosen, described, graphs, path_of

    path = None
    if run is not None:
        with session(store) as grafico:
            of_run, path = path_of(grafico.kg, grafico.iri(run))
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


def show_list(known: dict[str, Graph[Any]], as_json: bool) -> None:
    """Print the names of the graphs, with their nodes."""
    from ..session.graphs import described

    if as_json:
        say(json.dumps({name: described(graph) for name, graph in known.items()}, indent=2))
        return
    width = max(map(len, known), default=0)
    for name, graph in known.items():
        say(f"{name:{width}}  {', '.join(node.__name__ for node in graph.nodes)}")
