"""What is known of the geometries of a batch, told as single runs tell it."""

from __future__ import annotations

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


def test_what_is_to_converge_may_be_called_a_property(tmp_path: Path) -> None:
    words = ("converge", "[H][H]", "--method", "HF", "--property", "energy", "--quiet", "--json")
    told = typed(*words, "--store", str(tmp_path / "store"))
    assert '"quantity": "energy"' in told.stdout
