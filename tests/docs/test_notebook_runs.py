"""The notebook of the tutorial runs from its first cell to its last, and shows what it promises."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytest.importorskip("tblite")

NOTEBOOK = Path(__file__).parents[2] / "examples" / "tutorial.ipynb"


def test_every_cell_runs_and_shows_what_it_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFICO_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "outputs are not committed"
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=None, kernel_name="python3", resources=where).execute()
    shown = [
        out.get("data", {})
        for cell in book.cells
        if cell.cell_type == "code"
        for out in cell.outputs
        if out.output_type == "execute_result"
    ]
    acid, energies, reaction, alcohols, table, lowest, _ = shown
    assert "<svg" in acid["text/html"]
    assert energies["text/plain"].startswith("(-")
    assert "C2H6" in reaction["text/html"]
    assert alcohols["text/html"].count("<tr") == 1 + 4
    assert "TightBinding" not in table["text/html"]
    assert "C3H8O" in table["text/html"]
    assert "C2H6O" in lowest["text/plain"]
    assert "<html" in (tmp_path / "report.html").read_text()
