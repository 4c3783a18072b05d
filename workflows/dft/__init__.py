"""Hartree–Fock and density functional calculations with PySCF."""

from workflows.molecule import MOLECULE
from workflows.registry import Action, Workflow

LEVELS = {"LevelOfTheory": "workflows.dft.program:PYSCF"}
"""The program of each class of levels, see `workflows.levels`."""

WORKFLOWS = (
    Workflow(
        "dft",
        "Compute MOLECULE, or remember it.",
        "workflows.dft.request.definitions:COMPUTE",
        verb="run",
        synonyms=("calculate", "calculation"),
        usual=True,
        subject=MOLECULE,
    ),
    Workflow(
        "spin-states",
        "Compare the multiplicities of MOLECULE.",
        "workflows.dft.request.definitions:COMPARE_SPINS",
        synonyms=("multiplicities",),
        subject=MOLECULE,
    ),
    Workflow(
        "counterpoise",
        "Find the interaction of fragments of MOLECULE.",
        "workflows.dft.request.definitions:INTERACT",
        verb="interaction",
        subject=MOLECULE,
    ),
)

ACTIONS = (
    Action(
        "cube",
        "Write an orbital or a density of a result as a Gaussian cube file.",
        "workflows.dft.properties.cube:CUBE",
        computes=True,
    ),
)
