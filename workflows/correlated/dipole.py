"""The dipole of a correlated wavefunction: the slope of its energy in an electric field."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedDipole, CorrelatedLevel
from ontologies.factors import DEBYE
from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve
from workflows.engine import calculation, context

from .energy import solved
from .extrapolation import reference_limit
from .levels import PYSCF, hartree_fock
from .solving import reference

FIELD = 0.001
"""Eh/(e·bohr). The energy then changes by 1e-3 of a dipole in e·bohr; of what is of third order,
such as 40 a.u. of water, 7e-6 e·bohr are left."""

SHARP = {"scf_tolerance": 1e-11, "amplitude_tolerance": 1e-7}
GRADIENT = 1e-7
"""Eh. To which orbitals are converged: correlation energies change with them in first order."""

ANOTHER = 0.05
"""D. Where the slope of Hartree–Fock is off by more, it ended in another state in the field."""


@calculation("correlated.dipole", version="1", backend=PYSCF, gpu=False, title="dipole")
def dipole(atoms: ConceptualAtoms, level: CorrelatedLevel) -> CorrelatedDipole:
    """Compute energy and dipole at a fixed geometry from energies in weak fields.

    That is the dipole with relaxed orbitals, whatever the method: the derivative of the energy, by
    central differences, with Hartree–Fock and correlation solved anew in each field. Along
    directions in which symmetry leaves no dipole nothing is computed, unless Hartree–Fock has one
    there. What the differences are off by is seen at Hartree–Fock, whose dipole is known.

    Raises:
        InputError: a basis set lacks an element, or there are no such electrons.
        NotConvergedError: Hartree–Fock or the amplitudes did not converge, or ended in another
            state.

    Source: G. H. F. Diercksen, B. O. Roos, A. J. Sadlej, Chem. Phys. 59, 29 (1981),
    doi:10.1016/0301-0104(81)80082-1 (derivatives and expectation values).
    """
    starts: list[Any] = []

    def at_rest(one: CorrelatedLevel) -> Any:
        starts.append(reference(atoms, one))
        return starts[-1]

    found = solved(atoms, level, at_rest)
    centre = _centre(starts[-1].mol)
    alone = _limit(level, [_of_reference(mf, centre) for mf in starts])
    sharp = level.model_copy(update=SHARP)
    total, seen = np.zeros(3), np.zeros(3)
    directions = _directions(starts[-1].mol, alone)
    for number, along in enumerate(directions):
        sides: list[tuple[float, float]] = []
        for sign in (1, -1):
            context().report("field", direction=number + 1, sign=sign)
            guesses = iter(starts)
            solution = partial(_in_field, atoms, guesses, sign * FIELD * along, centre)
            there = solved(atoms, sharp, solution)
            sides.append((there["energy"], there["reference_energy"]))
        slopes = (np.array(sides[0]) - np.array(sides[1])) / (2 * FIELD)
        total -= slopes[0] * along * DEBYE
        seen -= slopes[1] * along * DEBYE
    error = float(np.linalg.norm(seen - sum((along @ alone * along for along in directions), 0.0)))
    if error > ANOTHER:
        raise NotConvergedError(
            f"the dipole of {atoms.formula} at {level.label} was asked for",
            f"Hartree–Fock in a field of {FIELD:g} Eh/(e·bohr) ended in another state: its slope "
            f"is off by {error:.2f} D",
            "check geometry, charge and multiplicity, or take the dipole of a functional",
        )
    return CorrelatedDipole(
        atoms=atoms,
        level=level,
        dipole=total,
        reference_dipole=alone,
        dipole_error=error,
        field_strength=FIELD,
        **found,
    )


def _in_field(
    atoms: ConceptualAtoms, guesses: Any, field: Floats, centre: Floats, level: CorrelatedLevel
) -> Any:
    """Return Hartree–Fock in a field, from the next of solutions without it."""
    start = hartree_fock(level)
    mol = molecule(atoms, start)
    mf: Any = mean_field(mol, start)
    with mol.with_common_orig(centre):
        core = mf.get_hcore() + np.einsum("x,xmn->mn", field, mol.intor("int1e_r", comp=3))
    nuclei = mol.energy_nuc() - mol.atom_charges() @ (mol.atom_coords() - centre) @ field

    def whole(*_: Any) -> Any:
        return core

    def of_nuclei(*_: Any) -> float:
        return float(nuclei)

    mf.get_hcore, mf.energy_nuc = whole, of_nuclei
    mf.conv_tol_grad = GRADIENT
    guess = next(guesses)
    mf.mo_coeff, mf.mo_occ = guess.mo_coeff, guess.mo_occ
    return solve(mf, atoms, start)  # without memory: that knows no fields


def _directions(mol: Any, alone: Floats) -> list[Floats]:
    """Return unit vectors along which there can be a dipole.

    Args:
        mol: the molecule; how it is symmetric is looked at to 1e-5 bohr.
        alone: the dipole of Hartree–Fock, which an unrestricted solution may have in spite of the
            symmetry of the nuclei.
    """
    from pyscf.symm import detect_symm

    group, _, axes = detect_symm(mol._atom)
    kept: list[Floats] = list(np.eye(3))
    if group == "Ci" or group[0] in "DTOIS" or group.endswith("h"):
        kept = []
    elif group == "Cs":
        kept = [np.asarray(axes[0]), np.asarray(axes[1])]
    elif group != "C1":
        kept = [np.asarray(axes[2])]
    inside = sum((along @ alone * along for along in kept), np.zeros(3))
    return kept if np.linalg.norm(alone - inside) < 1e-3 else list(np.eye(3))


def _of_reference(mf: Any, centre: Floats) -> Floats:
    return np.asarray(mf.dip_moment(unit="Debye", origin=centre, verbose=0), float)


def _limit(level: CorrelatedLevel, dipoles: list[Floats]) -> Floats:
    """Return the dipole of Hartree–Fock in D, of an extrapolated level at its limit."""
    how = level.extrapolation
    if how is None:
        return dipoles[0]
    return np.array([reference_limit(how, *pair) for pair in zip(*dipoles, strict=True)])


def _centre(mol: Any) -> Floats:
    masses = mol.atom_mass_list(isotope_avg=True)
    return np.asarray(masses @ mol.atom_coords() / masses.sum(), float)
