"""The surface of MP2 and coupled cluster: energies and gradients, one geometry after another."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel
from ontologies.units import Floats
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve
from workflows.geometry.surface import LevelSurface, another_state

from .cluster_gradient import cluster_slope
from .correlation import Correlation
from .fitted_gradient import FittedGradient
from .levels import hartree_fock
from .solving import (
    correlated_electrons,
    correlation,
    findings,
    reference,
    scratch,
    second_order,
)

SHARP = 2e-6
"""The orbital gradient in Eh to which Hartree–Fock at each geometry is converged."""

SAME_PLACE = 1e-12
"""Bohr. What a geometry is moved by when its coordinates are converted there and back."""


class CorrelatedSurface(LevelSurface[CorrelatedLevel]):
    """The surface of second-order perturbation theory or coupled cluster.

    Each Hartree–Fock solution starts from the orbitals of the geometry before. The dipole, and with
    it infrared intensities, needs the relaxed density, which is known of DF-MP2.

    Attributes:
        mf: Hartree–Fock at the last geometry.
        found: what correlation adds there.
        density: the correction of the relaxed density there in basis functions; None where it is
            not known.

    Args:
        atoms: the molecule.
        level: one that has gradients, in one basis set.
        mf: a solution at these atoms to start from; None for the usual guess.
    """

    step = 0.01
    left = (
        "Hartree–Fock ended in another state",
        "ask for an unrestricted reference, or for a functional",
    )

    def __init__(self, atoms: ConceptualAtoms, level: CorrelatedLevel, mf: Any = None) -> None:
        super().__init__(atoms, level)
        self.alone, self.has_dipole = hartree_fock(level), level.method == "DF-MP2"
        self.mf: Any = mean_field(molecule(atoms, self.alone), self.alone)
        self.mf.conv_tol_grad = SHARP
        if mf is not None:
            self.mf.mo_coeff, self.mf.mo_occ = mf.mo_coeff, mf.mo_occ
        self.found = Correlation(0.0)
        self.density: Floats | None = None

    def start(self) -> tuple[float, Floats]:
        mf = reference(self.atoms, self.level)
        if len(self.atoms.numbers) > 1:
            self.take_up({"mo_coeff": mf.mo_coeff, "mo_occ": mf.mo_occ})
            return super().start()
        self.mf, self.found = mf, correlation(mf, self.atoms, self.level)
        self.energy = float(mf.e_tot) + self.found.total
        return self.energy, np.zeros((1, 3))

    def _solve(self, positions: Floats) -> tuple[float, Floats]:
        """Run Hartree–Fock, and what is on top of it.

        Raises:
            NotConvergedError: Hartree–Fock or its response did not converge.
        """
        mf, mol = self.mf, self.mf.mol.copy()
        mol.set_geom_(positions, unit="Angstrom")
        if np.abs(mol.atom_coords() - mf.mol.atom_coords()).max() > SAME_PLACE:
            mf.reset(mol)
        solve(mf, self.atoms, self.alone)
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
            if level.method.startswith("CC"):
                self.found, whole = cluster_slope(mf, self.atoms, level)
                return whole
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

    @property
    def findings(self) -> dict[str, Any]:
        return findings(self.mf, self.level, self.found)

    @property
    def state_energy(self) -> float:
        return float(self.mf.e_tot)

    def other_state(self, relaxed: ConceptualAtoms) -> tuple[str, ...]:
        def apart() -> float:
            return float(reference(relaxed, self.level).e_tot) - self.state_energy

        ended = "Hartree–Fock at the final geometry ends in"
        return another_state(apart, "Hartree–Fock does", ended)

    def _nearby(self) -> CorrelatedSurface:
        near = type(self)(self.atoms.moved_to(self.positions), self.level, self.mf)
        near.mf.e_tot = self.mf.e_tot  # the state that displaced ones are compared with
        return near

    def curvature(self) -> Floats:
        self.positions = self.mf.mol.atom_coords(unit="ANG")  # as it was solved, to the last digit
        return super().curvature()

    def kept(self) -> Mapping[str, Any]:
        return {"mo_coeff": self.mf.mo_coeff, "mo_occ": self.mf.mo_occ}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        self.mf.mo_coeff, self.mf.mo_occ = kept["mo_coeff"], kept["mo_occ"]


def _quiet(solver: Any) -> Any:
    """Return what computes a gradient, which prints nothing."""
    solver.verbose = 0
    return solver
