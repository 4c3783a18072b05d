"""Energies, geometries, vibrations and paths by tight binding."""

from ontologies.tightbinding import (
    TightBindingEnergy,
    TightBindingFrequencies,
    TightBindingOptimisation,
)
from workflows.geometry.surface_calculations import SurfaceCalculations

from .hamiltonian import Hamiltonian
from .levels import TBLITE

_ON_SURFACE = SurfaceCalculations(__name__, "tightbinding", TBLITE, Hamiltonian)

single_point = _ON_SURFACE.single_point(TightBindingEnergy)
optimise = _ON_SURFACE.optimise(TightBindingOptimisation)
frequencies = _ON_SURFACE.frequencies(TightBindingFrequencies)
saddle_point = _ON_SURFACE.saddle_point()
reaction_path = _ON_SURFACE.reaction_path()
elastic_band = _ON_SURFACE.elastic_band()
