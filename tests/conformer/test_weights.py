"""Weights of conformers against analytic results."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformer.molecules import KCAL, conformers, molecule, sampled
from triplestore.errors import InputError
from workflows.conformer.weights import (
    BOLTZMANN,
    average,
    conformational_entropy,
    degeneracies,
    mirror_images,
    symmetry_number,
    weights,
)


def test_degeneracies_of_pentane() -> None:
    """TT is C2v, TG± has no symmetry, G±G± is C2: 1 : 4 : 2 of nine staggered geometries, of which
    the two G±G∓ split into four with no symmetry."""
    found = conformers("CCCCC", 4.0)
    smiles = molecule("CCCCC")[1]
    mirrored = [mirror_images(one.atoms, smiles) for one in found]
    symmetry = [symmetry_number(one.atoms) for one in found]
    assert mirrored == [1, 2, 2, 2]
    assert symmetry == [2, 1, 2, 1]
    assert degeneracies(mirrored, symmetry) == [1, 4, 2, 4]


def test_degeneracies_are_the_smallest_integers() -> None:
    assert degeneracies([1, 2, 2], [2, 1, 2]) == [1, 4, 2]
    assert degeneracies([2, 2], [1, 1]) == [1, 1]
    assert degeneracies([1], [12]) == [1]
    assert degeneracies([1, 2], [6, 3]) == [1, 4]
    assert degeneracies([], []) == []


@pytest.mark.parametrize(
    ("smiles", "images"),
    [
        ("OO", 2),  # twisted
        ("O", 1),
        ("C[C@H](O)[C@@H](C)O", 2),  # meso
        ("C[C@H](O)[C@H](C)O", 1),
        ("F[C@H](Cl)Br", 1),
        ("C[C@H]1CC[C@@H](C)CC1", 1),
        ("C[C@H]1CCCC[C@H]1C", 2),  # cis: meso, but each chair is chiral
        ("C[C@H]1CCCC[C@@H]1C", 1),  # trans
        ("F/C=C/C=C", 1),  # flat
        ("[Na+].[Cl-]", 1),
        ("c1ccccc1-c1ccccc1", 2),  # twisted
    ],
)
def test_mirror_images(smiles: str, images: int) -> None:
    atoms, canonical = molecule(smiles)
    assert mirror_images(atoms, canonical) == images
    assert mirror_images(atoms, "") == 1, "it might be the enantiomer"


@pytest.mark.parametrize(
    ("smiles", "number"), [("C", 12), ("c1ccccc1", 12), ("N", 3), ("CC", 6), ("CCO", 1), ("O", 2)]
)
def test_symmetry_numbers(smiles: str, number: int) -> None:
    """G. Herzberg, Molecular Spectra and Molecular Structure II (1945)."""
    assert symmetry_number(sampled(smiles).structures[0]) == number


def test_two_conformers() -> None:
    """Butane: one trans, two gauche 0.6 kcal/mol above: 58 % trans at 298.15 K."""
    trans, gauche = weights([-1.0, -1.0 + 0.6 / KCAL], [1, 2], 298.15)
    ratio = 2 * math.exp(-0.6 * 4184 / (8.314462618 * 298.15))
    assert gauche / trans == pytest.approx(ratio, rel=1e-6)
    assert trans == pytest.approx(1 / (1 + ratio), rel=1e-6)
    assert trans == pytest.approx(0.579, abs=0.001)


def test_limits() -> None:
    energies, counts = [-100.0, -99.999, -99.9], [1, 4, 2]
    assert weights(energies, counts, 1e9) == pytest.approx(np.array([1, 4, 2]) / 7, rel=1e-3)
    assert weights(energies, counts, 0.1) == pytest.approx([1, 0, 0])
    assert weights([-1e4, -1e4 + 50.0], [1, 1], 298.15).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf")])
def test_temperatures_that_cannot_be(temperature: float) -> None:
    with pytest.raises(InputError, match="temperature"):
        weights([0.0], [1], temperature)


@given(
    st.lists(st.floats(-0.05, 0.05), min_size=1, max_size=8),
    st.floats(50.0, 1000.0),
    st.floats(-1000.0, 0.0),
)
def test_weights_add_up_and_know_no_zero(
    energies: list[float], temperature: float, shift: float
) -> None:
    counts = [1 + n % 3 for n in range(len(energies))]
    found = weights(energies, counts, temperature)
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()
    moved = weights([one + shift for one in energies], counts, temperature)
    assert moved == pytest.approx(found, abs=1e-7)


def test_averages() -> None:
    assert average([1.0, 3.0], [0.25, 0.75]) == pytest.approx(2.5)
    assert average(np.array([2.0, 2.0]), [0.1, 0.1]) == pytest.approx(2.0)


def test_entropy_of_mixing() -> None:
    """Of g equal geometries k ln g; of one conformer told once 0."""
    assert conformational_entropy([1.0], [1]) == 0.0
    assert conformational_entropy([0.2] * 5, [1] * 5) == pytest.approx(BOLTZMANN * math.log(5))
    assert conformational_entropy([1.0], [3]) == pytest.approx(BOLTZMANN * math.log(3))
    assert conformational_entropy([1.0, 0.0], [1, 2]) == 0.0


def test_the_entropy_is_that_of_the_partition_function() -> None:
    """S = k ln Z + U/T, by which −k Σ p ln(p/g) is defined."""
    energies, counts, temperature = np.array([0.0, 0.001, 0.003]), np.array([1, 2, 4]), 350.0
    factors = counts * np.exp(-energies / (BOLTZMANN * temperature))
    shares = weights(energies.tolist(), counts.tolist(), temperature)
    expected = BOLTZMANN * np.log(factors.sum()) + (shares @ energies) / temperature
    assert conformational_entropy(shares, counts) == pytest.approx(expected, rel=1e-9)
