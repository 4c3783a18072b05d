"""Protocols that are carried out: each operation recorded before and after, and counted.

A step of a protocol is a step of a run; what a device does by itself is an operation: one stroke of
at most eight channels into one column of vials, one solid into one vial, one setting. After each
the vials are counted, and compared with what the device reads.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from pydantic import BaseModel
from pydantic_graph import End

from ogm import GraphModel, Link
from ogm.terms import shorten
from ontologies.liquids import LiquidDesign, PreparedSamples, SimulatedSamples
from ontologies.operations import Operation, OperationEnd
from ontologies.permits import MakingPlan
from ontologies.provenance import Run
from triplestore.errors import RecordError
from workflows.engine import Done, Executor, Finish, Goal, Graph, Node, run_graph
from workflows.engine.devices.command import Sent
from workflows.engine.devices.lease import BusyError, leased
from workflows.engine.devices.operations import Operations, Said
from workflows.engine.execution.events import scope
from workflows.engine.execution.withdrawn import withdrawals
from workflows.engine.graph.effects import Target
from workflows.engine.request.form import Form
from workflows.permits.permission import permitted
from workflows.text.words import count

from .balance import Contents, Ledger, differences, enter, ledger
from .hardware import strokes
from .protocol import Protocol
from .simulator import Handler, Reading, SimulatedHandler
from .steps import Laid, Step

SEEN = 1e-6
"""µL that are nothing."""

TURN = 60.0
"""Seconds for which a simulation waits for another one."""


def operations(steps: Sequence[Step], laid: Laid) -> list[tuple[int, Step]]:
    """Return what a device does one after the other, each with the number of its step, from 1."""
    tip = laid.design.tip.value
    return [(n, one) for n, step in enumerate(steps, 1) for one in _parts(step, tip)]


def _parts(step: Step, tip: float) -> Iterator[Step]:
    if step.unit == "mg":
        for vial, dose in step.values.items():
            yield step.model_copy(update={"values": {vial: dose}})
    elif step.unit == "µL":
        columns = defaultdict[str, dict[str, list[float]]](dict)
        for vial, dose in step.values.items():
            columns[vial[1:]][vial] = strokes(dose, tip)
        for column in columns.values():
            for n in range(max(map(len, column.values()))):
                doses = {vial: each[n] for vial, each in column.items() if n < len(each)}
                yield step.model_copy(update={"values": doses})
    else:
        yield step


@dataclass(frozen=True)
class Progress:
    """How far a protocol is.

    Attributes:
        done: steps that are.
        of: how many there are.
        stored: whether the samples are.
    """

    done: int
    of: int
    stored: bool = False
    busy: ClassVar[str | None] = None

    def __str__(self) -> str:
        return f"{self.done} of {self.of} steps are done"


@dataclass(frozen=True)
class HandlerBench:
    """A handler, and how far it is.

    Attributes:
        protocol: what it carries out.
        design: as it is stored.
        operations: what it was told, and its driver.
        todo: all operations of the protocol, each with the number of its step.
        done: how many of them are.
        work: the run that began; None for one that is to begin.
        former: IRI of the run that this one goes on from; empty for none.
        samples: what was made in the end.
    """

    protocol: Protocol
    design: LiquidDesign
    operations: Operations
    todo: tuple[tuple[int, Step], ...]
    done: int = 0
    work: Link[Run] | None = None
    former: str = ""
    samples: PreparedSamples | SimulatedSamples | None = None

    @property
    def device(self) -> Handler:
        """Its driver."""
        return self.operations.driver  # pyright: ignore[reportReturnType]

    @property
    def version(self) -> str:
        """The number of the last operation of the device."""
        return str(self.operations.number)

    @property
    def digest(self) -> str:
        """Of all operations, in order."""
        told = "\n".join(one.model_dump_json() for _, one in self.todo)
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def situation(self) -> Progress:
        """What a planner needs to know."""
        steps = len(self.protocol.steps)
        left = [number for number, _ in self.todo[self.done :]]
        return Progress(min(left) - 1 if left else steps, steps, self.samples is not None)

    @property
    def recorded(self) -> Sequence[str]:
        """The IRI of the samples."""
        return [self.samples.iri] if self.samples else []

    @property
    def product(self) -> GraphModel | None:
        """None: the samples are among the results."""
        return None


class CarryOut(Sent[HandlerBench]):
    """Have the device carry out one step of the protocol.

    Attributes:
        number: of the step, from 1.
        what: the step in words.
    """

    then: ClassVar[CarryOut | Count]
    cannot = "the step cannot be carried out"
    number: int
    what: str

    def target(self, state: HandlerBench) -> Target:
        found = super().target(state)
        left = sum(number == self.number for number, _ in state.todo[state.done :])
        checks = (f"{left} operations are left of this step", *found.checks)
        return replace(found, bound=(state.design.iri, state.digest), checks=checks)

    def checks(self, situation: Progress) -> tuple[str, ...]:
        return ()

    def obstacle(self, situation: Progress) -> str | None:
        if self.number <= situation.done:
            return "it is done already; go on with the next"
        after = situation.done + 1
        return None if self.number == after else f"step {after} is not done; do it first"

    def change(self, situation: Progress) -> Progress:
        return replace(situation, done=self.number)

    @property
    def said(self) -> str:
        return f"{self.number}. {self.what}"

    async def work(self, state: HandlerBench, executor: Executor) -> Done[HandlerBench]:
        work = state.work or Link[Run](scope().run)
        held = ledger(one for _, one in state.todo[: state.done])
        for place, (number, one) in enumerate(state.todo[state.done :], state.done + 1):
            if number != self.number:
                break
            told = one.model_dump_json()
            reading = await state.operations.do(one, told, work, place, len(state.todo))
            enter(held, one)
            _compare(held, reading, state, place)
            state = replace(state, done=place, work=work)
        return Done(state)


class Count(Node[HandlerBench]):
    """Compare what is in the vials with the design, and store it."""

    then: ClassVar[End[Finish]]

    def precondition(self, situation: Progress) -> str | None:
        if situation.stored:
            return "the samples are stored"
        return None if situation.done == situation.of else str(situation)

    def effect(self, situation: Progress) -> Progress:
        return replace(situation, stored=True)

    async def work(self, state: HandlerBench, executor: Executor) -> Done[HandlerBench]:
        samples = _samples(state)
        executor.record(samples)
        return Done(replace(state, samples=samples))

    @property
    def said(self) -> str:
        return "the samples are counted"


def _compare(held: Ledger, reading: Reading, state: HandlerBench, place: int) -> None:
    """Compare what is counted with what the device has read.

    Raises:
        RecordError: they differ.
    """
    for where, read in reading.items():
        plate, _, vial = where.rpartition(" ")
        content = held.get((plate, vial), Contents())
        counted = 1e9 * math.fsum(content.cubic_metres.values())
        if not math.isclose(read, counted, rel_tol=state.device.precision, abs_tol=SEEN):
            raise RecordError(
                f"operation {place} of {state.design.name} was done by {state.device.name}",
                f"{where} holds {read:.6g} µL as it reads, and {counted:.6g} µL as counted",
                "look at the device: nothing more is sent until a person says `last` "
                f"'{state.operations.number} discarded'",
            )


def _compare_all(stored: Sequence[tuple[Operation, OperationEnd]], state: HandlerBench) -> None:
    """Compare what is counted with what was read after each operation that was done.

    Raises:
        RecordError: they differ, whatever was asked since.
    """
    held = ledger(())
    for place, (one, end) in enumerate(stored, 1):
        enter(held, _step(one))
        _compare(held, json.loads(end.reading or "{}"), state, place)


def _samples(state: HandlerBench) -> PreparedSamples | SimulatedSamples:
    """Return what was made, once it is what the design wants.

    Raises:
        RecordError: it is not.
    """
    assert state.work is not None  # something was done
    stored = state.operations.done(state.work)
    _compare_all(stored, state)
    done = [_step(one) for one, _ in stored]
    if wrong := differences(state.protocol.laid, done):
        raise RecordError(f"the samples of {state.design.name} were made", wrong[0], "discard them")
    contents = defaultdict[str, dict[str, Any]](dict)
    for (plate, vial), one in ledger(done).items():
        solid = {name: [kg * 1e6, "mg"] for name, kg in one.kilograms.items() if kg}
        liquid = {name: [m3 * 1e9, "µL"] for name, m3 in one.cubic_metres.items() if m3}
        contents[plate][vial] = solid | liquid
    return _kind(state.device)(
        design=state.design,
        run=Link[Run](scope().run),
        work=state.work,
        instrument=state.device.name,
        operations_digest=state.digest,
        operations=len(stored),
        steps_done=tuple(_told(state, stored)),
        contents=json.dumps(contents, ensure_ascii=False),
        ended=datetime.now(UTC),
    )


def _told(state: HandlerBench, stored: Sequence[tuple[Operation, OperationEnd]]) -> Iterator[str]:
    """Iterate over the steps in words, with what was done of each, and when."""
    for number, step in enumerate(state.protocol.steps, 1):
        mine = [each for each, (n, _) in zip(stored, state.todo, strict=True) if n == number]
        begun, ended = mine[0][0].sent, mine[-1][1].ended
        times = f"{begun:%Y-%m-%d %H:%M:%S} to {ended:%H:%M:%S} UTC"
        said = [
            f", operation {one.place_in_work} as a person says" for one, end in mine if end.said_by
        ]
        yield f"{step}: {count(len(mine), 'operation')}, {times}{''.join(said)}"


class Carrying(Form):
    """What is carried out, as it is recorded with the run.

    Attributes:
        digest: of all operations, see `HandlerBench.digest`.
    """

    device: str
    simulated: bool
    steps: tuple[str, ...]
    digest: str


class HandlerGraph(Graph[HandlerBench]):
    """The steps of a protocol, each a node of its own."""

    def bind(self, request: BaseModel) -> tuple[list[Node[HandlerBench]], dict[str, str]]:
        assert isinstance(request, Carrying)
        steps = enumerate(request.steps, 1)
        return [*(CarryOut(number=number, what=what) for number, what in steps), Count()], {}


DISPENSING = HandlerGraph("dispensing", CarryOut, Count)


async def begun(bench: HandlerBench, said: Said | None) -> HandlerBench:
    """Return where a device stands with a protocol; what was done is done.

    A simulated one stands wherever its records say: nobody is asked what became of an operation
    that was cut off, nor whether it may begin another protocol.

    Args:
        bench: the device, and what is asked of it.
        said: what a person says of the last operation, having looked.

    Raises:
        ConsentError: nobody knows whether the last operation was done, or a person has to say.
        BusyError: the device is in the middle of another protocol.
        InputError: something is said of what nobody doubts.
        RecordError: the device has read something else than is counted, and nobody has discarded
            what was made.
    """
    device, kg = bench.operations, bench.operations.executor.kg

    def is_over(work: Link[Run]) -> bool:
        return bool(kg.find(_kind(bench.device), work=work))

    at = await device.taken_up(said, is_over, lambda one: str(_step(one)))
    if at is None:
        bench.device.begin(())
        return bench
    work = at.last.work
    first = kg.pull(Run, work.iri)
    done = device.done(work)
    told = [one.told for one, _ in done]
    asked = json.loads(first.request)
    same = asked.get("digest") == bench.digest and bench.design.iri in {x.iri for x in first.about}
    if not same or told != [one.model_dump_json() for _, one in bench.todo[: len(told)]]:
        if bench.device.simulated:
            bench.device.begin(())
            return bench
        raise BusyError(
            f"{bench.device.name} was to begin {bench.design.name}",
            f"it is in the middle of another protocol, {shorten(work.iri)}: "
            f"{len(told)} of {at.last.of_work} operations are done",
            f"go on with that one, or say `last` '{at.last.operation_number} discarded'",
        )
    _compare_all(done, bench)
    bench.device.begin([one for _, one in bench.todo[: len(told)]])
    return replace(bench, done=len(told), work=work, former=at.last.run.iri)


def _step(one: Operation) -> Step:
    return Step.model_validate_json(one.told)


async def carry_out(
    found: Protocol,
    design: LiquidDesign,
    driver: Handler,
    executor: Executor,
    *,
    said: Said | None = None,
) -> PreparedSamples | SimulatedSamples:
    """Have a device carry out a protocol, or go on with it where it was cut off.

    A person permits what a real device makes, once, and agrees to each step; a simulation asks
    nobody.

    Args:
        found: the protocol.
        design: as it is stored.
        driver: of the device.
        executor: records all of it.
        said: what a person says of an operation of which nobody knows whether it was done.

    Raises:
        ConsentError: a person has to permit it, or to say what became of an operation.
        ApprovalError: a person has to agree to a step.
        BusyError: another process, or another protocol, has the device.
        StoppedError: a person has stopped the device.
        RefusedError: the device refuses an operation.
        RecordError: the device reads something else than is counted.
    """
    todo = tuple(operations(found.steps, found.laid))
    bench = HandlerBench(found, design, Operations(executor, driver), todo)
    patience = TURN if driver.simulated else 1
    home = executor.kg.store.home
    async with leased(home, driver.name, halt=driver.halt, patience=patience):
        bench = await begun(bench, said)
        if bench.work is None and not driver.simulated:
            await permitted(executor, _plan(found, driver))
        asked = Carrying(
            device=driver.name,
            simulated=driver.simulated,
            steps=tuple(str(one) for one in found.steps),
            digest=bench.digest,
        )
        finish = await run_graph(
            DISPENSING,
            bench,
            asked,
            _goal(driver.simulated),
            executor,
            subject=f"{design.name} at {driver.name}{' (simulated)' * driver.simulated}",
            about=(design,),
            forms=(asked,),
            resume_from=bench.former,
        )
    samples = finish.state.samples
    assert isinstance(samples, _kind(driver))
    return samples


def _kind(driver: Handler) -> type[PreparedSamples] | type[SimulatedSamples]:
    """Return the class of what a device makes: a simulation never makes the other."""
    return SimulatedSamples if driver.simulated else PreparedSamples


def _goal(simulated: bool) -> Goal:
    text = "the protocol is simulated" if simulated else "the samples are made"
    return Goal(text, lambda at: at.stored)


def _plan(found: Protocol, driver: Handler) -> MakingPlan:
    """Return what a person permits: all materials, all operations, one device."""
    chemicals = found.design.chemicals
    return MakingPlan(
        title=found.design.name,
        notations=tuple(one.structure for one in chemicals.values() if one.structure),
        names=tuple(name for name, one in chemicals.items() if not one.structure),
        details=found.hardware.model_dump_json(),
        done_by=driver.name,
    )


def _when(samples: SimulatedSamples) -> datetime:
    return samples.ended


async def simulated(
    found: Protocol,
    design: LiquidDesign,
    executor: Executor,
    said: Said | None = None,
    driver: SimulatedHandler | None = None,
) -> SimulatedSamples:
    """Have a simulated device carry out a protocol, or return what it has made of it before.

    Of several the latest that nobody has withdrawn.

    Raises:
        GraficoError: as `carry_out`.
    """
    driver = driver or SimulatedHandler()
    todo = tuple(operations(found.steps, found.laid))
    digest = HandlerBench(found, design, Operations(executor, driver), todo).digest
    of: Any = {"design": design, "operations_digest": digest, "instrument": driver.name}
    made = executor.kg.find(SimulatedSamples, **of)
    gone = withdrawals(executor.kg, [iri for one in made for iri in (one.run.iri, one.work.iri)])
    valid = [one for one in made if gone.keys().isdisjoint({one.run.iri, one.work.iri})]
    if valid and said is None:
        return max(valid, key=_when)
    samples = await carry_out(found, design, driver, executor, said=said)
    assert isinstance(samples, SimulatedSamples)
    return samples
