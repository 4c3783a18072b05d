"""Where the geometry of a crystal comes from: it was relaxed, or stopped on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ogm import GraphModel, KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CrystalRelaxation
from workflows.show.lineage import Origin, same, traces


@traces(ConceptualAtoms)
def _(
    atoms: ConceptualAtoms, kg: KnowledgeGraph, results: Sequence[GraphModel]
) -> Iterator[Origin]:
    ours = [r for r in results if isinstance(r, CrystalRelaxation) and same(r.atoms, atoms)]
    for made in ours or kg.find(CrystalRelaxation, atoms=atoms):
        if same(made.initial, atoms):
            continue
        what = "positions and cell" if made.relaxed_cell else "positions"
        if made.converged:
            text = f"{what} relaxed from the geometry below at {made.level.label}"
        else:
            text = (
                f"not relaxed: {what} led downhill from the geometry below at {made.level.label}, "
                f"stopped after {made.steps} steps"
            )
        yield Origin(text, made.iri, made.initial)
