"""What is asked of the device, and the graph that reaches it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from ogm import Unit
from ontologies.laboratory import PercentConversion, Synthesizer, SynthesizerState
from triplestore.errors import InputError
from workflows.engine import Executor, Graph
from workflows.engine.devices.asking import DeviceForm, DeviceResult, prepared
from workflows.engine.devices.asking import run_device as run_microwave
from workflows.engine.devices.card import Card
from workflows.engine.devices.clock import spell
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.typed import within
from workflows.engine.request.definition import Definition, Given, Prepared, Subject
from workflows.engine.request.form import Form, fill
from workflows.engine.request.refusals import refusal
from workflows.engine.request.rules import Flags, Personal
from workflows.show.blocks import Fact, Section
from workflows.show.object_blocks import blocks_of

from .commands import (
    CARD,
    COMMANDS,
    SETTINGS,
    Command,
    GetPercentConversion,
    HeatVial,
    Parameters,
    in_words,
    parameters,
)
from .device import Bench, Microwave

__all__ = ["MICROWAVE", "MicrowaveRequest", "make_request", "run_microwave"]

MICROWAVE: Graph[Bench] = Graph("microwave", *COMMANDS)


Yes: TypeAlias = Literal[True] | None


class DeviceChoice(Form):
    """Which device is commanded."""

    device: Annotated[str, Field(description="Which device.")] = "microwave"
    speed: Annotated[
        float | None,
        Personal(),
        Field(description="Seconds that the device counts in one, when heating; 600 if not given."),
    ] = None


class MicrowaveRequest(DeviceForm):
    """How the device is to stand; what is None may be as it is. Fields say what they mean."""

    graph: ClassVar[Graph[Any]] = MICROWAVE
    card: ClassVar[Card] = CARD

    session: Annotated[Yes, Field(description="Allocate a session.")] = None
    lid: Annotated[
        Literal["open", "closed"] | None,
        Flags({"open": "--open-lid", "closed": "--close-lid"}),
        Field(description="Open or closed at the end."),
    ] = None
    vial: Annotated[
        int | None, within(CARD.commands["load_vial"].arguments["vial"], "Have this vial inside")
    ] = None
    unload: Annotated[Yes, Field(description="Have no vial inside.")] = None
    temperature: Annotated[
        float | None, Unit("DEG_C"), within(SETTINGS["temperature"], "Set it")
    ] = None
    duration: Annotated[float | None, Unit("MIN"), within(SETTINGS["duration"], "Set it")] = None
    pressure: Annotated[float | None, Unit("ATM"), within(SETTINGS["pressure"], "Set it")] = None
    heat: Annotated[Yes, Field(description="Heat the vial with what is set.")] = None
    conversion: Annotated[Yes, Field(description="Read the percent conversion.")] = None
    wait: Annotated[bool, Field(description="Wait until the heating is over.")] = True
    status: Annotated[Yes, Field(description="Show the state and do nothing.")] = None

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.unload and (self.vial or self.heat or self.conversion):
            found = "that leaves no vial to load, to heat or to read"
            raise refusal("unload was asked for", found, "leave it out, or the others")
        if self.heat and self.conversion and not self.wait:
            asked = "the conversion was asked for without waiting"
            found = "it cannot be read before the heating is over"
            raise refusal(asked, found, "wait for it, or ask later")
        if self.status and self.wishes:
            found = "that goes with no wish"
            raise refusal("status was asked for", found, "ask for one of the two")
        return self

    @property
    def set_now(self) -> Parameters:
        """What is asked to be set."""
        return {name: getattr(self, name) for name in SETTINGS}

    @property
    def wishes(self) -> list[str]:
        """What is asked for, in words."""
        set_now = self.set_now
        how = in_words(set_now) if any(set_now.values()) else "the parameters that are set"
        wishes = (
            (self.session, "session live"),
            (self.vial, f"vial {self.vial} inside"),
            (self.unload, "no vial inside"),
            (any(set_now.values()) and not self.heat, f"{in_words(set_now)} set"),
            (self.heat, f"{'heated' if self.wait else 'heating begun'} with {how}"),
            (self.conversion, "conversion read"),
            (self.lid, f"lid {self.lid}"),
        )
        return [text for asked, text in wishes if asked]

    def wanted(self, at: Standing) -> Parameters:
        """Return what is to be set: what is asked for, else what is set."""
        return {name: self.set_now[name] or now for name, now in parameters(at).items()}

    def reached(self, at: Standing) -> bool:
        """Tell whether the device stands as it is asked for."""
        wanted = self.wanted(at)
        heated = at.heated and parameters(at, "heated_") == wanted
        return (
            parameters(at) == wanted
            and (not self.session or at.session)
            and (self.lid is None or at.lid_open == (self.lid == "open"))
            and (self.vial is None or at.vial == self.vial)
            and (not self.unload or at.vial is None)
            and (not self.heat or heated or (at.heating and not self.wait))
            and (not self.conversion or at.measured)
        )

    def is_under_way(self, at: Standing) -> bool:
        """Tell whether the heating that goes on is the one that is asked for."""
        asked = bool(self.heat and self.wait and at.heating)
        return asked and self.vial in (None, at.vial) and self.wanted(at) == parameters(at)

    def hindered(self, at: Standing) -> tuple[Command, Standing]:
        """Return the command that matters most: the lid and the session can be seen to."""
        if not self.heat:
            return GetPercentConversion(), at
        vial = self.vial or at.vial
        seen_to: Any = {"session": True, "lid_open": False, "vial": vial, **self.wanted(at)}
        return HeatVial(heat=True), at.but(**seen_to)


def make_request(**given: Any) -> MicrowaveRequest:
    """Return a request.

    Raises:
        InputError: a value out of bounds, wishes that exclude each other, or none.
    """
    request = fill(MicrowaveRequest, given)
    if not request.wishes:
        raise InputError("cannot use the device", "nothing is asked for", "say how it is to stand")
    return request


class DeviceSubject(Subject[Synthesizer]):
    """A device, by its name."""

    name: ClassVar[str] = "device"
    model = Synthesizer
    form = DeviceChoice
    help: ClassVar[str] = "Devices come into being when they are named first."

    async def read(self, given: object, said: Form, executor: Executor) -> Given[Synthesizer]:
        assert isinstance(said, DeviceChoice)
        name = given.name if isinstance(given, Synthesizer) else str(given or said.device)
        device = Microwave(executor, name, speed=said.speed)
        return Given(device.model, name, detail=device)


async def prepare(
    given: Given[Synthesizer], request: MicrowaveRequest, executor: Executor
) -> Prepared[Bench]:
    """Find out where a device stands, and what is asked of it; nothing moves."""
    found = given.detail
    device = found if isinstance(found, Microwave) else Microwave(executor, given.model.name)
    return await prepared(device, request)


@dataclass(frozen=True)
class Commanded(DeviceResult):
    """Where a device stands after what was asked of it."""

    def shown_sections(self) -> tuple[Section, ...]:
        """Return what is shown of the device as it stands now."""
        bench: Bench = self.state
        at, stored = bench.situation, bench.stored
        left = f"yes, {spell(at.remaining)} left at speed {stored.speed:g}" if stored else ""
        heated = f"at {in_words(parameters(at, 'heated_'))}"
        facts = [
            *blocks_of(bench.device.model).blocks,
            Fact("session", (stored and stored.session) or "none", name="session"),
            Fact("lid", "open" if at.lid_open else "closed", name="lid"),
            Fact("vial", "none" if at.vial is None else at.vial, name="vial"),
            Fact("set", in_words(parameters(at)), name="parameters"),
            Fact("heating", left if at.heating else "no", name="heating"),
            Fact("heated", heated if at.heated else "no", name="heated"),
        ]
        if bench.reading is not None:
            facts += blocks_of(bench.reading).blocks
        if self.run:
            facts.append(Fact("run", self.run, name="run", iri=self.run))
        return (Section("device", tuple(facts), stored.iri if stored else "", "device"),)

    def as_json(self) -> dict[str, Any]:
        """Return the device's state as JSON can hold it; units stand in the names."""
        bench: Bench = self.state
        at, stored, reading = bench.situation, bench.stored, bench.reading
        conversion = reading and {
            "iri": reading.iri,
            "percent": reading.conversion,
            "simulated": reading.simulated,
            "method": reading.method,
        }
        return {
            "device": bench.device.name,
            "state": {
                "session": stored.session if stored else None,
                "lid": "open" if at.lid_open else "closed",
                "vial": at.vial,
                **_with_units(parameters(at)),
                "heating": at.heating,
                "remaining_min": at.remaining / 60,
                "heated": _with_units(parameters(at, "heated_")) if at.heated else None,
                "iri": stored.iri if stored else None,
            },
            "conversion": conversion,
            "run": self.run or None,
            "made": list(bench.made),
        }


def _with_units(values: Parameters) -> dict[str, float | None]:
    units = {name: one.unit.replace("°", "deg") for name, one in SETTINGS.items()}
    return {f"{name}_{unit}": values[name] for name, unit in units.items()}


DEFINITION = Definition(
    MICROWAVE,
    (MicrowaveRequest,),
    DeviceSubject(),
    prepare,
    Commanded.of,
    help="Say how the device is to stand: what must be done for it is planned from where it "
    "stands, also after other calls. Without a wish its state is shown.",
    makes=(SynthesizerState, PercentConversion),
)
