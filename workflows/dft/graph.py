"""The graph of density functional (and Hartree–Fock) calculations on one molecule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic_graph import End, GraphRunContext

from ogm import GraphModel, Link
from ogm.codec import double
from ontologies import quantum, vibrations
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import ElectronicResult
from ontologies.vibrations import Displacement
from workflows.engine import Answer, Done, Executor, Finish, Goal, Graph, Node, run_graph
from workflows.engine.calculation import NEAR
from workflows.engine.router import Router
from workflows.engine.run import Journey

from .energy import single_point
from .relaxation import optimise
from .thermo import thermochemistry
from .vibration import frequencies

Task: TypeAlias = Literal["energy", "optimise", "frequencies"]
Geometry: TypeAlias = Literal["as given", "stationary", "minimum", "saddle point", "not stationary"]

Temperature: TypeAlias = Annotated[float, Field(ge=1, le=1e5, allow_inf_nan=False)]
Pressure: TypeAlias = Annotated[float, Field(ge=1e-6, le=1e12, allow_inf_nan=False)]

REPAIRS = 3
"""How often a geometry is pushed off a saddle point before the run gives up."""

PUSH = 0.15
"""Å. The largest displacement of an atom in the first push; later ones are twice, three times."""


class DFTRequest(BaseModel):
    """What is asked of a molecule.

    Attributes:
        task: `energy` at the geometry as it is; `optimise` to a stationary point, not verified;
            `frequencies` of a minimum, and its thermochemistry.
        max_steps: of an optimisation.
        temperature: for thermochemistry, in K.
        pressure: for thermochemistry, in Pa.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: Task = "energy"
    max_steps: Annotated[int, Field(ge=1, le=10_000)] = 100
    temperature: Temperature = 298.15
    pressure: Pressure = 101325.0

    def goal(self) -> Goal:
        """Return what is to be reached."""
        match self.task:
            case "energy":
                return Goal("an energy at this geometry", lambda at: at.energy)
            case "optimise":
                return Goal("a stationary geometry", lambda at: at.geometry in STANDING)
            case "frequencies":
                return Goal("the frequencies of a minimum", lambda at: at.thermochemistry)


STANDING: tuple[Geometry, ...] = ("stationary", "minimum")


@dataclass(frozen=True)
class Situation:
    """What the planner knows: the label of the geometry, what has been computed at it."""

    geometry: Geometry = "as given"
    energy: bool = False
    thermochemistry: bool = False
    repairs: int = 0


@dataclass(frozen=True)
class DFTState:
    """Where a run stands."""

    atoms: ConceptualAtoms
    level: LevelOfTheory
    situation: Situation = Situation()
    answers: tuple[Answer[ElectronicResult], ...] = ()
    heat: Answer[vibrations.Thermochemistry] | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of the results so far."""
        last = [self.heat.recorded] if self.heat else []
        return [*(answer.recorded for answer in self.answers), *last]

    @property
    def product(self) -> ConceptualAtoms:
        """The last geometry."""
        return self.atoms

    def after(self, answer: Answer[Any], situation: Situation) -> Done[DFTState]:
        """Return the state after a calculation, at the geometry of its result."""
        atoms = answer.result.atoms
        answers = (*self.answers, answer)
        return Done(replace(self, atoms=atoms, situation=situation, answers=answers), answer)


class SinglePoint(Node[DFTState]):
    """Compute energy and properties at the geometry as it is."""

    def precondition(self, situation: Situation) -> str | None:
        return "the energy at this geometry is known" if situation.energy else None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, energy=True)

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        answer = await executor.run(single_point.bind(state.atoms, state.level))
        return state.after(answer, self.effect(state.situation))

    async def run(
        self, ctx: GraphRunContext[Journey[DFTState], None]
    ) -> Optimise | Frequencies | End[Finish]:
        return await self.proceed(ctx)


class Optimise(Node[DFTState]):
    """Relax the geometry to the nearest stationary point."""

    max_steps: Annotated[int, Field(ge=1)] = 100

    def precondition(self, situation: Situation) -> str | None:
        if situation.geometry in ("stationary", "minimum"):
            return "the geometry is stationary already"
        if situation.geometry == "saddle point":
            return "the geometry is a saddle point, which an optimisation does not leave"
        if situation.geometry == "not stationary" and situation.repairs >= REPAIRS:
            return f"the gradient is still too large after {REPAIRS} optimisations"
        return None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, geometry="stationary", energy=True)

    def cost(self, situation: Situation) -> float:
        return 20.0

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        call = optimise.bind(state.atoms, state.level, self.max_steps)
        return state.after(await executor.run(call), self.effect(state.situation))

    async def run(self, ctx: GraphRunContext[Journey[DFTState], None]) -> Frequencies | End[Finish]:
        return await self.proceed(ctx)


class Frequencies(Node[DFTState]):
    """Compute the vibrations of a stationary geometry and tell minimum from saddle point."""

    def precondition(self, situation: Situation) -> str | None:
        if situation.geometry in ("as given", "not stationary"):
            return "the geometry is not known to be stationary"
        if situation.geometry in ("minimum", "saddle point"):
            return "the frequencies at this geometry are known"
        return None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, geometry="minimum", energy=True)

    def cost(self, situation: Situation) -> float:
        return 50.0

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        answer = await executor.run(frequencies.bind(state.atoms, state.level))
        label = answer.result.stationarity
        repairs = state.situation.repairs + (label == "not stationary")
        return state.after(answer, Situation(label, energy=True, repairs=repairs))

    async def run(
        self, ctx: GraphRunContext[Journey[DFTState], None]
    ) -> Thermochemistry | Displace | Optimise | End[Finish]:
        return await self.proceed(ctx)


class Thermochemistry(Node[DFTState]):
    """Compute enthalpy, entropy and Gibbs energy of a minimum from its vibrations."""

    temperature: Temperature = 298.15
    pressure: Pressure = 101325.0

    def precondition(self, situation: Situation) -> str | None:
        if situation.geometry != "minimum":
            return "the geometry is not known to be a minimum"
        return "the thermochemistry is known" if situation.thermochemistry else None

    def effect(self, situation: Situation) -> Situation:
        return replace(situation, thermochemistry=True)

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        # as it is stored: where the molecule lies does not matter, and what is stored has an IRI
        stored = executor.kg.pull(vibrations.FrequencyAnalysis, state.answers[-1].recorded)
        answer = await executor.run(thermochemistry.bind(stored, self.temperature, self.pressure))
        situation = self.effect(state.situation)
        return Done(replace(state, situation=situation, heat=answer), answer)

    async def run(self, ctx: GraphRunContext[Journey[DFTState], None]) -> End[Finish]:
        return await self.proceed(ctx)


class Displace(Node[DFTState]):
    """Push a saddle point along its softest imaginary mode."""

    def precondition(self, situation: Situation) -> str | None:
        if situation.geometry != "saddle point":
            return "there is no imaginary mode to follow"
        if situation.repairs >= REPAIRS:
            return f"there is still an imaginary mode after {REPAIRS} displacements"
        return None

    def effect(self, situation: Situation) -> Situation:
        return Situation(repairs=situation.repairs + 1)

    async def work(self, state: DFTState, executor: Executor) -> Done[DFTState]:
        found = state.answers[-1]
        source = found.result
        assert isinstance(source, vibrations.FrequencyAnalysis)
        amplitude = PUSH * (state.situation.repairs + 1)
        mode = source.modes[0]  # the softest: sorted by wavenumber, imaginary ones negative
        longest = float(np.linalg.norm(mode, axis=1).max())
        atoms = state.atoms.moved_to(state.atoms.positions + mode * (amplitude / longest))
        made = Displacement(
            wavenumber=float(source.wavenumbers[0]), amplitude=amplitude, atoms=atoms,
            source=Link[vibrations.FrequencyAnalysis](found.recorded),
        )  # fmt: skip
        executor.record(made, durable=False)
        return Done(replace(state, atoms=atoms, situation=self.effect(state.situation)))

    async def run(self, ctx: GraphRunContext[Journey[DFTState], None]) -> Optimise:
        return await self.proceed(ctx)


DFT: Graph[DFTState] = Graph("dft", SinglePoint, Optimise, Frequencies, Thermochemistry, Displace)


def start(atoms: ConceptualAtoms, level: LevelOfTheory, executor: Executor) -> DFTState:
    """Return the first state: what memory knows of the geometry at this level counts.

    A geometry is known to be stationary if an optimisation ended there, or at a copy of it that
    was moved or renumbered. Only optimisations that ended at the same extent are loaded.
    """
    if executor.recompute:
        return DFTState(atoms, level)
    alike = {
        "formula": atoms.formula, "charge": atoms.charge, "multiplicity": atoms.multiplicity
    }  # fmt: skip
    extent = quantum.Optimisation.vocabulary().term("extent")
    near = f"!BOUND(?extent) || ABS(?extent - {double(atoms.extent)}) < {NEAR}"  # older ones: none
    found = executor.kg.find(
        quantum.Optimisation, f"OPTIONAL {{ ?this <{extent}> ?extent }} FILTER({near})",
        atoms=alike, level=level,
    )  # fmt: skip
    motions = [(known, atoms.motion_from(known.atoms)) for known in reversed(found)]
    copies = [(known, motion) for known, motion in motions if motion is not None]
    for known, motion in sorted(copies, key=lambda pair: pair[1].deviation):
        answer = executor.remembered(known, optimise, motion)
        if answer:
            return DFTState(atoms, level, Situation("stationary"), (answer,))
    return DFTState(atoms, level)


async def run_dft(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    request: DFTRequest,
    executor: Executor,
    *,
    subject: str = "",
    about: Sequence[GraphModel] = (),
    router: Router | None = None,
) -> Finish:
    """Run the graph for one molecule at one level of theory.

    Raises:
        GraficoError: a calculation failed; the run is recorded as failed.
    """
    return await run_graph(
        DFT,
        start(atoms, level, executor),
        request,
        request.goal(),
        executor,
        subject=subject or atoms.formula,
        about=(atoms, level, *about),
        router=router,
    )
