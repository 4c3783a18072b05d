"""Questions over what is stored: by value, by solvent; answered as `grafico find` answers them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.rules.model import plain_model
from grafico.agent.rules.reader import plan
from grafico.cli.app import main


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("asked") / "store"
    with Grafico(where, threads_per_calculation=1) as g:
        for molecule in ("water", "ammonia", "methane"):
            g.run(molecule, method="GFN2-xTB", task="optimise")
        g.run("water", method="GFN2-xTB", solvent="acetonitrile")
        g.run("[O][O]", method="GFN2-xTB", multiplicity=3)
    return where


def asked(store: Path, text: str) -> str:
    with Grafico(store) as g, Agent(plain_model(), session=g) as agent:
        told = agent.ask(text)
    assert "[no source]" not in told.marked
    return told.text


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("which molecules have a dipole larger than 2 D", ["dipole", "--above", "2 D"]),
        ("List all results with a dipole moment under 2.1 D.", ["dipole", "--below", "2.1 D"]),
        ("which of my results have a gap below 15 eV?", ["gap", "--below", "15 eV"]),
        (
            "show me the molecules whose HOMO-LUMO gap is between 10 and 16 eV",
            ["gap", "--above", "10 eV", "--below", "16 eV"],
        ),
        ("which runs have an energy above -5 Eh", ["energy", "--above", "-5 Eh"]),
        ("molecules with a dipole above 2 D", ["dipole", "--above", "2 D"]),
        ("find gap below 15 eV", ["gap", "--below", "15 eV"]),
        (
            "which molecules that I computed with GFN2-xTB have a HOMO-LUMO gap below 15 eV?",
            ["gap", "--below", "15 eV", "--method", "GFN2-xTB"],
        ),
        ("which results did I compute with gfn2?", ["energy", "--method", "gfn2"]),
        ("which stored molecule has the largest dipole", ["dipole", "--largest", "--limit", "3"]),
        ("smallest gap among my molecules", ["gap", "--sort", "--limit", "3"]),
        ("list my results sorted by LUMO", ["lumo", "--sort"]),
        ("my top two molecules by dipole moment", ["dipole_moment", "--largest", "--limit", "2"]),
        ("order the stored results by decreasing gap", ["gap", "--largest"]),
    ],
)
def test_it_is_what_find_finds(store: Path, text: str, options: list[str]) -> None:
    words = ["find", "--property", *options, "--json", "--quiet", "--store", str(store)]
    hits = json.loads(CliRunner().invoke(main, words).output)
    found = re.findall(r"\bg:id/((?!ConceptualAtoms)\S+?/\S+?)(?=,|\s|$)", asked(store, text))
    assert found == [hit["result"].partition("/id/")[2] for hit in hits]
    assert 0 < len(hits) <= 5


def test_a_gap_is_that_of_closed_shells_and_of_the_orbitals(store: Path) -> None:
    with Grafico(store) as g:
        gaps = {hit.formula: hit for hit in g.find(property="gap")}
        highest = {hit.result: hit.value for hit in g.find(property="homo")}
        lowest = {hit.result: hit.value for hit in g.find(property="lumo")}
    assert {*gaps} == {"H2O", "H3N", "CH4"}  # of O2 there is none
    for hit in gaps.values():
        assert hit.value == pytest.approx(lowest[hit.result] - highest[hit.result], abs=1e-12)


def test_runs_in_a_solvent_are_listed(store: Path) -> None:
    told = asked(store, "list the runs with water in acetonitrile")
    [line] = [one for one in told.splitlines() if "formula = H2O" in one]
    assert "acetonitrile" in line
    with Grafico(store) as g:
        assert len(g.find("water", solvent="acetonitrile")) == 1
        assert [run.subject for run in g.runs(solvent="acetonitrile")] == ["water"]
        assert g.find("water", solvent="benzene") == []


def test_nothing_is_said_to_be_stored_and_what_is_no_number_is_told(store: Path) -> None:
    assert "nothing is stored of that" in asked(store, "which molecules have a dipole above 90 D")
    refused = plan("which molecules have a flimflam above 3")
    assert "no number of stored results is called “flimflam”" in refused.problem
    assert refused.suggestions == ("which molecules have a dipole above 2 D",)


def test_energies_of_different_molecules_have_no_order(store: Path) -> None:
    refused = plan("which molecule has the lowest energy?")
    assert "the energy of different molecules cannot be compared" in refused.problem
    assert refused.suggestions[0] == "list my results sorted by energy"
    assert not plan(refused.suggestions[0]).problem


def test_values_of_several_levels_are_said_to_be_compared(store: Path) -> None:
    """Of water there is one in a solvent, too: a number beside it may be of another level."""
    assert "values at 2 levels of theory are compared" in asked(store, "top 2 molecules by dipole")


def test_values_are_shown_in_the_unit_of_the_bound_too(store: Path) -> None:
    def table(*bound: str) -> list[list[str]]:
        words = ["find", "--property", "gap", *bound, "--quiet", "--store", str(store)]
        lines = CliRunner().invoke(main, words).output.splitlines()
        return [line.split("  ") for line in lines]

    plain, heads = table("--below", "1")[0], table("--below", "25 eV")[0]
    assert any("gap (eV)" in one for one in heads)
    assert any("gap (Eh)" in one for one in heads)
    assert not any("(eV)" in one for one in plain)
    row = [one for one in table("--below", "25 eV")[2] if one.strip()]
    at = [one.strip() for one in heads if one.strip()].index("gap (eV)")
    ev, hartree = (float(one) for one in row[at : at + 2])
    assert ev == pytest.approx(hartree * 27.2113862, rel=1e-6)
