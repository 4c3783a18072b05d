"""Orbitals and densities on a grid."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from ontologies.wavefunction import (
    DensityKind,
    DensityVolume,
    OrbitalVolume,
    PotentialVolume,
    SpinLabel,
    Volume,
)
from triplestore.errors import InputError
from workflows.engine import calculation

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import converge
from .populations import spin_densities

SPACING = 0.15
"""Å between points of a grid."""

MARGIN = 3.0
"""Å of a grid around the outermost nuclei."""

MOST_POINTS = 20_000_000
BLOCK = 20_000

ORBITAL = re.compile(r"(homo|lumo|somo)(?:\s*([+-])\s*(\d+))?|(\d+)", re.IGNORECASE)


@calculation("dft.orbital_volume", version="1", backend=PYSCF, revision=revision, title="orbital")
def orbital_volume(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    orbital: str,
    spin: SpinLabel = "alpha",
    spacing: float = SPACING,
) -> OrbitalVolume:
    """Compute a molecular orbital on a grid.

    Args:
        atoms: the geometry.
        level: the level of theory.
        orbital: such as `homo`, `lumo`, `homo-1`, or its number, counted from 1; `somo` is the
            highest with an unpaired electron, which is of alpha spin.
        spin: of the orbital, where the spins do not share them.
        spacing: of the grid, in Å.

    Raises:
        InputError: there is no such orbital, or the grid would be too large.
        NotConvergedError: the SCF did not converge.
    """
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    shared = np.ndim(mf.mo_occ) == 1
    pick = ... if shared else (0 if spin == "alpha" else 1)
    energies, occupations, coefficients = (
        np.asarray(part)[pick] for part in (mf.mo_energy, mf.mo_occ, mf.mo_coeff)
    )
    occupied = occupations > (1 if shared and spin == "beta" else 0)
    number = _orbital(orbital, occupied, f"{atoms.formula} at {level.label}")
    origin, axes, shape, places = grid(atoms, spacing)
    chosen = coefficients[:, number]

    def amplitude(functions: Floats) -> Floats:
        return functions @ chosen

    values = _evaluated(mf.mol, places, amplitude)
    return OrbitalVolume(
        atoms=atoms,
        level=level,
        orbital=number + 1,
        spin=None if shared else spin,
        orbital_energy=float(energies[number]),
        occupation=float(occupations[number]),
        origin=origin,
        axes=axes,
        amplitudes=values.reshape(shape),
    )


@calculation("dft.density_volume", version="1", backend=PYSCF, revision=revision, title="density")
def density_volume(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    kind: DensityKind = "density",
    spacing: float = SPACING,
) -> DensityVolume:
    """Compute the density of the electrons, or of their spin, on a grid.

    Args:
        atoms: the geometry.
        level: the level of theory.
        kind: alpha and beta electrons together, or alpha less beta.
        spacing: of the grid, in Å.

    Raises:
        InputError: the grid would be too large.
        NotConvergedError: the SCF did not converge.
    """
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    origin, axes, shape, places = grid(atoms, spacing)
    values = density_at(mf, places, kind)
    return DensityVolume(
        atoms=atoms, level=level, kind=kind, origin=origin, axes=axes, density=values.reshape(shape)
    )


def density_at(mf: Any, places: Floats, kind: DensityKind = "density") -> Floats:
    """Return the density of the electrons, or of their spin, at places in bohr."""
    alpha, beta = spin_densities(mf)
    matrix = alpha + beta if kind == "density" else alpha - beta

    def density(functions: Floats) -> Floats:
        return np.einsum("gi,gi->g", functions @ matrix, functions)

    return _evaluated(mf.mol, places, density)


def _orbital(name: str, occupied: Any, what: str) -> int:
    """Return the index of an orbital by its name."""
    asked = f"the orbital {name!r} of {what} was asked for"
    match = ORBITAL.fullmatch(name.strip())
    if match is None:
        raise InputError(
            asked, "that names none", "write homo, lumo, somo, homo-1, lumo+2 or a number"
        )
    frontier, sign, steps, number = match.groups()
    if number:
        index = int(number) - 1
    else:
        index = int(occupied.sum()) - (frontier.lower() != "lumo")
        index += int(steps or 0) * (-1 if sign == "-" else 1)
    if not 0 <= index < len(occupied):
        raise InputError(asked, f"there are orbitals 1 to {len(occupied)}", "choose one of them")
    return index


def grid(
    atoms: ConceptualAtoms, spacing: float
) -> tuple[Floats, Floats, tuple[int, int, int], Floats]:
    """Return origin and steps in Å, the number of points along each, and the points in bohr."""
    from pyscf.data import nist

    low, high = atoms.positions.min(axis=0) - MARGIN, atoms.positions.max(axis=0) + MARGIN
    if not 0.01 <= spacing <= 2:
        raise InputError(
            f"a grid of {spacing:g} Å was asked for",
            "it can have 0.01 to 2 Å between its points",
            "give 0.1 to 0.2 Å for a picture",
        )
    counts = [int(count) for count in np.ceil((high - low) / spacing) + 1]
    if np.prod(counts, dtype=float) > MOST_POINTS:
        raise InputError(
            f"a grid of {spacing:g} Å around {atoms.formula} was asked for",
            f"it would have more than {MOST_POINTS:,} points",
            "ask for a wider one (`spacing`)",
        )
    shape = (counts[0], counts[1], counts[2])
    steps = np.moveaxis(np.indices(shape), 0, -1).reshape(-1, 3)
    return low, np.eye(3) * spacing, shape, (low + steps * spacing) / nist.BOHR


def _evaluated(mol: Any, places: Floats, of: Callable[[Floats], Floats]) -> Floats:
    from pyscf.dft import numint

    values = np.empty(len(places))
    for start in range(0, len(places), BLOCK):
        part = slice(start, start + BLOCK)
        values[part] = of(np.asarray(numint.eval_ao(mol, places[part])))
    return values


def values_of(volume: Volume) -> Floats:
    """Return the values on the grid, in atomic units."""
    assert isinstance(volume, OrbitalVolume | DensityVolume | PotentialVolume)
    if isinstance(volume, PotentialVolume):
        return volume.electrostatic_potential
    return volume.amplitudes if isinstance(volume, OrbitalVolume) else volume.density


def cube_text(volume: Volume) -> str:
    """Return a volume as a Gaussian cube file: lengths in bohr, values in atomic units."""
    from ase.io.cube import write_cube as write

    if isinstance(volume, OrbitalVolume):
        what = f"orbital {volume.orbital} {volume.spin or ''} {volume.orbital_energy:.6f} Eh"
    elif isinstance(volume, PotentialVolume):
        what = "electrostatic potential (Eh/e)"
    else:
        assert isinstance(volume, DensityVolume)
        what = volume.kind
    values, atoms = values_of(volume), volume.atoms.to_ase()
    atoms.set_cell(np.asarray(volume.axes) * np.array(values.shape)[:, None])
    comment = f"{what} of {volume.atoms.formula} at {volume.level.label}"
    plain = comment.encode("ascii", "replace").decode()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:  # ASE writes to a real one alone
        write(file, atoms, values, origin=volume.origin, comment=plain)
        file.seek(0)
        return file.read()


def write_cube(volume: Volume, path: Path) -> None:
    """Write a volume as a Gaussian cube file.

    Args:
        volume: an orbital or a density.
        path: where; it appears whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(cube_text(volume), encoding="utf-8")
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
