"""What was read from files stands beside what was computed here, and says that it was read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.typed import typed

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
    assert "does not say: solvent" in text
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
