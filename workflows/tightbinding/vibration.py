"""Harmonic vibrations by tight binding."""

from __future__ import annotations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.tightbinding import TightBinding, TightBindingFrequencies
from workflows.engine import calculation, context
from workflows.geometry.harmonic import Derivatives, vibrations

from .differences import differences
from .hamiltonian import Hamiltonian
from .levels import TBLITE


@calculation("tightbinding.frequencies", version="1", backend=TBLITE)
def frequencies(atoms: ConceptualAtoms, level: TightBinding) -> TightBindingFrequencies:
    """Compute harmonic vibrations and their infrared intensities.

    Second derivatives are central differences of gradients, 6 for each atom; one that was cut off
    goes on from the last gradient. Masses are means over the natural isotopes.

    Args:
        atoms: a stationary geometry; the result says if it is none.
        level: the method and its surroundings.

    Raises:
        InputError: there are no parameters for an element, or no such electrons.
        NotConvergedError: the charges did not become self-consistent.
        RecipeError: beside the geometry they became those of another state.
    """
    hamiltonian = Hamiltonian(atoms, level)
    energy, slope = hamiltonian.at(atoms.positions)
    gradient, derivatives = 0.0, Derivatives(np.zeros((1, 1, 3, 3)), np.zeros((1, 3, 3)))
    if len(atoms.numbers) > 1:
        gradient = float(np.abs(slope).max())
        context().report("hessian", energy=energy, max_gradient=gradient)
        derivatives = differences(hamiltonian, context().checkpoint)
    return TightBindingFrequencies(
        atoms=atoms,
        level=level,
        remarks=derivatives.remarks,
        **vibrations(atoms, derivatives, gradient),
        **hamiltonian.findings,
    )
