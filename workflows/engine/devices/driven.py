"""Devices that a card describes, as they are told: by two records each operation.

Where one stands is what it read after the last operation that was done. Simulated and real ones
have records of their own and are driven alike.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, cast

from ogm import GraphModel, Link
from ogm.terms import shorten
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Run
from triplestore.errors import ConsentError, InputError, RecordError

from ..execution.events import scope
from ..execution.executor import Executor
from ..graph.planner import plan
from ..graph.run import run_graph
from .card import Card
from .command import Driver, RefusedError, refused
from .described import CardCommand, CardGraph, DescribedGraph, Standing, Telling, Wish, program
from .drivers import connected
from .lease import check_not_stopped, leased
from .operations import Operations, Said, doubt
from .rules import UNTAUGHT, Taught
from .taught import detour, in_the_way, taught, told
from .terms import Value

PATIENCE = 60.0
"""Seconds for which a simulation waits for another one."""


class CardDriver(Driver[CardCommand, Mapping[str, Value]], Protocol):
    """What carries out commands of a card; it reads the states.

    It may have `reported`, states that its device tells before it is commanded, and `checks`, what
    a person has to know who agrees to a command; and be an asynchronous context, in which it runs.
    """

    def begin(self, at: Standing, /) -> None:
        """Take up a device that stands as the records say."""
        ...


class SimulatedDevice:
    """A device that moves nothing: it follows its card, and refuses what that refuses.

    Args:
        card: what it is.
        states: where it stands; as the card begins if None.
        name: of the device; that of the card if empty.
    """

    simulated = True
    halt = None

    def __init__(
        self, card: Card, states: Mapping[str, Value] | None = None, name: str = ""
    ) -> None:
        self.name = name or card.name
        self.at = Standing.of(card.begins if states is None else states, card)

    @property
    def states(self) -> Mapping[str, Value]:
        """Where it stands."""
        return self.at.by_name

    def begin(self, at: Standing) -> None:
        """Stand as the records say."""
        self.at = at

    async def do(self, command: CardCommand, /) -> dict[str, Value]:
        """Do one command, and return the states after it.

        Raises:
            RefusedError: it is refused, and nothing has changed.
            RecordError: the card contradicts itself; likewise.
        """
        if reason := command.precondition(self.at):
            raise refused(command, reason)
        self.at = command.change(self.at)
        return dict(self.states)


class AbsentDevice:
    """A real device to which nobody has connected a driver: it refuses everything."""

    simulated = False
    halt = None

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, at: Standing) -> None:
        """Do nothing: a real device stands as it stands."""

    async def do(self, command: CardCommand, /) -> dict[str, Value]:
        """Refuse a command.

        Raises:
            RefusedError: always.
        """
        raise RefusedError(
            command.cannot, f"no driver is connected to {self.name} here", "say `simulate`"
        )


def driver_of(card: Card, name: str, simulated: bool) -> CardDriver:
    """Return what carries out the commands of a device.

    Raises:
        ComponentError: the driver of a real one cannot be used.
    """
    if simulated:
        return SimulatedDevice(card, name=name)
    return connected(name) or AbsentDevice(name)


@dataclass(frozen=True)
class Bench:
    """A described device as a run sees it.

    Attributes:
        driven: it.
        at: how it stands.
        place: operations of this run.
        of: operations that were planned.
    """

    driven: Driven
    at: Standing
    place: int = 0
    of: int = 0

    @property
    def device(self) -> CardDriver:
        """Its driver."""
        return self.driven.driver

    @property
    def version(self) -> str:
        """The number of its last operation."""
        return str(self.driven.operations.number)

    @property
    def situation(self) -> Standing:
        """What a planner needs to know."""
        return self.at

    @property
    def recorded(self) -> Sequence[str]:
        """Nothing: what was done are operations."""
        return ()

    @property
    def product(self) -> GraphModel | None:
        """None."""
        return None


class Driven:
    """A described device, by what it was told; simulated and real ones of a name are different.

    Args:
        executor: whose store has the records.
        driver: carries out the commands.
        graph: of its card.
        model: the device as it is stored; None where it is not.
    """

    def __init__(
        self,
        executor: Executor,
        driver: CardDriver,
        graph: CardGraph,
        model: GraphModel | None = None,
    ) -> None:
        self.driver, self.graph, self.model = driver, graph, model
        self.operations = Operations(executor, driver)
        self._told = False  # whether its records say anything of where it stands

    def read(self) -> Standing:
        """Return how it stands after the last operation that was done; nothing is written.

        A simulated one that was told by another card begins anew.

        Raises:
            RecordError: what it has read is not what a device of this card reads.
        """
        self.operations.unfinished(lambda _: True)  # its number is read anew
        card, kg = self.graph.card, self.operations.executor.kg
        self._told = False
        later = list[CardCommand]()
        at = Standing.of(card.begins, card)
        for number in range(self.operations.number, 0, -1):
            whose: Any = {"instrument": self.driver.name, "simulated": self.driver.simulated}
            [one] = kg.find(Operation, **whose, operation_number=number)
            end = next(iter(kg.find(OperationEnd, operation=Link[Operation](one))), None)
            if end is not None and end.outcome == "discarded":
                break
            if end is None or end.outcome != "done":
                continue
            if json.loads(one.told).get("card", card.digest) != card.digest:
                break
            self._told = True
            if end.reading:
                found = self._standing(json.loads(end.reading))
                if found is None and self.driver.simulated:
                    break
                if found is None:
                    asked = f"operation {number} of {self.driver.name} was to be read"
                    raise RecordError(asked, "that is no state of it", "discard it")
                at = found
                break
            later.append(self.graph.read(one.told))  # a person says that it was done
        for one in reversed(later):
            at = one.change(at)
        return at.but(**{name: one.begins for name, one in card.states.items() if one.anew})

    def _standing(self, reading: Any) -> Standing | None:
        """Return where a device stands that reads this; None where that is no reading."""
        card = self.graph.card
        if not isinstance(reading, dict):
            return None
        read = cast("dict[str, Any]", reading)
        if read.keys() != card.states.keys():
            return None
        return Standing.of({name: read[name] for name in card.states}, card)

    async def begun(self, said: Said | None, of: int = 0, rules: Taught = UNTAUGHT) -> Bench:
        """Return where a run begins.

        A simulated device stands wherever its records say.

        Args:
            said: what a person says of the last operation, having looked; `discarded`: that the
                device stands as it was delivered.
            of: operations that are planned.
            rules: that are taught.

        Raises:
            ConsentError: nobody knows whether the last operation was done, or a person has to say.
            InputError: something is said of what nobody doubts.
        """
        all_of_it = said is not None and said.outcome == "discarded"
        await self.operations.taken_up(said, lambda _: not all_of_it, self._verb)
        stands = self._met(self.read())
        self.driver.begin(stands)
        return Bench(self, replace(stands, taught=rules), of=of)

    def _met(self, stands: Standing) -> Standing:
        """Return where it stands by the records and by what a driver reads of itself beforehand.

        What was discarded, or never told, only the device knows.

        Raises:
            ConsentError: the two differ, and a person has to look.
        """
        met = stands.but(**getattr(self.driver, "reported", {}))
        if met == stands or not self._told:
            return met
        number = self.operations.number
        raise ConsentError(
            f"{self.driver.name} was to be commanded",
            f"it reports {met}, and by its records it stands at {stands}",
            f"look at the device; if it stands as it reports, say `last` '{number} discarded'",
        )

    def _verb(self, one: Operation) -> str:
        return self.graph.read(one.told).verb

    def doubt(self) -> ConsentError | None:
        """Return why nobody can command it; None where somebody can."""
        at = self.operations.unfinished(lambda _: True)
        if at is None or at.end is not None or self.driver.simulated:
            return None
        return doubt(at, self._verb(at.last), "`last`")

    async def do(self, command: CardCommand, bench: Bench | None = None) -> Bench:
        """Do one command, or refuse it; asks nobody.

        Args:
            command: it.
            bench: where the device stood when it was chosen; read if None.

        Raises:
            RefusedError: it is not possible; nothing has changed.
            RecordError: the device stands otherwise than the command leaves it.
        """
        bench = bench or await self.begun(None)
        if reason := command.precondition(bench.at):
            raise refused(command, reason)
        place, of = bench.place + 1, max(bench.of, bench.place + 1)
        work = Link[Run](scope().run or (self.model.iri if self.model else ""))
        expected = command.effect(bench.at)
        reading = await self.operations.do(command, command.record, work, place, of)
        stands = self._standing(reading)
        if stands is None or replace(stands, taught=expected.taught) != expected:
            asked = f"{command.verb} was done by {self.driver.name}, {shorten(work.iri)}"
            found = f"it reads {stands or reading}, and {expected} is what that leaves"
            raise RecordError(asked, found, "look at it")
        return replace(bench, at=replace(stands, taught=expected.taught), place=place)


@dataclass(frozen=True)
class Ran:
    """What came of a wish.

    Attributes:
        steps: commands that were done, in words.
        standing: where the device stands.
        run: IRI of the run.
        remarks: what is taught of the device and what that costs, and the program of the steps,
            where the card has one.
    """

    steps: tuple[str, ...]
    standing: Standing
    run: str
    remarks: tuple[str, ...] = ()


async def simulated(
    card: Card, goal: str, executor: Executor, about: GraphModel | None = None
) -> Ran:
    """Bring the simulated device of a card to where a goal wants it; see `brought`."""
    return await brought(card, goal, executor, about)


def check_answered(card: Card, asked: str) -> None:
    """Let nothing be done with a card of which a question is open.

    Raises:
        InputError: one is.
    """
    for one in card.unknown:
        others = f", and {len(card.unknown) - 1} more" if len(card.unknown) > 1 else ""
        advice = "write the answer where it belongs in the device file, and delete the question"
        raise InputError(asked, f"a question is open: {one}{others}", advice)


async def brought(
    card: Card,
    goal: str,
    executor: Executor,
    about: GraphModel | None = None,
    driver: CardDriver | None = None,
    said: Said | None = None,
) -> Ran:
    """Bring the device of a card to where a goal wants it, by the shortest way.

    Of a real one the plan is tried on a simulation first, and a person agrees to it.

    Args:
        card: what describes it; no question of it may be open.
        goal: as `Wish.of` reads it.
        executor: records all of it.
        about: the card as it is stored.
        driver: of the device, begun while it is leased where it is an asynchronous context; a
            simulation of its own if None.
        said: what a person says of the last operation, having looked.

    Raises:
        InputError: a question is open, the goal cannot be, no commands lead there, or the store
            of a real device has no folder.
        ApprovalError: a person has to agree to a command, and none has.
        ConsentError: nobody knows whether the last operation was done, or where the device stands.
        StoppedError: a person has stopped the device.
        BusyError: another process commands it.
        RecordError: the card contradicts itself, or the device it.
    """
    asked = f"{card.name} was to stand at {goal[:100]!r}"
    check_answered(card, asked)
    wish = Wish.of(goal, card)
    graph = DescribedGraph(card, wish)
    device = SimulatedDevice(card) if driver is None else driver
    driven = Driven(executor, device, graph, about)
    form = Telling(
        device=card.name,
        goal=wish.text,
        card=card.model_dump_json(),
        driver=next(iter(getattr(device, "checks", ())), ""),
    )
    home, patience = executor.kg.store.home, PATIENCE if device.simulated else 1.0
    if home is None and not device.simulated:
        found = "the store has no folder: nobody could stop it, and what it was told would be lost"
        raise InputError(asked, found, "name a store in a folder")
    async with leased(home, card.name, halt=device.halt, patience=patience), _running(home, device):
        bench = await driven.begun(said, rules=taught(executor.kg, graph, form))
        plans = plan(graph.candidates, bench.at, wish.goal)
        steps = plans.first()
        if steps is None:
            if rules := in_the_way(graph.candidates, bench.at, wish.goal):
                raise InputError(asked, *rules)
            unbound = [f"{name}: {why}" for name, why in graph.unbound.items()]
            found = "; ".join(["no commands lead there", *unbound, plans.obstacles])[:600]
            raise InputError(asked, found.removesuffix("; "), "ask for another")
        orders = [one for one in steps if isinstance(one, CardCommand)]
        if not device.simulated:
            dry = SimulatedDevice(card, bench.at.by_name)
            for one in orders:
                await dry.do(one)
        finish = await run_graph(
            graph,
            replace(bench, of=len(steps)),
            form,
            wish.goal,
            executor,
            subject=f"{card.name}{' (simulated)' * device.simulated}",
            about=() if about is None else (about,),
            forms=(form,),
        )
    end: Bench = finish.state
    if finish.status != "finished":
        raise RecordError(asked, f"it ended as {finish.status}", f"look at {shorten(finish.run)}")
    remarks = [
        *told(executor.kg, graph),
        *detour(graph.candidates, bench.at, wish.goal, len(steps)),
    ]
    if any(one.program for one in orders):
        remarks.append(f"the program:\n{program(card, orders)}")
    told_steps = tuple(one.with_fields for one in orders)
    return Ran(told_steps, end.at, finish.run, tuple(remarks))


@asynccontextmanager
async def _running(home: Path | None, driver: Any) -> AsyncGenerator[None]:
    """Let a driver run that is begun and ended, unless its device is stopped.

    Raises:
        StoppedError: it is.
    """
    if hasattr(driver, "__aenter__"):
        check_not_stopped(home, driver.name)
        async with driver:
            yield
    else:
        yield
