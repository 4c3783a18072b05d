"""What befalls jobs on this machine: each ends in a state that says why and what to do."""

import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from grafico import Grafico
from ontologies.provenance import Run
from tests.jobs.working import XTB, ended, made_twice, submitted
from triplestore.errors import DiskFullError, ResourceError
from workflows.engine.jobs import claim
from workflows.engine.jobs.desk import Desk, JobStart
from workflows.engine.jobs.job import Ending, Job
from workflows.engine.jobs.node import main
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.detached import DetachedRunner, process_of

pytest.importorskip("tblite")

PATIENCE = 60.0
NOBODY = 65534


def desk_of(session: Grafico, **cluster: Any) -> Desk:
    return Desk(session.kg, {"there": Cluster(**cluster)}, lambda *_: DetachedRunner())


def later(seconds: float = 600.0) -> JobStart:
    return JobStart(begin=datetime.now(UTC) + timedelta(seconds=seconds))


def gone(job: Job) -> None:
    """Wait until the program of a job has ended; nothing of it is taken in."""
    until = time.monotonic() + PATIENCE
    while process_of(job.parts[0].native) is not None and time.monotonic() < until:
        time.sleep(0.05)


def test_a_second_program_of_the_same_attempt_ends_without_a_word(session: Grafico) -> None:
    """Whoever submitted was killed before noting it, and the next one submitted again."""
    desk = desk_of(session)
    job = submitted(session, desk, task="frequencies")
    place = desk.named(job.name)
    first = process_of(job.parts[0].native)
    assert first is not None
    words, seen = first.cmdline(), first.environ()
    while place.began(job.parts[0]) is None:
        time.sleep(0.02)
    second = subprocess.run(
        words, env=seen, cwd=place.part(1), capture_output=True, text=True, check=False
    )
    assert second.returncode == 0
    assert "it is computed by" in second.stderr
    assert job.parts[0].native in second.stderr
    # what is noted is the one that had nothing to do
    noted = place.job
    noted.parts[0].native = "1@never"
    place.write(noted)
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 1)
    assert not made_twice(session)


def test_an_attempt_that_was_given_up_ends_when_the_next_has_begun(session: Grafico) -> None:
    """Its node was thought to be lost, say: the next waits for its lock, and goes on."""
    desk = desk_of(session)
    job = submitted(session, desk, "CCCCCCCC", task="frequencies")
    place = desk.named(job.name)
    while not (place.part(1) / "journal").exists():
        time.sleep(0.02)
    given_up = job.parts[0].native
    with place.alone():
        noted = place.job
        session.wait_for(lambda: desk._submitter.submit(place, noted, noted.parts))  # pyright: ignore[reportPrivateUsage]
    job = ended(session, desk, noted)
    assert (job.state, job.parts[0].attempt) == ("finished", 2)
    assert process_of(given_up) is None
    assert not made_twice(session)


def test_what_nobody_wants_any_more_is_not_computed(session: Grafico, capfd: Any) -> None:
    desk = desk_of(session)
    job = submitted(session, desk, plan=later())
    session.wait_for(lambda: desk.cancel(job.name))
    place = desk.named(job.name)
    old = os.umask(0o077)
    try:
        assert main(place.folder, 1, 1) == 0
    finally:
        os.umask(old)
    assert "not wanted" in capfd.readouterr().err
    assert place.began(job.parts[0]) is None
    assert not (place.part(1) / "journal").exists()


def test_what_waits_is_said_to_wait(session: Grafico) -> None:
    desk = desk_of(session)
    first = submitted(session, desk, plan=later())
    second = submitted(session, desk, "N", plan=JobStart(after=(first.name,)))
    session.wait_for(desk.tend)
    one, other = (desk.named(job.name).job for job in (first, second))
    assert (one.state, other.state) == ("waiting", "waiting")
    assert one.begin
    assert one.parts[0].told == f"until {one.begin:%Y-%m-%d %H:%M} UTC"
    assert other.parts[0].told == f"until {first.name} has ended"
    for job in (second, first):
        session.wait_for(lambda name=job.name: desk.cancel(name))


def test_what_is_refused_for_its_core_hours_leaves_no_run(session: Grafico) -> None:
    desk = desk_of(session, core_hours=1e-6)
    with pytest.raises(ResourceError, match="core hours"):
        submitted(session, desk, "c1ccccc1", method="B3LYP", basis="def2-TZVP", task="frequencies")
    assert not session.kg.find(Run)


def test_a_result_carries_the_remarks_of_a_local_one(session: Grafico, tmp_path: Path) -> None:
    job = session.run("CCO", **XTB, on="here")
    there = session.follow(job.name)
    with Grafico(tmp_path / "other", threads_per_calculation=1) as other:
        here = other.run("CCO", **XTB)
    assert there.remarks == here.remarks
    assert here.remarks


@pytest.mark.parametrize("left", [b'{"attempt": 1, "status": "fin', b"\0" * 400])
def test_an_end_that_arrived_half_is_none(session: Grafico, left: bytes) -> None:
    """What the journal has is kept: the next attempt has nothing to compute."""
    desk = desk_of(session)
    job = submitted(session, desk)
    gone(job)
    place = desk.named(job.name)
    (place.part(1) / "end.json").write_bytes(left)
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 2)
    assert not made_twice(session)


def test_clocks_decide_nothing(session: Grafico) -> None:
    """Those of the node are an hour fast, then slow, and the job is one of tomorrow."""
    desk = desk_of(session)
    for subject, hours in (("O", 1.0), ("N", -1.0)):
        job = submitted(session, desk, subject)
        place = desk.named(job.name)
        gone(job)
        when = time.time() + hours * 3600
        for path in (place.folder, *place.folder.rglob("*")):
            os.utime(path, (when, when))
        ending = place.ending(job.parts[0])
        assert ending is not None
        moved = ending.model_copy(update={"ended": ending.ended + timedelta(hours=hours)})
        (place.part(1) / "end.json").write_text(moved.model_dump_json())
        place.write(job.model_copy(update={"submitted": job.submitted + timedelta(days=1)}))
        job = ended(session, desk, job)
        assert (job.state, job.parts[0].attempt) == ("finished", 1)
        assert 0 < job.parts[0].core_hours < 1
    assert not made_twice(session)


def test_a_process_is_known_whatever_becomes_of_the_clock(
    session: Grafico, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_of(session)
    job = submitted(session, desk, plan=later())
    # when a process began is counted from the start of the machine, which moves with the clock
    monkeypatch.setattr(psutil.Process, "create_time", lambda _: 0.0)
    session.wait_for(desk.tend)
    assert desk.named(job.name).job.parts[0].attempt == 1
    session.wait_for(lambda: desk.cancel(job.name))


def test_files_are_private(session: Grafico) -> None:
    """A folder that everybody may write into, as on many clusters."""
    elsewhere = Path(tempfile.mkdtemp(prefix="grafico-test-", dir="/tmp"))
    elsewhere.chmod(0o1777)
    try:
        _private(session, elsewhere)
    finally:
        shutil.rmtree(elsewhere)


def _private(session: Grafico, elsewhere: Path) -> None:
    desk = desk_of(session, folder=elsewhere)
    job = ended(session, desk, submitted(session, desk, task="frequencies"))
    place = desk.named(job.name)
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700
    files = [path for path in place.folder.rglob("*") if path.is_file()]
    wrong = {str(one): oct(one.stat().st_mode) for one in files if one.stat().st_mode & 0o077}
    assert not wrong
    if os.geteuid() == 0:
        other = subprocess.run(
            ["ls", str(elsewhere), str(place.folder)],
            user=NOBODY,
            group=NOBODY,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        assert place.folder.name in other.stdout
        assert "Permission denied" in other.stderr


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Generator[None]:
    """Have a disk of some size in a folder."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0755", "grafico", str(folder)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("room", [16, 110])
def test_a_full_disk(session: Grafico, tmp_path: Path, room: int) -> None:
    """It is said, wherever it was met; with more space it goes on, and nothing is lost."""
    scratch = tmp_path / "scratch"
    with small_disk(scratch, 4000):
        desk = desk_of(session, folder=scratch)
        job = submitted(session, desk, "CCO", task="frequencies", plan=later(2.0))
        # others fill it before it begins
        free = os.statvfs(scratch)
        fill = free.f_bavail * free.f_bsize - room * 1024
        (scratch / "others").write_bytes(bytes(fill))
        until = time.monotonic() + PATIENCE
        while not job.ended and time.monotonic() < until:
            (job,) = session.wait_for(desk.tend)
            time.sleep(0.1)
        part = job.parts[0]
        assert (job.state, part.reason) == ("failed", "disk full"), part
        assert "full" in part.told or "No space left" in part.told
        assert "free space" in part.advice
        (scratch / "others").unlink()
        session.wait_for(lambda: desk.resume(job.name))
        job = ended(session, desk, job)
        assert job.state == "finished", job.parts
        assert not made_twice(session)
        assert session.run("CCO", task="frequencies", **XTB).reused


def test_an_end_is_said_on_a_full_disk(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    with small_disk(scratch, 100):
        part = scratch / "1"
        part.mkdir()
        mine = claim.Claim(part, 1)
        with pytest.raises(OSError, match="No space left"):
            (scratch / "others").write_bytes(bytes(200_000))
        said = Ending(
            attempt=1,
            status="failed",
            message="full " * 5000,
            kind=DiskFullError.__name__,
            ended=datetime.now(UTC),
            seconds=1.0,
            cores=1,
        )
        mine.end(said)
        read = Ending.model_validate_json((part / "end.json").read_bytes())
        assert read == said.model_copy(update={"message": read.message})
        assert said.message.startswith(read.message)


def test_a_worker_that_is_killed_is_no_failure_of_the_part(session: Grafico) -> None:
    """As by the kernel, where memory runs out on the node: it is submitted again."""
    desk = desk_of(session)
    job = submitted(session, desk, "CCCCCCCCCC", task="frequencies")
    place, until = desk.named(job.name), time.monotonic() + PATIENCE
    while not any(one.kind == "frame" for one, _ in place.events(1)):
        assert time.monotonic() < until
        time.sleep(0.02)
    program = process_of(job.parts[0].native)
    assert program is not None
    for worker in reversed(program.children(recursive=True)):
        worker.kill()
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 2), job
    assert not made_twice(session)
