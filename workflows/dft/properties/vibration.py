"""Harmonic vibrations at a geometry."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.vibrations import FrequencyAnalysis
from workflows.engine import calculation, context
from workflows.geometry.harmonic import Derivatives, vibrations

from ..level.fitting import revision as fitting_revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.response import revision as response_revision
from ..scf.scf import converge, electronic
from .derivatives import second_derivatives


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
    report = context().report
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    count = len(atoms.numbers)
    report("gradient", energy=float(mf.e_tot))
    gradient = float(np.abs(mf.nuc_grad_method().kernel()).max()) if count > 1 else 0.0
    report("hessian", energy=float(mf.e_tot), max_gradient=gradient)
    derivatives = Derivatives(np.zeros((1, 1, 3, 3)), np.zeros((1, 3, 3)))
    if count > 1:
        derivatives = second_derivatives(mf, atoms, level, context().checkpoint)
    said = electronic(mf)
    said["remarks"] += derivatives.remarks
    return FrequencyAnalysis(
        atoms=atoms,
        level=level,
        **vibrations(atoms, derivatives, gradient),
        **said,
    )
