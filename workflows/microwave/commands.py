"""The commands of the device: what each needs and does."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field
from pydantic_graph import End

from ogm import Link
from ontologies.laboratory import PercentConversion, SynthesizerCommand, SynthesizerState
from workflows.engine import Finish
from workflows.engine.devices.command import Command as DeviceCommand

from .device import Bench, Microwave
from .kinetics import MODEL, percent_conversion
from .situation import Parameters, Situation

Vial: TypeAlias = Annotated[int, Field(ge=1, le=10)]
Temperature: TypeAlias = Annotated[float, Field(ge=25, le=100)]
Duration: TypeAlias = Annotated[float, Field(ge=1, le=120)]
Pressure: TypeAlias = Annotated[float, Field(ge=1, le=10)]


NO_SESSION = "no session is live; allocate one first"
LID_OPEN = "the lid is open; close it first"
LID_CLOSED = "the lid is closed; open it first"
NO_VIAL = "there is no vial inside; load one first"


class Command(DeviceCommand[Bench]):
    """A command: possible when the device is not heating and nothing else stands in its way."""

    def carry_out(self, bench: Bench, given: SynthesizerCommand) -> Bench:
        """Do the command and record it.

        Raises:
            ConflictError: somebody else has just changed the state.
        """
        after: Situation = self.change(bench.situation)
        state = bench.device.next_state(bench, after, given)
        return bench.with_state(state, after.measured)

    async def send(self, device: Microwave, since: Bench | None) -> Bench:
        return device.perform(self, since)

    @property
    def names_vial(self) -> int | None:
        """The vial that the command names."""
        return None

    @property
    def sets(self) -> Parameters | None:
        """What the command sets for the next heating."""
        return None


class AllocateSession(Command):
    """Begin a session."""

    then: ClassVar[
        OpenLid
        | CloseLid
        | LoadVial
        | UnloadVial
        | UpdateHeatingParameters
        | HeatVial
        | GetPercentConversion
        | End[Finish]
    ]
    cannot = "a session cannot be allocated"

    def obstacle(self, situation: Situation) -> str | None:
        return "a session is live; go on with it" if situation.session else None

    def change(self, situation: Situation) -> Situation:
        return replace(situation, session=True)


class OpenLid(Command):
    """Open the lid."""

    then: ClassVar[
        CloseLid
        | LoadVial
        | UnloadVial
        | UpdateHeatingParameters
        | GetPercentConversion
        | End[Finish]
    ]
    cannot = "the lid cannot be opened"

    def obstacle(self, situation: Situation) -> str | None:
        if not situation.session:
            return NO_SESSION
        return "the lid is open; it is so already" if situation.lid_open else None

    def change(self, situation: Situation) -> Situation:
        return replace(situation, lid_open=True)


class CloseLid(Command):
    """Close the lid."""

    then: ClassVar[
        OpenLid | UpdateHeatingParameters | HeatVial | GetPercentConversion | End[Finish]
    ]
    cannot = "the lid cannot be closed"

    def obstacle(self, situation: Situation) -> str | None:
        if not situation.session:
            return NO_SESSION
        return None if situation.lid_open else "the lid is closed; it is so already"

    def change(self, situation: Situation) -> Situation:
        return replace(situation, lid_open=False)


class LoadVial(Command):
    """Put a vial in."""

    then: ClassVar[CloseLid | UnloadVial | UpdateHeatingParameters | End[Finish]]

    vial: Vial
    cannot = "a vial cannot be loaded"

    def obstacle(self, situation: Situation) -> str | None:
        if not situation.session:
            return NO_SESSION
        if not situation.lid_open:
            return LID_CLOSED
        if situation.vial is not None:
            return f"vial {situation.vial} is inside; unload it first"
        return None

    def change(self, situation: Situation) -> Situation:
        return replace(situation, vial=self.vial, heated=None, measured=False)

    @property
    def names_vial(self) -> int:
        return self.vial


class UnloadVial(Command):
    """Take the vial out."""

    then: ClassVar[CloseLid | LoadVial | UpdateHeatingParameters | End[Finish]]
    cannot = "the vial cannot be unloaded"

    def obstacle(self, situation: Situation) -> str | None:
        if not situation.session:
            return NO_SESSION
        if not situation.lid_open:
            return LID_CLOSED
        return None if situation.vial is not None else "there is no vial inside; it is so already"

    def change(self, situation: Situation) -> Situation:
        return replace(situation, vial=None, heated=None, measured=False)


class UpdateHeatingParameters(Command):
    """Set temperature (°C), duration (min) and pressure (atm); what is None stays as it is."""

    then: ClassVar[
        OpenLid | CloseLid | LoadVial | UnloadVial | HeatVial | GetPercentConversion | End[Finish]
    ]

    temperature: Temperature | None = None
    duration: Duration | None = None
    pressure: Pressure | None = None
    cannot = "the heating parameters cannot be set"

    def obstacle(self, situation: Situation) -> str | None:
        if not situation.session:
            return NO_SESSION
        if not any(self.sets):
            return "none is given; give a temperature, a duration or a pressure"
        return None

    def change(self, situation: Situation) -> Situation:
        given = {name: value for name, value in self.sets._asdict().items() if value is not None}
        return replace(situation, **given)

    @property
    def sets(self) -> Parameters:
        return Parameters(self.temperature, self.duration, self.pressure)


class HeatVial(Command):
    """Heat the vial with the parameters that are set. Never done unless it was asked for.

    Attributes:
        heat: that it was asked for.
        wait: until the heating is over; else the command has done its work when it has begun.
    """

    then: ClassVar[OpenLid | UpdateHeatingParameters | GetPercentConversion | End[Finish]]

    heat: Literal[True]
    wait: bool = True
    cannot = "the vial cannot be heated"

    def obstacle(self, situation: Situation) -> str | None:
        if not situation.session:
            return NO_SESSION
        if situation.lid_open:
            return LID_OPEN
        if situation.vial is None:
            return NO_VIAL
        if unset := situation.parameters.unset:
            return f"not set: {', '.join(unset)}; set them first"
        return None

    def change(self, situation: Situation) -> Situation:
        return replace(
            situation,
            heating=True,
            remaining=situation.duration or 0.0,
            heated=None,
            measured=False,
        )

    def effect(self, situation: Situation) -> Situation:
        begun = self.change(situation)
        return begun.after_heating if self.wait else begun

    async def send(self, device: Microwave, since: Bench | None) -> Bench:
        bench = device.perform(self, since)
        return await device.heating_over(bench) if self.wait else bench


class GetPercentConversion(Command):
    """Read how much of what is in the vial has reacted; the device stays as it is."""

    then: ClassVar[
        OpenLid | CloseLid | UnloadVial | UpdateHeatingParameters | HeatVial | End[Finish]
    ]
    cannot = "the conversion cannot be read"

    def obstacle(self, situation: Situation) -> str | None:
        if situation.heated:
            return None
        if situation.vial is None:
            return NO_VIAL
        return f"vial {situation.vial} has not been heated; heat it first"

    def change(self, situation: Situation) -> Situation:
        return replace(situation, measured=True)

    def carry_out(self, bench: Bench, given: SynthesizerCommand) -> Bench:
        state = bench.stored
        assert state is not None  # a heated vial has a state
        reading = PercentConversion(
            state=Link[SynthesizerState](state),
            conversion=percent_conversion(state.heatings),
            simulated=True,
            method=MODEL,
        )
        bench.device.executor.record(given, reading)
        return bench.with_reading(reading)
