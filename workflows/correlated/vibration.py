"""Harmonic vibrations by MP2 and DF-MP2."""

from __future__ import annotations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedFrequencies, CorrelatedLevel
from workflows.engine import calculation, context
from workflows.geometry.harmonic import Derivatives, vibrations

from .levels import PYSCF
from .solving import correlation, findings, reference
from .surface import CorrelatedSurface, differences


@calculation("correlated.frequencies", version="1", backend=PYSCF, gpu=False)
def frequencies(atoms: ConceptualAtoms, level: CorrelatedLevel) -> CorrelatedFrequencies:
    """Compute harmonic vibrations, and with DF-MP2 their infrared intensities.

    Second derivatives are central differences of gradients, 6 for each atom; one that was cut off
    goes on from the last gradient. Intensities need the relaxed density, which is known of DF-MP2.
    Masses are means over the natural isotopes.

    Args:
        atoms: a stationary geometry; the result says if it is none.
        level: of MP2 or DF-MP2.

    Raises:
        InputError: a basis set lacks an element, or there are no such electrons.
        NotConvergedError: Hartree–Fock or its response did not converge.
        RecipeError: beside the geometry Hartree–Fock ended in another state.
    """
    mf = reference(atoms, level)
    gradient, derivatives = 0.0, Derivatives(np.zeros((1, 1, 3, 3)), np.zeros((1, 3, 3)))
    if len(atoms.numbers) == 1:
        found = correlation(mf, atoms, level)
    else:
        surface = CorrelatedSurface(atoms, level, mf)
        energy, slope = surface.at(atoms.positions)
        found, gradient = surface.found, float(np.abs(slope).max())
        context().report("hessian", energy=energy, max_gradient=gradient)
        derivatives = differences(atoms, level, surface.mf, context().checkpoint)
        mf = surface.mf
    said = vibrations(atoms, derivatives, gradient)
    if level.method != "DF-MP2":
        said["infrared"] = None
    properties = findings(mf, level, found)
    properties["remarks"] += derivatives.remarks
    return CorrelatedFrequencies(atoms=atoms, level=level, **said, **properties)
