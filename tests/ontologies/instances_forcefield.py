"""Objects of the classes of `ontologies.forcefield`."""

from ogm import GraphModel
from ontologies.forcefield import (
    ForceField,
    ForceFieldEnergy,
    ForceFieldOptimisation,
    ForceFieldResolution,
)
from ontologies.tightbinding import BornSolvation
from tests.ontologies.instances import WATER, named

BONDED = ForceField(
    method="GFN-FF",
    program_version="6.7.1",
    solvation=BornSolvation(model="ALPB", solvent="water"),
)
MEANT = named(ForceFieldResolution, method="gfnff", level=BONDED)
POINT = named(ForceFieldEnergy, atoms=WATER, level=BONDED, energy=-0.34, remarks=("as it is",))
EASED = named(
    ForceFieldOptimisation,
    atoms=WATER,
    level=BONDED,
    energy=-0.34,
    initial=WATER,
    steps=2,
    max_gradient=1e-5,
    energies=[-0.33, -0.34],
    criteria="GAU",
)
EVERYTHING: list[GraphModel] = [BONDED, MEANT, POINT, EASED]
