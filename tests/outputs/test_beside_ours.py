"""What was read from files stands beside what was computed here, and says that it was read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.factors import HARTREE
from ontologies.outputs import ImportedEnergy
from tests.typed import typed
from triplestore.errors import NotFoundError

DATA = Path(__file__).parent / "data"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def run_of(store: Path, name: str) -> str:
    """The run of the (last) job of an output."""
    said = typed("import", DATA / name, "--store", store, "--json")
    rows: list[dict[str, Any]] = json.loads(said.stdout)
    return rows[-1]["run"]


def test_a_report_says_what_the_file_says_of_the_level(store: Path, tmp_path: Path) -> None:
    run = run_of(store, "psi4_mp2.out")
    shown = typed("show", run, "--store", store).stdout
    page = tmp_path / "report.html"
    typed("report", run, "--store", store, "-o", page)
    for text in (shown, page.read_text()):
        for said in ("Psi4", "1.3.2", "DF-MP2", "STO-3G", "frozen core", "not said"):
            assert said in text


def test_a_supporting_information_says_what_was_read(store: Path, tmp_path: Path) -> None:
    run, page = run_of(store, "psi4_hf.out"), tmp_path / "si.md"
    typed("si", run, "--store", store, "-o", page)
    text = page.read_text()
    assert "was read from psi4\\_hf.out, not computed here" in text
    assert "does not say" not in text
    silent = run_of(store, "psi4_mp2.out")
    typed("si", silent, "--store", store, "-o", tmp_path / "mp2.md")
    assert "this file does not say: frozen core" in (tmp_path / "mp2.md").read_text()
    assert "10.1063/5.0006002" in text  # Psi4
    assert "10.1002/jcc.20823" in text  # cclib
    assert "| S1 | psi4\\_hf | -74.96294666 | psi4\\_hf.out |" in text
    assert "computed at" not in text


def test_levels_are_not_mixed_unasked(store: Path, tmp_path: Path) -> None:
    runs = [run_of(store, name) for name in ("psi4_hf.out", "xtb_ohess.out")]
    page = tmp_path / "si.md"
    done = typed("si", *runs, "--store", store, "-o", page, status=1)
    assert "different levels" in done.stderr
    assert not page.exists()
    typed("si", *runs, "--mixed", "--store", store, "-o", page)
    assert "xtb 6.5.1" in page.read_text()


def test_what_was_read_is_compared_with_what_was_computed(store: Path, tmp_path: Path) -> None:
    read = run_of(store, "psi4_hf.out")
    other = run_of(store, "xtb_ohess.out")
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedEnergy)
        ours = grafico.run(found.atoms, method="HF", basis="STO-3G", task="energy")
        answer = grafico.compare([read, ours], columns=["energy"])
        assert answer.complete
        first, second = answer.comparison.rows
        assert first.values["energy"] == -74.96294665659144
        apart = (second.values["energy"] - first.values["energy"]) * HARTREE["kJ/mol"]
        assert second.differences["energy"] == pytest.approx(apart)
        assert abs(apart) < 1e-3  # Psi4 and PySCF
        with pytest.raises(NotFoundError):
            grafico.compare(["#99", "last"])
    done = typed("compare", read, other, ours.run, "--store", store, "--json")
    rows = json.loads(done.stdout)["rows"]
    assert [row["said"]["read_from"] for row in rows] == ["psi4_hf.out", "xtb_ohess.out", ""]
    assert "energy" not in rows[1]["differences"]  # of another method
    assert "homo" in rows[1]["differences"]
    shown = typed("compare", "last", "3", "--store", store).stdout
    for said in ("kJ/mol", "psi4_hf.out", "no common zero", "#1", "#3"):
        assert said in shown


def test_a_withdrawn_run_is_compared_as_one(store: Path) -> None:
    run, other = run_of(store, "psi4_hf.out"), run_of(store, "xtb_failed.out")
    typed("withdraw", run, "--why", "wrong molecule", "--store", store)
    done = typed("compare", run, other, "--store", store, status=1)
    assert "wrong molecule" in done.stdout
    assert "did not converge" in done.stdout
    typed("si", run, "--store", store, status=1)
