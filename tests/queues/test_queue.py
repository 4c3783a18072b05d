"""Batch queues on a live Slurm: what happens to jobs is told apart, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.queues.slurm import PATIENCE, Slurm
from triplestore.errors import ComponentError, InputError
from workflows.engine.queues import (
    Queue,
    QueuedJob,
    QueueState,
    Resources,
    SilentQueueError,
)

pytestmark = pytest.mark.xdist_group("slurm")

SHORT = Resources(walltime=600, memory=100)
LONG = ["sleep", "600"]
GREEDY = [sys.executable, "-c", "held = bytearray(300_000_000); import time; time.sleep(600)"]


@pytest.fixture
def queue(slurm: Slurm, tmp_path: Path) -> Queue:
    return Queue("slurm", tmp_path / "queue", interval=0.1)


def shell(script: str) -> list[str]:
    return ["bash", "-c", script]


async def wait(
    queue: Queue, jobs: Sequence[QueuedJob], until: Callable[[QueueState], bool]
) -> list[QueueState]:
    end = time.monotonic() + PATIENCE
    while True:
        states = list((await queue.statuses(jobs)).values())
        if all(until(state) for state in states):
            return states
        assert time.monotonic() < end, states
        await asyncio.sleep(0.1)


async def ended(queue: Queue, *jobs: QueuedJob) -> list[QueueState]:
    return await wait(queue, jobs, lambda state: state.ended)


async def running(queue: Queue, *jobs: QueuedJob) -> None:
    await wait(queue, jobs, lambda state: state.stage == "running")


async def test_how_commands_end(queue: Queue, tmp_path: Path) -> None:
    """To Slurm all of them are completed, for PSI/J's script is."""
    scripts = ("echo done in $PWD", "exit 3", "kill -SEGV $$")
    jobs = [
        await queue.submit(shell(script), f"job{number}", SHORT, folder=tmp_path)
        for number, script in enumerate(scripts)
    ]
    well, badly, crashed = await ended(queue, *jobs)
    assert (well.stage, well.exit_code) == ("left", 0)
    assert (badly.stage, badly.cause, badly.exit_code) == ("failed", "exit", 3)
    assert "status 3" in badly.reason
    assert (crashed.stage, crashed.cause, crashed.exit_code) == ("failed", "signal", 128 + 11)
    assert queue.output(jobs[0]).read_text() == f"done in {tmp_path}\n"
    assert well.used is not None
    # all of it may be killed but the last line of PSI/J's script
    queue.output(jobs[0]).with_suffix(".exit").unlink()
    assert [one.stage for one in await ended(queue, jobs[0])] == ["left"]
    queue.output(jobs[0]).with_suffix(".err").write_text("slurmstepd: Exceeded job memory limit\n")
    [killed] = await ended(queue, jobs[0])
    assert (killed.stage, killed.cause) == ("failed", "memory")
    for job in jobs:
        queue.forget(job)
    assert not [*queue.folder.glob("job*"), *queue.folder.glob("slurm/*")]


async def test_an_array(queue: Queue, tmp_path: Path) -> None:
    """Each knows its number, and each ends for itself."""
    jobs = await queue.submit_array(
        shell('exit "$((GRAFICO_INDEX - 1))"'), "array", SHORT, 3, folder=tmp_path
    )
    assert len({job.native for job in jobs}) == 1
    assert [state.exit_code for state in await ended(queue, *jobs)] == [0, 1, 2]
    assert (await queue.find(["array"]))["array"] == jobs
    [one] = await queue.submit_array(shell("exit 0"), "single", SHORT, 1, folder=tmp_path)
    assert one.index is None
    long = await queue.submit_array(LONG, "long", SHORT, 2, folder=tmp_path)
    await running(queue, *long)
    waiting = await queue.submit_array(
        LONG, "waiting", SHORT, 2, folder=tmp_path, begin=datetime.now() + timedelta(hours=1)
    )
    await queue.cancel(waiting[:1])  # Slurm tells nothing more of it
    assert [one.stage for one in await ended(queue, waiting[0])] == ["cancelled"]
    await queue.cancel(long[:1])
    await ended(queue, long[0])
    assert [state.stage for state in (await queue.statuses(long)).values()] == [
        "cancelled",
        "running",
    ]


async def test_environment_and_files_are_private(
    queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    needed = Resources(
        walltime=600,
        environment={"SAID": 'it\'s "two words" $HOME'},
        setup=("export FROM_SETUP=yes",),
    )
    folder = tmp_path / "with a blank"
    folder.mkdir()
    script = 'echo "$SAID|$FROM_SETUP|$SOME_API_KEY|$PWD" > said'
    job = await queue.submit(shell(script), "private", needed, folder=folder)
    [state] = await ended(queue, job)
    assert state.exit_code == 0
    assert (folder / "said").read_text() == f'it\'s "two words" $HOME|yes||{folder}\n'
    assert stat.S_IMODE((folder / "said").stat().st_mode) == 0o600
    assert stat.S_IMODE(queue.folder.stat().st_mode) == 0o700


async def test_a_driver_that_died_finds_its_jobs(
    queue: Queue, slurm: Slurm, tmp_path: Path
) -> None:
    """By name, also after the scheduler was restarted; by number alone it may be another's."""
    job = await queue.submit(LONG, "task-1", SHORT, folder=tmp_path)
    done = await queue.submit(shell("exit 0"), "task-2", SHORT, folder=tmp_path)
    await ended(queue, done)
    slurm.restart()
    again = Queue("slurm", queue.folder, interval=0.1)
    found = await again.find(["task-1", "task-2", "task-3"])
    assert found == {"task-1": [job], "task-2": [done], "task-3": []}
    await running(again, job)
    [state] = (await again.statuses([done])).values()
    assert (state.stage, state.exit_code) == ("left", 0)
    wrong = QueuedJob(job.native, "somebody-else")
    never = QueuedJob("99999", "never")
    states = await wait(again, [wrong, never], lambda state: state.stage != "unknown")
    assert [(state.stage, state.exit_code) for state in states] == [("left", None)] * 2
    assert "task-1" in states[0].reason


async def test_cancelled(queue: Queue, tmp_path: Path) -> None:
    jobs = [await queue.submit(LONG, f"job{n}", SHORT, folder=tmp_path) for n in range(2)]
    await running(queue, *jobs)
    await queue.cancel([*jobs, QueuedJob("99999", "never")])
    assert {state.stage for state in await ended(queue, *jobs)} == {"cancelled"}
    await queue.cancel(jobs)


async def test_ends_that_are_not_the_commands(queue: Queue, slurm: Slurm, tmp_path: Path) -> None:
    """Too much memory, a lost node and a more urgent job are told apart."""
    greedy = await queue.submit(GREEDY, "greedy", SHORT, folder=tmp_path)
    [state] = await ended(queue, greedy)
    assert (state.stage, state.cause) == ("failed", "memory")
    assert "memory limit" in state.reason

    lost = await queue.submit(LONG, "lost", SHORT, folder=tmp_path)
    await running(queue, lost)
    slurm.fail_node()
    [state] = await ended(queue, lost)
    assert (state.stage, state.cause) == ("failed", "node")
    slurm.mend_node()

    spare = Resources(walltime=600, cores=8, queue="spare")
    modest = await queue.submit(LONG, "modest", spare, folder=tmp_path)
    await running(queue, modest)
    urgent = await queue.submit(LONG, "urgent", Resources(walltime=600, cores=8), folder=tmp_path)
    await running(queue, urgent)
    [state] = await ended(queue, modest)
    assert (state.stage, state.cause) == ("failed", "preempted")


async def test_walltime(queue: Queue, slurm: Slurm, tmp_path: Path) -> None:
    """It counts in minutes; what happens when it is over is seen of whole runs."""
    job = await queue.submit(LONG, "endless", Resources(walltime=60), folder=tmp_path)
    assert slurm.job(job.native)["TimeLimit"] == "00:01:00"


async def test_later_and_after(queue: Queue, tmp_path: Path) -> None:
    later = datetime.now().astimezone() + timedelta(hours=2)
    late = await queue.submit(LONG, "late", SHORT, folder=tmp_path, begin=later)
    after = await queue.submit(LONG, "after", SHORT, folder=tmp_path, after=[late])
    states = await queue.statuses([late, after])
    assert {state.stage for state in states.values()} == {"queued"}
    assert not any(state.stuck for state in states.values())
    assert "BeginTime" in states[late].reason
    await queue.cancel([late])
    [state] = await ended(queue, after)
    assert (state.stage, state.cause) == ("failed", "dependency")
    anyway = await queue.submit(
        shell("exit 0"), "anyway", SHORT, folder=tmp_path, after=[late], whatever=True
    )
    [state] = await ended(queue, anyway)
    assert state.exit_code == 0


async def test_shards_and_cards(queue: Queue, slurm: Slurm, tmp_path: Path) -> None:
    def said(job: QueuedJob) -> str:
        return file.read_text() if (file := queue.output(job)).exists() else ""

    script = shell('echo "cards $CUDA_VISIBLE_DEVICES"; sleep 600')
    whole = Resources(walltime=600, gpus=2)
    both = await queue.submit(script, "both", whole, folder=tmp_path)
    await running(queue, both)
    slurm.wait(lambda: said(both) == "cards 0,1\n", "it does not see both cards")
    part = await queue.submit(script, "part", Resources(walltime=600, shards=1), folder=tmp_path)
    end = time.monotonic() + PATIENCE
    while "Resources" not in (await queue.statuses([part]))[part].reason:
        assert time.monotonic() < end
        await asyncio.sleep(0.1)
    await queue.cancel([both])
    await running(queue, part)
    slurm.wait(lambda: said(part).endswith("\n"), "no card named")
    assert said(part) in ("cards 0\n", "cards 1\n")


@pytest.mark.parametrize(
    ("needed", "advice"),
    [
        (Resources(walltime=600, queue="nowhere"), "`queue`"),
        (Resources(walltime=600, memory=900_000), "`memory`"),
        (Resources(walltime=600, gpus=9), "`gpus`"),
        (Resources(walltime=600, attributes={"no-such-option": "1"}), "`attributes`"),
    ],
    ids=["queue", "memory", "cards", "option"],
)
async def test_what_the_scheduler_refuses(
    queue: Queue, tmp_path: Path, needed: Resources, advice: str
) -> None:
    with pytest.raises(InputError) as error:
        await queue.submit(LONG, "refused", needed, folder=tmp_path)
    assert "sbatch says: " in error.value.found
    assert advice in error.value.advice


async def test_what_would_wait_for_ever(queue: Queue, tmp_path: Path) -> None:
    job = await queue.submit(LONG, "long", Resources(walltime=48 * 3600), folder=tmp_path)
    [state] = await wait(queue, [job], lambda state: state.stuck)
    assert state.stage == "queued"


async def test_a_scheduler_that_does_not_answer(queue: Queue, slurm: Slurm, tmp_path: Path) -> None:
    """Nobody knows what became of the job; it is found by its name when it answers again."""
    job = await queue.submit(LONG, "before", SHORT, folder=tmp_path)
    await running(queue, job)
    queue.patience = 0.5
    slurm.pause()
    with pytest.raises(SilentQueueError):
        await queue.submit(LONG, "unclear", SHORT, folder=tmp_path)
    [state] = (await queue.statuses([job])).values()
    assert (state.stage, state.ended) == ("unknown", False)
    assert "squeue did not answer within 0.5 s" in state.reason
    with pytest.raises(SilentQueueError):
        await queue.find(["unclear"])
    slurm.go_on()
    queue.patience = PATIENCE
    end = time.monotonic() + PATIENCE
    while not (found := (await queue.find(["unclear"]))["unclear"]):
        assert time.monotonic() < end
        await asyncio.sleep(0.1)
    await running(queue, job, *found)
    assert len(found) == 1


async def test_no_scheduler_here(
    queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ComponentError, match="sbatch is not on the path"):
        await queue.submit(LONG, "job", SHORT, folder=tmp_path)
    with pytest.raises(ComponentError, match="squeue is not on the path"):
        await queue.statuses([QueuedJob("1", "job")])


async def test_two_hundred_jobs_cost_one_question(
    queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often and by however many it is asked."""
    programs, asked = tmp_path / "programs", tmp_path / "asked"
    programs.mkdir()
    for name in ("squeue", "sacct"):
        program = programs / name
        real = os.environ["PATH"]
        program.write_text(f'#!/bin/sh\necho {name} >> {asked}\nPATH="{real}" exec {name} "$@"\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    queue.interval = 3600
    jobs = await asyncio.gather(
        *(queue.submit(LONG, f"job{n}", SHORT, folder=tmp_path) for n in range(200))
    )
    assert len({job.native for job in jobs}) == 200
    parts = await asyncio.gather(*(queue.statuses(jobs[n::10]) for n in range(10)))
    states = await queue.statuses(jobs)
    assert {job: state for part in parts for job, state in part.items()} == states
    assert {state.stage for state in states.values()} <= {"queued", "running"}
    assert asked.read_text() == "squeue\n"
    # of what came later nobody can say that it has left
    new = await queue.submit(LONG, "new", SHORT, folder=tmp_path)
    other = QueuedJob("99999", "of-another-process")
    later = await queue.statuses([new, other])
    assert (later[new].stage, later[other].stage) == ("queued", "unknown")
    assert asked.read_text() == "squeue\n"
    await queue.cancel([*jobs, new])
