"""Jobs on this machine: from submission to what they leave in the store, and what befalls them."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from grafico import Grafico
from ontologies.provenance import Activity, Outcome, Part, Requester, Run, Transition
from tests.jobs.working import XTB, ended, submitted
from triplestore.errors import InputError, NotFoundError, RecordError, ResourceError
from workflows.engine.execution.answer import DeferredError
from workflows.engine.jobs.desk import Desk, JobStart
from workflows.engine.jobs.job import Job, JobFolder
from workflows.engine.request.workflow import Finished, finished
from workflows.engine.runners.base import Submission
from workflows.engine.runners.cluster import Cluster
from workflows.engine.runners.detached import DetachedRunner, process_of
from workflows.trust.account import Account
from workflows.trust.caller import Caller, asked_by

pytest.importorskip("tblite")

LIBRARY = "O water\nN ammonia\nC methane\nCO methanol\nCC ethane\nC=O methanal\n"
PATIENCE = 120.0


def desk_of(session: Grafico, runner: DetachedRunner | None = None, **cluster: Any) -> Desk:
    """Return who looks after the jobs of a session, with a cluster called `there`."""
    own = runner or DetachedRunner()
    return Desk(session.kg, {"there": Cluster(**cluster)}, lambda *_: own)


def wait_for_end(place: JobFolder, job: Job) -> None:
    """Wait until the first part has said how it ended; nothing of it is taken in."""
    until = time.monotonic() + PATIENCE
    while place.ending(job.parts[0]) is None and time.monotonic() < until:
        time.sleep(0.05)


def log(desk: Desk, job: Job) -> str:
    return (desk.named(job.name).part(1) / "log.txt").read_text()


def activities(session: Grafico) -> list[Activity]:
    return session.kg.find(Activity)


def test_a_job_leaves_what_the_same_request_would_have_left_here(
    session: Grafico, tmp_path: Path
) -> None:
    desk = desk_of(session)
    job = submitted(session, desk, task="frequencies")
    assert isinstance(job, Job)
    (run,) = session.kg.find(Run)
    (outcome,) = session.kg.find(Outcome)
    assert (job.run, outcome.status) == (run.iri, "interrupted")
    assert not session.kg.find(Transition)  # no step has failed: none was begun
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("finished", 1), job
    assert 0 < job.parts[0].core_hours < 1

    result = session.run("O", task="frequencies", **XTB)
    assert all(answer.reused for answer in result.answers)
    with Grafico(tmp_path / "other", threads_per_calculation=1) as other:
        here = other.run("O", task="frequencies", **XTB)
        assert {one.key for one in activities(session)} >= {
            answer.activity.key for answer in here.answers
        }
        assert result.energy == pytest.approx(here.energy, abs=1e-9)
    # all of it is remembered now, so that there is nothing to submit
    assert isinstance(submitted(session, desk, task="frequencies"), Finished)


def test_a_job_keeps_who_has_submitted_it(session: Grafico) -> None:
    desk = desk_of(session)
    with asked_by(Caller(is_person=True, account=Account("alice", "login1"))):
        job = submitted(session, desk)
    ended(session, desk, job)
    said = session.kg.find(Requester)
    assert {(one.user, one.host) for one in said} == {("alice", "login1")}
    assert {one.run.iri for one in said} == {run.iri for run in session.kg.find(Run)}
    assert len(said) == 2  # the run that was handed over, and that of the job


def test_what_is_remembered_goes_along(session: Grafico) -> None:
    relaxed = session.run("CO", task="optimise", **XTB)
    before = {one.iri for one in activities(session)}
    desk = desk_of(session)
    job = ended(session, desk, submitted(session, desk, "CO", task="frequencies"))
    assert job.state == "finished", job
    new = [one for one in activities(session) if one.iri not in before]
    assert "tightbinding.optimise" not in {one.calculation for one in new}
    assert relaxed.atoms.iri in {link.iri for one in new for link in one.used}


def test_who_asks_again_meanwhile_gets_the_same_job(session: Grafico) -> None:
    desk = desk_of(session)
    begin = session.wait_for(lambda: _soon(3600))
    first = submitted(session, desk, plan=JobStart(begin=begin))
    again = submitted(session, desk)
    assert (again.name, again.parts[0].native) == (first.name, first.parts[0].native)
    job = session.wait_for(lambda: desk.cancel(first.name))
    assert job.state == "cancelled"
    assert process_of(first.parts[0].native) is None
    assert submitted(session, desk).parts[0].native != first.parts[0].native


def test_the_same_request_of_another_store_is_another_job(session: Grafico, tmp_path: Path) -> None:
    plan = JobStart(begin=session.wait_for(lambda: _soon(3600)))
    job = submitted(session, desk_of(session), plan=plan)
    with Grafico(tmp_path / "other") as other:
        theirs = submitted(other, desk_of(other), plan=plan)
        assert theirs.name != job.name
        other.wait_for(lambda: desk_of(other).cancel(theirs.name))
    assert process_of(job.parts[0].native) is not None
    session.wait_for(lambda: desk_of(session).cancel(job.name))


async def _soon(seconds: float) -> Any:
    from datetime import UTC, datetime, timedelta

    return datetime.now(UTC) + timedelta(seconds=seconds)


class Dying(DetachedRunner):
    """Starts a part, and is killed before anybody notes it."""

    dies = True

    async def submit(self, part: Submission) -> Sequence[str]:
        natives = await super().submit(part)
        if self.dies:
            raise KeyboardInterrupt
        return natives


def test_a_part_that_nobody_has_noted_is_found_by_its_name(session: Grafico) -> None:
    runner = Dying()
    desk = desk_of(session, runner)
    ready = session.wait_for(lambda: session.prepare_async("CCO", task="frequencies", **XTB))

    async def submit() -> str:
        try:
            await desk.submit(ready, "there", JobStart(begin=await _soon(4)))
        except KeyboardInterrupt:
            return "killed"
        return "submitted"

    assert session.wait_for(submit) == "killed"
    (place,) = desk.places()
    assert (place.job.state, place.job.parts[0].native) == ("submitting", "")
    runner.dies = False
    session.wait_for(desk.tend)
    part = place.job.parts[0]
    assert part.native
    assert part.attempt == 1
    assert session.wait_for(lambda: runner.find([f"{place.job.name}.1.1"], [place.folder])) in (
        {f"{place.job.name}.1.1": part.native},
        {},
    )
    assert ended(session, desk, place.job).state == "finished"
    assert not [one for one, many in _counts(session).items() if many > 1]


def _counts(session: Grafico) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in activities(session):
        counts[one.key] = counts.get(one.key, 0) + 1
    return counts


def test_a_batch_that_is_shared_out_and_killed_goes_on(session: Grafico, tmp_path: Path) -> None:
    source = tmp_path / "library.smi"
    source.write_text(LIBRARY)
    asked: dict[str, Any] = {"task": "frequencies"}
    desk = desk_of(session, parts=2, part_minutes=0)

    def submit() -> Any:
        return submitted(
            session,
            desk,
            str(source),
            workflow="batch",
            method=None,
            arguments={**XTB, **asked},
            each="run",
        )

    job = submit()
    assert len(job.parts) == 2
    victim = process_of(job.parts[0].native)
    assert victim is not None
    journal = desk.named(job.name).part(1) / "journal"
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and victim.is_running():
        if journal.exists() and journal.read_bytes().count(b'"settled"') > 2:
            break
        time.sleep(0.02)
    for child in [*victim.children(recursive=True), victim]:
        try:
            child.kill()
        except psutil.NoSuchProcess:
            continue
    job = ended(session, desk, job)
    assert job.state == "finished", (job, log(desk, job))
    assert job.parts[0].attempt in (1, 2)  # 1 where it had ended before it was killed
    assert sorted(part.part for part in session.kg.find(Part)) == list("012345")  # each once
    table = session.batch(source, **XTB, **asked).result()
    assert table.counts["finished"] == 6
    remembered = len(activities(session))
    with Grafico(tmp_path / "here", threads_per_calculation=1) as other:
        alone = other.batch(source, **XTB, **asked).result()
        names = [row.entry.name for row in alone.rows()]
        assert [row.entry.name for row in table.rows()] == names
        for here, there in zip(alone.rows(), table.rows(), strict=True):
            assert there.facts["energy"].value == pytest.approx(
                here.facts["energy"].value, abs=1e-8
            )
    assert len(activities(session)) == remembered
    assert isinstance(submit(), Finished)


def test_a_part_that_is_cut_off_too_often_fails_and_can_be_resumed(session: Grafico) -> None:
    desk = desk_of(session, tries=1)
    job = submitted(session, desk, plan=JobStart(begin=session.wait_for(lambda: _soon(600))))
    process = process_of(job.parts[0].native)
    assert process is not None
    process.kill()
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("failed", 1)
    assert "cut off 1 times" in job.parts[0].told
    assert "resumed" in job.parts[0].advice
    session.wait_for(lambda: desk.resume(job.name))
    assert ended(session, desk, job).state == "finished"


def test_what_fails_there_says_why(session: Grafico) -> None:
    desk = desk_of(session)
    job = submitted(session, desk, "CCO", task="optimise", max_steps=1)
    job = ended(session, desk, job)
    assert (job.state, job.parts[0].attempt) == ("failed", 1)
    assert "step" in job.parts[0].told


def test_jobs_after_others(session: Grafico) -> None:
    desk = desk_of(session)
    first = submitted(session, desk, "O", plan=JobStart(begin=session.wait_for(lambda: _soon(2))))
    second = submitted(session, desk, "N", plan=JobStart(after=(first.name,)))
    assert ended(session, desk, second).state == "finished"
    endings = [desk.named(one.name).ending(one.parts[0]) for one in (first, second)]
    assert endings[0]
    assert endings[1]
    assert endings[0].ended < endings[1].ended
    with pytest.raises(NotFoundError, match="no-such-job"):
        submitted(session, desk, "C", plan=JobStart(after=("no-such-job",)))


def test_what_was_changed_on_the_way_is_not_taken_in(session: Grafico, tmp_path: Path) -> None:
    desk = desk_of(session)
    job = submitted(session, desk)
    place = desk.named(job.name)
    wait_for_end(place, job)
    journal = place.part(1) / "journal"
    whole = journal.read_bytes()
    journal.write_bytes(whole.replace(b"GFN2-xTB", b"GFN9-xTB"))
    other = submitted(session, desk, "N")
    found = {one.name: one for one in session.wait_for(desk.tend)}  # the others are looked after
    assert "not what was written" in found[job.name].parts[0].told
    assert ended(session, desk, other).state == "finished"
    with Grafico(tmp_path / "store") as later:  # every other command goes on
        assert isinstance(later.jobs_not_taken_in[job.name], RecordError)
        journal.write_bytes(whole)
        desk = desk_of(later)
        later.wait_for(desk.tend)
        assert desk.named(job.name).job.state == "finished"


def test_what_was_changed_can_be_cancelled_and_asked_again(session: Grafico) -> None:
    desk = desk_of(session)
    job = submitted(session, desk)
    place = desk.named(job.name)
    wait_for_end(place, job)
    journal = place.part(1) / "journal"
    journal.write_bytes(journal.read_bytes().replace(b"GFN2-xTB", b"GFN9-xTB"))
    assert session.wait_for(lambda: desk.cancel(job.name)).state == "cancelled"
    assert ended(session, desk, submitted(session, desk)).state == "finished"


def test_later_sessions_take_in_what_has_come_once(session: Grafico, tmp_path: Path) -> None:
    desk = desk_of(session)
    job = submitted(session, desk)
    place = desk.named(job.name)
    wait_for_end(place, job)
    assert not session.kg.find(Activity, calculation="tightbinding.single_point")
    with Grafico(tmp_path / "store") as later:
        (made,) = later.kg.find(Activity, calculation="tightbinding.single_point")
    taken = place.job.parts[0].taken
    assert taken == (place.part(1) / "journal").stat().st_size
    place.write(job)  # as if whoever took it in had been killed before that was noted
    with Grafico(tmp_path / "store") as later:
        assert later.kg.find(Activity, calculation="tightbinding.single_point") == [made]
    assert place.job.parts[0].taken == taken


def test_a_job_sees_no_secret(session: Grafico, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hidden")
    desk = desk_of(session, environment={"SHOWN": "yes"})
    job = submitted(session, desk, plan=JobStart(begin=session.wait_for(lambda: _soon(600))))
    process = process_of(job.parts[0].native)
    assert process is not None
    until = time.monotonic() + PATIENCE
    while "SHOWN" not in process.environ() and time.monotonic() < until:
        time.sleep(0.01)  # it has not become the other program yet
    seen = process.environ()
    session.wait_for(lambda: desk.cancel(job.name))
    assert seen["SHOWN"] == "yes"
    assert "hidden" not in str(seen)
    assert desk.named(job.name).folder.stat().st_mode & 0o077 == 0


def test_deferring_computes_nothing(session: Grafico) -> None:
    ready = session.wait_for(lambda: session.prepare_async("O", **XTB))
    before = len(activities(session))

    async def deferred() -> str:
        try:
            await finished(replace(ready, executor=ready.executor.deferring()))
        except DeferredError as error:
            return error.run
        return ""

    assert session.wait_for(deferred)
    assert len(activities(session)) == before


@pytest.mark.parametrize(
    ("cluster", "on", "words"),
    [
        ({}, "nowhere", "nowhere"),
        ({"folder": Path("/nowhere/at/all")}, "there", "/nowhere/at/all"),
    ],
)
def test_what_cannot_be_submitted_is_refused(
    session: Grafico, cluster: dict[str, Any], on: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        submitted(session, desk_of(session, **cluster), on=on)
    assert not desk_of(session).places()


def test_core_hours_need_a_yes(session: Grafico) -> None:
    desk = desk_of(session, core_hours=1e-6)
    big: dict[str, Any] = {"method": "B3LYP", "basis": "def2-TZVP", "task": "frequencies"}
    with pytest.raises(ResourceError, match="core hours"):
        submitted(session, desk, "c1ccccc1", **big)
    plan = JobStart(force=True, begin=session.wait_for(lambda: _soon(600)))
    job = submitted(session, desk, "c1ccccc1", plan=plan, **big)
    assert job.estimate > 0
    session.wait_for(lambda: desk.cancel(job.name))


def test_one_word_says_where_a_request_is_computed(session: Grafico) -> None:
    job = session.run("N", **XTB, on="here", begin="23:59")
    assert isinstance(job, Job)
    assert job.begin is not None
    later = session.run("N", **XTB, begin=job.begin)  # in the background, if nothing else is said
    assert (later.name, later.cluster) == (job.name, "here")
    session.cancel(job.name)
    assert isinstance(session.resume(job.name), Job)
    followed: Any = session.follow(job.name)
    energy = followed.energy
    assert session.run("N", **XTB).energy == energy
    assert session.resume(job.run, on="here").energy == energy  # nothing is left to compute
    with pytest.raises(InputError, match="as it was asked"):
        session.resume(job.name, max_steps=3)
    with pytest.raises(InputError, match="passed"):
        session.run("C", **XTB, begin="2020-01-31T08:00")
    with pytest.raises(InputError, match="cannot be read"):
        session.run("C", **XTB, begin="tonight")


def test_a_store_in_memory_has_no_jobs() -> None:
    with Grafico("memory:") as session, pytest.raises(InputError, match="memory"):
        desk_of(session)


def test_a_cluster_is_tried(session: Grafico) -> None:
    desk = desk_of(session, cores=10_000)
    found = session.wait_for(lambda: desk.check(["here", "there"]))
    assert not found["here"].problem
    assert "cores" in found["there"].problem
    session.run("O", **XTB)  # the store of somebody who first tried a cluster is one
    lost = desk_of(session, python="/no/such/python")
    assert session.wait_for(lambda: lost.check(["there"]))["there"].problem


def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "grafico.toml").write_text("[clusters.two]\nparts = 2\n")

    def grafico(*words: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "grafico", *words, "--store", str(tmp_path / "store")],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
            env=dict(os.environ),
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    job = json.loads(grafico("run", "O", "--method", "GFN2-xTB", "--on", "two", "--json"))
    assert job["state"] == "waiting"
    assert job["cluster"] == "two"
    told = json.loads(grafico("follow", job["name"], "--json"))
    here = json.loads(grafico("run", "O", "--method", "GFN2-xTB", "--json"))
    assert told["status"] == here["status"] == "finished"
    assert here["reused"]
    assert told["results"] == here["results"]
    assert json.loads(grafico("jobs", "--json"))[0]["state"] == "finished"
    assert json.loads(grafico("clusters", "--json"))["two"]["parts"] == 2
    (tmp_path / "grafico.toml").write_text("[clusters.two]\npart = 2\n")
    done = subprocess.run(
        [sys.executable, "-m", "grafico", "clusters"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 2
    assert "did you mean parts?" in done.stderr
    grafico("cancel", job["name"], status=2)
