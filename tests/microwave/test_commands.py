"""Each command from each reachable state: done as the table says, or refused, nothing changed."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from ogm import KnowledgeGraph, Link
from ontologies.laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
)
from tests.microwave.table import Model, Told, after, as_model, history, later, may, reachable
from triplestore.errors import InputError, ResourceError
from workflows.engine import Executor
from workflows.microwave import (
    AllocateSession,
    BusyError,
    CloseLid,
    Command,
    GetPercentConversion,
    HeatVial,
    LoadVial,
    ManualClock,
    Microwave,
    OpenLid,
    RefusedError,
    UnloadVial,
    UpdateHeatingParameters,
)

FULL: Any = {"temperature": 100.0, "duration": 50.0, "pressure": 3.0}
COMMANDS: dict[Told, Command] = {
    Told("allocate_session"): AllocateSession(),
    Told("open_lid"): OpenLid(),
    Told("close_lid"): CloseLid(),
    Told("load_vial", vial=3): LoadVial(vial=3),
    Told("load_vial", vial=7): LoadVial(vial=7),
    Told("unload_vial"): UnloadVial(),
    Told("update_heating_parameters", **FULL): UpdateHeatingParameters(**FULL),
    Told("update_heating_parameters", temperature=40.0): UpdateHeatingParameters(temperature=40),
    Told("update_heating_parameters"): UpdateHeatingParameters(),
    Told("heat_vial"): HeatVial(heat=True, wait=False),
    Told("get_percent_conversion"): GetPercentConversion(),
}
STATES = sorted(reachable(list(COMMANDS)), key=repr)


def placed(executor: Executor, clock: ManualClock, name: str, at: Model) -> Microwave:
    """A device that stands as it is said, speed 1."""
    device = Microwave(executor, name, clock=clock, speed=1)
    if at != Model():
        set_to = HeatingParameters(
            heating_temperature=at.temperature,
            heating_duration=at.duration,
            heating_pressure=at.pressure,
        )
        executor.record(
            SynthesizerState(
                synthesizer=device.model,
                step=1,
                since=clock.now(),
                session="s" if at.session else None,
                lid_open=at.lid_open,
                vial=at.vial,
                parameters=set_to,
                heating=at.heating,
                heated=at.heated,
                speed=1.0,
                heatings=(set_to,) if at.heated else (),
            )
        )
    return device


def test_the_state_space_is_the_one_that_the_table_spans() -> None:
    # parameters: unset, 40 °C alone, all with 40 °C, all with 100 °C; vials: none, 3, 7
    no_session, no_vial, not_heated, heated, heating = 1, 2 * 4, 2 * 2 * 4, 2 * 2 * 2, 2 * 2
    assert len(STATES) == no_session + no_vial + not_heated + heated + heating == 37


@pytest.mark.parametrize("at", STATES, ids=repr)
async def test_every_command_from_every_reachable_state(
    executor: Executor, clock: ManualClock, at: Model
) -> None:
    kg = executor.kg
    for number, (told, command) in enumerate(COMMANDS.items()):
        device = placed(executor, clock, f"device {number}", at)
        before = device.read().stored
        assert as_model(before) == at
        name = device.name
        if may(at, told):
            await device.do(command)
            states = history(kg, name)
            if told.name == "get_percent_conversion":
                assert states == [before]
                assert kg.find(PercentConversion, state=before)
                continue
            now = states[-1]
            assert as_model(now) == after(at, told)
            assert len(states) == (2 if before else 1)
            assert now.previous == (Link(before) if before else None)
            assert now.command is not None
            assert now.command.load(kg).name == told.name
        else:
            with pytest.raises(RefusedError) as refused:
                await device.do(command)
            assert refused.value.asked == command.cannot
            assert refused.value.found
            assert refused.value.advice
            if at.heating:
                assert refused.value.found == f"vial {at.vial} is being heated, 50 min are left"
            assert history(kg, name) == ([before] if before else [])
            assert device.read().stored == before
            [record] = kg.find(SynthesizerCommand, synthesizer=device.model)
            assert (record.name, record.vial) == (told.name, told.vial)
            assert record.refusal.startswith(refused.value.found)


@pytest.mark.parametrize("at", [at for at in STATES if at.heating], ids=repr)
async def test_when_the_duration_has_run_the_vial_is_heated(
    executor: Executor, clock: ManualClock, at: Model
) -> None:
    device = placed(executor, clock, "d", at)
    clock.advance(37.5)
    with pytest.raises(RefusedError, match="12 min 30 s are left; wait"):
        await device.do(OpenLid())
    clock.advance(12.5)
    situation = device.read().situation
    assert not situation.heating
    assert [situation.heated_temperature, situation.heated_duration, situation.heated_pressure] == [
        at.temperature,
        at.duration,
        at.pressure,
    ]
    assert len(history(executor.kg, "d")) == 1  # to look is not to write
    await device.do(OpenLid())
    states = [as_model(state) for state in history(executor.kg, "d")]
    assert states == [at, later(at), after(later(at), Told("open_lid"))]
    ended = history(executor.kg, "d")[1]
    assert ended.command is None
    assert ended.since == history(executor.kg, "d")[0].since + timedelta(minutes=50)


async def test_a_heating_that_is_waited_for_ends_heated(
    device: Microwave, clock: ManualClock
) -> None:
    begun = clock.now()
    for command in (
        AllocateSession(),
        OpenLid(),
        LoadVial(vial=3),
        CloseLid(),
        UpdateHeatingParameters(**FULL),
    ):
        await device.do(command)
    bench = await device.do(HeatVial(heat=True))
    assert clock.now() - begun == timedelta(minutes=50)
    assert bench.stored == device.read().stored
    assert as_model(bench.stored).heated


async def test_the_speed_of_a_heating_is_recorded_and_holds_for_everybody(
    executor: Executor, clock: ManualClock
) -> None:
    at = Model(session=True, vial=3, **FULL)
    placed(executor, clock, "d", at)
    await Microwave(executor, "d", clock=clock, speed=600).do(HeatVial(heat=True, wait=False))
    another = Microwave(executor, "d", clock=clock, speed=1)
    clock.advance(4 / 60)
    assert another.read().situation.remaining == pytest.approx(600)
    clock.advance(1 / 60)
    assert another.read().situation.heated
    # a clock that is behind the one that began the heating never shows more than its duration
    clock.advance(-60)
    assert another.read().situation.remaining == 3000


async def test_a_vial_remembers_its_heatings_until_it_is_taken_out(
    executor: Executor, clock: ManualClock
) -> None:
    device = placed(executor, clock, "d", Model(session=True, vial=3, **FULL))
    first = HeatVial(heat=True)
    for command in (first, UpdateHeatingParameters(temperature=40, pressure=1), first, first):
        await device.do(command)
    state = history(executor.kg, "d")[-1]
    assert [h.heating_temperature for h in state.heatings] == [100, 40, 40]
    assert [h.heating_pressure for h in state.heatings] == [3, 1, 1]
    assert executor.kg.pull(SynthesizerState, state.iri) == state
    fresh = KnowledgeGraph(executor.kg.store)
    assert fresh.pull(SynthesizerState, state.iri) == state
    for command in (OpenLid(), UnloadVial()):
        await device.do(command)
    assert history(executor.kg, "d")[-1].heatings == ()


class Meddling(ManualClock):
    """A clock that lets somebody else command the device each time it is looked at, for a while."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times
        self.other: Microwave | None = None

    def now(self):
        if self.times and self.other is not None:
            self.times -= 1
            other, self.other = self.other, None
            command = UpdateHeatingParameters(temperature=25 + self.times % 50)
            other.perform(command, None)
            self.other = other
        return super().now()


@pytest.fixture
async def rivals(executor: Executor) -> AsyncIterator[tuple[Microwave, Microwave, Meddling]]:
    """Two sessions on one store; the other commands the device while one is about to."""
    clock = Meddling(0)
    one = Microwave(executor, clock=clock, speed=1)
    second = Executor(KnowledgeGraph(executor.kg.store))
    other = Microwave(second, clock=ManualClock(), speed=1)
    await one.do(AllocateSession())
    yield one, other, clock
    second.close()


async def test_who_comes_second_from_the_same_state_tries_again(
    rivals: tuple[Microwave, Microwave, Meddling],
) -> None:
    one, other, clock = rivals
    clock.times, clock.other = 3, other
    bench = await one.do(OpenLid())
    assert clock.times == 0
    names = [state.command.load(one.executor.kg).name for state in states_of(one)]
    assert names == ["allocate_session", *["update_heating_parameters"] * 3, "open_lid"]
    assert [state.step for state in states_of(one)] == [1, 2, 3, 4, 5]
    assert bench.stored == states_of(one)[-1]
    # what did not come to pass left nothing behind
    done = [c for c in one.executor.kg.find(SynthesizerCommand) if not c.refusal]
    assert len(done) == 5
    other.executor.close()


async def test_who_never_gets_a_turn_is_told_so(
    rivals: tuple[Microwave, Microwave, Meddling],
) -> None:
    one, other, clock = rivals
    clock.times, clock.other = 10_000, other
    with pytest.raises(BusyError, match="others were quicker") as busy:
        await one.do(OpenLid())
    clock.other = None
    assert isinstance(busy.value, ResourceError)
    assert not one.read().situation.lid_open
    other.executor.close()


async def test_a_plan_gives_way_when_somebody_else_commands_the_device(
    rivals: tuple[Microwave, Microwave, Meddling],
) -> None:
    one, other, _ = rivals
    seen = one.read()
    await other.do(UpdateHeatingParameters(**FULL))
    with pytest.raises(BusyError, match=r"another process .*: update_heating_parameters"):
        one.perform(OpenLid(), seen)
    assert not one.read().situation.lid_open
    refusals = [c.refusal for c in one.executor.kg.find(SynthesizerCommand) if c.refusal]
    assert len(refusals) == 1
    one.perform(OpenLid(), one.read())
    other.executor.close()


def states_of(device: Microwave) -> list:
    return history(device.executor.kg, device.name)


@pytest.mark.parametrize(("name", "speed"), [("", 1), ("x" * 101, 1), ("a\nb", 1), ("a", 0)])
def test_a_device_that_cannot_be_is_refused(executor: Executor, name: str, speed: float) -> None:
    with pytest.raises(InputError, match="a device"):
        Microwave(executor, name, speed=speed)


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [
        *[(LoadVial, "vial", value) for value in (0, 11, 1.5)],
        *[(UpdateHeatingParameters, "temperature", value) for value in (24.9, 100.1)],
        *[(UpdateHeatingParameters, "duration", value) for value in (0.9, 120.1)],
        *[(UpdateHeatingParameters, "pressure", value) for value in (0.9, 10.1)],
        *[
            (UpdateHeatingParameters, name, value)
            for name, value in itertools.product(FULL, (float("nan"), float("inf")))
        ],
    ],
)
def test_no_command_can_be_made_with_values_out_of_bounds(command, field, value) -> None:
    with pytest.raises(ValueError, match=field):
        command(**{field: value})


def test_every_number_has_its_unit() -> None:
    counts = {"step", "vial"}
    for cls in (
        HeatingParameters,
        PercentConversion,
        Synthesizer,
        SynthesizerCommand,
        SynthesizerState,
    ):
        for plan in cls.fields():
            number = plan.kind in ("int", "float")
            assert (plan.unit is not None) == (number and plan.name not in counts), plan.name


async def test_the_latest_state_is_found_however_many_there_are(
    executor: Executor, clock: ManualClock
) -> None:
    device = Microwave(executor, clock=clock)
    await device.do(AllocateSession())
    for number in range(40):
        await device.do(UpdateHeatingParameters(temperature=25 + number))
        fresh = Microwave(executor, clock=clock).read()
        assert fresh.stored == device.read().stored
        assert fresh.situation.temperature == 25 + number


def test_a_history_whose_beginning_is_elsewhere_is_read(
    executor: Executor, clock: ManualClock
) -> None:
    """As after the import of an exported object into another store."""
    placed(executor, clock, "d", Model(session=True, vial=3))
    [state] = history(executor.kg, "d")
    executor.record(
        *(
            state.model_copy(update={"synthesizer": Synthesizer(name="e"), "step": n})
            for n in (3, 5)
        )
    )
    latest = Microwave(executor, "e", clock=clock).read().stored
    assert latest is not None
    assert latest.step == 5
