"""Tight binding by the verb `run`: no door knows of it."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from grafico import Grafico
from ontologies.tightbinding import TightBindingEnergy, TightBindingFrequencies
from triplestore.errors import InputError


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


def test_a_run_goes_on_at_its_own_program_only_and_says_how_to_ask_for_another(
    session: Grafico,
) -> None:
    """What is to be typed is typed."""
    hartree_fock: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
    ions = {
        "of tight binding": session.run("[OH3+]", method="GFN2-xTB", solvent="water"),
        "of Hartree–Fock": session.run("water", charge=1, **hartree_fock),
    }
    other: dict[str, dict[str, Any]] = {
        "of tight binding": hartree_fock,
        "of Hartree–Fock": {"method": "GFN2-xTB"},
    }
    levels = {"of tight binding": "HF/STO-3G in C-PCM water", "of Hartree–Fock": "GFN2-xTB"}
    for name, ran in ions.items():
        with pytest.raises(InputError, match="nothing of the run") as caught:
            session.resume(ran.run, **other[name])
        *_, typed = caught.value.advice.partition(": grafico ")
        verb, subject, *words = shlex.split(typed)
        assert verb == "run"
        asked: dict[str, Any] = {
            word[2:]: value for word, value in zip(words[::2], words[1::2], strict=True)
        }
        anew = session.run(subject, **asked)
        assert (anew.atoms.charge, anew.level.label) == (1, levels[name])
        assert anew.atoms == ran.atoms
    # of its own program it goes on
    again = session.resume(ions["of tight binding"].run, method="GFN1-xTB")
    assert again.level.label == "GFN1-xTB in ALPB water"
    again = session.resume(ions["of Hartree–Fock"].run, basis="6-31G")
    assert again.level.label == "UHF/6-31G"
    with pytest.raises(InputError, match="GFN2-xTB has no basis set"):
        session.resume(ions["of tight binding"].run, basis="STO-3G")


def test_the_analysis_is_what_an_energy_has(session: Grafico) -> None:
    found = session.run("water", method="GFN2-xTB", analysis=True)
    assert isinstance(found.last, TightBindingEnergy)
    assert found.last.homo_lumo_gap == pytest.approx(0.52036, abs=1e-4)
    assert session.run("water", method="GFN2-xTB").reused


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"basis": "def2-SVP"}, "has no basis set"),
        ({"dispersion": "d4"}, "no other dispersion than its own"),
        ({"grid": 5}, "no integration grid"),
        ({"states": 3}, "no excited states"),
        ({"stability": True}, "no analysis of stability"),
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
