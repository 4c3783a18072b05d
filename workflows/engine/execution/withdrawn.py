"""What was withdrawn, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ogm import KnowledgeGraph
from ogm.terms import with_prefixes
from ontologies.marks import Withdrawal
from triplestore import Table


def standing(variable: str) -> str:
    """Return what a query says of an activity or a run: that nobody has withdrawn it."""
    base = "https://w3id.org/grafico/"
    return (
        f"FILTER NOT EXISTS {{ ?withdrawal <{base}withdrawn> {variable} "
        f"FILTER NOT EXISTS {{ ?undone <{base}undoes> ?withdrawal }} }}"
    )


def withdrawals(kg: KnowledgeGraph, iris: Iterable[str] | None = None) -> dict[str, list[str]]:
    """Return what is withdrawn, of some objects or of all, each with the withdrawals that hold."""
    of = "" if iris is None else f"VALUES ?one {{ {_listed(iris)} }}"
    found: dict[str, list[str]] = {}
    for one, withdrawal in _rows(
        kg,
        f"SELECT ?one ?w {{ {of} ?w g:withdrawn ?one FILTER NOT EXISTS {{ ?u g:undoes ?w }} }}",
    ):
        found.setdefault(one, []).append(withdrawal)
    return found


def why_withdrawn(kg: KnowledgeGraph, iris: Iterable[str]) -> str:
    """Return who has withdrawn any of some objects, when and why; empty if nobody has."""
    held = [one for found in withdrawals(kg, iris).values() for one in found]
    said = sorted(kg.pull_all(Withdrawal, held), key=lambda one: one.noted)
    told = [f"withdrawn by {x.noted_by}, {x.noted:%Y-%m-%d}: {x.why}" for x in said]
    return "; ".join(dict.fromkeys(told))


def withdrawn_results(kg: KnowledgeGraph) -> set[str]:
    """Return results that withdrawn activities made, and what withdrawn runs alone came to."""
    listed = _listed(withdrawals(kg))
    if not listed:
        return set()
    made = f"VALUES ?one {{ {listed} }} ?one prov:generated ?result"
    came = f"""VALUES ?one {{ {listed} }} ?outcome g:run ?one ; g:results ?result
               FILTER NOT EXISTS {{ ?activity prov:generated ?result }}"""
    return {row[0] for part in (made, came) for row in _rows(kg, f"SELECT ?result {{ {part} }}")}


def activities_of(kg: KnowledgeGraph, run: str) -> list[str]:
    """Return the activities that a run and its parts did; those of its results if it did none."""
    steps = f"""<{run}> ^g:parent* ?run . ?step g:run ?run ; g:activity ?activity"""
    own = f"SELECT DISTINCT ?activity {{ {steps} ; g:reused false }}"
    last = f"""SELECT DISTINCT ?activity {{ ?outcome g:run <{run}> ; g:results ?result .
               ?activity prov:generated ?result }}"""
    return [row[0] for row in _rows(kg, own)] or [row[0] for row in _rows(kg, last)]


def resting_on(kg: KnowledgeGraph, iris: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the runs and the activities that rest on others, however far, without these.

    An activity rests on another if it used what that one made, or what is in that and was not
    there before, such as a relaxed geometry; a run on the activities that its steps took, and on
    its parts.
    """
    front, seen, runs = set(iris), set(iris), set[str]()
    while front:
        made = f"VALUES ?one {{ {_listed(front)} }} ?one prov:generated ?result ."
        new = "?result ?any ?used FILTER NOT EXISTS { ?one prov:used ?used }"
        by = "?next prov:used ?used"
        using = [
            *_rows(kg, f"SELECT DISTINCT ?next {{ {made} ?next prov:used ?result }}"),
            *_rows(kg, f"SELECT DISTINCT ?next {{ {{ {made} {new} }} {by} }}"),
        ]
        taking = _rows(
            kg,
            f"SELECT DISTINCT ?run {{ VALUES ?one {{ {_listed(front)} }} "
            "?step g:activity ?one ; g:run ?run }",
        )
        above = _rows(
            kg,
            f"SELECT DISTINCT ?run {{ VALUES ?one {{ {_listed(front)} }} ?one g:parent ?run }}",
        )
        found = {row[0] for row in (*taking, *above)}
        front = ({row[0] for row in using} | found) - seen
        seen |= front
        runs |= found & front
    return sorted(runs), sorted(seen - set(iris) - runs)


def _listed(iris: Iterable[str]) -> str:
    return " ".join(f"<{iri}>" for iri in iris)


def _rows(kg: KnowledgeGraph, query: str) -> Iterator[list[str]]:
    answer = kg.store.query(with_prefixes(query))
    assert isinstance(answer, Table)
    for row in answer.rows:
        yield [str(getattr(term, "value", term)) for term in row]
