"""What objects rest on: their triples and those of everything that they were made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode

from ogm.terms import BASE, PREFIXES, RDF_TYPE, checked_iri
from triplestore import Store, Table
from triplestore.errors import RecordError, ResourceError

from .container import Tell, quiet

Value: TypeAlias = NamedNode | Literal
Pairs: TypeAlias = list[tuple[str, Value]]
"""Predicate and object of each triple of a subject."""

GENERATED = PREFIXES["prov"] + "generated"
"""From an activity to its result."""
OF_RUN = BASE + "run"
"""From the transitions and outcomes of a run to the run."""
RUN, OUTCOME = BASE + "Run", BASE + "Outcome"

PAGE = 500
"""IRIs that one query asks about."""


def gather(
    store: Store, roots: Iterable[str], tell: Tell = quiet
) -> tuple[dict[str, Pairs], set[str]]:
    """Return the triples of objects and of what they rest on, by subject.

    Links are followed; from a result also to the activities that made it, and from a run to its
    transitions and outcomes. Three queries for 500 objects of a level at most. Everything is held
    in memory, about 1 kB a triple.

    Returns:
        The triples, and the IRIs that something links to and of which nothing is stored.

    Raises:
        RecordError: there is a blank node among them, which has no name elsewhere.
    """
    known: dict[str, Pairs] = {}
    unknown: set[str] = set()
    level = list(dict.fromkeys(roots))
    while level:
        described = describe(store, level)
        unknown.update(iri for iri in level if iri not in described)
        known.update(described)
        tell(f"{len(known):,} objects")
        deeper: dict[str, None] = {}
        for pairs in described.values():
            for predicate, term in pairs:
                if predicate != RDF_TYPE and isinstance(term, NamedNode):
                    deeper[term.value] = None
        runs = [iri for iri, pairs in described.items() if (RDF_TYPE, NamedNode(RUN)) in pairs]
        deeper.update(dict.fromkeys(source for source, _ in sources(store, GENERATED, described)))
        deeper.update(dict.fromkeys(source for source, _ in sources(store, OF_RUN, runs)))
        level = [iri for iri in deeper if iri not in known and iri not in unknown]
    return known, unknown


def describe(store: Store, iris: Iterable[str]) -> dict[str, Pairs]:
    """Return what the default graph says of IRIs, those left out of which it says nothing.

    Raises:
        RecordError: it says something about or through a blank node.
    """
    found: dict[str, Pairs] = {}
    pattern = "SELECT ?s ?p ?o {{ VALUES ?s {{ {} }} ?s ?p ?o }}"
    for subject, predicate, term in _rows(store, pattern, list(iris)):
        if not isinstance(term, NamedNode | Literal):
            raise RecordError(
                f"{_text(subject)} is to leave the store",
                f"its <{_text(predicate)}> is {str(term)[:80]}, which has no name elsewhere",
                "give it an IRI",
            )
        found.setdefault(_text(subject), []).append((_text(predicate), term))
    return found


def sources(store: Store, predicate: str, iris: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Iterate over what points to IRIs by a predicate: pairs of source and IRI."""
    pattern = f"SELECT ?s ?o {{{{ VALUES ?o {{{{ {{}} }}}} ?s <{predicate}> ?o }}}}"
    for source, iri in _rows(store, pattern, list(iris)):
        if isinstance(source, BlankNode):
            raise RecordError(f"what points to {_text(iri)} is looked for", "it has no IRI")
        yield _text(source), _text(iri)


def _rows(store: Store, pattern: str, iris: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Iterate over the rows of a query with IRIs in its place, a page of them at a time."""
    for start in range(0, len(iris), PAGE):
        yield from _page(store, pattern, iris[start : start + PAGE])


def _page(store: Store, pattern: str, iris: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    answer = store.query(pattern.format(" ".join(f"<{checked_iri(iri)}>" for iri in iris)))
    assert isinstance(answer, Table)
    if not answer.cut:
        yield from answer.rows
    elif len(iris) == 1:
        raise ResourceError(f"read {iris[0]}", answer.cut)
    else:
        yield from _page(store, pattern, iris[: len(iris) // 2])
        yield from _page(store, pattern, iris[len(iris) // 2 :])


def _text(term: Any) -> str:
    return str(getattr(term, "value", term))
