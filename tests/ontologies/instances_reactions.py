"""Objects of the classes of `ontologies.reactions`."""

from ogm import GraphModel, Link
from ontologies.reactions import Reaction, ReactionEnergy, ReactionSpecies, SpeciesEnergy
from tests.ontologies.instances import LEVEL, POINT, THERMO, WATER

FROM = ReactionSpecies(name="water", coefficient=-1.0, atoms=WATER, smiles="O")
TO = ReactionSpecies(name="the same", coefficient=1.0, atoms=WATER)
SPECIES = tuple(
    SpeciesEnergy(
        species=one,
        level=LEVEL,
        energy=-76.4,
        zero_point_energy=0.02,
        enthalpy=-76.3,
        bonds_changed="broken: O1-H2",
        gibbs_energy=-76.4,
        result=Link(POINT),
        thermochemistry=Link(THERMO),
        spin_orbit_lowering=6e-4,
    )
    for one in (FROM, TO)
)
REACTION = Reaction(species=(FROM, TO))
CHANGE = ReactionEnergy(
    reaction=REACTION,
    level=LEVEL,
    geometry_level=LEVEL,
    species_energies=SPECIES,
    energy_change=0.0,
    zero_point_change=0.0,
    enthalpy_change=0.0,
    gibbs_change=0.0,
    gibbs_change_molar=0.0,
    temperature=298.15,
    pressure=101325.0,
    conserved="bond types and hybridisation",
    remarks=("nothing happens",),
    spin_orbit_change=0.0,
    spin_orbit=True,
)
EVERYTHING: list[GraphModel] = [FROM, TO, REACTION, *SPECIES, CHANGE]
