"""Where computed things come from: an activity, a run that came to them, what holds them.

A result is made by an activity and recorded with it, so that none is without one. A value that is
made of results, such as a difference of energies, is what a run came to, or a part of such a value;
or it says itself what it belongs to.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Literal, TypeAlias

from pyoxigraph import NamedNode

from ogm.fields import linked
from ogm.model import GraphModel
from ogm.terms import RDF_TYPE
from triplestore import Store

from .closure import GENERATED, Pairs, referred, sources

Made: TypeAlias = Literal["result", "value"]


def is_made(cls: type[GraphModel]) -> Made | None:
    """Return whether objects of a class are results, or values that are made of results."""
    if cls.identity() == "result":
        return "result"
    belongs = any(plan.part_of is not None for plan in cls.fields())
    return "value" if _rests(cls, frozenset[type[GraphModel]]()) and not belongs else None


@functools.lru_cache(4096)
def _rests(cls: type[GraphModel], above: frozenset[type[GraphModel]]) -> bool:
    """Tell whether values of a class hold results, or link to them."""
    if cls.identity() != "value" or cls in above:
        return cls.identity() == "result"
    parts = (plan.target for plan in cls.fields() if plan.kind == "model")
    return any(_rests(part, above | {cls}) for part in (*parts, *linked(cls)))


def without_origin(
    objects: Mapping[str, Pairs], made: Mapping[str, Made], store: Store
) -> dict[str, Made]:
    """Return those of some things that nothing says where they come from.

    Args:
        objects: what is to come into the store.
        made: of these, what was computed.
        store: what is there already.
    """
    generated, others = set[str](), set[str]()
    for pairs in objects.values():
        for predicate, term in pairs:
            if isinstance(term, NamedNode) and predicate != RDF_TYPE:
                (generated if predicate == GENERATED else others).add(term.value)
    left: dict[str, Made] = {
        iri: kind
        for iri, kind in made.items()
        if iri not in generated and not (kind == "value" and iri in others)
    }
    return origin_missing(left, store)


def origin_missing(made: Mapping[str, Made], store: Store) -> dict[str, Made]:
    """Return those of some things of which a store does not say where they come from."""
    there = {iri for _, iri in sources(store, GENERATED, made)}
    there |= {*referred(store, [iri for iri in made if made[iri] == "value" and iri not in there])}
    return {iri: kind for iri, kind in made.items() if iri not in there}
