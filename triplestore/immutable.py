"""The check that an insertion changes no property of a settled (immutable) subject."""

from __future__ import annotations

from collections.abc import Collection

import pyoxigraph as ox

from triplestore.errors import ConflictError, InputError
from triplestore.quads import parse_quads

GROWING = frozenset({"https://w3id.org/grafico/schemaVersion"})
"""Predicates that gain values in the course of time, also of a settled subject."""


def check_settled(store: ox.Store, quads: bytes, settled: Collection[str]) -> None:
    """Check that quads give no property of a settled subject other values than it has.

    The caller holds the lock for writing. A subject that is not stored yet costs one lookup, and
    the quads are read only if one is stored.

    Args:
        store: what is stored.
        quads: N-Quads that are to be stored; only those of the default graph are looked at.
        settled: the IRIs of the subjects.

    Raises:
        ConflictError: a property has other values already.
        InputError: a subject is no IRI, or the quads are malformed.
    """
    try:
        subjects = {ox.NamedNode(iri) for iri in settled}
    except ValueError as error:
        raise InputError("insert quads", f"a settled subject is no IRI: {error}") from None
    here = ox.DefaultGraph()
    existing = [s for s in subjects if next(store.quads_for_pattern(s, None, None, here), None)]
    if not existing:
        return
    # A store may write a term in another way ("1.10"^^xsd:decimal becomes 1.1), so what is given
    # passes through a store too before it is compared.
    passed, wanted = ox.Store(), set(existing)
    given = parse_quads(quads)
    passed.extend(quad for quad in given if quad.subject in wanted and quad.graph_name == here)
    for subject in existing:
        stored, said = _values(store, subject), _values(passed, subject)
        for predicate in sorted(said.keys() & stored.keys() - GROWING):
            old, new = stored[predicate], said[predicate]
            if old != new:
                raise conflict(str(subject), f"<{predicate}>", old, new)


def _values(store: ox.Store, subject: ox.NamedNode) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for quad in store.quads_for_pattern(subject, None, None, ox.DefaultGraph()):
        values.setdefault(quad.predicate.value, set()).add(str(quad.object))
    return values


def conflict(
    subject: str, predicate: str, stored: Collection[str], given: Collection[str]
) -> ConflictError:
    """The refusal of other values for a property of a settled subject; terms as in N-Quads."""
    return ConflictError(
        f"store {subject}",
        f"{predicate}: {_listed(stored)} is stored, {_listed(given)} was given",
        "leave what is stored as it is and give what differs a name (IRI) of its own",
    )


def _listed(terms: Collection[str]) -> str:
    shown = [term if len(term) <= 200 else term[:200] + "…" for term in sorted(terms)[:5]]
    more = [f"{len(terms) - 5} more"] if len(terms) > 5 else []
    return " and ".join(shown + more)
