"""A guess of a transition state: a molecule, or the highest point of a scan."""

from __future__ import annotations

from typing import ClassVar

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.provenance import Outcome, Run
from ontologies.scans import RelaxedScan
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.form import Form
from workflows.molecule.subject import Bonded, Molecule


class Guess(Molecule):
    """A geometry near a transition state."""

    name: ClassVar[str] = "guess"
    metavar: ClassVar[str] = "GUESS"
    help: ClassVar[str] = (
        "GUESS is a geometry near the transition state: a file (XYZ, extended XYZ, MOL, SDF or "
        "CIF), the IRI of a stored structure or scan (its highest point), a SMILES or a name."
    )

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> ConceptualAtoms:
        """Return a stored structure; of a scan, or of a run that made one, its highest point."""
        scan = scan_of(kg, iri)
        return super().stored_object(kg, iri) if scan is None else scan.highest.atoms.load(kg)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConceptualAtoms]:
        if isinstance(given, RelaxedScan):
            top = given.highest.atoms.load(executor.kg)
            return Given(top, given.label, remarks_on(given), Bonded())
        found = await super().read(given, said, executor)
        text = str(given).strip()
        scan = scan_of(executor.kg, text) if text.startswith(("http", "g:id/", "id/")) else None
        if scan is None:
            return found
        return Given(found.model, found.text, (*found.remarks, *remarks_on(scan)), found.detail)


GUESS = Guess()


def scan_of(kg: KnowledgeGraph, iri: str) -> RelaxedScan | None:
    """Return the scan of that IRI, or that the run of that IRI made; None for none."""
    model = kg.pull(GraphModel, full_iri(iri))
    if isinstance(model, Run):
        made = [link for outcome in kg.find(Outcome, run=model) for link in outcome.results]
        scans = [one for link in made if isinstance(one := link.load(kg), RelaxedScan)]
        return scans[-1] if scans else None
    return model if isinstance(model, RelaxedScan) else None


def remarks_on(scan: RelaxedScan) -> tuple[str, ...]:
    """Say where in a scan its highest point lies."""
    top = scan.highest
    where = f"the highest point of the scan along the {scan.label}, {top.value:g} {scan.unit}"
    there, _ = scan.ways()
    if len(there) > 2 and top.value in (there[0].value, there[-1].value):
        return (f"started from {where}, which is its end: there may be no barrier on the way",)
    return (f"started from {where}",)
