"""Bond dissociation: the bonds of a molecule, broken one at a time."""

from workflows.molecule import MOLECULE
from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "bond-dissociation",
        "Find the bond dissociation energies of MOLECULE.",
        "workflows.dissociation.request:DISSOCIATION",
        verb="dissociate",
        synonyms=("bond dissociation energy", "BDE", "carbocation formation"),
        subject=MOLECULE,
        call="MOLECULE(bonds[], into=radicals|hydride|proton)",
    ),
)
