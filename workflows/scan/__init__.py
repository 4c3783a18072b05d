"""Relaxed scans: a molecule along a distance, an angle or a dihedral angle."""

from workflows.molecule import MOLECULE
from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "scan",
        "Relax MOLECULE along a coordinate.",
        "workflows.scan.workflow:SCAN",
        synonyms=("relaxed scan", "torsion profile"),
        subject=MOLECULE,
        call="MOLECULE(coordinate, start)",
    ),
)
