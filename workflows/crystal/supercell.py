"""Supercells for programs that know the Γ point alone."""

from __future__ import annotations

import itertools
import math

import numpy as np

from ontologies.units import Floats, Integers

IMAGES = 10.0
"""Å. How far an atom is from its nearest image, where nobody asks for more."""


def _translations(cell: Floats, within: float) -> tuple[Integers, Floats]:
    """Return the translations of a lattice that are no longer than so many Å, and their lengths.

    A translation of n vectors along one of them is n heights of the cell long, or longer.
    """
    heights = 1.0 / np.linalg.norm(np.linalg.inv(cell), axis=0)
    farthest: list[int] = np.floor(within / heights).astype(np.int64).tolist()
    ranges = (range(-most, most + 1) for most in farthest)
    steps: Integers = np.array(list(itertools.product(*ranges)), np.int64)
    lengths: Floats = np.linalg.norm(steps @ cell, axis=1)
    near = (lengths <= within) & steps.any(axis=1)
    return steps[near], lengths[near]


def shortest(cell: Floats) -> float:
    """Return how far an atom is from its nearest image, in Å, for lattice vectors as rows."""
    within = float(np.linalg.norm(cell, axis=1).min()) + 1e-6
    return float(_translations(cell, within)[1].min())


def repeats_for(cell: Floats, apart: float) -> Integers:
    """Return how many cells along each lattice vector keep images so far apart, shape (3,).

    It is the smallest number of cells; of several the one whose images are farthest apart.

    Args:
        cell: lattice vectors in Å as rows.
        apart: the least distance of images, in Å.
    """
    near, _ = _translations(cell, apart - 1e-6)
    heights = 1.0 / np.linalg.norm(np.linalg.inv(cell), axis=0)
    most = [max(1, math.ceil(apart / height - 1e-9)) for height in heights]
    ways = sorted(itertools.product(*(range(1, one + 1) for one in most)), key=math.prod)
    # an image in the supercell is a translation by whole numbers of its vectors
    fit = (one for one in ways if not (near % one == 0).all(axis=1).any())
    least = next(fit)
    alike = [least, *itertools.takewhile(lambda one: math.prod(one) == math.prod(least), fit)]
    return np.array(max(alike, key=lambda one: shortest(np.array(one)[:, None] * cell)))


def repeated(positions: Floats, cell: Floats, repeats: Integers) -> tuple[Floats, Floats]:
    """Return the positions of a supercell in Å, cell after cell, and its lattice vectors."""
    steps = np.array(list(itertools.product(*map(range, repeats.tolist()))))
    places = positions[None] + (steps @ cell)[:, None]
    return places.reshape(-1, 3), repeats[:, None] * cell
