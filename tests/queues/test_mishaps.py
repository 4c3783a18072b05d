"""What befalls whole runs on a real Slurm: each is told apart, mended, and computed once."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from grafico import Grafico
from ontologies.jobs import JobAttempt
from tests.jobs.working import XTB, made_twice, submitted
from tests.queues.slurm import Slurm, host
from triplestore.errors import InputError
from workflows.engine.jobs.desk import Desk, JobStart
from workflows.engine.jobs.job import Job
from workflows.engine.queues import SilentQueueError
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.queued import QueuedRunner

pytest.importorskip("tblite")
pytestmark = [pytest.mark.xdist_group("slurm"), pytest.mark.usefixtures("slurm")]

PATIENCE = 120.0
NOBODY = 65534


class Heard(QueuedRunner):
    """Asks often, and has little patience."""

    def __init__(self, one: Cluster, home: Path) -> None:
        super().__init__(one.scheduler, home / "queue", interval=0.2, patience=20.0)


def desk_of(session: Grafico, **cluster: Any) -> Desk:
    said: dict[str, Any] = {"scheduler": "slurm", "hours": 0.1, "memory": 2000, **cluster}
    return Desk(session.kg, {"hpc": Cluster.model_validate(said)}, Heard)


def until(session: Grafico, desk: Desk, job: Job, true: Callable[[Job], Any]) -> Job:
    """Look after a job until something is true of it."""
    end = time.monotonic() + PATIENCE
    while True:
        session.wait_for(desk.tend)
        now = desk.named(job.name).job
        if true(now):
            return now
        log = desk.named(job.name).part(1) / "log.txt"
        assert time.monotonic() < end, f"{now.parts}; {log.read_text() if log.exists() else ''}"
        time.sleep(0.2)


def ended(session: Grafico, desk: Desk, job: Job) -> Job:
    return until(session, desk, job, lambda now: now.ended)


def number(job: Job) -> str:
    return job.parts[0].native.partition(" ")[0]


def program(job: Job) -> psutil.Process:
    """Return the program of the first part of a job, when it has recorded something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for process in psutil.process_iter(["cmdline"]):
            words = process.info["cmdline"] or []
            ours = words[0:1] == [sys.executable] and words[-2:] == ["1", "1"]
            if ours and any(job.name in word for word in words):
                return process
        time.sleep(0.02)
    raise AssertionError("it does not compute")


def attempts(session: Grafico) -> list[tuple[str, str]]:
    found = sorted(session.kg.find(JobAttempt), key=lambda one: one.number)
    return [(one.ending, one.reason) for one in found]


def test_walltime_and_a_lost_node_are_gone_on_from(session: Grafico, slurm: Slurm) -> None:
    """First the node is given up while it computes, then time runs out; the result is the same."""
    desk = desk_of(session)
    job = submitted(session, desk, "CCCCCC", task="frequencies")
    place = desk.named(job.name)
    slurm.wait(lambda: (place.part(1) / "journal").exists(), "it does not begin")
    first = program(job)
    first.suspend()  # so that it has not ended before Slurm looks
    slurm.kill("slurmd")  # its jobs go on: nobody there is told to end them
    slurm.run("scontrol", "update", f"nodename={host()}", "state=down", "reason=test")
    job = until(session, desk, job, lambda now: now.parts[0].attempt == 2)
    assert job.state == "waiting"
    slurm.mend_node()
    first.resume()  # what was given up computes all the same, and ends as the second has begun
    job = until(session, desk, job, lambda now: place.began(now.parts[0]) is not None)
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 2), job.parts
    assert attempts(session) == [("cut off", "node failure"), ("finished", "")]
    assert not made_twice(session)


def test_time_runs_out(session: Grafico, slurm: Slurm, tmp_path: Path) -> None:
    """Slurm looks twice a minute. What is left goes on, and comes to what it would have."""
    desk = desk_of(session)
    job = submitted(session, desk, "CCCCCC", task="frequencies")
    place = desk.named(job.name)
    slurm.wait(lambda: (place.part(1) / "journal").exists(), "it does not begin")
    program(job).suspend()
    slurm.run("scontrol", "update", f"jobid={number(job)}", "EndTime=now+1")
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 2), job.parts
    assert attempts(session) == [("cut off", "walltime"), ("finished", "")]
    assert not made_twice(session)
    with Grafico(tmp_path / "other", threads_per_calculation=1) as other:
        here = other.run("CCCCCC", task="frequencies", **XTB)
    there = session.run("CCCCCC", task="frequencies", **XTB)
    assert there.reused
    assert there.energy == pytest.approx(here.energy, abs=1e-6)


def test_held_suspended_and_started_again_by_slurm(session: Grafico, slurm: Slurm) -> None:
    """It stays the same job, is told as waiting with what lets it go, and is computed once."""
    desk = desk_of(session)
    begin = datetime.now(UTC) + timedelta(hours=1)
    job = submitted(session, desk, "CCCCCC", task="frequencies", plan=JobStart(begin=begin))
    native = number(job)
    slurm.run("scontrol", "uhold", native)
    job = until(session, desk, job, lambda now: now.parts[0].reason == "held")
    assert (job.state, job.parts[0].advice) == ("waiting", f"let it go: scontrol release {native}")
    slurm.run("scontrol", "release", native)
    slurm.run("scontrol", "update", f"jobid={native}", "StartTime=now", "Requeue=1")
    program(job)
    slurm.run("scontrol", "suspend", native)
    job = until(session, desk, job, lambda now: now.parts[0].reason == "suspended")
    assert (job.state, job.parts[0].attempt) == ("waiting", 1)
    assert job.parts[0].advice.endswith(f"scontrol resume {native}")
    slurm.run("scontrol", "resume", native)
    slurm.run("scontrol", "requeue", native)
    slurm.wait(lambda: slurm.job(native)["Restarts"] == "1", "it is not started again")
    job = until(session, desk, job, lambda now: now.state == "waiting")
    slurm.wait(lambda: slurm.job(native)["JobState"] == "PENDING", "it is not started again")
    slurm.run("scontrol", "update", f"jobid={native}", "StartTime=now")
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt, number(job)) == ("finished", 1, native)
    names = slurm.run("squeue", "-h", "--states=all", "-o", "%j").split()
    assert names.count(f"{job.name}.1.1") == 1
    assert not made_twice(session)


def test_what_will_never_run_says_why(session: Grafico, slurm: Slurm) -> None:
    desk = desk_of(session, hours=48)
    closed = ("PartitionName=closed", "AllowAccounts=chemists", "State=UP", f"Nodes={host()}")
    slurm.run("scontrol", "create", *closed)
    try:
        job = submitted(session, desk, "O")
        job = until(session, desk, job, lambda now: now.parts[0].reason == "never")
        assert job.state == "waiting"
        assert "Partition" in job.parts[0].told  # TimeLimit, Config: Slurm's words
        assert "`hours`" in job.parts[0].advice
        found = session.wait_for(lambda: desk.check(["hpc"]))["hpc"]
        assert "would wait for ever" in found.problem
        assert "`hours`" in found.advice
        session.wait_for(lambda: desk.cancel(job.name))
        for subject, said, advice in (
            ("C", {"queue": "closed", "account": "others"}, "`account`"),
            ("N", {"cores": 9}, "`cores`"),
        ):
            other = desk_of(session, **said)
            job = submitted(session, other, subject)
            job = until(session, other, job, lambda now: now.parts[0].reason == "never")
            assert advice in job.parts[0].advice, job.parts
            session.wait_for(lambda desk=other, name=job.name: desk.cancel(name))
        with pytest.raises(InputError) as error:
            submitted(session, desk_of(session, memory=900_000), "S")
        assert "`memory`" in error.value.advice
    finally:
        slurm.run("scontrol", "delete", "PartitionName=closed")


def test_a_scheduler_that_says_nothing_gets_it_twice(session: Grafico, slurm: Slurm) -> None:
    """It has taken what the next one could not find: both begin, and one computes."""
    desk = desk_of(session)
    slurm.pause()
    started = time.monotonic()
    with pytest.raises(SilentQueueError):
        submitted(session, desk, "CCO", task="frequencies")
    assert session.run("O", **XTB).status == "finished"  # others are not held up
    (job,) = session.wait_for(desk.tend)
    assert (job.state, job.parts[0].attempt) == ("submitting", 1)
    assert job.parts[0].told
    assert time.monotonic() - started < 120
    slurm.go_on()
    slurm.wait(lambda: bool(slurm.node_state()), "Slurm does not answer")
    place = desk.named(job.name)
    with place.alone():  # as who looked before the first had arrived
        noted = place.job
        session.wait_for(lambda: desk._submitter.start(place, noted, noted.parts))  # pyright: ignore[reportPrivateUsage]
    name = f"{job.name}.1.1"

    def named() -> int:
        return slurm.run("squeue", "-h", "--states=all", "-o", "%j").split().count(name)

    slurm.wait(lambda: named() == 2, "the first does not arrive")
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 1)
    assert not made_twice(session)


def test_a_job_of_somebody_else(session: Grafico, slurm: Slurm) -> None:
    """Neither its name nor its number makes it ours."""
    desk = desk_of(session)
    begin = datetime.now(UTC) + timedelta(hours=1)
    job = submitted(session, desk, "O", plan=JobStart(begin=begin))
    name = f"{job.name}.1.1"
    done = subprocess.run(
        ["sbatch", "--parsable", "-o", "/dev/null", "-J", name, "--wrap", "sleep 600"],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        text=True,
        cwd="/",
        env={**os.environ, "HOME": "/"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    theirs = done.stdout.strip()
    try:
        runner = desk._submitter.runner_for(job)  # pyright: ignore[reportPrivateUsage]
        found = session.wait_for(lambda: runner.find([name]))
        assert found == {name: job.parts[0].native}
        place = desk.named(job.name)
        noted = place.job
        noted.parts[0].native = f"{theirs} {name}.other"
        place.write(noted)
        session.wait_for(lambda: desk.cancel(job.name))
        assert slurm.job(theirs)["JobState"] in ("PENDING", "RUNNING")
    finally:
        slurm.run("scancel", theirs, number(job))


def test_a_folder_that_nodes_do_not_see(session: Grafico, slurm: Slurm, tmp_path: Path) -> None:
    """Only the login node has mounted it: its program does not begin, twice."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    own = tmp_path / "config" / "grafico"
    own.mkdir(parents=True)
    (own / "grafico.toml").write_text(
        f'[clusters.hpc]\nscheduler = "slurm"\nhours = 0.1\nmemory = 2000\nfolder = "{scratch}"\n'
    )
    grafico = f"{sys.executable} -m grafico"
    script = (
        f"mount -t tmpfs none {scratch} && {grafico} run O --method GFN2-xTB --on hpc --store other"
        f" && for look in 1 2 3 4 5 6 7 8; do {grafico} jobs --store other > said"
        " && grep -q 'not started' said && break; done; cat said"
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=PATIENCE,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")},
    )
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(done.stderr)
    assert "its program has not begun" in done.stdout, done.stdout + done.stderr
    assert "`folder`" in done.stdout
