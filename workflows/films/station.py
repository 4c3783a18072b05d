"""`Order`: a command of the station as a step of a graph; `Station`: what it was told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

from pydantic import BaseModel, model_validator
from pydantic_graph import End

from ogm import GraphModel, Link
from ogm.terms import shorten
from ontologies.films import FilmStation
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Run
from triplestore.errors import ConsentError, RecordError
from workflows.engine import Done, Executor, Finish, Graph, Node
from workflows.engine.devices.command import Command, Driver, refused
from workflows.engine.devices.operations import Operations, Said, Unfinished, doubt
from workflows.engine.devices.rules import UNTAUGHT, Taught
from workflows.engine.execution.events import scope
from workflows.engine.graph.effects import Target

from .commands import Situation, Value, after, code_of, commands, reason_against, situation_of

UNITS = {"temperature": "°C", "velocity": "mm/s", "aspirated": "mL", "dispensed": "mL"}


class Order(Command["StationBench"]):
    """Have the station do one command, such as `close_clamp`.

    Attributes:
        command: its name.
        value: what it sets: a label, °C, mm/s or mL; None for nothing.
    """

    then: ClassVar[Order | End[Finish]]
    effects = frozenset()
    command: str
    value: Value = None

    @model_validator(mode="after")
    def _known(self) -> Self:
        one = commands().get(self.command)
        if one is None or ("value" in one) is (self.value is None):
            raise ValueError("a station has no such command, or it takes a value, or none")
        return self

    @property
    def cannot(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What is said where it is refused."""
        return f"{self.verb} is not possible"

    @property
    def verb(self) -> str:
        if self.value is None:
            return self.command
        unit = UNITS.get(commands()[self.command]["value"], "")
        said = self.value if isinstance(self.value, str) else f"{self.value:g}"
        return f"{self.command} {said} {unit}".rstrip()

    @property
    def called(self) -> str:
        return self.command

    @property
    def with_fields(self) -> str:
        return self.verb

    def effects_on(self, state: StationBench) -> frozenset[str]:
        return frozenset[str]() if state.device.simulated else frozenset({"device"})

    def target(self, state: StationBench) -> Target:
        halt = state.device.halt
        ends = () if halt else ("when it is stopped, the command in progress ends by itself",)
        return replace(super().target(state), checks=(*self.code, *ends), halt=halt)

    def obstacle(self, situation: Situation) -> str | None:
        return reason_against(self.command, self.value, situation)

    def change(self, situation: Situation) -> Situation:
        return after(self.command, self.value, situation)

    @property
    def code(self) -> list[str]:
        """Its lines of code."""
        return code_of(self.command, self.value)

    async def work(self, state: StationBench, executor: Executor) -> Done[StationBench]:
        return Done(await state.station.do(self, state))


class FilmDriver(Driver[Order, dict[str, Any]], Protocol):
    """What carries out commands of a station; it reads the fields of a `Situation`."""

    def begin(self, at: Situation, /) -> None:
        """Take up a station that stands as the records say."""
        ...


@dataclass(frozen=True)
class StationBench:
    """The station as a run sees it.

    Attributes:
        station: it.
        at: how it stands.
        place: operations of this run.
        of: operations that were planned.
    """

    station: Station
    at: Situation
    place: int = 0
    of: int = 0

    @property
    def device(self) -> FilmDriver:
        """The driver."""
        return self.station.driver

    @property
    def version(self) -> str:
        """The number of its last operation."""
        return str(self.station.operations.number)

    @property
    def situation(self) -> Situation:
        """What a planner needs to know."""
        return self.at

    @property
    def recorded(self) -> Sequence[str]:
        """Nothing besides the operations."""
        return ()

    @property
    def product(self) -> GraphModel | None:
        """None: a film is no object here."""
        return None


class Station:
    """A station, by what it was told; simulated and real ones of a name are different.

    Args:
        executor: whose store has the records.
        driver: carries out the commands.
    """

    def __init__(self, executor: Executor, driver: FilmDriver) -> None:
        self.driver = driver
        self.operations = Operations(executor, driver)
        self.model = FilmStation(name=driver.name, simulated=driver.simulated)

    @property
    def _kg(self) -> Any:
        return self.operations.executor.kg

    def _doubtful(self) -> Unfinished | None:
        return self.operations.unfinished(lambda _: True)

    def read(self) -> Situation:
        """Return how it stands after the last operation that was done; nothing is written.

        Its components have to be initialised by each run.

        Raises:
            RecordError: what it has read is not what a station reads.
        """
        self._doubtful()
        later = list[Order]()
        for number in range(self.operations.number, 0, -1):
            at = {"instrument": self.driver.name, "simulated": self.driver.simulated}
            [one] = self._kg.find(Operation, **at, operation_number=number)
            end = next(iter(self._kg.find(OperationEnd, operation=Link[Operation](one))), None)
            if end is not None and end.outcome == "discarded":
                break
            if end is None or end.outcome != "done":
                continue
            if end.reading:
                found = situation_of(json.loads(end.reading))
                if found is None:
                    asked = f"operation {number} of {self.driver.name} was to be read"
                    raise RecordError(asked, "that is no state of a station", "discard it")
                return self._from(found, later)
            later.append(Order.model_validate_json(one.told))  # a person says that it was done
        return self._from(Situation(), later)

    def _from(self, at: Situation, later: Sequence[Order]) -> Situation:
        for one in reversed(later):
            at = one.change(at)
        return replace(at, ready=False)

    async def begun(self, said: Said | None, of: int = 0, rules: Taught = UNTAUGHT) -> StationBench:
        """Return where a run begins.

        A simulated station stands wherever its records say.

        Args:
            said: what a person says of the last operation, having looked; `discarded`: that the
                station stands as it was delivered, with its racks full.
            of: operations that are planned.
            rules: that are taught.

        Raises:
            ConsentError: nobody knows whether the last operation was done, or a person has to say.
            InputError: something is said of what nobody doubts.
        """
        at = self.operations.unfinished(lambda _: said is None or said.outcome != "discarded")
        if said is not None:
            await self.operations.settle(at, said)
            at = self._doubtful()
        if error := self.doubt(at):
            raise error
        if at is not None and at.end is None:
            self.operations.undo(at)
        stands = self.read()
        self.driver.begin(stands)
        return StationBench(self, replace(stands, taught=rules), of=of)

    def doubt(self, at: Unfinished | None = None) -> ConsentError | None:
        """Return why nobody can command it; None where somebody can."""
        at = at or self._doubtful()
        if at is None or at.end is not None or self.driver.simulated:
            return None
        return doubt(at, Order.model_validate_json(at.last.told).verb, "`last`")

    async def do(self, order: Order, bench: StationBench | None = None) -> StationBench:
        """Do one command, or refuse it; asks nobody.

        Args:
            order: the command.
            bench: where the station stood when it was chosen; read if None.

        Raises:
            RefusedError: it is not possible; nothing has changed.
            RecordError: the station stands otherwise than the command leaves it.
        """
        bench = bench or await self.begun(None)
        if reason := order.precondition(bench.at):
            raise refused(order, reason)
        place, of = bench.place + 1, max(bench.of, bench.place + 1)
        work = Link[Run](scope().run or self.model.iri)
        told = order.model_dump_json()
        reading = await self.operations.do(order, told, work, place, of)
        stands, expected = situation_of(reading), order.effect(bench.at)
        if stands is None or replace(stands, taught=expected.taught) != expected:
            asked = f"{order.verb} was done by {self.driver.name}, {shorten(work.iri)}"
            found = f"it reads {stands or reading}, and {expected} is what that leaves"
            raise RecordError(asked, found, "look at it")
        return replace(bench, at=replace(stands, taught=expected.taught), place=place)


class StationGraph(Graph[StationBench]):
    """The commands of a station, each a candidate of its own."""

    @property
    def commands(self) -> Sequence[str]:
        """Their names."""
        return tuple(commands())

    def bind(self, request: BaseModel) -> tuple[list[Node[StationBench]], dict[str, str]]:
        orders, unbound = list[Node[StationBench]](), dict[str, str]()
        for name, one in commands().items():
            field = one.get("value")
            value = getattr(request, "values")[field] if field else None  # noqa: B009
            if field and value is None:
                unbound[name] = f"needs {field}"
            else:
                orders.append(Order(command=name, value=value))
        return orders, unbound


FILMS = StationGraph("films", Order)
