"""Results by their values: bounds with units, sorted, the newest of a molecule at a level."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from grafico.session.sifting import Sifting, bounds
from triplestore.errors import InputError

HF = {"method": "HF", "basis": "STO-3G"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sifting") / "store"


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Grafico]:
    with Grafico(str(folder), threads_per_calculation=1) as opened:
        for molecule in ("water", "hydrogen fluoride", "ammonia"):
            opened.run(molecule, **HF)
        opened.run("hydrogen fluoride", task="optimise", **HF)
        yield opened


def formulas(hits: object) -> list[str]:
    return [hit.formula for hit in hits]  # pyright: ignore


def test_values_are_sorted_and_of_each_molecule_the_newest(session: Grafico) -> None:
    hits = session.find(property="dipole", sort=True)
    values = [hit.value for hit in hits]
    assert values == sorted(values)
    assert sorted(formulas(hits)) == ["FH", "H2O", "H3N"]
    down = session.find(property="dipole", largest=True)
    assert [hit.value for hit in down] == values[::-1]
    assert hits.older == 1
    every = session.find(property="dipole", every=True)
    assert sorted(formulas(every)) == ["FH", "FH", "H2O", "H3N"]
    assert every.older == 0
    [newest] = [hit for hit in hits if hit.formula == "FH"]
    assert newest == next(hit for hit in every if hit.formula == "FH")
    assert len(session.find("hydrogen fluoride", property="dipole")) == 2  # of what is named all


def test_bounds_are_in_the_unit_that_is_shown_or_have_their_own(session: Grafico) -> None:
    values = {hit.formula: hit.value for hit in session.find(property="dipole")}
    middle = sorted(values.values())[1]
    above = session.find(property="dipole", above=middle)
    assert [hit.value for hit in above] == [max(values.values())]
    assert formulas(session.find(property="dipole", above=f"{middle + 1e-6:.9f} D")) == formulas(
        above
    )
    debye = 3.33564e-30  # C m
    same = session.find(property="dipole", above=f"{middle * debye * 1.001:.6e} C m")
    assert formulas(same) == formulas(above)
    below = session.find(property="dipole", below=middle)
    assert [hit.value for hit in below] == [min(values.values())]
    with pytest.raises(InputError, match="no unit of what is measured"):
        session.find(property="dipole", above="2 eV")
    with pytest.raises(InputError, match="no number"):
        session.find(property="dipole", above="much")
    [*_, hit] = session.find(property="dipole")
    with pytest.raises(InputError, match="no single numbers"):
        Sifting(sort=True).of([replace(hit, value=[0.0, 0.0, 1.0])])


def test_the_command_line_as_people_type_it(session: Grafico, folder: Path) -> None:
    def told(*words: str) -> list[str]:
        line = ["find", *words, "--store", str(folder), "--json", "--quiet"]
        done = CliRunner().invoke(main, line)
        assert done.exit_code == 0, done.stderr
        return [hit["formula"] for hit in json.loads(done.stdout)]

    wanted = formulas(session.find(property="dipole", above=1.6, sort=True))
    assert told("--property", "dipole", "--above", "1.6", "--sort") == wanted
    assert told("--dipole", ">1.6", "--sort") == wanted
    assert told("--dipole-moment=> 1.6 D", "--sort") == wanted
    assert len(told("--all")) == 4


def test_what_is_no_bound_means_nothing() -> None:
    assert bounds([">2"]) == {"above": "2"}
    assert bounds(["<= 1.5 D"]) == {"below": "1.5 D"}
    assert bounds(["2"]) == {}
    assert Sifting().needed == 0


def test_a_property_behind_the_order_is_the_one_that_orders(session: Grafico, folder: Path) -> None:
    words = ("find", "--largest", "dipole", "--json", "--quiet", "--store", str(folder))
    found = json.loads(CliRunner().invoke(main, words).output)
    down = session.find(property="dipole", largest=True)
    assert [one["value"] for one in found] == pytest.approx([hit.value for hit in down])
