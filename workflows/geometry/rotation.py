"""How a rigid molecule rotates."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats

CONSTANTS = ("planck constant", "atomic mass constant")

LINEAR = 1e-6
"""Smallest moment of inertia, as a share of the largest, of what is not a line."""


def rotational_constants(atoms: ConceptualAtoms) -> Floats:
    """Return the rotational constants A ≥ B ≥ C in GHz, shape (3,).

    That of the axis of a linear molecule is 0, and so are those of an atom. The masses are those
    of the most abundant isotopes.
    """
    import qcelemental as qcel

    masses = np.array([qcel.periodictable.to_mass(symbol) for symbol in atoms.symbols])
    places = atoms.positions - masses @ atoms.positions / masses.sum()
    square = np.einsum("a,ai,aj->ij", masses, places, places)
    moments = np.linalg.eigvalsh(np.trace(square) * np.eye(3) - square)
    planck, dalton = (float(qcel.constants.get(name)) for name in CONSTANTS)  # pyright: ignore
    to_gigahertz = planck / (8 * np.pi**2) / (dalton * 1e-20) * 1e-9
    turning = moments > max(LINEAR * moments.max(), 1e-9)
    constants = np.divide(to_gigahertz, moments, out=np.zeros(3), where=turning)
    return np.sort(constants)[::-1]
