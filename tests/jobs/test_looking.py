"""To look at a job leaves no trace: it is one run in the list, however often it is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Outcome, Run
from triplestore.errors import NotConvergedError
from workflows.engine.jobs.job import Job

pytest.importorskip("tblite")

XTB: dict[str, Any] = {"method": "GFN2-xTB", "task": "optimise"}


def test_a_job_is_one_run_however_often_it_is_looked_at(session: Grafico) -> None:
    job = session.run("N", **XTB, on="here")
    assert isinstance(job, Job)
    first: Any = session.follow(job.name)
    known = {run.iri for run in session.kg.find(Run)}
    assert job.run in known
    for _ in range(2):
        again: Any = session.follow(job.name)
        assert type(again) is type(first)
        assert (again.run, again.energy, again.status) == (first.run, first.energy, "finished")
        assert again.remarks == first.remarks
    assert {run.iri for run in session.kg.find(Run)} == known
    [line] = session.runs()
    assert (line.run, line.status) == (first.run, "finished")
    # what was cut off to be handed over is there for who asks for all
    cut = [one.run.iri for one in session.kg.find(Outcome) if one.status == "interrupted"]
    assert cut == [job.run]
    assert job.run in {line.run for line in session.runs(parts=True)}


def test_a_batch_of_several_parts_is_looked_at_without_a_run(
    session: Grafico, tmp_path: Path
) -> None:
    (tmp_path / "two.smi").write_text("N ammonia\nO water\n")
    job = session.run(str(tmp_path / "two.smi"), workflow="batch", arguments=XTB, on="here")
    assert isinstance(job, Job)
    first: Any = session.follow(job.name)
    assert first.counts["finished"] == 2
    known = {run.iri for run in session.kg.find(Run)}
    again: Any = session.follow(job.name)
    assert [row.status for row in again.rows()] == ["finished", "finished"]
    assert {run.iri for run in session.kg.find(Run)} == known
    assert all(line.status == "finished" for line in session.runs())


def test_a_run_that_failed_stays_in_the_list(session: Grafico) -> None:
    with pytest.raises(NotConvergedError) as error:
        session.run("N", **XTB, max_steps=1)
    session.resume(error.value.run, max_steps=100)
    assert [line.status for line in session.runs()] == ["finished", "failed"]
