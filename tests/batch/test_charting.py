"""Rows of a batch chosen, set against measured values, drawn, and written for people."""

from __future__ import annotations

import csv
import json
import math
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grafico import Grafico
from grafico.cli.batch_sources import ordered_by
from grafico.views.table_files import latex, markdown, workbook
from ontologies.factors import HARTREE
from tests.typed import typed
from triplestore.errors import InputError
from workflows.batch.charting import pictures
from workflows.batch.choosing import Condition
from workflows.batch.result import BatchResult
from workflows.batch.rows import DECIMAL_COMMA
from workflows.show.blocks import Chart, Table

pytest.importorskip("tblite")

FAST = ("-t", "1", "--quiet")

SOURCE = """Compound ID;smiles;mu (exp)
methanol;CO;1,70
water;O;1,85
ammonia;N;1,47
hydrogen cyanide;C#N;2,98
"""
"""D: CRC Handbook of Chemistry and Physics, 97th ed. (2016), section 9."""


@pytest.fixture(scope="module")
def measured(session: Grafico, tmp_path_factory: pytest.TempPathFactory) -> BatchResult:
    path = tmp_path_factory.mktemp("measured") / "dipoles.csv"
    path.write_text(SOURCE)
    return session.batch(path, grid={"method": ["GFN1-xTB", "GFN2-xTB"]}).result()


def test_errors_are_those_against_the_column(measured: BatchResult) -> None:
    asked = measured.asking(["dipole"])
    section = pictures(asked, ["dipole"], "mu (exp)")
    table = next(one for one in section.blocks if isinstance(one, Table))
    at = {column.name: n for n, column in enumerate(table.columns)}
    assert [row[at["setting"]] for row in table.rows] == ["GFN1-xTB", "GFN2-xTB"]
    for row in table.rows:
        mine = [one for one in asked.rows() if one.said["method"] == row[at["setting"]]]
        errors = {
            one.entry.name: float(str(one.facts["dipole"].value))
            - float(one.columns["mu (exp)"].replace(",", "."))
            for one in mine
        }
        worst = max(errors, key=lambda name: abs(errors[name]))
        assert row[at["entries"]] == 4
        assert row[at["mae"]] == pytest.approx(sum(map(abs, errors.values())) / 4)
        assert row[at["mean_error"]] == pytest.approx(sum(errors.values()) / 4)
        square = sum(one**2 for one in errors.values()) / 4
        assert row[at["rmse"]] == pytest.approx(math.sqrt(square))
        assert (row[at["largest"]], row[at["of"]]) == (pytest.approx(errors[worst]), worst)
    chart = next(one for one in section.blocks if isinstance(one, Chart))
    assert [one.label for one in chart.series] == ["equal", "GFN1-xTB", "GFN2-xTB"]
    assert chart.series[0].x == chart.series[0].y


def test_what_cannot_be_set_against_is_said(measured: BatchResult) -> None:
    with pytest.raises(InputError, match=r"there are: mu \(exp\)"):
        pictures(measured, ["dipole"], "colour")
    with pytest.raises(InputError, match="name it"):
        pictures(measured, [], "mu (exp)")


def test_one_column_is_drawn_by_name_and_many_rows_as_a_histogram(
    measured: BatchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    [chart] = [one for one in pictures(measured, ["gap"]).blocks if isinstance(one, Chart)]
    assert [text for _, text in chart.x.ticks] == [
        "methanol", "water", "ammonia", "hydrogen cyanide",
    ]  # fmt: skip
    assert chart.y.unit == "eV"
    monkeypatch.setattr("workflows.batch.charting.NAMED", 2)
    [chart] = [one for one in pictures(measured, ["gap"]).blocks if isinstance(one, Chart)]
    [line] = chart.series
    area = sum((line.x[n + 1] - line.x[n]) * line.y[n] for n in range(0, len(line.x) - 1))
    width = (line.x[-1] - line.x[0]) / (len(set(line.x)) - 1)
    assert area / width == pytest.approx(8)  # every row stands in one bar


def test_rows_are_chosen_sorted_and_cut(measured: BatchResult) -> None:
    rows = [*measured.asking(order="-mu (exp)", where=["method = GFN2-xTB"], top=2).rows()]
    assert [one.entry.name for one in rows] == ["hydrogen cyanide", "water"]
    assert {one.said["method"] for one in rows} == {"GFN2-xTB"}
    some = [*measured.asking(where=["mu (exp) < 1.8", "dipole > 0"]).rows()]
    assert {one.entry.name for one in some} == {"methanol", "ammonia"}
    with pytest.raises(InputError, match="no entry has such a number"):
        list(measured.asking(where=["colour > 1"]).rows())
    with pytest.raises(InputError, match="that is no condition"):
        Condition.read("gap")
    with pytest.raises(InputError, match="'big' is no number"):
        Condition.read("gap > big")
    [one, other] = Condition.every(["gap > 8 eV and method = GFN2-xTB"])
    assert (one.name, one.value, other.value) == ("gap_eV", 8.0, "GFN2-xTB")
    both = [*measured.asking(where=["gap > 8 eV and method = GFN2-xTB"]).rows()]
    assert {row.entry.name for row in both} == {"methanol", "water", "ammonia"}


@pytest.mark.parametrize(
    ("said", "largest", "order"),
    [("gap", False, "gap"), ("gap desc", False, "-gap"), ("gap", True, "-gap"),
     ("-gap", False, "-gap"), ("gap asc", False, "gap"), ("gap, descending", False, "-gap"),
     ("", True, "")],
)  # fmt: skip
def test_an_order_is_read_as_people_write_it(said: str, largest: bool, order: str) -> None:
    assert ordered_by(said, largest) == order


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,5", "1.5"), ("-1,6", "-1.6"), ("0,500", "0.500"), ("1,500", "1,500"),
     ("1234,5", "1234.5"), ("1,234,567", "1,234,567"), ("1.5", "1.5")],
)  # fmt: skip
def test_a_comma_is_read_as_that_of_a_number_where_it_can_be_no_other(
    text: str, number: str
) -> None:
    assert DECIMAL_COMMA.sub(r"\1.\2", text) == number


def test_isomers_are_told_apart_by_relative_energies_and_populations(tmp_path: Path) -> None:
    asked = ("batch", "CCCC", "CC(C)C", "--method", "GFN2-xTB", *FAST, "--store", tmp_path / "s")
    told = json.loads(typed(*asked, "--columns", "energy, population", "--json").stdout)
    energies = [row["energy_Eh"] for row in told["rows"]]
    weights = [
        math.exp(-(e - min(energies)) * HARTREE["kJ/mol"] / 0.00831446261815 / 298.15)
        for e in energies
    ]
    for row, weight in zip(told["rows"], weights, strict=True):
        assert row["population_%"] == pytest.approx(100 * weight / sum(weights))
    shown = typed(*asked, "--unit", "kcal/mol").output
    above = (max(energies) - min(energies)) * HARTREE["kcal/mol"]
    assert "relative energy (kcal/mol)" in shown
    assert f"{above:.2f}" in shown
    unlike = typed("batch", "CCCC", "CCC", *asked[3:]).output
    assert "relative" not in unlike


def test_the_command_line_chooses_draws_and_writes(tmp_path: Path) -> None:
    source = tmp_path / "dipoles.csv"
    source.write_text(SOURCE)
    asked = ("batch", source, "--method", "GFN2-xTB", *FAST, "--store", tmp_path / "s")
    files = [tmp_path / f"t.{ending}" for ending in ("xlsx", "md", "tex", "csv")]
    wrote = typed(
        *asked, "--columns", "mu (exp),dipole", "--against", "mu (exp)", "--plot",
        tmp_path / "c.svg", "--top", "3", "--sort=-dipole", *(w for f in files for w in ("-o", f)),
    )  # fmt: skip
    assert "MAE (D)" in wrote.output
    assert "against mu (exp)" in (tmp_path / "c.svg").read_text()
    table = list(csv.DictReader(files[3].read_text().splitlines()))
    assert {"Compound ID", "mu (exp)", "dipole_D"} <= {*table[0]}
    assert table[0]["name"] == "hydrogen cyanide"
    dipoles = [float(row["dipole_D"]) for row in table]
    assert len(dipoles) == 3
    assert dipoles == sorted(dipoles, reverse=True)
    assert f"{dipoles[0]:.4f}" in files[1].read_text()
    assert r"\toprule" in files[2].read_text()
    with zipfile.ZipFile(files[0]) as packed:
        sheet = ElementTree.fromstring(packed.read("xl/sheet.xml"))
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    numbers = [float(one.text or "") for one in sheet.iter(f"{space}v")]
    assert dipoles[0] in numbers
    refused = typed(*asked, "--against", "mu (exp)", status=2).output
    assert "--columns dipole --against" in refused


def test_a_name_alone_is_a_batch_and_a_missing_file_is_none(tmp_path: Path) -> None:
    rest = ("--method", "GFN2-xTB", *FAST, "--store", tmp_path / "s")
    assert "-5.0702080" in typed("batch", "water", *rest).output
    assert "no such file" in typed("batch", "nothing.csv", *rest, status=2).output
    assert "no such file" in typed("batch", "no/folder", *rest, status=2).output


def test_reactions_are_a_batch_by_their_arrows(tmp_path: Path) -> None:
    rest = ("--method", "GFN2-xTB", "--task", "energy", *FAST, "--store", tmp_path / "s")
    table = tmp_path / "reactions.csv"
    table.write_text("id,equation,dE kcal/mol\nh,C=C + [H][H] -> CC,-32\nt,N#C -> C#N,0\n")
    told = json.loads(typed("batch", table, *rest, "--json").stdout)
    first = told["rows"][0]
    assert first["name"] == "h"
    parts = []
    for word in ("CC", "C=C", "[H][H]"):
        done = typed("batch", word, *rest, "--json").stdout
        parts.append(json.loads(done)["rows"][0]["energy_Eh"])
    ethane, ethene, hydrogen = parts
    assert first["energy_change_Eh"] == pytest.approx(ethane - ethene - hydrogen, abs=1e-7)
    told = typed("batch", table, *rest, "--columns", "energy_change", "--against", "dE", "--json")
    assert json.loads(told.stdout)["rows"]
    shown = typed("batch", table, *rest, "--columns", "energy_change", "--against", "dE").output
    error = (ethane - ethene - hydrogen) * HARTREE["kcal/mol"] + 32
    assert f"{error:+.4g}" in shown  # in the unit of the source's heading
    lines = tmp_path / "lines.txt"
    lines.write_text("C=C + [H][H] -> CC\nC#C + [H][H] -> C=C\n")
    said = typed("batch", lines, *rest)
    assert "read as: grafico batch --workflow react" in said.output


def test_texts_stay_texts_in_files_for_people() -> None:
    heads, rows = ["a|b", "x_y (Å)"], [["=1+1", 1.5], [None, None]]
    assert markdown(heads, rows, ["", ".3f"]).decode().splitlines()[2] == "| =1+1 | 1.500 |"
    assert r"a\|b" in markdown(heads, rows, ["", ".3f"]).decode()
    assert r"x\_y (\AA{})" in latex(heads, rows, ["", ".3f"]).decode()
    assert workbook(heads, rows) == workbook(heads, rows)
    assert b"<f>" not in workbook(heads, rows)
