"""The science as classes: structures, quantum chemistry, the laboratory, provenance."""

from .atoms import ConceptualAtoms, make_atoms
from .laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
)
from .provenance import Activity, Device, Outcome, Part, Run, Software, Transition
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
    "HeatingParameters",
    "LevelOfTheory",
    "LevelResolution",
    "Optimisation",
    "Outcome",
    "Part",
    "PercentConversion",
    "Run",
    "SinglePoint",
    "Software",
    "Synthesizer",
    "SynthesizerCommand",
    "SynthesizerState",
    "Thermochemistry",
    "Transition",
    "make_atoms",
]
