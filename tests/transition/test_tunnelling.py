"""Corrections for tunnelling, against published values and limits."""

from __future__ import annotations

import math

import pytest

from workflows.transition.barrier import eyring
from workflows.transition.tunnelling import eckart, reduced, wigner

RATIOS = (2, 3, 4, 5, 6, 8, 10, 12, 16)
PUBLISHED = {
    (0.5, 0.5): (1.16, 1.25, 1.34, 1.44, 1.55, 1.80, 2.09, 2.42, 3.26),
    (0.5, 20): (0.93, 0.94, 0.95, 0.97, 1.00, 1.08, 1.19, 1.31, 1.64),
    (1, 4): (1.14, 1.24, 1.37, 1.53, 1.71, 2.16, 2.78, 3.60, 6.16),
    (2, 2): (1.32, 1.58, 1.91, 2.34, 2.90, 4.55, 7.34, 12.1, 34.0),
    (2, 20): (1.12, 1.27, 1.47, 1.74, 2.10, 3.18, 5.03, 8.22, 23.3),
    (4, 8): (1.25, 1.51, 1.93, 2.56, 3.56, 7.57, 18.0, 46.7, 376),
    (8, 8): (1.24, 1.56, 2.04, 2.94, 4.54, 13.8, 57.0, 307),
    (12, 20): (1.2, 1.5, 2.1, 3.1, 5.4, 26, 246, 3920),
    (16, 16): (1.2, 1.5, 2.1, 3.2, 5.7, 32, 437),
}
"""H. S. Johnston, J. Heicklen, J. Phys. Chem. 66, 532 (1962), doi:10.1021/j100809a040, table 1:
the factor for α1 = 2π V1/hν and α2, at hν/kT = 2 … 16."""


@pytest.mark.parametrize("shape", PUBLISHED, ids=str)
def test_eckart_as_published(shape: tuple[float, float]) -> None:
    """Small barriers are off by up to 1.5 %; so are entries of two digits."""
    for ratio, value in zip(RATIOS, PUBLISHED[shape], strict=False):
        one, other = (alpha * ratio / (2 * math.pi) for alpha in shape)
        digits = 0.051 if value < 100 and shape[0] >= 12 else 0.0
        assert eckart(ratio, one, other) == pytest.approx(value, rel=0.015, abs=digits)
        assert eckart(ratio, other, one) == pytest.approx(eckart(ratio, one, other), rel=1e-5)


def test_without_tunnelling_the_factor_is_one() -> None:
    assert eckart(1e-3, 20.0, 30.0) == pytest.approx(1, abs=1e-6)
    assert wigner(0.0) == 1.0


def test_over_a_high_barrier_both_begin_alike() -> None:
    """Wigner's is the first term of the series in hν/kT: 1 + u²/24."""
    for ratio in (0.1, 0.3, 0.5):
        assert wigner(ratio) - 1 == pytest.approx(ratio**2 / 24)
        assert eckart(ratio, 400.0, 400.0) - 1 == pytest.approx(ratio**2 / 24, rel=0.03)


def test_a_parabola_is_the_limit_of_a_high_barrier() -> None:
    """(u/2)/sin(u/2) (R. P. Bell, Trans. Faraday Soc. 55, 1 (1959)), for u well below 2π."""
    assert eckart(2.0, 2000.0, 2000.0) == pytest.approx(1.0 / math.sin(1.0), rel=2e-3)


def test_a_wavenumber_of_1000_at_room_temperature() -> None:
    """kT/hc is 207.2 1/cm at 298.15 K (CODATA)."""
    assert reduced(-1000.0, 298.15) == pytest.approx(1000 / 207.2243, rel=1e-5)


def test_eyring() -> None:
    """kT/h is 6.2124e12 1/s at 298.15 K; 20 kcal/mol (83.68 kJ/mol) makes 0.0135 1/s."""
    assert eyring(0.0, 298.15) == pytest.approx(6.2124e12, rel=1e-4)
    assert eyring(83.68 / 2625.4996, 298.15) == pytest.approx(0.01355, rel=0.01)
