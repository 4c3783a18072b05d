"""Charts as SVG: spectra, and the course of an optimisation.

They hold no text of a person, need no script and load nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ontologies.factors import EV_NM, EV_WAVENUMBER
from ontologies.units import Floats

from .words import count

LINE_WIDTH = 20.0
"""1/cm. Full width at half height of the Lorentz curves of an infrared spectrum."""

BAND_WIDTH = 0.4
"""eV. Half width at 1/e of the height of the Gauss curves of an absorption spectrum."""

POINTS = 400
"""Places at which a curve is drawn, besides its peaks."""

LABELS = 6
"""Sticks of a spectrum that are labelled at most, the strongest first."""

WORTH = 0.05
"""Those are that have at least this share of the strongest."""

LEFT = 80
"""Pixels from the left edge to the vertical axis of a spectrum."""

ABSORPTION = "ε / L mol⁻¹ cm⁻¹"

APART = 46.0
"""Pixels between labels at least."""


def course(energies: Sequence[float], width: int = 560, height: int = 200) -> str:
    """Draw energies above the last one (kJ/mol) against the step of an optimisation."""
    low, high = min(energies), max(energies)
    span, left, floor = (high - low) or 1.0, LEFT, height - 48
    across = (width - left - 20) / max(1, len(energies) - 1)
    points = [
        (left + index * across, floor - (energy - low) / span * (floor - 16))
        for index, energy in enumerate(energies)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [
        f'<path class="axis" d="M{left - 8} 10V{floor + 6}H{width - 12}"/>',
        f'<polyline class="course" points="{line}"/>',
    ]
    parts += [
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3.2"><title>step {index}: '
        f"{_signed(energy)} kJ/mol</title></circle>"
        for index, ((x, y), energy) in enumerate(zip(points, energies, strict=True), 1)
    ]
    for value, y in ((high, 16), (low, floor))[: 1 if high == low else 2]:
        parts.append(f'<text x="{left - 14}" y="{y + 4}" text-anchor="end">{_signed(value)}</text>')
    every = max(1, math.ceil(len(points) / 12))
    for index in range(0, len(points), every):
        parts.append(
            f'<text x="{points[index][0]:.1f}" y="{floor + 22}" text-anchor="middle">'
            f"{index + 1}</text>"
        )
    title = f"Energy in kJ/mol at each of {len(energies)} steps"
    return chart(title, parts, width, height, "step", "ΔE / kJ mol⁻¹")


def _signed(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


# --- spectra -------------------------------------------------------------------------------------


def lines(wavenumbers: Floats, intensities: Floats, at: Floats) -> Floats:
    """Return the molar decadic absorption coefficient of an infrared spectrum in L/(mol cm).

    Args:
        wavenumbers: of the modes, in 1/cm, shape (modes,).
        intensities: in km/mol, shape (modes,).
        at: wavenumbers where it is wanted.

    The integral over a band is the intensity: 1 km/mol is 100/ln 10 L/(mol cm²).
    """
    half = LINE_WIDTH / 2
    shapes = half / math.pi / ((at[:, None] - wavenumbers) ** 2 + half**2)
    return shapes @ intensities * 100 / math.log(10)


def bands(energies: Floats, strengths: Floats, at: Floats) -> Floats:
    """Return the molar decadic absorption coefficient of an electronic spectrum in L/(mol cm).

    Args:
        energies: of the states, in eV, shape (states,).
        strengths: their oscillator strengths, shape (states,).
        at: energies where it is wanted.

    The integral over a band, in 1/cm, is f/4.319e-9 L/(mol cm²).
    Source: P. J. Stephens, N. Harada, Chirality 22, 229 (2010).
    """
    shapes = np.exp(-(((at[:, None] - energies) / BAND_WIDTH) ** 2))
    return shapes @ strengths / (4.319e-9 * math.sqrt(math.pi) * BAND_WIDTH * EV_WAVENUMBER)


def infrared(wavenumbers: Floats, intensities: Floats, width: int = 560, height: int = 280) -> str:
    """Draw an infrared spectrum, high wavenumbers left; imaginary modes are left out."""
    real = wavenumbers > 0
    places, strengths = wavenumbers[real], intensities[real]
    step = 500.0 if places.max(initial=0.0) <= 2500 else 1000.0
    high = max(step, math.ceil(1.02 * places.max(initial=0.0) / step) * step)
    at = np.unique(np.concatenate([np.linspace(0, high, POINTS), places]))
    ticks = [(value, f"{value:.0f}") for value in np.arange(0, high + 1, step).tolist()]
    names = [
        f"{place:.1f} cm⁻¹, {strength:.1f} km/mol"
        for place, strength in zip(places, strengths, strict=True)
    ]
    curve = np.stack([at, lines(places, strengths, at)])
    labels = [f"{place:.0f}" for place in places]
    parts = _spectrum((high, 0.0), ticks, places, strengths, names, labels, curve, width, height)
    title = f"Infrared spectrum of {count(len(places), 'mode')}"
    return chart(title, parts, width, height, "wavenumber / cm⁻¹", ABSORPTION)


def absorption(energies: Floats, strengths: Floats, width: int = 560, height: int = 300) -> str:
    """Draw an electronic absorption spectrum over eV, with wavelengths in nm above."""
    low = math.floor(float(energies.min()) - 3 * BAND_WIDTH)
    high = math.ceil(float(energies.max()) + 3 * BAND_WIDTH)
    low = max(low, 0)
    at = np.unique(np.concatenate([np.linspace(low, high, POINTS), energies]))
    every = max(1, math.ceil((high - low) / 8))
    ticks = [(float(value), f"{value}") for value in range(low, high + 1, every)]
    above = [(value, f"{EV_NM / value:.0f}") for value, _ in ticks if value > 0]
    names = [
        f"state {n}: {energy:.3f} eV, {EV_NM / energy:.1f} nm, f = {strength:.4f}"
        for n, (energy, strength) in enumerate(zip(energies, strengths, strict=True), 1)
    ]
    curve = np.stack([at, bands(energies, strengths, at)])
    labels = [f"{energy:.2f}" for energy in energies]
    ends = (float(low), float(high))
    parts = _spectrum(ends, ticks, energies, strengths, names, labels, curve, width, height, above)
    title = f"Absorption spectrum of {count(len(energies), 'state')}"
    over = f'<text x="{(width + LEFT) / 2:g}" y="15" text-anchor="middle">wavelength / nm</text>'
    return chart(title, [*parts, over], width, height, "energy / eV", ABSORPTION)


def _spectrum(
    ends: tuple[float, float],
    ticks: Sequence[tuple[float, str]],
    places: Floats,
    strengths: Floats,
    names: Sequence[str],
    labels: Sequence[str],
    curve: Floats,
    width: int,
    height: int,
    above: Sequence[tuple[float, str]] = (),
) -> list[str]:
    """Draw sticks and a curve, each on a scale of its own; the curve's is written on the left.

    Args:
        ends: places of the left and the right end.
        ticks: places and texts below.
        places: of the sticks, with their strengths and names.
        strengths: likewise.
        names: likewise.
        labels: likewise, short, for the strongest.
        curve: places and values, shape (2, points).
        width: in pixels.
        height: in pixels.
        above: places and texts above.
    """
    left, right, top, floor = LEFT, width - 16, 60 if above else 24, height - 46
    first, last = ends

    def x(place: float) -> str:
        return f"{left + (place - first) / (last - first) * (right - left):.1f}"

    tallest = floor - top - 18  # room for a label
    highest, strongest = float(curve[1].max()), float(strengths.max(initial=0.0))
    parts = [f'<path class="axis" d="M{left} {top}V{floor}H{right}"/>']
    for value in _round_values(highest):
        y = floor - value / (highest or 1.0) * tallest
        text = f"{value:,.0f}" if value >= 1000 else f"{value:g}"
        parts.append(f'<path class="axis" d="M{left - 5} {y:.1f}h5"/>')
        parts.append(f'<text x="{left - 9}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for value, text in ticks:
        parts.append(f'<path class="axis" d="M{x(value)} {floor}v5"/>')
        parts.append(f'<text x="{x(value)}" y="{floor + 20}" text-anchor="middle">{text}</text>')
    for value, text in above:
        parts.append(f'<path class="axis" d="M{x(value)} {top}v-5"/>')
        parts.append(f'<text x="{x(value)}" y="{top - 10}" text-anchor="middle">{text}</text>')
    if above:
        parts.append(f'<path class="axis" d="M{left} {top}H{right}"/>')
    points = " ".join(
        f"{x(place)},{floor - value / (highest or 1.0) * tallest:.1f}"
        for place, value in curve.T.tolist()
    )
    parts.append(f'<polyline class="course" points="{points}"/>')
    for place, strength, name in zip(places.tolist(), strengths.tolist(), names, strict=True):
        tall = strength / (strongest or 1.0) * tallest
        kind = "real" if tall >= 1 else "dark"
        parts.append(
            f'<path class="{kind}" d="M{x(place)} {floor}v{-tall if tall >= 1 else 6:.1f}">'
            f"<title>{name}</title></path>"
        )
    seen: list[float] = []
    for index in np.argsort(-strengths, kind="stable").tolist():
        here = float(x(float(places[index])))
        clear = len(seen) < LABELS and all(abs(here - other) > APART for other in seen)
        if clear and strengths[index] >= WORTH * strongest > 0:
            seen.append(here)
            y = floor - strengths[index] / strongest * tallest - 5
            text = f'y="{y:.1f}" text-anchor="middle">{labels[index]}</text>'
            parts.append(f'<text class="peak" x="{min(here, right - 14):.1f}" {text}')
    return parts


def _round_values(highest: float) -> list[float]:
    """Return 0 and a few round values up to the highest."""
    if not highest > 0:
        return [0.0]
    power = 10.0 ** math.floor(math.log10(highest))
    step = next(s * power for s in (0.2, 0.5, 1.0, 2.0) if highest / (s * power) <= 5)
    return [round(n * step, 12) for n in range(int(highest / step) + 1)]


def sticks(wavenumbers: Sequence[float], width: int = 560, height: int = 150) -> str:
    """Draw a line of equal height at every wavenumber (cm⁻¹), imaginary ones left of zero."""
    step = 500.0 if max((abs(w) for w in wavenumbers), default=0.0) <= 2500 else 1000.0
    low = math.floor(min((0.0, *wavenumbers)) / step) * step
    high = max(step, math.ceil(max((0.0, *wavenumbers)) / step) * step)
    floor = height - 46

    def at(value: float) -> str:
        return f"{22 + (value - low) / (high - low) * (width - 44):.1f}"

    parts = [f'<path class="axis" d="M{at(low)} {floor}H{at(high)}"/>']
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        text = f"{abs(value):.0f}{'i' if value < 0 else ''}"
        parts.append(f'<path class="axis" d="M{at(value)} {floor}v5"/>')
        parts.append(f'<text x="{at(value)}" y="{floor + 19}" text-anchor="middle">{text}</text>')
    for value in wavenumbers:
        kind, text = ("imaginary", "i") if value < 0 else ("real", "")
        parts.append(
            f'<path class="{kind}" d="M{at(value)} {floor}V14">'
            f"<title>{abs(value):.1f}{text} cm⁻¹</title></path>"
        )
    real = sum(value >= 0 for value in wavenumbers)
    title = f"Wavenumbers: {real} real, {len(wavenumbers) - real} imaginary"
    return chart(title, parts, width, height, "wavenumber / cm⁻¹")


# --- all charts ----------------------------------------------------------------------------------


def chart(
    title: str, parts: Iterable[str], width: int, height: int, across: str = "", up: str = ""
) -> str:
    """Put a chart together.

    Args:
        title: what a reader hears who cannot see it.
        parts: of the drawing, above the lowest 46 pixels if the axis across has ticks.
        width: in pixels.
        height: in pixels.
        across: what the horizontal axis shows.
        up: likewise the vertical one.
    """
    names = [f'<text x="{(width + LEFT) / 2:g}" y="{height - 7}">{across}</text>'] * bool(across)
    if up:
        names.append(f'<text transform="translate(14 {height / 2 - 10:g}) rotate(-90)">{up}</text>')
    return (
        f'<svg class="chart" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}"><title>{title}</title>{"".join(parts)}'
        f'<g text-anchor="middle">{"".join(names)}</g></svg>'
    )
