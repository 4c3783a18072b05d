"""The commands of the device: what each needs and does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

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

WITHOUT = {
    "session": "no session is live; allocate one first",
    "lid_closed": "the lid is open; close it first",
    "lid_open": "the lid is closed; open it first",
    "vial": "there is no vial inside; load one first",
}
"""What is said where a command needs something of a situation that is not so."""

NEW = {"heated": None, "measured": False}
"""How a vial is that has just been put in, or is just being heated."""


class Command(DeviceCommand[Bench]):
    """A command: possible when the device is not heating and nothing else stands in its way.

    Attributes:
        needs: of a situation, in this order.
        makes: what it changes of a situation.
        already: what is said where that is so; empty where that is no obstacle.
    """

    keeps_rules = True
    needs: ClassVar[tuple[str, ...]] = ("session",)
    makes: ClassVar[Mapping[str, Any]] = {}
    already: ClassVar[str] = ""

    def obstacle(self, situation: Situation) -> str | None:
        for need in self.needs:
            if getattr(situation, need) in (None, False):
                return WITHOUT[need]
        so = all(getattr(situation, name) == value for name, value in self.makes.items())
        return self.already if so and self.already else self.reason(situation)

    def reason(self, situation: Situation) -> str | None:
        """Return what else stands in the way; None if nothing does."""
        return None

    def change(self, situation: Situation) -> Situation:
        return replace(situation, **self.makes)

    def carry_out(self, bench: Bench, given: SynthesizerCommand) -> Bench:
        after = self.change(bench.situation)
        state = bench.device.next_state(bench, after, given)
        return bench.with_state(state, after.measured)

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
    needs = ()
    makes: ClassVar[Mapping[str, Any]] = {"session": True}
    already = "a session is live; go on with it"


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
    makes: ClassVar[Mapping[str, Any]] = {"lid_open": True}
    already = "the lid is open; it is so already"


class CloseLid(Command):
    """Close the lid."""

    then: ClassVar[
        OpenLid | UpdateHeatingParameters | HeatVial | GetPercentConversion | End[Finish]
    ]
    cannot = "the lid cannot be closed"
    makes: ClassVar[Mapping[str, Any]] = {"lid_open": False}
    already = "the lid is closed; it is so already"


class LoadVial(Command):
    """Put a vial in."""

    then: ClassVar[CloseLid | UnloadVial | UpdateHeatingParameters | End[Finish]]

    vial: Vial
    cannot = "a vial cannot be loaded"
    needs = ("session", "lid_open")

    def reason(self, situation: Situation) -> str | None:
        inside = situation.vial
        return None if inside is None else f"vial {inside} is inside; unload it first"

    def change(self, situation: Situation) -> Situation:
        return replace(situation, vial=self.vial, **NEW)

    @property
    def names_vial(self) -> int:
        return self.vial


class UnloadVial(Command):
    """Take the vial out."""

    then: ClassVar[CloseLid | LoadVial | UpdateHeatingParameters | End[Finish]]
    cannot = "the vial cannot be unloaded"
    needs = ("session", "lid_open")
    makes: ClassVar[Mapping[str, Any]] = {"vial": None, **NEW}

    def reason(self, situation: Situation) -> str | None:
        return "there is no vial inside; it is so already" if situation.vial is None else None


class UpdateHeatingParameters(Command):
    """Set temperature (°C), duration (min) and pressure (atm); what is None stays as it is."""

    then: ClassVar[
        OpenLid | CloseLid | LoadVial | UnloadVial | HeatVial | GetPercentConversion | End[Finish]
    ]

    temperature: Temperature | None = None
    duration: Duration | None = None
    pressure: Pressure | None = None
    cannot = "the heating parameters cannot be set"

    def reason(self, situation: Situation) -> str | None:
        none = "none is given; give a temperature, a duration or a pressure"
        return None if any(self.sets) else none

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
    needs = ("session", "lid_closed", "vial")

    def reason(self, situation: Situation) -> str | None:
        unset = situation.parameters.unset
        return f"not set: {', '.join(unset)}; set them first" if unset else None

    def change(self, situation: Situation) -> Situation:
        return replace(situation, heating=True, remaining=situation.duration or 0.0, **NEW)

    def effect(self, situation: Situation) -> Situation:
        begun = super().effect(situation)
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
    needs = ()
    makes: ClassVar[Mapping[str, Any]] = {"measured": True}

    def reason(self, situation: Situation) -> str | None:
        if situation.heated:
            return None
        if situation.vial is None:
            return WITHOUT["vial"]
        return f"vial {situation.vial} has not been heated; heat it first"

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
