"""What is stored and meant by an IRI: the object itself, or what a run came to."""

from __future__ import annotations

from collections.abc import Callable

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.provenance import Outcome, Run


def stored_or_last(
    kg: KnowledgeGraph, iri: str, fits: Callable[[GraphModel], bool]
) -> GraphModel | None:
    """Return a stored object; of a run the last of its results that fits, None if none does.

    Raises:
        NotFoundError: nothing of that IRI is stored.
    """
    found = kg.pull(GraphModel, full_iri(iri))
    if not isinstance(found, Run):
        return found
    ends = sorted(kg.find(Outcome, run=found), key=lambda end: end.ended)
    links = ends[-1].results if ends else ()
    made = kg.pull_all(GraphModel, [link.iri for link in links])
    return next((one for one in reversed(made) if fits(one)), None)
