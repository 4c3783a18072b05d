"""The laboratory: devices, what they are told, and the states that this leaves them in."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AwareDatetime

from ogm import PREFIXES, GraphModel, Link, Term, Unit

PROV = PREFIXES["prov"]

Celsius: TypeAlias = Annotated[float, Unit("DEG_C")]
Minutes: TypeAlias = Annotated[float, Unit("MIN")]
StandardAtmosphere: TypeAlias = Annotated[float, Unit("ATM")]
Percent: TypeAlias = Annotated[float, Unit("PERCENT")]


class Synthesizer(GraphModel, key=("name",)):
    """A microwave synthesizer.

    Attributes:
        name: what it is called.
    """

    name: str


class HeatingParameters(GraphModel):
    """How a vial is heated, as far as it is set.

    Attributes:
        heating_temperature: of the vial.
        heating_duration: by the device's clock.
        heating_pressure: in the vial.
    """

    heating_temperature: Celsius | None = None
    heating_duration: Minutes | None = None
    heating_pressure: StandardAtmosphere | None = None


class SynthesizerCommand(GraphModel, identity="event"):
    """A command to a synthesizer, done or refused.

    Attributes:
        synthesizer: the device.
        name: the command.
        step: of the state before.
        given: when.
        vial: that it names.
        parameters: that it sets.
        refusal: why it changed nothing; empty if it was done.
    """

    synthesizer: Synthesizer
    name: str
    step: int
    given: AwareDatetime
    vial: int | None = None
    parameters: HeatingParameters | None = None
    refusal: str


class SynthesizerState(GraphModel, key=("synthesizer", "step")):
    """A synthesizer after a command or a heating.

    Attributes:
        synthesizer: the device.
        step: number of the state, from 1.
        previous: the state before.
        command: what led here; none at the end of a heating.
        since: when it began.
        session: its identifier.
        lid_open: whether the lid is open.
        vial: that is inside.
        parameters: for the next heating.
        heating: whether it heats, with these parameters, from `since` on.
        heated: whether the vial inside has been heated.
        heatings: of the vial inside.
        speed: of the device's clock; 60: a minute each second.
    """

    synthesizer: Synthesizer
    step: int
    previous: Annotated[Link[SynthesizerState] | None, Term(PROV + "wasDerivedFrom")] = None
    command: Link[SynthesizerCommand] | None = None
    since: AwareDatetime
    session: str | None = None
    lid_open: bool
    vial: int | None = None
    parameters: HeatingParameters
    heating: bool
    heated: bool
    heatings: tuple[HeatingParameters, ...] = ()
    speed: Annotated[float, Unit("UNITLESS")]


class PercentConversion(GraphModel, identity="event"):
    """How much of what was in a vial has reacted.

    Attributes:
        state: in which it was read.
        conversion: of the starting material.
        simulated: not measured.
        method: model or instrument.
    """

    state: Link[SynthesizerState]
    conversion: Percent
    simulated: bool
    method: str


class DeviceFile(GraphModel, key=("text",)):
    """A device, as a file describes it.

    Attributes:
        name: of the device.
        text: all that the file says, as JSON.
    """

    name: str
    text: str
