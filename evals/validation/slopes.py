"""Vibrations by differences of gradients and dipoles, without the response of the orbitals."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.constants import physical_constants

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import DEBYE, HARTREE
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.derivatives import numerical
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge
from workflows.geometry.harmonic import intensities

from .level import Level
from .psi4 import Job, mean_masses


@dataclass(frozen=True)
class Stretch:
    """A run of Psi4 in which the first atom is moved to and fro along z."""

    atoms: ConceptualAtoms
    method: str
    basis: str

    def run(self) -> tuple[float, float]:
        """Return wavenumber in cm⁻¹ and intensity in km/mol; see `stretch`."""
        found = Job(self.atoms, self.method, self.basis, ("pushed",)).run()
        return stretch(self.atoms, found["pushed"])


def stretch(atoms: ConceptualAtoms, pushed: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return wavenumber and intensity of the mode in which an atom moves against all others.

    With the force constant f of the first atom, 4π²c²ν² = f (1/m + 1/M), where M is the mass of the
    others; the dipole changes by d √(1/m + 1/M) for a unit of the normal coordinate.

    Args:
        atoms: along z, the others alike by symmetry.
        pushed: see `psi4.MORE`.
    """
    (slope, dipole), (slope_back, dipole_back) = pushed
    force, change = (slope - slope_back) / 0.02, (dipole - dipole_back) / 0.02 / DEBYE
    first, *others = mean_masses(atoms)
    inverse = 1 / first + 1 / sum(others)  # 1/Da
    electrons = (
        physical_constants["atomic mass constant"][0] / physical_constants["electron mass"][0]
    )
    wavenumber = (force * inverse / electrons) ** 0.5 * HARTREE["cm⁻¹"]
    move = np.zeros((1, 1, 3))
    move[0, 0, 2] = inverse**0.5
    slopes = np.diag([0.0, 0.0, change])[None]
    return float(wavenumber), float(intensities(move, slopes)[0])


@dataclass(frozen=True)
class Differences:
    """A run of PySCF at a level of theory."""

    atoms: ConceptualAtoms
    level: Level

    def run(self) -> tuple[float, float]:
        """Return wavenumber in cm⁻¹ and intensity in km/mol of the band that absorbs most."""
        options = dict(self.level.options)
        reference = "restricted" if self.atoms.multiplicity == 1 else "unrestricted"
        named = resolve_level(self.level.method, self.level.basis, reference, **options)
        asked: tuple[Any, ...] = (self.atoms, named.level)
        return strongest(*asked)


@functools.lru_cache(4)
def strongest(atoms: Any, level: Any) -> tuple[float, float]:
    """Return wavenumber in cm⁻¹ and intensity in km/mol of the band that absorbs most."""
    from pyscf.hessian import thermo

    mol = molecule(atoms, level)
    mf = converge(mean_field(mol, level), atoms, level)
    found = numerical(mf, atoms, level, None, "")
    modes = thermo.harmonic_analysis(mol, found.hessian, imaginary_freq=False)
    moves = np.asarray(modes["norm_mode"], float).reshape(-1, len(atoms.numbers), 3)
    strengths = intensities(moves, found.dipoles)
    most = int(strengths.argmax())
    return float(modes["freq_wavenumber"][most]), float(strengths[most])
