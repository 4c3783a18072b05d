"""A virtual microwave synthesizer: a device whose commands have preconditions.

The device is simulated: a command changes the state and nothing else. It shows that the engine
plans for a laboratory as it does for a calculation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from workflows.engine import Done, Executor, Finish, Goal, Graph, Node, run_graph
from workflows.engine.router import Router
from workflows.engine.run import Journey

Vial: TypeAlias = Annotated[int, Field(ge=1, le=10)]
Temperature: TypeAlias = Annotated[float, Field(ge=25, le=100)]
Duration: TypeAlias = Annotated[float, Field(ge=1, le=120)]
Pressure: TypeAlias = Annotated[float, Field(ge=1, le=10)]


class MicrowaveRequest(BaseModel):
    """What is asked of the device.

    Attributes:
        vial: place of the vial in the rack, 1 to 10.
        temperature: in °C, 25 to 100.
        duration: in minutes, 1 to 120.
        pressure: in atm, 1 to 10.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    vial: Vial
    temperature: Temperature
    duration: Duration
    pressure: Pressure

    def goal(self) -> Goal:
        """Return what is to be reached: this vial heated with these parameters."""
        wanted = (self.vial, self.temperature, self.duration, self.pressure)
        return Goal(
            f"vial {self.vial} heated at {self.temperature:g} °C for {self.duration:g} min "
            f"at {self.pressure:g} atm",
            lambda at: at.heated and (at.vial, at.temperature, at.duration, at.pressure) == wanted,
        )


@dataclass(frozen=True)
class Synthesizer:
    """The state of the device; a planner sees all of it.

    Attributes:
        lid_open: whether the lid is open.
        vial: the vial inside, None if there is none.
        temperature: in °C, None while unset.
        duration: in minutes, None while unset.
        pressure: in atm, None while unset.
        heated: whether the vial inside has been heated with these parameters.
    """

    lid_open: bool = False
    vial: int | None = None
    temperature: float | None = None
    duration: float | None = None
    pressure: float | None = None
    heated: bool = False

    @property
    def situation(self) -> Synthesizer:
        """The state itself."""
        return self

    @property
    def recorded(self) -> Sequence[str]:
        """Commands leave no results."""
        return ()

    @property
    def product(self) -> GraphModel | None:
        """Nothing of it is an object of the graph."""
        return None


class Command(Node[Synthesizer]):
    """A command: its work is its effect."""

    async def work(self, state: Synthesizer, executor: Executor) -> Done[Synthesizer]:
        return Done(self.effect(state))


class OpenLid(Command):
    """Open the lid."""

    def precondition(self, situation: Synthesizer) -> str | None:
        return "the lid is open" if situation.lid_open else None

    def effect(self, situation: Synthesizer) -> Synthesizer:
        return replace(situation, lid_open=True)

    async def run(
        self, ctx: GraphRunContext[Journey[Synthesizer], None]
    ) -> CloseLid | LoadVial | UpdateHeatingParameters | End[Finish]:
        return await self.proceed(ctx)


class CloseLid(Command):
    """Close the lid."""

    def precondition(self, situation: Synthesizer) -> str | None:
        return None if situation.lid_open else "the lid is closed"

    def effect(self, situation: Synthesizer) -> Synthesizer:
        return replace(situation, lid_open=False)

    async def run(
        self, ctx: GraphRunContext[Journey[Synthesizer], None]
    ) -> OpenLid | UpdateHeatingParameters | HeatVial | End[Finish]:
        return await self.proceed(ctx)


class LoadVial(Command):
    """Put a vial in."""

    vial: Vial

    def precondition(self, situation: Synthesizer) -> str | None:
        if not situation.lid_open:
            return "the lid is closed"
        if situation.vial is not None:
            return f"vial {situation.vial} is inside"
        return None

    def effect(self, situation: Synthesizer) -> Synthesizer:
        return replace(situation, vial=self.vial, heated=False)

    async def run(
        self, ctx: GraphRunContext[Journey[Synthesizer], None]
    ) -> CloseLid | UpdateHeatingParameters | End[Finish]:
        return await self.proceed(ctx)


class UpdateHeatingParameters(Command):
    """Set temperature, duration and pressure."""

    temperature: Temperature
    duration: Duration
    pressure: Pressure

    def effect(self, situation: Synthesizer) -> Synthesizer:
        return replace(
            situation, temperature=self.temperature, duration=self.duration,
            pressure=self.pressure, heated=False,
        )  # fmt: skip

    async def run(
        self, ctx: GraphRunContext[Journey[Synthesizer], None]
    ) -> OpenLid | CloseLid | LoadVial | HeatVial | End[Finish]:
        return await self.proceed(ctx)


class HeatVial(Command):
    """Heat the vial with the parameters that are set."""

    def precondition(self, situation: Synthesizer) -> str | None:
        if situation.lid_open:
            return "the lid is open"
        if situation.vial is None:
            return "there is no vial inside"
        if None in (situation.temperature, situation.duration, situation.pressure):
            return "temperature, duration and pressure are not all set"
        return None

    def effect(self, situation: Synthesizer) -> Synthesizer:
        return replace(situation, heated=True)

    async def run(
        self, ctx: GraphRunContext[Journey[Synthesizer], None]
    ) -> OpenLid | UpdateHeatingParameters | End[Finish]:
        return await self.proceed(ctx)


MICROWAVE: Graph[Synthesizer] = Graph(
    "microwave", OpenLid, CloseLid, LoadVial, UpdateHeatingParameters, HeatVial
)


async def run_microwave(
    state: Synthesizer,
    request: MicrowaveRequest,
    executor: Executor,
    *,
    router: Router | None = None,
) -> Finish:
    """Bring the device from a state to the goal of a request."""
    goal = request.goal()
    return await run_graph(
        MICROWAVE, state, request, goal, executor, subject=f"vial {request.vial}", router=router
    )
