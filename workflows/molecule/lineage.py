"""Where a geometry comes from: it was made from a notation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ogm import GraphModel, KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Embedding
from workflows.show.lineage import Origin, traces

NOTATIONS = {"smiles": "SMILES", "name": "name", "inchi": "InChI", "selfies": "SELFIES"}


@traces(ConceptualAtoms)
def _(
    atoms: ConceptualAtoms, kg: KnowledgeGraph, results: Sequence[GraphModel]
) -> Iterator[Origin]:
    del results
    for made in kg.find(Embedding, atoms=atoms):
        text = f"made from the {NOTATIONS[made.kind]} {made.notation} by {made.method}"
        yield Origin(text, made.iri)
