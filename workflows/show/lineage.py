"""Where an object comes from: the way back to what was given, as the domains tell it.

A domain says how objects of a class come about in a module `lineage` of its folder:

    @traces(ConceptualAtoms)
    def _(atoms: ConceptualAtoms, kg: KnowledgeGraph, results) -> Iterator[Origin]:
        for made in kg.find(Embedding, atoms=atoms):
            yield Origin(f"made from {made.notation}", made.iri)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ogm import GraphModel, KnowledgeGraph
from workflows.show.blocks import Column, Table
from workflows.show.object_blocks import load_hooks

LONGEST = 50
"""Generations of an object that are told."""

ModelT = TypeVar("ModelT", bound=GraphModel)


@dataclass(frozen=True)
class Origin:
    """How an object came about.

    Attributes:
        text: in words.
        witness: IRI of the object that says so.
        source: what it was made from, if that has an origin of its own.
        built: in a few words, as `built from a name`, where it was made from no other object.
    """

    text: str
    witness: str = ""
    source: GraphModel | None = None
    built: str = ""


@dataclass(frozen=True)
class Ancestor:
    """An object on the way to the last one: how it came about, its IRI, the object that says so."""

    text: str
    iri: str
    witness: str = ""


Trace: TypeAlias = Callable[[ModelT, KnowledgeGraph, Sequence[GraphModel]], Iterator[Origin]]

_TRACES: list[tuple[type[GraphModel], Trace[Any]]] = []


def traces(cls: type[ModelT]) -> Callable[[Trace[ModelT]], Trace[ModelT]]:
    """Have a function say where objects of a class come from; the first origin counts.

    It is given the object, the graph to look into, and the results of the run in question, which
    are asked before others.
    """

    def keep(hook: Trace[ModelT]) -> Trace[ModelT]:
        _TRACES.append((cls, hook))
        return hook

    return keep


def same(one: GraphModel, other: GraphModel | None) -> bool:
    """Tell whether two objects differ by their place alone."""
    return other is not None and one.motion_from(other) is not None


def lineage(
    kg: KnowledgeGraph, model: GraphModel, results: Sequence[GraphModel] = ()
) -> list[Ancestor]:
    """Return an object and its ancestors, youngest first, as far as is known.

    Args:
        kg: the graph to read from.
        model: the object.
        results: of the run that it belongs to, as they are stored.
    """
    load_hooks()
    found: list[Ancestor] = []
    seen: set[str] = set()
    here: GraphModel | None = model
    held = [part for one in reversed(results) for part in one.parts() if type(part) is type(model)]
    if held and model not in held and (copy := next((h for h in held if same(model, h)), None)):
        text = "a remembered geometry, moved into the frame of this run"
        found.append(Ancestor(text, model.iri))
        here = copy
    while here is not None and here.iri not in seen and len(found) < LONGEST:
        seen.add(here.iri)
        origin = origin_of(kg, here, results)
        found.append(Ancestor(origin.text, here.iri, origin.witness))
        here = origin.source
    return found


def origin_of(kg: KnowledgeGraph, model: GraphModel, results: Sequence[GraphModel] = ()) -> Origin:
    """Return how an object came about, as far as is known; see `lineage`."""
    load_hooks()
    for cls, hook in _TRACES:
        if isinstance(model, cls):
            for origin in hook(model, kg, results):
                return origin
    return Origin("as given")


def lineage_table(ancestors: Sequence[Ancestor]) -> Table:
    """Return ancestors as a table that a short form leaves out."""
    rows = tuple((one.text, one.iri) for one in ancestors)
    columns = Column("how it came about", name="text"), Column("name", name="iri")
    return Table("Where it comes from", columns, rows, "lineage", minor=True)
