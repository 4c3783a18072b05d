"""What is asked of the device, and the graph that reaches it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from ogm import Unit
from ontologies.atoms import readable
from triplestore.errors import InputError
from workflows.engine import Finish, Goal, Graph, Plans, Router, plan, run_graph

from .commands import (
    AllocateSession,
    CloseLid,
    Command,
    Duration,
    GetPercentConversion,
    HeatVial,
    LoadVial,
    OpenLid,
    Pressure,
    Temperature,
    UnloadVial,
    UpdateHeatingParameters,
    Vial,
)
from .device import Bench, Microwave, RefusedError, refused
from .situation import Parameters, Situation

MICROWAVE: Graph[Bench] = Graph(
    "microwave", AllocateSession, OpenLid, CloseLid, LoadVial, UnloadVial,
    UpdateHeatingParameters, HeatVial, GetPercentConversion,
)  # fmt: skip


class MicrowaveRequest(BaseModel):
    """How the device is to stand; what is None may be as it is.

    Attributes:
        session: that a session is live.
        lid: open or closed, at the end.
        vial: the vial inside, 1 to 10.
        unload: that no vial is inside.
        temperature: set for heating, in °C, 25 to 100.
        duration: likewise, in minutes, 1 to 120.
        pressure: likewise, in atm, 1 to 10.
        heat: that the vial has been heated with these parameters, or else with those set.
        conversion: that the conversion is read.
        wait: for the end of the heating.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: Literal[True] | None = None
    lid: Literal["open", "closed"] | None = None
    vial: Vial | None = None
    unload: Literal[True] | None = None
    temperature: Annotated[Temperature | None, Unit("DEG_C")] = None
    duration: Annotated[Duration | None, Unit("MIN")] = None
    pressure: Annotated[Pressure | None, Unit("ATM")] = None
    heat: Literal[True] | None = None
    conversion: Literal[True] | None = None
    wait: bool = True

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.unload and (self.vial or self.heat or self.conversion):
            raise ValueError("unload leaves no vial to load, to heat or to read")
        if self.heat and self.conversion and not self.wait:
            raise ValueError("the conversion cannot be read without waiting for the heating")
        if not self.wishes:
            raise ValueError("nothing is asked for")
        return self

    @property
    def wishes(self) -> list[str]:
        """What is asked for, in words."""
        set_now = Parameters(self.temperature, self.duration, self.pressure)
        how = str(set_now) if any(set_now) else "the parameters that are set"
        wishes = (
            (self.session, "session live"),
            (self.vial, f"vial {self.vial} inside"),
            (self.unload, "no vial inside"),
            (any(set_now) and not self.heat, f"{set_now} set"),
            (self.heat, f"{'heated' if self.wait else 'heating begun'} with {how}"),
            (self.conversion, "conversion read"),
            (self.lid, f"lid {self.lid}"),
        )
        return [text for asked, text in wishes if asked]

    def wanted(self, situation: Situation) -> Parameters:
        """Return what is to be set: what is asked for, else what is set."""
        asked = (self.temperature, self.duration, self.pressure)
        pairs = zip(asked, situation.parameters, strict=True)
        return Parameters(*(now if new is None else new for new, now in pairs))

    def reached(self, situation: Situation) -> bool:
        """Tell whether the device stands as asked."""
        at, wanted = situation, self.wanted(situation)
        begun = at.heating and not self.wait
        return (
            at.parameters == wanted
            and (not self.session or at.session)
            and (self.lid is None or at.lid_open == (self.lid == "open"))
            and (self.vial is None or at.vial == self.vial)
            and (not self.unload or at.vial is None)
            and (not self.heat or at.heated == wanted or begun)
            and (not self.conversion or at.measured)
        )

    def goal(self) -> Goal:
        """Return what is to be reached."""
        return Goal(", ".join(self.wishes), self.reached)

    def is_under_way(self, situation: Situation) -> bool:
        """Tell whether the heating that goes on is the one that is asked for."""
        return (
            bool(self.heat and situation.heating)
            and self.vial in (None, situation.vial)
            and self.wanted(situation) == situation.parameters
        )

    def lacking(self, situation: Situation) -> RefusedError:
        """Return why no sequence of commands leads from a situation to what is asked."""
        command: Command = GetPercentConversion()
        if self.heat:  # the lid and the session can be seen to, these two cannot
            command, vial = HeatVial(heat=True), self.vial or situation.vial
            wanted = self.wanted(situation)._asdict()
            situation = replace(situation, session=True, lid_open=False, vial=vial, **wanted)
        reason = command.precondition(situation) or "no sequence of commands leads there"
        return refused(command, reason)

    def plans(self, situation: Situation) -> Plans:
        """Return all shortest plans from a situation; from its end, if it is heating as asked."""
        if self.wait and self.is_under_way(situation):
            situation = situation.after_heating
        candidates, _ = MICROWAVE.bind(self)
        return plan(candidates, situation, self.goal())


def make_request(**given: Any) -> MicrowaveRequest:
    """Return a request.

    Raises:
        InputError: a value out of bounds, or wishes that exclude each other.
    """
    try:
        return MicrowaveRequest(**given)
    except ValidationError as error:
        raise InputError(
            "the device cannot do what was asked", "; ".join(readable(error)),
            "vial 1 to 10, temperature 25 to 100 °C, duration 1 to 120 min, pressure 1 to 10 atm",
        ) from error  # fmt: skip


async def run_microwave(
    device: Microwave, request: MicrowaveRequest, *, router: Router | None = None
) -> Finish:
    """Bring the device from where it stands to where a request wants it.

    If it is heating just what is asked for, the end is waited for; any other heating is a reason to
    refuse.

    Args:
        device: the device.
        request: what is asked.
        router: who chooses; the goal router if None.

    Raises:
        RefusedError: the device refuses a command, for example while it is heating.
        BusyError: somebody else has commanded the device meanwhile.
    """
    bench, goal = device.read(), request.goal()
    situation = bench.situation
    if situation.heating and not request.reached(situation):
        if request.wait and request.is_under_way(situation):
            bench = await device.heating_over(bench)
        else:
            after = replace(situation.after_heating, measured=False)
            for command in (request.plans(after).first() or [])[:1]:
                assert isinstance(command, Command)
                bench = await device.do(command)  # refused, with the time that is left
    return await run_graph(
        MICROWAVE,
        bench,
        request,
        goal,
        device.executor,
        subject=device.synthesizer.name,
        about=(device.synthesizer,),
        router=router,
    )
