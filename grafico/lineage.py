"""Where a geometry comes from: the way back to what was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ogm import GraphModel, KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Embedding, EnergyResult, RelaxedGeometry
from ontologies.vibrations import Displacement

NOTATIONS = {"smiles": "SMILES", "name": "name", "inchi": "InChI", "selfies": "SELFIES"}

LONGEST = 50
"""Generations of a geometry that are told."""


@dataclass(frozen=True)
class Ancestor:
    """A geometry on the way to the last one: what it is, its IRI, the object that says so."""

    text: str
    iri: str
    witness: str = ""


def same(one: ConceptualAtoms, other: ConceptualAtoms | None) -> bool:
    """Tell whether two geometries differ by their place alone."""
    return other is not None and one.motion_from(other) is not None


def ancestors(
    kg: KnowledgeGraph, atoms: ConceptualAtoms, results: Sequence[EnergyResult]
) -> list[Ancestor]:
    """Return a geometry and its ancestors, youngest first, as far as results tell."""
    found: list[Ancestor] = []
    seen: set[str] = set()
    here: ConceptualAtoms | None = atoms
    if results and atoms != results[-1].atoms:
        found.append(Ancestor("a remembered geometry, moved into the frame of this run", atoms.iri))
        here = results[-1].atoms
    while here is not None and here.iri not in seen and len(found) < LONGEST:
        seen.add(here.iri)
        found.append(_ancestor(kg, here, results))
        here = _before(kg, found[-1])
    return found


def _ancestor(
    kg: KnowledgeGraph, atoms: ConceptualAtoms, results: Sequence[EnergyResult]
) -> Ancestor:
    ours = [r for r in results if isinstance(r, RelaxedGeometry) and same(r.atoms, atoms)]
    for made in ours or kg.find(RelaxedGeometry, atoms=atoms):
        if not same(made.initial, atoms):
            how = "under constraints " if made.constraints is not None else ""
            text = f"relaxed {how}from the geometry below at {made.level.label}"
            return Ancestor(text, atoms.iri, made.iri)
    for push in kg.find(Displacement, atoms=atoms):
        mode = f"{abs(push.wavenumber):.1f}{'i' * (push.wavenumber < 0)} cm⁻¹"
        text = f"pushed by {push.amplitude:g} Å off the geometry below, along its mode at {mode}"
        return Ancestor(text, atoms.iri, push.iri)
    for embedding in kg.find(Embedding, atoms=atoms):
        kind = NOTATIONS[embedding.kind]
        text = f"made from the {kind} {embedding.notation} by {embedding.method}"
        return Ancestor(text, atoms.iri, embedding.iri)
    return Ancestor("as given", atoms.iri)


def _before(kg: KnowledgeGraph, ancestor: Ancestor) -> ConceptualAtoms | None:
    witness = kg.pull(GraphModel, ancestor.witness) if ancestor.witness else None
    if isinstance(witness, RelaxedGeometry):
        return witness.initial
    if isinstance(witness, Displacement):
        return witness.source.load(kg).atoms
    return None
