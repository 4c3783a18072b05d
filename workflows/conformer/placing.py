"""Molecules and ions put beside each other at random, so that they touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ontologies.units import Floats
from workflows.molecule.fragments import FRAGMENT_CONTACT, van_der_waals_radii

if TYPE_CHECKING:
    from rdkit.Chem import Mol


def beside(
    mol: Mol,
    members: Sequence[tuple[int, ...]],
    shapes: Sequence[Floats],
    random: np.random.Generator,
) -> Floats:
    """Return positions in Å of fragments, each turned at random and moved up to those before it.

    Args:
        mol: with all hydrogens.
        members: the atoms of each fragment.
        shapes: positions of each, in Å.
        random: what draws orientations and directions.
    """
    sizes = van_der_waals_radii(mol)
    positions = np.zeros((mol.GetNumAtoms(), 3))
    there: list[int] = []
    for rank in sorted(range(len(shapes)), key=lambda rank: -len(shapes[rank])):
        indices = list(members[rank])
        shape: Floats = (shapes[rank] - shapes[rank].mean(axis=0)) @ _rotation(random)
        if there:
            side: Floats = random.normal(size=3)
            side /= np.linalg.norm(side)
            contact = FRAGMENT_CONTACT * (sizes[there][:, None] + sizes[indices])
            shape = shape + _shift(positions[there], shape, side, contact) * side
        positions[indices] = shape
        there += indices
    return positions


def _shift(placed: Floats, shape: Floats, side: Floats, contact: Floats) -> float:
    """Return how far a shape must move to a side so that no atom is nearer than its contact."""
    away = placed[:, None] - shape
    along: Floats = away @ side
    aside: Floats = (away**2).sum(axis=2) - along**2
    touching = contact**2 > aside
    step = np.sqrt(np.where(touching, contact**2 - aside, 0.0))
    return float(np.where(touching, along + step, 0.0).max(initial=0.0))


def _rotation(random: np.random.Generator) -> Floats:
    """Return a proper rotation, all alike likely."""
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)
