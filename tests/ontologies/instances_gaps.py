"""Objects of the classes of `ontologies.gaps`."""

from ogm import GraphModel, Link
from ontologies.gaps import MoleculeSet, SingletTripletGap, SingletTripletGaps
from tests.ontologies.instances import BRIGHT, LEVEL, WATER

SET = MoleculeSet(names=("water",), molecules=(WATER,))
GAP = SingletTripletGap(
    name="water", atoms=WATER, level=LEVEL, singlet_energy=7.5, singlet_strength=0.002,
    triplet_energy=6.9, singlet_triplet_gap=0.6, singlet_character="n → σ*",
    triplet_character="n → σ*", paired_triplet=1, paired_gap=0.6, bright_state=2,
    bright_energy=9.25, bright_strength=0.1, singlets=Link(BRIGHT), triplets=Link(BRIGHT),
    remarks=("S1 is dark",),
)  # fmt: skip
GAPS = SingletTripletGaps(
    molecule_set=SET,
    response="TDA",
    gaps=(GAP,),
    relaxed=True,
    minima=True,
    failures=("methane: no SCF",),
)
EVERYTHING: list[GraphModel] = [SET, GAP, GAPS]
