"""The unit of energies asked for with a command: in its tables and charts, and no longer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico.cli.app import main
from grafico.cli.options import UNIT


@pytest.mark.parametrize("unit", ["kcal/mol", "kJ/mol"])
def test_a_scan_is_told_in_the_unit_that_is_asked_for(unit: str, tmp_path: Path) -> None:
    before, chart = os.environ.get(UNIT), tmp_path / "scan.svg"
    done = CliRunner().invoke(
        main,
        [
            *("scan", "OO", "--torsion", "3", "1", "2", "4", "--from", "90", "--to", "150"),
            *("--points", "3", "--method", "GFN2-xTB", "--unit", unit, "--plot", str(chart)),
            *("--store", "memory:", "--quiet", "-t", "1"),
        ],
    )
    assert done.exit_code == 0, done.stderr
    assert f"above ({unit})" in done.stdout
    [other] = {"kcal/mol", "kJ/mol"} - {unit}
    drawn = chart.read_text(encoding="utf-8")
    assert unit in drawn
    assert other not in drawn
    assert os.environ.get(UNIT) == before


def test_another_unit_is_refused() -> None:
    done = CliRunner().invoke(main, ["scan", "OO", "--unit", "furlong", "--store", "memory:"])
    assert done.exit_code == 2
    assert "kcal/mol" in done.stderr
