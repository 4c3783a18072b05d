"""The surface of MP2 and DF-MP2: energies and gradients at one geometry after the other."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel
from ontologies.factors import BOHR
from ontologies.units import Floats
from triplestore.errors import RecipeError
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve
from workflows.geometry.harmonic import Derivatives, central_differences

from .correlation import Correlation
from .fitted_gradient import FittedGradient
from .levels import hartree_fock
from .solving import correlated_electrons, correlation, scratch, second_order

STEP = 0.01
"""Bohr. How far an atom is moved for a difference of gradients."""

JUMP = 5e-3
"""Eh. A step of 0.01 bohr changes the energy by less, in the steepest of bonds."""

SHARP = 2e-6
"""The orbital gradient in Eh to which Hartree–Fock at each geometry is converged."""

SAME_PLACE = 1e-12
"""Bohr. What a geometry is moved by when its coordinates are converted there and back."""


class CorrelatedSurface:
    """The surface of second-order perturbation theory.

    Each Hartree–Fock solution starts from the orbitals of the geometry before.

    Attributes:
        mf: Hartree–Fock at the last geometry.
        found: what correlation adds there.
        density: the correction of the relaxed density there in basis functions; None where it is
            not known.

    Args:
        atoms: the molecule.
        level: of MP2 or DF-MP2.
        mf: a solution at these atoms to start from; None for the usual guess.
    """

    def __init__(self, atoms: ConceptualAtoms, level: CorrelatedLevel, mf: Any = None) -> None:
        self.atoms, self.level, self.start = atoms, level, hartree_fock(level)
        self.mf: Any = mean_field(molecule(atoms, self.start), self.start)
        self.mf.conv_tol_grad = SHARP
        if mf is not None:
            self.mf.mo_coeff, self.mf.mo_occ = mf.mo_coeff, mf.mo_occ
        self.found = Correlation(0.0)
        self.density: Floats | None = None

    def at(self, positions: Floats) -> tuple[float, Floats]:
        """Return energy (Eh) and gradient (Eh/bohr, shape (atoms, 3)) at positions in Å.

        Raises:
            NotConvergedError: Hartree–Fock or its response did not converge.
        """
        mf, mol = self.mf, self.mf.mol.copy()
        mol.set_geom_(positions, unit="Angstrom")
        if np.abs(mol.atom_coords() - mf.mol.atom_coords()).max() > SAME_PLACE:
            mf.reset(mol)
        solve(mf, self.atoms, self.start)
        gradient = self._gradient()
        return float(mf.e_tot) + self.found.total, gradient

    def _gradient(self) -> Floats:
        mf, level = self.mf, self.level
        alone: Floats = np.asarray(_quiet(mf.nuc_grad_method()).kernel(), float)
        if correlated_electrons(mf.mol, level) < 2 or mf.mo_coeff.shape[-1] <= max(mf.mol.nelec):
            self.found, self.density = correlation(mf, self.atoms, level), None
            return alone
        with scratch():
            if level.method == "DF-MP2":
                self.found = correlation(mf, self.atoms, level)
                slope = FittedGradient(mf, level).kernel()
                self.density = slope.density
                return alone + slope.gradient
            solver: Any = second_order(mf, level)
            solver.kernel(with_t2=True)
            self.found = Correlation(
                float(solver.e_corr), float(solver.e_corr_os), float(solver.e_corr_ss)
            )
            return np.asarray(_quiet(solver.nuc_grad_method()).kernel(), float)

    @property
    def dipole(self) -> Floats:
        """The dipole of the relaxed density in e·bohr about the origin; zero if it is unknown."""
        if self.density is None:
            return np.zeros(3)
        mol = self.mf.mol
        with mol.with_common_orig((0.0, 0.0, 0.0)):
            places = mol.intor("int1e_r", comp=3)
        alone: Floats = self.mf.dip_moment(unit="AU", origin=np.zeros(3), verbose=0)
        return np.asarray(alone - np.einsum("xmn,nm->x", places, self.density), float)

    def curvature(self) -> Floats:
        """Return second derivatives at the last geometry, by differences of gradients."""
        here = self.atoms.moved_to(self.mf.mol.atom_coords(unit="ANG"))
        return differences(here, self.level, self.mf).hessian

    def kept(self) -> Mapping[str, Any]:
        """Return what another one can go on from."""
        return {"mo_coeff": self.mf.mo_coeff, "mo_occ": self.mf.mo_occ}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        """Go on from what another one kept."""
        self.mf.mo_coeff, self.mf.mo_occ = kept["mo_coeff"], kept["mo_occ"]


def differences(
    atoms: ConceptualAtoms, level: CorrelatedLevel, mf: Any, checkpoint: Path | None = None
) -> Derivatives:
    """Return second derivatives, and those of the dipole where the relaxed density is known.

    Args:
        atoms: the geometry.
        level: of MP2 or DF-MP2.
        mf: Hartree–Fock there.
        checkpoint: where each gradient is kept, to go on from there; None for nowhere.

    Raises:
        NotConvergedError: Hartree–Fock at a displaced geometry did not converge.
        RecipeError: it ended in another state there.
    """
    near = CorrelatedSurface(atoms, level, mf)
    reference = float(mf.e_tot)

    def beside(shift: Floats) -> tuple[Floats, Floats]:
        near.take_up({"mo_coeff": mf.mo_coeff, "mo_occ": mf.mo_occ})
        _, gradient = near.at(atoms.positions + shift * BOHR)
        if abs(float(near.mf.e_tot) - reference) > JUMP:
            raise RecipeError(
                f"second derivatives of the energy of {atoms.formula} were asked for",
                f"{STEP:g} bohr away Hartree–Fock ended in another state, "
                f"{near.mf.e_tot - reference:+.4f} Eh",
                "ask for an unrestricted reference, or for a functional",
            )
        return gradient, near.dipole

    count = len(atoms.numbers)
    remark = (
        f"second derivatives are central differences of {6 * count} gradients at displacements of "
        f"{STEP:g} bohr"
    )
    return central_differences(count, STEP, beside, remark, checkpoint)


def _quiet(solver: Any) -> Any:
    """Return what computes a gradient, which prints nothing."""
    solver.verbose = 0
    return solver
