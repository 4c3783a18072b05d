"""A store that was handed over: its jobs are listed, and nothing of them is run or ended."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from triplestore.errors import GraficoError, InputError
from workflows.engine.jobs.job import JOB, JobFolder
from workflows.engine.local.person_key import key_file
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.detached import DetachedRunner

from .hostile import XTB, HostileStore, desk_of, hostile_store

pytest.importorskip("tblite")


@pytest.fixture
def handed(tmp_path: Path) -> Iterator[HostileStore]:
    store = hostile_store(tmp_path, "cut off")
    yield store
    store.victim.kill()
    store.victim.wait()


def command(store: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grafico", *words, "--store", str(store)],
        capture_output=True,
        text=True,
        cwd=store.parent,
        check=False,
        env=dict(os.environ),
    )


def test_no_command_runs_or_ends_anything(handed: HostileStore) -> None:
    name = handed.place.place.name
    for words in (
        ["jobs"],
        ["follow", name],
        ["resume", name],
        ["cancel", name],
        ["runs"],
        ["run", "O", "--method", "GFN2-xTB", "--on", "here"],
        ["run", "O", "--method", "GFN2-xTB"],
        ["fsck"],
    ):
        done = command(handed.store, *words)
        assert not handed.harm, (words, handed.harm, done.stderr)
        if name in words or "--on" in words:
            assert done.returncode, words
            assert "not trusted" in done.stderr, (words, done.stderr)
            assert "--as here" in done.stderr, (words, done.stderr)
        else:
            assert done.returncode == 0, (words, done.stderr)
    listed = command(handed.store, "jobs").stdout
    assert name in listed
    assert "`ssh`, `setup`, `launch`, `python`" in listed
    told = json.loads(command(handed.store, "jobs", "--json").stdout)
    assert told[0]["state"] == "not trusted"
    assert not handed.harm


@pytest.mark.parametrize("state", ["submitting", "computing", "waiting for a choice", "failed"])
def test_nothing_is_run_or_ended_however_it_is_said_to_stand(tmp_path: Path, state: str) -> None:
    handed = hostile_store(tmp_path, state)
    name = handed.place.place.name
    try:
        with Grafico(handed.store) as session:
            assert [job.state for job in session.jobs()] == ["not trusted"]
            for verb in (session.follow, session.resume, session.cancel):
                with pytest.raises(InputError, match="not trusted"):
                    verb(name)
            with pytest.raises(InputError, match="not trusted"):
                session.run("N", **XTB, on="here", after=[name])
        assert not handed.harm
    finally:
        handed.victim.kill()
        handed.victim.wait()


def test_who_takes_it_over_runs_their_own_and_ends_nothing_of_theirs(handed: HostileStore) -> None:
    name = handed.place.place.name
    done = command(handed.store, "cancel", name, "--as", "here")
    assert done.returncode == 0, done.stderr
    assert [one for one in handed.harm if not one.endswith("changed")] == []
    done = command(handed.store, "resume", name, "--json")
    assert done.returncode == 0, done.stderr
    done = command(handed.store, "follow", name, "--json")
    assert json.loads(done.stdout)["status"] == "finished", done.stderr
    assert [one for one in handed.harm if not one.endswith("changed")] == []


@pytest.mark.parametrize("what", ["link", "file", "pipe", "name", "number"])
def test_a_folder_that_leads_elsewhere_is_not_taken_over(tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    handed = hostile_store(tmp_path, "cut off")
    handed.victim.kill()
    handed.victim.wait()
    place = handed.place.place
    if what == "link":
        shutil.move(place, outside / "job")
        place.symlink_to(outside / "job")
    elif what == "file":
        (place / "1" / "journal").symlink_to(outside / "journal")
    elif what == "pipe":
        os.mkfifo(place / "1" / "journal")
    elif what == "name":
        place.rename(place.with_name("a b;c"))
    else:
        said = json.loads((place / JOB).read_text())
        said["parts"][0]["number"] = -1
        (place / JOB).write_text(json.dumps(said))
    with Grafico(handed.store) as session:
        desk = desk_of(session)
        (one,) = desk.places()
        with pytest.raises(InputError, match="taken over"):
            desk.take_over(one.place.name, "mine")
        assert [job.state for job in session.wait_for(desk.tend)] == ["not trusted"]
    assert not list(outside.glob("journal"))


def test_what_cannot_be_read_hides_no_other_job(tmp_path: Path) -> None:
    handed = hostile_store(tmp_path, "cut off")
    handed.victim.kill()
    handed.victim.wait()
    for name, text in (("grafico-a", "["), ("grafico-b", "[]"), ("grafico-c", '{"parts": 1}')):
        (handed.store / "jobs" / name).mkdir()
        (handed.store / "jobs" / name / JOB).write_text(text)
    (handed.store / "jobs" / "grafico-d").mkdir()
    os.mkfifo(handed.store / "jobs" / "grafico-d" / JOB)
    done = command(handed.store, "jobs")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("not trusted, and nothing of it was touched") == 5


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[Grafico, JobFolder]]:
    """A job of this person's, which is to start later."""
    from .hostile import submitted

    with Grafico(tmp_path / "store") as session:
        name, _ = submitted(tmp_path / "store")
        yield session, JobFolder(tmp_path / "store" / "jobs" / name)


def state(session: Grafico, **clusters: Cluster) -> tuple[str, str]:
    from workflows.engine.jobs.desk import Desk

    (job,) = session.wait_for(Desk(session.kg, clusters).tend)
    return job.state, job.untrusted


def test_a_key_is_made_once_for_this_person_alone(own: tuple[Grafico, JobFolder]) -> None:
    session, place = own
    path = key_file()
    assert path.stat().st_mode & 0o777 == 0o600
    assert state(session) == ("cancelled", "")
    kept = path.read_bytes()
    path.chmod(0o644)  # anybody could have signed by now
    try:
        assert state(session)[0] == "not trusted"
        with pytest.raises(GraficoError, match="job-key"):
            place.write(place.job.distrusted(""))
    finally:
        path.chmod(0o600)
    path.write_bytes(bytes(32))
    try:
        assert state(session)[0] == "not trusted"
    finally:
        path.write_bytes(kept)
    assert state(session) == ("cancelled", "")


@pytest.mark.parametrize(
    "change",
    [
        ("cluster", "other"),
        ("run", "https://w3id.org/grafico/id/Run/1"),
        ("sources", ["/"]),
        ("allotted", {"cores": 2}),
        ("begin", None),
        ("new", 1),
        ("name", "grafico-other"),
    ],
)
def test_whatever_is_changed_in_it_is_seen(
    own: tuple[Grafico, JobFolder], change: tuple[str, Any]
) -> None:
    session, place = own
    said = json.loads((place.folder / JOB).read_text())
    said[change[0]] = change[1]
    (place.folder / JOB).write_text(json.dumps(said))
    assert state(session)[0] == "not trusted"


def test_a_copy_elsewhere_is_signed_by_nobody(
    own: tuple[Grafico, JobFolder], tmp_path: Path
) -> None:
    mine, place = own
    with Grafico(tmp_path / "other") as session:
        session.query("ASK {}")  # a store is made when it is first used
        jobs = tmp_path / "other" / "jobs"
        shutil.copytree(tmp_path / "store" / "jobs", jobs)
        assert state(session)[0] == "not trusted"
        shutil.move(jobs / place.place.name, tmp_path / "moved")
        (jobs / place.place.name).symlink_to(place.folder)
        assert state(session)[0] == "not trusted"
    assert state(mine) == ("cancelled", "")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("launch", "/bin/env"),
        ("setup", ("true",)),
        ("python", "/usr/bin/python3"),
        ("ssh", ("-v",)),
        ("host", "login"),
        ("scheduler", "slurm"),
        ("folder", Path("/tmp")),
        ("environment", {"LD_PRELOAD": "x"}),
        ("attributes", {"wrap": "x"}),
    ],
)
def test_a_section_that_has_changed_is_said(
    own: tuple[Grafico, JobFolder], field: str, value: Any
) -> None:
    session, _ = own
    now, why = state(session, here=Cluster.model_validate({field: value}))
    assert (now, f"`{field}`" in why) == ("not trusted", True)
    assert state(session, here=Cluster(memory=9000, hours=2, cores=3, tries=2))[0] == "cancelled"


def test_a_process_counts_only_by_its_command_line(tmp_path: Path) -> None:
    """Whatever a folder calls its program, and whatever that process has been told."""
    import psutil

    from workflows.engine.runners.detached import NAME, id_of

    code = "import time; time.sleep(600)"
    words = ["-m", "workflows.engine.jobs.node", str(tmp_path / "job")]
    ours = [sys.executable, "-c", code, *words]
    own = dict(os.environ) | {NAME: "grafico-x.1.1"}
    with Grafico(tmp_path / "store") as session:
        runner = DetachedRunner()
        for command, environment, folder, counts in (
            ([sys.executable, "-c", code], None, "job", False),
            ([sys.executable, "-c", code], own, "job", False),
            (ours, None, "other", False),
            (ours, None, "job", True),
            (["sh", "-c", '"$@"; :', "sh", *ours], own, "job", True),  # as a container has it
            (["sh", "-c", '"$@"; :', "sh", *ours], None, "other", False),
        ):
            with subprocess.Popen(command, env=environment) as process:
                try:
                    asked = [id_of(psutil.Process(process.pid))], [tmp_path / folder]
                    (seen,) = session.wait_for(partial(runner.look, *asked)).values()
                    assert (seen.phase == "computing") == counts, command
                    session.wait_for(partial(runner.cancel, *asked))
                    assert (process.poll() is not None) == counts, command
                finally:
                    with suppress(psutil.NoSuchProcess):
                        for child in psutil.Process(process.pid).children(recursive=True):
                            child.kill()
                    process.kill()
