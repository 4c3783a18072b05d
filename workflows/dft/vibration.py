"""Harmonic vibrations at a geometry."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from ontologies.vibrations import FrequencyAnalysis, Stationarity
from triplestore.errors import RecipeError
from workflows.engine import calculation, context

from .levels import PYSCF
from .meanfield import mean_field, molecule
from .scf import converge, electronic

STATIONARY = 5e-4
"""Eh/bohr. A larger component of the gradient makes a geometry not stationary."""


@calculation("dft.frequencies", version="1", backend=PYSCF)
def frequencies(atoms: ConceptualAtoms, level: LevelOfTheory) -> FrequencyAnalysis:
    """Compute harmonic vibrations from PySCF's Hessian.

    Args:
        atoms: a stationary geometry; the result says if it is none.
        level: the level of theory.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF did not converge.
        RecipeError: PySCF has no Hessian for the level of theory.
    """
    from pyscf.hessian import thermo

    report = context().report
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    count = len(atoms.numbers)
    report("gradient", energy=float(mf.e_tot))
    gradient = float(np.abs(mf.nuc_grad_method().kernel()).max()) if count > 1 else 0.0
    report("hessian", energy=float(mf.e_tot), max_gradient=gradient)
    hessian = _hessian(mf, level) if count > 1 else np.zeros((1, 1, 3, 3))
    if count > 1:
        analysis = thermo.harmonic_analysis(mf.mol, hessian, imaginary_freq=False)
        wavenumbers: Floats = np.asarray(analysis["freq_wavenumber"], float)
        modes: Floats = np.asarray(analysis["norm_mode"], float).reshape(-1, count, 3)
        modes = modes / np.linalg.norm(modes, axis=(1, 2), keepdims=True)
        masses: Floats = np.asarray(analysis["reduced_mass"], float)
    else:
        wavenumbers, masses, modes = np.zeros(0), np.zeros(0), np.zeros((0, 1, 3))
    imaginary = int((wavenumbers < 0).sum())
    label: Stationarity = "saddle point" if imaginary else "minimum"
    if gradient > STATIONARY:
        label = "not stationary"
    return FrequencyAnalysis(
        atoms=atoms, level=level, wavenumbers=wavenumbers, modes=modes, reduced_masses=masses,
        hessian=hessian, imaginary=imaginary, max_gradient=gradient, stationarity=label,
        **electronic(mf),
    )  # fmt: skip


def _hessian(mf: Any, level: LevelOfTheory) -> Floats:
    asked = f"frequencies at {level.label} were asked for"
    if mf.mol.nelec[1] == 0:
        raise RecipeError(
            asked, "PySCF has no second derivatives without electrons of beta spin",
            "ask for the energy or the optimised geometry",
        )  # fmt: skip
    try:
        return mf.Hessian().kernel()
    except NotImplementedError as error:
        raise RecipeError(
            asked, f"PySCF has no second derivatives for it: {error}", "choose another functional"
        ) from error
