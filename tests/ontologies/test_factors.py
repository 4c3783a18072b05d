"""Factors between units are those of CODATA."""

import pytest
from scipy import constants

from ontologies.conversion import convert
from ontologies.factors import BOHR, DEBYE, EV_NM, EV_WAVENUMBER, GAS_CONSTANT, HARTREE


def test_factors_are_those_of_codata() -> None:
    """SciPy's are those of 2022 from version 1.15 on."""
    energy = constants.value("Hartree energy")
    assert HARTREE["Eh"] == 1.0
    assert HARTREE["eV"] == pytest.approx(constants.value("Hartree energy in eV"), rel=1e-12)
    per_mole = energy * constants.N_A
    assert HARTREE["kJ/mol"] == pytest.approx(per_mole / 1000, rel=1e-12)
    assert HARTREE["kcal/mol"] == pytest.approx(per_mole / constants.calorie / 1000, rel=1e-12)
    wavenumber = constants.value("hartree-inverse meter relationship") / 100
    assert HARTREE["cm⁻¹"] == pytest.approx(wavenumber, rel=1e-12)
    assert pytest.approx(constants.value("Bohr radius") * 1e10, rel=1e-12) == BOHR
    light = constants.h * constants.c / constants.e
    assert pytest.approx(light * 1e9, rel=1e-12) == EV_NM
    assert pytest.approx(0.01 / light, rel=1e-12) == EV_WAVENUMBER
    dipole = constants.value("atomic unit of electric dipole mom.")
    assert pytest.approx(dipole * constants.c * 1e21, rel=1e-9) == DEBYE
    assert pytest.approx(constants.R, rel=1e-12) == GAS_CONSTANT


@pytest.mark.parametrize("unit", HARTREE)
def test_what_is_converted_for_a_model_agrees(unit: str) -> None:
    assert convert(1.0, "Eh", unit) == pytest.approx(HARTREE[unit], rel=1e-11)


def test_lengths_and_dipoles_for_a_model_agree() -> None:
    assert convert(1.0, "bohr", "Å") == pytest.approx(BOHR, rel=1e-11)
    assert convert(1.0, "e*bohr", "debye") == pytest.approx(DEBYE, rel=1e-9)
