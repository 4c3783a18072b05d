"""Where the geometries of a reaction come from: whether they were built from notations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ogm import GraphModel, KnowledgeGraph
from ontologies.reactions import Reaction
from workflows.show.lineage import Origin, origin_of, traces


@traces(Reaction)
def _(found: Reaction, kg: KnowledgeGraph, results: Sequence[GraphModel]) -> Iterator[Origin]:
    built = together([origin_of(kg, one.atoms, results).built for one in found.species])
    if built:
        yield Origin(f"geometries {built} from notations", built=built)


def together(built: Sequence[str]) -> str:
    """Return whether all geometries were built, or some, by what each was built from."""
    return "built" if all(built) else "built in part" if any(built) else ""
