"""Whole runs through a real Slurm: what comes back, what is cut off, and who finds what again."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from grafico import Grafico
from ontologies.jobs import JobAttempt
from ontologies.provenance import Activity, Part
from tests.jobs.working import ended, submitted
from tests.queues.slurm import Slurm
from triplestore.errors import InputError
from workflows.engine.jobs.desk import Desk
from workflows.engine.jobs.job import Job
from workflows.engine.runners.base import Submission
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.queued import QueuedRunner

pytest.importorskip("tblite")
pytestmark = [pytest.mark.xdist_group("slurm"), pytest.mark.usefixtures("slurm")]

PATIENCE = 180.0
LIBRARY = "O water\nN ammonia\nC methane\nCO methanol\nCC ethane\nC=O methanal\n"


def desk_of(session: Grafico, **cluster: Any) -> Desk:
    said: dict[str, Any] = {"scheduler": "slurm", "hours": 0.1, "memory": 2000, **cluster}
    described = Cluster.model_validate(said)
    return Desk(
        session.kg,
        {"hpc": described},
        lambda one, home: QueuedRunner(one.scheduler, home / "queue", interval=0.5),
    )


def program_of(job: Job) -> psutil.Process | None:
    """Return the program of the first part of a job, if it computes."""
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        ours = "workflows.engine.jobs.node" in words and any(job.name in word for word in words)
        if ours and words[0] == sys.executable and words[-2:] == ["1", "1"]:
            return process
    return None


def test_a_batch_goes_through_slurm_is_killed_and_comes_to_the_same_table(
    session: Grafico, tmp_path: Path
) -> None:
    source = tmp_path / "library.smi"
    source.write_text(LIBRARY)
    arguments: dict[str, Any] = {"method": "GFN2-xTB", "task": "frequencies"}
    desk = desk_of(session, parts=2, part_minutes=0)
    asked: dict[str, Any] = {"workflow": "batch", "arguments": arguments, "each": "run"}
    job = submitted(session, desk, str(source), **asked)
    assert [part.native.partition(" ")[2] for part in job.parts] == [
        f"{job.name}.all.1[1]",
        f"{job.name}.all.1[2]",
    ]
    assert len({part.native.partition(" ")[0] for part in job.parts}) == 1  # one array
    until = time.monotonic() + PATIENCE
    while (victim := program_of(job)) is None and time.monotonic() < until:
        time.sleep(0.05)
    journal = desk.named(job.name).part(1) / "journal"
    while victim and victim.is_running() and time.monotonic() < until:
        if journal.exists() and journal.read_bytes().count(b'"settled"') > 2:
            victim.kill()
            break
        time.sleep(0.02)
    job = ended(session, desk, job)
    assert job.state == "finished", job
    assert job.parts[1].attempt == 1
    if job.parts[0].attempt > 1:  # that one goes again, by itself
        assert job.parts[0].native.endswith(f"{job.name}.1.{job.parts[0].attempt}")
    assert not list((desk.folder / "queue").glob("grafico-*"))  # nothing is left of what has ended
    assert sorted(part.part for part in session.kg.find(Part)) == list("012345")  # each once
    table = session.batch(source, **arguments).result()
    assert table.counts["finished"] == 6
    brief = ("molecule.embed", "tightbinding.resolve_level")  # each part may do these for itself
    made = [one.key for one in session.kg.find(Activity) if one.calculation not in brief]
    assert len(set(made)) == len(made) > 6
    with Grafico(tmp_path / "here", threads_per_calculation=1) as other:
        alone = other.batch(source, **arguments).result()
        for here, there in zip(alone.rows(), table.rows(), strict=True):
            assert here.entry.name == there.entry.name
            assert there.facts["energy"].value == pytest.approx(
                here.facts["energy"].value, abs=1e-8
            )


class Lost(QueuedRunner):
    """Submits a part, and is killed before anybody notes its number."""

    lost = True

    async def submit(self, part: Submission) -> Sequence[str]:
        natives = await super().submit(part)
        if self.lost:
            raise KeyboardInterrupt
        return natives


def lost_desk(session: Grafico, **cluster: Any) -> tuple[Desk, list[Lost]]:
    made: list[Lost] = []

    def runner(one: Cluster, home: Path) -> Lost:
        made.append(Lost(one.scheduler, home / "queue", interval=0.5))
        return made[-1]

    described = Cluster(scheduler="slurm", hours=0.1, memory=2000, **cluster)
    return Desk(session.kg, {"hpc": described}, runner), made


def killed(session: Grafico, desk: Desk, subject: str, **asked: Any) -> bool:
    """Submit a request whose submitter is killed; tell whether it was."""

    async def submit() -> bool:
        try:
            await desk.submit(await session.prepare_async(subject, **asked), "hpc")
        except KeyboardInterrupt:
            return True
        return False

    return session.wait_for(submit)


def test_an_array_whose_number_was_lost_is_found_by_its_name(
    session: Grafico, slurm: Slurm, tmp_path: Path
) -> None:
    source = tmp_path / "library.smi"
    source.write_text(LIBRARY)
    desk, made = lost_desk(session, parts=3, part_minutes=0)
    asked: dict[str, Any] = {
        "workflow": "batch",
        "arguments": {"method": "GFN2-xTB"},
        "each": "run",
    }
    assert killed(session, desk, str(source), **asked)
    (place,) = desk.places()
    assert [part.state for part in place.job.parts] == ["submitting"] * 3
    made[0].lost = False
    session.wait_for(desk.tend)
    numbers = {part.native.partition(" ")[0] for part in place.job.parts}
    assert len(numbers) == 1
    assert numbers != {""}
    told = slurm.run("squeue", "--states=all", "--noheader", "--array", "--Format=Name:100").split()
    assert told.count(f"{place.job.name}.all.1") == 3  # nothing was submitted again
    job = ended(session, desk, place.job)
    assert (job.state, [part.attempt for part in job.parts]) == ("finished", [1, 1, 1])
    assert sorted(part.part for part in session.kg.find(Part)) == list("012345")


def test_arrays_and_their_elements_are_cancelled(
    session: Grafico, slurm: Slurm, tmp_path: Path
) -> None:
    source = tmp_path / "library.smi"
    source.write_text(LIBRARY)
    desk = desk_of(session, parts=3, part_minutes=0, cores=8)  # one after the other
    long = {"method": "B3LYP", "basis": "def2-TZVP", "task": "frequencies"}
    job = submitted(session, desk, str(source), workflow="batch", each="run", arguments=long)
    number = job.parts[0].native.partition(" ")[0]
    slurm.run("scancel", f"{number}_3")
    until = time.monotonic() + PATIENCE
    while (states := [one.state for one in desk.named(job.name).job.parts])[2] == "waiting":
        assert time.monotonic() < until, states
        session.wait_for(desk.tend)
        time.sleep(0.2)
    assert states[2] == "cancelled", states
    assert not {"cancelled", "failed"} & set(states[:2]), states
    job = session.wait_for(lambda: desk.cancel(job.name))
    assert [part.state for part in job.parts] == ["cancelled"] * 3
    while slurm.run("squeue", "--noheader", "--name", f"{job.name}.all.1"):
        assert time.monotonic() < until
        time.sleep(0.2)


def test_a_job_whose_number_was_lost_is_found_by_its_name(session: Grafico, slurm: Slurm) -> None:
    desk, made = lost_desk(session)
    assert killed(session, desk, "O", method="GFN2-xTB")
    (place,) = desk.places()
    assert place.job.state == "submitting"
    made[0].lost = False
    assert ended(session, desk, place.job).state == "finished"
    part = place.job.parts[0]
    assert part.attempt == 1
    assert part.native.endswith(f"{place.job.name}.1.1")


def test_what_somebody_cancels_stays_cancelled(session: Grafico, slurm: Slurm) -> None:
    desk = desk_of(session, cores=8)
    first = submitted(
        session, desk, "C1CCCCC1", method="B3LYP", basis="def2-TZVP", task="frequencies"
    )
    number = first.parts[0].native.partition(" ")[0]
    slurm.run("scancel", number)
    job = ended(session, desk, first)
    assert (job.state, job.parts[0].attempt) == ("cancelled", 1), job


def test_what_slurm_does_not_have_is_refused_with_advice(session: Grafico, slurm: Slurm) -> None:
    desk = desk_of(session, queue="nowhere")
    with pytest.raises(InputError, match="queue"):
        submitted(session, desk, "O", method="GFN2-xTB")
    (place,) = desk.places()
    assert place.job.state == "failed"
    found = session.wait_for(lambda: desk.check(["hpc"]))["hpc"]
    assert found.problem
    assert "queue" in found.advice
    works = session.wait_for(lambda: desk_of(session).check(["hpc"]))["hpc"]
    assert not works.problem, works


def test_a_scheduler_that_dies_and_comes_back_loses_nothing(session: Grafico, slurm: Slurm) -> None:
    desk = desk_of(session)
    job = submitted(session, desk, "CCO", method="GFN2-xTB", task="frequencies")
    slurm.kill("slurmctld")
    session.wait_for(desk.tend)
    now = desk.named(job.name).job
    assert now.state in ("waiting", "computing", "finished"), now
    assert (now.parts[0].attempt, now.parts[0].native) == (1, job.parts[0].native)
    slurm.start("slurmctld")
    job = ended(session, desk, job)
    assert job.state == "finished", job


def test_what_is_killed_for_its_memory_gets_more(session: Grafico) -> None:
    desk = desk_of(session, memory=100, tries=10)
    job = ended(
        session,
        desk,
        submitted(session, desk, "CCO", method="HF", basis="STO-3G", task="frequencies"),
    )
    assert job.state == "finished", job
    assert job.parts[0].attempt > 1
    assert job.allotted.memory >= 100 * 1.5 ** (job.parts[0].attempt - 1) - job.parts[0].attempt
    tried = sorted(session.kg.find(JobAttempt), key=lambda one: one.number)
    assert [one.number for one in tried] == list(range(1, job.parts[0].attempt + 1))
    assert {(one.ending, one.reason) for one in tried[:-1]} == {("cut off", "out of memory")}
    assert [one.memory for one in tried] == sorted({one.memory for one in tried})
    assert (tried[-1].ending, tried[-1].native) == ("finished", job.parts[0].native.split()[0])
