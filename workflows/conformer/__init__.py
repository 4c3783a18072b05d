"""Conformers: sampled, relaxed, each told once, and weighted; refined at better levels."""

from workflows.molecule import MOLECULE
from workflows.registry import Action, SubjectKind, Workflow
from workflows.registry.needs import Need

WORKFLOWS = (
    Workflow(
        "conformers",
        "Find the conformers of MOLECULE.",
        "workflows.conformer.request:DEFINITION",
        synonyms=(
            "conformer",
            "conformer search",
            "conformational search",
            "run_crest_conformer_search",
        ),
        subject=MOLECULE,
        call="MOLECULE(window, weights=energy|Gibbs energy)",
        wish="Conformers of butane with GFN2-xTB",
    ),
    Workflow(
        "refinement",
        "Refine the conformers of ENSEMBLE at a level.",
        "workflows.conformer.refining:DEFINITION",
        verb="refine",
        synonyms=("refine conformers",),
        subject=SubjectKind("ensemble"),
        call="ENSEMBLE(window)",
    ),
)
NEEDS = (
    Need("crest", "conformers by CREST", "conda install -c conda-forge crest, or its release"),
)
ACTIONS = (
    Action(
        "structures",
        "Write the conformers of ENSEMBLE as one file.",
        "workflows.conformer.writing:STRUCTURES",
    ),
    Action(
        "pose",
        "Compare the conformers of ENSEMBLE with a structure.",
        "workflows.conformer.pose:POSE",
    ),
    Action(
        "rmsd",
        "Superpose MOLECULE on another geometry of it, and say how far they lie apart.",
        "workflows.conformer.rmsd:RMSD",
    ),
)
