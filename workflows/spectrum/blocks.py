"""What is shown of spectra: maxima, the curve with the lines of each conformer, shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ontologies.excitations import of_hartree_fock
from ontologies.factors import EV_NM
from ontologies.spectra import (
    ConformerStates,
    ConformerVibrations,
    ElectronicSpectrum,
    EnsembleSpectrum,
    InfraredSpectrum,
    SpectrumComparison,
    SpectrumSample,
    SpectrumSamples,
)
from workflows.geometry.scaling import factor_of
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, floats, shows
from workflows.text.words import count

from .charts import bands_of, climbs, comparison_chart, shape_of, spectrum_chart, why_dark

VERTICAL = (
    "Vertical excitations: beside measured maxima of bands they are 0.2–0.4 eV off with most "
    "functionals, shifts between solvents or molecules far less"
)
HARMONIC = "Harmonic fundamentals: no overtones, no combinations, no anharmonic shifts"


@shows(SpectrumSamples)
def _(found: SpectrumSamples, around: Around) -> Iterator[Block]:
    del around
    names = "; ".join(one.name for one in found.samples)
    yield Fact("molecules", names, name="samples", headline=True)


@shows(SpectrumSample)
def _(found: SpectrumSample, around: Around) -> Iterator[Block]:
    del around
    held = found.ensemble or found.structure
    yield Fact(
        "molecule", found.name, name="name", iri=held.iri, fields=("name", "ensemble", "atoms")
    )


@shows(EnsembleSpectrum, whole=True)
def _(found: EnsembleSpectrum, around: Around) -> Iterator[Block]:
    del around
    yield Fact("spectrum of", found.name, name="name", fields=("name", "sample"))
    yield Fact("level of the lines", found.level.label, name="level", iri=found.level.iri)
    if found.temperature is not None:
        yield Fact(
            "conformers",
            len(found.conformers),
            name="conformer_count",
            at=(Fact("temperature", found.temperature, "K", "temperature", digits="g"),),
            note=f"{100 * float(found.weights.sum()):.1f} % of the molecules",
            fields=("temperature",),
        )
    top = next(iter(bands_of(found)), None)
    if top is None:
        yield _dark(found)
        yield Note(why_dark(found))
    else:
        wave = Fact("", top.wavenumber, "cm⁻¹", "highest_wavenumber", digits=".0f")
        energy = Fact("", top.photon_energy, "eV", "highest_energy", digits=".3f")
        long = Fact("", top.wavelength, "nm", "highest_wavelength", digits=".1f")
        first, *also = (wave,) if isinstance(found, InfraredSpectrum) else (energy, long)
        yield Fact(
            "highest maximum",
            first.value,
            first.unit,
            first.name,
            digits=first.digits,
            also=tuple(also),
            headline=True,
            fields=(),
        )
    yield _maxima([found], "Maxima")
    if isinstance(found, ElectronicSpectrum) and len(found.conformers) == 1:
        yield _states(found)
    if isinstance(found, InfraredSpectrum) and len(found.conformers) == 1:
        yield _vibrations(found)
    yield _conformers(found)
    if found.places.size:
        yield spectrum_chart(found)
    for text in found.left_out:
        yield Note(f"left out: {text}", minor=True)
    for text in found.failures:
        yield Note(f"missing: {text}; resume the run")


@shows(ElectronicSpectrum)
def _(found: ElectronicSpectrum, around: Around) -> Iterator[Block]:
    del around
    solvent = (
        ()
        if found.dielectric is None
        else (
            Fact("", f"{found.surroundings} solvent", name="surroundings"),
            Fact("ε of the excitation", found.dielectric, name="dielectric", digits=".4g"),
        )
    )
    yield Fact(
        "excitations",
        found.response,
        name="response",
        also=solvent,
        note=of_hartree_fock(found.response, found.level),
        fields=("response", "surroundings"),
    )
    yield Fact(
        "Gauss bands",
        found.band_width,
        "eV",
        "band_width",
        digits="g",
        note="full width at half height",
    )
    label = "drawn up to" if found.response == "not said" else "all states up to"
    yield Fact(label, found.up_to, "eV", "up_to", digits="g")
    yield Note(VERTICAL, minor=True)


@shows(InfraredSpectrum)
def _(found: InfraredSpectrum, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "Lorentz lines",
        found.line_width,
        "cm⁻¹",
        "line_width",
        digits="g",
        note="full width at half height",
    )
    known = factor_of(found.level)
    source = found.scale_source or (
        "not scaled" if known is None else f"not scaled; `scale` {known.fundamentals:g} is usual"
    )
    yield Fact(
        "wavenumbers times",
        found.scale,
        name="scale",
        digits="g",
        note=source,
        fields=("scale", "scale_source"),
    )
    yield Note(HARMONIC, minor=True)


def _dark(found: EnsembleSpectrum) -> Fact:
    """Return that a spectrum has no band, and which lines it has all the same."""
    low, high = float(found.places[0]), float(found.places[-1])
    shape, is_infrared = shape_of(found), isinstance(found, InfraredSpectrum)
    unit = "cm⁻¹" if is_infrared else "eV"
    end = found.up_to if isinstance(found, ElectronicSpectrum) else high
    lines = [
        (float(at) * shape.scale, float(strength))
        for one in found.conformers
        for at, strength in zip(*one.lines, strict=True)
        if low <= at * shape.scale <= end
    ]
    text = f"none up to {end:g} {unit}" + ", where the curve still climbs" * climbs(found)
    if lines:
        first = f"{min(at for at, _ in lines):.{0 if is_infrared else 2}f} {unit}"
        noun, strength, least, own = (
            ("line", "intensity", 0.01, " km/mol") if is_infrared else ("state", "f", 1e-4, "")
        )
        most = max(strong for _, strong in lines)
        size = f"< {least:g}" if most < least else f"at most {most:.2g}"
        where = f"at {first}" if len(lines) == 1 else f"from {first} on"
        text += f"; {count(len(lines), noun)} {where}, {strength} {size}{own}"
    return Fact("maximum", text, name="no_maximum", headline=True, fields=())


def _maxima(spectra: Sequence[EnsembleSpectrum], title: str) -> Table:
    """Return the maxima of spectra; infrared ones in 1/cm alone."""
    is_infrared = all(isinstance(one, InfraredSpectrum) for one in spectra)
    several = len(spectra) > 1
    spread = not is_infrared and any(one.energy_error for found in spectra for one in found.maxima)
    optical = (
        Column("energy", "eV", "energy", ".3f"),
        *((Column("±", "eV", "energy_error", ".3f"),) if spread else ()),
        Column("wavelength", "nm", "wavelength", ".1f"),
    )
    rows = tuple(
        (
            *((found.name,) if several else ()),
            *(() if is_infrared else (one.photon_energy,)),
            *((one.energy_error,) if spread else ()),
            *(() if is_infrared else (one.wavelength,)),
            one.wavenumber,
            one.peak_absorption,
        )
        for found in spectra
        for one in found.maxima
        if one in bands_of(found)
    )
    columns = (
        *((Column("molecule", name="name"),) if several else ()),
        *(() if is_infrared else optical),
        Column("wavenumber", "cm⁻¹", "wavenumber", ".0f" if not is_infrared else ".1f"),
        Column("ε", "L/mol/cm", "absorption", ".0f"),
    )
    note = "±: what errors of the conformers' energies leave open" * spread
    return Table(title, columns, rows, "maxima", note=note)


def _states(found: ElectronicSpectrum) -> Table:
    """Return the states of the one geometry up to the end of the curve, dark ones among them."""
    (one,) = found.conformers
    places, strengths = one.lines
    kinds = one.characters if isinstance(one, ConformerStates) else ()
    return Table(
        "States",
        (
            Column("state", name="state"),
            Column("energy", "eV", "state_energy", ".3f"),
            Column("wavelength", "nm", "state_wavelength", ".1f"),
            Column("f", name="strength", digits=".4f"),
            *((Column("character", name="character"),) if kinds else ()),
        ),
        tuple(
            (
                number,
                place,
                EV_NM / place,
                strength,
                *((kinds[number - 1] or None,) if kinds else ()),
            )
            for number, (place, strength) in enumerate(
                zip(floats(places), floats(strengths), strict=True), 1
            )
            if place <= found.up_to
        ),
        "states",
    )


def _vibrations(found: InfraredSpectrum) -> Table:
    """Return the lines of the one geometry, those that hardly absorb among them."""
    (one,) = found.conformers
    places, strengths = one.lines
    kinds = one.motions if isinstance(one, ConformerVibrations) else ()
    scaled = found.scale != 1.0
    return Table(
        "Lines",
        (
            Column("line", name="line"),
            Column("harmonic", "cm⁻¹", "line_wavenumber", ".1f"),
            *((Column(f"× {found.scale:g}", "cm⁻¹", "line_scaled", ".1f"),) if scaled else ()),
            Column("intensity", "km/mol", "line_intensity", ".1f"),
            *((Column("motion", name="motion"),) if kinds else ()),
        ),
        tuple(
            (
                number,
                place,
                *((place * found.scale,) if scaled else ()),
                strength,
                *((kinds[number - 1] or None,) if kinds else ()),
            )
            for number, (place, strength) in enumerate(
                zip(floats(places), floats(strengths), strict=True), 1
            )
        ),
        "lines",
    )


def _conformers(found: EnsembleSpectrum) -> Table:
    total = float(found.weights.sum())
    return Table(
        "Conformers in the sum",
        (
            Column("conformer", name="number"),
            Column("weight", "%", "weight", ".1f"),
            Column("share", "%", "share", ".1f"),
            Column("lines", name="lines"),
            Column("geometry", name="atoms", minor=True),
            Column("result", name="result", minor=True),
        ),
        tuple(
            (
                one.number,
                100 * one.weight,
                100 * one.weight / total,
                len(one.lines[0]),
                one.atoms.iri,
                one.result.iri,
            )
            for one in found.conformers
        ),
        "conformers",
        minor=len(found.conformers) == 1,
    )


@shows(SpectrumComparison, whole=True)
def _(found: SpectrumComparison, around: Around) -> Iterator[Block]:
    del around
    spectra = found.spectra
    for name, level in {one.name: one.level for one in spectra}.items():
        yield Fact(name, level.label, name=f"level of {name}", iri=level.iri)
    yield _maxima(spectra, "Maxima")
    if found.shifts:
        yield _shifts(found)
    yield comparison_chart(spectra)
    for number, one in enumerate(spectra, 1):
        yield replace(spectrum_chart(one), name=f"spectrum_{number}")
        for text in one.remarks:
            yield Note(f"{one.name}: {text}")
        for text in one.left_out:
            yield Note(f"{one.name}, left out: {text}", minor=True)
        for text in one.failures:
            yield Note(f"{one.name}, missing: {text}; resume the run")
    for text in found.failures:
        yield Note(f"missing: {text}; resume the run")


def _shifts(found: SpectrumComparison) -> Table:
    infrared = all(isinstance(one, InfraredSpectrum) for one in found.spectra)
    several = not infrared and any(one.other_energy_shift is not None for one in found.shifts)
    spread = any(one.energy_error or one.wavelength_error for one in found.shifts) and not infrared
    other = next((one.other_method for one in found.shifts if one.other_method), "")
    columns = (
        Column("molecule", name="name"),
        Column("against", name="first"),
        *(() if infrared else (Column("shift", "eV", "shift_energy", "+.3f"),)),
        *((Column("±", "eV", "shift_energy_error", ".3f"),) if spread else ()),
        *(() if infrared else (Column("shift", "nm", "shift_wavelength", "+.1f"),)),
        *((Column("±", "nm", "shift_wavelength_error", ".1f"),) if spread else ()),
        Column("shift", "cm⁻¹", "shift_wavenumber", "+.0f"),
        *(
            (
                Column(f"with {other}", "eV", "other_energy", "+.3f"),
                Column(f"with {other}", "nm", "other_wavelength", "+.1f"),
            )
            if several
            else ()
        ),
    )
    rows = tuple(
        (
            one.name,
            one.first,
            *(() if infrared else (one.energy_shift,)),
            *((one.energy_error,) if spread else ()),
            *(() if infrared else (one.wavelength_shift,)),
            *((one.wavelength_error,) if spread else ()),
            one.wavenumber_shift,
            *((one.other_energy_shift, one.other_wavelength_shift) if several else ()),
        )
        for one in found.shifts
    )
    note = "of the highest maxima"
    note += "; ±: what errors of the conformers' energies leave open" * spread
    return Table("Shifts", columns, rows, "shifts", note=note)
