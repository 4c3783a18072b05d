"""Charts of spectra: the sum with the lines of each conformer, and several over each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ontologies.outputs import ImportedLevel
from ontologies.spectra import (
    ElectronicSpectrum,
    EnsembleSpectrum,
    InfraredSpectrum,
    SpectrumMaximum,
)
from ontologies.units import Floats
from workflows.geometry.spectra import ABSORPTION, DARK, POINTS, short, wavelengths
from workflows.show.blocks import Axis, Chart, Series
from workflows.show.object_blocks import floats

from .curves import Shape, electronic, grid, infrared, summed
from .lines import BRIGHT

SHOULDER = 4.0
"""Widths around a line within which its curve is bent."""


def shape_of(found: EnsembleSpectrum) -> Shape:
    """Return how the lines of a spectrum are broadened."""
    if isinstance(found, InfraredSpectrum):
        return infrared(found.line_width, found.scale)
    assert isinstance(found, ElectronicSpectrum)  # there is no other
    return electronic(found.band_width)


def bands_of(found: EnsembleSpectrum) -> list[SpectrumMaximum]:
    """Return the maxima of a spectrum that are seen, the highest first."""
    seen = [one for one in found.maxima if one.peak_absorption >= DARK]
    return sorted(seen, key=lambda one: -one.peak_absorption)


def climbs(found: EnsembleSpectrum) -> bool:
    """Return whether a curve without a maximum is seen all the same, at its end."""
    return bool(found.absorption.size) and float(found.absorption.max()) >= DARK


def why_dark(found: EnsembleSpectrum) -> str:
    """Say that nothing in the range of a spectrum absorbs, and where the first line does."""
    unit, end = "cm⁻¹", float(found.places[-1])
    if isinstance(found, ElectronicSpectrum):
        unit, end = "eV", found.up_to
    said = f"No line up to {end:g} {unit} absorbs: the curve is zero"
    if climbs(found):
        said = f"No maximum up to {end:g} {unit}: the curve climbs towards what lies above"
    if not isinstance(found, ElectronicSpectrum):
        return said
    above = [
        (float(at), float(strength))
        for one in found.conformers
        for at, strength in zip(*one.lines, strict=True)
        if at > end and strength >= BRIGHT
    ]
    if not above:
        known = max(float(one.lines[0].max()) for one in found.conformers)
        return f"{said}; no state up to {known:.2f} eV has f of {BRIGHT:g}; ask for more: `up_to`"
    at, strength = min(above)
    further = math.ceil(at + 2 * found.band_width)
    return (
        f"{said}; the first that is seen lies at {at:.2f} eV (f {strength:.3f}): `up_to` {further}"
    )


def spectrum_chart(found: EnsembleSpectrum) -> Chart:
    """Return the sum over the conformers, with the lines of each by its share."""
    total, shape = float(found.weights.sum()), shape_of(found)
    alone = found.sample.ensemble is None  # one geometry
    if isinstance(found, ElectronicSpectrum):
        axis = Axis("oscillator strength" if alone else "f × share", reach=0.01)
    else:
        axis = Axis("intensity" if alone else "intensity × share", "km/mol", reach=1)
    digits = 2 if isinstance(found, ElectronicSpectrum) else 0
    low, high = float(found.places[0]), float(found.places[-1])
    sticks: list[Series] = []
    for one in found.conformers:
        share, (places, strengths) = one.weight / total, one.lines
        seen = (places * shape.scale >= low) & (places * shape.scale <= high)
        label = f"conformer {one.number}, {100 * share:.0f} %"
        if alone:
            label = "states" if isinstance(found, ElectronicSpectrum) else "vibrations"
        sticks.append(
            Series(
                label,
                floats(places[seen] * shape.scale),
                short(strengths[seen] * share),
                "sticks",
                tuple(f"{place:.{digits}f}" for place in floats(places[seen] * shape.scale))
                if alone
                else (),
                axis=axis,
            )
        )
    curve = "absorption" if alone else "sum"
    title = "UV-Vis spectrum" if isinstance(found, ElectronicSpectrum) else "Infrared spectrum"
    made = _chart(f"{title} of {found.name}", [found], (curve,), sticks, "spectrum")
    told = [] if bands_of(found) else [why_dark(found)]
    if isinstance(found.level, ImportedLevel):
        told.append(f"Read: {found.level.label}")
    return replace(made, note=". ".join([made.note, *told]))


def comparison_chart(spectra: Sequence[EnsembleSpectrum]) -> Chart:
    """Return several spectra over each other."""
    return _chart("Spectra", spectra, [one.name for one in spectra], (), "spectra")


def _chart(
    title: str,
    spectra: Sequence[EnsembleSpectrum],
    labels: Sequence[str],
    sticks: Sequence[Series],
    name: str,
) -> Chart:
    first = spectra[0]
    low = min(float(one.places[0]) for one in spectra)
    high = max(float(one.places[-1]) for one in spectra)
    curves = [
        Series(label, floats(at), short(_curve(one, at)), dashed=n > 0 and len(spectra) == 2)
        for n, (label, one) in enumerate(zip(labels, spectra, strict=True))
        for at in [
            _places(one, low, min(high, one.up_to) if isinstance(one, ElectronicSpectrum) else high)
        ]
    ]
    width = f"{shape_of(first).width:g}"
    if isinstance(first, ElectronicSpectrum):
        above = wavelengths(math.floor(low), math.ceil(high))
        note = f"Gauss bands, full width at half height {width} eV"
        return Chart(
            title,
            Axis("energy", "eV"),
            ABSORPTION,
            (*curves, *sticks),
            name,
            note=note,
            above=above,
        )
    note = f"Lorentz lines, full width at half height {width} cm⁻¹{_scaled(spectra)}"
    return Chart(
        title,
        Axis("wavenumber", "cm⁻¹", reversed=True),
        ABSORPTION,
        (*curves, *sticks),
        name,
        note=note,
    )


def _scaled(spectra: Sequence[EnsembleSpectrum]) -> str:
    """Say by what wavenumbers are multiplied; of several spectra each factor once."""
    factors = {f"{one.scale:g}": one for one in spectra if isinstance(one, InfraredSpectrum)}
    if set(factors) == {"1"}:
        return "; wavenumbers not scaled"
    return "; wavenumbers × " + ", ".join(factors)


def _places(found: EnsembleSpectrum, low: float, high: float) -> Floats:
    """Return where a curve is drawn: evenly, as near as its lines are wide, and at its maxima."""
    shape = shape_of(found)
    lines = np.sort(np.concatenate([one.lines[0] for one in found.conformers])) * shape.scale
    fine = grid(low, high, shape)
    after = np.searchsorted(lines, fine).clip(1, max(1, len(lines) - 1))
    around = lines[np.stack([after - 1, after.clip(max=len(lines) - 1)])]
    near = fine[np.abs(around - fine).min(axis=0) <= SHOULDER * shape.width]
    tops = [one.photon_energy * shape.per_volt for one in found.maxima]
    return np.unique(np.concatenate([np.linspace(low, high, POINTS), near, tops]))


def _curve(found: EnsembleSpectrum, at: Floats) -> Floats:
    return summed([one.lines for one in found.conformers], found.weights, at, shape_of(found))
