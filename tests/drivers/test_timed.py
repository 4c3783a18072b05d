"""What a command does may go on: others are refused meanwhile, the time is told, plans wait."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Transition
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import InputError, RecordError
from workflows.drivers.files import card_of
from workflows.drivers.request import stored
from workflows.engine import Executor
from workflows.engine.devices.brought import simulated
from workflows.engine.devices.clock import ManualClock, spell
from workflows.engine.devices.command import RefusedError
from workflows.engine.devices.described import DescribedGraph, Told
from workflows.engine.devices.driven import SPEED, Driven, SimulatedDevice
from workflows.engine.devices.meaning import done, passed
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.walk import walk

ROOT = Path(__file__).resolve().parents[2]
FILE = """
name: oven
states:
  door: {begins: open, values: [open, closed]}
  sample: {begins: 0}
  hot: {begins: false}
  baked: {begins: false}
commands:
  open_door:
    refused:
    - {when: door == 'open', because: the door is open; it is so already}
    makes: {door: "'open'"}
  close_door:
    refused:
    - {when: door == 'closed', because: the door is closed; it is so already}
    makes: {door: "'closed'"}
  put_in:
    arguments:
      sample_number: {kind: int, low: 1, high: 4}
    refused:
    - {when: door != 'open', because: the door is closed; open it first}
    makes: {sample: given.sample_number, baked: false}
  bake:
    arguments:
      hours: {kind: float, low: 1, high: 24, unit: h}
    refused:
    - {when: door != 'closed', because: the door is open; close it first}
    - {when: sample == 0, because: nothing is inside; put a sample in}
    makes: {hot: true, baked: false}
    lasts:
      time: given.hours
      unit: h
      refuses: the oven is hot for {remaining} more; wait
      makes: {hot: false, baked: true}
"""
OVEN = card_of(FILE)
BAKED = "sample=2, hours=2, baked=true"

TWO = card_of(
    """
name: reactor
states:
  stirred: {begins: false}
  warm: {begins: false}
  sampled: {begins: 0}
  turns: {begins: 0}
commands:
  stir:
    arguments: {seconds: {kind: float, low: 0, high: 1000, unit: s}}
    makes: {stirred: true}
    lasts: {time: given.seconds, makes: {stirred: false, turns: turns + given.seconds}}
  warm_up:
    makes: {warm: true}
    lasts: {time: 5, unit: min, makes: {warm: false}}
  sample:
    refused:
    - {when: stirred, because: "it is stirred, {stir_remaining} are left; wait"}
    makes: {sampled: sampled + 1}
"""
)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def driven(executor: Executor, clock: ManualClock, card: Any = OVEN) -> Driven:
    return Driven(executor, SimulatedDevice(card), DescribedGraph(card), stored(card), clock)


def told(card: Any, name: str, **given: Any) -> Told:
    kind: Any = DescribedGraph(card).named(name)
    return kind(given=tuple(given.items()))


def pass_time(clock: ManualClock, seconds: float) -> None:
    """Let some seconds pass for a simulated device."""
    clock.advance(seconds / SPEED / 60)


def test_while_it_goes_on_others_are_refused_with_the_time_that_is_left(
    executor: Executor, clock: ManualClock
) -> None:
    device = driven(executor, clock)
    for one in (told(OVEN, "put_in", sample_number=2), told(OVEN, "close_door")):
        asyncio.run(device.do(one))
    asyncio.run(device.do(told(OVEN, "bake", hours=2.0)))
    assert dict(device.read().by_name) == {
        "door": "closed", "sample": 2, "hot": True, "baked": False,
    }  # fmt: skip
    pass_time(clock, 90 * 60)
    assert device.read().remaining == pytest.approx(30 * 60)
    for name in ("open_door", "bake"):
        with pytest.raises(RefusedError, match="hot for 30 min more; wait"):
            asyncio.run(device.do(told(OVEN, name, **({"hours": 1.0} if name == "bake" else {}))))
    pass_time(clock, 30 * 60)
    assert dict(device.read().by_name) == {
        "door": "closed", "sample": 2, "hot": False, "baked": True,
    }  # fmt: skip
    count = len(executor.kg.find(Operation))
    assert count == 3  # to look is not to write, and what is refused was never sent
    asyncio.run(device.do(told(OVEN, "open_door")))
    assert device.read().by_name["door"] == "open"


def test_a_plan_waits_for_the_end(executor: Executor, clock: ManualClock) -> None:
    begun = clock.now()
    came = asyncio.run(simulated(OVEN, f"{BAKED}, door=open", executor, clock=clock))
    assert list(came.steps) == [
        "put_in (sample_number 2)", "close_door", "bake (hours 2 h)", "wait (120 min)", "open_door",
    ]  # fmt: skip
    assert came.standing.by_name["baked"] is True
    assert (clock.now() - begun).total_seconds() == pytest.approx(2 * 3600 / SPEED)
    names = [one.node for one in sorted(executor.kg.find(Transition), key=lambda one: one.index)]
    assert names == ["put_in", "close_door", "bake", "Wait", "open_door"]
    ends = [json.loads(one.reading) for one in executor.kg.find(OperationEnd)]
    assert sum("goes on" in one for one in ends) == 1


def test_who_wants_it_begun_does_not_wait_and_the_next_one_does(
    executor: Executor, clock: ManualClock
) -> None:
    came = asyncio.run(simulated(OVEN, "sample=2, hours=2, hot=true", executor, clock=clock))
    assert came.steps[-1] == "bake (hours 2 h)"
    assert came.standing.remaining == pytest.approx(7200)
    pass_time(clock, 1800)
    came = asyncio.run(simulated(OVEN, "door=open", executor, clock=clock))
    assert came.steps == ("wait (90 min)", "open_door")
    assert came.standing.by_name["baked"] is True


def test_an_end_that_nobody_saw_is_one(executor: Executor, clock: ManualClock) -> None:
    asyncio.run(simulated(OVEN, "sample=2, hours=2, hot=true", executor, clock=clock))
    pass_time(clock, 7200)
    assert asyncio.run(simulated(OVEN, "baked=true, sample=2", executor, clock=clock)).steps == ()


def test_a_clock_that_is_behind_never_shows_more_than_the_duration(
    executor: Executor, clock: ManualClock
) -> None:
    asyncio.run(simulated(OVEN, "sample=2, hours=2, hot=true", executor, clock=clock))
    pass_time(clock, -3600)
    assert driven(executor, clock).read().remaining == pytest.approx(7200)


def test_two_things_go_on_at_once_and_end_in_turn(executor: Executor, clock: ManualClock) -> None:
    device = driven(executor, clock, TWO)
    asyncio.run(device.do(told(TWO, "warm_up")))
    pass_time(clock, 100)
    asyncio.run(device.do(told(TWO, "stir", seconds=120.0)))
    assert [(one.command, one.left) for one in device.read().underway] == [
        ("warm_up", pytest.approx(200, abs=0.01)),
        ("stir", pytest.approx(120, abs=0.01)),
    ]
    with pytest.raises(RefusedError, match="it is stirred, 2 min are left; wait"):
        asyncio.run(device.do(told(TWO, "sample")))
    with pytest.raises(RefusedError, match="it goes on still, 2 min are left; wait"):
        asyncio.run(device.do(told(TWO, "stir", seconds=1.0)))
    pass_time(clock, 130)
    at = device.read()
    assert (at.by_name["stirred"], at.by_name["warm"], at.by_name["turns"]) == (False, True, 120)
    asyncio.run(device.do(told(TWO, "sample")))
    pass_time(clock, 71)
    assert device.read().by_name["warm"] is False


def test_the_shortest_plan_lets_two_things_go_on_together(
    executor: Executor, clock: ManualClock
) -> None:
    goal = "sampled=1, turns=60, seconds=60, warm=true"
    came = asyncio.run(simulated(TWO, goal, executor, clock=clock))
    assert sorted(came.steps) == ["sample", "stir (seconds 60 s)", "wait (1 min)", "warm_up"]
    assert came.standing.by_name["warm"] is True


TIMERS = st.lists(st.tuples(st.floats(0, 500), st.floats(0, 300)), max_size=6)


@given(TIMERS, st.floats(0, 900))
def test_time_may_pass_in_whatever_pieces(pieces: list[tuple[float, float]], rest: float) -> None:
    """Each stirring counts once, when its time has run, in however many looks."""
    at, now, begun, turns = Standing.of(TWO.begins, TWO), 0.0, -1.0, 0.0
    end = None
    for seconds, wait in pieces:
        seconds, wait = round(seconds, 3), round(wait, 3)
        if end is None:
            at, begun, end = done(TWO, "stir", {"seconds": seconds}, at), seconds, now + seconds
        now, at = now + wait, passed(TWO, at, wait)
        if end <= now + 1e-5:
            turns, end = turns + begun, None
        assert at.by_name["stirred"] is (end is not None)
        assert at.by_name["turns"] == pytest.approx(turns)
    at = passed(TWO, passed(TWO, at, rest), 1e6)
    assert at.by_name["turns"] == pytest.approx(turns + (begun if end is not None else 0))
    assert at.underway == ()


def test_a_walk_looks_at_what_comes_then() -> None:
    found = walk(OVEN)
    # nothing inside; samples 1 and 4, baked or not; either baking for 1 or 24 h
    assert found.situations == 2 + 2 * 2 * 2 + 2 * 2 == 14
    assert found.whole
    assert found.wrong == {}
    assert found.never == []
    assert found.reached["baked"] == [False, True]
    assert "the oven is hot for … more" in found.refusals["open_door"]


@pytest.mark.parametrize(
    ("time", "why"),
    [
        ("0 - given.hours", "lasts -1.0 h, which is no time"),
        ("door", "lasts 'open' h, which is no time"),
        ("hot", "lasts False h, which is no time"),
        ("given.hours / sample", "division by zero"),
        ("given.hours * 1e12", "which is no time"),
    ],
)
def test_a_time_that_cannot_be_is_a_contradiction(time: str, why: str) -> None:
    said = OVEN.model_dump(mode="json")
    said["commands"]["bake"]["lasts"]["time"] = time
    said["commands"]["bake"]["refused"] = []
    card = card_of(said)
    assert why in walk(card).wrong["bake"]
    with pytest.raises(RecordError, match="correct the device file"):
        done(card, "bake", {"hours": 1.0}, Standing.of(card.begins, card))


@pytest.mark.parametrize(
    ("lasts", "why"),
    [
        ({"time": "hour"}, "lasts, time: there is no state hour"),
        ({"time": "given.days"}, "the command has no argument days"),
        ({"time": "1", "unit": "d"}, "unit"),
        ({"time": "1", "makes": {"cold": "True"}}, "makes cold: there is no state cold"),
        ({"time": "1", "makes": {"door": "'ajar'"}}, "'ajar' is none of its values"),
        ({"makes": {"hot": "False"}}, "time"),
        ({"time": "1", "until": "noon"}, "until"),
    ],
)
def test_a_file_that_cannot_be_is_refused(lasts: Any, why: str) -> None:
    said = OVEN.model_dump(mode="json")
    said["commands"]["bake"]["lasts"] = lasts
    with pytest.raises(InputError, match=why):
        card_of(said)


def test_what_may_follow_has_to_be_there_and_is_kept(executor: Executor) -> None:
    said = OVEN.model_dump(mode="json")
    said["commands"]["put_in"]["then"] = ["open_door"]
    with pytest.raises(InputError, match="no commands lead there"):
        asyncio.run(simulated(card_of(said), "sample=1, door=closed", executor))
    said["commands"]["put_in"]["then"] = ["shut_door"]
    with pytest.raises(InputError, match="then: there is no command shut_door"):
        card_of(said)


def test_the_step_that_waits_is_no_command() -> None:
    said = OVEN.model_dump(mode="json")
    said["commands"]["Wait"] = {}
    with pytest.raises(InputError, match="so the step is called that waits"):
        card_of(said)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (0.2, "1 s"),
        (750, "12 min 30 s"),
        (7200, "120 min"),
        (10800, "3 h"),
        (86399.5, "24 h"),
        (36061, "10 h 1 min 1 s"),
    ],
)
def test_times_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert spell(seconds) == said


def test_what_a_person_says_and_sees(tmp_path: Path) -> None:
    file, store = tmp_path / "oven.yaml", str(tmp_path / "store")
    file.write_text(FILE, encoding="utf-8")
    run = typed(
        "device", "run", str(file), "--store", store, "--goal", "hot=true, sample=2, hours=2"
    )
    assert run.exit_code == 0, run.output
    assert re.search(
        r"hot true, baked false; bake goes on for 1(20 min|1\d min \d+ s)\n", run.stdout
    )
    checked = typed("device", "check", str(file), "--store", store)
    assert "bake (hours 1 to 24 h): possible in 4, and goes on for given.hours h" in checked.stdout
    found = typed("device", "run", str(file), "--store", store, "--goal", "baked=true", "--json")
    facts = json.loads(found.stdout)
    assert [one.split()[0] for one in facts["steps"]] == ["wait"]
    assert facts["states"]["baked"] is True
    assert "goes_on" not in facts


def test_a_rule_on_what_goes_on_is_kept(tmp_path: Path) -> None:
    said = OVEN.model_dump(mode="json")
    del said["commands"]["bake"]["lasts"]["refuses"]
    file = tmp_path / "oven.json"
    file.write_text(json.dumps(said), encoding="utf-8")
    with agreeing(), Grafico(str(tmp_path / "store")) as session:
        goal = "sample=2, hours=2, hot=true, door=open"
        session.teach("never open the door while bake", device=str(file))
        with pytest.raises(InputError, match="stands in the way"):
            session.device_run(said, goal=goal)
        free: Any = session.device_run({**said, "name": "another"}, goal=goal)
        assert [one.split()[0] for one in free.steps][-2:] == ["bake", "open_door"]


def test_killed_fifteen_times_nothing_is_repeated_or_lost_or_done_while_it_is_hot() -> None:
    """Two hundred times: `python -m tests.drivers.oven_kills 1 200`."""
    command = [
        sys.executable,
        "-m",
        "tests.drivers.oven_kills",
        "3",
        "15",
    ]  # it forks: no threads here
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    assert found["kills"] >= 15
    assert found["doubts"]
    assert found["requests"]


def test_a_file_with_many_that_take_their_time_is_walked_for_a_bounded_time() -> None:
    commands = {
        f"c{n}": {"makes": {"x": f"x + {n}"}, "lasts": {"time": str(n + 1), "makes": {"x": "0"}}}
        for n in range(150)
    }
    found = walk(card_of({"name": "many", "states": {"x": {"begins": 0}}, "commands": commands}))
    assert not found.whole
    assert found.stopped


@pytest.mark.parametrize(
    "odd", [[{}], [{"command": "bake"}], ["bake"], [{"command": "b", "given": {}, "seconds": 1}], 3]
)
async def test_a_reading_that_says_oddly_what_goes_on_is_none(
    executor: Executor, clock: ManualClock, odd: Any
) -> None:
    """Of a simulated device such a record is no longer looked at: it begins anew."""

    class Odd(SimulatedDevice):
        async def do(self, command: Any, /) -> dict[str, Any]:
            return {**await super().do(command), "goes on": odd}

    device = Driven(executor, Odd(OVEN), DescribedGraph(OVEN), stored(OVEN), clock)
    with pytest.raises(RecordError, match="it reads"):
        await device.do(told(OVEN, "close_door"))
    assert driven(executor, clock).read().by_name["door"] == "open"


async def test_a_real_device_counts_as_the_clock_does(
    executor: Executor, clock: ManualClock
) -> None:
    class Real(SimulatedDevice):
        simulated = False

    real: Any = Real(OVEN)
    device = Driven(executor, real, DescribedGraph(OVEN), stored(OVEN), clock)
    for one in (told(OVEN, "put_in", sample_number=2), told(OVEN, "close_door")):
        await device.do(one)
    await device.do(told(OVEN, "bake", hours=2.0))
    clock.advance(119)
    assert device.read().remaining == pytest.approx(60)
    clock.advance(1)
    assert device.read().by_name["baked"] is True
    await device.do(told(OVEN, "open_door"))
    assert driven(executor, clock).read().by_name["door"] == "open"  # as the simulated one begins
    assert driven(executor, clock).read().by_name["baked"] is False
