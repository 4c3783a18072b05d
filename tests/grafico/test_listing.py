"""Lists of runs and results: lists as ever, tables in a notebook, frames for pandas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grafico import Grafico
from grafico.session.listing import Listing
from grafico.session.query_table import QueryTable


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grafico]:
    with Grafico(tmp_path_factory.mktemp("store"), threads_per_calculation=1) as found:
        for molecule in ("O", "N"):
            found.run(molecule, method="GFN2-xTB")
        yield found


def headings(html: str) -> list[str]:
    return re.findall(r"<th[^>]*>([^<]*)</th>", html)


def test_runs_are_a_list_and_a_table(session: Grafico) -> None:
    runs = session.runs()
    assert isinstance(runs, list)
    assert [run.subject for run in runs] == ["N", "O"]
    shown = runs._repr_html_()
    assert shown is not None
    told = headings(shown)
    assert told[-1] == "run"  # names in the graph are last
    assert {"subject", "level", "energy / Eh", "number"} <= set(told)
    assert "withdrawn" not in told
    for run in runs:
        assert f'value="{run.energy!r}"' in shown
    frame = runs.frame()
    assert frame["energy_Eh"].tolist() == [run.energy for run in runs]


def test_results_are_a_list_and_a_table(session: Grafico) -> None:
    found = session.find("water")
    assert [hit.formula for hit in found] == ["H2O"]
    shown = found._repr_html_()
    assert shown is not None
    assert headings(shown)[0] == "kind"
    assert f'value="{found[0].value!r}"' in shown
    assert found.frame().shape == (1, 12)


def test_results_are_a_pandas_table_of_numbers_with_units_in_its_names(session: Grafico) -> None:
    dipoles = session.find(property="dipole").to_pandas()
    assert dipoles["dipole_D"].dtype == float
    assert sorted(dipoles["formula"]) == ["H2O", "H3N"]
    told = {hit.formula: hit.value for hit in session.find(property="dipole")}
    assert dict(zip(dipoles["formula"], dipoles["dipole_D"], strict=True)) == told
    energies = session.find().to_pandas()
    runs = session.runs().to_pandas()
    assert sorted(energies["energy_Eh"]) == pytest.approx(sorted(runs["energy_Eh"]), abs=1e-12)
    table = session.query("SELECT ?s { ?s g:formula 'H2O' }")
    assert isinstance(table, QueryTable)
    assert table.to_pandas().shape[1] == 1


def test_it_is_told_what_a_geometry_is(tmp_path: Path) -> None:
    """The newest value is one of an unrelaxed geometry: the relaxed one is preferred and said."""
    with Grafico(tmp_path, threads_per_calculation=1) as g:
        g.run("water", method="GFN2-xTB", task="optimise")
        atoms, [best] = g.atoms("last"), g.find("water")
        g.run("water", method="GFN2-xTB")  # newer, and as built from the name
        g.run(atoms, method="HF", basis="STO-3G")
        g.run("water", method="GFN1-xTB", task="optimise", constraints=["distance 1 2 1.1"])
        each = {(hit.level, hit.value): hit.standing for hit in g.find("water")}
        shown = {hit.level.partition("/")[0]: hit for hit in g.find()}
    assert sorted(s for (level, _), s in each.items() if level == "GFN2-xTB") == [
        "not relaxed",
        "relaxed",
    ]
    assert shown["GFN2-xTB"].standing == "relaxed"
    assert shown["GFN2-xTB"].value == best.value
    assert shown["HF"].standing == "relaxed at GFN2-xTB"
    assert shown["GFN1-xTB"].standing == "relaxed under constraints"


def test_nothing_that_was_found_is_a_table_of_nothing(session: Grafico) -> None:
    none = session.find("benzene")
    assert none == []
    assert "<tbody></tbody>" in (none._repr_html_() or "")
    assert Listing([], "Runs").frame().empty
