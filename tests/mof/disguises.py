"""The same net or crystal, described in another way."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path

import numpy as np

from ontologies.atoms import ConceptualAtoms
from workflows.mof.cleaning import Disorder, read_crystal
from workflows.mof.nets import Edge, Net, ordered

CRYSTALS = Path(__file__).parent / "crystals"

CENTRINGS = {
    "F": np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]) / 2,
    "I": np.array([[-1, 1, 1], [1, -1, 1], [1, 1, -1]]) / 2,
    "R": np.array([[2, 1, 1], [-1, 1, 1], [-1, -2, 1]]) / 3,
}
"""Vectors of a primitive cell, in those of the conventional one."""


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


@functools.cache
def crystal(name: str, disorder: Disorder = "majority") -> ConceptualAtoms:
    """Return a measured crystal."""
    return read_crystal(CRYSTALS / f"{name}.cif", disorder).atoms


def primitive(atoms: ConceptualAtoms, centring: str) -> ConceptualAtoms:
    """Return a crystal in a cell without centring (F, I or R)."""
    turn = CENTRINGS[centring]
    cell = turn @ np.array(atoms.cell)
    places = atoms.positions @ np.linalg.inv(cell)
    apart = places[:, None] - places[None]
    same = np.abs(apart - np.rint(apart)).max(axis=2) < 1e-3
    kept = np.flatnonzero(same.argmax(axis=1) == np.arange(len(places)))
    assert len(kept) == round(np.linalg.det(turn) * len(places))
    return ConceptualAtoms(
        numbers=atoms.numbers[kept], positions=places[kept] @ cell, cell=cell, periodic=[True] * 3
    )


def repeated(atoms: ConceptualAtoms, times: int) -> ConceptualAtoms:
    """Return a crystal in a cell that is so many times as long along a."""
    cell = np.array(atoms.cell)
    positions = np.concatenate([atoms.positions + step * cell[0] for step in range(times)])
    longer = cell * np.array([[times], [1], [1]])
    return ConceptualAtoms(
        numbers=np.tile(atoms.numbers, times),
        positions=positions,
        cell=longer,
        periodic=[True] * 3,
    )


def disguised(atoms: ConceptualAtoms, seed: int, noise: float = 0.05) -> ConceptualAtoms:
    """Return a crystal with other vectors, atoms in another order, shifted, in other cells.

    Args:
        atoms: the crystal.
        seed: of all that is arbitrary.
        noise: by which each atom is off, in Å, in an arbitrary direction.
    """
    dice = np.random.default_rng(seed)
    order = dice.permutation(len(atoms.numbers))
    cell = np.array(atoms.cell)
    off = dice.normal(size=(len(order), 3))
    off *= noise / np.linalg.norm(off, axis=1)[:, None]
    cells = dice.integers(-1, 2, (len(order), 3))
    positions = atoms.positions[order] + off + cells @ cell + dice.uniform(0, 5, 3)
    turned = np.array([[1, 0, 0], [1, 1, 0], [0, -1, 1]]) @ cell
    return ConceptualAtoms(
        numbers=atoms.numbers[order], positions=positions, cell=turned, periodic=[True] * 3
    )
