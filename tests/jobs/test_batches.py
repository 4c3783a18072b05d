"""Batches as jobs: what is remembered of their entries."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.provenance import Activity, Part, Run
from workflows.engine.jobs.job import Job
from workflows.engine.request.workflow import Finished

from .test_jobs import desk_of
from .working import XTB, ended, submitted

pytest.importorskip("tblite")

MOLECULES = "O water\nN ammonia\nC methane\nCO methanol\nF fluorane\n"


def sent(session: Grafico, desk: Any, source: Path, **asked: Any) -> Any:
    return submitted(
        session,
        desk,
        str(source),
        workflow="batch",
        method=None,
        arguments={**XTB, **asked},
        each="run",
    )


def made(session: Grafico) -> dict[str, Activity]:
    return {one.iri: one for one in session.kg.find(Activity)}


def test_entries_that_are_remembered_are_not_computed_again(
    session: Grafico, tmp_path: Path
) -> None:
    """One was computed by itself, one in another batch, of one the structure alone is known."""
    source, other = tmp_path / "library.smi", tmp_path / "other.smi"
    source.write_text(MOLECULES)
    other.write_text("N somebody's ammonia\n")
    water = session.run("O", **XTB)
    ammonia = session.batch(other, **XTB).result()
    methane = session.run("C", task="energy", method="GFN1-xTB")
    before, runs = made(session), len(session.kg.find(Run))
    others = {part.iri for part in session.kg.find(Part)}
    desk = desk_of(session)
    job = sent(session, desk, source)
    assert isinstance(job, Job)
    assert made(session).keys() >= before.keys()
    computed = {one.calculation for iri, one in made(session).items() if iri not in before}
    assert computed <= {"molecule.embed", "tightbinding.resolve_level"}  # of the estimate
    parts = [part for part in session.kg.find(Part) if part.iri not in others]
    assert sorted(part.part for part in parts) == ["0", "1"]
    assert len(session.kg.find(Run)) == runs + 3  # of the batch, and of these two

    job = ended(session, desk, job)
    assert job.state == "finished", job
    assert max(Counter(one.key for one in made(session).values()).values()) == 1
    table = session.batch(source, **XTB).result()
    assert table.counts["finished"] == 5
    rows = list(table.rows())
    assert [rows[at].facts["energy"].value for at in (0, 1)] == [
        water.energy,
        next(iter(ammonia.rows())).facts["energy"].value,
    ]
    new = [one for iri, one in made(session).items() if iri not in before]
    points = [one for one in new if one.calculation == "tightbinding.single_point"]
    assert len(points) == 3
    assert methane.atoms.iri in {link.iri for one in points for link in one.used}
    with Grafico(tmp_path / "here", threads_per_calculation=1) as alone:
        for here, there in zip(alone.batch(source, **XTB).result().rows(), rows, strict=True):
            assert here.entry.name == there.entry.name
            assert there.facts["energy"].value == pytest.approx(
                here.facts["energy"].value, abs=1e-8
            )


def test_a_batch_of_which_all_is_remembered_is_no_job(session: Grafico, tmp_path: Path) -> None:
    """Each entry was computed by itself."""
    source = tmp_path / "library.smi"
    source.write_text("O water\nN ammonia\n")
    for text in ("O", "N"):
        session.run(text, **XTB)
    before = made(session)
    assert isinstance(sent(session, desk_of(session), source), Finished)
    assert made(session) == before
    assert session.batch(source, **XTB).result().counts["finished"] == 2
