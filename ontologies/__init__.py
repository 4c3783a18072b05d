"""The science as classes: structures, quantum chemistry, the laboratory, provenance."""

from .atoms import ConceptualAtoms, make_atoms
from .comparison import (
    Fragment,
    FragmentEnergy,
    InteractionEnergy,
    SpinState,
    SpinStateScan,
)
from .conversation import Conversation, ConversationName, Message, Turn, TurnOutcome
from .derived import Derivation, DerivedQuantity
from .excitations import ExcitedStates
from .identification import Identification
from .laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
)
from .level import Dispersion, LevelOfTheory, LevelResolution, Solvation
from .provenance import Activity, Device, Outcome, Part, Run, Software, Transition
from .quantum import Embedding, GeometryConstraints, Optimisation, SinglePoint
from .vibrations import Displacement, FrequencyAnalysis, Thermochemistry
from .wavefunction import (
    DensityVolume,
    OrbitalVolume,
    StabilityAnalysis,
    WavefunctionAnalysis,
)

__all__ = [
    "Activity",
    "ConceptualAtoms",
    "Conversation",
    "ConversationName",
    "DensityVolume",
    "Derivation",
    "DerivedQuantity",
    "Device",
    "Dispersion",
    "Displacement",
    "Embedding",
    "ExcitedStates",
    "Fragment",
    "FragmentEnergy",
    "FrequencyAnalysis",
    "GeometryConstraints",
    "HeatingParameters",
    "Identification",
    "InteractionEnergy",
    "LevelOfTheory",
    "LevelResolution",
    "Message",
    "Optimisation",
    "OrbitalVolume",
    "Outcome",
    "Part",
    "PercentConversion",
    "Run",
    "SinglePoint",
    "Software",
    "Solvation",
    "SpinState",
    "SpinStateScan",
    "StabilityAnalysis",
    "Synthesizer",
    "SynthesizerCommand",
    "SynthesizerState",
    "Thermochemistry",
    "Transition",
    "Turn",
    "TurnOutcome",
    "WavefunctionAnalysis",
    "make_atoms",
]
