"""The same question at several settings: a row each, differences from the first, at every door."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import ToolContext
from grafico.cli.wrapping import apart
from grafico.views.plotted import charts_of
from ontologies.factors import HARTREE
from ontologies.provenance import Activity
from tests.agent.helpers import used
from tests.typed import typed
from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.batch.comparison import Compared, Comparison, Quantity

SMALL, LARGE = -1.1167143, -1.1334590
"""Eh: HF/STO-3G and HF/cc-pVQZ of H2 at 1.4 bohr by Psi4 1.3.2, without density fitting; the first
is also −1.1167 in A. Szabo and N. S. Ostlund, Modern Quantum Chemistry, 3.5.2."""

FAST = ("-t", "1", "--quiet")


def say(folder: Path, *words: str, status: int = 0) -> str:
    return typed(*words, "--store", str(folder / "store"), status=status).output


def test_levels_stand_side_by_side(folder: Path) -> None:
    file = str(folder / "h2.xyz")
    asked = ("compare", file, "--method", "HF", "--basis", "STO-3G,cc-pVQZ", *FAST)
    plot = folder / "chart.svg"
    shown = say(folder, *asked, "--plot", str(plot), "--columns", "energy")
    assert "basis" in shown
    assert "method" not in shown
    assert plot.read_text().startswith("<svg")
    assert "cc-pVQZ" in plot.read_text()
    told = json.loads(say(folder, *asked, "--columns", "energy", "--json"))
    assert told["quantities"] == [
        {"name": "energy", "label": "energy", "unit": "Eh", "difference_unit": "kJ/mol"}
    ]
    small, large = told["rows"]
    assert small["said"] == {"basis": "STO-3G"}
    assert small["differences"]["energy"] == 0
    assert small["values"]["energy"] == pytest.approx(SMALL, abs=2e-7)
    assert large["values"]["energy"] == pytest.approx(LARGE, abs=2e-7)
    apart_by = (large["values"]["energy"] - small["values"]["energy"]) * HARTREE["kJ/mol"]
    assert large["differences"]["energy"] == pytest.approx(apart_by)
    alone = json.loads(
        say(folder, "run", file, "--method", "HF", "--basis", "cc-pVQZ", *FAST, "--json")
    )
    assert alone["reused"]  # each was computed as if it had been asked for alone
    text = say(folder, "run", file, "--method", "HF", "--basis", "cc-pVQZ", *FAST)
    orbital = re.search(r"HOMO +(\S+) Eh = (\S+) eV", text)
    assert orbital is not None
    assert float(orbital[2]) == pytest.approx(float(orbital[1]) * HARTREE["eV"], abs=1e-3)
    [line, *_] = json.loads(say(folder, "runs", "--workflow", "batch", "--json"))
    assert line["goal"] == "run at 2 settings"
    again = say(folder, "show", told["run"])
    assert "cc-pVQZ" in again
    page = folder / "page.html"
    say(folder, "report", told["run"], "-o", str(page))
    assert "difference" in page.read_text()


def test_a_chart_has_differences_where_totals_have_no_common_zero() -> None:
    """Methods have zeros of their own; a dipole compares between all of them."""
    energy = Quantity("energy", "energy", "Eh", ".8f", "kJ/mol", HARTREE["kJ/mol"], total=True)
    dipole = Quantity("dipole", "dipole", "D", ".4f", "D", 1.0)
    rows = tuple(
        Compared({"method": method}, "finished", "", "", 0.0, values, differences, zero=method[:2])
        for method, values, differences in (
            ("HF", {"energy": -74.96, "dipole": 1.7}, {"energy": 0.0, "dipole": 0.0}),
            ("GFN2-xTB", {"energy": -5.07, "dipole": 2.2}, {"dipole": 0.5}),
            ("HF tight", {"energy": -74.95, "dipole": 1.8}, {"energy": 26.3, "dipole": 0.1}),
        )
    )
    both = Comparison("water", (energy, dipole), rows)
    first, second = charts_of([both.section()])
    assert (first.y.unit, first.series[0].y) == ("kJ/mol", (0.0, 26.3))
    assert (second.y.unit, second.series[0].y) == ("D", (1.7, 2.2, 1.8))
    [only] = charts_of([replace(both, rows=rows[:2]).section()])
    assert only.name == "dipole"


def test_any_workflow_is_compared_and_what_has_no_effect_is_left_out(session: Grafico) -> None:
    pytest.importorskip("tblite")
    found = session.compare(
        "[He].[He]", workflow="interaction", method=["HF", "PBE"], basis="STO-3G"
    )
    assert [dict(row.said) for row in found.comparison.rows] == [
        {"method": "HF"},
        {"method": "PBE"},
    ]
    assert {one.unit for one in found.comparison.quantities} == {"kJ/mol"}
    mixed = session.compare("O", method=["HF", "GFN2-xTB"], basis=["STO-3G", "3-21G"])
    assert [q.unit for q in mixed.comparison.quantities if q.name == "gap"] == ["eV"]
    labels = [row.label for row in mixed.comparison.rows]
    assert labels == ["HF, STO-3G", "HF, 3-21G", "GFN2-xTB"]  # a basis set is none of xTB's
    frame = mixed.frame()
    assert list(frame["method"]) == ["HF", "HF", "GFN2-xTB"]
    [change] = [name for name in frame.columns if name.startswith("energy_difference_kJ")]
    here, there, other = frame[change].tolist()
    assert here == 0 > there
    assert math.isnan(other), "total energies of two methods have no common zero"
    before = len(session.kg.find(Activity))
    once_more = session.compare("O", method=["HF", "GFN2-xTB"], basis=["STO-3G", "3-21G"])
    assert once_more.frame()["energy_Eh"].tolist() == frame["energy_Eh"].tolist()
    assert len(session.kg.find(Activity)) == before


def test_one_that_fails_stands_beside_the_others(folder: Path) -> None:
    file = str(folder / "h2.xyz")
    asked = ("compare", "run", file, "--method", "HF,NOSUCH", "--basis", "STO-3G", *FAST)
    told = json.loads(say(folder, *asked, "--json", status=1))
    good, bad = told["rows"]
    assert (good["status"], bad["status"]) == ("finished", "failed")
    assert "NOSUCH" in bad["reason"]
    assert bad["values"] == {}
    assert "NOSUCH: " in say(folder, *asked, status=1)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--method", "HF", "--basis", "STO-3G"), "each argument has one value"),
        (("--method", "HF,HF", "--basis", "STO-3G"), "each argument has one value"),
        (("--method", "HF", "--basis", "STO-3G,3-21G", "--columns", "colour"), "none of the"),
        (("--method", "HF", "--grid", "1,x", "--basis", "STO-3G"), "'x' is not a whole number"),
        (("--method", "HF", "--basis", ",", "--grid", "1,2"), "no value for basis"),
    ],
)
def test_what_cannot_be_compared_is_said(folder: Path, words: tuple[str, ...], found: str) -> None:
    assert found in say(folder, "compare", str(folder / "h2.xyz"), *words, *FAST, status=2)


def test_several_subjects_are_a_batch_whose_line_is_told(folder: Path) -> None:
    words = ("water", "dimethyl ether", "--method", "GFN2-xTB", *FAST)
    told = say(folder, "compare", *words)
    assert "read as: grafico batch water 'dimethyl ether' " in told
    assert "--method GFN2-xTB" in told
    assert "-5.0702080" in told
    told = say(folder, "compare", "equation-of-state", *words, status=1)
    assert "--workflow equation-of-state" in told
    assert "has no cell" in told
    rows = json.loads(say(folder, "batch", *words, "--json"))["rows"]
    assert [one["name"] for one in rows] == ["water", "dimethyl ether"]


@pytest.mark.parametrize(
    "equation", ["N#C -> C#N", "OC=C → CC=O", "OC=C = CC=O", "OC=C => CC=O", "OC=C>>CC=O"]
)
def test_an_equation_is_a_reaction_and_unrelaxed_geometries_are_told(
    folder: Path, equation: str
) -> None:
    methods = ("--method", "GFN2-xTB,GFN1-xTB", "--task", "energy", "--store", folder / "store")
    if equation == "N#C -> C#N":
        refused = typed("compare", equation, *methods, status=2).stderr
        assert "read as: grafico compare react" in refused
        assert "both sides are the same" in refused
        return
    done = typed("compare", equation, *methods, "--quiet")
    assert f"read as: grafico compare react '{equation}' --method" in done.stderr
    assert "ΔE (kJ/mol)" in done.stdout
    assert "geometry: built, not relaxed" in done.stdout
    same = typed("compare", "react", equation, *methods, "--quiet")
    assert "read as" not in same.stderr
    assert same.stdout.splitlines()[2].split()[:2] == done.stdout.splitlines()[2].split()[:2]


def test_several_files_are_one_batch(folder: Path) -> None:
    (folder / "empty.xyz").touch()
    files = [str(folder / name) for name in ("h2.xyz", "empty.xyz")]
    asked = ("--method", "GFN2-xTB", *FAST)
    rows = json.loads(say(folder, "batch", *files, *asked, "--json"))["rows"]
    assert [one["name"].partition(",")[0] for one in rows] == ["h2.xyz", "empty.xyz"]
    assert sorted(one["status"] for one in rows) == ["finished", "unreadable"]
    assert "no structure" in next(one["reason"] for one in rows if one["reason"])
    told = say(folder, "batch", files[0], "water", *asked, status=2)
    assert "water is no file" in " ".join(told.split())


def test_a_sentence_in_quotation_marks_is_asked(folder: Path) -> None:
    told = say(folder, "energy of water with GFN2", "--quiet")
    assert "Understood: grafico run water --method GFN2" in told


def test_subjects_and_unknown_fields_are_refused(session: Grafico) -> None:
    with pytest.raises(InputError, match="says which molecule it is"):
        session.compare("O", method="HF", basis="STO-3G", charge=[0, 1])
    with pytest.raises(InputError, match="no such field"):
        session.compare("O", methodd=["HF", "PBE"])
    with pytest.raises(NotFoundError):
        session.compare("O", workflow="no such", method=["HF", "PBE"])
    with pytest.raises(InputError, match="no such field"):  # settings are nobody's to give
        session.run("O", workflow="batch", single=True, reading={"pubchem": "http://a.b"})


def test_a_model_compares_by_a_list_of_values(
    session: Grafico, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "h2.xyz").write_text((folder / "h2.xyz").read_text())
    context = ToolContext(session, tmp_path)
    asked: dict[str, Any] = {"method": "HF", "basis": ["STO-3G", "cc-pVQZ"]}
    given = {"name": "run", "subjects": ["h2.xyz"], "arguments": asked}
    [row] = next(iter(used(context, "run_workflow", **given).values()))
    text = json.dumps(row)
    assert "cc-pVQZ" in text
    assert "-1.116" in text
    assert "difference" in text
    refused = {**given, "arguments": {**asked, "online": True}}
    with pytest.raises(GraficoError, match="online=True was asked for; there is no such field"):
        used(context, "run_workflow", **refused)
    outside = {**given, "subjects": ["/etc/passwd"]}
    assert "root:" not in json.dumps(used(context, "run_workflow", **outside))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("B3LYP,PBE0", ["B3LYP", "PBE0"]),
        ("3-21G, 6-31G*", ["3-21G", "6-31G*"]),
        ("water,1,2-dichloroethane", ["water", "1,2-dichloroethane"]),
        ("N,N-dimethylformamide", ["N,N-dimethylformamide"]),
    ],
)
def test_commas_of_names_stay(text: str, pieces: list[str]) -> None:
    assert apart(text) == pieces
