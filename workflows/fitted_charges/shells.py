"""Points around a molecule at which its electrostatic potential is fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontologies.factors import BOHR
from ontologies.units import Floats, Integers

RADII = {1: 1.2, 5: 1.65, 6: 1.5, 7: 1.5, 8: 1.4, 9: 1.35, 14: 2.1, 15: 1.8, 16: 1.75, 17: 1.7}
"""Å. Merz and Kollman's; all other atoms have the van der Waals radii of PySCF's table."""

FACTORS = (1.4, 1.6, 1.8, 2.0)
"""Of the radii, one for each shell."""

NEGATIVE = (74, 230, 266)
"""Numbers of points of Lebedev's grids in which some count less than nothing."""

DENSITY = 4.0
"""Points for each Å² of a sphere, at least."""

FADE = 1.0
"""Bohr. The depth over which points come up where the spheres of two atoms meet."""


@dataclass(frozen=True)
class Shells:
    """Points on the surfaces of spheres around atoms.

    Attributes:
        places: in bohr, shape (points, 3).
        areas: what each stands for, in Å²; that of a point near the sphere of another atom is
            less. Shape (points,).
    """

    places: Floats
    areas: Floats


def shells(numbers: Integers, positions: Floats) -> Shells:
    """Return the points of the four shells around a molecule.

    Those of Merz and Kollman lie on spheres of 1.4, 1.6, 1.8 and 2.0 times the radii of the atoms,
    one for each Å², as far as they are in no other atom's sphere. Here a sphere is Lebedev's, each
    point counts by its area, and near another sphere it fades out in place of being there or not:
    so the fit is nearly that of the whole surface, however the molecule is turned.

    Args:
        numbers: atomic numbers, shape (atoms,).
        positions: in bohr, shape (atoms, 3).

    Sources: U. C. Singh, P. A. Kollman, J. Comput. Chem. 5, 129 (1984),
    doi:10.1002/jcc.540050204; B. H. Besler, K. M. Merz, P. A. Kollman, J. Comput. Chem. 11, 431
    (1990), doi:10.1002/jcc.540110404.
    """
    radii = np.array([radius(int(number)) for number in numbers]) / BOHR
    places: list[Floats] = []
    areas: list[Floats] = []
    for factor in FACTORS:
        spheres = radii * factor
        for atom, (centre, size) in enumerate(zip(positions, spheres, strict=True)):
            directions, shares = _sphere(size)
            points = centre + size * directions
            apart = np.linalg.norm(points[:, None] - positions, axis=2) - spheres
            apart[:, atom] = np.inf
            seen = _risen(apart / FADE + 0.5).prod(axis=1)
            kept = seen > 0
            places.append(points[kept])
            areas.append((shares * seen)[kept] * 4 * np.pi * (size * BOHR) ** 2)
    return Shells(np.concatenate(places), np.concatenate(areas))


def radius(number: int) -> float:
    """Return the radius of an atom in Å."""
    from pyscf.data.radii import VDW

    return RADII.get(number) or float(VDW[number]) * BOHR


def _sphere(size: float) -> tuple[Floats, Floats]:
    """Return directions and their shares of a sphere, whose radius in bohr is given."""
    from pyscf.dft.gen_grid import LEBEDEV_NGRID
    from pyscf.dft.gen_grid import MakeAngularGrid as angular_grid

    wanted = DENSITY * 4 * np.pi * (size * BOHR) ** 2
    many = int(next(n for n in LEBEDEV_NGRID if n >= wanted and n not in NEGATIVE))
    grid = np.asarray(angular_grid(many), float)
    return grid[:, :3], grid[:, 3]


def _risen(depth: Floats) -> Floats:
    """Return a step from 0 to 1 that is smooth between 0 and 1."""
    x = np.clip(depth, 0.0, 1.0)
    return x**3 * (10 - 15 * x + 6 * x * x)
