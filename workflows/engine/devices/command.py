"""`Driver` and `Command`: what stands for a device, and the steps of a graph that command it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from triplestore.errors import InputError

from ..execution.executor import Executor
from ..graph.effects import Target
from ..graph.graph import Done, Node, State
from .rules import forbidden, noted

CommandT_contra = TypeVar("CommandT_contra", contravariant=True)
ReadingT_co = TypeVar("ReadingT_co", covariant=True)


class RefusedError(InputError):
    """The device refuses a command; nothing has changed."""


class Driver(Protocol[CommandT_contra, ReadingT_co]):
    """What carries out commands: a simulation, or the program of a device.

    Attributes:
        name: of the device.
        simulated: whether nothing moves.
        halt: ends what the device does at once, from whatever thread; None where the command in
            progress ends by itself.
    """

    @property
    def name(self) -> str: ...
    @property
    def simulated(self) -> bool: ...
    @property
    def halt(self) -> Callable[[], None] | None: ...

    async def do(self, command: CommandT_contra, /) -> ReadingT_co:
        """Carry out a command, and return what the device reads afterwards.

        Raises:
            RefusedError: the device refuses it, and has done nothing.
        """
        ...


class Commanded(State, Protocol):
    """Where a run stands that commands a device."""

    @property
    def device(self) -> Any:
        """The device, which has a name."""
        ...

    @property
    def version(self) -> str:
        """Of the state that it is in."""
        ...


BenchT = TypeVar("BenchT", bound=Commanded)


class Command(Node[BenchT]):
    """A command to a device: possible where it is not busy and nothing else stands in its way.

    A reason against it is what is there, a semicolon, and what to do.

    Attributes:
        cannot: what is said where it is refused.
        keeps_rules: whether its bench and situation have a field `taught`, in which a run holds
            what `taught.taught` returns; of others nothing is taught.
    """

    cannot: ClassVar[str] = ""
    keeps_rules: ClassVar[bool] = False
    effects = frozenset({"device"})

    def target(self, state: BenchT) -> Target:
        return Target(state.device.name, state.version)

    def checks(self, situation: Any) -> tuple[str, ...]:
        return (str(situation),)

    def precondition(self, situation: Any) -> str | None:
        reason = situation.busy or self.obstacle(situation)
        return reason or (forbidden(self.called, situation) if self.keeps_rules else None)

    def obstacle(self, situation: Any) -> str | None:
        """Return what else stands in the way of the command; None if nothing does."""
        raise NotImplementedError

    def change(self, situation: Any) -> Any:
        """Return what the command makes of a situation, at once."""
        raise NotImplementedError

    def is_so(self, situation: Any) -> bool:
        """Tell whether the command would change nothing, as it is so already."""
        return self.change(situation) == situation

    def effect(self, situation: Any) -> Any:
        return self._noted(self.change(situation))

    def _noted(self, held: Any) -> Any:
        return noted(self.called, held) if self.keeps_rules else held

    def carry_out(self, bench: BenchT, given: Any) -> BenchT:
        """Do the command, and record it with what it changes.

        Args:
            bench: the device as it stands.
            given: the record of the command, to be stored.

        Raises:
            ConflictError: somebody else has just changed the state.
        """
        raise NotImplementedError

    async def work(self, state: BenchT, executor: Executor) -> Done[BenchT]:
        return Done(self._noted(await self.send(state.device, state)))

    async def send(self, device: Any, since: BenchT | None) -> BenchT:
        """Have a device do the command.

        Args:
            device: the device.
            since: where it stood when the command was chosen; None if that does not matter.
        """
        return device.perform(self, since)

    @property
    def said(self) -> str:
        return self.verb

    @property
    def verb(self) -> str:
        """The command's name on the device: of OpenLid open_lid."""
        return verb_of(self.name)

    @property
    def called(self) -> str:
        """The same without what it sets: rules are about that, see `rules`."""
        return self.verb


class Sent(Command[BenchT]):
    """A command that `Operations` sends; of a simulated device it acts on nothing."""

    effects = frozenset()

    def effects_on(self, state: BenchT) -> frozenset[str]:
        return frozenset[str]() if state.device.simulated else frozenset({"device"})

    def target(self, state: BenchT) -> Target:
        halt = state.device.halt
        ends = () if halt else ("when it is stopped, the command in progress ends by itself",)
        return replace(super().target(state), checks=ends, halt=halt)


def verb_of(name: str) -> str:
    """Return the name of a command on the device, of that of its class."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def refused(command: Command[Any], reason: str) -> RefusedError:
    """Return the error for a command and the reason against it."""
    found, _, advice = reason.partition("; ")
    return RefusedError(command.cannot, found, advice)


def device_name(name: str, what: str = "device") -> str:
    """Return the name of a device, or of what else has one.

    Raises:
        InputError: it cannot be one.
    """
    if not 1 <= len(name) <= 100 or not name.isprintable():
        asked = f"a {what} named {name[:100]!r} was asked for"
        raise InputError(asked, "", "give 1 to 100 printable letters")
    return name
