"""SPARQL Updates that insert quads, at once or only if no settled subject would change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

import pyoxigraph as ox

from triplestore.errors import InputError
from triplestore.immutable import GROWING

NULL_GRAPH = "http://www.bigdata.com/rdf#nullGraph"
"""Blazegraph's name for the unnamed graph."""

Pairs = dict[tuple[ox.NamedNode, ox.NamedNode], list[str]]
"""The values given to each property of each settled subject, as SPARQL writes them."""

# Beyond so many values of one property it is looked whether they are all there, and no longer
# whether there are others too: the condition grows with the number.
_FEW = 32
_PIECE = 1 << 20


def check_portable(quads: Iterable[ox.Quad]) -> None:
    """Refuse blank nodes: what one request calls `_:b` is another node in the next.

    Raises:
        InputError: there are some.
    """
    for quad in quads:
        for term in (quad.subject, quad.object, quad.graph_name):
            if isinstance(term, ox.BlankNode) or (
                isinstance(term, ox.Triple) and "_:" in str(term)
            ):
                raise InputError(
                    "insert quads into a remote store",
                    f"{term} is a blank node",
                    "use IRIs: a server gives a blank node a new name in each request",
                )


def insert_data(quads: list[ox.Quad]) -> Iterator[bytes]:
    """Write `INSERT DATA` in pieces of about 1 MB."""
    return _pieces(_wrapped("INSERT DATA {\n", quads, "}\n"))


def insert_if(quads: list[ox.Quad], pairs: Pairs, blazegraph: bool) -> Iterator[bytes]:
    """Write an `INSERT` that does nothing where the values of a settled subject would change."""
    # Blazegraph would look into the named graphs too.
    using = f"USING <{NULL_GRAPH}> " if blazegraph else ""
    end = f"}} {using}WHERE {{ FILTER NOT EXISTS {{\n{changed(pairs, blazegraph)} }} }}\n"
    return _pieces(_wrapped("INSERT {\n", quads, end))


def settled_pairs(quads: Iterable[ox.Quad], settled: Collection[str]) -> Pairs:
    """Gather what is given to settled subjects in the default graph.

    Raises:
        InputError: a settled subject is no IRI.
    """
    try:
        subjects = {ox.NamedNode(iri) for iri in settled}
    except ValueError as error:
        raise InputError("insert quads", f"a settled subject is no IRI: {error}") from None
    here, pairs = ox.DefaultGraph(), Pairs()
    for quad in quads:
        if quad.subject in subjects and quad.graph_name == here:
            assert isinstance(quad.subject, ox.NamedNode)
            if quad.predicate.value not in GROWING:
                values = pairs.setdefault((quad.subject, quad.predicate), [])
                if (value := str(quad.object)) not in values:
                    values.append(value)
    return pairs


def changed(pairs: Pairs, blazegraph: bool) -> str:
    """Return the pattern whose solutions `?s ?p` are the properties that would change.

    The terms given are looked up, one index access a value. Oxigraph does so inside `EXISTS`; it
    would plan a join as a scan of the whole store. Blazegraph does so for a join, and is five times
    slower with `EXISTS` where nothing is stored yet (both measured).
    """
    ordered = sorted(pairs.items(), key=lambda item: len(item[1]))
    blocks: list[str] = []
    for count, group in groupby(ordered, key=lambda item: len(item[1])):
        rows = list(group)
        if count <= _FEW:
            names = [f"?v{number}" for number in range(count)]
            table = _table(names, [[*pair, *values] for pair, values in rows])
            other = " && ".join(f"!sameTerm(?old, {name})" for name in names)
            blocks.append(
                f"{table} ?s ?p ?old FILTER({other})"
                if blazegraph
                else f"{table} FILTER EXISTS {{ ?s ?p ?old FILTER({other}) }}"
            )
        if count > 1:
            table = _table(["?v"], [[*pair, value] for pair, values in rows for value in values])
            blocks.append(
                f"{table} ?s ?p ?old FILTER NOT EXISTS {{ ?s ?p ?v }}"
                if blazegraph
                else f"{table} FILTER(EXISTS {{ ?s ?p ?old }} && NOT EXISTS {{ ?s ?p ?v }})"
            )
    return "\nUNION\n".join(f"{{ {block} }}" for block in blocks)


def _table(names: list[str], rows: list[list[object]]) -> str:
    lines = "\n".join(f"({' '.join(map(str, row))})" for row in rows)
    return f"VALUES (?s ?p {' '.join(names)}) {{\n{lines}\n}}"


def _wrapped(start: str, quads: list[ox.Quad], end: str) -> Iterator[str]:
    yield start
    # Sorting is stable and graphs are few, so triples stay in the order given.
    for graph, group in groupby(
        sorted(quads, key=lambda quad: str(quad.graph_name)), key=lambda quad: quad.graph_name
    ):
        named = isinstance(graph, ox.NamedNode)
        if named:
            yield f"GRAPH {graph} {{\n"
        for quad in group:
            yield f"{quad.triple} .\n"
        if named:
            yield "}\n"
    yield end


def _pieces(texts: Iterable[str]) -> Iterator[bytes]:
    piece = bytearray()
    for text in texts:
        piece += text.encode()
        while len(piece) >= _PIECE:
            yield bytes(piece[:_PIECE])
            del piece[:_PIECE]
    if piece:
        yield bytes(piece)
