"""A line through acids of known pKa, and what it says of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ontologies.acidity import Calibration
from ontologies.factors import GAS_CONSTANT, HARTREE
from triplestore.errors import InputError, RecipeError

FEW, CLOSE = 4, 3.0
"""Below so many acids, or within so many units of pKa, a slope is not fitted unless asked for."""

LEVEL_OF_TRUST = 0.95

FREE = 2
"""Acids beyond those that were fitted, below which there is no interval: with one, Student's is
thirteen times the standard error, which says that nothing is known and looks like a number."""


@dataclass(frozen=True)
class Line:
    """The relation of pKa and deprotonation energy.

    Attributes:
        calibration: how it was found.
        slope: in units of the theoretical one.
        proton: Gibbs energy of the proton, Eh: pKa = slope (ΔG + proton) / unit.
        unit: RT ln 10, Eh.
        known: deprotonation energies (Eh) and measured pKa.
    """

    calibration: Calibration
    slope: float
    proton: float
    unit: float
    known: tuple[tuple[float, float], ...] = ()

    def pka(self, energy: float) -> float:
        """Return the pKa at a deprotonation energy in Eh."""
        return self.slope * (energy + self.proton) / self.unit

    @property
    def freedom(self) -> int:
        """How many acids there are beyond what was fitted."""
        return len(self.known) - (2 if self.calibration == "regression" else 1)

    def standard_error(self, energy: float) -> float | None:
        """Return that of a new pKa at a deprotonation energy (Eh); None where nothing says it.

        Source: N. R. Draper, H. Smith, Applied Regression Analysis, 3rd ed. (1998), section 3.1.
        """
        if self.calibration == "none" or self.freedom < 1:
            return None
        squares = math.fsum((pka - self.pka(x)) ** 2 for x, pka in self.known)
        share = 1 + 1 / len(self.known)
        if self.calibration == "regression":
            mean = math.fsum(x for x, _ in self.known) / len(self.known)
            share += (energy - mean) ** 2 / math.fsum((x - mean) ** 2 for x, _ in self.known)
        return math.sqrt(squares / self.freedom * share)

    def half_interval(self, energy: float) -> float | None:
        """Return half the width of the 95 % interval of a new pKa; None where too few say it."""
        error = self.standard_error(energy)
        if error is None or self.freedom < FREE:
            return None
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, (1 + LEVEL_OF_TRUST) / 2)) * error

    def beyond(self, energy: float) -> str:
        """Return by how much an acid lies outside those that are known; empty where it does not."""
        if not self.known:
            return ""
        low, high = min(self.known), max(self.known)
        if low[0] <= energy <= high[0]:
            return ""
        word, end = ("stronger", low) if energy < low[0] else ("weaker", high)
        apart = abs(energy - end[0]) * HARTREE["kcal/mol"]
        return (
            f"it lies outside the reference acids: {word} than all of them, by {apart:.2f} "
            f"kcal/mol beyond that of pKa {end[1]:g}"
        )


def rt_ln_10(temperature: float) -> float:
    """Return the Gibbs energy of one unit of pKa at a temperature in K, in Eh."""
    return GAS_CONSTANT * temperature * math.log(10) / 1000 / HARTREE["kJ/mol"]


def usual_calibration(measured: Sequence[float]) -> Calibration:
    """Return how acids of known pKa calibrate if nobody says."""
    if not measured:
        return "none"
    few = len(measured) < FEW or max(measured) - min(measured) < CLOSE
    return "fixed slope" if few else "regression"


def fitted(
    calibration: Calibration,
    known: Sequence[tuple[float, float]],
    temperature: float,
    proton: float | None = None,
) -> Line:
    """Return the relation of pKa and deprotonation energy.

    Args:
        calibration: how.
        known: deprotonation energies (Eh) and measured pKa.
        temperature: in K.
        proton: its Gibbs energy in solution, Eh, where there is no calibration.

    Raises:
        RecipeError: all acids have one energy, or the line has no slope.
    """
    unit = rt_ln_10(temperature)
    if calibration == "none":
        assert proton is not None  # somebody has to say it
        return Line("none", 1.0, proton, unit)
    count = len(known)
    x = math.fsum(energy for energy, _ in known) / count
    y = math.fsum(pka for _, pka in known) / count
    slope = 1.0
    if calibration == "regression":
        spread = math.fsum((energy - x) ** 2 for energy, _ in known)
        together = math.fsum((energy - x) * (pka - y) for energy, pka in known)
        slope = together / spread * unit if spread else 0.0
        if not slope:
            raise RecipeError(
                f"a line through {count} reference acids was asked for",
                "their energies do not tell them apart",
                "ask for the calibration `fixed slope`",
            )
    return Line(calibration, slope, y * unit / slope - x, unit, tuple(known))


def check_count(calibration: Calibration, count: int) -> None:
    """Refuse a calibration by too few acids.

    Raises:
        InputError: there are too few.
    """
    least = {"none": 0, "fixed slope": 1, "regression": 3}[calibration]
    if count < least:
        raise InputError(
            f"the calibration `{calibration}` was asked for",
            f"there are {count} reference acids; it needs {least}",
            "give more acids as in 'CC(=O)O=4.76', or ask for `fixed slope`",
        )
