"""What the symmetry of a crystal leaves free, and its conventional cell."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from triplestore.errors import ComponentError
from workflows.crystal.relaxing import SYMMETRY
from workflows.crystal.surface import cell_of


@dataclass(frozen=True)
class Symmetry:
    """The space group of a crystal.

    Attributes:
        name: such as `Fd-3m (227)`; empty where none was found.
        lengths: a, b and c of its conventional cell in Å, shape (3,).
        free_positions: whether atoms may move without breaking it.
        free_shape: whether the cell may change its shape without breaking it.
    """

    name: str
    lengths: Floats
    free_positions: bool
    free_shape: bool


def symmetry_of(atoms: ConceptualAtoms) -> Symmetry:
    """Return the symmetry of a crystal, within `SYMMETRY`.

    Raises:
        ComponentError: spglib is not there.
    """
    try:
        import spglib
    except ImportError as error:
        raise ComponentError(
            f"the symmetry of {atoms.formula} was asked for",
            f"spglib cannot be loaded: {error}",
            "pip install spglib",
        ) from None
    cell = cell_of(atoms)
    places = atoms.positions @ np.linalg.inv(cell)
    here: Any = cell, places, atoms.numbers
    found: Any = spglib.get_symmetry_dataset(here, symprec=SYMMETRY)
    if found is None:
        return Symmetry("", np.linalg.norm(cell, axis=1), True, True)
    return Symmetry(
        f"{found.international} ({found.number})",
        np.linalg.norm(np.array(found.std_lattice, float), axis=1),
        _moves(places, atoms, cell, found),
        int(found.number) < FIRST_CUBIC,
    )


FIRST_CUBIC = 195
"""Number of the first cubic space group: from there on the cell has a length alone."""


def _moves(places: Floats, atoms: ConceptualAtoms, cell: Floats, found: Any) -> bool:
    """Return whether any displacement of atoms is left alike by all operations of a group.

    Some displacement is, if what all operations make of arbitrary ones does not average to nothing
    but a shift of the whole crystal.
    """
    arbitrary: Floats = np.random.default_rng(1).normal(size=places.shape)
    mean = np.zeros_like(arbitrary)
    for turn, shift in zip(found.rotations, found.translations, strict=True):
        moved = places @ turn.T + shift
        apart = moved[:, None] - places[None]
        apart -= np.round(apart)
        far: Floats = np.linalg.norm(apart @ cell, axis=2)
        far[atoms.numbers[:, None] != atoms.numbers[None]] = np.inf
        mean[far.argmin(axis=1)] += arbitrary @ turn.T
    mean /= len(found.rotations)
    return bool(np.abs(mean - mean.mean(axis=0)).max() > 1e-6)
