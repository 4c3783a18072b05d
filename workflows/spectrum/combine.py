"""From the lines of conformers to the spectrum of a molecule, and to several beside each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ExcitedStates
from ontologies.factors import EV_NM
from ontologies.level import Level
from ontologies.outputs import ImportedVibrations
from ontologies.spectra import (
    ElectronicSpectrum,
    EnsembleSpectrum,
    InfraredSpectrum,
    SpectrumComparison,
    SpectrumMaximum,
    SpectrumSample,
    SpectrumSamples,
    SpectrumShift,
)
from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import GraficoError, RecipeError
from workflows.conformer.refining import heaviest
from workflows.dft.properties.conjugation import pi_planes
from workflows.dft.request.basis_sets import DIFFUSE
from workflows.text.words import listed

from .curves import (
    Shape,
    Sticks,
    electronic,
    first_place,
    grid,
    infrared,
    last_place,
    maxima,
    summed,
)
from .lines import AskedConformer, Lines, Window, imaginary_text

SATURATED = 6.0
"""eV. Below it lie the first bands of most π systems, above it those of saturated molecules."""


ROUND = 500.0
"""1/cm. At a multiple of it an infrared spectrum ends."""

SAME = 2e-5
"""Eh. Relaxed conformers whose energies are nearer may have become one."""


@dataclass(frozen=True)
class AskedSpectrum:
    """What is asked of a molecule at a level.

    Attributes:
        name: unlike those of others.
        sample: the molecule.
        level: the level of theory.
        conformers: those that are computed.
        left_out: the others, each with the reason.
        width: of the lines, in eV or 1/cm.
        window: of states; None for vibrations.
        scale: factor on wavenumbers.
        scale_source: where that is from.
        keeps_imaginary: whether conformers with imaginary modes stay in the sum.
        weight_error: of energies of conformers, in kJ/mol.
        other: whether it is at the method that others are compared with.
    """

    name: str
    sample: SpectrumSample
    level: Level
    conformers: Sequence[AskedConformer]
    left_out: tuple[str, ...]
    width: float
    window: Window | None
    scale: float = 1.0
    scale_source: str = ""
    keeps_imaginary: bool = False
    weight_error: float = 0.0
    other: bool = False


def chosen(
    sample: SpectrumSample, cumulative: float
) -> tuple[list[tuple[int, float, ConceptualAtoms]], tuple[str, ...]]:
    """Return number, weight and geometry of the conformers that matter, and the others in words.

    Args:
        sample: the molecule.
        cumulative: the weight that they are to make up at least.
    """
    if sample.ensemble is None:
        return [(1, 1.0, sample.structure)], ()
    kept = heaviest(sample.ensemble, cumulative)
    reached = sum(one.weight for one in kept)
    left_out = tuple(
        f"conformer {one.number} ({100 * one.weight:.1f} %): the others make up "
        f"{100 * reached:.1f} %"
        for one in sample.ensemble.conformers
        if one not in kept
    )
    return [(one.number, one.weight, one.atoms) for one in kept], left_out


def spectrum_of(
    asked: AskedSpectrum, lines: Sequence[Lines], errors: Mapping[int, GraficoError]
) -> EnsembleSpectrum:
    """Return the spectrum of a molecule.

    Args:
        asked: what was asked of it.
        lines: what its conformers came to, in any order.
        errors: why others have none, by number.

    Raises:
        RecipeError: nothing is left to be added up, or no state lies in the window.
    """
    left_out, told = list(asked.left_out), list[str]()
    kept: list[Lines] = []
    for one in sorted(lines, key=lambda one: one.spectrum.number):
        who = f"conformer {one.spectrum.number} ({100 * one.spectrum.weight:.1f} %)"
        shown = one.result
        if isinstance(shown, VibrationalAnalysis | ImportedVibrations) and shown.imaginary:
            if not asked.keeps_imaginary:
                left_out.append(f"{who}: {imaginary_text(shown)}")
                continue
            told.append(f"{who}: {imaginary_text(shown)}; its other modes are in the sum")
        kept.append(one)
    failures = tuple(f"conformer {number}: {error}" for number, error in errors.items())
    if not kept:
        raise RecipeError(
            f"a spectrum of {asked.name} was asked for",
            f"none of its conformers can be in it: {'; '.join([*left_out, *failures])}",
            "resume the run with imaginary keep, or refine the ensemble with frequencies"
            if left_out
            else "change what is asked, and resume the run",
        )
    told += _shared_remarks(kept) + _merged(kept, asked)
    ensemble = asked.sample.ensemble
    common: dict[str, Any] = {
        "name": asked.name,
        "sample": asked.sample,
        "level": kept[0].result.level,
        "temperature": None if ensemble is None else ensemble.temperature,
        "conformers": tuple(one.spectrum for one in kept),
        "weight_error": 0.0 if ensemble is None else asked.weight_error,
        "left_out": tuple(left_out),
        "failures": failures,
    }
    if asked.window is not None:
        return _electronic(asked, asked.window, kept, common, told)
    return _infrared(asked, kept, common, told)


def _electronic(
    asked: AskedSpectrum,
    window: Window,
    kept: Sequence[Lines],
    common: dict[str, Any],
    told: list[str],
) -> ElectronicSpectrum:
    shape, sticks = electronic(asked.width), _sticks(kept)
    lowest = first_place(sticks)
    weights = np.array([one.spectrum.weight for one in kept])
    known = min(float(places.max()) for places, _ in sticks) - window.band_width
    up_to = max(window.up_to, min(window.end(sticks, weights), known))
    if lowest > up_to:
        raise RecipeError(
            f"a spectrum of {asked.name} up to {up_to:g} eV was asked for",
            f"its lowest state lies at {lowest:.2f} eV ({EV_NM / lowest:.0f} nm) "
            f"at {asked.level.label}",
            f"ask for more (`up_to` {math.ceil(lowest + 2 * asked.width)})",
        )
    told += _diffuse(asked, kept, lowest)
    first = kept[0].result if isinstance(kept[0].result, ExcitedStates) else None
    if first is not None and first.manifold == "spin-conserving":
        told.append("states of an open shell keep M_S only: they may be no pure spin states")
    if up_to > window.up_to:
        told.append(
            f"shown up to {up_to:g} eV and not the usual {window.up_to:g} eV: the first band that "
            "is seen reaches so far"
        )
    low = max(lowest - 2 * asked.width, asked.width / 10)
    at = grid(low, up_to, shape)
    return ElectronicSpectrum(
        **common,
        **_curve(sticks, kept, at, shape, common),
        photon_energies=at,
        band_width=asked.width,
        up_to=up_to,
        response="not said" if first is None else first.response,
        surroundings="not said" if first is None else first.surroundings,
        dielectric=None if first is None else first.dielectric,
        remarks=tuple(told),
    )


def _infrared(
    asked: AskedSpectrum, kept: Sequence[Lines], common: dict[str, Any], told: list[str]
) -> InfraredSpectrum:
    shape, sticks = infrared(asked.width, asked.scale), _sticks(kept)
    top = 1.02 * asked.scale * last_place(sticks) + 5 * asked.width
    at = grid(0.0, ROUND * math.ceil(top / ROUND), shape)
    return InfraredSpectrum(
        **common,
        **_curve(sticks, kept, at, shape, common),
        wavenumbers=at,
        line_width=asked.width,
        scale=asked.scale,
        scale_source=asked.scale_source,
        remarks=tuple(told),
    )


def _curve(
    sticks: Sequence[Sticks], kept: Sequence[Lines], at: Any, shape: Shape, common: dict[str, Any]
) -> dict[str, Any]:
    weights = np.array([one.spectrum.weight for one in kept])
    found = maxima(
        sticks,
        weights,
        float(at[0]),
        float(at[-1]),
        shape,
        weight_error=common["weight_error"],
        temperature=common["temperature"],
    )
    return {"absorption": summed(sticks, weights, at, shape), "maxima": found}


def _sticks(kept: Sequence[Lines]) -> list[Sticks]:
    return [one.spectrum.lines for one in kept]


def _shared_remarks(kept: Sequence[Lines]) -> list[str]:
    """Return what is to be known of conformers, each once, with those that it is true of."""
    who: dict[str, list[str]] = {}
    for one in kept:
        for remark in one.remarks:
            who.setdefault(remark, []).append(str(one.spectrum.number))
    if len(kept) == 1:
        return list(who)
    nouns = {True: "conformer", False: "conformers"}
    return [f"{nouns[len(of) == 1]} {listed(of)}: {remark}" for remark, of in who.items()]


def _merged(kept: Sequence[Lines], asked: AskedSpectrum) -> list[str]:
    """Say which conformers may have become one when they were relaxed."""
    if not any(one.relaxes for one in asked.conformers):
        return []
    known = sorted((one.result.energy, one.spectrum.number) for one in kept)
    return [
        f"conformers {min(first, second)} and {max(first, second)} may have become one at "
        f"{asked.level.label}: their energies are the same; refine the ensemble there"
        for (low, first), (high, second) in pairwise(known)
        if high - low < SAME
    ]


def _diffuse(asked: AskedSpectrum, kept: Sequence[Lines], lowest: float) -> list[str]:
    """Warn of a molecule whose states need diffuse functions that its basis set has not."""
    basis = getattr(asked.level, "basis", "")
    if not basis or DIFFUSE.search(basis):
        return []
    bare = not any(pi_planes(one.result.atoms) for one in kept)
    if lowest < SATURATED and not bare:
        return []
    why = "it has no π system" if bare else f"its lowest state lies at {lowest:.2f} eV"
    return [
        f"{why}, and {basis} has no diffuse functions: the states of such molecules reach far "
        "out, and come out too high; ask for a basis set such as def2-SVPD or aug-cc-pVDZ"
    ]


def compared(
    samples: SpectrumSamples,
    asked: Mapping[str, AskedSpectrum],
    spectra: Mapping[str, EnsembleSpectrum],
    failures: Mapping[str, GraficoError],
) -> SpectrumComparison:
    """Return spectra beside each other, with the shifts of their highest maxima."""
    places = {
        (asked[name].sample.name, asked[name].other): spectrum.highest
        for name, spectrum in spectra.items()
    }
    levels = {asked[name].other: spectrum.level for name, spectrum in spectra.items()}
    names = [one.name for one in samples.samples]
    shifts: list[SpectrumShift] = []
    for name in names[1:]:
        ends = places.get((names[0], False)), places.get((name, False))
        if ends[0] is None or ends[1] is None:
            continue
        more: dict[str, Any] = {}
        others = places.get((names[0], True)), places.get((name, True))
        if others[0] is not None and others[1] is not None:
            more = {
                "other_method": levels[True].method,
                "other_energy_shift": others[1].photon_energy - others[0].photon_energy,
                "other_wavelength_shift": others[1].wavelength - others[0].wavelength,
            }
        shifts.append(_shift(names[0], name, levels[False].method, ends[0], ends[1], more))
    return SpectrumComparison(
        samples=samples,
        spectra=tuple(spectra.values()),
        shifts=tuple(shifts),
        failures=tuple(f"{name}: {error}" for name, error in failures.items()),
    )


def _shift(
    first: str,
    name: str,
    method: str,
    one: SpectrumMaximum,
    other: SpectrumMaximum,
    more: dict[str, Any],
) -> SpectrumShift:
    lengths = [end.wavelength / end.photon_energy * end.energy_error for end in (one, other)]
    return SpectrumShift(
        first=first,
        name=name,
        method=method,
        energy_shift=other.photon_energy - one.photon_energy,
        wavelength_shift=other.wavelength - one.wavelength,
        wavenumber_shift=other.wavenumber - one.wavenumber,
        energy_error=math.hypot(one.energy_error, other.energy_error),
        wavelength_error=math.hypot(*lengths),
        **more,
    )
