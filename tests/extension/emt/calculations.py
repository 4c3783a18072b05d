"""What is computed: all that follows from energy and forces."""

from __future__ import annotations

from typing import Any

from emt.model import EffectiveMedium

from ontologies.level import ResolvedLevel
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import VibrationalAnalysis
from workflows.engine import Backend, calculation
from workflows.geometry.ase_surface import ASESurface
from workflows.geometry.surface_calculations import SurfaceCalculations

ASE = Backend(name="ase", epoch="1", packages=("ase", "geometric", "numpy", "scipy", "pyscf"))


class Surface(ASESurface[EffectiveMedium]):
    """The energy of a cluster of metal atoms."""

    def calculator(self) -> Any:
        from ase.calculators.emt import EMT

        return EMT()


@calculation("emt.resolve", version="1", backend=ASE, brief=True, title="level of theory")
def resolve(method: str) -> ResolvedLevel:
    """Find the level that is meant."""
    return ResolvedLevel(method=method, level=EffectiveMedium(method="EMT"))


_ON_SURFACE = SurfaceCalculations(__name__, "emt", ASE, Surface)

single_point = _ON_SURFACE.single_point(EnergyResult)
optimise = _ON_SURFACE.optimise(RelaxedGeometry)
frequencies = _ON_SURFACE.frequencies(VibrationalAnalysis)
saddle_point = _ON_SURFACE.saddle_point()
reaction_path = _ON_SURFACE.reaction_path()
elastic_band = _ON_SURFACE.elastic_band()
