"""Objects of the classes of `ontologies.acidity`."""

from ogm import GraphModel
from ontologies.acidity import AcidDissociation, AcidityConstant
from tests.ontologies.instances import LEVEL, WATER
from tests.ontologies.instances_reactions import REACTION, SPECIES

ACID = AcidDissociation(
    reaction=REACTION, species_energies=SPECIES, deprotonation_energy=0.45, pka=4.5
)
KNOWN = AcidDissociation(
    reaction=REACTION,
    species_energies=SPECIES,
    deprotonation_energy=0.44,
    pka=4.0,
    measured_pka=4.2,
)
CONSTANT = AcidityConstant(
    atoms=WATER,
    level=LEVEL,
    geometry_level=LEVEL,
    acid=ACID,
    calibrating_acids=(KNOWN,),
    calibration="fixed slope",
    relative_slope=1.0,
    proton_gibbs_energy=-0.43,
    standard_error=0.5,
    half_interval=2.0,
    temperature=298.15,
    remarks=("one reference acid",),
)
EVERYTHING: list[GraphModel] = [ACID, KNOWN, CONSTANT]
