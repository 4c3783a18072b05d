"""What is shown of levels of theory, electronic structures and what is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import FragmentEnergy, InteractionEnergy, SpinStateScan
from ontologies.excitations import ExcitedStates, of_hartree_fock
from ontologies.factors import BOHR, EV_NM, HARTREE
from ontologies.polarizability import Polarizability
from ontologies.quantum import ElectronicResult, EnergyResult
from ontologies.tightbinding import TightBindingResult
from ontologies.units import Floats
from ontologies.vibrations import Thermochemistry
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
from workflows.geometry.blocks import point_group
from workflows.geometry.dipoles import dipole_facts
from workflows.geometry.spectra import absorption_chart
from workflows.show.blocks import Block, Column, Fact, Note, Table, Value
from workflows.show.object_blocks import Around, floats, identifies, shows, shows_runs
from workflows.text.words import numbered

from .properties.orbitals import orbital_blocks
from .properties.thermo import soft_modes

EV, KJ = HARTREE["eV"], HARTREE["kJ/mol"]

WEAK = 0.1
"""Bond orders below it are not shown."""


# --- electronic structures -------------------------------------------------------------------


@identifies(ElectronicResult)
def solution(found: ElectronicResult) -> Iterator[Fact]:
    """Return what tells one solution of an SCF from others of the same level."""
    if found.spin_squared is not None:
        spin = (found.atoms.multiplicity - 1) / 2
        note = f"pure: {spin * (spin + 1):.4f}"
        yield Fact("⟨S²⟩", found.spin_squared, "", "spin_squared", digits=".4f", note=note)
    yield Fact("stability", found.stability, name="stability")


@identifies(ExcitedStates)
def _(found: ExcitedStates) -> Iterator[Fact]:
    yield Fact("states", found.manifold, name="manifold")


@shows(ElectronicResult)
def _(found: ElectronicResult, around: Around) -> Iterator[Block]:
    del around
    for name, part in (
        ("dispersion", found.dispersion_energy),
        ("solvation", found.solvation_energy),
    ):
        if part is not None:
            label, fields = f"  of it {name}", (f"{name}_energy",)
            yield Fact(label, part, "Eh", name, digits=".8f", fields=fields, difference=True)
    yield from dipole_facts(found.atoms, found.dipole, headline=True)
    yield from frontier(found)
    yield from solution(found)
    path = " → ".join(found.scf_path)
    yield Fact("SCF", path, name="scf_path", minor=len(found.scf_path) < 2)
    yield per_atom(found.atoms, [("Mulliken", "mulliken_charges", found.mulliken_charges)], True)


def frontier(found: ElectronicResult | TightBindingResult) -> Iterator[Block]:
    """Return the orbitals at the frontier and their distance."""
    for label, energy, name in ("HOMO", found.homo, "homo"), ("LUMO", found.lumo, "lumo"):
        if energy is not None:
            also = (Fact("", energy * EV, "eV", name, digits=".3f"),)
            yield Fact(label, energy, "Eh", name, digits=".5f", also=also)
    if (gap := found.homo_lumo_gap) is not None:
        also = (Fact("", gap * EV, "eV", "gap", digits=".3f"),)
        yield Fact(
            "HOMO–LUMO gap",
            gap,
            "Eh",
            "gap",
            digits=".5f",
            also=also,
            headline=True,
            difference=True,
        )
    elif found.homo is not None and found.lumo is not None:
        why = "an open shell has one for each spin, and neither is told as that of the molecule"
        yield Note(f"no HOMO–LUMO gap: {why}", minor=True, lacking="gap")
    yield Note(f"1 Eh = {EV:.9f} eV = {KJ:.6f} kJ/mol (CODATA 2022)", minor=True)


@shows(StabilityAnalysis, each=True)
def _(found: StabilityAnalysis, around: Around) -> Iterator[Block]:
    del around
    stable = found.internal and found.external is not False
    lower = (Fact("lower by", found.lowering, "Eh", "lowering", digits=".6f", difference=True),)
    yield Fact(
        "wavefunction",
        stable,
        name="stable",
        digits="stable|unstable",
        also=() if stable else lower,
        fields=(),
        headline=True,
    )
    kinds = (
        ("among solutions of its kind", found.internal, "internal"),
        ("towards orbitals of their own for each spin", found.external, "external"),
    )
    for label, good, name in kinds:
        if good is not None:
            yield Fact(label, good, name=name, digits="stable|unstable", minor=True)
    yield Note(
        "Complex orbitals are not looked at; there may be other solutions, lower still", minor=True
    )


@shows(Polarizability)
def _(found: Polarizability, around: Around) -> Iterator[Block]:
    del around
    principal = np.linalg.eigvalsh(found.polarizability)
    for label, name, value in (
        ("polarizability", "isotropic_polarizability", found.isotropic_polarizability),
        ("  anisotropy", "polarizability_anisotropy", found.polarizability_anisotropy),
    ):
        if value is not None:
            also = (Fact("", value * BOHR**3, "Å³", name, digits=".4f"),)
            yield Fact(label, value, "bohr³", name, digits=".4f", also=also, headline=True)
    yield Fact(
        "  principal values",
        tuple(principal.tolist()),
        "bohr³",
        "principal_polarizabilities",
        digits=".4f",
        fields=(),
    )


@shows(ExcitedStates)
def _(found: ExcitedStates, around: Around) -> Iterator[Block]:
    del around
    also = [Fact("", found.manifold, name="manifold")]
    if found.surroundings != "gas phase":
        also.append(Fact("", f"{found.surroundings} solvent", name="surroundings"))
    called = of_hartree_fock(found.response, found.level)
    yield Fact("excited states", found.response, name="response", also=tuple(also), note=called)
    energies, strengths = floats(found.excitation_energies), floats(found.oscillator_strengths)
    if energies:
        long = (Fact("", EV_NM / energies[0], "nm", "lowest_excitation", digits=".1f"),)
        yield Fact(
            "lowest excitation",
            energies[0],
            "eV",
            "lowest_excitation",
            digits=".3f",
            also=long,
            minor=True,
            headline=True,
        )
    moments: Floats = np.linalg.norm(found.transition_dipoles, axis=1)
    none = [None] * len(energies)
    leading, kinds = [*found.transitions, *none], [*found.characters, *none]
    yield Table(
        "Excited states",
        (
            Column("state", name="state"),
            Column("energy", "eV", digits=".3f"),
            Column("wavelength", "nm", digits=".1f", lead=" = "),
            Column("f", digits=".4f", lead=", f = "),
            Column("|µ|", "D", "transition_dipole", ".3f", minor=True),
            Column("character", name="character"),
            Column("leading excitations", name="transitions", lead="; "),
        ),
        tuple(
            zip(range(1, len(energies) + 1), energies, [EV_NM / one for one in energies],
                strengths, floats(moments), kinds, leading, strict=False)
        ),
        "states", lines="rows",
        fields=(
            "excitation_energies", "oscillator_strengths", "transition_dipoles", "characters",
        ),
        note="orbitals are counted from 1; oscillator strengths and transition dipoles are those "
        "of the length gauge",
    )  # fmt: skip
    if any(strengths):
        yield absorption_chart(found)


@shows(WavefunctionAnalysis)
def _(found: WavefunctionAnalysis, around: Around) -> Iterator[Block]:
    yield point_group(found, around.last(Thermochemistry) is not None)  # it says so too
    constants = tuple(found.rotational_constants.tolist())
    linear = constants[2] == 0.0 < constants[0]  # about its axis nothing turns
    yield Fact(
        "rotational constants",
        constants[:1] if linear else constants,
        "GHz",
        "rotational_constants",
        digits=".3f",
        note="B of a linear molecule" if linear else "",
    )
    diagonal = floats(np.diag(found.quadrupole))
    yield Fact("quadrupole xx, yy, zz", diagonal, "D·Å", "quadrupole", digits=".3f")
    whole = floats(found.quadrupole.ravel())
    yield Fact(
        "quadrupole, all of it",
        whole,
        "D·Å",
        "quadrupole_tensor",
        digits=".4f",
        minor=True,
        fields=("quadrupole",),
    )
    charges = [
        ("Mulliken", "mulliken_charges", found.mulliken_charges),
        ("Löwdin", "lowdin_charges", found.lowdin_charges),
        ("IAO", "iao_charges", found.iao_charges),
        ("Hirshfeld", "hirshfeld_charges", found.hirshfeld_charges),
        ("spin density", "spin_densities", found.spin_densities),
    ]
    yield per_atom(found.atoms, charges)
    yield _bonds(found)
    yield from orbital_blocks(found)


def per_atom(
    atoms: ConceptualAtoms, columns: Sequence[tuple[str, str, Floats | None]], minor: bool = False
) -> Table:
    """Return numbers of each atom."""
    given = [(label, name, values) for label, name, values in columns if values is not None]
    unit = {name: "" if name == "spin_densities" else "e" for _, name, _ in given}
    return Table(
        "Atoms",
        (
            Column("atom", name="atom"),
            *(Column(label, unit[name], name, "+.4f") for label, name, _ in given),
        ),
        tuple(zip(numbered(atoms.symbols), *(floats(v) for _, _, v in given), strict=True)),
        "charges",
        minor=minor,
        lines="columns",
    )


def _bonds(found: WavefunctionAnalysis) -> Table:
    """Return the length and both orders of each bond that is not weak."""
    names, places = numbered(found.atoms.symbols), found.atoms.positions
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
            Column("above", "Eh", "relative", ".8f", minor=True),
            Column("⟨S²⟩", "", "spin_squared", ".4f"),
            Column("level of theory", name="level"),
            Column("result", name="result"),
        ),
        tuple(
            (
                state.multiplicity,
                state.energy,
                scan.relative[state.multiplicity] * KJ,
                scan.relative[state.multiplicity],
                state.spin_squared,
                state.level.label,
                state.result.iri,
            )
            for state in scan.states
        ),
        "states",
    )
    vertical = "at the geometry as given, vertical: task optimise relaxes each"
    where = "each at its own geometry" if scan.relaxed else vertical
    yield Fact(
        "ground state",
        scan.ground_multiplicity,
        name="ground_multiplicity",
        digits="multiplicity {}",
        also=(Fact("", where, name="relaxed"),),
        headline=True,
    )
    for text in scan.failures:
        which, _, why = text.partition(": ")
        yield Note(f"{which} failed: {why}")


@shows(InteractionEnergy, whole=True)
def _(found: InteractionEnergy, around: Around) -> Iterator[Block]:
    rows: list[tuple[Value | None, ...]] = []
    for number, part in enumerate(found.fragments):
        rows.append(
            (
                number + 1,
                part.label,
                part.atoms_of(found.atoms).formula,
                part.charge,
                part.multiplicity,
                _energy(around, found.separate, number),
                _energy(around, found.with_ghosts, number),
            )
        )
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
        tuple(rows),
        "fragments",
        lines="rows",
    )
    for label, name, value in (
        ("interaction", "corrected", found.corrected),
        ("  uncorrected" if found.with_ghosts else "interaction", "uncorrected", found.uncorrected),
        ("  superposition error", "superposition_error", found.superposition_error),
    ):
        if value is None:
            continue
        also = (Fact("", value, "Eh", name, digits=".8f"),)
        head = name == ("corrected" if found.with_ghosts else "uncorrected")
        yield Fact(label, value * KJ, "kJ/mol", name, digits=".2f", also=also, headline=head)


def _energy(around: Around, links: Sequence[Link[Any]], number: int) -> float | None:
    """Return the energy of a part, if the run has it."""
    result = around.of(links[number]) if number < len(links) else None
    return result.energy if isinstance(result, EnergyResult | FragmentEnergy) else None


# --- runs ------------------------------------------------------------------------------------


@shows_runs
def _(around: Around) -> Iterator[Block]:
    heat = around.last(Thermochemistry)
    if heat is None:
        return
    for text in heat.remarks:
        yield Note(text)
    if soft := soft_modes(heat):
        yield Note(soft)
