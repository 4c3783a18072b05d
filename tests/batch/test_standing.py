"""What is known of the geometries of a batch, told as single runs tell it."""

from __future__ import annotations

import csv
from pathlib import Path

from grafico import Grafico
from tests.typed import typed


def test_a_batch_says_which_geometries_its_numbers_are_of(tmp_path: Path) -> None:
    table = tmp_path / "some.csv"
    table.write_text("name,smiles\nwater,O\nammonia,N\n")
    file = tmp_path / "water.xyz"
    file.write_text("3\n\nO 0 0 0.12\nH 0 0.76 -0.48\nH 0 -0.76 -0.48\n")
    with Grafico(store=tmp_path / "store") as session:
        built = session.batch(table, method="GFN2-xTB").result()
        assert [one.value for one in built.standing()] == ["built, not relaxed"]
        relaxed = session.batch(table, method="GFN2-xTB", task="optimise").result()
        assert [one.value for one in relaxed.standing()] == ["stationary, not verified"]
        both = session.compare(file, method=["GFN1-xTB", "GFN2-xTB"])
        assert "geometry: as given" in both.remarks
    words = ("compare", "water", "--method", "GFN1-xTB,GFN2-xTB", "--quiet")
    told = typed(*words, "--store", str(tmp_path / "store"))
    assert "geometry: built, not relaxed" in told.stdout


def test_rows_are_sorted_by_a_number_of_theirs_or_of_the_source(tmp_path: Path) -> None:
    table = tmp_path / "some.csv"
    table.write_text("name,smiles,boiling\nwater,O,100\nmethanol,CO,65\nbad,XX,1\nammonia,N,-33\n")
    words = ("batch", table, "--method", "GFN2-xTB", "--quiet", "--store", tmp_path / "store")

    def names(*more: str) -> list[str]:
        typed(*words, "-o", tmp_path / "out.csv", *more)
        with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as stream:
            return [row["name"] for row in csv.DictReader(stream)]

    assert names() == ["water", "methanol", "bad", "ammonia"]
    assert names("--sort", "boiling") == ["ammonia", "bad", "methanol", "water"]
    assert names("--sort=-energy") == ["ammonia", "water", "methanol", "bad"]
    assert names("--sort", "energy_Eh", "--columns", "name,energy") == names("--sort", "energy")
    told = typed(*words, "--sort", "flim", status=2).stderr
    assert "boiling, dipole_D, energy_Eh" in told


def test_what_is_to_converge_may_be_called_a_property(tmp_path: Path) -> None:
    words = ("converge", "[H][H]", "--method", "HF", "--property", "energy", "--quiet", "--json")
    told = typed(*words, "--store", str(tmp_path / "store"))
    assert '"quantity": "energy"' in told.stdout
