"""Spectra and orbitals as charts: the areas of bands, and which orbitals are at the frontier."""

from __future__ import annotations

import numpy as np
import pytest

from ontologies.factors import EV_WAVENUMBER, HARTREE
from workflows.dft.properties.orbitals import SpinOrbitals
from workflows.geometry.spectra import bands, lines


def channel(spin: str, energies: list[float], occupations: list[float]) -> SpinOrbitals:
    """Return a channel from energies in eV."""
    return SpinOrbitals(spin, np.array(energies) / HARTREE["eV"], np.array(occupations, float))


def test_the_areas_of_bands_are_those_of_the_textbooks() -> None:
    """f = 4.319e-9 ∫ε dν̃ (Stephens, Harada 2010); A in km/mol is 0.01 ln 10 ∫ε dν̃."""
    energies, strengths = np.array([3.0, 8.0]), np.array([0.25, 1.5])
    at = np.linspace(0, 12, 20_001)
    area = np.trapezoid(bands(energies, strengths, at), at * EV_WAVENUMBER)
    assert 4.319e-9 * area == pytest.approx(1.75, rel=1e-6)
    at = np.linspace(-200_000, 204_000, 2_000_001)
    area = np.trapezoid(lines(np.array([1600.0, 3700.0]), np.array([70.0, 9.0]), at), at)
    assert 0.01 * np.log(10) * area == pytest.approx(79.0, rel=1e-3)
    # f = 1 with a half width of 3099.6 1/cm (0.3843 eV) at 1/e: 1.3062974e8/3099.6, and so
    # with the one that is drawn
    peak = float(bands(np.array([5.0]), np.array([1.0]), np.array([5.0]))[0])
    assert peak == pytest.approx(1.3062974e8 / (0.4 * 8065.544), rel=2e-4)


def test_each_spin_has_its_own_frontier() -> None:
    alpha = channel("alpha", [-20, -9, -9, 5], [1, 1, 1, 0])
    beta = channel("beta", [-18, -3, -3, 7], [1, 0, 0, 0])
    assert alpha.names == {2: "HOMO", 3: "LUMO"}
    assert beta.names == {0: "HOMO", 1: "LUMO"}
    assert [one.electrons(0) for one in (alpha, beta)] == ["↑", "↓"]


def test_orbitals_that_hold_one_electron_of_shared_ones_are_singly_occupied() -> None:
    shared = channel("both spins", [-20, -9, -9, 5], [2, 1, 1, 0])
    assert shared.names == {1: "SOMO", 2: "SOMO", 3: "LUMO"}
    assert [shared.electrons(n) for n in range(4)] == ["↑↓", "↑", "↑", ""]
