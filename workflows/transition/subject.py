"""A guess of a transition state: a molecule, or the highest point of a scan."""

from __future__ import annotations

import re
from typing import ClassVar

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.outputs import ImportedScan
from ontologies.provenance import Outcome, Run
from ontologies.scans import RelaxedScan
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.form import Form
from workflows.molecule.subject import Bonded, Molecule

ARROW = re.compile(r"->|→|=>|>>")


class Guess(Molecule):
    """A geometry near a transition state."""

    name: ClassVar[str] = "guess"
    metavar: ClassVar[str] = "GUESS"
    help: ClassVar[str] = (
        "GUESS is a geometry near the transition state: a file (XYZ, extended XYZ, MOL, SDF or "
        "CIF), or the run or IRI of a stored structure or scan (its highest point): `grafico scan "
        "MOLECULE …` and then `grafico transition last`. With --product, GUESS is the reactant; "
        "both are files with their atoms numbered alike. A SMILES or a name is the geometry of a "
        "minimum: say with --along what must change."
    )

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> ConceptualAtoms:
        """Return a stored structure; of a scan, or of a run that made one, its highest point."""
        scan = scan_of(kg, iri)
        return super().stored_object(kg, iri) if scan is None else top_of(scan, kg)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConceptualAtoms]:
        if isinstance(given, RelaxedScan | ImportedScan):
            top = top_of(given, executor.kg)
            return Given(top, given.label, remarks_on(given), Bonded())
        if isinstance(given, str) and ARROW.search(given):
            raise InputError(
                f"the transition state of {given.strip()[:80]!r} was asked for",
                "names and SMILES do not say which atom goes where",
                "give both sides as files with their atoms numbered alike, reactant.xyz and with "
                "`product` product.xyz; or a geometry near the "
                "transition state: grafico transition guess.xyz",
            )
        found = await super().read(given, said, executor)
        text = str(given).strip()
        scan = scan_of(executor.kg, text) if text.startswith(("http", "g:id/", "id/")) else None
        if scan is None:
            return found
        return Given(found.model, found.text, (*found.remarks, *remarks_on(scan)), found.detail)


GUESS = Guess()


def top_of(scan: RelaxedScan | ImportedScan, kg: KnowledgeGraph) -> ConceptualAtoms:
    """Return the geometry of the highest point of a scan."""
    return scan.top if isinstance(scan, ImportedScan) else scan.highest.atoms.load(kg)


def scan_of(kg: KnowledgeGraph, iri: str) -> RelaxedScan | ImportedScan | None:
    """Return the scan of that IRI, or that the run of that IRI made or read; None for none."""
    model = kg.pull(GraphModel, full_iri(iri))
    if isinstance(model, Run):
        made = [link for outcome in kg.find(Outcome, run=model) for link in outcome.results]
        loaded = [link.load(kg) for link in made]
        scans = [one for one in loaded if isinstance(one, RelaxedScan | ImportedScan)]
        return scans[-1] if scans else None
    return model if isinstance(model, RelaxedScan | ImportedScan) else None


def remarks_on(scan: RelaxedScan | ImportedScan) -> tuple[str, ...]:
    """Say where in a scan its highest point lies."""
    if isinstance(scan, ImportedScan):
        values: list[float] = scan.values.tolist()
        top = values[int(scan.energies.argmax())]
    else:
        values, top = [point.value for point in scan.ways()[0]], scan.highest.value
    where = f"the highest point of the scan along the {scan.label}, {top:g} {scan.unit}"
    if len(values) > 2 and top in (values[0], values[-1]):
        return (f"started from {where}, which is its end: there may be no barrier on the way",)
    return (f"started from {where}",)
