"""Orbitals and vibrations of a result as a file in the format of Molden.

The format: G. Schaftenaar, J. H. Noordik, J. Comput.-Aided Mol. Des. 14, 123 (2000). Where
potentials stand for core electrons, programs disagree on what its column of atomic numbers holds.
Here these are the true ones, as the format has it, so that no reader takes iodine for another
element; the core electrons are told beside: `[Core]`, as Molden2AIM and PySCF read them, and
`[Nval]`, as Multiwfn does.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import EnergyResult
from ontologies.vibrations import VibrationalAnalysis
from ontologies.wavefunction import MolecularOrbitals
from triplestore.errors import InputError
from workflows.engine import Call, calculation

from ..level.bases import basis_for
from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import converge, electronic

HIGHEST = 4
"""The angular momentum of g functions, the last that the format knows."""

OTHER_STATE = 1e-6
"""Eh by which an energy differs that another solution of the SCF has."""


@calculation(
    "dft.molecular_orbitals", version="1", backend=PYSCF, revision=revision, title="orbitals"
)
def molecular_orbitals(
    atoms: ConceptualAtoms, level: LevelOfTheory, oriented: str
) -> MolecularOrbitals:
    """Compute all molecular orbitals.

    Args:
        atoms: the geometry.
        level: the level of theory.
        oriented: the IRI of the geometry, so that a turned copy has orbitals of its own.

    Raises:
        NotConvergedError: the SCF did not converge.
    """
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    parts = [np.asarray(one) for one in (mf.mo_energy, mf.mo_occ, mf.mo_coeff)]
    first, second = parts, [None, None, None]
    if parts[1].ndim == 2:
        first, second = ([one[spin] for one in parts] for spin in (0, 1))
    names = ("orbital_energies", "occupations", "orbital_coefficients")
    found: dict[str, Any] = dict(zip(names, first, strict=True))
    found |= {f"{name}_beta": one for name, one in zip(names, second, strict=True)}
    return MolecularOrbitals(atoms=atoms, level=level, **electronic(mf), **found)


def orbitals_of(result: EnergyResult) -> Call[MolecularOrbitals] | None:
    """Return the calculation of the orbitals of a result; None for vibrations without orbitals.

    Raises:
        InputError: the level has none here, or the format cannot hold them.
    """
    atoms, level = result.atoms, result.level
    asked = f"the orbitals of {atoms.formula} at {level.label} were asked for"
    if not isinstance(level, LevelOfTheory):
        if isinstance(result, VibrationalAnalysis):
            return None
        kind: type[Level] = type(level)
        found = f"Hartree–Fock and functionals have orbitals here, a {kind.__name__} has not"
        raise InputError(asked, found, "compute the molecule with one of these")
    sets, _ = basis_for(sorted(set(atoms.numbers.tolist())), level.basis_source)
    high = sorted(
        name for name, shells in sets.items() if max(int(one[0]) for one in shells) > HIGHEST
    )
    if high:
        found = f"{level.basis} has functions beyond g for {', '.join(high)}, which Molden has not"
        raise InputError(asked, found, "choose a smaller basis set, or write cube files")
    return molecular_orbitals.bind(atoms, level, atoms.iri)


def molden(
    result: EnergyResult, found: MolecularOrbitals | None = None
) -> tuple[str, tuple[str, ...]]:
    """Return a Molden file: orbitals, and of an analysis of vibrations the modes.

    Coordinates are in bohr, orbital energies in Eh, wavenumbers in 1/cm (imaginary ones negative),
    intensities in km/mol; the displacements of each mode have the norm one.

    Args:
        result: what was asked about.
        found: its orbitals; None to leave them out.
    """
    atoms = result.atoms
    title = f"{atoms.formula} at {result.level.label}, {result.energy:.9f} Eh"
    rows = [
        f"{symbol:2s} {place:5d} {number:4d} {_three(where)}"
        for place, (symbol, number, where) in enumerate(
            zip(atoms.symbols, atoms.numbers.tolist(), _bohr(atoms), strict=True), 1
        )
    ]
    head = ["[Molden Format]", "[Title]", f" {title.encode('ascii', 'replace').decode()}"]
    parts, notes = [*head, "[Atoms] AU", *rows], list[str]()
    if found is not None:
        parts += _orbitals(found)
        if "[Core]" in parts:
            notes.append(
                "potentials stand for core electrons: [Core] and [Nval] say how many; a program "
                "that reads neither counts too few electrons"
            )
        if abs(found.energy - result.energy) > OTHER_STATE:
            notes.append(
                f"the orbitals are those of an SCF from the usual guess, {found.energy:.6f} Eh; "
                f"the result has {result.energy:.6f} Eh"
            )
    if isinstance(result, VibrationalAnalysis):
        parts += _vibrations(result)
    return "\n".join(part.rstrip("\n") for part in parts) + "\n", tuple(notes)


def _bohr(atoms: ConceptualAtoms) -> list[list[float]]:
    from pyscf.data import nist

    return (atoms.positions / nist.BOHR).tolist()


def _three(where: list[float]) -> str:
    return " ".join(f"{one:20.14f}" for one in where)


def _orbitals(found: MolecularOrbitals) -> list[str]:
    from pyscf.tools import molden as writer

    mol = molecule(found.atoms, found.level)
    basis, orbitals = io.StringIO(), io.StringIO()
    writer.header(mol, basis)
    spins = [("Alpha", "")]
    if found.orbital_coefficients_beta is not None:
        spins.append(("Beta", "_beta"))
    for spin, end in spins:
        energies, occupations, columns = (
            getattr(found, f"{name}{end}")
            for name in ("orbital_energies", "occupations", "orbital_coefficients")
        )
        writer.orbital_coeff(mol, orbitals, columns, spin, ene=energies, occ=occupations)
    shells = basis.getvalue()
    shells = shells[shells.index("[GTO]") :].split("[core]")[0]
    return [*_cores(mol), shells, orbitals.getvalue()]


def _vibrations(found: VibrationalAnalysis) -> list[str]:
    """Return wavenumbers, intensities where there are any, and the displacements of each mode."""
    parts = ["[FREQ]", *(f"{wave:12.4f}" for wave in found.wavenumbers.tolist())]
    if found.infrared is not None:
        parts += ["[INT]", *(f"{one:12.4f}" for one in found.infrared.tolist())]
    places = zip(found.atoms.symbols, _bohr(found.atoms), strict=True)
    parts += ["[FR-COORD]", *(f"{symbol:2s} {_three(where)}" for symbol, where in places)]
    parts.append("[FR-NORM-COORD]")
    for number, mode in enumerate(found.modes.tolist(), 1):
        parts += [f"vibration {number:5d}", *map(_three, mode)]
    return parts


def _cores(mol: Any) -> list[str]:
    """Return the electrons that potentials stand for, and those that are left."""
    cores = [(place + 1, mol.atom_nelec_core(place)) for place in range(mol.natm)]
    held = [(place, count) for place, count in cores if count]
    if not held:
        return []
    numbers = {mol.atom_pure_symbol(place - 1): count for place, count in held}
    left = [f"{symbol} {SYMBOLS.index(symbol) - count}" for symbol, count in numbers.items()]
    return ["[Core]", *(f"{place} : {count}" for place, count in held), "[Nval]", *left]
