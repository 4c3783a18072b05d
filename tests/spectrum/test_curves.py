"""Broadening, sums and maxima, against integrals, closed forms and sums written out."""

from __future__ import annotations

import math
from random import Random
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ogm import GraphModel
from ontologies.spectra import ConformerVibrations, InfraredSpectrum
from tests.ontologies.instances import EVERYTHING
from workflows.geometry.spectra import bands
from workflows.geometry.spectra import lines as lorentz
from workflows.spectrum.charts import spectrum_chart
from workflows.spectrum.curves import Sticks, electronic, grid, infrared, maxima, peaks, summed

ModelT = TypeVar("ModelT", bound=GraphModel)

PER_EV = 8065.544
EV_NM = 1239.842


def sticks(*pairs: tuple[float, float]) -> Sticks:
    places, strengths = zip(*pairs, strict=True)
    return np.array(places, float), np.array(strengths, float)


@pytest.mark.parametrize("width", [0.1, 0.4, 1.0])
def test_the_area_of_a_band_is_its_strength(width: float) -> None:
    """∫ε dν̃ = f/4.319e-9 L/(mol cm²): Stephens, Harada, Chirality 22, 229 (2010)."""
    at = np.linspace(0.0, 12.0, 40_001)
    curve = bands(np.array([4.0, 7.0]), np.array([0.3, 0.5]), at, width)
    assert np.trapezoid(curve, at * PER_EV) == pytest.approx(0.8 / 4.319e-9, rel=1e-4)


@pytest.mark.parametrize("width", [0.1, 0.4, 1.0])
def test_widths_are_full_widths_at_half_height(width: float) -> None:
    ends = np.array([4.0 - width / 2, 4.0, 4.0 + width / 2])
    for shape in (bands, lorentz):
        left, top, right = shape(np.array([4.0]), np.array([1.0]), ends, width).tolist()
        assert left == pytest.approx(top / 2, rel=1e-9)
        assert right == pytest.approx(top / 2, rel=1e-9)


def test_the_height_of_one_band_in_closed_form() -> None:
    """ε = f/4.319e-9 · 2√(ln 2/π)/FWHM, which for 0.4 eV is 6.74e4 f."""
    [(place, height)] = peaks([sticks((3.0, 0.5))], np.ones(1), 1, 5, electronic(0.4))
    assert place == pytest.approx(3.0, abs=1e-6)
    wanted = 0.5 / 4.319e-9 * 2 * math.sqrt(math.log(2) / math.pi) / (0.4 * PER_EV)
    assert height == pytest.approx(wanted, rel=1e-6)


def test_two_near_bands_have_one_maximum_where_the_slope_is_nought() -> None:
    """Broadened over energies; Gauss curves over wavelengths would have it elsewhere."""
    pair = sticks((2.9, 1.0), (3.1, 0.6))
    [top] = maxima([pair], np.ones(1), 1, 5, electronic(0.4))
    half = 0.2 / math.sqrt(math.log(2))

    def slope(at: float) -> float:
        return sum(
            f * (at - e) * math.exp(-(((at - e) / half) ** 2)) for e, f in ((2.9, 1), (3.1, 0.6))
        )

    assert slope(top.photon_energy - 1e-5) < 0 < slope(top.photon_energy + 1e-5)
    assert top.wavelength == pytest.approx(EV_NM / top.photon_energy, rel=1e-6)
    assert top.wavenumber == pytest.approx(top.photon_energy * PER_EV, rel=1e-6)
    at = np.linspace(350, 500, 200_001)  # nm: bands as wide over wavelengths
    wide = EV_NM / 2.8 - EV_NM / 3.2
    other = sum(
        f * np.exp(-4 * math.log(2) * ((at - EV_NM / e) / wide) ** 2)
        for e, f in ((2.9, 1), (3.1, 0.6))
    )
    assert abs(at[np.argmax(other)] - top.wavelength) > 0.3


def test_a_curve_over_wavelengths_has_its_maximum_where_that_over_energies_has_it() -> None:
    """ε is a number at a place: read over nm, no factor comes to it."""
    two = [sticks((2.0, 0.2), (3.4, 0.5)), sticks((2.2, 0.4))]
    shape, weights = electronic(0.5), np.array([0.7, 0.3])
    tops = maxima(two, weights, 1.5, 4.5, shape)
    nm = np.linspace(EV_NM / 4.4, EV_NM / 1.6, 400_001)
    over = summed(two, weights, EV_NM / nm, shape)
    inner = np.flatnonzero((over[1:-1] > over[:-2]) & (over[1:-1] > over[2:])) + 1
    found = [one.wavelength for one in reversed(tops)]
    assert nm[inner] == pytest.approx(found, abs=0.01)


@given(
    st.lists(
        st.tuples(st.floats(1, 6), st.floats(0.01, 2), st.floats(0.01, 1)), min_size=1, max_size=6
    ),
    st.randoms(),
)
def test_the_order_of_conformers_and_lines_does_not_matter(
    parts: list[tuple[float, float, float]], random: Random
) -> None:
    shape, at = electronic(0.3), np.linspace(0.5, 7, 50)
    mixed = list(parts)
    random.shuffle(mixed)
    curves = [
        summed(
            [
                sticks((e, f), (e + 1, f / 2)) if n % 2 else sticks((e + 1, f / 2), (e, f))
                for n, (e, f, _) in enumerate(some)
            ],
            np.array([w for *_, w in some]),
            at,
            shape,
        )
        for some in (parts, mixed)
    ]
    assert curves[0] == pytest.approx(curves[1], rel=1e-9, abs=1e-9)


def test_weights_need_not_add_up() -> None:
    two, shape = [sticks((3, 1)), sticks((4, 1))], infrared(20)
    at = np.linspace(0, 10, 11)
    full = summed(two, np.array([0.6, 0.4]), at, shape)
    assert summed(two, np.array([0.3, 0.2]), at, shape) == pytest.approx(full)


def test_the_error_of_a_place_in_closed_form() -> None:
    """Of two bands that are one: d(place)/dE by the weights, for errors that are small."""
    two, shape = [sticks((3.0, 1.0)), sticks((3.02, 1.0))], electronic(0.4)
    weights, error = np.array([0.6, 0.4]), 0.1
    [top] = maxima(two, weights, 1, 5, shape, weight_error=error, temperature=298.15)
    assert top.photon_energy == pytest.approx(3.0 + 0.4 * 0.02, abs=1e-4)
    change = error * 1000 / (8.314462618 * 298.15)  # of ln w, for each of the two
    wanted = math.sqrt(2) * 0.6 * 0.4 * change * 0.02
    assert top.energy_error == pytest.approx(wanted, rel=0.02)


def test_one_conformer_and_no_temperature_leave_no_error() -> None:
    shape = electronic(0.4)
    one = maxima([sticks((3, 1))], np.ones(1), 1, 5, shape, weight_error=4, temperature=300)
    two = maxima([sticks((3, 1)), sticks((4, 1))], np.ones(2), 1, 6, shape, weight_error=4)
    assert {top.energy_error for top in (*one, *two)} == {0.0}


def test_scaled_wavenumbers() -> None:
    one = sticks((1000.0, 10.0), (3000.0, 5.0))
    tops = maxima([one], np.ones(1), 0, 4000, infrared(10, 0.96))
    assert [top.wavenumber for top in tops] == pytest.approx([960, 2880], abs=0.01)
    assert tops[0].peak_absorption > tops[1].peak_absorption


def test_dark_lines_have_no_maximum() -> None:
    assert maxima([sticks((3.0, 0.0))], np.ones(1), 1, 5, electronic(0.4)) == ()


def test_a_curve_is_drawn_as_near_as_its_lines_are_wide() -> None:
    """Between its places it is nowhere far from straight, and its maxima are among them."""
    [whole] = [one for one in EVERYTHING if isinstance(one, InfraredSpectrum)]
    [vibrations] = [one for one in whole.conformers if isinstance(one, ConformerVibrations)]
    waves = np.array([[1150.3, 1180.9, 1712.4], [1163.3, 1240.1, 2912.4]])
    parts = tuple(
        replace_fields(vibrations, number=n, weight=weight, wavenumbers=places, infrared=strong)
        for n, weight, places, strong in (
            (1, 0.7, waves[0], np.array([60.0, 5.0, 100.0])),
            (2, 0.3, waves[1], np.array([60.0, 1.0, 100.0])),
        )
    )
    shape, weights = infrared(20.0, 0.96), np.array([0.7, 0.3])
    lines = [one.lines for one in parts]
    places = grid(0.0, 4000.0, shape)
    tops = maxima(lines, weights, 0.0, 4000.0, shape)
    found = replace_fields(
        whole,
        conformers=parts,
        maxima=tops,
        wavenumbers=places,
        absorption=summed(lines, weights, places, shape),
    )
    curve = spectrum_chart(found).series[0]
    at, drawn = np.array(curve.x), np.array(curve.y)
    assert len(tops) == 3  # some of one are shoulders of others
    for top in tops:
        assert np.abs(at - top.wavenumber).min() < 1e-6
    fine = np.linspace(0.0, 4000.0, 40_001)
    exact = summed(lines, weights, fine, shape)
    assert np.abs(np.interp(fine, at, drawn) - exact).max() < 0.01 * exact.max()
    assert len(at) < len(places)


def replace_fields(model: ModelT, **fields: Any) -> ModelT:
    return type(model)(**{name: getattr(model, name) for name in type(model).model_fields} | fields)
