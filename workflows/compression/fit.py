"""The equation of state of energies at several volumes."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.crystals import GIGAPASCAL
from ontologies.factors import BOHR
from ontologies.units import Floats

FEWEST = 5
"""Points: the equation has four parameters, and an error needs one more."""

LEFT = 0.03
"""Of the depth of the curve: what the fit may leave of the energies, root mean square."""

UNSURE = 0.25
"""Of a bulk modulus: an error that is larger leaves it undetermined."""

TO_GIGAPASCAL = GIGAPASCAL * BOHR**3
"""GPa in an Eh/Å³."""


@dataclass(frozen=True)
class Fitted:
    """An equation of state.

    Attributes:
        problem: why the energies do not determine it; empty where they do.
        energy: at the minimum, in Eh.
        volume: there, in Å³, and its error.
        modulus: there, in GPa, and its error.
        derivative: of the modulus by the pressure, and its error.
        residual: root mean square of what is left of the energies, in Eh.
    """

    problem: str = ""
    energy: float = 0.0
    volume: tuple[float, float] = (0.0, 0.0)
    modulus: tuple[float, float] = (0.0, 0.0)
    derivative: tuple[float, float] = (0.0, 0.0)
    residual: float = 0.0

    def curve(self, volumes: Floats) -> Floats:
        """Return energies in Eh at volumes in Å³."""
        from ase.eos import birchmurnaghan

        modulus = self.modulus[0] / TO_GIGAPASCAL
        found = birchmurnaghan(volumes, self.energy, modulus, self.derivative[0], self.volume[0])
        return np.array(found, float)


def fit(volumes: Floats, energies: Floats) -> Fitted:
    """Fit the equation of Birch and Murnaghan, of third order, to energies at volumes.

    Errors hold two thirds of all cases by the scatter of the points (Student's t for few of them),
    or are the difference to the equation of Vinet at the same points, whichever is larger.

    Args:
        volumes: in Å³, shape (n,).
        energies: in Eh, shape (n,).
    """
    from ase.eos import birchmurnaghan, vinet

    if len(volumes) < FEWEST:
        return Fitted(f"{len(volumes)} volumes have an energy, and {FEWEST} are needed")
    order = np.argsort(volumes)
    volumes, energies = volumes[order], energies[order]
    lowest = int(np.argmin(energies))
    if lowest in (0, len(volumes) - 1):
        side = "smallest" if lowest == 0 else "largest"
        return Fitted(
            f"the energy is lowest at the {side} volume, {volumes[lowest]:.3f} Å³: the minimum "
            "lies outside"
        )
    found, errors = _least(birchmurnaghan, volumes, energies)
    if found is None or errors is None:
        return Fitted("no equation of state fits the energies")
    energy, modulus, derivative, volume = found
    left = energies - np.array(birchmurnaghan(volumes, *found), float)
    residual = float(np.sqrt(np.mean(left**2)))
    if not volumes[0] < volume < volumes[-1] or modulus <= 0:
        return Fitted("the curve of the fit has no minimum between the volumes", residual=residual)
    depth = float(np.ptp(energies))
    if residual > LEFT * depth:
        return Fitted(
            f"the energies do not lie on a smooth curve: the fit leaves {residual:.1e} Eh, "
            f"{residual / depth * 100:.0f} % of the depth of the curve",
            residual=residual,
        )
    other, _ = _least(vinet, volumes, energies)
    if other is not None:
        errors = np.maximum(errors, np.abs(other - found))
    if errors[1] > UNSURE * modulus:
        return Fitted(
            f"the bulk modulus would be {modulus * TO_GIGAPASCAL:.1f} ± "
            f"{errors[1] * TO_GIGAPASCAL:.1f} GPa, which determines nothing",
            residual=residual,
        )
    return Fitted(
        "",
        float(energy),
        (float(volume), float(errors[3])),
        (float(modulus * TO_GIGAPASCAL), float(errors[1] * TO_GIGAPASCAL)),
        (float(derivative), float(errors[2])),
        residual,
    )


def _least(
    form: Callable[..., Any], volumes: Floats, energies: Floats
) -> tuple[Floats | None, Floats | None]:
    """Return the parameters E, B, B' and V of an equation, with their errors."""
    from scipy.optimize import OptimizeWarning, curve_fit
    from scipy.stats import t as student

    bend, slope, _ = np.polyfit(volumes, energies, 2)
    if bend <= 0:
        return None, None
    place = float(np.clip(-slope / (2 * bend), volumes[0], volumes[-1]))
    zero, scale = float(energies.min()), float(np.ptp(energies))

    def scaled(at: Floats, energy: float, modulus: float, derivative: float, volume: float) -> Any:
        return form(at, energy, modulus, derivative, volume * place)

    start = [0.0, 2 * bend * place / scale, 4.0, 1.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error", OptimizeWarning)
        try:
            found, spread = curve_fit(scaled, volumes, (energies - zero) / scale, start)
        except (RuntimeError, OptimizeWarning, ValueError, FloatingPointError):
            return None, None
    units = np.array([scale, scale, 1.0, place])
    shift = np.array([zero, 0.0, 0.0, 0.0])
    few = float(student.ppf(ONE_SIGMA, len(volumes) - len(start)))  # larger than 1 for few points
    return found * units + shift, np.sqrt(np.diag(spread)) * units * few


ONE_SIGMA = 0.841345
"""What lies below one standard deviation: an error stands for two thirds of all cases."""
