"""A guess of a transition state: a molecule, or the highest point of a scan."""

from __future__ import annotations

import re
from typing import ClassVar

import numpy as np

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.outputs import ImportedScan
from ontologies.provenance import Outcome, Run
from ontologies.scans import RelaxedScan
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.form import Form
from workflows.molecule.subject import Bonded, Molecule

ARROW = re.compile(r"->|→|=>|>>")
INVERSION = re.compile(r"(?i)inversion of (?P<what>\S.*)")
FLAT = 0.1
"""Å that a centre lies out of the plane of its neighbours, above which it is a pyramid."""


class Guess(Molecule):
    """A geometry near a transition state."""

    name: ClassVar[str] = "guess"
    metavar: ClassVar[str] = "GUESS"
    help: ClassVar[str] = (
        "GUESS is a geometry near the transition state: a file (XYZ, extended XYZ, MOL, SDF or "
        "CIF), or the run or IRI of a stored structure or scan (its highest point): `grafico scan "
        "MOLECULE …` and then `grafico transition last`. With --product, GUESS is the reactant; "
        "both are files with their atoms numbered alike. A SMILES or a name is the geometry of a "
        "minimum: say with --along what must change. 'inversion of ammonia' begins with its "
        "pyramid flat."
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
        if isinstance(given, str) and (turned := INVERSION.fullmatch(given.strip())):
            return flattened(await super().read(turned["what"], said, executor))
        found = await super().read(given, said, executor)
        text = str(given).strip()
        scan = scan_of(executor.kg, text) if text.startswith(("http", "g:id/", "id/")) else None
        if scan is None:
            return found
        return Given(found.model, found.text, (*found.remarks, *remarks_on(scan)), found.detail)


GUESS = Guess()


def flattened(given: Given[ConceptualAtoms]) -> Given[ConceptualAtoms]:
    """Return a molecule with its pyramid flat: the centre in the plane of its three neighbours.

    Raises:
        InputError: it has no such centre.
    """
    mol = given.detail.mol if isinstance(given.detail, Bonded) else None
    positions = given.model.positions.copy()
    heights: dict[int, tuple[float, Floats]] = {}
    for atom in mol.GetAtoms() if mol is not None else ():
        near = [other.GetIdx() for other in atom.GetNeighbors()]
        if len(near) == 3 and atom.GetAtomicNum() > 1:
            first, second, third = positions[near]
            normal = np.cross(second - first, third - first)
            normal /= np.linalg.norm(normal)
            away = float((positions[atom.GetIdx()] - first) @ normal)
            heights[atom.GetIdx()] = (round(abs(away), 2), away * normal)
    best = max(heights, key=lambda at: heights[at][0], default=-1)
    if best < 0 or heights[best][0] < FLAT:
        raise InputError(
            f"the inversion of {given.text or given.model.formula} was asked for",
            "it has no atom with three neighbours that is a pyramid",
            "of a ring, scan a dihedral angle and take its top: grafico scan, then grafico "
            "transition last",
        )
    positions[best] -= heights[best][1]
    symbol = SYMBOLS[int(given.model.numbers[best])]
    remark = f"started with {symbol}{best + 1} in the plane of its three neighbours"
    called = f"inversion of {given.text or given.model.formula}"
    return Given(given.model.moved_to(positions), called, (*given.remarks, remark), given.detail)


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
