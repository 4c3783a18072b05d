"""Supercells for programs that know the Γ point alone."""

from __future__ import annotations

import itertools
import math

import numpy as np

from ontologies.units import Floats, Integers

IMAGES = 10.0
"""Å. How far an atom is from its nearest image, where nobody asks for more."""

NEIGHBOURS = np.array([one for one in itertools.product((-1, 0, 1), repeat=3) if any(one)])


def shortest(cell: Floats) -> float:
    """Return how far an atom is from its nearest image, in Å, for lattice vectors as rows.

    Those of a supercell that is the smallest of its kind are not so oblique that their shortest
    sum has more than one of each.
    """
    return float(np.linalg.norm(NEIGHBOURS @ cell, axis=1).min())


def repeats_for(cell: Floats, apart: float) -> Integers:
    """Return how many cells along each lattice vector keep images so far apart, shape (3,).

    It is the smallest number of cells; of several the one whose images are farthest apart.

    Args:
        cell: lattice vectors in Å as rows.
        apart: the least distance of images, in Å.
    """
    heights = 1.0 / np.linalg.norm(np.linalg.inv(cell), axis=0)
    most = [max(1, math.ceil(apart / height - 1e-9)) for height in heights]
    best: tuple[int, float, tuple[int, ...]] | None = None
    for way in itertools.product(*(range(1, one + 1) for one in most)):
        count = math.prod(way)
        if best is not None and count > best[0]:
            continue
        near = shortest(np.diag(way) @ cell)
        if near >= apart - 1e-6 and (best is None or (count, -near) < best[:2]):
            best = count, -near, way
    return np.array(best[2] if best else most)


def repeated(positions: Floats, cell: Floats, repeats: Integers) -> tuple[Floats, Floats]:
    """Return the positions of a supercell in Å, cell after cell, and its lattice vectors."""
    steps = np.array(list(itertools.product(*map(range, repeats.tolist()))))
    places = positions[None] + (steps @ cell)[:, None]
    return places.reshape(-1, 3), repeats[:, None] * cell
