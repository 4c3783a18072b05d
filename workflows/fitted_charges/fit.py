"""Charges of atoms by least squares, free and restrained as in RESP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ontologies.units import Booleans, Floats
from triplestore.errors import NotConvergedError

WEAK, STRONG, TIGHT = 0.0005, 0.001, 0.1
"""The restraint of RESP: its strength in e⁻² a.u. in the first and the second stage, and b in e."""

CYCLES, CHANGE = 500, 1e-9
"""Of the restrained equations, and the largest change of a charge, in e, that ends them."""


@dataclass(frozen=True)
class Equations:
    """The least-squares equations of charges and a potential.

    Attributes:
        matrix: shape (atoms, atoms).
        right: shape (atoms,).
        total: of the charges, in e.
    """

    matrix: Floats
    right: Floats
    total: float


def equations(field: Floats, potential: Floats, weights: Floats, total: float) -> Equations:
    """Return the equations of a fit.

    Args:
        field: of a unit charge on each atom at each point, in 1/bohr, shape (points, atoms).
        potential: in Eh/e, shape (points,).
        weights: how much each point counts, shape (points,).
        total: of the charges, in e.
    """
    weighted = field * weights[:, None]
    return Equations(weighted.T @ field, weighted.T @ potential, total)


def free(found: Equations) -> Floats:
    """Return the charges in e that fit best, shape (atoms,)."""
    return _solve(found.matrix, found.right, [(range(len(found.right)), found.total)])


def restrained(
    found: Equations, heavy: Booleans, groups: Sequence[tuple[int, Sequence[int]]]
) -> Floats:
    """Return the charges of RESP in two stages, in e, shape (atoms,).

    All charges but those of hydrogen are held towards zero by a hyperbola. In the second stage,
    which is held more strongly, the carbon atoms of methyl and methylene groups and their hydrogen
    atoms are fitted again, the hydrogen atoms of a group being equal; all others stay.

    Args:
        found: the equations, where a point counts 1 for each Å².
        heavy: which atoms are no hydrogen, shape (atoms,).
        groups: of each methyl or methylene group the carbon atom and its hydrogen atoms.

    Raises:
        NotConvergedError: the equations of the restraint could not be solved.

    Source: C. I. Bayly, P. Cieplak, W. D. Cornell, P. A. Kollman, J. Phys. Chem. 97, 10269 (1993),
    doi:10.1021/j100142a004.
    """
    atoms = len(found.right)
    first = _held(found, heavy, WEAK, [])
    if not groups:
        return first
    moving = {atom for carbon, hydrogens in groups for atom in (carbon, *hydrogens)}
    fixed = [((atom,), float(first[atom])) for atom in range(atoms) if atom not in moving]
    equal = [pair for _, hydrogens in groups for pair in pairwise(hydrogens)]
    return _held(found, heavy, STRONG, fixed, equal)


def leeway(found: Equations, mean_square: float) -> Floats:
    """Return by how much each charge may change, in e, the others following, shape (atoms,).

    That is, until the root mean square of what is left of the potential is a tenth larger.

    Args:
        found: the equations, of weights whose sum is 1.
        mean_square: of what is left, in (Eh/e)².
    """
    atoms = len(found.right)
    basis = np.linalg.svd(np.ones((1, atoms)))[2][1:]
    inverse = basis.T @ np.linalg.pinv(basis @ found.matrix @ basis.T, hermitian=True) @ basis
    return np.sqrt(np.clip(np.diag(inverse), 0, None) * mean_square * (1.1**2 - 1))


def _held(
    found: Equations,
    heavy: Booleans,
    strength: float,
    fixed: Iterable[tuple[Sequence[int], float]],
    equal: Sequence[tuple[int, int]] = (),
) -> Floats:
    charges = free(found)
    rows = [*fixed]
    sums = [] if len(rows) == len(charges) else [(range(len(charges)), found.total)]
    change = np.inf
    for _ in range(CYCLES):
        pull = strength / np.sqrt(charges**2 + TIGHT**2) * heavy
        new = _solve(found.matrix + np.diag(pull), found.right, [*sums, *rows], equal)
        change = float(np.abs(new - charges).max())
        charges = new
        if change < CHANGE:
            return charges
    raise NotConvergedError(
        "restrained charges were asked for",
        f"they still change by {change:.0e} e after {CYCLES} cycles",
        "check the geometry: two atoms may stand at one place",
    )


def _solve(
    matrix: Floats,
    right: Floats,
    sums: Sequence[tuple[Sequence[int], float]],
    equal: Sequence[tuple[int, int]] = (),
) -> Floats:
    """Return what solves equations in which sums of charges are given, and some are equal."""
    atoms, many = len(right), len(sums) + len(equal)
    whole, wanted = np.zeros((atoms + many, atoms + many)), np.zeros(atoms + many)
    whole[:atoms, :atoms], wanted[:atoms] = matrix, right
    for row, (members, value) in enumerate(sums, atoms):
        whole[row, list(members)] = whole[list(members), row] = 1
        wanted[row] = value
    for row, (one, other) in enumerate(equal, atoms + len(sums)):
        whole[row, [one, other]] = whole[[one, other], row] = 1, -1
    return np.asarray(np.linalg.lstsq(whole, wanted, rcond=None)[0][:atoms], float)
