"""Protocols that are carried out, on a simulated handler and on one that moves something."""

from __future__ import annotations

import asyncio
import functools
import json
import math
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.consent import DeedSent
from ontologies.liquids import LiquidDesign, PreparedSamples, SimulatedSamples
from ontologies.operations import Operation, OperationEnd
from ontologies.permits import MakingPermission
from ontologies.provenance import Transition
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import ConsentError, RecordError
from workflows.engine import Executor
from workflows.engine.devices import lease
from workflows.engine.devices.command import RefusedError
from workflows.engine.devices.operations import Said
from workflows.engine.graph.waiting import ApprovalError
from workflows.liquids.protocol import Protocol, protocol
from workflows.liquids.reading import design_of
from workflows.liquids.running import carry_out, operations, simulated
from workflows.liquids.simulator import Reading, SimulatedHandler
from workflows.liquids.steps import Step
from workflows.trust.caller import NOBODY, PERSON, asked_by

DESIGNS = Path(__file__).parent / "designs"
ROOT = Path(__file__).resolve().parents[2]
WATER = {
    "name": "water",
    "chemicals": {"water": {"state": "liquid", "structure": "O"}},
    "samples": [{"amounts": {"water": "1.5 mL"}, "vials": "A1-A3", "replicates": 3}],
    "plate": {"array": "4x6", "capacity": "4 mL"},
}
SALT: dict[str, Any] = {**WATER, "name": "more water", "samples": [{"amounts": {"water": "2 mL"}}]}


def agreed(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[..., Coroutine[Any, Any, None]]:
    """Run a test for a person who agrees to what is asked."""

    @functools.wraps(test)
    async def run(*args: Any, **more: Any) -> None:
        with agreeing():
            await test(*args, **more)

    return run


def stored(found: Protocol) -> LiquidDesign:
    return LiquidDesign(name=found.design.name, text=found.design.model_dump_json(by_alias=True))


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


class Failing(SimulatedHandler):
    """A simulated handler that fails, or misreads, at one of its operations."""

    def __init__(self, at: int, how: str, *, real: bool = False) -> None:
        super().__init__("bench")
        self.simulated = not real  # pyright: ignore[reportIncompatibleVariableOverride]
        self._left, self._how = at, how
        self.did = list[Step]()

    async def do(self, command: Step, /) -> Reading:
        self._left -= 1
        if not self._left and self._how == "fails":
            raise OSError("the line is dead")
        self.did.append(command)
        reading = await super().do(command)
        return {one: 0.99 * µl for one, µl in reading.items()} if not self._left else reading


@pytest.mark.parametrize("name", ["exp1", "exp2", "exp3", "exp4", "exp5"])
async def test_published_experiments_come_to_what_is_planned(executor: Executor, name: str) -> None:
    found = protocol(design_of(DESIGNS / f"{name}.yaml"))
    made = await simulated(found, stored(found), executor)
    contents = json.loads(made.contents)
    diluted = found.laid.dilution is not None
    for plate, vials in found.amounts.items():
        for vial, doses in vials.items():
            held = contents[plate][vial]
            for dose_of, dose in doses.items():
                value, unit = held[dose_of]
                assert unit == ("mg" if found.design.is_solid(dose_of) else "µL")
                if not diluted:
                    assert math.isclose(value, dose, rel_tol=1e-9)
    told = executor.kg.find(Operation)
    assert made.operations == len(told) == len(operations(found.steps, found.laid))
    assert len(executor.kg.find(OperationEnd, outcome="done")) == len(told)
    taken = sorted(executor.kg.find(Transition, run=made.run), key=lambda one: one.index)
    assert [one.node for one in taken] == [*["CarryOut"] * len(found.steps), "Count"]
    assert taken[1].menu == (f"CarryOut (number 2, what {found.steps[1]})",)
    assert f"CarryOut (number 3, what {found.steps[2]}): step 2 is not done" in taken[1].refused[1]
    assert (await simulated(found, stored(found), executor)).iri == made.iri  # not done again
    assert len(executor.kg.find(Operation)) == len(told)


def test_operations_are_strokes_of_eight_channels_at_most() -> None:
    found = protocol(WATER)
    told = [one.values for _, one in operations(found.steps, found.laid)]
    assert told == [{vial: 750.0} for vial in ("A1", "A2", "A3") for _ in range(2)]
    every = protocol(design_of(DESIGNS / "exp4.yaml"))
    for _, one in operations(every.steps, every.laid):
        assert len(one.values) <= 8
        assert len({vial[1:] for vial in one.values}) <= 1 or not one.unit
        assert all(dose <= 1000 for dose in one.values.values() if one.unit == "µL")


@agreed
async def test_what_was_cut_off_is_asked_and_nothing_is_done_twice(executor: Executor) -> None:
    found, device = protocol(WATER), Failing(3, "fails", real=True)
    design, todo = stored(found), [one for _, one in operations(found.steps, found.laid)]
    with pytest.raises(OSError, match="dead"):
        await carry_out(found, design, device, executor)
    with pytest.raises(ConsentError, match="operation 3 of 6"):
        await carry_out(found, design, device, executor)
    with pytest.raises(ConsentError, match=r"operation 3 of 6 \(Add water") as asked:
        await carry_out(found, design, device, executor)
    assert "say `last` '3 done'" in asked.value.advice
    made = await carry_out(found, design, device, executor, said=Said(3, "undone"))
    assert device.did == todo
    assert made.operations == 6
    run = made.run.load(executor.kg)
    assert run.resumes is not None
    assert run.resumes.iri == made.work.iri


@agreed
async def test_what_a_person_says_was_done_is_not_done_again(executor: Executor) -> None:
    found, device = protocol(WATER), Failing(6, "fails", real=True)
    design, todo = stored(found), [one for _, one in operations(found.steps, found.laid)]
    with pytest.raises(OSError, match="dead"):
        await carry_out(found, design, device, executor)
    made = await carry_out(found, design, device, executor, said=Said(6, "done"))
    assert device.did == todo[:5]
    assert made.steps_done[0].endswith(", operation 6 as a person says")  # who, its end says


@agreed
async def test_a_device_in_the_middle_of_another_protocol_is_not_begun_with(
    executor: Executor,
) -> None:
    found, other, device = protocol(WATER), protocol(SALT), Failing(3, "fails", real=True)
    with pytest.raises(OSError, match="dead"):
        await carry_out(found, stored(found), device, executor)
    with pytest.raises(ConsentError, match="nobody knows"):
        await carry_out(other, stored(other), device, executor)
    with pytest.raises(lease.BusyError, match="2 of 6 operations are done"):
        await carry_out(other, stored(other), device, executor, said=Said(3, "undone"))
    made = await carry_out(other, stored(other), device, executor, said=Said(3, "discarded"))
    [value, unit] = json.loads(made.contents)["Plate 1"]["A1"]["water"]
    assert unit == "µL"
    assert value == pytest.approx(2000, rel=1e-9)


@agreed
async def test_what_is_left_is_as_it_was_permitted(executor: Executor) -> None:
    found, device = protocol(WATER), Failing(3, "fails", real=True)
    with pytest.raises(OSError, match="dead"):
        await carry_out(found, stored(found), device, executor)
    [step] = found.steps
    more = step.model_copy(update={"values": {**step.values, "A3": 3000.0}})
    other = replace(found, steps=(more,))
    with pytest.raises(lease.BusyError, match="in the middle of another protocol"):
        await carry_out(other, stored(found), device, executor, said=Said(3, "undone"))
    assert len(device.did) == 2
    await carry_out(found, stored(found), device, executor)


async def test_a_simulation_that_was_cut_off_asks_nobody(executor: Executor) -> None:
    found, other, device = protocol(WATER), protocol(SALT), Failing(3, "fails")
    with asked_by(NOBODY):
        with pytest.raises(OSError, match="dead"):
            await carry_out(found, stored(found), device, executor)
        made = await carry_out(other, stored(other), device, executor)
        assert made.operations == 2
        device = Failing(3, "fails")
        with pytest.raises(OSError, match="dead"):
            await carry_out(found, stored(found), device, executor)
        made = await carry_out(found, stored(found), device, executor)
    assert device.did == [one for _, one in operations(found.steps, found.laid)]
    assert made.operations == 6


async def test_a_vial_that_reads_otherwise_than_it_is_counted_ends_the_run(
    executor: Executor,
) -> None:
    found, device = protocol(WATER), Failing(2, "misreads")
    with pytest.raises(RecordError, match="Plate 1 A1 holds 1485 µL as it reads, and 1500 µL"):
        await carry_out(found, stored(found), device, executor)
    assert len(device.did) == 2
    with pytest.raises(RecordError, match="1485 µL as it reads") as again:
        await carry_out(found, stored(found), device, executor)
    assert "`last` '2 discarded'" in again.value.advice
    assert len(device.did) == 2, "nothing more was sent"
    made = await carry_out(found, stored(found), device, executor, said=Said(2, "discarded"))
    assert made.operations == 6


class Slow(Failing):
    """Waits in its third operation."""

    def __init__(self) -> None:
        super().__init__(0, "", real=True)
        self.waits, self.goes_on = asyncio.Event(), asyncio.Event()

    async def do(self, command: Step, /) -> Reading:
        if len(self.did) == 2:
            self.waits.set()
            await self.goes_on.wait()
        return await super().do(command)


@agreed
async def test_what_is_being_done_is_not_done_by_another_request_too(tmp_path: Path) -> None:
    found, device = protocol(WATER), Slow()
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store))
        one = asyncio.create_task(carry_out(found, stored(found), device, executor))
        await device.waits.wait()
        with pytest.raises(lease.BusyError, match="another request of this process"):
            await carry_out(found, stored(found), device, executor, said=Said(3, "undone"))
        device.goes_on.set()
        made = await one
        executor.close()
    assert made.operations == len(device.did) == 6


async def test_a_simulated_handler_refuses_what_no_device_can_do() -> None:
    device = SimulatedHandler()
    add = Step(action="Add", parameter="water", plate="Plate 1", unit="µL", values={"A1": 100.0})
    draw = Step(
        action="Transfer", parameter="Discrete", plate="Plate 1", to="Plate 2", unit="µL",
        values={"A1": 200.0},
    )  # fmt: skip
    heat = Step(action="Set", parameter="HeatingTemp", plate="Plate 1", unit="°C", value=80.0)
    cap = Step(action="Set", parameter="Cap", plate="Plate 1")
    assert await device.do(add) == {"Plate 1 A1": 100.0}
    for refused in (draw, heat):
        with pytest.raises(RefusedError):
            await device.do(refused)
    await device.do(cap)
    with pytest.raises(RefusedError, match="capped"):
        await device.do(add)
    await device.do(heat)
    assert dict(device.volumes) == {"Plate 1 A1": 100.0}


async def test_a_real_device_needs_a_permission_and_a_yes(executor: Executor) -> None:
    found, device = protocol(WATER), Failing(0, "", real=True)
    design = stored(found)
    with asked_by(NOBODY), pytest.raises(ConsentError, match="a person can agree"):
        await carry_out(found, design, device, executor)
    assert not device.did
    with agreeing():
        made = await carry_out(found, design, device, executor)
    assert isinstance(made, PreparedSamples)
    assert len(executor.kg.find(MakingPermission)) == 1
    assert len(executor.kg.find(DeedSent)) == len(found.steps) + 1  # and the permission
    assert not executor.kg.find(SimulatedSamples)
    with asked_by(PERSON), pytest.raises((ConsentError, ApprovalError)):  # once is once
        await carry_out(found, design, device, executor)
    assert len(device.did) == 6


async def test_a_simulation_is_no_preparation(executor: Executor) -> None:
    found = protocol(WATER)
    await simulated(found, stored(found), executor)
    assert not executor.kg.find(PreparedSamples)
    assert not executor.kg.find(DeedSent)


def test_killed_twenty_times_nothing_is_repeated_or_lost() -> None:
    command = [sys.executable, "-m", "tests.liquids.kills", "3", "20"]  # it forks: no threads here
    told = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    assert told["kills"] >= 20
    assert told["doubts"]
    assert told["protocols"]
    assert told["misread"]


def test_the_command_line_simulates_and_shows_what_was_done(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"))
    came = typed("protocol", str(DESIGNS / "exp1.yaml"), "--simulate", "--json", *store)
    facts = json.loads(came.stdout)["simulated"]
    assert facts["operations"] == 52
    shown = typed("show", facts["run"], *store).output
    assert "Add methanol (µL) to 8 vials in Plate 1: 40 operations" in shown
    assert "not installed" not in shown
    assert "name one of: simulator" in typed("stop", "simulater", *store, status=2).output
    assert "no device was named" in typed("stop", "--go-on", *store, status=2).output
    told = json.loads(typed("stop", "--json", *store).stdout)  # all that there are
    assert told == [{"device": "simulator", "stopped": True, "commanded_by": None}]
    assert "nobody was commanding it" in typed("stop", "simulator", *store).output
    came = typed("protocol", str(DESIGNS / "exp2.yaml"), "--simulate", *store, status=1)
    assert "it was stopped by " in came.output
    came = typed("resume", facts["run"], *store, status=2)
    assert "a part of what protocol does" in came.output
    came = typed("protocol", str(DESIGNS / "exp1.yaml"), "--last", "3 done", *store, status=2)
    assert "a plan has no operations" in came.output


def test_python_is_handed_the_samples() -> None:
    with Grafico("memory:") as session:
        made = session.protocol(WATER, simulate=True)
        assert isinstance(made, SimulatedSamples)
        assert session.kg.pull(SimulatedSamples, made.iri) == made


def test_samples_that_were_withdrawn_are_not_handed_out_again() -> None:
    with Grafico("memory:") as session:
        first = session.protocol(WATER, simulate=True)
        assert session.protocol(WATER, simulate=True) == first
        session.withdraw(first.run.iri, why="the wrong bottle")
        second = session.protocol(WATER, simulate=True)
        assert second.ended > first.ended
        assert session.protocol(WATER, simulate=True) == second
        session.withdraw(first.run.iri, undo=True)
        assert session.protocol(WATER, simulate=True) == second, "the latest of both"


def test_the_overhead_of_an_operation_is_small(tmp_path: Path) -> None:
    """Two flushes an operation; a second is far more than they take."""
    import time

    found = protocol(design_of(DESIGNS / "exp4.yaml"))
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store))
        begun = time.monotonic()
        made = asyncio.run(simulated(found, stored(found), executor))
        took = time.monotonic() - begun
        executor.close()
    assert took / made.operations < 1.0
