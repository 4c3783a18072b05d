"""Harmonic vibrations at a geometry."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from ontologies.vibrations import FrequencyAnalysis, Stationarity
from workflows.engine import calculation, context

from .derivatives import Derivatives, second_derivatives
from .fitting import revision as fitting_revision
from .levels import PYSCF
from .meanfield import mean_field, molecule
from .response import revision as response_revision
from .scf import converge, electronic

STATIONARY = 5e-4
"""Eh/bohr. A larger component of the gradient makes a geometry not stationary."""


def revision(inputs: Sequence[GraphModel]) -> str:
    """Return the revisions of the density fitting and of the response."""
    both = (fitting_revision(inputs), response_revision(inputs))
    return "+".join(filter(None, both))


@calculation("dft.frequencies", version="2", backend=PYSCF, revision=revision)
def frequencies(atoms: ConceptualAtoms, level: LevelOfTheory) -> FrequencyAnalysis:
    """Compute harmonic vibrations and their infrared intensities.

    Second derivatives are analytic. Where PySCF has none (restricted open shells, one electron,
    VV10 with unrestricted orbitals), they are differences of gradients, 6 for each atom, and
    `remarks` say so; one that was cut off goes on from the last gradient. Analytic ones of
    functionals are balanced, see `derivatives.balanced`. Masses are means over
    the natural isotopes. Intensities in a solvent are those of the solute's own dipole.

    Args:
        atoms: a stationary geometry; the result says if it is none.
        level: the level of theory.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF or the response of the orbitals did not converge.
        RecipeError: the SCF beside the geometry ended in another state.
    """
    from pyscf.hessian import thermo

    report = context().report
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    count = len(atoms.numbers)
    report("gradient", energy=float(mf.e_tot))
    gradient = float(np.abs(mf.nuc_grad_method().kernel()).max()) if count > 1 else 0.0
    report("hessian", energy=float(mf.e_tot), max_gradient=gradient)
    if count > 1:
        found = second_derivatives(mf, atoms, level, context().checkpoint)
        analysis = thermo.harmonic_analysis(mf.mol, found.hessian, imaginary_freq=False)
        wavenumbers: Floats = np.asarray(analysis["freq_wavenumber"], float)
        displacements: Floats = np.asarray(analysis["norm_mode"], float).reshape(-1, count, 3)
        modes = displacements / np.linalg.norm(displacements, axis=(1, 2), keepdims=True)
        masses: Floats = np.asarray(analysis["reduced_mass"], float)
    else:
        found = Derivatives(np.zeros((1, 1, 3, 3)), np.zeros((1, 3, 3)))
        wavenumbers, masses, modes = np.zeros(0), np.zeros(0), np.zeros((0, 1, 3))
        displacements = modes
    imaginary = int((wavenumbers < 0).sum())
    label: Stationarity = "saddle point" if imaginary else "minimum"
    if gradient > STATIONARY:
        label = "not stationary"
    said = electronic(mf)
    said["remarks"] += found.remarks
    return FrequencyAnalysis(
        atoms=atoms, level=level, wavenumbers=wavenumbers, modes=modes, reduced_masses=masses,
        hessian=found.hessian, imaginary=imaginary, max_gradient=gradient, stationarity=label,
        infrared=intensities(displacements, found.dipoles), **said,
    )  # fmt: skip


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
