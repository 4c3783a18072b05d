"""The science as classes of an ontology: structures, quantum chemistry, provenance."""

from .atoms import ConceptualAtoms, make_atoms
from .provenance import Activity, Device, Outcome, Run, Software, Transition
from .quantum import (
    Displacement,
    Embedding,
    FrequencyAnalysis,
    LevelOfTheory,
    LevelResolution,
    Optimisation,
    SinglePoint,
    Thermochemistry,
)

__all__ = [
    "Activity",
    "ConceptualAtoms",
    "Device",
    "Displacement",
    "Embedding",
    "FrequencyAnalysis",
    "LevelOfTheory",
    "LevelResolution",
    "Optimisation",
    "Outcome",
    "Run",
    "SinglePoint",
    "Software",
    "Thermochemistry",
    "Transition",
    "make_atoms",
]
