"""What is shown of levels of theory, electronic structures and what is made of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import FragmentEnergy, InteractionEnergy, SpinStateScan
from ontologies.excitations import ExcitedStates
from ontologies.factors import EV_NM, HARTREE
from ontologies.level import LevelOfTheory
from ontologies.quantum import ElectronicResult, GeometryConstraints, Optimisation
from ontologies.units import Floats, Integers
from ontologies.vibrations import FrequencyAnalysis, Thermochemistry
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
from workflows.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table, Value
from workflows.showing import Around, shows, shows_runs
from workflows.words import count

from .orbitals import orbital_blocks
from .thermo import soft_modes

EV, KJ = HARTREE["eV"], HARTREE["kJ/mol"]

WEAK = 0.1
"""Bond orders below it are not shown."""


@shows(LevelOfTheory)
def _(level: LevelOfTheory, around: Around) -> Iterator[Block]:
    del around
    yield Fact("level of theory", level.label, name="label", iri=level.iri)


# --- electronic structures -------------------------------------------------------------------


@shows(ElectronicResult)
def _(found: ElectronicResult, around: Around) -> Iterator[Block]:
    del around
    yield Fact("energy", found.energy, "Eh", "energy", digits=".8f")
    for name, part in (
        ("dispersion", found.dispersion_energy), ("solvation", found.solvation_energy)
    ):  # fmt: skip
        if part is not None:
            label, fields = f"  of it {name}", (f"{name}_energy",)
            yield Fact(label, part, "Eh", name, digits=".8f", fields=fields)
    yield Fact(
        "dipole", math.hypot(*found.dipole.tolist()), "D", "dipole", digits=".4f",
        fields=("dipole_moment",),
    )  # fmt: skip
    yield Fact(
        "dipole x, y, z", tuple(found.dipole.tolist()), "D", "dipole_vector", digits=".4f",
        minor=True, fields=("dipole",),
    )  # fmt: skip
    yield from _frontier(found)
    if found.spin_squared is not None:
        spin = (found.atoms.multiplicity - 1) / 2
        note = f"pure: {spin * (spin + 1):.4f}"
        yield Fact("⟨S²⟩", found.spin_squared, "", "spin_squared", digits=".4f", note=note)
    path = " → ".join(found.scf_path)
    yield Fact("SCF", path, name="scf_path", minor=len(found.scf_path) < 2)
    yield _per_atom(found.atoms, [("Mulliken", "mulliken_charges", found.mulliken_charges)], True)


def _frontier(found: ElectronicResult) -> Iterator[Block]:
    """Return the orbitals at the frontier and their distance."""
    named = ("HOMO", found.homo, "homo"), ("LUMO", found.lumo, "lumo")
    both = [
        Fact(label, energy, "Eh", name, digits=".5f")
        for label, energy, name in named
        if energy is not None
    ]
    if len(both) == 2:
        yield Fact("HOMO", both[0].value, "Eh", "homo", digits=".5f", also=(both[1],))
    else:
        yield from both
    if (gap := found.homo_lumo_gap) is not None:
        also = (Fact("", gap * EV, "eV", "gap", digits=".3f"),)
        yield Fact("HOMO–LUMO gap", gap, "Eh", "gap", digits=".5f", also=also)


@shows(Optimisation)
def _(found: Optimisation, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "optimisation", found.steps, "steps", "optimisation", fields=("steps",),
        also=(Fact("gradient", found.max_gradient, "Eh/bohr", "max_gradient", digits=".1e"),),
    )  # fmt: skip
    for word, bonds in (("broken", found.broken), ("formed", found.formed)):
        if bonds:
            yield Fact(f"bonds {word}", tuple(bonds), name=f"bonds_{word}")
    if found.constraints is not None:
        held = tuple(_held(found.constraints, found.initial.symbols))
        yield Fact("held", held, name="constraints")
    if len(energies := found.energies) > 1:
        yield Chart(
            "Course of the optimisation", Axis("step"), Axis("ΔE", "kJ/mol"),
            (Series("", _numbers(len(energies)), _floats((energies - energies[-1]) * KJ)),),
            "energies", note="energy of each step above the last one",
        )  # fmt: skip


def _held(found: GeometryConstraints, symbols: Sequence[str]) -> Iterator[str]:
    """Say what an optimisation held fixed; atoms are counted from 1 in the order of its start."""
    names = _names(symbols)
    if found.frozen is not None and found.frozen.size:
        frozen: list[int] = found.frozen.tolist()
        yield f"{', '.join(names[atom] for atom in frozen)} frozen"
    kinds: tuple[tuple[Integers | None, Floats | None, str], ...] = (
        (found.distance_atoms, found.distances, " Å"),
        (found.angle_atoms, found.angles, "°"),
        (found.dihedral_atoms, found.dihedrals, "°"),
    )
    for atoms, values, unit in kinds:
        if atoms is not None and values is not None:
            groups: list[list[int]] = atoms.tolist()
            for group, value in zip(groups, _floats(values), strict=True):
                yield f"{'–'.join(names[atom] for atom in group)} = {value:g}{unit}"


@shows(FrequencyAnalysis)
def _(found: FrequencyAnalysis, around: Around) -> Iterator[Block]:
    del around
    waves, light = _floats(found.wavenumbers), found.infrared
    columns = [Column("wavenumbers", "cm⁻¹", "wavenumbers", ".1f")]
    values: list[Sequence[float]] = [waves]
    if light is not None:
        columns.append(Column("infrared", "km/mol", "infrared", ".1f"))
        values.append(_floats(light))
    columns.append(Column("reduced mass", "Da", "reduced_masses", ".4f", minor=True))
    values.append(_floats(found.reduced_masses))
    rows = tuple(zip(range(1, len(waves) + 1), *values, strict=True))
    head = Column("mode", name="mode")
    yield Table("Vibrations", (head, *columns), rows, "vibrations", lines="columns")
    lowest = found.lowest_wavenumber
    low = () if lowest is None else (_wave("lowest", lowest, "lowest_wavenumber"),)
    yield Fact(
        "imaginary", found.imaginary, "modes", "imaginary", also=low,
        fields=("imaginary", "lowest_wavenumber"),
    )  # fmt: skip
    if light is not None and light.size and light.max() > 0:
        series = Series("", waves, _floats(light), "sticks")
        axes = Axis("wavenumber", "cm⁻¹", reversed=True), Axis("intensity", "km/mol")
        yield Chart("Infrared spectrum", *axes, (series,), "infrared_spectrum")
    elif waves:
        series = Series("", waves, (1.0,) * len(waves), "sticks")
        yield Chart("Wavenumbers", Axis("wavenumber", "cm⁻¹"), Axis(""), (series,), "modes")


def _wave(label: str, value: float, name: str) -> Fact:
    return Fact(label, value, "cm⁻¹", name, digits=".1f")


@shows(Thermochemistry)
def _(heat: Thermochemistry, around: Around) -> Iterator[Block]:
    del around
    yield _point_group(heat)
    yield Fact("zero-point energy", heat.zero_point_energy, "Eh", "zero_point_energy", digits=".6f")
    at = (
        Fact("temperature", heat.temperature, "K", "temperature", digits="g"),
        Fact("pressure", heat.pressure, "Pa", "pressure", digits="g"),
    )
    yield Fact("enthalpy", heat.enthalpy, "Eh", "enthalpy", digits=".6f", at=at)
    molar = heat.entropy * KJ * 1000
    also = (Fact("", molar, "J/mol/K", "entropy", digits=".2f"),)
    yield Fact("entropy", heat.entropy, "Eh/K", "entropy", digits=".5e", also=also, at=at)
    soft = "" if heat.treatment == "harmonic" else heat.treatment
    energy = heat.gibbs_energy
    yield Fact("Gibbs energy", energy, "Eh", "gibbs_energy", digits=".6f", at=at, note=soft)


def _point_group(found: Thermochemistry | WavefunctionAnalysis, minor: bool = False) -> Fact:
    note = f"within {found.symmetry_tolerance:g} Å"
    fields = ("point_group",)
    return Fact(
        "point group", found.point_group, name="point_group", note=note, minor=minor, fields=fields
    )  # fmt: skip


@shows(StabilityAnalysis, each=True)
def _(found: StabilityAnalysis, around: Around) -> Iterator[Block]:
    del around
    stable = found.internal and found.external is not False
    lower = (Fact("lower by", found.lowering, "Eh", "lowering", digits=".6f"),)
    yield Fact(
        "wavefunction", stable, name="stable", digits="stable|unstable",
        also=() if stable else lower, fields=(),
    )  # fmt: skip


@shows(ExcitedStates)
def _(found: ExcitedStates, around: Around) -> Iterator[Block]:
    del around
    also = [Fact("", found.manifold, name="manifold")]
    if found.surroundings != "gas phase":
        also.append(Fact("", f"{found.surroundings} solvent", name="surroundings"))
    yield Fact("excited states", found.response, name="response", also=tuple(also))
    energies, strengths = _floats(found.excitation_energies), _floats(found.oscillator_strengths)
    moments: Floats = np.linalg.norm(found.transition_dipoles, axis=1)
    leading = [*found.transitions, *[None] * len(energies)]
    yield Table(
        "Excited states",
        (
            Column("state", name="state"),
            Column("energy", "eV", digits=".3f"),
            Column("wavelength", "nm", digits=".1f", lead=" = "),
            Column("f", digits=".4f", lead=", f = "),
            Column("|µ|", "D", digits=".3f", minor=True),
            Column("leading excitations", name="transitions", lead="; "),
        ),
        tuple(
            zip(range(1, len(energies) + 1), energies, [EV_NM / one for one in energies],
                strengths, _floats(moments), leading, strict=False)
        ),
        "states", lines="rows",
        fields=("excitation_energies", "oscillator_strengths"),
        note="orbitals are counted from 1; oscillator strengths and transition dipoles are those "
        "of the length gauge",
    )  # fmt: skip
    series = Series("", energies, strengths, "sticks")
    axes = Axis("energy", "eV"), Axis("oscillator strength")
    yield Chart("Absorption", *axes, (series,), "absorption")


@shows(WavefunctionAnalysis)
def _(found: WavefunctionAnalysis, around: Around) -> Iterator[Block]:
    yield _point_group(found, around.last(Thermochemistry) is not None)  # it says so too
    constants = tuple(found.rotational_constants.tolist())
    yield Fact("rotational constants", constants, "GHz", "rotational_constants", digits=".3f")
    diagonal = _floats(np.diag(found.quadrupole))
    yield Fact("quadrupole xx, yy, zz", diagonal, "D·Å", "quadrupole", digits=".3f")
    whole = _floats(found.quadrupole.ravel())
    yield Fact(
        "quadrupole, all of it", whole, "D·Å", "quadrupole_tensor", digits=".4f", minor=True,
        fields=("quadrupole",),
    )  # fmt: skip
    charges = [
        ("Mulliken", "mulliken_charges", found.mulliken_charges),
        ("Löwdin", "lowdin_charges", found.lowdin_charges),
        ("IAO", "iao_charges", found.iao_charges),
        ("Hirshfeld", "hirshfeld_charges", found.hirshfeld_charges),
        ("spin density", "spin_densities", found.spin_densities),
    ]
    yield _per_atom(found.atoms, charges)
    yield _bonds(found)
    yield from orbital_blocks(found)


def _per_atom(
    atoms: ConceptualAtoms, columns: Sequence[tuple[str, str, Floats | None]], minor: bool = False
) -> Table:
    """Return numbers of each atom."""
    given = [(label, name, values) for label, name, values in columns if values is not None]
    unit = {name: "" if name == "spin_densities" else "e" for _, name, _ in given}
    return Table(
        "Atoms",
        (
            Column("atom", name="atom"),
            *(Column(label, unit[name], name, "+.3f") for label, name, _ in given),
        ),
        tuple(zip(_names(atoms.symbols), *(_floats(v) for _, _, v in given), strict=True)),
        "charges", minor=minor, lines="columns",
    )  # fmt: skip


def _bonds(found: WavefunctionAnalysis) -> Table:
    """Return the length and both orders of each bond that is not weak."""
    names, places = _names(found.atoms.symbols), found.atoms.positions
    rows = tuple(
        (
            f"{names[one]}–{names[two]}",
            float(found.bond_orders[one, two]),
            float(found.wiberg_bond_orders[one, two]),
            float(np.linalg.norm(places[two] - places[one])),
        )
        for one, two in np.argwhere(np.triu(found.bond_orders) >= WEAK).tolist()
    )
    columns = (
        Column("bond", name="bond"),
        Column("bond orders", name="bond_orders", digits=".2f"),
        Column("Wiberg’s", name="wiberg_bond_orders", digits=".3f", minor=True),
        Column("length", "Å", "length", ".4f", minor=True),
    )
    return Table("Bonds", columns, rows, "bonds", note="Mayer", lines="columns")


# --- comparisons -----------------------------------------------------------------------------


@shows(SpinStateScan, whole=True)
def _(scan: SpinStateScan, around: Around) -> Iterator[Block]:
    del around
    yield Table(
        "Spin states",
        (
            Column("multiplicity", name="multiplicity"),
            Column("energy", "Eh", "energy", ".8f"),
            Column("above", "kJ/mol", "relative", ".2f"),
            Column("⟨S²⟩", "", "spin_squared", ".4f"),
            Column("level of theory", name="level"),
            Column("result", name="result"),
        ),
        tuple(
            (
                state.multiplicity, state.energy, scan.relative[state.multiplicity] * KJ,
                state.spin_squared, state.level.label, state.result.iri,
            )
            for state in scan.states
        ),
        "states",
    )  # fmt: skip
    where = "each at its own geometry" if scan.relaxed else "at the geometry as given"
    yield Fact(
        "ground state", scan.ground_multiplicity, name="ground_multiplicity",
        note=f"the multiplicity; {where}", fields=("ground_multiplicity", "relaxed"),
    )  # fmt: skip
    yield from (Note(text) for text in scan.failures)


@shows(InteractionEnergy, whole=True)
def _(found: InteractionEnergy, around: Around) -> Iterator[Block]:
    rows: list[tuple[Value | None, ...]] = []
    for number, part in enumerate(found.fragments):
        rows.append((
            number + 1, part.label, part.atoms_of(found.atoms).formula, part.charge,
            part.multiplicity, _energy(around, found.separate, number),
            _energy(around, found.with_ghosts, number),
        ))  # fmt: skip
    yield Table(
        "Fragments",
        (
            Column("fragment", name="fragment"),
            Column("atoms", name="atoms", lead="atoms "),
            Column("formula", name="formula", lead="  "),
            Column("charge", name="charge", digits="+d", lead="  charge "),
            Column("multiplicity", name="multiplicity", lead="  multiplicity "),
            Column("energy alone", "Eh", "separate", ".8f", minor=True),
            Column("energy with ghosts", "Eh", "with_ghosts", ".8f", minor=True),
        ),
        tuple(rows), "fragments", lines="rows",
    )  # fmt: skip
    for label, name, value in (
        ("interaction", "corrected", found.corrected),
        ("  uncorrected", "uncorrected", found.uncorrected),
        ("  superposition error", "superposition_error", found.superposition_error),
    ):
        also = (Fact("", value, "Eh", name, digits=".8f"),)
        yield Fact(label, value * KJ, "kJ/mol", name, digits=".2f", also=also)


def _energy(around: Around, links: Sequence[Link[Any]], number: int) -> float | None:
    """Return the energy of a part, if the run has it."""
    found = around.of(links[number]) if number < len(links) else None
    return found.energy if isinstance(found, ElectronicResult | FragmentEnergy) else None


# --- runs ------------------------------------------------------------------------------------


@shows_runs
def _(around: Around) -> Iterator[Block]:
    results = [one for one in around.results if isinstance(one, ElectronicResult)]
    if not results or any(isinstance(one, SpinStateScan | InteractionEnergy)
                          for one in around.results):  # fmt: skip
        return
    word, why = geometry_label(results)
    yield Fact("geometry", word, name="geometry", note=why)
    looks = [one for one in results if isinstance(one, FrequencyAnalysis)]
    for met in looks:
        if met.stationarity == "saddle point" and not _same(met.atoms, results[-1].atoms):
            modes = count(met.imaginary, "imaginary mode")
            yield Note(f"on the way a saddle point was met ({modes}) and left along a mode")
    heat = around.last(Thermochemistry)
    if heat is not None and (soft := soft_modes(heat)):
        yield Note(soft)


def geometry_label(results: Sequence[ElectronicResult]) -> tuple[str, str]:
    """Return what is known of the last geometry and why, in words that promise nothing more."""
    last = results[-1]
    here = [r for r in results if r.level == last.level and _same(r.atoms, last.atoms)]
    for found in reversed(here):
        if isinstance(found, FrequencyAnalysis):
            if found.stationarity == "minimum":
                return "minimum", "no imaginary mode at this level"
            if found.stationarity == "saddle point":
                modes = count(found.imaginary, "imaginary mode")
                return "saddle point", f"{modes} at this level: this is not a minimum"
            return "not stationary", f"largest gradient component {found.max_gradient:.1e} Eh/bohr"
    relaxed = [found for found in here if isinstance(found, Optimisation)]
    if relaxed and relaxed[-1].constraints is not None:
        return "relaxed under constraints, not stationary", ""
    if relaxed:
        return "stationary, not verified", ""
    return "as given", ""


def _same(one: ConceptualAtoms, other: ConceptualAtoms) -> bool:
    return one.motion_from(other) is not None


def _names(symbols: Sequence[str]) -> list[str]:
    return [f"{symbol}{number}" for number, symbol in enumerate(symbols, 1)]


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(map(float, values.tolist()))


def _numbers(length: int) -> tuple[float, ...]:
    return tuple(map(float, range(1, length + 1)))
