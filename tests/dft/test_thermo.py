"""Thermochemistry against tables, published outputs of other programs and analytic limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Optimisation
from ontologies.vibrations import FrequencyAnalysis, Thermochemistry
from tests.dft.conftest import Bench
from tests.dft.structures import WATER, atoms
from triplestore.errors import InputError
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.properties.thermo import (
    interpolated_entropies,
    oscillator_entropies,
    soft_modes,
    thermochemistry,
)

J_PER_MOL_K = 2625499.639
"""Joules a mole in a hartree."""

NITROGEN = atoms([7, 7], [[0, 0, 0], [0, 0, 1.1]])

# Vibrational temperatures in K of N-methylaniline from a Gaussian 09 output, and its entropies of
# translation and rotation (39.922 and 28.017 cal/mol/K): examples/methylaniline.out of GoodVibes
METHYLANILINE = """
144.84 255.23 356.85 360.77 580.09 588.48 676.50 731.27 857.41 887.43 981.64 1057.08 1137.38
1143.25 1204.03 1311.06 1351.61 1409.26 1470.51 1523.75 1553.28 1623.77 1650.71 1668.45 1702.77
1843.99 1919.36 1951.96 2069.77 2088.45 2111.09 2159.90 2173.65 2195.23 2296.27 2338.04 4165.21
4310.74 4406.39 4451.20 4472.19 4482.59 4508.52 4521.65 5061.17
"""


def vibrations(bench: Bench, given: ConceptualAtoms, method: str, basis: str) -> FrequencyAnalysis:
    def ask(call: Any) -> Any:
        return bench.loop.call(lambda: bench.executor.run(call)).result

    level = bench.level(method, basis)
    relaxed = ask(optimise.bind(given, level))
    assert isinstance(relaxed, Optimisation)
    return ask(frequencies.bind(relaxed.atoms, level))


@pytest.fixture(scope="module")
def water(bench: Bench) -> FrequencyAnalysis:
    return vibrations(bench, WATER, "HF", "def2-SVP")


def entropy(heat: Thermochemistry) -> float:
    return heat.entropy * J_PER_MOL_K


def test_entropies_of_gases(bench: Bench, water: FrequencyAnalysis) -> None:
    """CODATA at 298.15 K and 1 bar: N2 191.609, H2O 188.835 J/mol/K.

    Bonds of Hartree–Fock are too short: 0.02 Å in N2 lower the entropy by R ln(I/I') = 0.3, and
    0.01 Å in water, with a wider angle, by some 0.5.
    """
    nitrogen = vibrations(bench, NITROGEN, "HF", "def2-SVP")
    heat = thermochemistry(nitrogen, 298.15, 1e5)
    assert (heat.point_group, heat.symmetry_number) == ("D∞h", 2)
    assert entropy(heat) == pytest.approx(191.3, abs=0.3)
    assert entropy(thermochemistry(water, 298.15, 1e5)) == pytest.approx(188.4, abs=0.3)


def test_pressure_and_symmetry_number_are_those_of_an_ideal_gas(water: FrequencyAnalysis) -> None:
    gas_constant = 8.314462618
    usual = thermochemistry(water, 298.15, 1e5)
    dense = thermochemistry(water, 298.15, 1e6)
    alone = thermochemistry(water, 298.15, 1e5, symmetry_number=1)
    assert entropy(usual) - entropy(dense) == pytest.approx(gas_constant * np.log(10), abs=1e-4)
    assert entropy(alone) - entropy(usual) == pytest.approx(gas_constant * np.log(2), abs=1e-4)
    assert (alone.symmetry_number, alone.point_group) == (1, "C2v")
    assert dense.enthalpy == usual.enthalpy == alone.enthalpy


@pytest.mark.parametrize(("cutoff", "expected"), [(100.0, 0.039535), (150.0, 0.039465)])
def test_soft_modes_as_goodvibes_treats_them(cutoff: float, expected: float) -> None:
    """T·S and T·qh-S of N-methylaniline in Eh from the documentation of GoodVibes."""
    from scipy.constants import c, h, k

    kelvin = np.array(METHYLANILINE.split(), float)
    wavenumbers = kelvin * k / (h * c * 100)
    rest = (39.922 + 28.017) * 4.184 / 8.314462618

    def energy(entropies: np.ndarray) -> float:
        return (entropies.sum() + rest) * 8.314462618 / J_PER_MOL_K * 298.15

    assert energy(oscillator_entropies(wavenumbers, 298.15)) == pytest.approx(0.039668, abs=1e-6)
    mixed = interpolated_entropies(wavenumbers, 298.15, cutoff)
    assert energy(mixed) == pytest.approx(expected, abs=1e-6)


def test_soft_modes_have_the_limits_of_oscillator_and_rotor() -> None:
    """A stiff mode is an oscillator; the softest a free rotor of the mean moment of inertia."""
    from scipy.constants import h, k

    stiff = np.array([3000.0])
    same = oscillator_entropies(stiff, 298.15)
    assert interpolated_entropies(stiff, 298.15) == pytest.approx(same, abs=1e-5)
    rotor = 0.5 + np.log(np.sqrt(8 * np.pi**3 * 1e-44 * k * 298.15) / h)
    assert interpolated_entropies(np.array([1e-8]), 298.15) == pytest.approx(rotor, abs=1e-4)


def test_the_treatment_changes_entropy_and_gibbs_energy_alone(water: FrequencyAnalysis) -> None:
    soft = water.model_copy(update={"wavenumbers": np.array([40.0, 1700.0, 4000.0])})
    usual = thermochemistry(soft, 298.15, 1e5)
    mixed = thermochemistry(soft, 298.15, 1e5, treatment="quasi-RRHO")
    assert (usual.treatment, usual.cutoff) == ("harmonic", None)
    assert (mixed.treatment, mixed.cutoff) == ("quasi-RRHO", 100.0)
    assert mixed.enthalpy == usual.enthalpy
    assert mixed.zero_point_energy == usual.zero_point_energy
    lost = oscillator_entropies(soft.wavenumbers, 298.15) - interpolated_entropies(
        soft.wavenumbers, 298.15
    )
    assert entropy(usual) - entropy(mixed) == pytest.approx(lost.sum() * 8.314462618, rel=1e-6)
    assert mixed.gibbs_energy == pytest.approx(mixed.enthalpy - 298.15 * mixed.entropy, abs=1e-12)


def test_soft_modes_say_what_the_other_treatment_would_change(water: FrequencyAnalysis) -> None:
    def of(*waves: float, **more: Any) -> Thermochemistry:
        given = water.model_copy(update={"wavenumbers": np.array(waves)})
        return thermochemistry(given, 298.15, 1e5, **more)

    for found in (of(51.0, 1700, 4000), of(20.0, 1700, 4000, treatment="quasi-RRHO")):
        assert soft_modes(found) == ""
    usual, mixed = of(20.0, 45.0, 4000), of(20.0, 45.0, 4000, treatment="quasi-RRHO")
    said = soft_modes(usual)
    assert said.startswith("2 modes below 50 cm⁻¹ (20.0, 45.0 cm⁻¹)")
    assert f"would be {mixed.gibbs_energy:.6f} Eh" in said
    change = mixed.gibbs_energy - usual.gibbs_energy
    assert change > 1e-4
    assert f"{change:+.6f} Eh = {change * 2625.49964:+.2f} kJ/mol" in said
    # by hand: the oscillators have 3.338 and 2.529 k, the rotors 2.241 and 1.836 k, which weigh
    # 625/626 and 0.9606, so that 1.095 k and 0.666 k are lost
    assert change * 2625.5 == pytest.approx(1.761 * 8.31446e-3 * 298.15, abs=0.02)


def test_what_cannot_be_is_refused(water: FrequencyAnalysis) -> None:
    for wrong in ((0.0, 1e5, 0), (298.15, -1.0, 0), (298.15, 1e5, -2)):
        with pytest.raises(InputError, match="above zero"):
            thermochemistry(water, wrong[0], wrong[1], symmetry_number=wrong[2])
    saddle = water.model_copy(update={"stationarity": "saddle point"})
    with pytest.raises(InputError, match="saddle point"):
        thermochemistry(saddle, 298.15, 1e5)
