"""What is asked of the station, and the plan and the code that it comes to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from ogm import Unit
from ontologies.films import FilmStation
from triplestore.errors import InputError, RecipeError
from workflows.engine import Executor, Goal, Plans, plan
from workflows.engine.devices.command import device_name
from workflows.engine.devices.described import program
from workflows.engine.devices.driven import AbsentDevice, Bench, driver_of
from workflows.engine.devices.operations import Said
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.taught import detour, in_the_way, taught, told
from workflows.engine.request.definition import Definition, Given, Prepared, Subject
from workflows.engine.request.form import Form
from workflows.engine.request.refusals import refusal
from workflows.engine.request.rules import Personal, Words
from workflows.engine.request.workflow import Finished
from workflows.show.blocks import Fact, Section
from workflows.teaching.memos import reminders

from .commands import CARD, DELIVERED, parts
from .station import FILMS, Order, Station, StationForm

Vial: TypeAlias = Annotated[
    Literal["water_gap", "NaCl", "polymer_A", "carbon_black"],
    Words({"polymer_A": ("a", "pedot:pss", "pedotpss"), "NaCl": ("sodiumchloride",)}),
]

PUBLISHED = {"temperature": 90.0, "velocity": 1.0, "aspirated": 0.5, "dispensed": 0.2}
"""°C, mm/s, mL, mL: those of Listing 1 of the paper that `station.toml` names."""

CONDITIONS = ("temperature", "velocity", "dispensed")
"""Those that two films differ in; what is drawn and not dispensed is thrown away."""


class StationChoice(Form):
    """Which station is commanded."""

    station: Annotated[str, Field(description="Which station.")] = "film station"
    simulate: Annotated[
        bool, Field(description="Command a simulated station, whose states are its own.")
    ] = False
    last: Annotated[
        str | None,
        Personal(),
        Field(max_length=40, description="What became of an operation, such as '31 done'."),
    ] = None


class FilmRequest(StationForm):
    """How the station is to stand; what is None may be as it is.

    Attributes:
        vial: label of the vial to be in the clamp.
        returned: that no vial is out of its rack, in the end.
        substrate: that a new substrate is on the coating stage.
        film: label of the vial of whose solution there is to be a film.
        temperature: of coating, in °C.
        velocity: of the blade, in mm/s.
        aspirated: mL of solution that are drawn.
        dispensed: mL of solution on the substrate.
    """

    film: Annotated[Vial | None, Field(description="Make a film of what this vial holds.")] = None
    vial: Annotated[Vial | None, Field(description="Have this vial in the clamp.")] = None
    substrate: Annotated[
        Literal[True] | None, Field(description="Have a new substrate on the coating stage.")
    ] = None
    returned: Annotated[
        Literal[True] | None, Field(description="Have the vial in its rack at the end, capped.")
    ] = None
    temperature: Annotated[
        float | None, Unit("DEG_C"), Field(ge=20, le=150, description="Of coating; 90 °C.")
    ] = None
    velocity: Annotated[
        float | None,
        Unit("MilliM-PER-SEC"),
        Field(ge=0.1, le=50, description="Of the blade in mm/s; 1."),
    ] = None
    aspirated: Annotated[
        float | None, Unit("MilliL"), Field(gt=0, le=1, description="mL that are drawn; 0.5.")
    ] = None
    dispensed: Annotated[
        float | None, Unit("MilliL"), Field(gt=0, le=1, description="mL on the substrate; 0.2.")
    ] = None

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.film and self.substrate:
            found = "a film covers the substrate"
            raise refusal("a film and a new substrate were asked for", found, "ask in turn")
        if self.vial and (self.returned or self.film not in (None, self.vial)):
            found = "another vial is in the clamp then, or none"
            raise refusal(f"vial {self.vial} was asked for", found, "leave one of them out")
        said = [n for n in PUBLISHED if getattr(self, n) is not None]
        if said and not self.film:
            raise refusal(f"{said[0]} was given", "that is of a film", "say which film, too")
        if self.values["dispensed"] > self.values["aspirated"]:
            found = f"only {self.values['aspirated']:g} mL are drawn"
            asked = f"{self.values['dispensed']:g} mL were to be dispensed"
            raise refusal(asked, found, "draw more, or dispense less")
        return self

    @property
    def values(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in PUBLISHED}
        film = {name: PUBLISHED[name] if one is None else one for name, one in given.items()}
        return {"vial": self.film or self.vial, **film}

    @property
    def wishes(self) -> list[str]:
        """What is asked for, in words."""
        v = self.values
        how = f"{v['dispensed']:g} mL at {v['temperature']:g} °C and {v['velocity']:g} mm/s"
        wishes = (
            (self.film, f"a film of {self.film}, {how}"),
            (self.vial, f"{self.vial} in the clamp"),
            (self.substrate, "a new substrate on the coating stage"),
            (self.returned, "all vials in the rack"),
        )
        return [text for asked, text in wishes if asked]

    def reached(self, at: Standing) -> bool:
        """Tell whether the station stands as asked."""
        v = self.values
        set_so = all(at.by_name[name] == v[name] for name in CONDITIONS)
        return (
            at.tool == "gripper"
            and at.gripped != "vial"
            and (not self.film or ((at.film, at.film_of) == ("film", self.film) and set_so))
            and (not self.vial or (at.vial, at.vial_at) == (self.vial, "clamp"))
            and (not self.substrate or (at.substrate, at.film) == ("stage", "none"))
            and (not self.returned or not at.vial)
        )

    def goal(self) -> Goal:
        """Return what is to be reached."""
        return Goal(", ".join(self.wishes), self.reached)


class StationSubject(Subject[FilmStation]):
    """A station, by its name."""

    name: ClassVar[str] = "station"
    model = FilmStation
    form = StationChoice

    async def read(self, given: object, said: Form, executor: Executor) -> Given[FilmStation]:
        assert isinstance(said, StationChoice)
        model = given
        if not isinstance(model, FilmStation):
            name = device_name(str(given or said.station), "station")
            model = FilmStation(name=name, simulated=said.simulate)
        return Given(model, model.name, detail=None if said.last is None else Said.of(said.last))


def script(orders: list[Order], at: Standing) -> str:
    """Return commands as the program that a person can read."""
    found = at.vial_found or at.substrate_found or at.gripped == "cap"
    more = ["# places found in earlier runs are those of the driver"] if found else []
    return program(CARD, orders, *more)


async def prepare(
    given: Given[FilmStation], request: FilmRequest, executor: Executor
) -> Prepared[Bench]:
    """Find out where a station stands, and plan; nothing moves.

    Raises:
        ConsentError: nobody knows whether the last operation was done.
        ComponentError: the driver cannot be used.
    """
    driver = driver_of(CARD, given.model.name, given.model.simulated)
    station, last = Station(executor, driver), given.detail
    if last is not None and not request.wishes:
        raise InputError("`last` was said", "nothing is asked for", "say how it is to stand, too")
    if last is None and request.wishes and (error := station.doubt()):
        raise error
    rules = taught(executor.kg, FILMS, request)
    at = replace(DELIVERED if last else station.read(), taught=rules)
    remarks = [*told(executor.kg, FILMS)]
    ways, orders = None, list[Order]()
    if request.wishes and last is None:
        ways = plans(request, at)
        orders = [one for one in ways.first() or () if isinstance(one, Order)]
        remarks += reminders(executor.kg, FILMS.name, ", ".join(request.wishes))
        remarks += detour(FILMS.bind(request)[0], at, request.goal(), len(orders))
        if request.film:
            v = {n: request.values[n] for n in PUBLISHED if getattr(request, n) is None}
            units = {n: one.unit for c in CARD.commands.values() for n, one in c.arguments.items()}
            said = [f"{n} {value:g} {units[n]}" for n, value in v.items()]
            remarks += [f"not said, so as published: {', '.join(said)}"] if said else []
            remarks += ["no command waits for the temperature: see that it is reached"]
        remarks += [f"the program:\n{script(orders, at)}"] if orders else []
        if isinstance(station.driver, AbsentDevice):
            remarks += ["no driver is connected here, so that it would be refused: `simulate`"]

    async def begin() -> Bench:
        return await station.begun(last, len(orders), rules)

    return Prepared(
        Bench(station, at),
        request.goal() if request.wishes else None,
        (given.model,),
        f"{station.driver.name}{' (simulated)' * station.driver.simulated}",
        remarks=tuple(remarks),
        begin=begin,
        plans=lambda: ways or plans(request, at),
    )


def plans(request: FilmRequest, at: Standing) -> Plans:
    """Return a shortest plan from where a station stands, of many that are equally short.

    Raises:
        RecipeError: there is none.
    """
    candidates, _ = FILMS.bind(request)
    found = plan(candidates, at, request.goal())
    if found.first() is None:
        told = "; ".join(f"{name}: {text}" for name, text in parts(at).items())
        none = f"no sequence of commands leads there from: {told}", "look at it"
        why = in_the_way(candidates, at, request.goal()) or none
        raise RecipeError(f"{request.goal().text} was asked for", *why)
    one = {place: ways[:1] for place, ways in found.before.items()}
    return replace(found, ends=found.ends[:1], before=one)


@dataclass(frozen=True)
class StationResult(Finished):
    """Where a station stands after what was asked of it."""

    def shown_sections(self) -> tuple[Section, ...]:
        """Return what is shown of the station as it stands now."""
        bench: Bench = self.state
        at = bench.at
        facts = [
            Fact("station", bench.device.name, name="station"),
            Fact("simulated", bench.device.simulated, name="simulated"),
            *(Fact(name, text, name=name) for name, text in parts(at).items()),
            Fact("new substrates", at.new_substrates, name="new_substrates"),
            Fact("pipettes", at.pipettes, name="pipettes"),
            Fact("operations", bench.place, name="operations"),
        ]
        if error := bench.driven.doubt():
            facts.append(Fact("in doubt", error.found, name="doubt"))
        return (Section("station", tuple(facts), "", "station"),)

    def as_json(self) -> dict[str, Any]:
        """Return the station's state as JSON can hold it."""
        bench: Bench = self.state
        said = {"station": bench.device.name, "simulated": bench.device.simulated}
        return {
            **said,
            "state": dict(bench.at.by_name),
            "operations": bench.place,
            "run": self.run or None,
        }


DEFINITION = Definition(
    FILMS,
    (FilmRequest,),
    StationSubject(),
    prepare,
    StationResult.of,
    help="Say how the station is to stand: what must be done for it is planned from where it "
    "stands. Without a wish its state is shown. Before a real station moves, a person agrees; a "
    "simulated one has states of its own.",
)
