"""Energies per mole are shown in the unit that the settings name; JSON keeps its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.factors import HARTREE
from tests.typed import typed
from workflows.show.blocks import Axis, Chart, Column, Fact, Section, Series, Table
from workflows.show.units import in_units

FEW: Any = {"workflow": "react", "method": "HF", "basis": "STO-3G", "task": "energy"}
ASKED = ("react", "[H][H] + FF -> 2 F", "--method", "HF", "--basis", "STO-3G", "--task", "energy")
CALORIE = 4.184
"""kJ in a thermochemical kcal, by definition (CODATA)."""


def test_each_kind_of_block_is_shown_in_that_unit() -> None:
    fact = Fact("E", 8.368, "kJ/mol", "e", also=(Fact("", 0.5, "Eh", "e"),))
    both = Fact("E", 8.368, "kJ/mol", "e", also=(Fact("", 2.0, "kcal/mol", "e", digits=".3f"),))
    table = Table("t", (Column("n"), Column("E", "kJ/mol")), (("a", 4.184), ("b", None)))
    up = Axis("E", "kJ/mol", ticks=((4.184, "one"),), reach=8.368)
    chart = Chart("c", Axis("x"), up, (Series("", (4.184,), (4.184,)),))
    [section] = in_units([Section("s", (fact, both, table, chart))], "kcal/mol")
    one, two, rows, drawn = section.blocks
    assert isinstance(one, Fact)
    assert (one.value, one.unit, one.also) == (pytest.approx(2.0), "kcal/mol", fact.also)
    assert isinstance(two, Fact)
    assert (two.value, two.unit, two.digits) == (2.0, "kcal/mol", ".3f")
    assert [(o.value, o.unit) for o in two.also] == [(8.368, "kJ/mol")]
    assert isinstance(rows, Table)
    assert rows.columns[1].unit == "kcal/mol"
    assert rows.rows == (("a", pytest.approx(1.0)), ("b", None))
    assert isinstance(drawn, Chart)
    assert drawn.y.unit == "kcal/mol"
    assert drawn.y.ticks == ((pytest.approx(1.0), "one"),)
    assert drawn.y.reach == pytest.approx(2.0)
    assert drawn.series[0].y == (pytest.approx(1.0),)
    assert drawn.series[0].x == (4.184,)
    whole = [Section("s", (fact, both, table, chart))]
    assert in_units(whole, "") == tuple(whole)
    assert HARTREE["kJ/mol"] / HARTREE["kcal/mol"] == pytest.approx(CALORIE, rel=1e-9)


def test_tables_reports_and_show_follow_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ("--store", str(tmp_path / "store"))
    fast = ("-t", "1", "--quiet", *store)
    usual = typed(*ASKED, *fast).output
    said = float(re.search(r"ΔE +(\S+) kJ/mol", usual)[1])  # pyright: ignore[reportOptionalSubscript]
    machine = json.loads(typed(*ASKED, *fast, "--json").output)
    monkeypatch.setenv("GRAFICO_ENERGY_UNIT", "kcal/mol")
    shown = typed(*ASKED, *fast).output
    found = re.search(r"ΔE +(\S+) kcal/mol.*= (\S+) kJ/mol", shown)
    assert found is not None, shown
    assert float(found[1]) == pytest.approx(said / CALORIE, abs=0.006)
    assert float(found[2]) == pytest.approx(said)
    again = json.loads(typed(*ASKED, *fast, "--json").output)
    assert again.keys() == machine.keys()
    assert again["results"] == machine["results"]
    units = [json.dumps(one["blocks"]).count("kJ/mol") for one in (machine, again)]
    assert units[0] == units[1] > 0
    page = tmp_path / "page.html"
    typed("report", "-o", str(page), *store)
    assert "kcal/mol" in page.read_text()
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        result = session.run("[H][H] + FF -> 2 F", **FEW)
        html = str(result._repr_html_())
        assert html.index("kcal/mol") < html.index("kJ/mol")


def test_a_unit_that_there_is_not_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFICO_ENERGY_UNIT", "eV")
    told = typed("runs", "--store", str(tmp_path / "store"), status=2).output
    assert "energy_unit" in told
    assert "kcal/mol" in told
