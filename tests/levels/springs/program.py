"""Springs between all atoms: levels, results, calculations and the program that offers them."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ogm import Unit, Vocabulary
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level, ResolvedLevel
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.units import Floats
from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import InputError
from workflows.dft.request.forms import DFTRequest
from workflows.engine import Backend, Call, calculation
from workflows.engine.request.cost import Cost, Granted
from workflows.geometry.surface import LevelSurface
from workflows.geometry.surface_calculations import SurfaceCalculations
from workflows.registry.levels import LevelForm, Program

BOHR = 0.529177210544
"""Å."""

OWN = Vocabulary("https://example.org/springs#")
BACKEND = Backend(name="springs", epoch="1")


class Springs(Level, vocab=OWN):
    """Springs of one stiffness and one length at rest, between all pairs of atoms.

    Attributes:
        stiffness: energy by which a spring resists, for the square of a length.
        rest: the length of a spring on which nothing pulls.
    """

    program: str = "springs"
    stiffness: float
    rest: Annotated[float, Unit("ANGSTROM")]


class SpringResolution(ResolvedLevel, vocab=OWN):
    """What was asked for."""


class SpringEnergy(EnergyResult, vocab=OWN):
    """The energy of springs."""


class SpringRelaxation(RelaxedGeometry, vocab=OWN):
    """A geometry that springs have pulled to rest."""


class SpringVibrations(VibrationalAnalysis, vocab=OWN):
    """Vibrations of springs."""


class Surface(LevelSurface[Springs]):
    """The energy of springs, k/2 (r - r₀)² for each pair, in Eh and bohr."""

    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        apart = (positions[:, None] - positions[None]) / BOHR
        length = np.linalg.norm(apart, axis=2)
        np.fill_diagonal(length, 1.0)
        stretch = length - self.level.rest / BOHR
        np.fill_diagonal(stretch, 0.0)
        energy = self.level.stiffness * float((stretch**2).sum()) / 4
        pull = self.level.stiffness * (stretch / length)[..., None] * apart
        return energy, pull.sum(1)


@calculation("springs.resolve", version="1", backend=BACKEND, brief=True)
def resolve(method: str, stiffness: float, rest: float) -> SpringResolution:
    """Return the level that is asked for."""
    level = Springs(method="springs", stiffness=stiffness, rest=rest)
    return SpringResolution(method=method, level=level)


_ON_SURFACE = SurfaceCalculations(__name__, "springs", BACKEND, Surface)

single_point = _ON_SURFACE.single_point(SpringEnergy)
optimise = _ON_SURFACE.optimise(SpringRelaxation)
frequencies = _ON_SURFACE.frequencies(SpringVibrations)


class SpringsForm(LevelForm):
    """Springs, as a person names them."""

    stiffness: Annotated[float, Field(gt=0, description="Of springs, Eh/bohr².")] = 0.3
    rest: Annotated[float, Field(gt=0, description="Of springs: their length in Å.")] = 1.0

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        return resolve.bind(self.method, self.stiffness, self.rest)


class SpringsProgram(Program[Springs]):
    """What can be computed of springs."""

    calculations: ClassVar = {
        "energy": ".program:single_point",
        "optimise": ".program:optimise",
        "frequencies": ".program:frequencies",
    }
    form = SpringsForm
    methods = ("springs",)

    def recognises(self, method: str) -> bool:
        return method.lower() == "springs"

    def is_short(self, atoms: ConceptualAtoms, level: Springs, request: DFTRequest) -> bool:
        return False

    def cost(
        self, atoms: ConceptualAtoms, level: Springs, request: DFTRequest, granted: Granted
    ) -> Cost:
        if atoms.numbers.max() > 100:
            raise InputError("springs", "the elements end at 100")
        springs = len(atoms.numbers) ** 2 // 2
        return Cost(f"{springs} springs", 1e-3 * springs, 100.0, factor=2.0)


SPRINGS = SpringsProgram()
