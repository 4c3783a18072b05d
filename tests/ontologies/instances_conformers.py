"""Objects of conformers and their ensembles."""

from ogm import GraphModel, Link
from ontologies.conformers import (
    Conformer,
    ConformerCandidates,
    ConformerEnsemble,
    ConformersOfFile,
    SamenessThresholds,
)
from ontologies.quantum import EnergyResult
from ontologies.vibrations import Thermochemistry
from tests.ontologies.instances import LEVEL, WATER

CANDIDATES = ConformerCandidates(
    molecule=WATER, structures=(WATER,), sampler="RDKit ETKDGv3", remarks=("one",)
).identified("https://w3id.org/grafico/id/ConformerCandidates/1")
CONFORMER = Conformer(
    number=1,
    atoms=WATER,
    energy=-76.3,
    gibbs_energy=-76.29,
    mirror_images=2,
    symmetry_number=2,
    degeneracy=2,
    weight=1.0,
    result=Link[EnergyResult]("https://w3id.org/grafico/id/Optimisation/1"),
    thermochemistry=Link[Thermochemistry]("https://w3id.org/grafico/id/Thermochemistry/1"),
)
SAMPLED = ConformerEnsemble(
    molecule=WATER, smiles="O", level=LEVEL, sampler="RDKit ETKDGv3", conformers=(CONFORMER,)
)
REFINED = SAMPLED.model_copy(
    update={
        "refined": Link[ConformerEnsemble](SAMPLED.iri),
        "weighted_by": "Gibbs energy",
        "temperature": 310.0,
        "thresholds": SamenessThresholds(
            energy_gap=3e-4,
            deviation=0.125,
            rotation=0.01,
            close_gap=8e-5,
            close_deviation=0.06,
        ),
        "mean_energy": -76.3,
        "conformational_entropy": 1e-6,
        "ensemble_gibbs": -76.29,
        "left_out": ("conformer 2: a bond broke",),
        "remarks": ("one conformer",),
    }
)
OF_FILE = ConformersOfFile(
    molecule=WATER,
    smiles="O",
    structures=(WATER,),
    source_name="crest_conformers.xyz",
    digest="ab" * 32,
)
EVERYTHING: list[GraphModel] = [
    CANDIDATES,
    CONFORMER,
    SAMPLED,
    REFINED,
    OF_FILE,
    SamenessThresholds(),
]
