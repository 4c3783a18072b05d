"""Objects of the classes of `ontologies.redox`."""

from ogm import GraphModel
from ontologies.redox import HalfReaction, ReductionPotential
from tests.ontologies.instances_reactions import CHANGE, REACTION

HALF = HalfReaction(reaction=REACTION, electrons=2.0, protons=-1.0)
POTENTIAL = ReductionPotential(
    half_reaction=HALF,
    reaction_energy=CHANGE,
    gibbs_energy_of_reduction=-0.3,
    potential=0.7,
    reference_electrode="SCE",
    electrode_potential=0.241,
    absolute_potential=4.28,
    proton_in_water=-0.43,
    acidity=7.0,
    remarks=("one conformer",),
)
EVERYTHING: list[GraphModel] = [HALF, POTENTIAL]
