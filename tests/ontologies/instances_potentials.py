"""Objects of the classes of `ontologies.potentials`."""

from ogm import GraphModel
from ontologies.level import Dispersion
from ontologies.potentials import CheckpointPotential, LearnedPotential, MultifidelityPotential

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
BESIDE = MultifidelityPotential(
    method="SevenNet",
    program_version="0.13.0",
    model="MF-0",
    modal="PBE",
    weights="81791329" * 8,
    dispersion=Dispersion(
        kind="D3(BJ)", functional="pbe", damping_parameters=("s6=1", "s8=0.7875", "a1=0.4289")
    ),
)
EVERYTHING: list[GraphModel] = [LEARNED, BROUGHT, BESIDE]
