"""Clusters: a molecule with solvent molecules around it, found and relaxed."""

from workflows.molecule import MOLECULE
from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "clusters",
        "Put solvent molecules around MOLECULE.",
        "workflows.cluster.request:DEFINITION",
        verb="cluster",
        synonyms=(
            "solvent cluster",
            "explicit solvation",
            "microsolvation",
            "quantum cluster growth",
            "run_qcg_cluster",
        ),
        subject=MOLECULE,
        call="MOLECULE(count, level=GFN2-xTB|GFN1-xTB)",
    ),
)
