"""A described device is told by two records each operation, and stands where it was left."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ogm import KnowledgeGraph, Link
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Outcome, Run, Transition
from tests.drivers.test_microwave import CARD
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import InputError
from workflows.drivers.files import card_of, written
from workflows.engine import Executor
from workflows.engine.devices.brought import simulated
from workflows.engine.devices.card import Card
from workflows.engine.devices.described import DescribedGraph
from workflows.engine.devices.driven import Driven, SimulatedDevice
from workflows.engine.devices.standing import Standing

GOAL = "vial=3, temperature=100 °C, duration=50 min, pressure=3 atm, heating=true"
SIX = [
    "allocate_session", "open_lid", "load_vial (vial_num 3)", "close_lid",
    "update_heating_parameters (duration_min 50 min, temperature_c 100 °C, pressure_atm 3 atm)",
    "heat",
]  # fmt: skip


@pytest.fixture
def executor():
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


def told(executor: Executor) -> list[tuple[dict[str, Any], OperationEnd]]:
    kg = executor.kg
    every = sorted(kg.find(Operation), key=lambda one: one.operation_number)
    assert [one.operation_number for one in every] == list(range(1, len(every) + 1))
    found = list[tuple[dict[str, Any], OperationEnd]]()
    for one in every:
        [end] = kg.find(OperationEnd, operation=Link[Operation](one))
        assert one.simulated
        assert one.sent <= end.ended
        found.append((json.loads(one.told), end))
    return found


def test_a_goal_is_planned_and_carried_out_with_two_records_each(executor: Executor) -> None:
    came = asyncio.run(simulated(CARD, GOAL, executor))
    assert list(came.steps) == SIX
    records = told(executor)
    assert [one["command"] for one, _ in records] == [step.split()[0] for step in SIX]
    assert all(end.outcome == "done" for _, end in records)
    assert json.loads(records[-1][1].reading)["heating"] is True
    run = executor.kg.pull(Run, came.run)
    steps = sorted(executor.kg.find(Transition, run=run), key=lambda one: one.index)
    assert [one.node for one in steps] == [step.split()[0] for step in SIX]
    assert any("heat: no session is live" in one for one in steps[0].refused)
    [outcome] = executor.kg.find(Outcome, run=run)
    assert outcome.status == "finished"
    form = json.loads(run.request)
    assert json.loads(form["card"])["commands"].keys() == CARD.commands.keys()


def test_the_next_wish_begins_where_the_last_one_ended(executor: Executor) -> None:
    asyncio.run(simulated(CARD, "lid=open, vial=3", executor))
    assert asyncio.run(simulated(CARD, "vial=3", executor)).steps == ()
    came = asyncio.run(simulated(CARD, "vial=4, lid=closed", executor))
    assert came.steps == ("unload_vial", "load_vial (vial_num 4)", "close_lid")
    assert came.standing.by_name["vial"] == 4


SHAKER = """
name: shaker
states: {lid: {begins: closed}, speed: {begins: 0}, plate: {}}
commands:
  open_lid: {refused: [{when: speed != 0, because: it is shaking}], makes: {lid: "'open'"}}
  close_lid: {refused: [{when: lid != 'open', because: it is closed}], makes: {lid: "'closed'"}}
  load:
    arguments: {plate: {kind: int}}
    refused: [{when: lid != 'open', because: the lid is closed}]
    makes: {plate: given.plate}
  shake:
    arguments: {speed: {kind: int}}
    refused: [{when: lid != 'closed', because: the lid is open}]
    makes: {speed: given.speed}
"""


def test_what_is_wished_may_have_to_be_undone_on_the_way(executor: Executor) -> None:
    """The argument has the name of its state, which goes back to how it began, and on again."""
    card = card_of(SHAKER)
    asyncio.run(simulated(card, "speed=300", executor))
    came = asyncio.run(simulated(card, "plate=2, speed=300", executor))
    steps = ["shake (speed 0)", "open_lid", "load (plate 2)", "close_lid", "shake (speed 300)"]
    assert list(came.steps) == steps


def test_an_edited_file_is_another_device(executor: Executor) -> None:
    asyncio.run(simulated(CARD, "lid=open", executor))
    said = CARD.model_dump(mode="json")
    said["commands"]["open_lid"]["refused"].pop()

    def stands(card: Card) -> Standing:
        return Driven(executor, SimulatedDevice(card), DescribedGraph(card)).read()

    assert stands(card_of(said)).by_name == CARD.begins
    assert stands(CARD).by_name["lid"] == "open"


def test_an_operation_that_was_cut_off_is_undone_for_nothing_moved(executor: Executor) -> None:
    asyncio.run(simulated(CARD, "lid=open", executor))
    [last] = [one for one in executor.kg.find(Operation) if one.operation_number == 2]
    cut = last.model_copy(update={"operation_number": 3, "told": '{"command": "close_lid"}'})
    executor.record(cut)
    came = asyncio.run(simulated(CARD, "vial=3", executor))
    assert came.steps == ("load_vial (vial_num 3)",)
    ends = [end.outcome for _, end in told(executor)]
    assert ends == ["done", "done", "undone", "done"]


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("door=open", "no state and no argument"),
        ("lid", "no state and no argument"),
        ("", "no state is named"),
        ("vial_num=3", "no state is named"),
        ("lid=ajar", "none of closed, open"),
        ("vial=11", "needs vial_num"),
        ("temperature=20", "needs duration_min"),
        ("temperature=80 K, duration=1, pressure=1", "no number in °C"),
        ("heating=true", "needs vial_num"),
        ("vial=3, lid=open, heating=true", "no commands lead there"),
        ("lid=\x1b[31m", "none of closed, open"),
    ],
)
def test_a_goal_that_cannot_be_is_refused_and_nothing_is_done(
    executor: Executor, goal: str, words: str
) -> None:
    with pytest.raises(InputError) as refused:
        asyncio.run(simulated(CARD, goal, executor))
    assert words in str(refused.value)
    assert "\x1b" not in str(refused.value)
    assert refused.value.advice
    assert executor.kg.find(Operation) == []


def test_the_command_line_does_it_all(tmp_path: Path) -> None:
    module = Path(__file__).parent / "modules" / "virtual_microwave.py"
    file, store = tmp_path / "device.yaml", str(tmp_path / "store")
    came = typed("device", "add", module, "-o", file)
    assert str(file) in came.output
    assert str(module.parent) not in file.read_text(encoding="utf-8")
    checked = typed("device", "check", file).stdout
    assert "168 of 497 pairs of situation and command are possible, 329 are refused" in checked
    assert "update_heating_parameters (duration_min 1 to 120 min" in checked
    ran = typed("device", "run", file, "--goal", GOAL, "--store", store)
    assert "6. heat" in ran.stdout
    assert "simulated: nothing was moved" in ran.stderr
    again = typed("device", "run", file, "--goal", GOAL, "--store", store, "--json")
    assert json.loads(again.stdout)["steps"] == []


def test_a_stopped_device_is_told_nothing(tmp_path: Path) -> None:
    file, store = tmp_path / "device.yaml", str(tmp_path / "store")
    file.write_text(written(CARD), encoding="utf-8")
    typed("device", "run", file, "--goal", "lid=open", "--store", store)
    typed("stop", CARD.name, "--store", store)
    came = typed("device", "run", file, "--goal", "lid=closed", "--store", store, status=1)
    assert "was stopped by" in came.output


def test_python_does_the_same(tmp_path: Path) -> None:
    with Grafico("memory:") as session:
        card = session.device_add(str(Path(__file__).parent / "modules" / "film_arm.py"))
        assert card.name == "Arm"
        found = session.device_check(card.model_dump(mode="json"))
        assert found.possible["pick"]
        ran = session.device_run(CARD.model_dump(mode="json"), goal="lid=open")
        assert ran.steps == ("allocate_session", "open_lid")
