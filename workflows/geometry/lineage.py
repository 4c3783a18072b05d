"""Where a geometry comes from: it was relaxed, or pushed along a mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ogm import GraphModel, KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import RelaxedGeometry
from ontologies.vibrations import Displacement
from workflows.show.lineage import Origin, same, traces


@traces(ConceptualAtoms)
def _(
    atoms: ConceptualAtoms, kg: KnowledgeGraph, results: Sequence[GraphModel]
) -> Iterator[Origin]:
    ours = [r for r in results if isinstance(r, RelaxedGeometry) and same(r.atoms, atoms)]
    for made in ours or kg.find(RelaxedGeometry, atoms=atoms):
        if not same(made.initial, atoms):
            how = "under constraints " if made.constraints is not None else ""
            text = f"relaxed {how}from the geometry below at {made.level.label}"
            yield Origin(text, made.iri, made.initial)
    for push in kg.find(Displacement, atoms=atoms):
        mode = f"{abs(push.wavenumber):.1f}{'i' * (push.wavenumber < 0)} cm⁻¹"
        text = f"pushed by {push.amplitude:g} Å off the geometry below, along its mode at {mode}"
        yield Origin(text, push.iri, push.source.load(kg).atoms)
