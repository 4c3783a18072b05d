"""Devices that a card describes, as they are told: by two records each operation.

Where one stands is what it read after the last operation that was done. Simulated and real ones
have records of their own and are driven alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol, cast

from ogm import GraphModel, Link
from ogm.terms import shorten
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Run
from triplestore.errors import ConsentError, RecordError

from ..execution.events import scope
from ..execution.executor import Executor
from .card import Card
from .clock import Clock, waited
from .command import Driver, RefusedError, refused
from .described import CardCommand, CardGraph
from .drivers import connected
from .meaning import begun, passed
from .operations import Operations, Said, doubt
from .rules import UNTAUGHT, Taught
from .standing import Standing
from .terms import Value

PATIENCE = 60.0
"""Seconds for which a simulation waits for another one."""

SPEED = 3600.0
"""Seconds that a simulated device counts in one: an hour each second."""

GOES_ON = "goes on"
"""What goes on, in what a device reads: no state can be called so."""


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
        at: how it stood after the last step: while a step is chosen no time passes.
        since: when that was; None where that does not matter.
        place: operations of this run.
        of: operations that were planned.
    """

    driven: Driven
    at: Standing
    since: datetime | None = None
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
        clock: tells when what goes on is over.
    """

    def __init__(
        self,
        executor: Executor,
        driver: CardDriver,
        graph: CardGraph,
        model: GraphModel | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.driver, self.graph, self.model = driver, graph, model
        self.operations = Operations(executor, driver, clock)
        self.clock = self.operations.clock
        self.speed = SPEED if driver.simulated else 1.0
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
        later = list[tuple[CardCommand, datetime]]()
        at, since = Standing.of(card.begins, card), None
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
                at, since = found, end.ended
                break
            # a person says that it was done: what goes on since has begun by then
            later.append((self.graph.read(one.told), end.ended))
        for one, said in reversed(later):
            at, since = one.change(self.later(at, since, said)), said
        at = self.later(at, since)
        return at.but(**{name: one.begins for name, one in card.states.items() if one.anew})

    def later(self, at: Standing, since: datetime | None, now: datetime | None = None) -> Standing:
        """Return where it stands now that stood somewhere at an earlier time."""
        if since is None or not at.underway:
            return at
        seconds = ((now or self.clock.now()) - since).total_seconds()
        return passed(self.graph.card, at, seconds * self.speed)

    def _standing(self, reading: Any) -> Standing | None:
        """Return where a device stands that reads this; None where that is no reading."""
        card = self.graph.card
        if not isinstance(reading, dict):
            return None
        read = cast("dict[str, Any]", reading)
        if read.keys() - {GOES_ON} != card.states.keys():
            return None
        at = Standing.of({name: read[name] for name in card.states}, card)
        try:
            for one in read.get(GOES_ON, ()):
                seconds = float(one["seconds"]) * self.speed
                at = begun(card, one["command"], dict(one["given"]), at, seconds)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        return at

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
        return Bench(self, replace(stands, taught=rules), self.clock.now(), of=of)

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
        at = self.later(bench.at, bench.since)
        if reason := command.precondition(at):
            raise refused(command, reason)
        if self.graph.card.is_timed:  # something may have ended meanwhile
            self.driver.begin(at)
        place, of = bench.place + 1, max(bench.of, bench.place + 1)
        work = Link[Run](scope().run or (self.model.iri if self.model else ""))
        expected = command.effect(at)
        goes_on = [
            {"command": x.command, "given": dict(x.given), "seconds": x.left / self.speed}
            for x in expected.underway
        ]
        more = {GOES_ON: goes_on} if goes_on else None
        reading = await self.operations.do(command, command.record, work, place, of, more)
        stands = self._standing(reading)
        if stands is not None:
            stands = replace(stands, taught=expected.taught, underway=expected.underway)
        if stands is None or stands != expected:
            asked = f"{command.verb} was done by {self.driver.name}, {shorten(work.iri)}"
            found = f"it reads {stands or reading}, and {expected} is what that leaves"
            raise RecordError(asked, found, "look at it")
        return replace(bench, at=stands, since=self.clock.now(), place=place)

    async def waited(self, bench: Bench) -> Bench:
        """Wait until what goes on is over, or what is over first of it; nothing is written."""
        at, since = bench.at, bench.since or self.clock.now()
        left = min((one.left for one in at.underway), default=0.0)
        what = next((one.command for one in at.underway if one.left == left), "")
        end = since + timedelta(seconds=left / self.speed)
        await waited(self.clock, end, self.speed, self.operations.executor, what, what)
        at = passed(self.graph.card, at, left)
        now = self.clock.now()
        return replace(bench, at=self.later(at, end, now), since=now)
