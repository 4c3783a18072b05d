"""Objects of the classes of `ontologies.spins`."""

from ogm import GraphModel, Link
from ontologies.spins import SpinOrigin
from tests.ontologies.instances import WATER

TOLD = SpinOrigin(
    spin_of=Link(WATER), told_spin="rule", spin_smiles="O", spin_reason="nothing is free"
)
EVERYTHING: list[GraphModel] = [TOLD]
