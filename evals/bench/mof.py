"""Searches for new frameworks in a graph of 10,000, beside a bare count of what they choose from.

The count leaves nothing out, follows no chain of roles, ranks and explains nothing. With the first
in SPARQL (FILTER NOT EXISTS), or the second (a path of any length), Oxigraph takes more than 45 s.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from ogm import KnowledgeGraph
from ogm.terms import with_prefixes
from ontologies.mof_proposals import FrameworkSelection, SearchKind
from triplestore import Store, Table, open_store
from triplestore.remote.blazegraph import Blazegraph
from workflows.mof.explore import survey
from workflows.mof.search import search

from .figures import Figure, below, in_turn, say, shown, times
from .mof_graph import Size, drawn, graph

ROUNDS = 5
LIMIT = 2000.0
"""ms that a search may take."""
TIMES = 10.0
"""The bare count that a search may take."""

COUNTS: dict[SearchKind, str] = {
    "intra": """SELECT (COUNT(*) AS ?number) WHERE {
        { SELECT DISTINCT ?net ?node WHERE {
            ?one a g:Framework ; g:net ?net ; g:blocks ?placed .
            ?placed g:placedOn "vertex" ; g:block ?node } }
        { SELECT DISTINCT ?net ?linker WHERE {
            ?one a g:Framework ; g:net ?net ; g:blocks ?placed .
            ?placed g:placedOn "edge" ; g:block ?linker } } }""",
    "cross": """SELECT (COUNT(*) AS ?number) WHERE {
        { SELECT DISTINCT ?net ?node WHERE {
            ?net g:vertexKinds/g:figure ?figure . ?fit a g:Fit ; g:figure ?figure ; g:block ?node .
            ?node a g:MetalNode } }
        { SELECT DISTINCT ?linker WHERE { ?linker a g:OrganicLinker ; g:connections 2 } } }""",
}


def measure(folder: Path) -> Iterator[Figure]:
    """Measure in a folder, and on Blazegraph where Java and Maven are there."""
    size = Size()
    say(f"mof: a graph of {size.frameworks:,} frameworks in a folder…")
    with open_store(str(folder / "mof")) as store:
        yield from searches(store, "folder", size)
    if shutil.which("java") is None or shutil.which("mvn") is None:
        say("mof: Blazegraph is left out, as it needs Java and Maven")
        return
    say("mof: the same on Blazegraph, about a minute…")
    with Blazegraph(folder / "blazegraph") as server, open_store(server.url) as store:
        yield from searches(store, "Blazegraph", size)


def searches(store: Store, place: str, size: Size) -> Iterator[Figure]:
    """Compare both searches with the bare counts; each reads the graph anew."""
    KnowledgeGraph(store).push_all(graph(size))
    everything = FrameworkSelection()
    for kind, query in COUNTS.items():
        found = search(store, everything, kind, limit=1000)
        assert found.frameworks_known == size.frameworks
        assert len(found.proposals) == min(1000, found.combinations)

        def ours(_: int, kind: SearchKind = kind) -> None:
            search(store, everything, kind, limit=20)

        def bare(_: int, query: str = query) -> None:
            answer = store.query(with_prefixes(query))
            assert isinstance(answer, Table)

        taken, least = in_turn(ROUNDS, ours, bare, clean=True)
        name = f"{kind} search, {place}"
        yield below(name, taken, LIMIT, "ms", "a bare count of all combinations", least)
        yield times(f"{name}, ratio", taken, least, TIMES, "ms", "the same count")
    chosen = FrameworkSelection(nodes=(drawn(size).nodes[0],))
    [looked] = in_turn(ROUNDS, lambda _: survey(KnowledgeGraph(store), chosen))
    yield shown(f"survey of a node, {place}", looked, None, "ms", "nothing")
