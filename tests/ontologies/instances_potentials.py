"""Objects of the classes of `ontologies.potentials`."""

from ogm import GraphModel
from ontologies.potentials import CheckpointPotential, LearnedPotential

LEARNED = LearnedPotential(
    method="CHGNet", program_version="0.4.2", model="0.3.0", weights="d14ab7c0" * 8
)
BROUGHT = CheckpointPotential(
    method="MACE",
    program_version="0.3.16",
    model="small.model",
    weights="51a90ad2" * 8,
    head="Default",
    precision="float64",
    elements=("H", "C", "Si"),
)
EVERYTHING: list[GraphModel] = [LEARNED, BROUGHT]
