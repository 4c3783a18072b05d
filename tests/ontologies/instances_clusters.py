"""A molecule with molecules of a solvent around it."""

from ogm import GraphModel, Link
from ontologies.clusters import SolventCluster
from ontologies.quantum import EnergyResult
from tests.ontologies.instances import LEVEL, WATER
from tests.ontologies.instances_conformers import SAMPLED

CLUSTER = SolventCluster(
    solute=WATER,
    solvent_molecule=WATER,
    solvent_name="water",
    count=1,
    engine="placed at random",
    level=LEVEL,
    ensemble=SAMPLED,
    solute_energy=-5.07,
    solvent_energy=-5.07,
    association_energy=-0.008,
    solute_result=Link[EnergyResult]("https://w3id.org/grafico/id/Optimisation/1"),
    solvent_result=Link[EnergyResult]("https://w3id.org/grafico/id/Optimisation/1"),
    remarks=("one start",),
)
EVERYTHING: list[GraphModel] = [CLUSTER]
