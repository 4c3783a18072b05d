"""Normal modes, infrared intensities and the label of a geometry, from derivatives there."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from ontologies.vibrations import Stationarity

STATIONARY = 5e-4
"""Eh/bohr. A larger component of the gradient makes a geometry not stationary."""


@dataclass(frozen=True)
class Derivatives:
    """What a geometry's neighbourhood looks like.

    Attributes:
        hessian: in Eh/bohr², shape (atoms, atoms, 3, 3).
        dipoles: change of the dipole in e for each displacement, shape (atoms, 3, 3), displacement
            before component.
        remarks: how it was found, where that matters.
    """

    hessian: Floats
    dipoles: Floats
    remarks: tuple[str, ...] = ()


def vibrations(atoms: ConceptualAtoms, found: Derivatives, gradient: float) -> dict[str, Any]:
    """Return harmonic vibrations at a geometry: fields of a frequency analysis.

    Translation and rotation are projected out. Masses are means over the natural isotopes.

    Args:
        atoms: the geometry.
        found: the derivatives there; of a single atom nothing is asked.
        gradient: its largest component there, in Eh/bohr.
    """
    wavenumbers, masses, modes = np.zeros(0), np.zeros(0), np.zeros((0, len(atoms.numbers), 3))
    displacements = modes
    if len(atoms.numbers) > 1:
        from pyscf.hessian import thermo

        analysis: Any = thermo.harmonic_analysis(
            _Nuclei(atoms), found.hessian, imaginary_freq=False
        )
        wavenumbers = np.asarray(analysis["freq_wavenumber"], float)
        displacements = np.asarray(analysis["norm_mode"], float).reshape(-1, *modes.shape[1:])
        modes = displacements / np.linalg.norm(displacements, axis=(1, 2), keepdims=True)
        masses = np.asarray(analysis["reduced_mass"], float)
    imaginary = int((wavenumbers < 0).sum())
    label: Stationarity = "saddle point" if imaginary else "minimum"
    if gradient > STATIONARY:
        label = "not stationary"
    return {
        "wavenumbers": wavenumbers,
        "modes": modes,
        "reduced_masses": masses,
        "hessian": found.hessian,
        "imaginary": imaginary,
        "max_gradient": gradient,
        "stationarity": label,
        "infrared": intensities(displacements, found.dipoles),
    }


def intensities(displacements: Floats, dipoles: Floats) -> Floats:
    """Return the infrared intensity of each mode in km/mol.

    Args:
        displacements: of the atoms for a unit of each mass-weighted normal coordinate, in Da^-½,
            shape (modes, atoms, 3).
        dipoles: change of the dipole in e for each displacement, shape (atoms, 3, 3).

    Source: double harmonic approximation, N_A |∂µ/∂Q|² / (12 ε₀ c²).
    """
    from scipy.constants import N_A, atomic_mass, c, e, epsilon_0

    slopes = np.einsum("kax,axc->kc", displacements, dipoles)
    return N_A * e**2 / (12 * epsilon_0 * c**2 * atomic_mass * 1000) * (slopes**2).sum(1)


def mean_masses(atoms: ConceptualAtoms) -> Floats:
    """Return the masses of the atoms in Da, means over the natural isotopes, shape (atoms,)."""
    from pyscf.data.elements import MASSES

    table: Any = MASSES
    return np.array([table[number] for number in atoms.numbers])


class _Nuclei:
    """Masses and places of the nuclei, as PySCF asks a molecule for them."""

    def __init__(self, atoms: ConceptualAtoms) -> None:
        self.atoms = atoms

    def atom_mass_list(self, isotope_avg: bool) -> Floats:
        """Return the masses in Da, which are means over the isotopes."""
        assert isotope_avg
        return mean_masses(self.atoms)

    def atom_coords(self) -> Floats:
        """Return the places in bohr."""
        from pyscf.lib import param

        return self.atoms.positions / param.BOHR
