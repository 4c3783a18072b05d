"""`Device`: one whose states are stored, each numbered and derived from the one before.

A command is checked against the latest state, and recorded together with the state that it leads
to. Of two that command the device from the same state, the store keeps one and refuses the other's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Generic, Self, TypeVar

from ogm import GraphModel
from triplestore.errors import ConflictError, InputError

from ..execution.executor import Executor
from .card import Card
from .clock import Clock, SystemClock, waited
from .command import Command, device_name, refused
from .journal import Journal
from .lease import BusyError, briefly_leased, check_not_stopped
from .meaning import ended
from .rules import UNTAUGHT, Taught
from .standing import Standing

ATTEMPTS = 20
"""How often a command is tried again because others were quicker."""

BenchT = TypeVar("BenchT", bound="StoredBench")


@dataclass(frozen=True)
class StoredBench:
    """A device as a run sees it.

    Attributes:
        device: it.
        stored: its latest state; None for a device as it was delivered.
        made: IRIs of what the run has recorded, in order.
        taught: the rules of the run.
    """

    device: Any
    stored: Any
    made: tuple[str, ...] = ()
    taught: Taught = UNTAUGHT

    @property
    def situation(self) -> Any:
        """What a planner needs to know, at this moment."""
        return replace(self.device.situation(self.stored), taught=self.taught)

    @property
    def version(self) -> str:
        """The number of its state."""
        return str(self.device.number(self.stored))

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of what the run has recorded."""
        return self.made

    @property
    def product(self) -> GraphModel | None:
        """None: states are among the results."""
        return None

    def with_state(self, state: Any) -> Self:
        """Return the bench with a new state."""
        return replace(self, stored=state, made=(*self.made, state.iri))


class Device(ABC, Generic[BenchT]):
    """A device that is commanded, as a card says; a `Driver`.

    Args:
        executor: its graph keeps the states, its listener is told what happens.
        name: of the device, 1 to 100 printable letters; that of the card if None.
        clock: tells when what goes on is over.
        speed: how many seconds the device counts in one of the clock's; `usual_speed` if None. It
            takes effect with what goes on next, whose state says it.

    Attributes:
        card: what is said of its states and commands.
        model_kind: its class as it is stored, with a `name`.
        state_kind: that of its states: with `step`, `since`, `speed`, `command`, and the device.
        field: the name of that.
        goes_on: the step that goes on, and what it does in words, for who waits.

    Raises:
        InputError: a name or a speed that cannot be.
    """

    simulated: ClassVar[bool]
    card: ClassVar[Card]
    model_kind: ClassVar[type[GraphModel]]
    state_kind: ClassVar[type[GraphModel]]
    field: ClassVar[str]
    usual_speed: ClassVar[float] = 1.0
    goes_on: ClassVar[tuple[str, str]]
    halt: Callable[[], None] | None = None

    def __init__(
        self,
        executor: Executor,
        name: str | None = None,
        *,
        clock: Clock | None = None,
        speed: float | None = None,
    ) -> None:
        self.speed = self.usual_speed if speed is None else speed
        if not 1e-3 <= self.speed <= 1e9:
            asked = f"a device with speed {speed:g} was asked for"
            raise InputError(asked, "", "give a speed from 0.001 to 1e9")
        self.executor, self.clock = executor, clock or SystemClock()
        self.name = device_name(self.card.name if name is None else name)
        self.model: Any = self.model_kind(name=self.name)  # pyright: ignore[reportCallIssue]
        fields = {self.field: self.model}
        self.journal: Journal[Any] = Journal(executor.kg, self.state_kind, "step", **fields)

    @abstractmethod
    def situation(self, stored: Any) -> Standing:
        """Return what a state means now to a planner: what went on may be over by this time."""

    @abstractmethod
    def ends(self, stored: Any) -> datetime | None:
        """Return when what goes on in a state is over; None where nothing goes on."""

    @abstractmethod
    def bench(self, stored: Any) -> BenchT:
        """Return the device as a run sees it that begins."""

    @abstractmethod
    def given(self, command: Any, stored: Any, refusal: str = "") -> Any:
        """Return the record of a command to be stored, and why it was refused."""

    @abstractmethod
    def next_state(self, before: Any, at: Standing, since: datetime, given: Any = None) -> Any:
        """Record the state that a command leads to, or the end of what goes on; None given."""

    def number(self, stored: Any) -> int:
        """Return the number of a state; 0 for a device as it was delivered."""
        return stored.step if stored else 0

    def later(self, stored: Any, at: Standing) -> Standing:
        """Return where the device stands now that stood somewhere when a state began."""
        end, now = self.ends(stored), self.clock.now()
        if end is None or now >= end:
            return ended(self.card, at)
        # another computer's clock may be behind the one that began it
        left = min((end - now).total_seconds() * stored.speed, at.remaining)
        return replace(at, underway=tuple(replace(one, left=left) for one in at.underway))

    def settled(self, stored: Any) -> Any:
        """Return a state, or the one that follows if what went on is over.

        Whoever sees it first records it; it follows from what went on alone, so all record the
        same.
        """
        end = self.ends(stored)
        if end is None or self.clock.now() < end:
            return stored
        return self.next_state(stored, self.situation(stored), end)

    async def over(self, bench: BenchT) -> BenchT:
        """Wait until what goes on is over, and record the state that follows."""
        if (end := self.ends(bench.stored)) is None:
            return bench
        await waited(self.clock, end, bench.stored.speed, self.executor, *self.goes_on)
        return bench.with_state(self.settled(bench.stored))

    def read(self) -> BenchT:
        """Return the device as it stands now; nothing is written."""
        return self.bench(self.journal.latest())

    async def do(self, command: Command[BenchT], /) -> BenchT:
        """Do one command, or refuse it; asks nobody.

        Raises:
            RefusedError: the precondition does not hold. The refusal is recorded.
            BusyError: others were quicker, again and again, or another process has the device.
            StoppedError: a person has stopped it.
        """
        return await command.send(self, None)

    def perform(self, command: Command[BenchT], since: BenchT | None) -> BenchT:
        """Check a command against the latest state, and record it with what it changes.

        Args:
            command: the command.
            since: what its choice was based on: if somebody else has commanded the device since,
                it is not done. None if it is to be done whatever has happened.

        Raises:
            GraficoError: as `do`; also `BusyError` if the device has moved on.
        """
        home = self.executor.kg.store.home
        with briefly_leased(home, self.name):
            for _ in range(ATTEMPTS):
                stored = self.settled(self.journal.latest())
                before = self.settled(since.stored) if since else stored
                if self.number(stored) != self.number(before):
                    self._give_way(command, stored)
                bench = replace(since, stored=stored) if since else self.bench(stored)
                if reason := command.precondition(bench.situation):
                    self._refuse(command, stored, reason)
                given = self.given(command, stored)
                check_not_stopped(home, self.name)
                try:
                    return command.carry_out(bench, given)
                except ConflictError:  # somebody has just recorded the state of this number
                    continue
        raise BusyError(
            f"{command.cannot} at present", f"others were quicker {ATTEMPTS} times", "ask again"
        )

    def refuse(self, command: Command[BenchT], bench: BenchT) -> None:
        """Refuse a command where the device stands as a run sees it; nothing is done.

        Raises:
            RefusedError: the precondition does not hold. The refusal is recorded.
        """
        if reason := command.precondition(bench.situation):
            self._refuse(command, bench.stored, reason)

    def _refuse(self, command: Command[BenchT], stored: Any, reason: str) -> None:
        self.executor.record(self.given(command, stored, reason))
        raise refused(command, reason)

    def _give_way(self, command: Command[BenchT], stored: Any) -> None:
        by = stored.command.load(self.executor.kg).name if stored.command else "a command"
        problem = f"another process has commanded {self.name}: {by}"
        self.executor.record(self.given(command, stored, problem))
        raise BusyError(
            f"{command.cannot} as planned", problem, "ask again when the other is done with it"
        )
