"""Geometries, vibrations and paths by MP2, DF-MP2, CCSD and CCSD(T)."""

from ontologies.correlated import CorrelatedFrequencies, CorrelatedOptimisation
from workflows.geometry.surface_calculations import SurfaceCalculations

from .levels import PYSCF
from .surface import CorrelatedSurface

_ON_SURFACE = SurfaceCalculations(__name__, "correlated", PYSCF, CorrelatedSurface, gpu=False)

optimise = _ON_SURFACE.optimise(CorrelatedOptimisation, title="optimisation")
frequencies = _ON_SURFACE.frequencies(CorrelatedFrequencies)
saddle_point = _ON_SURFACE.saddle_point()
reaction_path = _ON_SURFACE.reaction_path()
elastic_band = _ON_SURFACE.elastic_band()
