"""What is asked of the device, the shortest plans for it, and the runs that carry them out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontologies.laboratory import SynthesizerCommand
from ontologies.provenance import Outcome, Run, Transition
from tests.microwave.table import check_history, history, steps
from triplestore.errors import InputError
from workflows.engine import (
    Choice,
    Crossroads,
    Executor,
    plan,
    successors,
)
from workflows.engine.devices.meaning import done, passed
from workflows.engine.devices.standing import Standing
from workflows.microwave import (
    MICROWAVE,
    AllocateSession,
    Command,
    LoadVial,
    ManualClock,
    Microwave,
    MicrowaveRequest,
    OpenLid,
    RefusedError,
    make_request,
    run_microwave,
)
from workflows.microwave.commands import CARD, situation

SET: Any = {"temperature": 100.0, "duration": 50.0, "pressure": 3.0}
HEATED: Any = {"heated": True, **{f"heated_{name}": value for name, value in SET.items()}}
NOT_LIKE_THIS: Any = {**HEATED, "heated_temperature": 80.0}
REQUEST = make_request(vial=3, heat=True, **SET)
READY = situation(session=True, vial=3, **SET)
HEATING = passed(CARD, done(CARD, "heat_vial", {"heat": True}, READY), 41 * 60)


def plans(at: Standing, **asked: Any) -> list[list[str]]:
    request = make_request(**asked)
    found = [list(map(verb, found)) for found in request.plans(at)]
    return sorted(found)


def verb(command: Any) -> str:
    assert isinstance(command, Command)
    return command.verb


def test_there_are_just_four_shortest_plans_of_six_commands_from_the_first_state() -> None:
    """Allocate, open, load, close, heat in this order; the parameters anywhere in between."""
    fixed = ["allocate_session", "open_lid", "load_vial", "close_lid", "heat_vial"]
    expected = [
        [*fixed[:place], "update_heating_parameters", *fixed[place:]] for place in range(1, 5)
    ]
    found = plans(situation(), vial=3, heat=True, **SET)
    assert found == sorted(expected)
    assert len(found) == 4
    assert {len(steps) for steps in found} == {6}


@pytest.mark.parametrize(
    ("at", "asked", "expected"),
    [
        (READY.but(lid_open=True), {"heat": True}, [["close_lid", "heat_vial"]]),
        (READY, {"heat": True}, [["heat_vial"]]),
        (READY.but(**HEATED), {"heat": True}, [[]]),
        (READY.but(**HEATED), {"conversion": True}, [["get_percent_conversion"]]),
        (READY, {"heat": True, "conversion": True}, [["heat_vial", "get_percent_conversion"]]),
        (READY, {"conversion": True}, []),  # not heated, and heating was not asked for
        (situation(), {"lid": "open"}, [["allocate_session", "open_lid"]]),
        (situation(), {"lid": "closed"}, [[]]),
        (situation(), {"session": True}, [["allocate_session"]]),
        (READY, {"vial": 3}, [[]]),
        (READY, {"vial": 4}, [["open_lid", "unload_vial", "load_vial"]]),
        (READY, {"unload": True}, [["open_lid", "unload_vial"]]),
        (READY, {"unload": True, "lid": "closed"}, [["open_lid", "unload_vial", "close_lid"]]),
        (READY, {"temperature": 40}, [["update_heating_parameters"]]),
        (READY, {"temperature": 40, "heat": True}, [["update_heating_parameters", "heat_vial"]]),
        (READY, {"heat": True, "lid": "open"}, [["heat_vial", "open_lid"]]),
        (situation(session=True, vial=3), {"heat": True}, []),
        (situation(session=True, **SET), {"heat": True}, []),
        # it was heated, but not like this
        (READY.but(**NOT_LIKE_THIS), {"heat": True}, [["heat_vial"]]),
        # a conversion of the new heating, not of the old one
        (
            READY.but(**NOT_LIKE_THIS, measured=True),
            {"heat": True, "conversion": True},
            [["heat_vial", "get_percent_conversion"]],
        ),
        # while it is heating nothing is planned but what follows this very heating
        (HEATING, {"lid": "open"}, []),
        (HEATING, {"heat": True, "lid": "open"}, [["open_lid"]]),
        (HEATING, {"heat": True, "temperature": 40}, []),
        (HEATING, {"heat": True, "wait": False}, [[]]),
    ],
)
def test_shortest_plans(at: Standing, asked: Any, expected: Any) -> None:
    assert plans(at, **asked) == expected


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "nothing is asked for"),
        ({"wait": False}, "nothing is asked for"),
        ({"unload": True, "vial": 3}, "leaves no vial"),
        ({"heat": True, "conversion": True, "wait": False}, "without waiting"),
        ({"vial": 11}, "vial"),
        ({"temperature": 20}, "temperature"),
        ({"duration": 121}, "duration"),
        ({"pressure": 0.5}, "pressure"),
        ({"pressure": float("nan")}, "pressure"),
        ({"lid": "ajar"}, "lid"),
        ({"steam": True}, "steam"),
    ],
)
def test_a_request_that_cannot_be_is_refused(asked: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        make_request(**asked)


SITUATIONS = st.builds(
    lambda heated, **more: situation(**heated, **more),
    heated=st.just({}) | st.just(HEATED),
    temperature=st.none() | st.sampled_from([100.0, 40.0]),
    duration=st.none() | st.just(50.0),
    pressure=st.none() | st.just(3.0),
    session=st.booleans(),
    lid_open=st.booleans(),
    vial=st.none() | st.integers(1, 10),
)


@given(SITUATIONS)
def test_every_plan_respects_every_precondition(first: Standing) -> None:
    """Also from situations that the device never reaches."""
    candidates, _ = MICROWAVE.bind(REQUEST)
    goal = REQUEST.goal()
    lengths: set[int] = set()
    for found in plan(candidates, first, goal):
        at, last = first, None
        for step in found:
            assert last is None or type(step) in successors(last)
            assert step.precondition(at) is None
            at, last = step.effect(at), type(step)
        assert goal.reached(at)
        lengths.add(len(found))
    assert len(lengths) == 1  # there is always a way, and all shortest ones are equally long


# --- runs ----------------------------------------------------------------------------------------


async def test_a_run_is_recorded_step_by_step(executor: Executor, device: Microwave) -> None:
    finish = await run_microwave(device, REQUEST)
    assert finish.status == "finished"
    kg = executor.kg
    states = check_history(kg, "microwave")
    assert list(steps(states, kg)) == [
        "allocate_session",
        "open_lid",
        "load_vial",
        "close_lid",
        "update_heating_parameters",
        "heat_vial",
        "",
    ]
    run = kg.pull(Run, finish.run)
    found = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
    assert len(found) == 6
    assert found[-1].node == "HeatVial"
    assert all(step.chosen_by == "goal" and step.node in step.menu for step in found)
    assert "HeatVial: no session is live; allocate one first" in found[0].refused
    [outcome] = kg.find(Outcome, run=run)
    assert outcome.status == "finished"
    assert [link.iri for link in outcome.results] == [state.iri for state in states]
    again = await run_microwave(device, REQUEST)
    assert again.status == "finished"
    assert history(kg, "microwave") == states  # nothing was left to be done


async def test_devices_of_different_names_are_different(
    executor: Executor, device: Microwave, clock: ManualClock
) -> None:
    await run_microwave(device, REQUEST)
    other = Microwave(executor, "another", clock=clock)
    assert other.read().situation == situation()
    await run_microwave(other, make_request(lid="open"))
    assert len(check_history(executor.kg, "another")) == 2
    assert len(check_history(executor.kg, "microwave")) == 7


@pytest.mark.parametrize(
    ("asked", "command", "cannot"),
    [
        ({"lid": "open"}, "open_lid", "the lid cannot be opened"),
        ({"vial": 4}, "open_lid", "the lid cannot be opened"),
        ({"conversion": True}, "get_percent_conversion", "the conversion cannot be read"),
        ({"temperature": 40}, "update_heating_parameters", "the heating parameters cannot be set"),
        (
            {"temperature": 40, "heat": True},
            "update_heating_parameters",
            "the heating parameters cannot be set",
        ),
    ],
)
async def test_while_it_is_heating_a_request_is_refused_with_the_time_that_is_left(
    executor: Executor, device: Microwave, clock: ManualClock, asked: Any, command: str, cannot: str
) -> None:
    begun = await run_microwave(device, make_request(vial=3, heat=True, wait=False, **SET))
    assert begun.status == "finished"
    clock.advance(37.5)
    before = device.read().stored
    with pytest.raises(RefusedError) as refused:
        await run_microwave(device, make_request(**asked))
    assert str(refused.value) == (f"{cannot}; vial 3 is being heated, 12 min 30 s are left; wait")
    assert device.read().stored == before
    [record] = [c for c in executor.kg.find(SynthesizerCommand) if c.refusal]
    assert record.name == command
    clock.advance(12.5)
    assert (await run_microwave(device, make_request(**asked))).status == "finished"
    check_history(executor.kg, "microwave")


async def test_who_asks_for_the_heating_that_goes_on_waits_for_its_end(
    executor: Executor, device: Microwave, clock: ManualClock
) -> None:
    await run_microwave(device, make_request(vial=3, heat=True, wait=False, **SET))
    clock.advance(37.5)
    begun = clock.now()
    finish = await run_microwave(device, make_request(heat=True, conversion=True))
    assert finish.status == "finished"
    assert (clock.now() - begun).total_seconds() == 12.5 * 60
    assert list(steps(check_history(executor.kg, "microwave"), executor.kg)).count("heat_vial") == 1


@pytest.mark.parametrize(
    ("given", "asked", "said"),
    [
        ({"vial": 3}, {"conversion": True}, "vial 3 has not been heated; heat it first"),
        ({"lid": "open"}, {"conversion": True}, "there is no vial inside; load one first"),
        ({"temperature": 40}, {"heat": True}, "there is no vial inside; load one first"),
        (
            {"vial": 3, "temperature": 40},
            {"heat": True, "pressure": 1},
            "not set: duration; set them first",
        ),
    ],
)
async def test_a_goal_out_of_reach_is_an_outcome_and_says_what_is_missing(
    executor: Executor, device: Microwave, given: Any, asked: Any, said: str
) -> None:
    await run_microwave(device, make_request(**given))
    before, request = device.read().stored, make_request(**asked)
    finish = await run_microwave(device, request)
    assert finish.status == "goal unmet"
    assert "cannot be reached" in finish.message
    assert device.read().stored == before
    assert said in str(request.obstacle(device.read().situation))
    assert (await run_microwave(device, REQUEST)).status == "finished"


async def test_what_another_does_in_the_middle_of_a_run_ends_it(
    executor: Executor, device: Microwave, clock: ManualClock
) -> None:
    from workflows.engine import GoalRouter
    from workflows.microwave import BusyError

    class Interrupted(GoalRouter):
        async def choose(self, at: Crossroads) -> Choice:
            if at.last is OpenLid:
                await Microwave(executor, clock=clock).do(LoadVial(vial=5))
            return await super().choose(at)

    with pytest.raises(BusyError, match="another process has commanded microwave: load_vial"):
        await run_microwave(device, REQUEST, router=Interrupted())
    states = check_history(executor.kg, "microwave")
    assert list(steps(states, executor.kg)) == ["allocate_session", "open_lid", "load_vial"]
    assert states[-1].vial == 5
    assert (await run_microwave(device, REQUEST)).status == "finished"
    check_history(executor.kg, "microwave")


def test_requests_are_frozen_and_say_what_is_wished() -> None:
    assert make_request(vial=3, heat=True, **SET).goal().text == (
        "vial 3 inside, heated with 100 °C, 50 min, 3 atm"
    )
    assert MicrowaveRequest(session=True).goal().text == "session live"
    assert AllocateSession().verb == "allocate_session"
