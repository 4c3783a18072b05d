"""What rests on some objects of a store: results that were computed of them, and runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ogm import KnowledgeGraph
from ogm.terms import with_prefixes
from triplestore import Table

PAGE = 500
"""Objects that are asked about with one query."""

STEPS = ("Outcome", "Transition", "Part")
"""What says something of a run, and names it."""


@dataclass(frozen=True)
class Resting:
    """What rests on some objects.

    Attributes:
        results: IRIs of what was computed or derived of them, in order.
        runs: IRIs of runs that started from them or have used them, and of those around these.
    """

    results: tuple[str, ...]
    runs: tuple[str, ...]


def resting_on(kg: KnowledgeGraph, iris: Iterable[str]) -> Resting:
    """Return what rests on objects, directly or through others.

    What holds an object rests on it, and so does what an activity has made that used one. A run
    rests on what it is about and on what its steps took; the runs within it are not touched by it.

    Args:
        kg: the store.
        iris: the objects.
    """
    seen, front = set[str](), set(iris)
    results, runs = set[str](), set[str]()
    while front:
        seen |= front
        following: set[str] = set()
        for subject, kind, made, run in _naming(kg, front):
            if kind == "Run":
                runs.add(subject)
            elif kind in STEPS:
                runs.add(run)
                if kind == "Outcome":
                    results |= front & _results_of(kg, subject)
            elif kind == "Activity":
                following |= {subject}
                if made not in front:
                    results.add(made)
                    following.add(made)
            elif kind:
                following.add(subject)
        front = following - seen
    return Resting(tuple(sorted(results)), tuple(sorted(runs | _around(kg, runs))))


def _naming(kg: KnowledgeGraph, iris: Iterable[str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield what names some objects: IRI, class, what it made if that is an activity, its run."""
    ordered = sorted(iris)
    for start in range(0, len(ordered), PAGE):
        named = " ".join(f"<{iri}>" for iri in ordered[start : start + PAGE])
        for subject, term, made, run in _rows(
            kg,
            f"""
            SELECT DISTINCT ?subject ?class ?made ?run {{
                VALUES ?object {{ {named} }}
                ?subject ?property ?object ; a ?class .
                OPTIONAL {{ ?subject prov:generated ?made }}
                OPTIONAL {{ ?subject g:run ?run }} }}""",
        ):
            yield subject, term.rpartition("/")[2].rpartition("#")[2], made, run


def _results_of(kg: KnowledgeGraph, outcome: str) -> set[str]:
    return {row[0] for row in _rows(kg, f"SELECT ?result {{ <{outcome}> g:results ?result }}")}


def _around(kg: KnowledgeGraph, runs: Iterable[str]) -> set[str]:
    """Return the runs of which some are steps."""
    found, front = set[str](), set(runs)
    while front:
        named = " ".join(f"<{run}>" for run in sorted(front))
        rows = _rows(kg, f"SELECT ?around {{ VALUES ?run {{ {named} }} ?run g:parent ?around }}")
        front = {row[0] for row in rows} - found
        found |= front
    return found


def _rows(kg: KnowledgeGraph, query: str) -> Iterator[list[str]]:
    answer = kg.store.query(with_prefixes(query))
    assert isinstance(answer, Table)
    for row in answer.rows:
        yield ["" if term is None else str(getattr(term, "value", term)) for term in row]
