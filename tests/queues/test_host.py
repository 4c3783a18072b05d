"""Jobs on another machine, through a real sshd: carried there, looked at, brought back."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Activity, Part, Transition
from tests.jobs.working import XTB, ended, submitted
from tests.queues.slurm import Slurm
from triplestore.errors import InputError, ResourceError
from triplestore.release import release
from workflows.engine import AskRouter, Crossroads, Event
from workflows.engine.jobs.desk import Desk, JobStart
from workflows.engine.jobs.hosting import PROTOCOL, HostRunner
from workflows.engine.jobs.job import Job, JobFolder
from workflows.engine.request.workflow import Finished
from workflows.engine.runners.base import Submission
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.detached import process_of
from workflows.engine.runners.ssh import MARK

from .ssh import LoginNode

pytest.importorskip("tblite")
pytestmark = pytest.mark.xdist_group("slurm")

ROOT = Path(__file__).parents[2]
PATIENCE = 180.0


@pytest.fixture
def described(login_node: LoginNode, tmp_path: Path) -> dict[str, Any]:
    """A section of the settings for that login node."""
    (tmp_path / "there").mkdir()
    return {
        "host": login_node.name,
        "ssh": ["-F", str(login_node.configuration)],
        "folder": str(tmp_path / "there"),
        "python": sys.executable,
        "setup": [f"export PYTHONPATH={ROOT}"],
        "hours": 0.1,
        "memory": 2000,
    }


def desk_of(session: Grafico, described: dict[str, Any], **other: Any) -> Desk:
    return Desk(session.kg, {"hpc": Cluster.model_validate({**described, **other})})


def test_from_here_through_a_login_node_and_slurm_and_back(
    session: Grafico, described: dict[str, Any], slurm: Slurm, tmp_path: Path
) -> None:
    desk = desk_of(session, described, scheduler="slurm")
    job = submitted(session, desk, task="frequencies")
    (there,) = (tmp_path / "there").glob("grafico-*")
    assert there.stat().st_mode & 0o077 == 0
    told: list[Event] = []
    job = session.wait_for(lambda: desk.follow(job.name, told.append))
    assert (job.state, job.parts[0].attempt) == ("finished", 1), job
    assert "frame" in {event.kind for event in told}
    result = session.run("O", task="frequencies", **XTB)
    assert all(answer.reused for answer in result.answers)
    with Grafico(tmp_path / "other", threads_per_calculation=1) as other:
        here = other.run("O", task="frequencies", **XTB)
        assert {one.key for one in session.kg.find(Activity)} >= {
            answer.activity.key for answer in here.answers
        }
        assert result.energy == pytest.approx(here.energy, abs=1e-9)
    assert not there.exists()


def test_a_choice_is_made_here_and_goes_on_there(
    session: Grafico, described: dict[str, Any]
) -> None:
    session.settings.clusters["hpc"] = Cluster.model_validate(described)
    left = ["optimise", "frequencies", "e"]

    async def ask(text: str, at: Crossroads) -> str:
        return left.pop(0)

    router = AskRouter(ask)
    job = session.run("O", **XTB, task="frequencies", router=router, on="hpc")
    waiting = session.follow(job.name)
    assert isinstance(waiting, Job)
    assert waiting.state == "waiting for a choice", waiting.parts
    got: Any = session.follow(job.name, router=router)
    assert (got.status, left) == ("goal unmet", [])
    steps = sorted(session.kg.find(Transition), key=lambda one: one.started)
    assert [(one.node, one.chosen_by) for one in steps] == [
        ("Optimise", "person"),
        ("Frequencies", "person"),
    ]
    assert session.desk.named(job.name).job.parts[0].attempt == 2


def test_a_batch_is_an_array_there(
    session: Grafico, described: dict[str, Any], slurm: Slurm, tmp_path: Path
) -> None:
    source = tmp_path / "library.smi"
    source.write_text("O water\nN ammonia\nC methane\n")
    desk = desk_of(session, described, scheduler="slurm", parts=2, part_minutes=0)
    job = submitted(
        session, desk, str(source), workflow="batch", method=None, arguments=XTB, each="run"
    )
    assert [part.native.partition(" ")[2] for part in job.parts] == [
        f"{job.name}.all.1[1]",
        f"{job.name}.all.1[2]",
    ]
    job = ended(session, desk, job)
    assert (job.state, [part.attempt for part in job.parts]) == ("finished", [1, 1]), job
    assert sorted(part.part for part in session.kg.find(Part)) == list("012")  # each once
    assert not list((tmp_path / "there" / "queue").glob("grafico-*"))


class Lost(HostRunner):
    """Has a part submitted, and is killed before anybody notes its number."""

    lost = True

    async def submit(self, part: Submission) -> Sequence[str]:
        natives = await super().submit(part)
        if self.lost:
            raise KeyboardInterrupt
        return natives


def test_who_is_killed_after_submission_finds_the_job_there(
    session: Grafico, described: dict[str, Any], tmp_path: Path
) -> None:
    runner = Lost(Cluster.model_validate(described))
    desk = Desk(session.kg, {"hpc": Cluster.model_validate(described)}, lambda *_: runner)
    soon = datetime.now(UTC) + timedelta(seconds=600)
    ready = session.wait_for(lambda: session.prepare_async("O", **XTB))

    async def submit() -> str:
        try:
            await desk.submit(ready, "hpc", JobStart(begin=soon))
        except KeyboardInterrupt:
            return "killed"
        return "submitted"

    assert session.wait_for(submit) == "killed"
    (place,) = desk.places()
    assert (place.job.state, place.job.parts[0].native) == ("submitting", "")
    name = f"{place.job.name}.1.1"
    (native,) = session.wait_for(lambda: runner.find([name], [place.folder])).values()
    # as if it were submitted again by whoever did not find it: it is the same one
    job = place.job
    part = Submission(
        name,
        place.folder,
        place.part(1),
        "workflows.engine.jobs.node",
        ["1", "1"],
        desk.trust.section(job),
    )
    runner.lost = False
    assert session.wait_for(lambda: runner.submit(part)) == [native]
    session.wait_for(desk.tend)
    assert (place.job.parts[0].native, place.job.parts[0].attempt) == (native, 1)
    assert session.wait_for(lambda: desk.cancel(job.name)).state == "cancelled"
    process = process_of(native)
    assert process is None
    session.wait_for(lambda: desk.resume(job.name))
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 2), job


def test_a_connection_that_is_lost_loses_nothing(
    session: Grafico, described: dict[str, Any], login_node: LoginNode, slurm: Slurm
) -> None:
    desk = desk_of(session, described, scheduler="slurm")
    job = submitted(session, desk)
    login_node.stop()
    session.wait_for(desk.tend)
    now = desk.named(job.name).job
    assert (now.state, now.parts[0].native) == ("waiting", job.parts[0].native)
    assert "login" in now.parts[0].told
    with pytest.raises(ResourceError):
        session.wait_for(lambda: desk.cancel(job.name))
    with pytest.raises(ResourceError, match="login"):
        submitted(session, desk, "N")
    assert len(desk.places()) == 1  # what never came there is no job
    login_node.start()
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 1), job


def test_it_comes_in_pieces_and_again_where_it_was_damaged_on_the_way(
    session: Grafico, described: dict[str, Any], tmp_path: Path
) -> None:
    runner = HostRunner(Cluster.model_validate(described), most=4000)
    desk = Desk(session.kg, {"hpc": Cluster.model_validate(described)}, lambda *_: runner)
    job = submitted(session, desk)
    place = desk.named(job.name)
    (there,) = map(JobFolder, (tmp_path / "there").glob("grafico-*"))
    until = time.monotonic() + PATIENCE
    while there.ending(job.parts[0]) is None and time.monotonic() < until:
        time.sleep(0.05)
    whole = (there.part(1) / "journal").read_bytes()
    assert len(whole) > 2 * runner.most
    session.wait_for(lambda: runner.look([], [place.folder]))
    here = place.part(1) / "journal"
    assert here.read_bytes() == whole
    assert (place.part(1) / "events.jsonl").read_bytes() == (
        there.part(1) / "events.jsonl"
    ).read_bytes()
    assert here.stat().st_mode & 0o077 == 0
    here.write_bytes(whole.replace(b"GFN2-xTB", b"GFN9-xTB"))
    with Grafico(tmp_path / "store") as later:
        assert "not what was written" in str(later.jobs_not_taken_in[job.name])
    assert ended(session, desk, job).state == "finished"
    assert here.read_bytes() == whole


def test_what_is_gone_there_is_carried_again(
    session: Grafico, described: dict[str, Any], tmp_path: Path
) -> None:
    desk = desk_of(session, described)
    soon = datetime.now(UTC) + timedelta(seconds=600)
    job = submitted(session, desk, plan=JobStart(begin=soon))
    process = process_of(job.parts[0].native)
    assert process is not None
    process.kill()
    (there,) = (tmp_path / "there").glob("grafico-*")
    shutil.rmtree(there)
    session.wait_for(lambda: desk.cancel(job.name))
    session.wait_for(lambda: desk.resume(job.name))
    after = submitted(session, desk, "N", plan=JobStart(after=(job.name,)))
    assert ended(session, desk, after).state == "finished"
    assert ended(session, desk, job).state == "finished"
    endings = [
        desk.named(one.name).ending(one.parts[0]) for one in (desk.named(job.name).job, after)
    ]
    assert endings[0]
    assert endings[1]
    assert endings[0].ended < endings[1].ended


def test_half_of_a_folder_is_none(tmp_path: Path) -> None:
    """The connection ends in the middle of a seed."""
    request = {
        "protocol": PROTOCOL,
        "release": release(),
        "do": "carry",
        "scheduler": "none",
        "root": str(tmp_path),
        "most": 1,
        "have": {},
        "name": "one",
        "stamp": "1",
        "pieces": [{"name": "seed.nq", "start": 0, "size": 10, "time": 1e9}],
    }

    def line(**other: Any) -> bytes:
        return json.dumps({**request, **other}).encode() + b"\n"

    def asked(said: bytes) -> list[dict[str, Any]]:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "workflows.engine.jobs.remote_agent"],
            check=True,
            input=said,
            capture_output=True,
        )
        lines = (line for line in done.stdout.splitlines() if line.startswith(MARK))
        return [json.loads(line.removeprefix(MARK)) for line in lines]

    assert "ended before its end" in str(asked(line() + b"12345")[0]["error"])
    assert not list(tmp_path.iterdir())
    outside = [{"name": "../seed.nq", "start": 0, "size": 10, "time": 1e9}]
    found = asked(
        line() + b"1234567890" + line(do="look", ids=[], release="0") + line(pieces=outside) + b"1"
    )
    assert ["error" in one for one in found] == [False, False, True]
    assert "is none" in str(found[-1]["error"])
    assert (tmp_path / "one" / "seed.nq").read_bytes() == b"1234567890"
    assert "no job is called so" in str(asked(line(do="clear", name="../one"))[0]["error"])
    assert (tmp_path / "one" / "seed.nq").exists()


def test_what_is_wrong_is_said(
    session: Grafico, described: dict[str, Any], login_node: LoginNode, tmp_path: Path
) -> None:
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True
    )
    text = login_node.configuration.read_text()
    (tmp_path / "other").write_text(text.replace(f"{login_node.folder}/user", f"{tmp_path}/key"))
    (tmp_path / "unknown").write_text(text.replace(f"{login_node.folder}/known", "/dev/null"))
    other = tmp_path / "grafico_chem-99.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: grafico-chem\nVersion: 99\n")
    wrong: dict[str, tuple[dict[str, Any], str, str]] = {
        "works": ({}, "", ""),
        "nobody": ({"host": "nobody.invalid"}, "resolve hostname", "`host`"),
        "refused": ({"ssh": ["-F", str(tmp_path / "other")]}, "Permission denied", "ssh login"),
        "stranger": ({"ssh": ["-F", str(tmp_path / "unknown")]}, "verification", "ssh login"),
        "misspelt": ({"ssh": ["-F", "/nowhere"]}, "/nowhere", "`ssh`"),
        "bare": ({"python": "/nowhere/python"}, "Grafico does not start", "`python`"),
        "newer": ({"setup": [f"export PYTHONPATH={tmp_path}:{ROOT}"]}, "99 there", "same"),
        "nowhere": ({"folder": "/nowhere"}, "no such folder", "`folder`"),
        "cores": ({"cores": 10_000}, "cores", "`cores`"),
    }
    desk = Desk(
        session.kg,
        {name: Cluster.model_validate({**described, **one[0]}) for name, one in wrong.items()},
    )
    found = session.wait_for(lambda: desk.check(list(wrong)))
    for name, (_, problem, advice) in wrong.items():
        assert problem in found[name].problem, found[name]
        assert bool(problem) == bool(found[name].problem), found[name]
        assert advice in found[name].advice, found[name]
    assert found["works"].capacity.startswith("login: ")
    assert not [one for one in (tmp_path / "there").iterdir() if one.name != "queue"]
    with pytest.raises(ResourceError, match="Permission denied"):
        session.wait_for(lambda: _sent(session, desk, "refused"))
    with pytest.raises(InputError, match="Grafico does not start"):
        session.wait_for(lambda: _sent(session, desk, "bare"))
    assert not desk.places()


async def _sent(session: Grafico, desk: Desk, on: str) -> Job | Finished:
    return await desk.submit(await session.prepare_async("O", **XTB), on)


@pytest.mark.parametrize("host", ["-oProxyCommand=id", "a b", "a;b", "a@-b", "$(id)", "a\nb"])
def test_hosts_that_are_none_are_refused(host: str) -> None:
    with pytest.raises(ValueError, match="write it as for ssh"):
        Cluster(host=host)


def test_the_command_line(described: dict[str, Any], tmp_path: Path) -> None:
    said = "\n".join(f"{name} = {json.dumps(value)}" for name, value in described.items())
    own = tmp_path / "config" / "grafico"
    own.mkdir(parents=True)
    (own / "grafico.toml").write_text(f"[clusters.hpc]\n{said}\n")

    def grafico(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "grafico", *words, "--store", str(tmp_path / "store")],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
            env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    job = json.loads(grafico("run", "O", "--method", "GFN2-xTB", "--on", "hpc", "--json"))
    assert job["state"] == "waiting"
    told = json.loads(grafico("follow", job["name"], "--json"))
    assert (told["status"], told["reused"]) == ("finished", True)
