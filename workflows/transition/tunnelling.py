"""What tunnelling does to a rate: Wigner's and Eckart's corrections."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import itertools
import math

import numpy as np

RANGE = 3.0
"""hν‡/kT above which Wigner's correction, the first term of a series in it, says nothing."""

NEAR_TOP = (-10.0, -3.0, -1.0, -0.3, -0.1, -0.03, 0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 50.0)
"""kT from the top of the barrier between which the integral is taken part by part."""


def reduced(wavenumber: float, temperature: float) -> float:
    """Return hν‡/kT of a wavenumber (1/cm; its sign does not matter) at a temperature (K)."""
    from scipy.constants import c, h, k

    return h * c * 100 * abs(wavenumber) / (k * temperature)


def wigner(ratio: float) -> float:
    """Return Wigner's correction for hν‡/kT.

    Source: E. Wigner, Z. Phys. Chem. B 19, 203 (1932).
    """
    return 1 + ratio**2 / 24


def eckart(ratio: float, forward: float, backward: float) -> float:
    """Return Eckart's correction: transmission through his barrier over that of classical motion.

    Args:
        ratio: hν‡/kT.
        forward: the barrier from the side that is left, in kT; positive.
        backward: likewise from the other side.

    Sources: C. Eckart, Phys. Rev. 35, 1303 (1930); H. S. Johnston, J. Heicklen, J. Phys. Chem. 66,
    532 (1962), doi:10.1021/j100809a040.
    """
    from scipy.integrate import quad

    one, other = (2 * math.pi * side / ratio for side in (forward, backward))
    scale = 2 / (one**-0.5 + other**-0.5)
    shape = 4 * one * other - math.pi**2
    first = max(0.0, forward - backward)  # below it there is nothing on the other side

    def transmitted(root: float) -> float:
        """Return the integrand; with the root of the energy as variable it begins smoothly."""
        energy = first + root**2
        before = scale * math.sqrt(energy / forward * one)
        behind = scale * math.sqrt(max((energy / forward - 1) * one + other, 0.0))
        if before * behind == 0:
            return 0.0
        above = math.log(2) + _log_sinh(before) + _log_sinh(behind)
        below = _log_cosh(before + behind)
        if shape >= 0:
            below = float(np.logaddexp(below, _log_cosh(math.sqrt(shape))))
        else:
            below += math.log1p(math.cos(math.sqrt(-shape)) * math.exp(-below))
        return math.exp(above - below + forward - energy) * 2 * root

    # where there is little tunnelling, all happens near the top
    ends = sorted({math.sqrt(max(0.0, forward - first + off)) for off in (-forward, *NEAR_TOP)})
    parts = (
        quad(transmitted, low, high, limit=500, epsrel=1e-6)[0]
        for low, high in itertools.pairwise(ends)
    )
    return float(sum(parts))


def _log_cosh(value: float) -> float:
    """Return the logarithm of a hyperbolic cosine, of large numbers too."""
    return abs(value) + math.log1p(math.exp(-2 * abs(value))) - math.log(2)


def _log_sinh(value: float) -> float:
    """Return the logarithm of a hyperbolic sine of a positive number, of large ones too."""
    return value + math.log(-math.expm1(-2 * value)) - math.log(2)
