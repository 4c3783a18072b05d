"""A batch from end to end: what is computed, remembered, failed, asked again, cut off and told."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from grafico.views.row_files import write_rows
from ogm import GraphModel
from ogm.terms import BASE
from ontologies.atoms import ConceptualAtoms
from ontologies.collection import Batch, Collection, Entry
from ontologies.provenance import Part, Run, Transition
from tests.warm import program
from triplestore.errors import InputError
from workflows.batch.result import BatchResult
from workflows.batch.sources import opened, records
from workflows.molecule.library import MOLECULES

pytest.importorskip("tblite")

LIBRARY = """id,smiles,shelf
a,O,1
b,N,2
c,C1CC,3
d,CC(C)(C)(C)(C)C,4
e,[H]O[H],1
"""
XTB: dict[str, Any] = {"method": "GFN2-xTB"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "library.csv"
    path.write_text(LIBRARY)
    return path


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grafico]:
    with Grafico(tmp_path_factory.mktemp("store") / "store", threads_per_calculation=1) as one:
        yield one


@pytest.fixture(scope="module")
def first(session: Grafico, library: Path) -> BatchResult:
    return session.batch(library, **XTB).result()


def ends(result: BatchResult) -> dict[str, str]:
    return {row.entry.name: row.status for row in result.rows()}


def test_each_entry_is_computed_and_failures_stand_beside(first: BatchResult, session: Grafico):
    assert ends(first) == {
        "a": "finished",
        "b": "finished",
        "c": "unreadable",
        "d": "unreadable",
        "e": "finished",
    }
    assert first.counts == {
        "calculations": 3,
        "finished": 3,
        "failed": 0,
        "open": 0,
        "unreadable": 2,
    }
    rows = {row.entry.name: row for row in first.rows()}
    assert rows["c"].reason == "the ring bond 1 is left open"
    assert rows["b"].columns == {"id": "b", "smiles": "N", "shelf": "2"}
    # the same as one by one, and the same molecule spelt otherwise is computed once
    alone = session.run("O", **XTB)
    assert alone.reused
    assert rows["a"].facts["energy"].value == alone.energy == rows["e"].facts["energy"].value
    assert rows["a"].geometry == rows["e"].geometry
    steps = [
        step
        for step in session.kg.find(Transition)
        if step.run.iri in (rows["a"].run, rows["e"].run)
    ]
    assert sorted(step.reused for step in steps) == [False, True]
    assert session.blocks(rows["a"].run)


def test_who_asks_again_goes_on_with_it(first: BatchResult, session: Grafico, library: Path):
    again = session.batch(library, **XTB)
    assert list(again) == []
    result = again.result()
    assert result.batch.iri == first.batch.iri
    assert result.remarks[-1] == "3 of 3 were done before"
    assert list(result.rows()) == list(first.rows())
    by_iri = session.batch(first.run, **XTB).result()
    assert by_iri.batch.iri == first.batch.iri
    assert session.resume(first.run).batch.iri == first.batch.iri


def test_the_rows_come_as_they_end(session: Grafico, library: Path):
    rows = list(session.batch(library, method="GFN1-xTB"))
    assert sorted(row.entry.name for row in rows) == ["a", "b", "e"]
    assert {row.status for row in rows} == {"finished"}


def test_what_a_program_holds_is_a_source(session: Grafico):
    """Each text is read as by itself: CO is methanol, however its column is called."""
    table = pd.DataFrame(
        {"smiles": ["CO", "O"], "measured": [1.5, None]}, index=pd.Index(["x", "y"])
    )
    for given, names, formulas in (
        (["CO", "water", "[H]O[H]"], ["CO", "water", "[H]O[H]"], ["CH4O", "H2O", "H2O"]),
        ({"wood alcohol": "CO", "ice": "O"}, ["wood alcohol", "ice"], ["CH4O", "H2O"]),
        (pd.Series(table["smiles"], name="compound"), ["x", "y"], ["CH4O", "H2O"]),
        (table, ["CO", "O"], ["CH4O", "H2O"]),
    ):
        running = session.batch(given, **XTB)
        rows = [*running.result().rows()]
        assert [row.entry.name for row in rows] == names
        assert [session.atoms(row.run).formula for row in rows] == formulas
    assert running.frame()["measured"].tolist() == ["1.5", ""]
    for wrong, found in (([], "empty"), ([1, 2], "given as a int"), ({"a": 2.5}, "float, not")):
        with pytest.raises(InputError, match=found):
            session.batch(wrong, **XTB)


def test_a_grid_of_settings(session: Grafico, library: Path):
    running = session.batch(library, grid={"method": ["GFN1-xTB", "GFN2-xTB"]}, said={"limit": 2})
    frame = running.frame()
    assert list(frame["name"]) == ["a", "a", "b", "b"]
    assert list(frame["method"]) == ["GFN1-xTB", "GFN2-xTB"] * 2
    assert len({*frame["energy_Eh"].tolist()}) == 4
    assert frame["shelf"].tolist() == ["1", "1", "2", "2"]


def test_what_failed_is_asked_again_alone(session: Grafico, tmp_path: Path):
    path = tmp_path / "hard.csv"
    path.write_text("smiles,charge\nO,\nO,12\n")
    one = session.batch(path, **XTB).result()
    assert (one.counts["finished"], one.counts["failed"]) == (1, 1)
    reason = next(row.reason for row in one.rows() if row.status == "failed")
    assert "12" in reason
    assert list(session.batch(path, **XTB)) == []
    [again] = session.batch(path, said={"retry": "failed"}, **XTB)
    assert (again.status, again.reason) == ("failed", reason)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"method": "GFN9"}, "GFN9"),
        ({"metod": "HF"}, "did you mean method"),
        ({"task": "dance"}, "dance"),
        ({"grid": {"method": []}}, "the grid has no value for method"),
        ({"method": "HF", "grid": {"method": ["HF"]}}, "one value and several"),
        ({"grid": {"charge": list(range(1001))}}, "1,000 are allowed"),
        ({"workflow": "microwave"}, "that is about a"),
        ({"said": {"of": "stone"}}, "there are: molecule"),
        ({"said": {"limit": 0}}, "limit=0"),
        ({"said": {"reading": {"stereo": "both"}}}, "both"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(
    asked: dict[str, Any], told: str, session: Grafico, library: Path
):
    before = len(session.kg.find(Run))
    with pytest.raises(InputError) as caught:
        session.batch(library, **asked)
    assert told in str(caught.value)
    assert len(session.kg.find(Run)) == before


# --- tables --------------------------------------------------------------------------------------


def test_the_table_as_files(first: BatchResult, session: Grafico, tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    for name in ("t.csv", "t.tsv", "t.jsonl", "t.sdf"):
        write_rows(first, tmp_path / name)
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:5] == ["index", "name", "id", "smiles", "shelf"]
    frame = first.frame()
    assert [float(row["energy_Eh"] or "nan") for row in rows] == pytest.approx(
        frame["energy_Eh"].tolist(), nan_ok=True
    )
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert lines[2]["energy_Eh"] is None
    assert lines[2]["reason"] == "the ring bond 1 is left open"
    assert pandas.read_csv(tmp_path / "t.tsv", sep="\t").shape == (5, len(rows[0]))
    again = session.batch(tmp_path / "t.sdf", **XTB).result()
    assert again.counts["finished"] == 3
    row = next(again.rows())
    assert row.columns["shelf"] == "1"
    assert float(row.columns["energy_Eh"]) == pytest.approx(row.facts["energy"].value, abs=1e-6)


def test_parquet(first: BatchResult, tmp_path: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_rows(first, tmp_path / "t.parquet")
    table = parquet.read_table(tmp_path / "t.parquet").to_pydict()
    assert table["energy_Eh"] == [
        row.facts["energy"].value if row.facts else None for row in first.rows()
    ]
    assert table["shelf"] == ["1", "2", "3", "4", "1"]


def test_columns_that_are_chosen(first: BatchResult, tmp_path: Path):
    write_rows(first, tmp_path / "t.csv", ["dipole"])
    head = (tmp_path / "t.csv").read_text().partition("\n")[0]
    assert head.split(",")[-1] == "dipole_D"
    assert not {"energy_Eh", "status", "run", "index", "geometry"} & {*head.split(",")}
    assert "(computed)" not in head
    with pytest.raises(InputError, match="energy_Eh"):
        write_rows(first, tmp_path / "t.csv", ["weight"])
    with pytest.raises(InputError, match=r"\.parquet"):
        write_rows(first, tmp_path / "t.docx")


def test_a_blank_cell_says_why(session: Grafico, tmp_path: Path):
    (tmp_path / "r.csv").write_text("name,smiles\nwater,O\nhydroxyl,[OH]\n")
    done = session.batch(tmp_path / "r.csv", method="GFN2-xTB", task="energy").result()
    write_rows(done, tmp_path / "t.csv", ["energy", "gap"])
    with (tmp_path / "t.csv").open(newline="") as file:
        water, radical = csv.DictReader(file)
    assert [*water] == ["name", "smiles", "reason", "energy_Eh", "gap_Eh", "gap_eV"]
    assert (bool(water["gap_Eh"]), water["reason"]) == (True, "")
    assert (radical["gap_Eh"], "open shell" in radical["reason"]) == ("", True)


def test_what_is_told_in_two_units_has_two_columns(first: BatchResult, tmp_path: Path):
    write_rows(first, tmp_path / "t.csv", ["gap"])
    write_rows(first, tmp_path / "ev.csv", ["gap_eV"])
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["gap_Eh"]]
    assert rows
    for row in rows:
        assert float(row["gap_eV"]) == pytest.approx(27.211386 * float(row["gap_Eh"]), rel=1e-7)
    head = (tmp_path / "ev.csv").read_text().partition("\n")[0]
    assert "gap_eV" in head
    assert "gap_Eh" not in head


def test_a_source_with_our_names_keeps_them(session: Grafico, tmp_path: Path):
    path = tmp_path / "names.csv"
    path.write_text("status,energy_Eh,smiles\nold,5,O\n")
    frame = session.batch(path, **XTB).frame()
    assert frame["status"].tolist() == ["old"]
    assert frame["status (computed)"].tolist() == ["finished"]
    assert frame["energy_Eh"].tolist() == ["5"]
    assert frame["energy_Eh (computed)"].tolist()[0] < -5


def test_a_source_may_have_computed_columns_of_its_own(session: Grafico, tmp_path: Path):
    path = tmp_path / "twice.csv"
    path.write_text("energy_Eh,energy_Eh (computed),smiles\n5,6,O\n")
    frame = session.batch(path, **XTB).frame()
    assert frame["energy_Eh (computed)"].tolist() == ["6"]
    assert frame["energy_Eh (computed) (computed)"].tolist()[0] < -5


def test_formulas_of_a_table_are_texts_and_come_back(session: Grafico, tmp_path: Path):
    path, formula = tmp_path / "hostile.csv", "=cmd|' /C calc'!A0"
    path.write_text(f"smiles,=1+1,delta\nO,{formula},-5\n")
    result = session.batch(path, **XTB).result()
    write_rows(result, tmp_path / "marked.csv")
    with (tmp_path / "marked.csv").open(newline="") as file:
        head, cells = csv.reader(file)
    row = dict(zip(head, cells, strict=True))
    assert row["'=1+1"] == f"'{formula}"
    assert row["delta"] == "-5"
    with opened(str(tmp_path / "marked.csv"), MOLECULES) as source:
        [again] = records(source, MOLECULES)
    assert again.columns["=1+1"] == formula
    write_rows(result, tmp_path / "raw.tsv", raw=True)
    assert f"\t{formula}\t" in (tmp_path / "raw.tsv").read_text()


GRID = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]" for n in range(1, 7)]
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GRID, "anchors and aliases"),
        (f"charge: [{'1' * 5000}]", "a number in it has 5,000 digits"),
        (f"charge: [0x{'1' * 9000}]", "a number in it has 9,002 digits"),
        ("charge: [0, 1_0]", "1_0 is not a number in the digits 0 to 9"),
        ("charge: ['1_0']", "it is not a number in the digits 0 to 9"),
        ("#" * 200_000, "more than 100,000 bytes"),
    ],
)
def test_a_hostile_grid_is_refused_at_once(text: str, told: str, tmp_path: Path):
    (tmp_path / "grid.yaml").write_text(text)
    (tmp_path / "x.csv").write_text("smiles\nO\n")
    asked = ["batch", str(tmp_path / "x.csv"), "--store", "memory:"]
    done = CliRunner().invoke(main, [*asked, "--grid", str(tmp_path / "grid.yaml")])
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("said", ["1_0", "१"])
def test_a_charge_is_written_in_plain_digits(said: str):
    done = CliRunner().invoke(main, ["run", "O", "--charge", said])
    assert done.exit_code == 2
    assert "digits 0 to 9" in done.stderr


# --- the store -----------------------------------------------------------------------------------


def test_what_is_stored_of_a_batch(first: BatchResult, session: Grafico):
    kg = session.kg
    assert kg.pull(Batch, first.batch.iri).collection.load(kg) == first.collection
    entries = kg.find(Entry, collection=first.collection)
    assert sorted(entry.place for entry in entries) == [f"line {n}" for n in range(2, 7)]
    parts = kg.find(Part, run=kg.pull(Run, first.run))
    assert sorted(part.part for part in parts) == ["0", "1", "4"]
    runs = kg.find(Run, parent=kg.pull(Run, first.run))
    assert sorted(run.part for run in runs) == ["0", "1", "4"]
    asked = {line.run for line in session.runs(1000)}
    assert first.run in asked
    assert not asked & {run.iri for run in runs}
    assert {run.iri for run in runs} <= {line.run for line in session.runs(1000, parts=True)}
    assert session.report(first.run)


def test_structures_and_queries_as_sources(session: Grafico, tmp_path: Path):
    path = tmp_path / "two.xyz"
    path.write_text("2\nfirst\nH 0 0 0\nH 0 0 0.74\n2\nsecond\nH 0 0 0\nH 0 0 0.8\n")
    rows = list(session.batch(path, **XTB).result().rows())
    assert [row.columns["comment"] for row in rows] == ["first", "second"]
    assert [isinstance(session.kg.pull(GraphModel, row.geometry), ConceptualAtoms) for row in rows]
    found = "SELECT ?atoms ?formula { ?atoms a g:ConceptualAtoms ; g:formula ?formula . "
    result = session.batch(found + 'FILTER(?formula = "H2") }', method="GFN1-xTB").result()
    assert {row.columns["formula"] for row in result.rows()} == {"H2"}
    assert result.counts["finished"] == 2
    with pytest.raises(InputError, match="finds nothing"):
        session.batch('SELECT ?atoms { ?atoms g:formula "Xx" }')


def test_a_store_in_memory_computes_each_alone(library: Path):
    with Grafico("memory:", threads_per_calculation=1) as session:
        assert session.batch(library, **XTB).result().counts["finished"] == 3


# --- breaks --------------------------------------------------------------------------------------


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        del row["run"], row["geometry"]
        row["energy_Eh"] = f"{float(row['energy_Eh']):.6f}"
        for name in [one for one in row if one.endswith(("_Eh", "_D"))]:
            row[name] = row[name][:7]
    return rows


def test_a_batch_that_is_killed_goes_on(tmp_path: Path):
    chains = ["C" * length + end for length in range(1, 6) for end in ("O", "N", "F")]
    source = tmp_path / "chains.csv"
    source.write_text("smiles\n" + "\n".join(chains) + "\n")
    words = ["batch", str(source), "--method", "GFN2-xTB", "--quiet", "-t", "1"]
    environment = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store")}
    begun = [sys.executable, "-m", "grafico", *words]
    for _ in range(2):
        process = subprocess.Popen(begun, env=environment, stdout=subprocess.DEVNULL)
        with Grafico(tmp_path / "store") as session:
            known = len(session.kg.find(Part))
            while process.poll() is None and len(session.kg.find(Part)) == known:
                time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = subprocess.run(
        [*program(), *words, "-o", str(tmp_path / "broken.csv")],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    whole = {**environment, "GRAFICO_STORE": str(tmp_path / "other")}
    subprocess.run(
        [*program(), *words, "-o", str(tmp_path / "whole.csv")],
        env=whole,
        check=True,
        capture_output=True,
    )
    assert len(table(tmp_path / "whole.csv")) == len(chains)
    assert table(tmp_path / "broken.csv") == table(tmp_path / "whole.csv")
    assert not list((tmp_path / "store" / "tasks").glob("*"))


def test_a_worker_that_is_killed_takes_no_entry_with_it(tmp_path: Path):
    source = tmp_path / "chains.smi"
    source.write_text("\n".join("C" * length for length in range(1, 9)))
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        running = session.batch(source, **XTB)
        next(running)
        workers: list[psutil.Process] = []
        for _ in range(200):  # until one is at work
            servers = psutil.Process().children()
            workers = [one for server in servers for one in server.children()]
            if any(one.status() == psutil.STATUS_RUNNING for one in workers):
                break
            time.sleep(0.01)
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.kill()
        assert running.result().counts["finished"] == 8


def test_the_command_line(library: Path, tmp_path: Path):
    environment = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store"), "COLUMNS": "160"}

    def batch(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*program(), "batch", *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

    asked = (str(library), "--method", "GFN2-xTB", "-t", "1")
    done = batch(*asked)
    assert done.returncode == 0, done.stderr
    assert "the ring bond 1 is left open" in done.stdout
    told = json.loads(batch(*asked, "--quiet", "--json", "--columns", "energy").stdout)
    assert told["counts"]["finished"] == 3
    assert [row["energy_Eh"] is None for row in told["rows"]] == [False, False, True, True, False]
    (tmp_path / "grid.yaml").write_text("method: [GFN1-xTB, GFN2-xTB]\n")
    many = batch(str(library), "--grid", "grid.yaml", "--limit", "1", "--quiet", "--json")
    assert json.loads(many.stdout)["counts"]["calculations"] == 2
    (tmp_path / "bad.yaml").write_text("method: [GFN1-xTB\n")
    for words, said in (
        ((*asked, "--grid", "bad.yaml"), "it is no YAML"),
        ((*asked, "-o", str(library)), "it is the source"),
        ((*asked, "-o", "table.docx"), ".parquet"),
        ((*asked, "--columns", "weight"), "energy_Eh"),
        ((*asked, "--workflow", "dance"), "none of that name"),
        ((*asked, "--metod", "HF"), "--method"),
        (("nothing.csv",), "no such file"),
    ):
        refused = batch(*words)
        assert refused.returncode == 2, (words, refused.stderr)
        assert said in refused.stderr, words


def test_two_at_once_compute_each_entry_once(tmp_path: Path):
    source = tmp_path / "some.smi"
    source.write_text("\n".join("C" * length for length in range(1, 8)))
    environment = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store")}
    words = [*program(), "batch", str(source), "--method", "GFN2-xTB", "--quiet", "-t", "1"]
    both = [subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    with Grafico(tmp_path / "store") as session:
        assert len(session.kg.find(Collection)) == 1
        assert sorted(part.part for part in session.kg.find(Part)) == list("0123456")


def test_geometries_of_a_batch_are_computed_further(first: BatchResult, session: Grafico):
    for iri in (first.run, first.batch.iri, first.batch.iri.replace(BASE, "g:")):
        at = session.batch(iri, **XTB, said={"column": "geometry"}).result()
        found = {row.entry.name: row for row in at.rows()}
        assert list(found) == ["a", "b", "c", "d", "e"]
        assert [row.status for row in found.values()] == [*ends(first).values()]
        for row in first.rows():
            assert found[row.entry.name].columns["shelf"] == row.columns["shelf"]
            if row.geometry:
                structure = found[row.entry.name].entry.structure
                assert row.geometry in (
                    structure.iri if structure else "",
                    found[row.entry.name].entry.text,
                )
                assert found[row.entry.name].facts["energy"].value == row.facts["energy"].value
    with pytest.raises(InputError, match="only their last geometries"):
        session.batch(first.run, **XTB, said={"column": "smiles"})


def test_a_grid_that_has_ended_can_be_computed_further(session: Grafico, library: Path):
    grid = {"method": ["GFN1-xTB", "GFN2-xTB"]}
    two = session.batch(library, grid=grid, said={"limit": 1}).result()
    rows = list(session.batch(two.run, **XTB, said={"column": "geometry"}).result().rows())
    assert [row.columns["method"] for row in rows[:2]] == grid["method"]
    assert [row.status for row in rows[:2]] == ["finished"] * 2


def test_a_column_of_multiplicities_is_taken_and_others_are_told(session: Grafico, tmp_path: Path):
    table = tmp_path / "spins.csv"
    table.write_text("name,smiles,mult,solvent\nmethylene,[CH2],1,water\nwater,O,2,none\n")
    result = session.batch(table, **XTB).result()
    first, second = result.rows()
    assert (first.status, first.entry.arguments) == ("finished", '{"multiplicity": 1}')
    alone = session.run("[CH2]", multiplicity=1, **XTB)
    assert first.facts["energy"].value == alone.energy
    assert alone.energy != session.run("[CH2]", **XTB).energy
    assert second.status == "failed"  # not computed as a singlet
    assert "2" in second.reason
    [told] = [one for one in result.remarks if "column" in one]
    assert told.startswith("the column solvent is not taken over")
