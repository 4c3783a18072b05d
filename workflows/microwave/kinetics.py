"""The chemistry of the virtual device: one reaction of first order. Simulated, not measured."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ontologies.factors import GAS_CONSTANT
from ontologies.laboratory import HeatingParameters

ACTIVATION_ENERGY = 80_000.0  # J/mol. Made up: in the usual range of organic reactions in solution.
HALF_LIFE = 15.0  # Minutes at the reference temperature. Made up.
REFERENCE = 100.0  # °C. The temperature of that half-life.
ZERO_CELSIUS = 273.15  # K.

MODEL = (
    f"simulated: first order, Arrhenius, {ACTIVATION_ENERGY / 1000:g} kJ/mol, "
    f"half-life {HALF_LIFE:g} min at {REFERENCE:g} °C; pressure without effect"
)
"""What the record says of the origin of a conversion."""


def rate_constant(temperature: float) -> float:
    """Return the rate constant of the simulated reaction.

    Args:
        temperature: in °C.

    Returns:
        The rate constant in 1/min, by the Arrhenius equation.

    Source: S. Arrhenius, Z. Phys. Chem. 4, 226 (1889), doi:10.1515/zpch-1889-0416.
    """
    inverse = 1 / (temperature + ZERO_CELSIUS) - 1 / (REFERENCE + ZERO_CELSIUS)
    return math.log(2) / HALF_LIFE * math.exp(-ACTIVATION_ENERGY / GAS_CONSTANT * inverse)


def percent_conversion(heatings: Iterable[HeatingParameters]) -> float:
    """Return the simulated conversion after heatings, one after the other.

    1 − exp(−Σ k(T) t) for the temperatures T and durations t. Warming up, cooling down and the
    pressure have no effect.

    Args:
        heatings: with temperature in °C and duration in minutes.

    Returns:
        The conversion in percent, 0 to 100.
    """
    exposure = 0.0
    for heating in heatings:
        temperature, duration = heating.heating_temperature, heating.heating_duration
        if temperature is not None and duration is not None:
            exposure += rate_constant(temperature) * duration
    return -100.0 * math.expm1(-exposure)
