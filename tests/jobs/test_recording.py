"""What stays of jobs in the graph: where each was computed, what that took, how it ended."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from grafico import Grafico
from ontologies.jobs import ClusterJob, JobAttempt
from ontologies.provenance import Activity, Run
from tests.jobs.test_jobs import desk_of, process_of, wait_for_end
from tests.jobs.working import ended, submitted
from triplestore import Table
from workflows.engine.jobs.job import Allotment, Beginning, Job, JobFolder, Part
from workflows.engine.jobs.judging import core_hours
from workflows.engine.jobs.recording import record
from workflows.engine.runners.base import Sight
from workflows.engine.runners.detached import DetachedRunner
from workflows.show.run_blocks import read_run

pytest.importorskip("tblite")


class Telling(DetachedRunner):
    """Says of what is gone why, as a scheduler does."""

    async def look(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> dict[str, Sight]:
        seen = await super().look(ids, folders)
        gone = Sight("gone", "walltime", "it reached its walltime")
        return {one: gone if sight.phase == "gone" else sight for one, sight in seen.items()}


def everything(session: Grafico) -> set[bytes]:
    return {line for piece in session.kg.store.dump() for line in piece.splitlines()}


def test_what_a_job_has_computed_names_it(session: Grafico) -> None:
    desk = desk_of(session, Telling(), memory=900)
    first = submitted(session, desk, task="optimise")
    process = process_of(first.parts[0].native)
    assert process is not None
    process.kill()  # before it has started
    job = ended(session, desk, first)
    assert job.state == "finished"

    (stored,) = session.kg.find(ClusterJob)
    assert (stored.run.iri, stored.name, stored.cluster) == (job.run, job.name, "there")
    assert (stored.scheduler, stored.shares, stored.submitted) == ("none", 1, job.submitted)
    killed, last = sorted(session.kg.find(JobAttempt, job=stored), key=lambda one: one.number)
    assert (killed.ending, killed.reason, killed.native) == (
        "cut off",
        "walltime",
        first.parts[0].native,
    )
    assert (last.number, last.ending, last.reason, last.error) == (2, "finished", "", "")
    assert (last.cores, last.memory, last.walltime) == (1, 900.0, 24.0)
    assert last.host
    assert last.processor
    assert last.started
    assert last.submitted
    assert last.submitted <= last.started < last.ended  # one clock: it is this machine
    elapsed = (last.ended - last.started).total_seconds()
    assert last.core_hours == pytest.approx(elapsed / 3600, abs=1 / 3600)
    assert job.parts[0].core_hours == pytest.approx(killed.core_hours + last.core_hours)
    assert last.made
    assert {link.iri for link in [last.made]} <= {one.iri for one in session.kg.find(Run)}

    (made,) = session.kg.find(Activity, calculation="tightbinding.optimise")
    (said,) = session.show(made.generated.iri).where
    assert said.startswith(f"there as {last.native} on {last.host}, ")
    assert said.endswith(" core hours, second attempt after walltime")
    for iri in (job.run, last.made.iri, made.iri):
        assert session.show(iri).where == (said,)
    here = session.run("O", method="GFN2-xTB", task="optimise")
    for run in (here.run, last.made.iri):
        asked, fact = read_run(session.kg, run).where
        assert asked.label == "asked for by"
        assert (fact.value, fact.iri) == (said, stored.iri)
    own = session.run("N", method="GFN2-xTB")  # what was computed here names none
    assert [one.name for one in read_run(session.kg, own.run).where] == ["asked_for_by"]
    assert not session.show(own.answers[0].recorded).where

    before = everything(session)
    place = desk.named(job.name)
    record(session.kg, place, job, job.parts)  # as if killed before the folder says so
    assert everything(session) == before


def test_what_is_cancelled_and_resumed_has_two_attempts(session: Grafico) -> None:
    desk = desk_of(session, tries=1)
    job = submitted(session, desk, task="optimise", max_steps=1)
    place = desk.named(job.name)
    session.wait_for(lambda: desk.cancel(job.name))
    session.wait_for(lambda: desk.resume(job.name))
    wait_for_end(place, place.job)
    assert ended(session, desk, job).state == "failed"
    (stored,) = session.kg.find(ClusterJob)
    found = sorted(session.kg.find(JobAttempt, job=stored), key=lambda one: one.number)
    assert [(one.ending, one.error) for one in found] == [
        ("cancelled", ""),
        ("failed", "NotConvergedError"),
    ]
    texts = [line for line in everything(session) if b"/jobs/" in line]
    assert not texts  # no folder of the job

    table = session.query("""
        SELECT ?cluster ?ending (SUM(?hours) AS ?spent) {
            ?job a g:ClusterJob ; g:cluster ?cluster .
            ?attempt g:job ?job ; g:ending ?ending ; g:coreHours ?hours .
        } GROUP BY ?cluster ?ending ORDER BY ?ending""")
    assert isinstance(table, Table)
    rows = [[str(getattr(term, "value", "")) for term in row] for row in table.rows]
    assert [row[:2] for row in rows] == [["there", "cancelled"], ["there", "failed"]]
    assert float(rows[1][2]) == pytest.approx(found[1].core_hours)


def test_core_hours_of_what_was_killed_end_at_its_last_sign_of_life(tmp_path: Path) -> None:
    place = JobFolder(tmp_path)
    part = Part(number=1, attempt=1)
    job = Job(
        name="one",
        run="urn:run",
        workflow="",
        subject="",
        goal="",
        cluster="there",
        allotted=Allotment(cores=4),
        parts=[part],
    )
    place.part(1).mkdir()
    assert core_hours(place, job, part) == 0.0  # it never started
    start = place.part(1) / "began-1"
    start.write_text("{}")
    written = place.last_sign(part)
    assert written is not None
    for attempt, expected in ((2, 0.0), (1, 2.0)):
        said = Beginning(attempt=attempt, started=written, host="n03", processor="")
        start.write_text(said.model_dump_json())
        events = place.part(1) / "events.jsonl"
        events.touch()
        later = written.timestamp() + 1800
        os.utime(events, (later, later))
        assert core_hours(place, job, part) == pytest.approx(expected)
