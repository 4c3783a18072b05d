"""Tight binding by the verb `run`: no door knows of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from grafico import Grafico
from ontologies.tightbinding import TightBindingFrequencies
from triplestore.errors import InputError


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as grafico:
        yield grafico


def test_frequencies_in_a_solvent_are_computed_remembered_listed_and_reported(
    session: Grafico,
) -> None:
    asked: dict[str, Any] = {"method": "GFN2-xTB", "task": "frequencies", "solvent": "water"}
    first = session.run("water", **asked)
    assert isinstance(first.last, TightBindingFrequencies)
    assert first.level.label == "GFN2-xTB in ALPB water"
    assert first.energy == pytest.approx(-5.085023, abs=2e-6)
    assert session.run("water", **asked).reused
    assert session.resume(first.run).reused
    line = next(one for one in session.runs() if one.run == first.run)
    assert "GFN2-xTB" in line.level
    assert "ALPB" in session.report(first.run)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"basis": "def2-SVP"}, "has no basis set"),
        ({"dispersion": "d4"}, "no other dispersion than its own"),
        ({"grid": 5}, "no integration grid"),
        ({"states": 3}, "no excited states"),
        ({"analysis": True}, "no analysis of the wavefunction"),
        ({"solvent": "heptane"}, "parameters for"),
    ],
)
def test_what_it_has_not_is_refused(session: Grafico, more: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        session.run("water", method="GFN2-xTB", **more)


def test_spin_states_say_that_spin_has_no_terms(session: Grafico) -> None:
    """Dioxygen is a triplet (K. P. Huber, G. Herzberg, 1979); without such terms it is none."""
    compared = session.spin_states("O=O", method="GFN2-xTB", multiplicities=(1, 3))
    assert compared.scan.ground_multiplicity == 1
    assert any("no terms that depend on spin" in remark for remark in compared.remarks)
    assert not session.run("water", method="GFN2-xTB").remarks[1:]
