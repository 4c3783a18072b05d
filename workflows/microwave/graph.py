"""What is asked of the device, and the graph that reaches it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ogm import Unit
from ontologies.laboratory import PercentConversion, Synthesizer, SynthesizerState
from triplestore.errors import InputError
from workflows.engine import Executor, Finish, Goal, Graph, Plans, Router, plan, run_graph
from workflows.engine.devices.clock import spell
from workflows.engine.devices.command import RefusedError, refused
from workflows.engine.devices.meaning import ended
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.taught import taught, told
from workflows.engine.devices.typed import within
from workflows.engine.request.definition import Definition, Given, Prepared, Subject
from workflows.engine.request.form import Flags, Form, Personal, fill
from workflows.engine.request.refusals import refusal
from workflows.engine.request.workflow import Finished
from workflows.show.blocks import Fact, Section
from workflows.show.object_blocks import blocks_of

from .commands import COMMANDS, Command, GetPercentConversion, HeatVial
from .device import SPEED, Bench, Microwave
from .situation import CARD, SETTINGS, Parameters, in_words, parameters

MICROWAVE: Graph[Bench] = Graph("microwave", *COMMANDS)


class DeviceChoice(Form):
    """Which device is commanded."""

    device: Annotated[str, Field(description="Which device.")] = "microwave"
    speed: Annotated[
        float | None,
        Personal(),
        Field(description="Seconds that the device counts in one, when heating; 600 if not given."),
    ] = None


class MicrowaveRequest(Form):
    """How the device is to stand; what is None may be as it is. Fields say what they mean."""

    session: Annotated[Literal[True] | None, Field(description="Allocate a session.")] = None
    lid: Annotated[
        Literal["open", "closed"] | None,
        Flags({"open": "--open-lid", "closed": "--close-lid"}),
        Field(description="Open or closed at the end."),
    ] = None
    vial: Annotated[
        int | None,
        within(CARD.commands["load_vial"].arguments["vial"]),
        Field(description="Have this vial inside, 1 to 10."),
    ] = None
    unload: Annotated[Literal[True] | None, Field(description="Have no vial inside.")] = None
    temperature: Annotated[
        float | None,
        Unit("DEG_C"),
        within(SETTINGS["temperature"]),
        Field(description="Set it, 25 to 100 °C."),
    ] = None
    duration: Annotated[
        float | None,
        Unit("MIN"),
        within(SETTINGS["duration"]),
        Field(description="Set it, 1 to 120 min."),
    ] = None
    pressure: Annotated[
        float | None,
        Unit("ATM"),
        within(SETTINGS["pressure"]),
        Field(description="Set it, 1 to 10 atm."),
    ] = None
    heat: Annotated[Literal[True] | None, Field(description="Heat the vial with what is set.")] = (
        None
    )
    conversion: Annotated[
        Literal[True] | None, Field(description="Read the percent conversion.")
    ] = None
    wait: Annotated[bool, Field(description="Wait until the heating is over.")] = True
    status: Annotated[Literal[True] | None, Field(description="Show the state and do nothing.")] = (
        None
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.unload and (self.vial or self.heat or self.conversion):
            raise refusal(
                "unload was asked for",
                "that leaves no vial to load, to heat or to read",
                "leave it out, or the others",
            )
        if self.heat and self.conversion and not self.wait:
            raise refusal(
                "the conversion was asked for without waiting",
                "it cannot be read before the heating is over",
                "wait for it, or ask later",
            )
        if self.status and self.wishes:
            raise refusal(
                "status was asked for", "that goes with no wish", "ask for one of the two"
            )
        return self

    @property
    def wishes(self) -> list[str]:
        """What is asked for, in words."""
        set_now = {name: getattr(self, name) for name in SETTINGS}
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
        asked = {name: getattr(self, name) for name in SETTINGS}
        return {name: asked[name] or now for name, now in parameters(at).items()}

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

    def goal(self) -> Goal:
        """Return what is to be reached."""
        return Goal(", ".join(self.wishes), self.reached)

    def is_under_way(self, at: Standing) -> bool:
        """Tell whether the heating that goes on is the one that is asked for."""
        return (
            bool(self.heat and at.heating)
            and self.vial in (None, at.vial)
            and self.wanted(at) == parameters(at)
        )

    def obstacle(self, at: Standing) -> RefusedError:
        """Return why no sequence of commands leads from a situation to what is asked."""
        command: Command = GetPercentConversion()
        if self.heat:  # the lid and the session can be seen to, these two cannot
            command, vial = HeatVial(heat=True), self.vial or at.vial
            at = at.but(session=True, lid_open=False, vial=vial, **self.wanted(at))
        none = "no sequence of commands leads there"
        if rules := ", ".join(f"“{one.rule}”" for one in at.taught.lessons):
            none = f"{none} with what is taught: {rules}; withdraw a rule"
        return refused(command, command.precondition(at) or none)

    def plans(self, at: Standing) -> Plans:
        """Return all shortest plans from a situation; from its end, if it is heating as asked."""
        if self.wait and self.is_under_way(at):
            at = ended(CARD, at)
        candidates, _ = MICROWAVE.bind(self)
        return plan(candidates, at, self.goal())


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
        device = Microwave(executor, name, speed=SPEED if said.speed is None else said.speed)
        return Given(device.synthesizer, name, detail=device)


async def prepare_microwave(
    given: Given[Synthesizer], request: MicrowaveRequest, executor: Executor
) -> Prepared[Bench]:
    """Find out where a device stands, and what is asked of it; nothing moves."""
    device = (
        given.detail
        if isinstance(given.detail, Microwave)
        else Microwave(executor, given.model.name)
    )
    bench = replace(device.read(), taught=taught(executor.kg, MICROWAVE, request))

    async def begin() -> Bench:
        return await begun(device, request)

    return Prepared(
        bench,
        request.goal() if request.wishes else None,
        (device.synthesizer,),
        device.synthesizer.name,
        remarks=tuple(told(executor.kg, MICROWAVE)),
        begin=begin,
        plans=lambda: possible(request, bench),
    )


def possible(request: MicrowaveRequest, bench: Bench) -> Plans:
    """Return the plans from where a device stands.

    Raises:
        RefusedError: there is none.
    """
    plans = request.plans(bench.situation)
    if plans.first() is None:
        raise request.obstacle(bench.situation)
    return plans


async def begun(device: Microwave, request: MicrowaveRequest) -> Bench:
    """Return where a device stands when what is asked can begin.

    If it is heating just what is asked for, the end is waited for; any other heating is a reason to
    refuse.

    Raises:
        RefusedError: the device is heating something else.
    """
    rules = taught(device.executor.kg, MICROWAVE, request)
    bench = replace(device.read(), taught=rules)
    situation = bench.situation
    if situation.heating and not request.reached(situation):
        if request.wait and request.is_under_way(situation):
            return await device.heating_over(bench)
        for command in (request.plans(ended(CARD, situation)).first() or [])[:1]:
            assert isinstance(command, Command)
            device.refuse(command, bench)  # with the time that is left
    return bench


async def run_microwave(
    device: Microwave, request: MicrowaveRequest, *, router: Router | None = None
) -> Finish:
    """Bring a device from where it stands to where a request wants it.

    Args:
        device: the device.
        request: what is asked.
        router: who chooses; the goal router if None.

    Raises:
        RefusedError: the device refuses a command, for example while it is heating.
        BusyError: somebody else has commanded the device meanwhile.
    """
    return await run_graph(
        MICROWAVE,
        await begun(device, request),
        request,
        request.goal(),
        device.executor,
        subject=device.synthesizer.name,
        about=(device.synthesizer,),
        router=router,
        forms=(request,),
    )


@dataclass(frozen=True)
class Commanded(Finished):
    """Where a device stands after what was asked of it."""

    @classmethod
    def of(cls, done: Finished) -> Self:
        """Return what was done.

        Raises:
            RefusedError: no sequence of commands led to what was asked.
        """
        bench: Bench = done.state
        request = done.ready.forms[0]
        if done.status != "finished" and isinstance(request, MicrowaveRequest):
            raise request.obstacle(bench.situation)
        return super().of(done)

    def shown_sections(self) -> tuple[Section, ...]:
        """Return what is shown of the device as it stands now."""
        bench: Bench = self.state
        at, stored = bench.situation, bench.stored
        left = f"yes, {spell(at.remaining)} left at speed {stored.speed:g}" if stored else ""
        heated = f"at {in_words(parameters(at, 'heated_'))}"
        facts = [
            *blocks_of(bench.device.synthesizer).blocks,
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
            "device": bench.device.synthesizer.name,
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
    prepare_microwave,
    Commanded.of,
    help="Say how the device is to stand: what must be done for it is planned from where it "
    "stands, also after other calls. Without a wish its state is shown.",
    makes=(SynthesizerState, PercentConversion),
)
