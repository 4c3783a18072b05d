"""The science as classes: structures, quantum chemistry, the laboratory, provenance.

A module that lies in this folder brings its classes by being there: nothing has to name it.
"""

from importlib import import_module as _import_module
from pkgutil import iter_modules as _iter_modules

from .atoms import ConceptualAtoms, make_atoms
from .comparison import (
    Fragment,
    FragmentEnergy,
    InteractionEnergy,
    SpinState,
    SpinStateScan,
)
from .conversation import (
    Consultation,
    Conversation,
    ConversationName,
    Message,
    Turn,
    TurnOutcome,
)
from .derived import Derivation, DerivedQuantity
from .excitations import ExcitedStates
from .identification import Identification
from .laboratory import (
    DeviceFile,
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
)
from .level import (
    Dispersion,
    Level,
    LevelOfTheory,
    LevelResolution,
    OwnBasisSet,
    ResolvedLevel,
    Solvation,
)
from .provenance import Activity, Device, Outcome, Part, Run, Software, Transition
from .quantum import (
    ElectronicResult,
    Embedding,
    EnergyResult,
    GeometryConstraints,
    Optimisation,
    RelaxedGeometry,
    SinglePoint,
)
from .vibrations import (
    Displacement,
    ElectronicLevel,
    FrequencyAnalysis,
    Thermochemistry,
    VibrationalAnalysis,
)
from .wavefunction import (
    DensityVolume,
    MolecularOrbitals,
    OrbitalVolume,
    PotentialVolume,
    StabilityAnalysis,
    WavefunctionAnalysis,
)

_WITHOUT_CLASSES = (
    "__main__",
    "alignment",
    "connectivity",
    "elements",
    "exchange",
    "origins",
    "schema",
    "units",
)
"""Modules that are loaded when they are used: some need what takes long to load."""

for _found in _iter_modules(__path__, f"{__name__}."):
    if _found.name.rpartition(".")[2] not in _WITHOUT_CLASSES:
        _import_module(_found.name)

__all__ = [
    "Activity",
    "ConceptualAtoms",
    "Consultation",
    "Conversation",
    "ConversationName",
    "DensityVolume",
    "Derivation",
    "DerivedQuantity",
    "Device",
    "DeviceFile",
    "Dispersion",
    "Displacement",
    "ElectronicLevel",
    "ElectronicResult",
    "Embedding",
    "EnergyResult",
    "ExcitedStates",
    "Fragment",
    "FragmentEnergy",
    "FrequencyAnalysis",
    "GeometryConstraints",
    "HeatingParameters",
    "Identification",
    "InteractionEnergy",
    "Level",
    "LevelOfTheory",
    "LevelResolution",
    "Message",
    "MolecularOrbitals",
    "Optimisation",
    "OrbitalVolume",
    "Outcome",
    "OwnBasisSet",
    "Part",
    "PercentConversion",
    "PotentialVolume",
    "RelaxedGeometry",
    "ResolvedLevel",
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
    "VibrationalAnalysis",
    "WavefunctionAnalysis",
    "make_atoms",
]
