"""Acidity: the pKa of an acid, by itself or beside acids whose pKa was measured."""

from workflows.molecule import MOLECULE
from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "acidity",
        "Find the pKa of MOLECULE.",
        "workflows.acidity.request:DEFINITION",
        verb="pka",
        synonyms=("acidity", "acid dissociation constant"),
        subject=MOLECULE,
        call="MOLECULE(reference_acid[], calibration=none|fixed slope|regression)",
    ),
)
