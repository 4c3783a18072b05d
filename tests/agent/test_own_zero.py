"""Energies of ions at methods with a zero of their own are not taken for those of an electron."""

from __future__ import annotations

import pytest

from grafico.agent.rules.reader import plan
from grafico.session.settings import USUAL


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        (
            "ionisation energy of aniline with GFN2-xTB",
            "ionisation energy of aniline with B3LYP/def2-SVP",
        ),
        (
            "vertical electron affinity of SO2 at GFN1-xTB",
            "vertical electron affinity of SO2 at B3LYP/def2-SVP",
        ),
    ],
)
def test_an_electron_does_not_fit_tight_binding(text: str, instead: str) -> None:
    """Aniline comes to 12.6 eV at GFN2-xTB; measured are 7.72 (NIST Chemistry WebBook)."""
    found = plan(text)
    assert "count from a zero of its own" in found.problem
    assert len(plan(instead).calls) == 2  # the molecule and its ion
    assert len(plan(found.suggestions[0]).calls) == 2


def test_it_fits_functionals_and_other_questions_are_as_before() -> None:
    assert plan("ionisation energy of aniline at HF/STO-3G").calls
    assert plan("solvation energy of methanol in water with GFN2-xTB").calls
    assert plan("energy of the aniline radical cation with GFN2-xTB").calls


def test_nor_does_it_fit_one_that_the_settings_or_a_later_sentence_name() -> None:
    asked = "vertical ionisation energy of aniline"
    defaults = {**USUAL, "method": "GFN2-xTB"}
    assert "count from a zero of its own" in plan(asked, defaults).problem
    assert "count from a zero of its own" in plan("and with GFN2-xTB?", before=[asked]).problem
    assert plan("and with HF/STO-3G?", before=[asked]).calls
    assert plan("energy of water with GFN2-xTB", before=[asked]).calls
