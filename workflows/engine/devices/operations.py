"""`Operations`: what a device was told to do, each operation written down before and after it.

Both records are flushed to disk. An operation that has only the first was cut off: whether the
device has done it nobody knows, and nothing more is told to the device until a person has looked
and says so. What is done is read from the records and never done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import shorten
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Run
from triplestore.errors import ConflictError, ConsentError, InputError, RecordError
from workflows.trust.account import own_account
from workflows.trust.caller import caller

from ..execution.events import scope
from ..execution.executor import Executor
from .clock import Clock, SystemClock
from .command import Driver, RefusedError
from .journal import Journal
from .lease import BusyError, StoppedError, affirmed, check_not_stopped

Outcome: TypeAlias = Literal["done", "undone", "discarded"]


@dataclass(frozen=True)
class Said:
    """What a person says of an operation, having looked.

    Attributes:
        number: of the operation on the device, so that no other is meant.
        outcome: what became of it; `discarded` is said of all that was made so far, too.
    """

    number: int
    outcome: Outcome

    @classmethod
    def of(cls, text: str) -> Said:
        """Return what is said in words, such as `31 done`.

        Raises:
            InputError: it is not said like that.
        """
        number, _, outcome = text.strip().partition(" ")
        if not number.isascii() or not number.isdigit() or outcome not in get_args(Outcome):
            raise InputError(
                f"{text[:40]!r} was said of an operation",
                "that is no number with done, undone or discarded",
                "say it as in '31 done'",
            )
        return cls(int(number[:15]), cast("Outcome", outcome))


@dataclass(frozen=True)
class Unfinished:
    """The work that a device is in the middle of.

    Attributes:
        last: the last operation that it was told.
        end: what came of it; None where nobody knows.
    """

    last: Operation
    end: OperationEnd | None


class Operations:
    """What one device was told.

    Args:
        executor: records it.
        driver: of the device.
        clock: tells when something was sent, and when it was done.
    """

    def __init__(
        self, executor: Executor, driver: Driver[Any, Any], clock: Clock | None = None
    ) -> None:
        self.executor, self.driver, self.clock = executor, driver, clock or SystemClock()
        self._journal = Journal(
            executor.kg,
            Operation,
            "operation_number",
            instrument=driver.name,
            simulated=driver.simulated,
        )
        self._number: int | None = None

    @property
    def number(self) -> int:
        """The number of the last operation."""
        if self._number is None:
            latest = self._journal.latest()
            self._number = latest.operation_number if latest else 0
        return self._number

    def unfinished(self, is_over: Callable[[Link[Run]], bool]) -> Unfinished | None:
        """Return the work that the device is in the middle of; None where it is free.

        Args:
            is_over: tells whether all of a work is done and stored.
        """
        last = self._journal.latest()
        self._number = last.operation_number if last else 0
        if last is None:
            return None
        end = next(iter(self.executor.kg.find(OperationEnd, operation=Link[Operation](last))), None)
        if end is not None and (end.outcome == "discarded" or is_over(last.work)):
            return None
        return Unfinished(last, end)

    async def taken_up(
        self,
        said: Said | None,
        is_over: Callable[[Link[Run]], bool],
        verb: Callable[[Operation], str],
    ) -> Unfinished | None:
        """Return the work that the device is in the middle of, so that it can go on.

        What a simulated one was cut off in is undone: nobody is asked, nothing has moved.

        Args:
            said: what a person says of the last operation, having looked.
            is_over: tells whether all of a work is done and stored.
            verb: an operation in words.

        Raises:
            ConsentError: nobody knows whether the last operation was done, or a person has to say.
            InputError: something is said of what nobody doubts.
        """
        at = self.unfinished(is_over)
        if said is not None:
            await self.settle(at, said)
            at = self.unfinished(is_over)
        if at is None or at.end is not None:
            return at
        if not self.driver.simulated:
            raise doubt(at, verb(at.last), "`last`")
        self.executor.record(self._end(at.last, "undone"))
        return self.unfinished(is_over)

    def done(self, work: Link[Run]) -> list[tuple[Operation, OperationEnd]]:
        """Return the operations of a work that were done, in order.

        Raises:
            RecordError: one is missing among them, or was done twice.
        """
        return done_of(self.executor.kg, work)

    async def settle(self, at: Unfinished | None, said: Said) -> None:
        """Store what a person says who has looked at a device; of one that moves they are asked.

        Raises:
            InputError: it is of no operation that is in doubt, or unfinished.
            ConsentError: no person says it, or none is there who could be asked.
        """
        asked = f"operation {said.number} of {self.driver.name} was said to be {said.outcome}"
        if not caller().is_person:
            raise ConsentError(asked, "only a person can look", "have one say it")
        if at is None or at.last.operation_number != said.number:
            found = f"operation {at.last.operation_number} is its last" if at else "it is free"
            raise InputError(asked, found, "say nothing of others: what became of them is known")
        last, more = at.last, tuple[GraphModel, ...]()
        if at.end is not None:
            if said.outcome != "discarded":
                raise InputError(asked, f"it is {at.end.outcome}, which nobody doubts", "leave it")
            changed = {
                "operation_number": last.operation_number + 1,
                "told": "discarded",
                "sent": self.clock.now(),
            }
            last = last.model_copy(update=changed)
            more = (last,)
        if not self.driver.simulated:
            what = f"{asked}: {at.last.told}"
            await affirmed(what, asked, f"have you looked at {self.driver.name}, and is it so?")
        self._number = last.operation_number
        self.executor.record(*more, self._end(last, said.outcome, said_by=own_account().text))

    async def do(
        self,
        command: Any,
        told: str,
        work: Link[Run],
        place: int,
        of: int,
        more: Mapping[str, Any] | None = None,
    ) -> Any:
        """Have the device do an operation; return what it reads afterwards.

        Args:
            command: as the driver takes it.
            told: the same as JSON.
            work: the first run of what it is a part of.
            place: in that, from 1.
            of: how many operations that has.
            more: is written down with what the device reads, which is a mapping then.

        Raises:
            StoppedError: a person has stopped the device; nothing was sent.
            BusyError: somebody else has told it something meanwhile; likewise.
            RefusedError: the device refuses it; nothing was done.
            Exception: the driver has failed, and nobody knows what was done.
        """
        driver, kg = self.driver, self.executor.kg
        one = Operation(
            instrument=driver.name,
            simulated=driver.simulated,
            operation_number=self.number + 1,
            run=Link[Run](scope().run or work.iri),
            work=work,
            place_in_work=place,
            of_work=of,
            told=told,
            sent=self.clock.now(),
        )
        check_not_stopped(kg.store.home, driver.name)
        try:
            self.executor.record(one)
        except ConflictError as error:
            asked = f"{driver.name} was to do operation {one.operation_number}"
            found = "another process has commanded it meanwhile"
            raise BusyError(asked, found, "ask again when the other is done with it") from error
        self._number = one.operation_number
        try:
            check_not_stopped(kg.store.home, driver.name)  # the disk may have taken its time
        except StoppedError as error:
            self.executor.record(self._end(one, "undone", str(error)))
            raise
        try:
            reading = await driver.do(command)
        except RefusedError as error:  # all else may have been raised when something was done
            self.executor.record(self._end(one, "undone", str(error)))
            raise
        self.executor.record(self._end(one, "done", {**reading, **more} if more else reading))
        return reading

    def _end(
        self, one: Operation, outcome: Outcome, reading: Any = None, said_by: str = ""
    ) -> OperationEnd:
        return OperationEnd(
            operation=Link[Operation](one),
            work=one.work,
            outcome=outcome,
            reading=json.dumps(reading) if reading else "",
            ended=self.clock.now(),
            said_by=said_by,
        )


def done_of(kg: KnowledgeGraph, work: Link[Run]) -> list[tuple[Operation, OperationEnd]]:
    """Return the operations of a work that were done, in order; see `Operations.done`.

    Raises:
        RecordError: one is missing among them, or was done twice.
    """
    ends = {end.operation.iri: end for end in kg.find(OperationEnd, work=work)}
    told = sorted(kg.find(Operation, work=work), key=lambda one: one.operation_number)
    found = [
        (one, ends[one.iri]) for one in told if one.iri in ends and ends[one.iri].outcome == "done"
    ]
    places = [one.place_in_work for one, _ in found]
    if places != list(range(1, len(places) + 1)):
        asked = f"the operations of {shorten(work.iri)} were to be read"
        raise RecordError(asked, f"those that were done are {places}", "look at the device")
    return found


def doubt(at: Unfinished, said: str, option: str) -> ConsentError:
    """Return what is raised where nobody knows whether an operation was done.

    Args:
        at: where the device stands.
        said: the operation in words.
        option: what a person says it with.
    """
    one = at.last
    return ConsentError(
        f"{one.instrument} was to be commanded",
        f"operation {one.place_in_work} of {one.of_work} ({said}) was sent at "
        f"{one.sent:%Y-%m-%d %H:%M:%S} UTC by {shorten(one.run.iri)}, and nobody knows whether it "
        "was done",
        f"look at the device; then say {option} '{one.operation_number} done', '… undone', or "
        "'… discarded' with all that was made so far",
    )
