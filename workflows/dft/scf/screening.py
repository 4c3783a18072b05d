"""On which side of a limit the lowest eigenvalue of a matrix lies, with as few products as do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ontologies.units import Floats
from triplestore.errors import NotConvergedError

WATCHED = 3
"""Eigenvalues of which none may lie below the limit: the lowest may be of another symmetry."""

MOST = 40
"""Products after which it is given up."""

SETTLED = 1e-3
"""Eh. Norm of a residue at which an eigenvalue counts as found."""


def decided(
    product: Callable[[Floats], Floats], diagonal: Floats, starts: list[Floats], limit: float
) -> tuple[float, Floats]:
    """Return an estimate of the lowest eigenvalue that lies on the right side of a limit.

    An estimate below the limit proves it, for it lies above the true one. Estimates above count
    when they are above by more than the norms of their residues, within which there are
    eigenvalues; that these are the lowest rests on starts which have a part in them, as with every
    such iteration.

    Args:
        product: of the symmetric matrix with a vector.
        diagonal: of the matrix, about.
        starts: vectors that span the first estimate.
        limit: in Eh.

    Returns:
        The estimate in Eh, and the vector of unit length that belongs to it.

    Raises:
        NotConvergedError: it stayed open.

    Source: E. R. Davidson, J. Comput. Phys. 17, 87 (1975).
    """
    basis, images = np.zeros((0, diagonal.size)), np.zeros((0, diagonal.size))
    fresh, value, vector = starts, np.inf, diagonal
    while len(basis) < min(MOST, diagonal.size):
        known = len(basis)
        for one in fresh:
            rest = one - basis.T @ (basis @ one)
            rest -= basis.T @ (basis @ rest)
            if (length := float(np.linalg.norm(rest))) > 1e-6 * np.linalg.norm(one):
                basis = np.vstack([basis, rest / length])
                images = np.vstack([images, product(rest / length)])
        if len(basis) == known:
            break
        small = basis @ images.T
        values, vectors = np.linalg.eigh((small + small.T) / 2)
        value, vector = float(values[0]), basis.T @ vectors[:, 0]
        fresh = list[Floats]()
        for at, weights in zip(values[:WATCHED], vectors.T, strict=False):
            residue = images.T @ weights - at * (basis.T @ weights)
            left = float(np.linalg.norm(residue))
            if at - left <= limit and left >= SETTLED:
                shifted = diagonal - at
                shifted[np.abs(shifted) < 1e-2] = 1e-2
                fresh.append(residue / shifted)
        if value < limit or not fresh:
            return value, vector / np.linalg.norm(vector)
    if len(basis) == diagonal.size:
        return value, vector / np.linalg.norm(vector)
    raise NotConvergedError(
        "cannot check the stability of the SCF",
        f"on which side of {limit:g} Eh its lowest eigenvalue lies stayed open",
        "ask for stability",
    )
