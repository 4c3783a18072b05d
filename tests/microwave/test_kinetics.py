"""The simulated conversion against the analytic form of a reaction of first order."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontologies.laboratory import HeatingParameters
from workflows.microwave.kinetics import MODEL, percent_conversion, rate_constant

TEMPERATURES = st.floats(25, 100)
DURATIONS = st.floats(1, 120)


def heating(temperature: float, duration: float, pressure: float = 1.0) -> HeatingParameters:
    return HeatingParameters(
        heating_temperature=temperature, heating_duration=duration, heating_pressure=pressure
    )


@pytest.mark.parametrize(
    ("minutes", "percent"), [(15, 50), (30, 75), (45, 87.5), (60, 93.75), (120, 99.609375)]
)
def test_half_of_what_is_left_reacts_every_fifteen_minutes_at_100_degrees(
    minutes: float, percent: float
) -> None:
    assert percent_conversion([heating(100, minutes)]) == pytest.approx(percent, rel=1e-12)


def test_the_rate_constant_follows_the_arrhenius_equation() -> None:
    """At 75 °C: ln(k2/k1) = −Ea/R (1/T2 − 1/T1), worked out by hand with 80 kJ/mol."""
    expected = math.log(2) / 15 * math.exp(-80_000 / 8.31446261815324 * (1 / 348.15 - 1 / 373.15))
    assert rate_constant(75) == pytest.approx(expected, rel=1e-12)
    assert rate_constant(75) == pytest.approx(0.007257, rel=1e-3)
    assert "simulated" in MODEL


@given(TEMPERATURES, TEMPERATURES)
def test_the_slope_over_the_inverse_temperature_is_the_activation_energy(
    one: float, two: float
) -> None:
    inverse = 1 / (one + 273.15) - 1 / (two + 273.15)
    expected = -80_000 / 8.31446261815324 * inverse
    assert math.log(rate_constant(one) / rate_constant(two)) == pytest.approx(expected, abs=1e-9)


@given(TEMPERATURES, DURATIONS)
def test_it_is_the_solution_of_the_rate_equation(temperature: float, duration: float) -> None:
    """dc/dt = −k c, integrated by Heun's method."""
    count, left = 2000, 1.0
    step = rate_constant(temperature) * duration / count
    for _ in range(count):
        left *= 1 - step + step * step / 2
    assert percent_conversion([heating(temperature, duration)]) == pytest.approx(
        100 * (1 - left), abs=1e-3
    )


@given(TEMPERATURES, DURATIONS, st.floats(1, 10))
def test_it_is_a_percentage_that_pressure_does_not_change(
    temperature: float, duration: float, pressure: float
) -> None:
    found = percent_conversion([heating(temperature, duration, pressure)])
    assert 0 < found <= 100
    assert found == percent_conversion([heating(temperature, duration)])


@given(st.lists(st.tuples(TEMPERATURES, DURATIONS), max_size=5))
def test_heatings_follow_one_another(times: list[tuple[float, float]]) -> None:
    """What one heating leaves is what the next begins with."""
    left = math.prod(1 - percent_conversion([heating(*time)]) / 100 for time in times)
    found = percent_conversion([heating(*time) for time in times])
    assert found == pytest.approx(100 * (1 - left), abs=1e-9)
