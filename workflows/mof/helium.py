"""The part of a cell that helium finds empty, by its energy there."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats

HELIUM_SIZE, HELIUM_DEPTH = 2.58, 10.22
"""Å and K: distance of no energy and depth of the well of two helium atoms.

Source: L. Sarkisov, R. Bueno-Perez, M. Sutharson, D. Fairen-Jimenez, ChemRxiv 12923558 (2020),
the defaults of PoreBlazer 4 for helium among UFF's atoms at 298 K. They are those of J. O.
Hirschfelder, C. F. Curtiss, R. B. Bird, Molecular Theory of Gases and Liquids (1954), by others'
account.
"""

TEMPERATURE = 298.0
CUTOFF = 10.0
"""Å."""

POINTS = 4096
KELVIN = 503.21957
"""In 1 kcal/mol, over the gas constant."""


def helium_fraction(atoms: ConceptualAtoms) -> float | None:
    """Return the mean of exp(-E/kT) of helium over a cell at 298 K; None without parameters.

    Atoms have the Lennard-Jones parameters of UFF, pairs the mean of both by Lorentz and
    Berthelot. The points are those of Sobol's sequence, the same each time.
    """
    from scipy.spatial import cKDTree
    from scipy.stats import qmc

    kinds = sorted(set(atoms.numbers.tolist()))
    known = {number: uff(number) for number in kinds}
    if any(found is None for found in known.values()) or atoms.cell is None:
        return None
    cell = atoms.cell
    points = qmc.Sobol(3, scramble=False).random(POINTS) @ cell
    heights = abs(np.linalg.det(cell)) / np.array(
        [np.linalg.norm(np.cross(cell[(k + 1) % 3], cell[(k + 2) % 3])) for k in range(3)]
    )
    parts = atoms.positions @ np.linalg.inv(cell)
    parts = parts - np.floor(parts)
    reach = CUTOFF / heights
    spans = [range(-math.ceil(one), math.ceil(one) + 1) for one in reach]
    images: list[Floats] = []
    numbers: list[Any] = []
    for shift in itertools.product(*spans):
        moved = parts + np.array(shift)
        near = ((moved > -reach) & (moved < 1 + reach)).all(axis=1)
        images.append(moved[near] @ cell)
        numbers.append(atoms.numbers[near])
    places, which = np.vstack(images), np.concatenate(numbers)
    sizes, depths = np.zeros(120), np.zeros(120)
    for number, found in known.items():
        assert found is not None
        sizes[number] = (found[0] + HELIUM_SIZE) / 2
        depths[number] = math.sqrt(found[1] * HELIUM_DEPTH)
    energies = np.zeros(POINTS)
    tree = cKDTree(places)
    for start in range(0, POINTS, 256):
        some = points[start : start + 256]
        table = cKDTree(some).sparse_distance_matrix(tree, CUTOFF, output_type="coo_matrix")
        kind = which[table.col]
        sixth = (sizes[kind] / np.maximum(table.data, 0.3)) ** 6
        np.add.at(energies, start + table.row, 4 * depths[kind] * (sixth**2 - sixth))
    return round(float(np.exp(-np.clip(energies / TEMPERATURE, -50, 700)).mean()), 4)


OTHERS = {
    20: (3.399, 0.238),
    28: (2.834, 0.015),
    40: (3.124, 0.069),
    46: (2.899, 0.048),
    47: (3.148, 0.036),
    72: (3.141, 0.072),
    78: (2.754, 0.080),
    82: (4.297, 0.663),
}
"""Å and kcal/mol: place and depth of the well, of metals to which RDKit gives no type; the tests
hold them, and those of RDKit, against the table of Open Babel."""

CHARGES, NEIGHBOURS = (0, 2, 3, 4, 1), (0, 4, 6)


@functools.cache
def uff(number: int) -> tuple[float, float] | None:
    """Return size in Å and depth in K of an element in UFF; None where it has none.

    An element has several types in UFF, by charge and neighbours, all of one size and depth.

    Source: A. K. Rappé, C. J. Casewit, K. S. Colwell, W. A. Goddard, W. M. Skiff, J. Am. Chem. Soc.
    114, 10024 (1992), as RDKit has them.
    """
    from rdkit import rdBase

    with rdBase.BlockLogs():
        tried = (_typed(number, *kind) for kind in itertools.product(CHARGES, NEIGHBOURS))
        found = OTHERS.get(number) or next(filter(None, tried), None)
    return found and (found[0] / 2 ** (1 / 6), found[1] * KELVIN)


def _typed(number: int, charge: int, neighbours: int) -> tuple[float, float] | None:
    """Return place and depth of the well of an element as RDKit types it; None if it does not."""
    from rdkit import Chem
    from rdkit.Chem import rdForceFieldHelpers

    molecule: Any = Chem.RWMol()
    for _ in range(2):
        atom = Chem.Atom(number)
        atom.SetNoImplicit(True)
        atom.SetFormalCharge(charge)
        centre = molecule.AddAtom(atom)
        for _ in range(neighbours):
            molecule.AddBond(centre, molecule.AddAtom(Chem.Atom(9)), Chem.BondType.SINGLE)
    try:
        Chem.SanitizeMol(molecule, Chem.SANITIZE_ALL ^ Chem.SANITIZE_PROPERTIES)
        found = rdForceFieldHelpers.GetUFFVdWParams(molecule, 0, neighbours + 1)
    except (RuntimeError, ValueError):
        return None
    return (float(found[0]), float(found[1])) if found else None
