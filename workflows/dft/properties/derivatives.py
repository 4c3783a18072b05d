"""Second derivatives of the energy and first ones of the dipole, by the positions of the atoms."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from workflows.engine import context
from workflows.geometry.harmonic import Derivatives, central_differences, differences
from workflows.geometry.surface import check_state

from ..scf.gpu import GpuHessian
from ..scf.meanfield import mean_field, molecule
from ..scf.response import Hessian, channels_of, is_solved
from ..scf.scf import solve

STEP = 0.01
"""Bohr. How far an atom is moved for a difference of gradients."""

SHARP = 2e-6
"""The orbital gradient in Eh to which the SCF at a moved geometry is converged."""


def second_derivatives(
    mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory, checkpoint: Path | None = None
) -> Derivatives:
    """Return the derivatives: analytic ones, or by differences of gradients if PySCF has none.

    Args:
        mf: a converged mean field.
        atoms: its geometry.
        level: its level.
        checkpoint: where differences keep each gradient, to go on from there.

    Raises:
        NotConvergedError: the SCF at a displaced geometry did not converge.
        RecipeError: the SCF at a displaced geometry ended in another state.
    """
    if is_solved(level, mf.mol.nelec):
        with suppress(NotImplementedError):
            return analytic(mf)
    why = "this level of theory" if all(mf.mol.nelec) else "electrons of one spin alone"
    lead = f"PySCF has no analytic second derivatives for {why}: they are"
    count = len(atoms.numbers)
    context().report("differences", gradients=6 * count, why=differences(STEP, lead))
    return numerical(mf, atoms, level, checkpoint, lead)


def analytic(mf: Any) -> Derivatives:
    """Return the derivatives from the response of the orbitals.

    The response that makes the Hessian makes the dipoles' change, too.

    Raises:
        NotImplementedError: PySCF has none for it.
        NotConvergedError: the response could not be found.
    """
    solver = mf.Hessian()
    if not isinstance(solver, GpuHessian):
        solver = Hessian(solver)
    hessian: Floats = solver.kernel()
    if mf.istype("KohnShamDFT"):
        hessian = balanced(hessian)
    return Derivatives(hessian, _dipoles(mf, solver.changes))


def balanced(hessian: Floats) -> Floats:
    """Return second derivatives under which a molecule that is shifted as a whole feels no force.

    PySCF leaves out that the grid moves along with its atom. Nearly all that is missing stands in
    the blocks of each atom with itself (water, r2SCAN/STO-3G: 0.35 Eh/bohr² for oxygen, 10 1/cm of
    the bend; elsewhere 0.001), so these are set to what the others leave.

    Args:
        hessian: shape (atoms, atoms, 3, 3).
    """
    corrected = hessian.copy()
    atoms = np.arange(len(hessian))
    rest = corrected[atoms, atoms] - corrected.sum(1)
    corrected[atoms, atoms] = (rest + rest.transpose(0, 2, 1)) / 2
    return corrected


def _dipoles(mf: Any, changes: Sequence[Floats]) -> Floats:
    """Return how the dipole follows each atom: nuclei, basis functions and orbitals."""
    mol = mf.mol
    with mol.with_common_orig((0.0, 0.0, 0.0)):
        places = mol.intor("int1e_r", comp=3)
        slopes = mol.intor("int1e_irp", comp=9).reshape(3, 3, mol.nao, mol.nao)  # r, then nabla
    density = np.asarray(mf.make_rdm1())
    if density.ndim == 3:
        density = density.sum(0)
    moved = -np.einsum("cxpq,pq->xcq", slopes, density) * 2
    derivatives = np.zeros((mol.natm, 3, 3))
    for atom, (_, _, start, stop) in enumerate(mol.aoslice_by_atom()):
        derivatives[atom] = mol.atom_charge(atom) * np.eye(3) - moved[:, :, start:stop].sum(-1)
    for channel, change in zip(channels_of(mf), changes, strict=True):
        inside = 2 * channel.electrons * channel.inside(places)
        derivatives -= np.einsum("nxai,cai->nxc", change, inside, optimize=True)
    return derivatives


def numerical(
    mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory, checkpoint: Path | None, lead: str
) -> Derivatives:
    """Return the derivatives by central differences; each gradient is kept in the checkpoint."""
    level = level.model_copy(update={"follow_instabilities": False})
    return central_differences(
        len(atoms.numbers), STEP, lambda shift: _beside(mf, atoms, level, shift), lead, checkpoint
    )


def _beside(
    mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory, shift: Floats
) -> tuple[Floats, Floats]:
    """Return gradient and dipole at a displaced geometry (bohr), both in atomic units."""
    mol = molecule(atoms, level)
    mol.set_geom_(mf.mol.atom_coords() + shift, unit="Bohr")
    near = mean_field(mol, level)
    near.mo_coeff, near.mo_occ, near.conv_tol_grad = mf.mo_coeff, mf.mo_occ, SHARP
    solve(near, atoms, level)
    check_state(
        atoms,
        STEP,
        float(near.e_tot - mf.e_tot),
        "the SCF ended in another state",
        "follow instabilities of the SCF, or ask for another functional or reference",
    )
    gradient: Floats = np.asarray(near.nuc_grad_method().kernel(), float)
    return gradient, near.dip_moment(unit="AU", origin=np.zeros(3), verbose=0)
