"""`Device`: one whose states are stored, each numbered and derived from the one before.

A command is checked against the latest state, and recorded together with the state that it leads
to. Of two that command the device from the same state, the store keeps one and refuses the other's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from ogm import GraphModel
from triplestore.errors import ConflictError

from ..execution.executor import Executor
from .command import Command, device_name, refused
from .journal import Journal
from .lease import BusyError, briefly_leased, check_not_stopped
from .rules import UNTAUGHT, Taught

ATTEMPTS = 20
"""How often a command is tried again because others were quicker."""

StoredT = TypeVar("StoredT", bound=GraphModel)
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


class Device(ABC, Generic[StoredT, BenchT]):
    """A device that is commanded; a `Driver`.

    Args:
        executor: its graph keeps the states.
        name: of the device, 1 to 100 printable letters.

    Raises:
        InputError: a name that cannot be.
    """

    simulated: ClassVar[bool]
    halt: Callable[[], None] | None = None

    def __init__(self, executor: Executor, name: str) -> None:
        self.executor, self.name = executor, device_name(name)
        self.journal = self._journal()

    @abstractmethod
    def _journal(self) -> Journal[StoredT]:
        """Return where its states are."""

    @abstractmethod
    def number(self, stored: StoredT | None) -> int:
        """Return the number of a state; 0 for a device as it was delivered."""

    @abstractmethod
    def situation(self, stored: StoredT | None) -> Any:
        """Return what a state means now to a planner."""

    @abstractmethod
    def bench(self, stored: StoredT | None) -> BenchT:
        """Return the device as a run sees it that begins."""

    @abstractmethod
    def given(self, command: Any, stored: StoredT | None, refusal: str = "") -> Any:
        """Return the record of a command to be stored, and why it was refused."""

    @abstractmethod
    def came_by(self, stored: StoredT) -> str:
        """Return the name of the command that led to a state."""

    def settled(self, stored: StoredT | None) -> StoredT | None:
        """Return a state, or the one that has followed by itself, recorded."""
        return stored

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

    def _refuse(self, command: Command[BenchT], stored: StoredT | None, reason: str) -> None:
        self.executor.record(self.given(command, stored, reason))
        raise refused(command, reason)

    def _give_way(self, command: Command[BenchT], stored: StoredT | None) -> None:
        name = self.came_by(stored) if stored is not None else "a command"
        problem = f"another process has commanded {self.name}: {name}"
        self.executor.record(self.given(command, stored, problem))
        raise BusyError(
            f"{command.cannot} as planned", problem, "ask again when the other is done with it"
        )
