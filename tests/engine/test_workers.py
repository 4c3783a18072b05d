"""What goes wrong in a worker is a typed error that says what to do, and disturbs nobody else."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ogm import KnowledgeGraph
from tests.engine import hazards, ponderous, toys
from tests.engine.toys import Number
from tests.triplestore.helpers import wait_until
from triplestore import open_store
from triplestore.errors import (
    CrashError,
    GraficoError,
    KilledError,
    MemoryLimitError,
    RecipeError,
    TimeLimitError,
)
from workflows.engine import Executor, Slots
from workflows.engine.local import pool
from workflows.engine.local.logfile import HALF, LogFile, tail
from workflows.engine.local.watch import oom_kills

ROOT = Path(__file__).resolve().parents[2]
ONE = Number(value=1)


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[Executor]:
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(
            KnowledgeGraph(store), Slots(total_cores=2, memory=800), threads_per_calculation=1
        )
        yield executor
        executor.close()


def tasks(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "store" / "tasks").iterdir())


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def test_each_way_to_end_has_its_own_error_and_the_next_call_works(
    executor: Executor, tmp_path: Path
) -> None:
    ways: list[tuple[object, type[GraficoError], str]] = [
        (hazards.send.bind(ONE, signal.SIGSEGV), CrashError, "SIGSEGV"),
        (hazards.null_pointer.bind(ONE), CrashError, "SIGSEGV.*\nprinted by C"),
        (hazards.send.bind(ONE, signal.SIGABRT), CrashError, "SIGABRT"),
        (hazards.leave.bind(ONE, 3), CrashError, "status 3"),
        (hazards.fork_and_crash.bind(ONE), CrashError, "SIGSEGV"),
        (hazards.send.bind(ONE, signal.SIGKILL), KilledError, "SIGKILL"),
        (hazards.send.bind(ONE, signal.SIGTERM), KilledError, "SIGTERM"),
        (hazards.reserve.bind(ONE), MemoryLimitError, "400 MB"),
        (hazards.leave.bind(ONE, 0), CrashError, "status 0"),
        (hazards.leap.bind(ONE, "exit"), RecipeError, "SystemExit: 0"),
        (hazards.leap.bind(ONE, "interrupt"), RecipeError, "KeyboardInterrupt"),
        (hazards.freeze.bind(ONE), TimeLimitError, "no sign of life for 1 s"),
    ]
    for call, kind, words in ways:
        with pytest.raises(GraficoError, match=words) as caught:
            await executor.run(call)  # pyright: ignore[reportArgumentType]
        assert type(caught.value) is kind
        assert caught.value.advice
    assert (await executor.run(toys.double.bind(ONE))).result.value == 2
    assert tasks(tmp_path) == []


@pytest.mark.parametrize("in_child", [False, True])
async def test_one_that_takes_too_much_memory_is_stopped_and_another_goes_on(
    executor: Executor, in_child: bool
) -> None:
    other = asyncio.ensure_future(executor.run(toys.slow.bind(ONE, 1.5)))
    with pytest.raises(MemoryLimitError, match="of the 400 MB that it was given"):
        await executor.run(hazards.hoard.bind(ONE, 1000, in_child))
    assert (await other).result.value == 1


async def test_memory_within_the_limit_is_no_matter(executor: Executor) -> None:
    assert (await executor.run(hazards.hoard.bind(ONE, 150))).result.value == 150


async def test_memory_that_processes_share_is_counted_once_and_not_for_nothing(
    executor: Executor,
) -> None:
    assert (await executor.run(hazards.share.bind(ONE, 150, 4))).result.value == 150e6
    with pytest.raises(MemoryLimitError, match="of the 400 MB"):
        await executor.run(hazards.map_memory.bind(ONE, 450))


async def test_what_a_task_leaves_behind_is_gone_before_the_next_begins(
    executor: Executor, tmp_path: Path
) -> None:
    tally = tmp_path / "pids"
    first = await executor.run(hazards.leave_behind.bind(ONE, str(tally)))
    second = await executor.run(hazards.leave_behind.bind(Number(value=2), str(tally), True))
    third = await executor.run(hazards.spin.bind(ONE))
    last = await executor.run(toys.double.bind(ONE))
    assert all(map(gone, pids(tally)))
    assert len(pids(tally)) == 2
    assert first.result.pid == second.result.pid == third.result.pid != last.result.pid
    assert gone(third.result.pid), "a thread went on in it"


async def test_one_that_closes_what_is_not_its_own_still_answers(executor: Executor) -> None:
    for first, last, seconds in ((3, 256, 0.5), (0, 3, 0.0), (0, 256, 0.0)):
        call = hazards.close_files.bind(ONE, first, last, seconds)
        assert (await executor.run(call)).result.value == 1
    assert (await executor.run(hazards.double_back.bind(ONE))).result.value == 1
    assert (await executor.run(toys.double.bind(ONE))).result.value == 2


async def test_one_that_hangs_is_stopped_and_one_that_works_in_silence_is_not(
    executor: Executor,
) -> None:
    quiet = [
        asyncio.ensure_future(executor.run(hazards.toil.bind(ONE, 2.5, in_child)))
        for in_child in (False, True)
    ]
    started = time.monotonic()
    with pytest.raises(TimeLimitError, match="Godot"):
        await executor.run(hazards.hang.bind(ONE))
    assert time.monotonic() - started < 60
    assert [answer.result.value for answer in await asyncio.gather(*quiet)] == [1, 1]


def test_the_kernel_s_count_of_processes_killed_for_memory_is_read(tmp_path: Path) -> None:
    counters = tmp_path / "vmstat"
    assert oom_kills(counters) == 0
    counters.write_text("pgfault 17\noom_kill 3\nnuma_hit 5\n")
    assert oom_kills(counters) == 3


async def test_a_flood_of_words_fills_no_disk_and_its_end_is_told(
    executor: Executor, tmp_path: Path
) -> None:
    largest = 0
    job = asyncio.ensure_future(executor.run(hazards.chatter.bind(ONE, 100, signal.SIGSEGV)))
    while not job.done():
        await asyncio.sleep(0.02)
        for log in (tmp_path / "store" / "tasks").glob("*/log*.txt"):
            try:
                largest = max(largest, log.stat().st_size)
            except FileNotFoundError:
                continue
    with pytest.raises(CrashError, match="that was all") as caught:
        await job
    assert len(str(caught.value)) < 10_000
    assert 0 < largest <= 2 * HALF


def test_a_log_keeps_its_end(tmp_path: Path) -> None:
    log = LogFile(tmp_path)
    for number in range(60_000):
        log.write(f"line {number:20d}\n".encode())
    log.close()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 2 * HALF + 1000
    assert tail(tmp_path, 2).split() == ["line", "59998", "line", "59999"]
    assert tail(tmp_path / "nowhere") == ""


async def test_a_cancelled_call_returns_only_when_its_processes_are_gone(
    executor: Executor, tmp_path: Path
) -> None:
    tally = tmp_path / "pids"
    job = asyncio.ensure_future(executor.run(hazards.breed.bind(ONE, str(tally))))
    while not toys.lines(tally):
        await asyncio.sleep(0.02)
    for _ in range(3):  # an impatient person
        job.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await job
    worker, child = map(int, tally.read_text().split())
    assert gone(worker)
    wait_until(lambda: gone(child), 2)
    assert tasks(tmp_path) == []


async def test_one_that_left_its_group_is_found(executor: Executor, tmp_path: Path) -> None:
    tally = tmp_path / "pids"
    job = asyncio.ensure_future(executor.run(hazards.desert.bind(ONE, str(tally))))
    while not pids(tally):
        await asyncio.sleep(0.02)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(job, 3)
    assert gone(pids(tally)[0])


def pids(tally: Path) -> list[int]:
    return [int(word) for word in tally.read_text().split()] if tally.exists() else []


def server_of(worker: int) -> psutil.Process:
    server = psutil.Process(worker).parent()
    assert server is not None
    return server


@pytest.mark.parametrize("end", ["cancel", "worker", "server"])
async def test_programs_that_hide_in_a_session_of_their_own_end_too(
    executor: Executor, tmp_path: Path, end: str
) -> None:
    tally, warm = tmp_path / "pids", (await executor.run(toys.double.bind(ONE))).result.pid
    server = server_of(warm)
    job = asyncio.ensure_future(executor.run(hazards.multiply.bind(ONE, 10, str(tally))))
    while len(pids(tally)) < 11:
        await asyncio.sleep(0.02)
    if end == "cancel":
        job.cancel()
    else:
        (server if end == "server" else psutil.Process(warm)).kill()
    with pytest.raises(asyncio.CancelledError if end == "cancel" else KilledError):
        await job
    wait_until(lambda: all(map(gone, pids(tally))), 2)
    assert (await executor.run(toys.double.bind(Number(value=3)))).result.value == 6


@pytest.mark.parametrize("victim", ["server", "worker"])
async def test_who_is_killed_while_idle_takes_no_call_along(
    executor: Executor, victim: str
) -> None:
    worker = (await executor.run(toys.double.bind(ONE))).result.pid
    server = server_of(worker)
    server.suspend()  # so that the call is under way when it happens
    job = asyncio.ensure_future(executor.run(toys.double.bind(Number(value=3))))
    await asyncio.sleep(0.3)
    if victim == "server":
        server.kill()
    else:
        os.kill(worker, signal.SIGKILL)
        await asyncio.sleep(0.1)
        server.resume()
    assert (await job).result.value == 6


@pytest.mark.parametrize("why", ["imports", "hangs"])
async def test_a_cancel_ends_its_own_task_only_when_the_server_does_not_answer(
    executor: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr(pool, "STOPPING", 0.3)
    slots = Slots(total_cores=3, memory=1200)
    executor = executor.under(replace(executor.policy, slots=slots))
    tally = tmp_path / "pids"
    slow = asyncio.ensure_future(executor.run(toys.slow.bind(ONE, 3.0, str(tally))))
    job = asyncio.ensure_future(executor.run(toys.slow.bind(Number(value=2), 3.0, str(tally))))
    while len(pids(tally)) < 2:
        await asyncio.sleep(0.02)
    server = server_of(pids(tally)[0])
    if why == "hangs":
        server.suspend()
    late = asyncio.ensure_future(executor.run(ponderous.reach.bind(ONE)))
    later = asyncio.ensure_future(executor.run(ponderous.reach.bind(Number(value=2))))
    await asyncio.sleep(0.3)
    started = time.monotonic()
    for one in (job, later):
        one.cancel()
    await asyncio.gather(job, later, return_exceptions=True)
    assert job.cancelled()
    assert later.cancelled()
    assert time.monotonic() - started > 0.25
    assert sum(map(gone, pids(tally))) == 1
    after = await executor.run(toys.double.bind(ONE))
    assert server_of(after.result.pid) != server, "it is given nothing more"
    if why == "hangs":
        server.resume()
    assert (await slow).result.value == 1
    assert (await late).result.value == 1
    await executor.run(toys.double.bind(Number(value=3)))
    assert not server.is_running(), "it is closed when it has nothing to do"


async def test_a_server_that_hangs_is_replaced_after_a_cancel(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "STOPPING", 0.3)
    server = server_of((await executor.run(toys.double.bind(ONE))).result.pid)
    server.suspend()
    job = asyncio.ensure_future(executor.run(toys.double.bind(Number(value=2))))
    await asyncio.sleep(0.2)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert (await executor.run(toys.double.bind(Number(value=2)))).result.value == 4
    assert not server.is_running()


SCRIPT = """
    import asyncio, sys
    from ogm import KnowledgeGraph
    from tests.engine import hazards, toys
    from triplestore import open_store
    from workflows.engine import Executor

    async def main():
        executor = Executor(KnowledgeGraph(open_store(sys.argv[1])), threads_per_calculation=1)
        try:
            await executor.run(hazards.breed.bind(toys.Number(value=5), sys.argv[2]))
        except Exception as error:
            print(type(error).__name__)
        finally:
            executor.close()

    asyncio.run(main())
"""


@pytest.mark.parametrize("victim", ["parent", "server", "interrupted"])
def test_whoever_is_killed_no_process_stays(tmp_path: Path, victim: str) -> None:
    tally = tmp_path / "pids"
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(tmp_path / "store"), str(tally)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    wait_until(lambda: toys.lines(tally) == 1)
    worker = int(tally.read_text().split()[0])
    server = psutil.Process(worker).ppid()
    match victim:
        case "parent":
            parent.kill()
        case "server":
            os.kill(server, signal.SIGKILL)
        case _:
            parent.send_signal(signal.SIGINT)
    said = parent.communicate(timeout=30)[0]
    assert said.split() == (["KilledError"] if victim == "server" else [])
    for pid in (server, worker, int(tally.read_text().split()[1])):
        wait_until(lambda pid=pid: gone(pid), 5)
