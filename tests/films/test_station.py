"""The film station: its published tasks, what it refuses, and what is known after a cut."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontologies.operations import Operation, OperationEnd
from tests.agreeing import agreeing
from tests.films.conftest import LabStation
from triplestore.errors import ConsentError, InputError, RecipeError
from workflows.engine import Executor, plan, run_graph
from workflows.engine.devices.command import RefusedError
from workflows.engine.devices.driven import SimulatedDevice
from workflows.engine.devices.operations import Said
from workflows.engine.devices.standing import Standing
from workflows.engine.graph.waiting import ApprovalError
from workflows.films.commands import CARD, DELIVERED
from workflows.films.graph import FilmRequest, plans, script
from workflows.films.station import FILMS, Order, Station

ROOT = Path(__file__).resolve().parents[2]
READY = DELIVERED.but(ready=True)

TASKS: dict[str, tuple[FilmRequest, list[str]]] = {
    "task 1": (
        FilmRequest(vial="polymer_A"),
        [
            *("init_components", "locate_vial", "move_gripper_to_vial", "close_gripper"),
            *("move_to_clamp", "close_clamp", "open_gripper"),
        ],
    ),
    "task 2": (
        FilmRequest(substrate=True),
        [
            *("init_components", "pick_up_substrate_tool", "locate_new_substrate"),
            *("move_to_substrate_rack", "gripper_vacuum_on", "move_to_coating_station"),
            *("stage_vacuum_on", "gripper_vacuum_off", "drop_substrate_tool"),
        ],
    ),
    "task 3": (
        FilmRequest(film="polymer_A"),
        [
            *("init_components", "set_coating_temperature", "pick_up_substrate_tool"),
            *("locate_new_substrate", "move_to_substrate_rack", "gripper_vacuum_on"),
            *("move_to_coating_station", "stage_vacuum_on", "gripper_vacuum_off"),
            *("drop_substrate_tool", "locate_vial", "move_gripper_to_vial", "close_gripper"),
            *("move_to_clamp", "close_clamp", "open_gripper", "uncap_vial", "new_pipette"),
            *("move_pipette_into_vial", "aspirate", "move_pipette_to_coater", "dispense"),
            *("remove_pipette", "blade_coat"),
        ],
    ),
}
"""The published tasks, and the published order of their commands (A.5, Figure 2, Listing 1)."""


def orders(request: FilmRequest, at: Standing = DELIVERED) -> list[Order]:
    found = plans(request, at).first()
    assert found is not None
    return [one for one in found if isinstance(one, Order)]


def walked(some: list[Order], at: Standing) -> Standing:
    """Return where orders lead, each of which has to be possible."""
    for one in some:
        assert one.precondition(at) is None, (one.verb, at)
        at = one.effect(at)
    return at


async def run(station: Station, request: FilmRequest) -> Any:
    bench = await station.begun(None)
    return await run_graph(
        FILMS, bench, request, request.goal(), station.operations.executor, subject="a test"
    )


@pytest.mark.parametrize("task", TASKS)
def test_published_tasks_are_planned_as_they_were_published(task: str) -> None:
    request, published = TASKS[task]
    found = orders(request)
    assert [one.command for one in found] == published
    assert request.reached(walked(found, DELIVERED))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("omit", range(24))
def test_a_published_task_without_one_of_its_steps_is_not_possible_or_not_done(
    task: str, omit: int
) -> None:
    request, _ = TASKS[task]
    found = orders(request)
    if omit >= len(found):
        return
    at = DELIVERED
    for one in (*found[:omit], *found[omit + 1 :]):
        if one.precondition(at):
            return
        at = one.effect(at)
    assert not request.reached(at), found[omit].verb


def test_the_program_is_that_of_the_paper() -> None:
    """Listing 1, but for the gripper's pose where the pipette goes, and what is found in a rack."""
    text = script(orders(FilmRequest(film="polymer_A")), DELIVERED)
    lines = text.splitlines()
    compile(text, "program", "exec")
    for line in (
        "from robotics import procedure as proc",
        "t8.set_temp(1, 90)",
        "vial_index = proc.find_rack_index('vial', 'polymer_A')",
        "c9.position = loca.p_clamp",
        "c9.aspirate_ml(0, 0.5)",
        "c9.dispense_ml(0, 0.2)",
        "coater.velocity = 1",
    ):
        assert line in lines
    stage = lines.index("c9.set_output('coater_stage_vacuum', True)")
    assert stage < lines.index("c9.set_output('substrate_tool', False)")
    assert stage > lines.index("c9.set_output('substrate_tool', True)")


VALUES: dict[str, Any] = {
    "vial": "polymer_A", "temperature": 90.0, "velocity": 1.0, "aspirated": 0.5, "dispensed": 0.2,
}  # fmt: skip
EVERY = [
    Order(command=name, value=next((VALUES[x] for x in one.arguments), None))
    for name, one in CARD.commands.items()
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(EVERY), max_size=60), st.randoms())
def test_however_it_stands_a_command_holds_what_it_promises(some: list[Order], chance: Any) -> None:
    """Walks of commands that are possible: nothing is dropped, spilt or driven into anything."""
    at = READY
    for wish in some:
        possible = [one for one in EVERY if one.precondition(at) is None]
        assert possible, at
        one = wish if wish in possible else chance.choice(possible)
        at = one.effect(at)
        assert at.gripped != "vial" or at.vial_at in ("gripper", "clamp")
        assert at.vial_at != "gripper" or at.gripped == "vial", "nothing holds the vial"
        assert at.vial_at != "clamp" or at.clamp == "closed", "nothing holds the vial"
        assert (at.substrate == "tool") == at.tool_vacuum or at.arm == "coating stage"
        assert at.substrate != "stage" or at.stage_vacuum or at.tool == "substrate tool"
        assert bool(at.vial) == (at.vial_at != "rack")
        assert at.drawn >= 0
        assert not at.drawn or at.tool == "pipette"
    goal = FilmRequest(film="NaCl", returned=True).goal()
    bound, _ = FILMS.bind(FilmRequest(film="NaCl", returned=True))
    if at.film != "solution" or at.temperature is not None:
        assert plan(bound, at, goal).first() is not None, at


async def test_every_command_that_is_not_possible_is_refused_and_nothing_changes(
    executor: Executor,
) -> None:
    """From each state of task 3, each command that its needs forbid: refused by all who could."""
    station = Station(executor, SimulatedDevice(CARD))
    bench = await station.begun(None)
    refusals = 0
    for step in [None, *orders(FilmRequest(film="polymer_A"))]:
        if step is not None:
            bench = await station.do(step, bench)
        for one in EVERY:
            reason = one.precondition(bench.at)
            if reason is None:
                continue
            refusals += 1
            assert "; " in reason
            with pytest.raises(RefusedError) as refused:
                await station.do(one, bench)
            assert str(refused.value) == f"{one.verb} is not possible; {reason}"
            with pytest.raises(RefusedError):
                await station.driver.do(one)  # the simulator refuses it, too
            assert station.driver.at == bench.at  # pyright: ignore[reportAttributeAccessIssue]
    assert refusals > 400
    assert station.read() == bench.at.but(ready=False)
    assert len(executor.kg.find(Operation)) == 24


@pytest.mark.parametrize("wrong", [("open_lid", None), ("aspirate", None), ("close_clamp", 1.0)])
def test_there_are_no_other_commands(wrong: Any) -> None:
    with pytest.raises(ValueError, match="no such command"):
        Order(command=wrong[0], value=wrong[1])


def test_a_refusal_says_what_is_there_and_what_to_do() -> None:
    at = walked(orders(FilmRequest(vial="polymer_A"))[:5], DELIVERED)
    assert Order(command="open_gripper").obstacle(at) == (
        "nothing else holds the vial; close the clamp first"
    )
    assert Order(command="close_clamp").obstacle(READY) == (
        "the gripper is not at the clamp; move it there first"
    )
    stage = walked(orders(FilmRequest(substrate=True))[:6], DELIVERED)
    assert Order(command="gripper_vacuum_off").obstacle(stage) == (
        "nothing holds the substrate on the stage; turn the vacuum of the stage on first"
    )
    assert Order(command="locate_vial", value="NaCl").change(READY).vial_found == "NaCl"


async def test_what_follows_goes_on_from_where_the_station_stands(executor: Executor) -> None:
    station = Station(executor, SimulatedDevice(CARD))
    assert (await run(station, FilmRequest(film="polymer_A"))).status == "finished"
    again = Station(executor, SimulatedDevice(CARD))
    assert (again.read().new_substrates, again.read().pipettes) == (71, 95)
    assert [one.command for one in orders(FilmRequest(film="polymer_A"), again.read())] == []
    finish = await run(again, FilmRequest(film="NaCl", returned=True))
    assert finish.status == "finished"
    told = [json.loads(one.told)["command"] for one in executor.kg.find(Operation)]
    assert told.count("cap_vial") == 2
    assert told.count("locate_new_substrate") == 2, "no substrate is used twice"
    assert again.read().film_of == "NaCl"


@pytest.mark.parametrize(
    "other", [{"aspirated": 0.9, "dispensed": 0.9}, {"temperature": 80.0}, {"velocity": 2.0}]
)
async def test_a_film_of_other_conditions_is_made_anew(
    executor: Executor, other: dict[str, float]
) -> None:
    station = Station(executor, SimulatedDevice(CARD))
    assert (await run(station, FilmRequest(film="polymer_A"))).status == "finished"
    request = FilmRequest.model_validate({"film": "polymer_A", **other})
    found = orders(request, station.read())
    assert [one.command for one in found].count("locate_new_substrate") == 1
    assert [one.value for one in found if one.command == "dispense"] == [
        request.values["dispensed"]
    ]
    assert (await run(station, request)).status == "finished"
    at = Station(executor, SimulatedDevice(CARD)).read()
    assert request.reached(at)
    assert at.dispensed == request.values["dispensed"]
    assert orders(request, at) == []
    assert orders(request.model_copy(update={"aspirated": 1.0}), at) == [], "it is the same film"
    assert walked(orders(FilmRequest(substrate=True), at), at).dispensed is None


async def test_racks_that_are_empty_are_a_reason(executor: Executor) -> None:
    at = DELIVERED.but(new_substrates=0)
    with pytest.raises(RecipeError, match="no sequence of commands"):
        plans(FilmRequest(substrate=True), at)
    assert "no new substrate is left" in str(
        Order(command="locate_new_substrate").obstacle(at.but(ready=True))
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"film": "polymer_A", "substrate": True}, "ask in turn"),
        ({"vial": "NaCl", "film": "polymer_A"}, "leave one of them out"),
        ({"vial": "NaCl", "returned": True}, "leave one of them out"),
        ({"temperature": 90}, "say which film"),
        ({"film": "polymer_A", "aspirated": 0.1}, "draw more"),
        ({"film": "polymer_A", "temperature": 500}, "150"),
        ({"film": "polymer_A", "temperature": float("nan")}, "temperature"),
        ({"film": "polymer_A", "velocity": -1}, "velocity"),
        ({"film": "polymer_A", "dispensed": -0.2}, "dispensed"),
        ({"film": "polystyrene"}, "film"),
    ],
)
def test_what_cannot_be_is_refused_before_anything(asked: Any, said: str) -> None:
    from workflows.engine.request.form import fill

    with pytest.raises(InputError, match=said):
        fill(FilmRequest, asked)


# --- real ones -----------------------------------------------------------------------------------


async def test_a_real_station_waits_for_a_person_and_a_simulation_never_counts(
    executor: Executor,
) -> None:
    request = FilmRequest(vial="polymer_A")
    simulated = Station(executor, SimulatedDevice(CARD))
    assert (await run(simulated, request)).status == "finished"
    lab = LabStation()
    real = Station(executor, lab)
    assert len(orders(request, real.read())) == 7, "the simulated run has done nothing of it"
    with pytest.raises(ApprovalError) as waiting:
        await run(real, request)
    assert lab.done == []
    deeds = waiting.value.deeds
    assert len(deeds) == 7
    assert "c9.set_output('clamp', True)" in deeds[5].checks
    with agreeing():
        assert (await run(real, request)).status == "finished"
    assert lab.done == [one.command for one in orders(request)]
    assert request.reached(Station(executor, LabStation()).read())
    assert len(executor.kg.find(Operation, simulated=False)) == 7


async def test_what_a_driver_fails_in_is_doubtful_until_a_person_says(executor: Executor) -> None:
    request = FilmRequest(vial="polymer_A")
    lab = LabStation()
    lab.fails_at = "close_clamp"
    station = Station(executor, lab)
    with agreeing():
        with pytest.raises(OSError, match="dead"):
            await run(station, request)
        again = Station(executor, lab)
        with pytest.raises(ConsentError, match=r"operation 6 of \d+ \(close_clamp\) was sent at"):
            await again.begun(None)
        bench = await again.begun(Said.of("6 done"))
        assert (bench.at.clamp, bench.at.vial_at) == ("closed", "clamp")
        lab.fails_at, lab.at = "", bench.at.but(ready=True)
        assert (await run(again, request)).status == "finished"
    assert lab.done.count("close_gripper") == 1


async def test_a_person_may_say_that_it_stands_as_delivered(executor: Executor) -> None:
    lab = LabStation()
    station = Station(executor, lab)
    with agreeing():
        await run(station, FilmRequest(vial="polymer_A"))
        assert station.read().vial == "polymer_A"
        await station.begun(Said.of("7 discarded"))
        assert Station(executor, lab).read() == DELIVERED


CUT = """
import asyncio, os, sys
from ogm import KnowledgeGraph
from tests.agreeing import agreeing
from tests.films.conftest import LabStation
from triplestore import open_store
from workflows.engine import Executor, run_graph
from workflows.films.graph import FilmRequest
from workflows.films.station import FILMS, Station

class Cut(LabStation):
    async def do(self, command):
        if command.command == sys.argv[2]:
            os._exit(9)
        return await super().do(command)

async def main():
    with open_store(sys.argv[1]) as store, agreeing():
        executor = Executor(KnowledgeGraph(store))
        station = Station(executor, Cut())
        request = FilmRequest(film="polymer_A")
        await run_graph(FILMS, await station.begun(None), request, request.goal(), executor,
                        subject="a test")

asyncio.run(main())
"""


@pytest.mark.parametrize("at", ["gripper_vacuum_off", "dispense"])
async def test_after_a_cut_between_sent_and_done_a_person_is_asked(tmp_path: Path, at: str) -> None:
    from ogm import KnowledgeGraph
    from triplestore import open_store

    place = str(tmp_path / "store")
    cut = subprocess.run([sys.executable, "-c", CUT, place, at], cwd=ROOT, check=False)
    assert cut.returncode == 9
    with open_store(place) as store, agreeing():
        executor = Executor(KnowledgeGraph(store))
        sent, ended = executor.kg.find(Operation), executor.kg.find(OperationEnd)
        assert len(sent) == len(ended) + 1
        lab = LabStation()
        station = Station(executor, lab)
        with pytest.raises(ConsentError, match=f"{at}.* nobody knows whether it was done"):
            await station.begun(None)
        bench = await station.begun(Said.of(f"{len(sent)} done"))
        lab.at = bench.at
        assert (await run(station, FilmRequest(film="polymer_A"))).status == "finished"
        assert at not in lab.done, "nothing is done twice"
        told = [json.loads(one.told)["command"] for one in executor.kg.find(Operation)]
        assert told.count(at) == 1
        executor.close()
