"""A package of another that brings twelve workflows, with titles as people will write them."""

from workflows.registry import Workflow

TITLES = {
    "tautomers": "Find the tautomers of MOLECULE and their weights.",
    "logp": "Predict how MOLECULE divides between octanol and water.",
    "reaction-path": "Find the transition state between two geometries of MOLECULE.",
    "corrosion": "Predict how MOLECULE protects a metal in a solvent.",
    "nmr": "Predict the NMR shifts and couplings of MOLECULE.",
    "absorption": "Predict the absorption spectrum of MOLECULE at a temperature.",
    "solubility": "Predict how much of MOLECULE dissolves in a solvent.",
    "docking": "Find how MOLECULE binds to a stored protein.",
    "dynamics": "Follow the motion of MOLECULE at a temperature.",
    "framework": "Build a metal-organic framework from MOLECULE as its linker.",
    "retrosynthesis": "Find ways to make MOLECULE from what can be bought.",
    "polymer": "Predict the glass transition of the polymer of MOLECULE.",
}

WORKFLOWS = tuple(
    Workflow(name, title, f"twelve.definitions:{name.replace('-', '_')}")
    for name, title in TITLES.items()
)
