"""How far PSI/J can be believed: each of these is why we ask the scheduler ourselves.

If one of them fails, PSI/J has changed, and what goes around the fault may go.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from psij import Job, JobAttributes, JobExecutor, JobSpec, JobState, ResourceSpecV1
from psij.executors.batch.batch_scheduler_executor import (
    BatchSchedulerExecutor,
    BatchSchedulerExecutorConfig,
)

from tests.queues.slurm import PATIENCE, Slurm, host

pytestmark = pytest.mark.xdist_group("slurm")


@pytest.fixture
def executor(slurm: Slurm, tmp_path: Path) -> Iterator[BatchSchedulerExecutor]:
    """PSI/J as it is, only quicker; it cannot read the reasons of some jobs that have ended."""
    slurm.forget()
    configuration = BatchSchedulerExecutorConfig(
        work_directory=tmp_path / "psij", queue_polling_interval=1, initial_queue_polling_delay=0
    )
    made = JobExecutor.get_instance("slurm", config=configuration)
    assert isinstance(made, BatchSchedulerExecutor)
    yield made
    made._queue_poll_thread.done = True


def job(script: str, minutes: float = 10, **more: object) -> Job:
    attributes = JobAttributes(duration=timedelta(minutes=minutes))
    spec = JobSpec("/bin/bash", ["-c", script], attributes=attributes, **more)  # pyright: ignore[reportArgumentType]
    return Job(spec)


def submit(executor: BatchSchedulerExecutor, one: Job) -> str:
    executor.submit(one)
    assert one.native_id is not None
    return one.native_id


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_the_name_is_ignored(executor: BatchSchedulerExecutor, slurm: Slurm) -> None:
    native = submit(executor, job("sleep 600", name="mine"))
    assert slurm.job(native)["JobName"] != "mine"


def test_nought_means_no_limit(executor: BatchSchedulerExecutor, slurm: Slurm) -> None:
    """Or that of the queue."""
    native = submit(executor, job("sleep 600", minutes=0))
    limit = slurm.run("squeue", "-h", "-j", native, "-o", "%l")
    assert limit in ("UNLIMITED", "1-00:00:00")


def test_what_never_was_is_completed(executor: BatchSchedulerExecutor) -> None:
    one = job("true")
    executor.attach(one, "99999")
    wait(lambda: one.status.final)
    assert one.status.state is JobState.COMPLETED
    assert one.status.exit_code is None


def test_a_kill_for_memory_could_not_be_launched(executor: BatchSchedulerExecutor) -> None:
    code = "held = bytearray(300_000_000); import time; time.sleep(600)"
    small = ResourceSpecV1(process_count=1, memory=100 * 10**6)
    one = job(f'exec {sys.executable} -c "{code}"', resources=small)
    submit(executor, one)
    wait(lambda: one.status.final)
    assert one.status.state is JobState.FAILED
    assert "could not be launched" in str(one.status.message)


def test_to_slurm_a_failure_is_completed(executor: BatchSchedulerExecutor, slurm: Slurm) -> None:
    native = submit(executor, job("exit 3"))
    wait(lambda: slurm.job(native)["JobState"] not in ("PENDING", "RUNNING", "COMPLETING"))
    assert slurm.job(native)["JobState"] == "COMPLETED"


def test_a_scheduler_that_is_away_has_failed_all(
    executor: BatchSchedulerExecutor, slurm: Slurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = job("sleep 600")
    native = submit(executor, one)
    wait(lambda: slurm.job(native)["JobState"] == "RUNNING")
    away = tmp_path / "squeue"
    away.write_text("#!/bin/sh\necho 'Unable to contact slurm controller' >&2\nexit 1\n")
    away.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{slurm.path}")
    wait(lambda: one.status.final)
    assert one.status.state is JobState.FAILED
    assert slurm.job(native)["JobState"] == "RUNNING"


def test_a_reason_of_several_words_hides_all(
    executor: BatchSchedulerExecutor, slurm: Slurm
) -> None:
    """PSI/J then learns nothing of any job of this person."""
    submit(executor, job("sleep 600"))
    command = executor.get_status_command([])
    executor.parse_status_output(0, slurm.run(*command))
    slurm.run("scontrol", "update", f"nodename={host()}", "state=drain", "reason=test")
    native = slurm.run("sbatch", "--parsable", "-o", "/dev/null", "--wrap", "true")
    wait(lambda: slurm.run("squeue", "-h", "-j", native, "-o", "%r").startswith("ReqNodeNotAvail,"))
    with pytest.raises(AssertionError):
        executor.parse_status_output(0, slurm.run(*command))
