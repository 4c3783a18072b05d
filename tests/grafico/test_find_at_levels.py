"""`find` takes a level, writes a table, and tells charges and what dipoles of ions rest on."""

from __future__ import annotations

import csv
from pathlib import Path

from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main


def test_level_charge_and_dipole(tmp_path: Path) -> None:
    store, table = str(tmp_path / "store"), tmp_path / "t.csv"
    with Grafico(store) as session:
        session.run("O", method="HF", basis="STO-3G")
        session.run("[OH-]", method="HF", basis="STO-3G")
        session.run("O", method="HF", basis="3-21G")
    asked = ["find", "--level", "HF/STO-3G", "--property", "dipole_moment", "--store", store]
    done = CliRunner().invoke(main, [*asked, "-o", str(table)])
    assert done.exit_code == 0, done.output
    assert "dipole_moment of HO depends on the origin" in done.output
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [one["charge"] for one in rows] == ["-1", "0"]
    assert {one["level of theory"] for one in rows} == {"HF/STO-3G"}
    assert [bool(one["remark"]) for one in rows] == [True, False]
    again = CliRunner().invoke(main, [*asked, "-o", str(table)])
    assert again.exit_code != 0
    other = CliRunner().invoke(main, [*asked, "-o", str(tmp_path / "t.docx")])
    assert other.exit_code != 0
    none = CliRunner().invoke(main, ["find", "--level", "HF/STO", "--store", store])
    assert "nothing is stored of that" in none.output
