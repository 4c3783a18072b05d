"""The same net or crystal, described in another way."""

from __future__ import annotations

import itertools

import numpy as np

from workflows.mof.nets import Edge, Net, ordered


def another_cell(net: Net, seed: int) -> Net:
    """Return a net with other vectors of its cell, other numbers, and vertices in other cells."""
    dice = np.random.default_rng(seed)
    turn = np.eye(net.dimension, dtype=int)
    for one, other in itertools.permutations(range(net.dimension), 2):
        turn[one] += dice.integers(-1, 2) * turn[other]  # keeps the determinant
    numbers = dice.permutation(net.vertices)
    moved = dice.integers(-3, 4, (net.vertices, net.dimension))
    edges: list[Edge] = []
    for one, other, cell in net.edges:
        step = (np.array(cell) + moved[other] - moved[one]) @ turn
        edges.append(ordered(int(numbers[one]), int(numbers[other]), tuple(step.tolist())))
    dice.shuffle(edges)
    return Net(net.vertices, tuple(edges), net.dimension)
