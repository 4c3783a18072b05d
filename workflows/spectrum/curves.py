"""From lines of conformers to a curve: their weighted sum, its maxima, and how sure these are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ontologies.factors import EV_NM, EV_WAVENUMBER, GAS_CONSTANT
from ontologies.spectra import SpectrumMaximum
from ontologies.units import Floats
from workflows.geometry.spectra import bands, lines

Sticks: TypeAlias = tuple[Floats, Floats]
"""Places and strengths of the lines of a conformer."""

FINE = 20
"""Steps of a curve within a width: its maxima are where its steps find them, then refined."""

STORED = 10
"""Steps within a width of what is stored."""

FAINT = 0.001
"""Share of the highest maximum from which another is told."""

PLACED = 1e-6
"""How near a maximum is found, in widths."""


@dataclass(frozen=True)
class Shape:
    """How lines are broadened, and on which scale.

    Attributes:
        broaden: returns the molar decadic absorption coefficient of lines at some places.
        width: full width at half height, in the unit of the scale.
        per_volt: what an eV is on the scale.
        scale: factor on the places of all lines.
    """

    broaden: Callable[[Floats, Floats, Floats, float], Floats]
    width: float
    per_volt: float
    scale: float = 1.0


def electronic(width: float) -> Shape:
    """Return Gauss bands over eV."""
    return Shape(bands, width, 1.0)


def infrared(width: float, scale: float = 1.0) -> Shape:
    """Return Lorentz lines over 1/cm."""
    return Shape(lines, width, EV_WAVENUMBER, scale)


def summed(sticks: Sequence[Sticks], weights: Floats, at: Floats, shape: Shape) -> Floats:
    """Return the sum of spectra by their weights, which need not add up to 1.

    Args:
        sticks: of each conformer, in any order.
        weights: of each.
        at: places, in the unit of the scale.
        shape: of the lines.
    """
    shares = np.asarray(weights, float) / np.sum(weights)
    places = np.concatenate([place for place, _ in sticks]) * shape.scale
    strengths = np.concatenate(
        [share * strength for share, (_, strength) in zip(shares, sticks, strict=True)]
    )
    return shape.broaden(places, strengths, at, shape.width)


def grid(low: float, high: float, shape: Shape, steps: int = STORED) -> Floats:
    """Return places from one to another that are near enough for a curve."""
    return np.linspace(low, high, max(2, math.ceil((high - low) / shape.width * steps) + 1))


def peaks(
    sticks: Sequence[Sticks],
    weights: Floats,
    low: float,
    high: float,
    shape: Shape,
    faint: float = FAINT,
) -> list[tuple[float, float]]:
    """Return the places of the maxima within a range, ascending, each with its height.

    Those below a share of the highest are left out; ends of the range are none.
    """
    at = grid(low, high, shape, FINE)
    curve = summed(sticks, weights, at, shape)
    inner = np.flatnonzero((curve[1:-1] > curve[:-2]) & (curve[1:-1] >= curve[2:])) + 1
    found: list[tuple[float, float]] = []
    for index in inner.tolist():
        if curve[index] > faint * curve.max():
            left, right = float(at[index - 1]), float(at[index + 1])
            while right - left > PLACED * shape.width:  # the highest of eleven places, ever nearer
                near = np.linspace(left, right, 11)
                best = int(summed(sticks, weights, near, shape).argmax())
                left, right = float(near[max(best - 1, 0)]), float(near[min(best + 1, 10)])
            place = (left + right) / 2
            height = float(summed(sticks, weights, np.array([place]), shape)[0])
            found.append((place, height))
    return found


def maxima(
    sticks: Sequence[Sticks],
    weights: Floats,
    low: float,
    high: float,
    shape: Shape,
    *,
    weight_error: float = 0.0,
    temperature: float | None = None,
) -> tuple[SpectrumMaximum, ...]:
    """Return the maxima within a range, by ascending energy.

    Args:
        sticks: of each conformer.
        weights: of each.
        low: of the range, in the unit of the scale.
        high: likewise.
        shape: of the lines.
        weight_error: how far the energy of each conformer may be off, in kJ/mol. Each is moved up
            and down by it, alone; half the changes of a place are added in squares, as errors that
            know nothing of each other.
        temperature: of the weights, in K; None where they are no Boltzmann weights.
    """
    found = peaks(sticks, weights, low, high, shape)
    spread = np.zeros(len(found))
    if weight_error > 0 and temperature and len(sticks) > 1 and found:
        factor = math.exp(weight_error * 1000 / (GAS_CONSTANT * temperature))
        places = np.array([place for place, _ in found])
        changes = [
            _moved(places, sticks, np.asarray(weights, float), number, factor, low, high, shape)
            for number in range(len(sticks))
        ]
        spread = np.sqrt(np.sum(np.square(changes), axis=0))
    return tuple(
        _maximum(place, height, float(error), shape)
        for (place, height), error in zip(found, spread, strict=True)
    )


def _moved(
    places: Floats,
    sticks: Sequence[Sticks],
    weights: Floats,
    number: int,
    factor: float,
    low: float,
    high: float,
    shape: Shape,
) -> Floats:
    """Return half of how far maxima move between more and less of one conformer."""
    ends: list[Floats] = []
    for times in (factor, 1 / factor):
        changed = weights.copy()
        changed[number] *= times
        near = np.array([at for at, _ in peaks(sticks, changed, low, high, shape, 0.0)])
        ends.append(near[np.abs(near - places[:, None]).argmin(axis=1)] if near.size else places)
    return (ends[0] - ends[1]) / 2


def _maximum(place: float, height: float, error: float, shape: Shape) -> SpectrumMaximum:
    energy = place / shape.per_volt
    return SpectrumMaximum(
        photon_energy=energy,
        wavelength=EV_NM / energy,
        wavenumber=energy * EV_WAVENUMBER,
        peak_absorption=height,
        energy_error=error / shape.per_volt,
    )


def last_place(sticks: Iterable[Sticks]) -> float:
    """Return the highest place of all lines; 0 of none."""
    return max((float(places.max(initial=0.0)) for places, _ in sticks), default=0.0)


def first_place(sticks: Iterable[Sticks]) -> float:
    """Return the lowest place of all lines; infinite of none."""
    return min((float(places.min(initial=np.inf)) for places, _ in sticks), default=math.inf)
