"""What is shown of correlated energies: their parts, and how good a start Hartree–Fock was."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.correlated import CorrelatedDipole, CorrelatedResult
from workflows.geometry.dipoles import dipole_facts, settled
from workflows.show.blocks import Block, Column, Fact, Table
from workflows.show.object_blocks import Around, identifies, shows
from workflows.text.words import count


@identifies(CorrelatedResult)
def solution(found: CorrelatedResult) -> Iterator[Fact]:
    """Return what tells one Hartree–Fock solution from others of the same level."""
    if found.spin_squared is not None:
        spin = (found.atoms.multiplicity - 1) / 2
        note = f"of Hartree–Fock; pure: {spin * (spin + 1):.4f}"
        yield Fact("⟨S²⟩", found.spin_squared, "", "spin_squared", digits=".4f", note=note)
    yield Fact("stability", found.stability, name="stability")


@shows(CorrelatedResult)
def _(found: CorrelatedResult, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "  of it Hartree–Fock", found.reference_energy, "Eh", "reference_energy", digits=".8f"
    )
    yield Fact(
        "  of it correlation",
        found.correlation_energy,
        "Eh",
        "correlation_energy",
        digits=".8f",
        headline=True,
    )
    for name, label, part in (
        ("opposite_spin_energy", "opposite spins", found.opposite_spin_energy),
        ("same_spin_energy", "same spin", found.same_spin_energy),
        ("triples_energy", "triples (T)", found.triples_energy),
    ):
        if part is not None:
            yield Fact(f"    of it {label}", part, "Eh", name, digits=".8f")
    if found.t1_diagnostic is not None:
        yield Fact("T1 diagnostic", found.t1_diagnostic, "", "t1_diagnostic", digits=".4f")
    if found.basis_set_energies:
        yield _basis_sets(found)
    frozen = count(found.frozen_orbitals, "orbital") if found.frozen_orbitals else "no orbital"
    yield Fact(
        "correlated electrons",
        found.correlated_electrons,
        "",
        "correlated_electrons",
        also=(Fact("", f"{frozen} frozen", name="frozen_orbitals"),),
    )
    yield from solution(found)
    path = " → ".join(found.scf_path)
    yield Fact("SCF", path, name="scf_path", minor=len(found.scf_path) < 2)
    if found.amplitude_cycles:
        yield Fact(
            "cycles of the amplitudes", found.amplitude_cycles, "", "amplitude_cycles", minor=True
        )


@shows(CorrelatedDipole)
def _(found: CorrelatedDipole, around: Around) -> Iterator[Block]:
    del around
    note = f"of relaxed orbitals; differences are good to about {found.dipole_error:.0e} D"
    yield from dipole_facts(found.atoms, found.dipole, headline=True, note=note)
    yield Fact(
        "  of Hartree–Fock x, y, z",
        settled(found.reference_dipole),
        "D",
        "reference_dipole",
        digits=".4f",
    )
    yield Fact("  error seen at Hartree–Fock", found.dipole_error, "D", "dipole_error", minor=True)
    yield Fact("  field", found.field_strength, "Eh/e/bohr", "field_strength", minor=True)


def _basis_sets(found: CorrelatedResult) -> Table:
    """Return the energies that an extrapolation starts from, and their limit."""
    how = found.level.extrapolation
    rows = [
        (one.basis, one.cardinal_number, one.reference_energy, one.correlation_energy)
        for one in found.basis_set_energies
    ]
    columns = (
        Column("basis set", name="basis"),
        Column("X", name="cardinal_number"),
        Column("Hartree–Fock", "Eh", "reference_energy", ".8f"),
        Column("correlation", "Eh", "correlation_energy", ".8f"),
    )
    note = ""
    if how is not None:
        note = (
            f"Hartree–Fock goes like exp(−{how.reference_exponent:g}√X), correlation like "
            f"X^−{how.correlation_exponent:g}"
        )
    return Table(
        "Basis sets", columns, tuple(rows), "basis_sets", note=note, fields=("basis_set_energies",)
    )
