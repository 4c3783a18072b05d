"""Sharing electrons out among atoms: charges, bond orders, spin densities.

Density matrices are pairs, of alpha and of beta spin, shape (2, functions, functions).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from workflows.molecule.spin import ground_multiplicity

from ..scf.scf import checked, without_record

HIRSHFELD_GRID = 4
"""PySCF's grid level on which densities are shared out."""

BLOCK = 20_000
"""Grid points at a time."""


def spin_densities(mf: Any) -> Floats:
    """Return the density matrices of alpha and beta spin, shape (2, functions, functions)."""
    density = np.asarray(mf.make_rdm1())
    return density if density.ndim == 3 else np.array([density / 2, density / 2])


def by_atom(mol: Any, values: Floats) -> Floats:
    """Return the sums over each atom's functions, shape (atoms,)."""
    return np.array([values[first:last].sum() for *_, first, last in mol.aoslice_by_atom()])


def blocks(mol: Any, values: Floats) -> Floats:
    """Return the sums over blocks of two atoms' functions, 0 on the diagonal, (atoms, atoms)."""
    starts = mol.aoslice_by_atom()[:, 2]
    sums = np.add.reduceat(np.add.reduceat(values, starts, axis=0), starts, axis=1)
    np.fill_diagonal(sums, 0.0)
    return sums


def half_power(overlap: Floats) -> Floats:
    """Return the square root of an overlap matrix."""
    values, vectors = np.linalg.eigh(overlap)
    return (vectors * np.sqrt(values.clip(0))) @ vectors.T


def lowdin_charges(mol: Any, density: Floats, overlap: Floats) -> Floats:
    """Return charges from symmetrically orthogonalised orbitals, in e, shape (atoms,).

    Source: P.-O. Löwdin, J. Chem. Phys. 18, 365 (1950).
    """
    root = half_power(overlap)
    electrons = np.einsum("ij,jk,ki->i", root, density.sum(axis=0), root)
    return mol.atom_charges() - by_atom(mol, electrons)


def mulliken_spins(mol: Any, density: Floats, overlap: Floats) -> Floats:
    """Return alpha less beta electrons by Mulliken, shape (atoms,)."""
    return by_atom(mol, np.einsum("ij,ji->i", density[0] - density[1], overlap))


def mayer_bond_orders(mol: Any, density: Floats, overlap: Floats) -> Floats:
    """Return Mayer's bond orders, shape (atoms, atoms).

    Source: I. Mayer, Chem. Phys. Lett. 97, 270 (1983); open shells: Theor. Chim. Acta 67, 315
    (1985).
    """
    products = density @ overlap
    return blocks(mol, 2 * sum((part * part.T for part in products), np.zeros_like(overlap)))


def wiberg_bond_orders(mol: Any, density: Floats, overlap: Floats) -> Floats:
    """Return Wiberg's bond orders in the Löwdin basis, shape (atoms, atoms).

    Source: K. B. Wiberg, Tetrahedron 24, 1083 (1968).
    """
    root = half_power(overlap)
    squares = ((root @ part @ root) ** 2 for part in density)
    return blocks(mol, 2 * sum(squares, np.zeros_like(overlap)))


def iao_charges(mf: Any) -> Floats | None:
    """Return charges from intrinsic atomic orbitals, in e, shape (atoms,).

    None where there are none: with core potentials, for which the reference functions are not
    made, and for elements that have no reference functions.

    Source: G. Knizia, J. Chem. Theory Comput. 9, 4834 (2013).
    """
    from pyscf import lo

    mol = mf.mol
    if mol.has_ecp():
        return None
    overlap = mf.get_ovlp()
    electrons: Floats = np.zeros(mol.natm)
    try:
        reference = lo.iao.reference_mol(mol)
        for orbitals in _occupied(mf):
            if orbitals.shape[1] == 0:
                continue
            local = lo.vec_lowdin(lo.iao.iao(mol, orbitals), overlap)
            inside = (local.T @ overlap @ orbitals) ** 2
            electrons += by_atom(reference, inside.sum(axis=1))
    except (KeyError, RuntimeError, ValueError, np.linalg.LinAlgError):
        return None
    return mol.atom_charges() - electrons


def _occupied(mf: Any) -> list[Floats]:
    """Return the occupied orbitals of alpha and of beta spin."""
    coefficients, occupations = np.asarray(mf.mo_coeff), np.asarray(mf.mo_occ)
    if occupations.ndim == 2:
        return [coefficients[spin][:, occupations[spin] > 0] for spin in (0, 1)]
    return [coefficients[:, occupations > 0], coefficients[:, occupations > 1]]


def hirshfeld_charges(mol: Any, density: Floats) -> Floats:
    """Return charges by the stockholder partition, in e, shape (atoms,).

    The free atoms are unrestricted Hartree–Fock ones in their ground states, in the same basis set,
    averaged over all directions. What the integration misses of the number of electrons is shared
    out evenly.

    Raises:
        NotConvergedError: a free atom did not converge.

    Source: F. L. Hirshfeld, Theor. Chim. Acta 44, 129 (1977).
    """
    from pyscf import dft

    free = free_atoms(mol)
    grid = dft.gen_grid.Grids(mol)
    grid.level = HIRSHFELD_GRID
    grid.build()
    places, weights = np.asarray(grid.coords), np.asarray(grid.weights)
    total = density.sum(axis=0)
    slices = [slice(first, last) for *_, first, last in mol.aoslice_by_atom()]
    electrons: Floats = np.zeros(mol.natm)
    for start in range(0, len(weights), BLOCK):
        part = slice(start, start + BLOCK)
        functions = np.asarray(dft.numint.eval_ao(mol, places[part]))
        here = _on_grid(functions, total) * weights[part]
        atoms = np.array([_on_grid(functions[:, own], free[own, own]) for own in slices])
        whole = atoms.sum(axis=0)
        shares = np.divide(atoms, whole, out=np.zeros_like(atoms), where=whole > 1e-30)
        electrons += shares @ here
    missing = mol.nelectron - electrons.sum()
    return mol.atom_charges() - electrons - missing / mol.natm


def free_atoms(mol: Any) -> Floats:
    """Return the densities of a molecule's free atoms, shape (functions, functions), in blocks.

    Raises:
        NotConvergedError: the SCF of an atom did not converge.
    """
    from scipy.linalg import block_diag

    symbols = [mol.atom_pure_symbol(n) for n in range(mol.natm)]
    known = {symbol: _free_atom(mol, symbol) for symbol in set(symbols)}
    blocks = np.asarray(block_diag(*(known[symbol] for symbol in symbols)))
    if mol.cart:
        turn = np.asarray(mol.cart2sph_coeff(normalized="sp"))
        blocks = turn @ blocks @ turn.T
    return blocks


def _free_atom(mol: Any, symbol: str) -> Floats:
    """Return the spherically averaged density of a neutral atom in spherical functions."""
    from pyscf import gto, scf

    number = gto.charge(symbol)
    alone = ConceptualAtoms(numbers=[number], positions=np.zeros((1, 3)))
    spin = (ground_multiplicity(alone) or alone.multiplicity) - 1
    atom = gto.M(
        atom=[(symbol, (0.0, 0.0, 0.0))],
        basis={symbol: mol._basis[symbol]},
        ecp={symbol: mol._ecp[symbol]} if symbol in mol._ecp else {},
        spin=spin,
        verbose=0,
    )
    mf: Any = scf.uhf.UHF(atom)
    without_record(mf)
    mf.kernel()
    if not mf.converged:
        mf = mf.newton()
        mf.kernel()
    checked(mf, f"the free atom {symbol}")
    return _averaged(atom, np.asarray(mf.make_rdm1()).sum(axis=0))


def _averaged(atom: Any, density: Floats) -> Floats:
    """Return the density of an atom averaged over all directions."""
    places: dict[int, list[int]] = {}
    starts = atom.ao_loc_nr()
    for shell in range(atom.nbas):
        momentum = int(atom.bas_angular(shell))
        for contraction in range(atom.bas_nctr(shell)):
            start = int(starts[shell]) + contraction * (2 * momentum + 1)
            places.setdefault(momentum, []).append(start)
    averaged = np.zeros_like(density)
    for momentum, found in places.items():
        size = 2 * momentum + 1
        for one in found:
            for other in found:
                mean = np.trace(density[one : one + size, other : other + size]) / size
                averaged[one : one + size, other : other + size] = np.eye(size) * mean
    return averaged


def _on_grid(functions: Floats, density: Floats) -> Floats:
    return np.einsum("gi,gi->g", functions @ density, functions)
