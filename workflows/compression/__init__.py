"""Compression: energies of a crystal at several volumes, and the equation of state for them."""

from workflows.molecule import MOLECULE
from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "equation-of-state",
        "Find the bulk modulus of MOLECULE, a crystal.",
        "workflows.compression.request:COMPRESSION",
        synonyms=("bulk modulus", "equation of state", "lattice constant", "EOS"),
        subject=MOLECULE,
        call="MOLECULE",
    ),
)
