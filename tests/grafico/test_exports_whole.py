"""An export carries all that belongs to what was named: asked elsewhere, nothing is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ogm.keeping import check_store, export_bundle, import_bundle
from ontologies import Activity
from ontologies.collection import Batch, Entry
from ontologies.jobs import JobAttempt
from ontologies.provenance import Outcome, Run
from tests.typed import typed

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
LIBRARY = "O water\n[H][H] hydrogen\nFF fluorine\n[XX] nonsense\n"

Ask = Callable[[Grafico], Any]

ASKED: dict[str, Ask] = {
    "batch": lambda session: session.run("library.smi", workflow="batch", arguments=HF),
    "grid": lambda session: session.run(
        "library.smi",
        workflow="batch",
        arguments={"method": "GFN-FF"},
        grid={"task": ("energy", "optimise")},
    ),
    "react": lambda session: session.run(
        "[H][H] + FF -> 2 F", workflow="react", task="energy", **HF
    ),
    "conformers": lambda session: session.run("CCO", workflow="conformers", method="GFN-FF"),
    "excite": lambda session: session.run(
        "C=O", workflow="excite", task="energy", states=2, response="TDA", **HF
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "library.smi").write_text(LIBRARY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Grafico]:
    """Return an empty store."""
    with Grafico(tmp_path / "there", threads_per_calculation=1) as session:
        yield session


def carried(session: Grafico, roots: list[str], there: Grafico) -> None:
    """Export and import."""
    path = Path("carried.zip")
    assert export_bundle(session.kg, roots, path, overwrite=True).unknown == ()
    import_bundle(there.kg, path)
    assert check_store(there.kg).clean


@pytest.mark.parametrize("name", ASKED)
def test_the_same_asked_elsewhere_is_remembered(name: str, folder: Path, there: Grafico) -> None:
    with Grafico(folder / "here", threads_per_calculation=1) as session:
        first = ASKED[name](session)
        carried(session, [first.run], there)
    known = {act.iri for act in there.kg.find(Activity)}
    again = ASKED[name](there)
    assert again.status == first.status
    assert {act.iri for act in there.kg.find(Activity)} == known


def test_a_batch_is_carried_by_its_name_or_by_any_of_its_runs(folder: Path, there: Grafico) -> None:
    with Grafico(folder / "here", threads_per_calculation=1) as session:
        first = session.run("library.smi", workflow="batch", arguments=HF, limit=1)
        second = session.run("library.smi", workflow="batch", arguments=HF)
        [batch] = session.kg.find(Batch)
        sizes = [
            export_bundle(session.kg, [iri], Path(f"{number}.zip")).objects
            for number, iri in enumerate((batch.iri, first.run, second.run))
        ]
        assert len(set(sizes)) == 1
        carried(session, [second.run], there)
    assert len(there.kg.find(Entry)) == 4
    assert {
        (row.entry.name, row.status)
        for row in there.run("library.smi", workflow="batch", arguments=HF).rows()
    } == {
        ("water", "finished"),
        ("hydrogen", "finished"),
        ("fluorine", "finished"),
        ("nonsense", "unreadable"),
    }


def test_of_an_entry_its_own_is_carried_and_what_is_not_is_said(
    folder: Path, there: Grafico
) -> None:
    with Grafico(folder / "here", threads_per_calculation=1) as session:
        whole = session.run("library.smi", workflow="batch", arguments=HF)
        [one] = [run for run in session.kg.find(Run) if run.subject == "FF"]
        path = Path("one.zip")
        made = export_bundle(session.kg, [one.iri], path)
        assert made.left_out == {whole.run: 2}
        import_bundle(there.kg, path)
        # and the rest may follow
        carried(session, [whole.run], there)
    told = typed("export", one.iri, "-o", "2.zip", "--store", "here")
    assert "2 other parts of" in told.stderr
    report = check_store(there.kg)
    assert report.clean
    assert {end.status for end in there.kg.find(Outcome)} == {"finished"}


def test_what_a_run_came_to_brings_the_run(folder: Path, there: Grafico) -> None:
    with Grafico(folder / "here", threads_per_calculation=1) as session:
        done = ASKED["react"](session)
        [made] = done.ran.made
        ASKED["react"](session)  # remembered: another run that came to the same
        carried(session, [made.iri], there)
    assert [run.iri for run in there.kg.find(Run, graph="reaction")] == [done.run]
    assert [hit.result for hit in there.find("FF", name="energy_change")] == [made.iri]


def test_a_job_is_carried_with_its_attempts(folder: Path, there: Grafico) -> None:
    with Grafico(folder / "here", threads_per_calculation=1) as session:
        job = session.run("N", on="here", method="GFN2-xTB", task="optimise")
        done: Any = session.follow(job.name)
        carried(session, [job.run], there)
        assert done.status == "finished"
    assert [one.ending for one in there.kg.find(JobAttempt)] == ["finished"]
