"""Lists of runs and results: lists as ever, tables in a notebook, frames for pandas."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from grafico import Grafico
from grafico.session.listing import Listing


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
    assert found.frame().shape == (1, 9)


def test_nothing_that_was_found_is_a_table_of_nothing(session: Grafico) -> None:
    none = session.find("benzene")
    assert none == []
    assert "<tbody></tbody>" in (none._repr_html_() or "")
    assert Listing([], "Runs").frame().empty
