"""Linear equations with several right-hand sides and one matrix, of which only products are known.

A block method: all right-hand sides share one space of trial vectors. Each trial vector is a unit
vector, so that none counts for less because it came of a small difference; and what ends the search
is what is left of the equations themselves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ontologies.units import Floats

CYCLES = 50

NEW = 1e-5
"""The part of a unit vector outside of the space from which it is a direction of its own."""

CHUNK = 100
"""Unit vectors that are multiplied at once for the whole matrix."""

Product = Callable[[Floats], Floats]
"""Multiplies each row of an array, taken as a column, by the matrix."""


def solve(
    product: Product, diagonal: Floats, wanted: Floats, tolerance: float, cycles: int = CYCLES
) -> Floats:
    """Solve equations within a growing space, and return the best that was found.

    Args:
        product: see there.
        diagonal: what is near the diagonal of the matrix, nowhere zero.
        wanted: the right-hand sides, one a row.
        tolerance: the norm of what may be left of each, over the diagonal.
        cycles: how often the space may grow.
    """
    space = np.zeros((0, wanted.shape[1]))
    images = space.copy()
    found, left = np.zeros_like(wanted), wanted
    best, least = found, np.inf
    for cycle in range(cycles + 1):
        steps = left / diagonal
        sizes = np.linalg.norm(steps, axis=1)
        if sizes.max(initial=0.0) < least:
            best, least = found, float(sizes.max(initial=0.0))
        if least <= tolerance or cycle == cycles:
            break
        open_ = sizes > tolerance
        fresh = directions(steps[open_] / sizes[open_][:, None], space)
        if not len(fresh):
            break
        space = np.vstack([space, fresh])
        images = np.vstack([images, product(fresh)])
        shares = np.linalg.lstsq(space @ images.T, space @ wanted.T, rcond=None)[0]
        found, left = shares.T @ space, wanted - shares.T @ images
    return best


def directions(vectors: Floats, space: Floats) -> Floats:
    """Return orthonormal rows that span what unit vectors have outside of a space.

    Args:
        vectors: rows of length one.
        space: orthonormal rows.
    """
    fresh = vectors
    for least in (NEW, 0.5):  # the second time for the digits that the first has lost
        fresh = fresh - (fresh @ space.T) @ space
        fresh = fresh - (fresh @ space.T) @ space
        _, sizes, rows = np.linalg.svd(fresh, full_matrices=False)
        fresh = rows[sizes > least]
    return fresh


def solve_directly(product: Product, wanted: Floats) -> Floats:
    """Solve equations with the whole matrix, made of its products with unit vectors."""
    size = wanted.shape[1]
    units = np.eye(size)
    parts = [product(units[start : start + CHUNK]) for start in range(0, size, CHUNK)]
    return np.asarray(np.linalg.lstsq(np.vstack(parts).T, wanted.T, rcond=None)[0].T, float)
