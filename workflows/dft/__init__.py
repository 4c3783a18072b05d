"""Hartree–Fock and density functional calculations with PySCF."""

from workflows.registry import Action, Workflow

LEVELS = {"LevelOfTheory": "workflows.dft.program:PYSCF"}
"""The program of each class of levels, see `workflows.levels`."""

WORKFLOWS = (
    Workflow(
        "dft", "Compute MOLECULE, or remember it.", "workflows.dft.definitions:COMPUTE",
        verb="run", synonyms=("calculate", "calculation"), usual=True,
    ),
    Workflow(
        "spin-states", "Compare the multiplicities of MOLECULE.",
        "workflows.dft.definitions:COMPARE_SPINS", synonyms=("multiplicities",),
    ),
    Workflow(
        "counterpoise", "Find how strongly the fragments of MOLECULE hold together.",
        "workflows.dft.definitions:INTERACT", verb="interaction",
    ),
)  # fmt: skip

ACTIONS = (
    Action(
        "cube", "Write an orbital or a density of a result as a Gaussian cube file.",
        "workflows.dft.cube:CUBE", computes=True,
    ),
)  # fmt: skip
