"""Starting geometries in Å, levels, and what PySCF finds there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from workflows.dft.level.resolving import resolve_level
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge


def level(
    method: str = "HF", basis: str = "STO-3G", reference: Any = "restricted", **more: Any
) -> LevelOfTheory:
    return resolve_level(method, basis, reference, **more).level


def solved(given: ConceptualAtoms, theory: LevelOfTheory) -> Any:
    """Return a converged mean field."""
    return converge(mean_field(molecule(given, theory), theory), given, theory)


def atoms(numbers: list[int], positions: list[list[float]], **more) -> ConceptualAtoms:
    return ConceptualAtoms(numbers=numbers, positions=positions, **more)


WATER = atoms([8, 1, 1], [[0, 0, 0.117], [0, 0.757, -0.469], [0, -0.757, -0.469]])
FORMALDEHYDE = atoms(
    [6, 8, 1, 1], [[0, 0, -0.53], [0, 0, 0.675], [0, 0.935, -1.11], [0, -0.935, -1.11]]
)
PLANAR_AMMONIA = atoms(
    [7, 1, 1, 1], [[0, 0, 0], [1, 0, 0], [-0.5, 0.8660254, 0], [-0.5, -0.8660254, 0]]
)
CARBON_DIOXIDE = atoms([6, 8, 8], [[0, 0, 0], [0, 0, 1.15], [0, 0, -1.15]])
HYDROGEN = atoms([1, 1], [[0, 0, 0], [0, 0, 1.4 * 0.529177210544]])
METHYL = atoms([6, 1, 1, 1], [[0, 0, 0], [1.08, 0, 0], [-0.54, 0.935, 0], [-0.54, -0.935, 0]])


def single(number: int, **more) -> ConceptualAtoms:
    return atoms([number], [[0.1, -0.2, 0.3]], **more)


def rotated(given: ConceptualAtoms, angle: float) -> ConceptualAtoms:
    c, s = np.cos(angle), np.sin(angle)
    return given.moved_to(given.positions @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T)
