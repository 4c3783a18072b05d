"""Subjects with all that can be reached from them, in one question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pyoxigraph import NamedNode

from triplestore.store import Table

AT_ONCE = 2000
"""Subjects in one question, where a planner takes longer than in proportion to their number."""


def names(iris: Iterable[str]) -> str:
    """Write IRIs as SPARQL does; they are IRIs already."""
    return " ".join(f"<{iri}>" for iri in iris)


def triples_of(iris: Iterable[str]) -> str:
    """Return a query for the triples of subjects."""
    return f"SELECT ?s ?p ?o {{ VALUES ?s {{ {names(iris)} }} ?s ?p ?o }}"


def by_path(iris: Sequence[str], along: Sequence[str] | None) -> str:
    """Return a query that follows properties by a path; None: all properties."""
    if along is None:
        path = "!<urn:none>"
    elif along:
        path = "|".join(f"<{iri}>" for iri in along)
    else:
        return triples_of(iris)
    reached = f"SELECT DISTINCT ?s {{ VALUES ?r {{ {names(iris)} }} ?r ({path})* ?s }}"
    return f"SELECT ?s ?p ?o {{ {{ {reached} }} ?s ?p ?o }}"


def searching(iris: Sequence[str]) -> str:
    """Return a query for all that can be reached, by Blazegraph's own breadth-first search.

    Its property paths take a time that grows with the square of what they reach (6 s for a chain
    of a thousand; no answer in a minute from a thousand subjects); the search takes 0.1 s.
    """
    begin = " ".join(f"gas:program gas:in <{iri}> ." for iri in iris)
    return f"""
        PREFIX gas: <http://www.bigdata.com/rdf/gas#>
        SELECT DISTINCT ?s {{ SERVICE gas:service {{
            gas:program gas:gasClass "com.bigdata.rdf.graph.analytics.BFS" . {begin}
            gas:program gas:out ?s . gas:program gas:maxIterations 1000000 }} }}"""


def by_search(iris: Sequence[str], ask: Callable[[str], Table]) -> Table:
    """Follow all properties: a question for what is reached, one for its triples."""
    terms = [row[0] for row in ask(searching(iris)).rows]
    reached = dict.fromkeys([*iris, *(term.value for term in terms if isinstance(term, NamedNode))])
    return by_levels(list(reached), (), ask)


def by_levels(iris: Sequence[str], along: Sequence[str], ask: Callable[[str], Table]) -> Table:
    """Follow properties level by level, with a question for each level."""
    reached = Table(("s", "p", "o"), [])
    seen, level = set(iris), list(iris)
    while level and not reached.cut:
        deeper: list[str] = []
        for start in range(0, len(level), AT_ONCE):
            part = ask(triples_of(level[start : start + AT_ONCE]))
            reached.rows.extend(part.rows)
            reached = Table(reached.variables, reached.rows, reached.cut or part.cut)
            for _, predicate, target in part.rows:
                leads = isinstance(predicate, NamedNode) and predicate.value in along
                if leads and isinstance(target, NamedNode) and target.value not in seen:
                    seen.add(target.value)
                    deeper.append(target.value)
        level = deeper
    return reached
