"""The steps of the DFT graph."""

from __future__ import annotations

import functools
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import numpy as np
from pydantic import Field, create_model
from pydantic_graph import End

from ogm import GraphModel, Link
from ontologies import vibrations
from ontologies.crystals import Optimiser
from ontologies.outputs import ImportedThermochemistry, ImportedVibrations
from ontologies.quantum import Convergence
from ontologies.vibrations import Displacement, Treatment
from workflows.crystal.going_on import relaxation
from workflows.engine import Call, Done, Executor, Finish, Node
from workflows.geometry.constraint_text import constraints_of
from workflows.registry.levels import offered
from workflows.registry.properties import Property

from ..properties.thermo import imported_thermochemistry, thermochemistry
from ..request.besides import step_fields
from ..request.forms import PROPERTIES, Pressure, Steps, Temperature, crystal_wish
from .situation import DFTState, Situation

REPAIRS = 3
"""How often a geometry is pushed off a saddle point before the run gives up."""

SOFT = 2
"""Repairs after which thresholds are tight: a mode that is soft enough to be imaginary again is
softer than the usual ones see (pseudorotation of methylcyclopentane)."""

DESCENTS = 2
"""How often an unstable wavefunction is left: for a lower one of its kind, for one of another."""

PUSH = 0.15
"""Å. The largest displacement of an atom in the first push; later ones are twice, three times."""


class SinglePoint(Node[DFTState]):
    """Compute energy and properties at the geometry as it is."""

    then: ClassVar[Optimise | RelaxCrystal | Frequencies | Further | End[Finish]]
    only_calculates = True

    def precondition(self, situation: Situation) -> str | None:
        return "the energy at this geometry is known" if situation.energy else None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, energy=True)

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        answer = await executor.run(offered(state.level).energy(state.atoms, state.level))
        return state.after(answer, self.effect(state.situation))


class Optimise(Node[DFTState]):
    """Relax the geometry to the nearest stationary point."""

    then: ClassVar[Frequencies | Further | End[Finish]]
    only_calculates = True

    max_steps: Steps = 100
    convergence: Convergence = "normal"
    constraints: tuple[str, ...] = ()

    def precondition(self, situation: Situation) -> str | None:
        if situation.crystal:
            return "it is a crystal"
        if "forces" in situation.lacking:
            return "the level has no forces"
        if situation.geometry == "constrained":
            return "the geometry is relaxed already, as far as the constraints allow"
        if situation.geometry in ("stationary", "minimum"):
            return "the geometry is stationary already"
        if situation.geometry == "saddle point":
            return "the geometry is a saddle point, which an optimisation does not leave"
        if situation.geometry == "not stationary" and situation.repairs >= REPAIRS:
            return f"the gradient is still too large after {REPAIRS} optimisations"
        return None

    def effect(self, situation: Situation) -> Situation:
        return situation.elsewhere("constrained" if self.constraints else "stationary")

    def cost(self, situation: Situation) -> float:
        return 20.0

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        held = constraints_of(self.constraints, state.atoms)
        convergence = self.convergence
        if state.situation.repairs >= SOFT and convergence in ("loose", "normal"):
            convergence = "tight"
        call = offered(state.level).optimise(
            state.atoms, state.level, self.max_steps, convergence=convergence, constraints=held
        )
        return state.after(await executor.run(call), self.effect(state.situation))


class RelaxCrystal(Node[DFTState]):
    """Lead a crystal downhill: its positions, or positions and cell."""

    then: ClassVar[RelaxCrystal | End[Finish]]
    only_calculates = True

    max_steps: Steps = 100
    convergence: Convergence = "normal"
    constraints: tuple[str, ...] = ()
    relax_cell: bool = False
    external_pressure: float = 0.0
    keep_symmetry: bool = False
    hydrogens_first: bool = False
    optimiser: Optimiser = "LBFGS"

    def precondition(self, situation: Situation) -> str | None:
        if not situation.crystal:
            return "it is no crystal"
        if "forces" in situation.lacking:
            return "the level has no forces"
        if situation.geometry == "not relaxed":
            return (
                "it stopped at its limit, not relaxed; allow more steps (max_steps), and it goes on"
            )
        return None if situation.geometry == "as given" else "it is relaxed already"

    def effect(self, situation: Situation) -> Situation:
        return situation.elsewhere("constrained" if self.constraints else "stationary")

    def cost(self, situation: Situation) -> float:
        return 20.0

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        wish = crystal_wish(self, state.atoms)
        call = relaxation(state.atoms, state.level, wish, executor)
        answer = await executor.run(call)
        situation = self.effect(state.situation)
        if not answer.result.converged:
            situation = replace(situation, geometry="not relaxed")
        return state.after(answer, situation)


class Frequencies(Node[DFTState]):
    """Compute the vibrations of a stationary geometry and tell minimum from saddle point."""

    then: ClassVar[Thermochemistry | Displace | Optimise | Further | End[Finish]]
    only_calculates = True

    def precondition(self, situation: Situation) -> str | None:
        if situation.crystal:
            return "it is a crystal"
        if situation.geometry in ("as given", "constrained", "not stationary"):
            return "the geometry is not known to be stationary"
        if situation.geometry in ("minimum", "saddle point"):
            return "the frequencies at this geometry are known"
        return None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, geometry="minimum", energy=True)

    def cost(self, situation: Situation) -> float:
        return 50.0

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        call = offered(state.level).frequencies(state.atoms, state.level)
        answer = await executor.run(call)
        label = answer.result.stationarity
        repairs = state.situation.repairs + (label == "not stationary")
        situation = replace(state.situation, geometry=label, energy=True, repairs=repairs)
        return state.after(answer, situation)


class Thermochemistry(Node[DFTState]):
    """Compute enthalpy, entropy and Gibbs energy of a minimum from its vibrations."""

    then: ClassVar[Further | End[Finish]]
    only_calculates = True

    temperature: Temperature = 298.15
    pressure: Pressure = 101325.0
    symmetry_number: Annotated[int, Field(ge=0)] = 0
    treatment: Treatment = "harmonic"
    spin_orbit: bool = False

    def precondition(self, situation: Situation) -> str | None:
        if situation.geometry != "minimum":
            return "the geometry is not known to be a minimum"
        return "the thermochemistry is known" if situation.thermochemistry else None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, thermochemistry=True)

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        # as it is stored: where the molecule lies does not matter, and what is stored has an IRI
        analysis = next(a for a in reversed(state.answers) if _is_vibrations(a.result))
        stored, kg = executor.kg.pull(GraphModel, analysis.recorded), executor.kg
        asked: dict[str, Any] = {
            "symmetry_number": self.symmetry_number,
            "treatment": self.treatment,
            "spin_orbit": self.spin_orbit,
        }
        at = self.temperature, self.pressure
        if isinstance(stored, ImportedVibrations):
            printed = kg.find(ImportedThermochemistry, frequencies=stored)
            asked["printed"] = printed[0] if printed else None
            call: Call[Any] = imported_thermochemistry.bind(stored, *at, **asked)
        else:
            assert isinstance(stored, vibrations.VibrationalAnalysis)
            call = thermochemistry.bind(stored, *at, **asked)
        answer = await executor.run(call)
        situation = self.effect(state.situation)
        return Done(replace(state, situation=situation, heat=answer), answer)


class Displace(Node[DFTState]):
    """Push a saddle point along its softest imaginary mode."""

    then: ClassVar[Optimise]
    only_calculates = True

    @property
    def said(self) -> str:
        return "imaginary mode: displaced along it, optimising again"

    def precondition(self, situation: Situation) -> str | None:
        if situation.geometry != "saddle point":
            return "there is no imaginary mode to follow"
        if situation.repairs >= REPAIRS:
            return f"there is still an imaginary mode after {REPAIRS} displacements"
        return None

    def effect(self, situation: Situation) -> Situation:
        return situation.elsewhere("as given", energy=False, repairs=1)

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        analysis = next(a for a in reversed(state.answers) if _is_vibrations(a.result))
        source = analysis.result
        assert isinstance(source, vibrations.VibrationalAnalysis)
        amplitude = PUSH * (state.situation.repairs + 1)
        mode = source.modes[0]  # the softest: sorted by wavenumber, imaginary ones negative
        longest = float(np.linalg.norm(mode, axis=1).max())
        atoms = state.atoms.moved_to(state.atoms.positions + mode * (amplitude / longest))
        made = Displacement(
            wavenumber=float(source.wavenumbers[0]),
            amplitude=amplitude,
            atoms=atoms,
            source=Link[vibrations.VibrationalAnalysis](analysis.recorded),
        )
        executor.record(made, durable=False)
        return Done(replace(state, atoms=atoms, situation=self.effect(state.situation)))


class Beside(Node[DFTState]):
    """Compute a property of the geometry, see `workflows.registry.properties`."""

    only_calculates = True
    of: ClassVar[Property]

    def precondition(self, situation: Situation) -> str | None:
        of = self.of
        if of.name in situation.lacking:
            return f"there {of.verb} no {of.called} at this level"
        if of.name in situation.known:
            return of.known or f"the {of.called} at this geometry {of.verb} known"
        return None

    def effect(self, situation: Situation) -> Situation:
        known = tuple(sorted({*situation.known, self.of.name}))
        return replace(situation, known=known, energy=True)

    def cost(self, situation: Situation) -> float:
        return self.of.cost

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        answer = await executor.run(self._call(state))
        return state.after(answer, self.effect(state.situation))

    def _call(self, state: DFTState) -> Call[Any]:
        asked = self.of.arguments(self)
        return offered(state.level).property_of(self.of, state.atoms, state.level, asked)


class Compute(Beside):
    """Compute a property that changes nothing else."""

    then: ClassVar[Optimise | RelaxCrystal | Frequencies | Further | End[Finish]]


class CheckStability(Beside):
    """See whether the wavefunction is stable; if it is not, go on from one that is."""

    then: ClassVar[SinglePoint | Optimise | RelaxCrystal | Frequencies | Further | End[Finish]]

    def precondition(self, situation: Situation) -> str | None:
        if reason := super().precondition(situation):
            return reason
        if situation.descents > DESCENTS:
            return f"it is still unstable after {DESCENTS} descents"
        return None

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        program = offered(state.level)
        answer = await executor.run(self._call(state))
        result = answer.result
        if result.internal and result.external is not False:
            return state.after(answer, self.effect(state.situation))
        # what was found at the unstable solution does not hold for the one below it
        descents = state.situation.descents + 1
        lacking = state.situation.lacking
        after = state.after(answer, Situation(descents=descents, lacking=lacking))
        return Done(replace(after.state, level=program.below(state.level, result)), answer)


def _step(of: Property) -> type[Beside]:
    """Return the step of a property."""
    base = CheckStability if of.node == CheckStability.__name__ else Compute
    does = of.does or f"Compute the {of.called} at the geometry."
    made = create_model(
        of.node, __base__=base, __module__=__name__, __doc__=does, **step_fields(of)
    )
    made.of = of
    return made


BESIDES = tuple(_step(one) for one in PROPERTIES)
"""The steps of what can be asked besides a task."""

if TYPE_CHECKING:
    Further: TypeAlias = Beside
else:
    Further = functools.reduce(operator.or_, BESIDES)


def _is_vibrations(result: object) -> bool:
    return isinstance(result, vibrations.VibrationalAnalysis | ImportedVibrations)
