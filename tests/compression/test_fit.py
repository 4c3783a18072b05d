"""The equation of state: what is known is found again, what is not determined is not told."""

from __future__ import annotations

import numpy as np
import pytest
from ase.eos import vinet
from ase.units import GPa

from ontologies.factors import HARTREE
from ontologies.units import Floats
from workflows.compression.fit import fit

VOLUMES = np.linspace(0.94, 1.06, 7) * 11.39


def birch(
    volumes: Floats, energy: float, modulus: float, derivative: float, volume: float
) -> Floats:
    """Return the equation as Birch has it, in eV and Å³, written out by hand."""
    strain = ((volume / volumes) ** (2 / 3) - 1) / 2
    return energy + 4.5 * volume * modulus * strain**2 * (1 + (derivative - 4) * strain)


def test_what_is_known_is_found_again() -> None:
    energies = birch(VOLUMES, -300.0, 433.0 * GPa, 3.7, 11.39) / HARTREE["eV"]
    found = fit(VOLUMES, energies)
    assert not found.problem
    assert found.volume[0] == pytest.approx(11.39, abs=1e-5)
    assert found.modulus[0] == pytest.approx(433.0, abs=1e-3)
    assert found.derivative[0] == pytest.approx(3.7, abs=1e-3)
    assert found.energy * HARTREE["eV"] == pytest.approx(-300.0, abs=1e-7)
    assert found.residual < 1e-9
    assert found.modulus[1] < 1.0  # Vinet's equation is so near
    assert found.curve(VOLUMES) == pytest.approx(energies, abs=1e-9)
    shuffled = np.array([3, 0, 6, 2, 5, 1, 4])
    assert fit(VOLUMES[shuffled], energies[shuffled]).modulus == found.modulus


def test_noise_is_in_the_error() -> None:
    """One standard error holds the true value two times of three; three of them nearly always."""
    random, within = np.random.default_rng(4), list[float]()
    for _ in range(200):
        noise = random.normal(scale=2e-6, size=11)
        volumes = np.linspace(0.94, 1.06, 11) * 46.0
        energies = birch(volumes, 0.0, 24.0 * GPa, 4.8, 46.2) / HARTREE["eV"] + noise
        found = fit(volumes, energies)
        assert not found.problem
        assert 0.02 < found.modulus[1] < 2.0
        within.append(abs(found.modulus[0] - 24.0) / found.modulus[1])
    assert 0.5 < np.mean(np.array(within) < 1) < 0.95
    assert np.mean(np.array(within) < 3) > 0.96


def test_another_equation_widens_the_error() -> None:
    wide = np.linspace(0.8, 1.25, 9) * 20.0
    found = fit(wide, np.array(vinet(wide, -10.0, 90 * GPa, 4.3, 20.0)) / HARTREE["eV"])
    assert abs(found.modulus[0] - 90) <= found.modulus[1]
    assert found.modulus[1] > 0.1


@pytest.mark.parametrize(
    ("energies", "problem"),
    [
        (VOLUMES * 1e-3, "smallest volume"),
        (VOLUMES * -1e-3, "largest volume"),
        (np.array([3, 1, 2.5, 0, 2.2, 1, 3]) * 1e-3, "smooth curve"),
        (np.array([1, 0.2, 0.6, 0, 0.7, 0.1, 0.9]) * 1e-7, ""),
        (np.zeros(7), "outside"),
    ],
)
def test_what_determines_nothing_is_not_told(energies: Floats, problem: str) -> None:
    found = fit(VOLUMES, energies)
    assert problem in found.problem
    assert found.problem
    assert found.modulus == (0.0, 0.0)


def test_four_points_are_too_few() -> None:
    assert "needed" in fit(VOLUMES[:4], np.array([1.0, 0.0, 0.1, 0.7])).problem
