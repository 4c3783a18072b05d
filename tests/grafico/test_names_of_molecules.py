"""Molecules where a run is asked for: the only one about them is taken, several are listed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grafico import Grafico
from triplestore.errors import InputError, NotFoundError

HF = {"method": "HF", "basis": "STO-3G"}


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


@pytest.fixture(scope="module")
def runs(session: Grafico) -> dict[str, str]:
    found = {name: session.run(name, **HF).run for name in ("hydrogen fluoride", "ammonia")}
    session.run("water", **HF)
    return found | {"water": session.run("water", task="optimise", **HF).run}


def test_the_only_run_about_a_molecule_is_meant(session: Grafico, runs: dict[str, str]) -> None:
    assert session.iri("ammonia") == runs["ammonia"]
    assert session.iri("N") == runs["ammonia"]
    names = ("hydrogen fluoride", "ammonia")
    assert session.iris(*names) == [runs[name] for name in names]
    assert "HF/STO-3G" in session.report("ammonia")
    shown = session.show("ammonia")
    assert shown.iri == runs["ammonia"]


def test_several_runs_are_listed_and_none_is_told(session: Grafico, runs: dict[str, str]) -> None:
    with pytest.raises(InputError, match="several runs are about it") as told:
        session.iri("water")
    assert runs["water"].rpartition("/")[2] in str(told.value)
    with pytest.raises(NotFoundError, match="nothing is called so"):
        session.iri("methane")
    with pytest.raises(NotFoundError, match="nothing is called so"):
        session.iri("xyzzyplugh")


def test_a_withdrawn_run_does_not_count(session: Grafico, runs: dict[str, str]) -> None:
    first = session.run("neon", **HF).run
    second = session.run("neon", task="energy", method="PBE", basis="STO-3G").run
    session.withdraw(first, why="a slip")
    assert session.iri("neon") == second


def test_an_orbital_of_a_molecule_that_was_computed(session: Grafico, runs: dict[str, str]) -> None:
    cube = session.cube("ammonia", orbital="HOMO")
    assert "formula='H3N'" in str(cube)
