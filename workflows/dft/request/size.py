"""How large a calculation is: what is counted before it starts, with nothing integrated."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import bisect
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory

from ..level.bases import basis_for
from ..level.fitting import auxiliary_for, former_auxiliary

OVERLAP = 8.0
"""Å. How near two atoms are whose functions overlap, with diffuse ones left out of account."""

NEAR = 6.0
"""Å. How near an atom is whose functions are felt at a grid point."""

NOBLE = (2, 10, 18, 36, 54, 86)
"""Atomic numbers at the ends of the periods."""

GRIDS = (
    ((10, 15, 20, 30, 35, 40, 50), (50, 86, 110)),
    ((30, 40, 50, 60, 65, 70, 75), (110, 194, 194)),
    ((40, 60, 65, 75, 80, 85, 90), (194, 302, 302)),
    ((50, 75, 80, 90, 95, 100, 105), (302, 302, 434)),
    ((60, 90, 95, 105, 110, 115, 120), (434, 590, 590)),
    ((70, 105, 110, 120, 125, 130, 135), (590, 770, 770)),
    ((80, 120, 125, 135, 140, 145, 150), (770, 974, 974)),
    ((90, 135, 140, 150, 155, 160, 165), (974, 1202, 1202)),
    ((100, 150, 155, 165, 170, 175, 180), (1202, 1202, 1202)),
    ((200, 200, 200, 200, 200, 200, 200), (1454, 1454, 1454)),
)
"""PySCF's grids by their level: shells of an atom by its period, and points on a shell. Loading
them from PySCF would take longer than all the rest."""

POINTS = 0.64
"""Share of the points of a grid that is left by pruning."""


ALL, SAMPLE = 2000, 500
"""Atoms up to which the neighbours of all are counted, and of how many in larger structures."""


@dataclass(frozen=True)
class Size:
    """What a calculation consists of.

    Attributes:
        atoms: how many.
        functions: basis functions.
        primitives: the same, each counted as often as primitives are in it.
        electrons: those that are not in a core potential.
        pairs: of primitives that overlap.
        points: of the integration grid; 0 without one.
        felt: basis functions that count at a point of it, in the mean.
        fitting: functions for density fitting; 0 without it.
    """

    atoms: int
    functions: int
    primitives: int
    electrons: int
    pairs: float
    points: int
    felt: float
    fitting: int


def size_of(atoms: ConceptualAtoms, level: LevelOfTheory) -> Size:
    """Count what a calculation consists of.

    Raises:
        InputError: the basis set lacks an element.
    """
    numbers = np.asarray(atoms.numbers)
    functions, primitives, electrons = _counted(atoms, level)
    pairs, felt = _neighbours(np.asarray(atoms.positions), functions, primitives)
    grid = level.grid_level if level.functional else None
    points = 0 if grid is None else sum(_points(z, grid) for z in numbers.tolist())
    return Size(
        atoms=len(numbers),
        functions=int(functions.sum()),
        primitives=int(primitives.sum()),
        electrons=electrons,
        pairs=pairs,
        points=points,
        felt=felt,
        fitting=_fitting(numbers, level) if level.density_fitting else 0,
    )


def single_excitations(atoms: ConceptualAtoms, level: LevelOfTheory) -> int:
    """Return how many pairs of an occupied and an empty orbital of the same spin there are.

    Each gives one state of TDA or TDDFT: one singlet and one triplet of a closed shell, one that
    keeps M_S of an open one. Fewer are left where the basis set is linearly dependent.

    Raises:
        InputError: the basis set lacks an element.
    """
    functions, _, electrons = _counted(atoms, level)
    orbitals = int(functions.sum())
    alpha = (electrons + atoms.multiplicity - 1) // 2
    channels = [alpha] if level.reference == "restricted" else [alpha, electrons - alpha]
    return sum(occupied * max(0, orbitals - occupied) for occupied in channels)


def _counted(atoms: ConceptualAtoms, level: LevelOfTheory) -> tuple[np.ndarray, np.ndarray, int]:
    """Return functions and primitives of each atom, and all electrons without those of cores."""
    numbers = np.asarray(atoms.numbers)
    kinds = sorted(set(numbers.tolist()))
    sets, potentials = basis_for(kinds, level.basis_source)
    counts = {z: _count(sets[SYMBOLS[z]], level.spherical) for z in kinds}
    cores = {z: int(potentials[SYMBOLS[z]][0]) if SYMBOLS[z] in potentials else 0 for z in kinds}
    functions = np.array([counts[z][0] for z in numbers.tolist()], float)
    primitives = np.array([counts[z][1] for z in numbers.tolist()], float)
    electrons = int(numbers.sum()) - sum(cores[z] for z in numbers.tolist()) - atoms.charge
    return functions, primitives, electrons


def _count(shells: list[list[object]], spherical: bool) -> tuple[int, int]:
    """Return the functions of an element, and with each counted once for each primitive."""
    functions = weighted = 0
    for shell in shells:
        momentum = int(shell[0])  # pyright: ignore
        primitives = [one for one in shell[1:] if isinstance(one, list | tuple)]
        columns = len(primitives[0]) - 1
        wide = 2 * momentum + 1 if spherical else (momentum + 1) * (momentum + 2) // 2
        functions += wide * columns
        used = sum(1 for row in primitives for value in row[1:] if value)
        weighted += wide * used
    return functions, weighted


def _neighbours(
    positions: np.ndarray, functions: np.ndarray, primitives: np.ndarray
) -> tuple[float, float]:
    """Return pairs of primitives that overlap, and functions that are felt at an atom's points."""
    from scipy.spatial import KDTree

    tree, many = KDTree(positions), len(positions)
    chosen = np.arange(many) if many <= ALL else np.linspace(0, many - 1, SAMPLE).astype(int)
    sample = KDTree(positions[chosen])
    pairs = felt = 0.0
    for radius, weights in ((OVERLAP, primitives), (NEAR, functions)):
        near = sample.sparse_distance_matrix(tree, radius, output_type="coo_matrix")
        if weights is primitives:
            total = float((weights[chosen][near.row] * weights[near.col]).sum())
            pairs = total / 2 * many / len(chosen)
        else:
            around = np.bincount(near.row, weights[near.col], minlength=len(chosen))
            felt = float(around.mean())
    return pairs, felt


def _points(number: int, grid: int) -> int:
    """Return the points of an element's grid at a level of PySCF's."""
    period = bisect.bisect_left(NOBLE, number)
    shells, points = GRIDS[grid]
    return int(POINTS * shells[period] * points[min(period, 2)])


def _fitting(numbers: np.ndarray, level: LevelOfTheory) -> int:
    """Return how many functions fit the densities."""
    from pyscf import gto

    name = level.auxiliary_basis or former_auxiliary(level.basis_source, "HF")
    kinds, many = np.unique(numbers, return_counts=True)
    one_of_each = gto.Mole()
    one_of_each.atom = [(SYMBOLS[z], (0.0, 0.0, 9.0 * place)) for place, z in enumerate(kinds)]
    one_of_each.spin, one_of_each.verbose = None, 0
    one_of_each.basis, one_of_each.ecp = basis_for(kinds.tolist(), level.basis_source)
    one_of_each.build(parse_arg=False, dump_input=False)
    sets = auxiliary_for(one_of_each, name)
    return sum(
        _count(sets[SYMBOLS[z]], True)[0] * count
        for z, count in zip(kinds.tolist(), many.tolist(), strict=True)
    )
