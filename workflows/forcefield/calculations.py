"""Energy and relaxed geometry by a force field."""

from ontologies.forcefield import ForceFieldEnergy, ForceFieldOptimisation
from workflows.geometry.surface_calculations import SurfaceCalculations
from workflows.programs.xtb import BACKEND

from .surface import GFNFF

_ON_SURFACE = SurfaceCalculations(__name__, "forcefield", BACKEND, GFNFF)

single_point = _ON_SURFACE.single_point(ForceFieldEnergy)
optimise = _ON_SURFACE.optimise(ForceFieldOptimisation)
