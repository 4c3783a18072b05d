"""What goes wrong in a worker is a typed error that says what to do, and disturbs nobody else."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from ogm import KnowledgeGraph
from tests.engine import hazards, toys
from tests.engine.toys import Number
from triplestore import open_store
from triplestore.errors import (
    CrashError,
    GraficoError,
    KilledError,
    MemoryLimitError,
    TimeLimitError,
)
from workflows.engine import Executor, Slots
from workflows.engine.logfile import HALF, LogFile, tail
from workflows.engine.watch import oom_kills

ROOT = Path(__file__).resolve().parents[2]
ONE = Number(value=1)


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[Executor]:
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store), Slots(cores=2, memory=800), cores=1)
        yield executor
        executor.close()


def tasks(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "store" / "tasks").iterdir())


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


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
    assert time.monotonic() - started < 15
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
    wait_for(lambda: gone(child), 2)
    assert tasks(tmp_path) == []


SCRIPT = """
    import asyncio, sys
    from ogm import KnowledgeGraph
    from tests.engine import hazards, toys
    from triplestore import open_store
    from workflows.engine import Executor

    async def main():
        executor = Executor(KnowledgeGraph(open_store(sys.argv[1])), cores=1)
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
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    wait_for(lambda: toys.lines(tally) == 1)
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
        wait_for(lambda pid=pid: gone(pid), 5)
