"""What is shown of results that were read from files: what they say, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ontologies.factors import HARTREE
from ontologies.level import Level
from ontologies.outputs import (
    ImportedEnergy,
    ImportedExcitations,
    ImportedLevel,
    ImportedOptimisation,
    ImportedResult,
    ImportedScan,
    ImportedThermochemistry,
    ImportedVibrations,
    OutputFile,
    ThermochemistryOfImported,
)
from workflows.geometry.curve import Curve
from workflows.geometry.spectra import absorption_chart, infrared_chart
from workflows.show.blocks import Block, Chart, Column, Fact, Note, Table
from workflows.show.course import course
from workflows.show.object_blocks import Around, floats, shows
from workflows.show.run_blocks import READ

from .answering import agreement

KJ = HARTREE["kJ/mol"]


@shows(OutputFile, title="file")
def _(file: OutputFile, around: Around) -> Iterator[Block]:
    del around
    digest = Fact("SHA-256", file.digest, name="digest")
    yield Fact("file", file.name, name="name", also=(digest,), note=READ)


@shows(ImportedLevel)
def _(level: ImportedLevel, around: Around) -> Iterator[Block]:
    del around
    version = (Fact("version", level.program_version, name="program_version"),)
    yield Fact("program", level.program, name="program", also=version)
    for name in ("method", "basis", "solvent", "grid", "frozen_core"):
        if said := getattr(level, name):
            yield Fact(name.replace("_", " "), said, name=name)


@shows(ImportedResult)
def _(found: ImportedResult, around: Around) -> Iterator[Block]:
    yield Fact(
        "source",
        found.place,
        name="source",
        note=READ,
        also=(Fact("energy in line", found.energy_line, name="energy_line"),),
    )
    for level in around.about:
        if isinstance(level, Level) and not isinstance(level, ImportedLevel):
            agreed = agreement(level, found.level, found.atoms.multiplicity)
            said = "; ".join((*agreed.notes, *agreed.against))
            yield Note(f"Accepted for {level.label}, read at {found.level.label}: {said}")
    for label, name in (("HOMO", "homo"), ("LUMO", "lumo")):
        value: float | None = getattr(found, name)
        if value is not None:
            ev = (Fact("", value * HARTREE["eV"], "eV", name, digits=".3f"),)
            yield Fact(label, value, "Eh", name, digits=".5f", also=ev)
    if found.dipole_moment is not None:
        yield Fact("dipole", found.dipole_moment, "D", "dipole_moment", digits=".3f")
    if found.mulliken_charges is not None:
        symbols = found.atoms.symbols
        rows = tuple(
            (number, symbol, charge)
            for number, symbol, charge in zip(
                range(1, len(symbols) + 1), symbols, floats(found.mulliken_charges), strict=True
            )
        )
        columns = (Column("atom"), Column("element"), Column("charge", "e", digits=".3f"))
        yield Table("Mulliken charges", columns, rows, "mulliken_charges", minor=True)


@shows(ImportedEnergy, title="energy, read from a file")
def _(found: ImportedEnergy, around: Around) -> Iterator[Block]:
    del found, around
    yield from ()  # what there is of it, all imported results have


@shows(ImportedOptimisation, title="optimisation, read from a file")
def _(found: ImportedOptimisation, around: Around) -> Iterator[Block]:
    del around
    yield Fact("optimisation", found.steps, "steps", "steps")
    if found.steps > 1:
        note = f"Energy of each step above the last one. {_source(found)}"
        yield course("Course of the optimisation", found.energies, note)


@shows(ImportedScan, title="scan, read from a file")
def _(found: ImportedScan, around: Around) -> Iterator[Block]:
    del around
    values, energies = floats(found.values), floats(found.energies)
    curve = Curve(found.label, found.unit, [("there", values, energies)])
    yield Fact("coordinate", found.label, name="coordinate", fields=("coordinate", "members"))
    yield curve.barrier()
    low = values[energies.index(curve.lowest)]
    yield Fact("lowest", low, found.unit, "lowest_value", digits=curve.digits)
    columns = (
        Column("point", name="point"),
        Column(found.coordinate, found.unit, "value", curve.digits),
        Column("energy", "Eh", "energy", ".8f"),
        Column("above", "kJ/mol", "relative", ".2f"),
    )
    rows = tuple(
        (number, value, energy, (energy - curve.lowest) * KJ)
        for number, (value, energy) in enumerate(zip(values, energies, strict=True), 1)
    )
    yield Table("Points", columns, rows, "points")
    how = "All else relaxed at each point" if found.relaxed else "All else as it is"
    yield _drawn(curve.chart(f"{how}; above the lowest point"), found)
    if found.points_file is not None:
        yield Fact("points", found.points_file.name, name="points_file", note=READ)
    yield Note("The coordinate was held at each point: none of them is a minimum")


def _source(found: ImportedResult) -> str:
    """Say below a chart that it was read, and where."""
    return f"Read from {found.source.name}: {found.level.label}"


def _drawn(chart: Chart, found: ImportedResult) -> Chart:
    return replace(chart, note=f"{chart.note}. {_source(found)}")


@shows(ImportedVibrations, title="vibrations, read from a file")
def _(found: ImportedVibrations, around: Around) -> Iterator[Block]:
    del around
    columns = [Column("mode", name="mode"), Column("wavenumbers", "cm⁻¹", "wavenumbers", ".1f")]
    values = [floats(found.wavenumbers)]
    if found.infrared is not None:
        columns.append(Column("infrared", "km/mol", "infrared", ".1f"))
        values.append(floats(found.infrared))
    rows = tuple(zip(range(1, len(found.wavenumbers) + 1), *values, strict=True))
    yield Table("Vibrations", tuple(columns), rows, "vibrations", lines="columns")
    also = ()
    if found.lowest_wavenumber is not None:
        low = found.lowest_wavenumber
        also = (Fact("lowest", low, "cm⁻¹", "lowest_wavenumber", digits=".1f"),)
    fields = ("imaginary", "lowest_wavenumber")
    yield Fact("imaginary", found.imaginary, "modes", "imaginary", also=also, fields=fields)
    if found.wavenumbers.size:
        yield _drawn(infrared_chart(found), found)


@shows(ImportedThermochemistry, title="thermochemistry, read from a file")
def _(heat: ImportedThermochemistry, around: Around) -> Iterator[Block]:
    del around
    numbers = (("temperature", heat.temperature, "K"), ("pressure", heat.pressure, "Pa"))
    at = tuple(Fact(n, v, unit, n, digits="g") for n, v, unit in numbers if v is not None)
    zero = heat.zero_point_energy
    if zero is not None:
        name = "zero_point_energy"
        yield Fact("zero-point energy", zero, "Eh", name, digits=".6f", difference=True)
    if heat.enthalpy is not None:
        yield Fact("enthalpy", heat.enthalpy, "Eh", "enthalpy", digits=".6f", at=at)
    if heat.entropy is not None:
        molar = heat.entropy * KJ * 1000
        own = (Fact("", heat.entropy, "Eh/K", "entropy", digits=".5e"),)
        yield Fact("entropy", molar, "J/mol/K", "entropy", digits=".2f", also=own, at=at)
    if heat.gibbs_energy is not None:
        yield Fact("Gibbs energy", heat.gibbs_energy, "Eh", "gibbs_energy", digits=".6f", at=at)
    if heat.symmetry_number is not None:
        yield Fact("symmetry number", heat.symmetry_number, name="symmetry_number", minor=True)
    yield Note("How its program treated soft modes is not read", minor=True)


@shows(ThermochemistryOfImported, title="thermochemistry of vibrations that were read")
def _(heat: ThermochemistryOfImported, around: Around) -> Iterator[Block]:
    del around
    yield Fact("symmetry number", heat.symmetry_number, name="symmetry_number")
    for text in heat.remarks:
        yield Note(text)


@shows(ImportedExcitations, title="excitations, read from a file")
def _(found: ImportedExcitations, around: Around) -> Iterator[Block]:
    del around
    energies = floats(found.excitation_energies)
    columns = [Column("state"), Column("energy", "eV", "excitation_energies", ".3f")]
    values = [energies]
    if found.oscillator_strengths is not None:
        columns.append(Column("strength", "", "oscillator_strengths", ".4f"))
        values.append(floats(found.oscillator_strengths))
    rows = tuple(zip(range(1, len(energies) + 1), *values, strict=True))
    yield Table("Excitations", tuple(columns), rows, "states")
    if energies:
        yield _drawn(absorption_chart(found), found)
