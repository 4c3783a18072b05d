"""The electrostatic potential of a molecule on a grid, and its extremes on a surface."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from ontologies.wavefunction import PotentialVolume
from workflows.engine import calculation, context

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import converge
from .volumes import SPACING, density_at, grid

SURFACE = 0.001
"""Electrons a cubic bohr where the surface of a molecule is taken to lie.

Source: R. F. W. Bader, M. T. Carroll, J. R. Cheeseman, C. Chang, J. Am. Chem. Soc. 109, 7968
(1987).
"""

SHARE, MOST = 0.2, 400
"""Of the memory that a block of integrals may take, and points of a block at most."""

NEAREST = 0.01
"""Bohr. Nearer to a nucleus than this the potential is that of its electrons, and of the nucleus at
this distance."""


@calculation(
    "dft.potential_volume",
    version="1",
    backend=PYSCF,
    revision=revision,
    title="electrostatic potential",
)
def potential_volume(
    atoms: ConceptualAtoms, level: LevelOfTheory, spacing: float = 2 * SPACING
) -> PotentialVolume:
    """Compute the potential of nuclei and electrons, and the density, on a grid.

    Where core potentials stand for electrons, the charges of nuclei are less those. In a continuum
    the density is that of the solvated molecule, and its potential alone is computed.

    Args:
        atoms: the geometry.
        level: the level of theory.
        spacing: of the grid, in Å.

    Raises:
        InputError: the grid would be too large.
        NotConvergedError: the SCF did not converge.
    """
    origin, axes, shape, places = grid(atoms, spacing)
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    context().report("potential", energy=float(mf.e_tot))
    potential = np.zeros(len(places))
    for charge, nucleus in zip(mf.mol.atom_charges(), mf.mol.atom_coords(), strict=True):
        apart = np.linalg.norm(places - nucleus, axis=1)
        potential += charge / np.maximum(apart, NEAREST)
    potential -= of_electrons(mf, places)
    density = density_at(mf, places)
    return PotentialVolume(
        atoms=atoms,
        level=level,
        origin=origin,
        axes=axes,
        electrostatic_potential=potential.reshape(shape),
        density=density.reshape(shape),
    )


def of_electrons(mf: Any, places: Floats) -> Floats:
    """Return the electrons' part of the potential in Eh/e, without its sign, shape (points,).

    Args:
        mf: a converged SCF.
        places: in bohr, shape (points, 3).
    """
    mol, density = mf.mol, np.asarray(mf.make_rdm1())
    density = density.sum(axis=0) if density.ndim == 3 else density
    room = SHARE * context().memory * 1e6 / (8 * mol.nao**2)
    size = int(np.clip(room, 1, MOST))
    parts = [
        np.einsum("gmn,mn->g", mol.intor("int1e_grids", grids=places[n : n + size]), density)
        for n in range(0, len(places), size)
    ]
    return np.concatenate(parts)


def extremes(found: PotentialVolume) -> tuple[float, float] | None:
    """Return the least and the greatest potential on the surface of the density, in Eh/e.

    The surface is met between neighbouring points of the grid, where the logarithm of the density
    is taken to be straight. None if the grid does not hold all of it.
    """
    density = np.log(np.maximum(found.density, 1e-12) / SURFACE)
    edges = [density.take(end, axis) for axis in range(3) for end in (0, -1)]
    if max(float(edge.max()) for edge in edges) > 0:
        return None
    whole, values = found.electrostatic_potential, list[Floats]()
    for axis in range(3):
        size = density.shape[axis]
        one, two = (density.take(range(k, size - 1 + k), axis) for k in (0, 1))
        low, high = (whole.take(range(k, size - 1 + k), axis) for k in (0, 1))
        met = (one > 0) != (two > 0)
        share = one[met] / (one[met] - two[met])
        values.append(low[met] + share * (high[met] - low[met]))
    every = np.concatenate(values)
    return (float(every.min()), float(every.max())) if every.size else None
