"""The slope of coupled cluster: analytic where PySCF has it right, from energies where it has not.

Of unrestricted triples PySCF's own differ from differences of energies by up to 2e-3 Eh/bohr (its
source says so, release 2.14), so that those are taken from energies instead.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel
from ontologies.factors import BOHR
from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.dft.scf.scf import solve
from workflows.engine import context

from .correlation import Correlation
from .levels import hartree_fock
from .solving import MAX_CYCLES, coupled_cluster

MOVED = 0.002
"""Bohr. Atoms go so far both ways; third derivatives leave 1e-6 Eh/bohr, amplitudes less."""

SHARP = {"scf_tolerance": 1e-11, "amplitude_tolerance": 1e-7}
"""To what energies are converged whose differences are taken."""

SHARPER = 1e-7
"""Eh. To what the orbitals' gradient is converged there."""


def is_differences(level: CorrelatedLevel) -> bool:
    """Whether the slope of a level is made of energies, six for each atom."""
    return level.method == "CCSD(T)" and level.reference != "restricted"


def cluster_slope(
    mf: Any, atoms: ConceptualAtoms, level: CorrelatedLevel
) -> tuple[Correlation, Floats]:
    """Return what coupled cluster adds to a Hartree–Fock solution, and the slope of their sum.

    Returns:
        What correlation adds in Eh, and the gradient in Eh/bohr, shape (atoms, 3).

    Raises:
        NotConvergedError: the amplitudes, or the equations of their response, did not converge.

    Source: A. C. Scheiner, G. E. Scuseria, J. E. Rice, T. J. Lee, H. F. Schaefer, J. Chem. Phys.
    87, 5361 (1987), doi:10.1063/1.453655 (CCSD); T. J. Lee, A. P. Rendell, J. Chem. Phys. 94, 6229
    (1991), doi:10.1063/1.460410 (with triples).
    """
    solver, integrals, found = coupled_cluster(mf, atoms, level)
    if is_differences(level):
        return found, _differences(mf, atoms, level)
    if level.method == "CCSD(T)":
        integrals = solver.ao2mo()  # the triples may have sorted those in place
    return found, _analytic(solver, integrals, atoms, level)


def _analytic(solver: Any, integrals: Any, atoms: ConceptualAtoms, level: CorrelatedLevel) -> Any:
    from pyscf.cc import ccsd_lambda, ccsd_t_lambda, uccsd_lambda
    from pyscf.grad import ccsd, ccsd_t, uccsd

    context().report("response", energy=float(solver.e_tot))
    closed, triples = level.reference == "restricted", level.method == "CCSD(T)"
    respond: Any = ccsd_t_lambda if triples else ccsd_lambda if closed else uccsd_lambda
    slopes: Any = ccsd_t if triples else ccsd if closed else uccsd
    solved, one, two = respond.kernel(
        solver,
        integrals,
        solver.t1,
        solver.t2,
        max_cycle=MAX_CYCLES,
        tol=level.amplitude_tolerance,
        verbose=0,
    )
    if not solved:
        raise NotConvergedError(
            f"the slope of {level.label} of {atoms.formula} was asked for",
            f"the equations of the response did not converge in {MAX_CYCLES} cycles",
            "check geometry, charge and multiplicity, or relax with DF-MP2 or a functional",
        )
    slope: Any = slopes.Gradients(solver)
    slope.verbose = 0
    return np.asarray(slope.kernel(solver.t1, solver.t2, one, two, eris=integrals), float)


def _differences(mf: Any, atoms: ConceptualAtoms, level: CorrelatedLevel) -> Floats:
    """Return central differences of energies, each solved from the orbitals in the middle."""
    sharp = level.model_copy(update=SHARP)
    start, middle = hartree_fock(sharp), mf.mol.atom_coords()
    slope = np.zeros_like(middle)
    for place in np.ndindex(middle.shape):
        sides: list[float] = []
        for sign in (1, -1):
            moved = middle.copy()
            moved[place] += sign * MOVED
            near, mol = mf.copy(), mf.mol.copy()
            mol.set_geom_(moved * BOHR, unit="Angstrom")
            near.reset(mol)
            near.conv_tol, near.conv_tol_grad = sharp.scf_tolerance, SHARPER
            near.mo_coeff, near.mo_occ = mf.mo_coeff, mf.mo_occ
            solve(near, atoms, start)
            sides.append(float(near.e_tot) + coupled_cluster(near, atoms, sharp)[2].total)
        slope[place] = (sides[0] - sides[1]) / (2 * MOVED)
        context().report("slope", coordinate=1 + int(np.ravel_multi_index(place, middle.shape)))
    return slope
