"""Spectra as charts: sticks, and the curve that lines of a usual width make of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ontologies.excitations import ExcitedStates
from ontologies.factors import EV_NM, EV_WAVENUMBER
from ontologies.outputs import ImportedExcitations, ImportedVibrations
from ontologies.units import Floats
from ontologies.vibrations import VibrationalAnalysis
from workflows.show.blocks import Axis, Chart, Series
from workflows.show.object_blocks import floats

LINE_WIDTH = 20.0
"""1/cm. Full width at half height of the Lorentz curves of an infrared spectrum."""

BAND_WIDTH = 0.8 * math.sqrt(math.log(2))
"""eV. Full width at half height of the Gauss curves of one geometry: 0.4 eV is half of that at 1/e
of the height, which is the usual choice where one geometry stands for all."""

POINTS = 240
"""Places at which a curve is known, besides its peaks."""

NEAR = np.sinh(np.linspace(-2.5, 2.5, 31)) / 2
"""Places around the middle of a line at which its curve is known, too, in widths."""

DARK = 1.0
"""L/mol/cm. A maximum below that is seen in no spectrum: lines that symmetry forbids have 1e-20."""

UNSEEN = 1e-6
"""km/mol. A mode below that absorbs by rounding errors alone, such as those of N2."""

ABSORPTION = Axis("ε", "L/mol/cm", reach=DARK)


def lines(
    wavenumbers: Floats, intensities: Floats, at: Floats, width: float = LINE_WIDTH
) -> Floats:
    """Return the molar decadic absorption coefficient of an infrared spectrum in L/(mol cm).

    Args:
        wavenumbers: of the modes, in 1/cm, shape (modes,).
        intensities: in km/mol, shape (modes,).
        at: wavenumbers where it is wanted.
        width: full width at half height of each Lorentz curve, in 1/cm.

    The integral over a band is the intensity: 1 km/mol is 100/ln 10 L/(mol cm²).
    """
    half = width / 2
    shapes = half / math.pi / ((at[:, None] - wavenumbers) ** 2 + half**2)
    return shapes @ intensities * 100 / math.log(10)


def bands(energies: Floats, strengths: Floats, at: Floats, width: float = BAND_WIDTH) -> Floats:
    """Return the molar decadic absorption coefficient of an electronic spectrum in L/(mol cm).

    Args:
        energies: of the states, in eV, shape (states,).
        strengths: their oscillator strengths, shape (states,).
        at: energies where it is wanted.
        width: full width at half height of each Gauss curve, in eV.

    The integral over a band, in 1/cm, is f/4.319e-9 L/(mol cm²).
    Source: P. J. Stephens, N. Harada, Chirality 22, 229 (2010).
    """
    half = width / (2 * math.sqrt(math.log(2)))  # at 1/e of the height
    shapes = np.exp(-(((at[:, None] - energies) / half) ** 2))
    return shapes @ strengths / (4.319e-9 * math.sqrt(math.pi) * half * EV_WAVENUMBER)


def infrared_chart(found: VibrationalAnalysis | ImportedVibrations) -> Chart:
    """Return an infrared spectrum, high wavenumbers left; without intensities just its lines."""
    waves, light = found.wavenumbers, found.infrared
    across = Axis("wavenumber", "cm⁻¹", reversed=True)
    if light is None or light.max(initial=0.0) < UNSEEN:
        why = f"intensities {_missing(found)}" if light is None else "no mode absorbs"
        series = [
            Series(label, floats(some), (1.0,) * len(some), "sticks", dashed=label != "")
            for label, some in (("", waves[waves > 0]), ("imaginary", -waves[waves < 0]))
            if len(some)
        ]
        note = f"All sticks are of equal height: {why}"
        return Chart("Wavenumbers", across, Axis(""), tuple(series), "wavenumber_sticks", note=note)
    places, strengths = waves[waves > 0], light[waves > 0]
    step = 500.0 if places.max(initial=0.0) <= 2500 else 1000.0
    high = max(step, math.ceil(1.02 * places.max(initial=0.0) / step) * step)
    near = (places[:, None] + LINE_WIDTH * NEAR).ravel()
    near = near[(near > 0) & (near < high)]
    at = np.unique(np.concatenate([np.linspace(0, high, POINTS), places, near]))
    labels = tuple(f"{place:.0f}" for place in places)
    curve = Series("absorption", floats(at), short(lines(places, strengths, at)))
    sticks = Series(
        "intensity",
        floats(places),
        floats(strengths),
        "sticks",
        labels,
        axis=Axis("intensity", "km/mol", reach=1),
    )
    unseen = "; imaginary modes are not drawn" if (waves < 0).any() else ""
    note = f"Curve: Lorentz lines of {LINE_WIDTH:g} cm⁻¹ full width at half height{unseen}"
    return Chart("Infrared spectrum", across, ABSORPTION, (curve, sticks), "infrared", note=note)


def absorption_chart(found: ExcitedStates | ImportedExcitations) -> Chart:
    """Return an electronic absorption spectrum over eV, with wavelengths in nm above.

    Without oscillator strengths it is just the places of the states.
    """
    energies, strengths = found.excitation_energies, found.oscillator_strengths
    low = max(math.floor(float(energies.min()) - 1.8 * BAND_WIDTH), 0)
    high = math.ceil(float(energies.max()) + 1.8 * BAND_WIDTH)
    across, above = Axis("energy", "eV"), wavelengths(low, high)
    if strengths is None:
        sticks = Series("", floats(energies), (1.0,) * len(energies), "sticks")
        note = f"All sticks are of equal height: oscillator strengths {_missing(found)}"
        return Chart("States", across, Axis(""), (sticks,), "states", note=note, above=above)
    at = np.unique(np.concatenate([np.linspace(low, high, POINTS), energies]))
    curve = Series("absorption", floats(at), short(bands(energies, strengths, at)))
    labels = tuple(f"{energy:.2f}" for energy in energies)
    axis = Axis("oscillator strength")
    sticks = Series("states", floats(energies), floats(strengths), "sticks", labels, axis=axis)
    note = f"Curve: these states alone, Gauss bands {BAND_WIDTH:.2f} eV wide at half height"
    return Chart(
        "Absorption spectrum",
        across,
        ABSORPTION,
        (curve, sticks),
        "absorption",
        note=note,
        above=above,
    )


def _missing(found: object) -> str:
    """Say why something is not known of a result."""
    read = isinstance(found, ImportedExcitations | ImportedVibrations)
    return "do not stand in the file" if read else "were not computed"


def wavelengths(low: int, high: int) -> Axis:
    """Return an axis of energies in eV read in nm, at whole eV."""
    every = max(1, math.ceil((high - low) / 8))
    ticks = tuple((float(v), f"{EV_NM / v:.0f}") for v in range(low, high + 1, every) if v > 0)
    return Axis("wavelength", "nm", ticks=ticks)


def short(values: Sequence[float] | Floats) -> tuple[float, ...]:
    """Return values with as many digits as a curve can show."""
    return tuple(float(f"{value:.5g}") for value in values)
