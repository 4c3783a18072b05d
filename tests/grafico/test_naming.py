"""A run is called by what a person can remember, and each name means one IRI."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from grafico.session.naming import NUMBERS
from triplestore.errors import InputError, NotFoundError

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named")
    with Grafico(folder, threads_per_calculation=1) as opened:
        for atom in ("helium", "neon", "argon"):
            opened.run(atom, **HF)
    return folder


@pytest.fixture(scope="module")
def session(store: Path) -> Iterator[Grafico]:
    with Grafico(store, threads_per_calculation=1) as opened:
        yield opened


def said(store: Path, *words: str) -> str:
    """Return what a command prints that succeeds."""
    got = CliRunner().invoke(main, [*words, "--store", str(store)])
    assert got.exit_code == 0, got.output
    return got.stdout


def test_numbers_follow_age_and_are_kept(session: Grafico, store: Path) -> None:
    (newest,) = session.runs(1)  # the others get theirs, though no list has shown them
    assert (newest.subject, newest.number) == ("argon", 3)
    assert [line.number for line in session.runs()] == [3, 2, 1]
    kept = (store / NUMBERS).read_text().splitlines()
    assert kept == [line.run for line in reversed(session.runs())]


def test_each_name_means_one_run(session: Grafico) -> None:
    argon, neon, helium = (line.run for line in session.runs())
    assert session.iri() == session.iri("last") == session.iri("#3") == session.iri("r3") == argon
    assert session.iri("last~1") == session.iri("2") == neon
    assert session.iri(helium.rpartition("/")[2][:-1]) == helium
    kept = session.kg.store.query("SELECT ?s { ?s a <https://w3id.org/grafico/SinglePoint> }")
    result = kept.rows[0][0].value  # type: ignore[union-attr]
    assert session.iri("SinglePoint/" + result.rpartition("/")[2][:12]) == result
    assert session.iris("last", "2", "#1") == [argon, neon, helium]
    assert session.iris("last 2") == [argon, neon]


@pytest.mark.parametrize("name", ["#4", "#0", "last~3", "nobody", "ffffffff-ffff", "' } #", ""])
def test_what_nothing_is_called_is_not_found(session: Grafico, name: str) -> None:
    session.runs()
    with pytest.raises(NotFoundError):
        session.iri(name)


def test_a_beginning_of_several_is_refused_with_them(session: Grafico) -> None:
    starts = [line.run.rpartition("/")[2] for line in session.runs()]
    common = starts[0][:4]  # of the same hour
    assert all(start.startswith(common) for start in starts)
    with pytest.raises(InputError, match="several"):
        session.iri(common)


def test_a_store_without_a_folder_has_no_numbers() -> None:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        opened.run("helium", **HF)
        assert [line.number for line in opened.runs()] == [None]
        assert opened.iri("last") == opened.runs()[0].run


def test_commands_take_what_is_meant(store: Path, tmp_path: Path) -> None:
    runs = json.loads(said(store, "runs", "--json"))
    assert [run["number"] for run in runs] == [3, 2, 1]
    listed = said(store, "runs")
    assert "#3" in listed
    assert "id/Run" not in listed
    latest = json.loads(said(store, "show", "--json"))
    assert latest["iri"] == runs[0]["run"]
    assert json.loads(said(store, "show", "#1", "--json"))["iri"] == runs[2]["run"]
    page = str(tmp_path / "r.html")
    told = json.loads(said(store, "report", "last", "2", "-o", page, "--json"))
    assert told["runs"] == [run["run"] for run in runs[:2]]
    said(store, "export", "#1", "-o", str(tmp_path / "one.zip"))
    with ZipFile(tmp_path / "one.zip") as made:
        assert not [name for name in made.namelist() if NUMBERS in name]


def test_a_run_is_a_subject(session: Grafico) -> None:
    again = session.run("last~2", **HF)
    assert again.energy == pytest.approx(-2.807784, abs=1e-6)  # of helium


def test_everything_finished_leaves_nothing_to_resume(session: Grafico) -> None:
    with pytest.raises(NotFoundError, match="unfinished"):
        session.resume()


def test_a_run_is_a_subject_by_each_of_its_names(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Grafico(store, threads_per_calculation=1) as g:
        g.run("helium", **HF)
        helium = g.iri()
        g.tag("last", "noble", "water")  # the second is a molecule, too
        g.run("[H][H]", **HF)
        cut = helium.rpartition("/")[2][:-1]
        for name in ("noble", "r1", "#1", cut, "last~1"):
            assert g.convert(name, to="smiles").text == "[He]\n"
            assert {hit.formula for hit in g.find(name)} == {"He"}
        again = g.run("noble", **HF)
        assert again.reused
        assert again.energy == pytest.approx(-2.807784, abs=1e-6)
        # what a word says by itself comes first: a molecule is never taken for a tag
        assert "O" in g.convert("water", to="smiles").text
        with pytest.raises(NotFoundError, match="nosuchtag"):
            g.convert("nosuchtag", to="smiles")
    runs = json.loads(said(store, "runs", "--json"))
    found = json.loads(said(store, "find", "noble", "--json"))
    assert [hit["formula"] for hit in found] == ["He"]
    cube = str(tmp_path / "he.cube")
    said(store, "cube", "noble", "--orbital", "homo", "-o", cube, "-t", "1", "--quiet")
    assert Path(cube).stat().st_size > 1000
    beside = ("compare", "noble", "--method", "HF,PBE", "--basis", "STO-3G", "-t", "1", "--quiet")
    told = json.loads(said(store, *beside, "--json"))
    assert told["rows"][0]["values"]["energy"] == pytest.approx(-2.807784, abs=1e-6)
    of_batch = json.loads(said(store, "find", told["run"], "--json"))
    assert {hit["level"] for hit in of_batch} == {"HF/STO-3G", "PBE/STO-3G"}
    assert len(json.loads(said(store, "runs", "--json"))) == len(runs) + 1


def test_a_list_says_what_is_unusual_of_a_level(session: Grafico) -> None:
    session.run("[He]", method="PBE", basis="STO-3G", grid=1)
    [line] = session.runs(1)
    assert line.level == "PBE/STO-3G (grid 1)"


def test_tools_of_a_model_take_names_of_runs(session: Grafico, tmp_path: Path) -> None:
    from grafico.agent import ToolContext
    from tests.agent.helpers import used

    context = ToolContext(session, tmp_path)
    helium = session.runs(formula="He")[-1]
    session.tag(helium.run, "lightest")
    for name in ("lightest", f"r{helium.number}", f"#{helium.number}"):
        [row] = used(context, "calculate", molecules=[name], **HF)["molecules"]
        assert "He (charge +0" in row["reading"]
        found = used(context, "find_results", molecule=name)
        assert found["rows"]
        assert all("He" in row for row in found["rows"])
