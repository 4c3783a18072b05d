"""Objects of what rests on several reactions: ring strain and bond dissociation."""

from ogm import GraphModel
from ontologies.dissociation import BondDissociation
from ontologies.strain import RingStrain
from tests.ontologies.instances import WATER
from tests.ontologies.instances_reactions import CHANGE

STRAIN = RingStrain(
    ring=WATER,
    ring_size=3,
    scheme="contraction",
    reference_size=6,
    reactions=(CHANGE,),
    signs=(-1,),
    strain_energy=0.04,
    strain_enthalpy=0.05,
    strain_gibbs=0.03,
)
BROKEN = BondDissociation(
    dissociated=WATER, into="proton", bond_labels=("O1-H2",), reactions=(CHANGE,)
)
EVERYTHING: list[GraphModel] = [STRAIN, BROKEN]
