"""Where a geometry comes from: it was made from a notation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

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
    for made in kg.find(Embedding, atoms=atoms) or _of_another_charge(kg, atoms):
        text = f"made from the {NOTATIONS[made.kind]} {made.notation} by {made.method}"
        yield Origin(text, made.iri, built=built_from(made.kind))


def _of_another_charge(kg: KnowledgeGraph, atoms: ConceptualAtoms) -> list[Embedding]:
    """Return what made the same geometry, if a charge or multiplicity was named beside it."""
    return [
        made
        for made in kg.find(Embedding, atoms={"formula": atoms.formula})
        if np.array_equal(made.atoms.numbers, atoms.numbers)
        and np.array_equal(made.atoms.positions, atoms.positions)
    ]


def built_from(kind: str) -> str:
    """Return in a few words what kind of notation a geometry was built from."""
    return f"built from {'an' if kind == 'inchi' else 'a'} {NOTATIONS[kind]}"
