"""`plot()` of what Python is handed: a chart to be shown or saved."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from triplestore.errors import InputError, NotFoundError

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def test_a_result_has_a_chart_that_is_shown_and_saved(session: Grafico, tmp_path: Path) -> None:
    drawing = session.run("O", **HF, states=2).plot()
    assert drawing.chart.name == "absorption"
    shown = drawing._repr_svg_()  # pyright: ignore
    assert shown.startswith("<svg")
    made = {form: drawing.save(tmp_path / f"a.{form}") for form in ("png", "svg", "pdf", "csv")}
    assert made["png"].read_bytes().startswith(b"\x89PNG")
    assert made["pdf"].read_bytes().startswith(b"%PDF")
    assert made["svg"].read_text().startswith("<svg")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    for wrong in ("a.gif", "a", "nowhere/a.png"):
        with pytest.raises(InputError):
            drawing.save(tmp_path / wrong)


def test_one_of_several_is_named(session: Grafico, tmp_path: Path) -> None:
    found = session.compare("O", method=["HF", "PBE"], basis="STO-3G")
    drawing = found.plot("dipole")
    with drawing.save(tmp_path / "d.csv").open() as file:
        head, *rows = csv.reader(file)
    values = [row.values["dipole"] for row in found.comparison.rows]
    assert [float(row[-1]) for row in rows] == pytest.approx(values)
    assert any("D" in name for name in head)
    with pytest.raises(NotFoundError) as told:
        found.plot("no such")
    assert "dipole, gap" in str(told.value)
    with pytest.raises(NotFoundError, match="this result has none"):
        session.run("[He]", **HF).plot()
