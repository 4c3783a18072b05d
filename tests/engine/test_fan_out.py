"""One step over many inputs in parallel, through the real executor and its workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from ontologies.provenance import Activity, Outcome, Part, Run, Transition
from tests.engine import toys
from tests.engine.machines import grow
from tests.engine.toys import Number
from tests.triplestore.helpers import alive
from triplestore import open_store
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import Executor, Slots, fan_out, run_all


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[Executor]:
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store), Slots(total_cores=2), threads_per_calculation=1)
        yield executor
        executor.close()


async def test_results_stand_under_their_keys_in_the_order_of_the_inputs(
    executor: Executor,
) -> None:
    calls = {
        "late": toys.slow.bind(Number(value=1), 0.3),
        "early": toys.slow.bind(Number(value=2), 0.0),
    }
    parts = await run_all(executor, calls)
    assert list(parts.results) == ["late", "early"]
    assert [answer.result.value for answer in parts.results.values()] == [1, 2]
    assert parts.all() is parts.results
    ended = {key: answer.activity.ended for key, answer in parts.results.items()}
    assert ended["early"] < ended["late"]


async def test_failures_are_kept_apart_each_as_it_is(executor: Executor) -> None:
    calls = {
        "good": toys.double.bind(Number(value=1)),
        "bad": toys.refuse.bind(Number(value=1)),
        "buggy": toys.stumble.bind(Number(value=1)),
    }
    parts = await run_all(executor, calls)
    assert list(parts.results) == ["good"]
    assert isinstance(parts.errors["bad"], RecipeError)
    assert parts.errors["bad"].advice == "ask for something else"
    assert "ZeroDivisionError" in str(parts.errors["buggy"])
    with pytest.raises(RecipeError, match=r"2 failed: bad: .*; buggy: "):
        parts.all()


async def test_no_more_calculate_at_once_than_there_are_slots(executor: Executor) -> None:
    calls = {str(n): toys.slow.bind(Number(value=n), 0.1) for n in range(6)}
    parts = await run_all(executor, calls, width=6)
    spans = [(a.activity.started, a.activity.ended) for a in parts.results.values()]
    most = max(sum(begin <= at < end for begin, end in spans) for at, _ in spans)
    assert most == 2


async def test_the_same_input_under_two_keys_is_computed_once(
    executor: Executor, tmp_path: Path
) -> None:
    call = toys.double.bind(Number(value=4), str(tmp_path / "tally"))
    parts = await run_all(executor, {"one": call, "two": call})
    assert toys.lines(tmp_path / "tally") == 1
    assert sorted(answer.reused for answer in parts.results.values()) == [False, True]


async def test_no_more_are_under_way_than_the_width(executor: Executor) -> None:
    under_way = most = 0

    async def do(number: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return number

    parts = await fan_out(executor, {str(n): n for n in range(100)}, do, width=7)
    assert list(parts.results.values()) == list(range(100))
    assert most == 7
    assert (await fan_out(executor, {}, do)).results == {}


async def test_a_fan_out_that_is_cancelled_ends_every_part(
    executor: Executor, tmp_path: Path
) -> None:
    tally = tmp_path / "pids"
    calls = {str(n): toys.slow.bind(Number(value=n), 60.0, str(tally)) for n in range(5)}
    job = asyncio.ensure_future(run_all(executor, calls))
    while toys.lines(tally) < 2:
        await asyncio.sleep(0.02)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert not [pid for pid in map(int, tally.read_text().split()) if alive(pid)]
    assert list((tmp_path / "store" / "tasks").iterdir()) == []
    assert (await executor.run(toys.double.bind(Number(value=3)))).result.value == 6
    assert len(executor.kg.find(Activity)) == 1


async def test_an_error_that_is_none_of_ours_ends_all(executor: Executor) -> None:
    ended: list[str] = []

    async def do(key: str) -> None:
        if key == "bad":
            raise ZeroDivisionError(key)
        try:
            await asyncio.sleep(10)
        finally:
            ended.append(key)

    with pytest.raises(ZeroDivisionError, match="bad"):
        await fan_out(executor, {key: key for key in ("one", "two", "bad")}, do, width=3)
    assert sorted(ended) == ["one", "two"]


async def test_each_part_of_a_run_is_recorded_with_what_became_of_it(executor: Executor) -> None:
    finish = await grow(executor, 1.0, -1.0, 1.0)
    assert finish.status == "finished"
    run = executor.kg.pull(Run, finish.run)
    parts = {part.part: part for part in executor.kg.find(Part, run=run)}
    assert sorted(parts) == ["0 1", "1 -1", "2 1"]
    assert "it cannot be had" in parts["1 -1"].failure
    assert parts["1 -1"].activity is None
    for key in ("0 1", "2 1"):
        link = parts[key].activity
        assert link is not None
        assert link.load(executor.kg).calculation == "toys.double"
        assert parts[key].started <= parts[key].ended
    assert sorted(parts[key].reused for key in ("0 1", "2 1")) == [False, True]


async def test_outside_of_a_run_only_the_calculations_are_recorded(executor: Executor) -> None:
    await run_all(executor, {"one": toys.double.bind(Number(value=1))})
    assert not executor.kg.find(Part)
    assert len(executor.kg.find(Activity)) == 1


async def test_a_step_all_of_whose_parts_fail_fails_the_run(executor: Executor) -> None:
    with pytest.raises(GraficoError, match="2 failed"):
        await grow(executor, -1.0, -2.0)
    [outcome] = executor.kg.find(Outcome)
    assert outcome.status == "failed"
    [step] = executor.kg.find(Transition)
    assert "2 failed" in step.failure
    assert len(executor.kg.find(Part)) == 2


async def test_runs_side_by_side_keep_their_records_apart(executor: Executor) -> None:
    finishes = await asyncio.gather(grow(executor, 1.0, 2.0), grow(executor, 5.0))
    counts = []
    for finish in finishes:
        run = executor.kg.pull(Run, finish.run)
        assert run.parent is None
        counts.append(len(executor.kg.find(Part, run=run)))
    assert counts == [2, 1]
