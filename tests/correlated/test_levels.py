"""What the names of correlated methods, basis sets and their options mean."""

from __future__ import annotations

from typing import Any

import pytest

from ontologies.correlated import CorrelatedLevel
from tests.dft.structures import WATER
from triplestore.errors import InputError
from workflows.correlated.levels import is_correlated, resolve_level
from workflows.correlated.request import CorrelatedRequest
from workflows.engine.request.form import fill
from workflows.registry.levels import LevelForm, offered


@pytest.mark.parametrize(
    ("spelt", "usual"),
    [
        ("mp2", "MP2"),
        ("RI-MP2", "DF-MP2"),
        ("df mp2", "DF-MP2"),
        ("ccsd(t)", "CCSD(T)"),
        ("CCSD", "CCSD"),
        ("RCCSD(T)", "CCSD(T)"),
    ],
)
def test_spellings_do_not_matter(spelt: str, usual: str) -> None:
    assert is_correlated(spelt)
    found = resolve_level(spelt, "cc-pvdz", "restricted")
    fitted = "cc-pvdz-ri" if usual == "DF-MP2" else ""
    wanted = CorrelatedLevel(
        method=usual, basis="cc-pVDZ", reference="restricted", fitting_basis=fitted
    )
    assert (found.method, found.basis, found.level) == (spelt, "cc-pvdz", wanted)


@pytest.mark.parametrize("name", ["B3LYP", "B2PLYP", "HF", "M06-2X", "CAM-B3LYP", "GFN2-xTB"])
def test_others_are_not_of_the_family(name: str) -> None:
    assert not is_correlated(name)


@pytest.mark.parametrize(
    "name", ["MP3", "CCSDT", "CC2", "QCISD(T)", "SCS-MP2", "DLPNO-CCSD(T)", "EOM-CCSD", "LMP2"]
)
def test_others_of_the_family_are_refused_with_what_there_is(name: str) -> None:
    assert is_correlated(name)
    with pytest.raises(InputError, match=r"MP2, DF-MP2, CCSD and CCSD\(T\)"):
        resolve_level(name, "cc-pVDZ", "restricted")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("MP2", "cc-pVDZ", "restricted open-shell"), "open shells are unrestricted"),
        (("UMP2", "cc-pVDZ", "restricted"), "ask for MP2, or the reference unrestricted"),
        (("ROMP2", "cc-pVDZ", "restricted"), "follows the multiplicity"),
        (("MP2", "cc-pVDX", "restricted"), "did you mean"),
        (("DF-MP2", "STO-6G", "restricted"), "no functions are known|has no functions"),
        (("MP2", "cc-pvdz-ri", "restricted"), "not for orbitals"),
    ],
)
def test_what_there_is_not_is_refused(asked: tuple[Any, Any, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        resolve_level(*asked)


def test_the_label_says_what_is_correlated() -> None:
    usual = resolve_level("CCSD(T)", "cc-pVTZ", "unrestricted").level
    assert usual.label == "UCCSD(T)/cc-pVTZ (frozen core)"
    all_of_them = resolve_level("MP2", "6-31G*", "restricted", all_electrons=True, cartesian=True)
    assert all_of_them.level.label == "MP2/6-31G* (Cartesian, all electrons)"
    assert any("cc-pCVTZ" in remark for remark in all_of_them.remarks)
    assert not resolve_level("MP2", "cc-pCVDZ", "restricted", all_electrons=True).remarks


def test_a_form_takes_what_the_method_has() -> None:
    usual = {"method": "B3LYP", "basis": "def2-SVP"}
    filled = fill(LevelForm, {"method": "CCSD(T)", "all_electrons": True}, usual)
    assert filled == CorrelatedRequest(method="CCSD(T)", basis="def2-SVP", all_electrons=True)
    for more, words in (
        ({"solvent": "water"}, "no solvent"),
        ({"grid": 5}, "no integration grid"),
        ({"dispersion": "d4"}, "no other dispersion"),
        ({"density_fitting": True}, "density"),
    ):
        with pytest.raises(InputError, match=words):
            fill(LevelForm, {"method": "MP2", **more}, usual)
    with pytest.raises(InputError, match="no frozen core"):
        fill(LevelForm, {"method": "HF", "all_electrons": True}, usual)


def test_its_program_is_found_by_its_level() -> None:
    level = resolve_level("MP2", "cc-pVDZ", "restricted").level
    assert offered(level).energy(WATER, level).calculation.name == "correlated.single_point"
