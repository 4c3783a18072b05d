"""The orbitals of a result, and their file in the format of Molden.

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


def orbitals_of(result: EnergyResult) -> Call[MolecularOrbitals]:
    """Return the calculation of the orbitals of a result.

    Raises:
        InputError: the level has none here, or the format cannot hold them.
    """
    atoms, level = result.atoms, result.level
    asked = f"the orbitals of {atoms.formula} at {level.label} were asked for"
    if not isinstance(level, LevelOfTheory):
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


def molden(result: EnergyResult, found: MolecularOrbitals) -> tuple[str, tuple[str, ...]]:
    """Return the orbitals of a result as a Molden file, coordinates in bohr, energies in Eh.

    Args:
        result: what was asked about.
        found: its orbitals.
    """
    from pyscf.tools import molden as writer

    atoms, level = found.atoms, found.level
    mol = molecule(atoms, level)
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
    title = f"{atoms.formula} at {level.label}, {found.energy:.9f} Eh"
    rows = [
        f"{symbol:2s} {place:5d} {number:4d} {x:20.14f} {y:20.14f} {z:20.14f}"
        for place, (symbol, number, (x, y, z)) in enumerate(
            zip(atoms.symbols, atoms.numbers.tolist(), mol.atom_coords().tolist(), strict=True), 1
        )
    ]
    head = ["[Molden Format]", "[Title]", f" {title.encode('ascii', 'replace').decode()}"]
    parts = [*head, "[Atoms] AU", *rows, *_cores(mol), shells.rstrip(), orbitals.getvalue()]
    notes = list[str]()
    if any(mol.atom_nelec_core(place) for place in range(mol.natm)):
        notes.append(
            "potentials stand for core electrons: [Core] and [Nval] say how many; a program that "
            "reads neither counts too few electrons"
        )
    if abs(found.energy - result.energy) > OTHER_STATE:
        notes.append(
            f"the orbitals are those of an SCF from the usual guess, {found.energy:.6f} Eh; the "
            f"result has {result.energy:.6f} Eh"
        )
    return "\n".join(parts), tuple(notes)


def _cores(mol: Any) -> list[str]:
    """Return the electrons that potentials stand for, and those that are left."""
    cores = [(place + 1, mol.atom_nelec_core(place)) for place in range(mol.natm)]
    held = [(place, count) for place, count in cores if count]
    if not held:
        return []
    numbers = {mol.atom_pure_symbol(place - 1): count for place, count in held}
    left = [f"{symbol} {SYMBOLS.index(symbol) - count}" for symbol, count in numbers.items()]
    return ["[Core]", *(f"{place} : {count}" for place, count in held), "[Nval]", *left]
