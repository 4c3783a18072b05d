"""A verified synthesis becomes commands of the robot's card, which its simulation goes through."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ogm import Link
from ontologies.permits import MakingPermission, MakingPlan
from ontologies.provenance import Run
from ontologies.syntheses import SimulatedSynthesis
from triplestore.errors import RecordError
from workflows.engine import Executor, Findings, StepGraph, run_graph, step
from workflows.engine.devices.clock import Clock
from workflows.engine.devices.described import CardCommand, DescribedGraph
from workflows.engine.devices.driven import PATIENCE, Driven, SimulatedDevice
from workflows.engine.devices.lease import leased
from workflows.engine.devices.meaning import ended
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.terms import Value
from workflows.engine.execution.events import scope
from workflows.engine.request.form import Form
from workflows.permits.permission import permitted

from .actions import (
    ROOM,
    Add,
    Atmosphere,
    Collect,
    Concentrate,
    Degas,
    Dosing,
    Extract,
    Filter,
    Purify,
    Quench,
    Reflux,
    SetTemperature,
    Stir,
    SynthesisAction,
    Wait,
    Wash,
)
from .flask import Flask, Synthesis
from .verifying import CARD, WARM

ROBOT = DescribedGraph(CARD)
SIMULATION = f"{CARD.name} (simulated)"
"""Who does what a permission is for: a real robot would be another."""

NEAR = 0.01
"""ML by which the flask may differ from what was counted."""


def commands(plan: Synthesis) -> list[CardCommand]:
    """Return what the robot is told, in order."""
    found = [_command("take_flask", flask=plan.flask)]
    for _, one, at, then in plan.walk():
        found += _commands(plan, one, at, then)
    return found


def _command(called: str, **given: Value) -> CardCommand:
    kind: Any = ROBOT.named(called)
    rounded = {name: round(x, 6) if isinstance(x, float) else x for name, x in given.items()}
    return kind(given=tuple(rounded.items()))


def _commands(
    plan: Synthesis, one: SynthesisAction, at: Flask, then: Flask
) -> Iterator[CardCommand]:
    match one:
        case Extract() | Wash():
            how: dict[str, Value] = {"chemical": one.chemical, "volume": plan.liquid(one)}
            yield _command("shake", **how, times=one.times, kept=then.volume)
        case Dosing():
            yield _dosed(plan, one)
        case SetTemperature():
            yield from _heated(at, one.to.value, one.condenser)
        case Reflux():
            assert one.temperature is not None  # so the verifiers
            boils = one.temperature.value
            yield from _heated(at, boils, True)
            yield _command("hold", time=one.time.value)
            hot = replace(at, temperature=boils, condenser=True)
            yield from _heated(hot, ROOM.value, False)
        case Stir():
            if one.rate.value != at.rate:
                yield _command("stir", rate=one.rate.value)
            if one.time:
                yield _command("hold", time=one.time.value)
        case Wait():
            yield _command("hold", time=one.time.value)
        case Atmosphere():
            yield _command("fill_with", gas=one.gas, cycles=1)
        case Degas():
            yield _command("fill_with", gas=one.gas, cycles=one.cycles)
        case Filter():
            yield _command("filter", keep=one.keep)
        case Concentrate():
            yield _command("evaporate", temperature=one.temperature.value, kept=then.volume)
        case Purify():
            assert one.chemical  # so the verifiers
            yield _command("recrystallize", chemical=one.chemical, volume=plan.liquid(one))
        case Collect():
            yield _command("collect")
        case _:
            raise AssertionError(f"{one.do} is not verified")


def _dosed(plan: Synthesis, one: Dosing) -> CardCommand:
    assert one.amount is not None
    liquid, over = plan.liquid(one), one.over if isinstance(one, Add | Quench) else None
    if not liquid:
        mass = plan.materials.milligrams(one.chemical, one.amount)
        return _command("add_solid", chemical=one.chemical, mass=mass)
    if over:
        return _command("drop", chemical=one.chemical, volume=liquid, time=over.value)
    return _command("add_liquid", chemical=one.chemical, volume=liquid)


def _heated(at: Flask, to: float, condenser: bool) -> Iterator[CardCommand]:
    """Iterate over what brings a flask to a temperature; condensers are changed in the cold."""
    now = at.temperature
    if condenser != at.condenser:
        if now > WARM:
            now = ROOM.value
            yield _command("set_temperature", to=now)
        yield _command("fit_condenser", on=condenser)
    if to != now:
        yield _command("set_temperature", to=float(to))


def doses(orders: Sequence[CardCommand]) -> list[tuple[str, str, float]]:
    """Return what comes into the flask by what the robot is told: name, unit and how much."""
    found = list[tuple[str, str, float]]()
    for one in orders:
        given: Mapping[str, Any] = {**one.arguments}
        if one.called in ("add_liquid", "drop"):
            found.append((given["chemical"], "mL", given["volume"]))
        elif one.called == "add_solid":
            found.append((given["chemical"], "mg", given["mass"]))
    return found


async def tried(plan: Synthesis, orders: Sequence[CardCommand]) -> float:
    """Go through commands without a record of it; return how many minutes they last.

    Raises:
        RefusedError: the card refuses one.
        RecordError: the flask holds something else than was counted.
    """
    device, seconds = SimulatedDevice(CARD), 0.0
    for one in orders:
        await device.do(one)
        while device.at.underway:
            seconds += min(each.left for each in device.at.underway)
            device.begin(ended(CARD, device.at))
    _compare(plan, device.at)
    return seconds / 60


def _compare(plan: Synthesis, at: Standing) -> None:
    counted = [then for *_, then in plan.walk()][-1].volume
    if abs(at.volume - counted) > NEAR or at.temperature != ROOM.value or not at.collected:
        asked = f"{plan.materials.of.name} was done by {SIMULATION}"
        raise RecordError(asked, f"it ends at {at}, and {counted:.3g} mL were counted", "report it")


# --- carrying it out ------------------------------------------------------------------------------


class SynthesisForm(Form):
    """What is gone through, as it is recorded with the run.

    Attributes:
        device: by whom.
        told: the commands, in order.
    """

    device: str
    told: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Going(Findings):
    """Where it stands.

    Attributes:
        plan: the synthesis.
        permission: by which it is done; used up.
        driven: the robot.
        orders: what it is told.
    """

    plan: Synthesis
    permission: MakingPermission
    driven: Driven
    orders: tuple[CardCommand, ...]


@step("synthesis", done="is simulated")
async def go_through(state: Going, executor: Executor) -> Going:
    """Have the simulated robot go through a synthesis, from an empty flask to the end."""
    driven, told = state.driven, list[str]()
    bench = await driven.begun(None, of=len(state.orders))
    empty = Standing.of(CARD.begins, CARD)  # whatever an earlier one has left
    driven.driver.begin(empty)
    bench = replace(bench, at=empty)
    for one in state.orders:
        bench = await driven.do(one, bench)
        told.append(one.with_fields)
        while bench.at.underway:
            bench = await driven.waited(bench)
    _compare(state.plan, bench.at)
    made = SimulatedSynthesis(
        permission=Link[MakingPermission](state.permission),
        run=Link[Run](scope().run),
        instrument=CARD.name,
        operations=bench.place,
        repairs=tuple(state.plan.repairs),
        steps_done=tuple(told),
        ended=datetime.now(UTC),
    )
    executor.record(made)
    return replace(state, found=(made,))


GOING = StepGraph("procedure", go_through)


async def simulated(
    plan: Synthesis,
    wanted: MakingPlan,
    together: Sequence[str],
    executor: Executor,
    clock: Clock | None = None,
) -> SimulatedSynthesis:
    """Have a person permit a synthesis, once, and the simulated robot go through it.

    Args:
        plan: the synthesis, verified.
        wanted: what is permitted.
        together: what may come of chemicals that meet.
        executor: records it.
        clock: tells when what goes on is over; that of the computer if None.

    Raises:
        ConsentError: a person has to permit it.
        InputError: it stops, whoever asks.
        BusyError: another process has the robot.
        StoppedError: a person has stopped it.
    """
    orders = tuple(commands(plan))
    home = executor.kg.store.home
    async with leased(home, CARD.name, patience=PATIENCE):
        permission = await permitted(executor, wanted, together)
        driven = Driven(executor, SimulatedDevice(CARD), ROBOT, wanted, clock)
        form = SynthesisForm(device=CARD.name, told=tuple(one.with_fields for one in orders))
        finish = await run_graph(
            GOING,
            Going(plan=plan, permission=permission, driven=driven, orders=orders),
            form,
            GOING.goal("the synthesis is simulated"),
            executor,
            subject=f"{plan.materials.of.name} at {SIMULATION}",
            about=(wanted,),
            forms=(form,),
        )
    made = finish.state.found[0]
    assert isinstance(made, SimulatedSynthesis)
    return made


async def whole(plan: Synthesis) -> tuple[list[CardCommand], float]:
    """Return what the robot is told, and how many minutes it takes, once it was tried."""
    orders = await asyncio.to_thread(commands, plan)
    return orders, await tried(plan, orders)
