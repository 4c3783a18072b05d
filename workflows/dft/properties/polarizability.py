"""The static dipole polarizability from the response of the orbitals to an electric field."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.polarizability import Polarizability
from ontologies.units import Floats
from triplestore.errors import NotConvergedError, RecipeError
from workflows.engine import calculation, context

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.gpu import on_processor
from ..scf.instability import UNSTABLE, following_solvent, internal_mode, second_order
from ..scf.meanfield import mean_field, molecule
from ..scf.response import channels_of, field_response
from ..scf.scf import converge, electronic

if TYPE_CHECKING:
    from workflows.engine.request.form import Form

SOFT = 0.02
"""Eh. Where the orbitals turn so easily, the dipole is no longer proportional to a field of
0.002 a.u.: NO2 by UHF/6-31+G* (0.0018 Eh) has 36.6 bohr³ along O–O, and 32.6 of such a field. O2 by
UHF has 0.06 Eh, the methyl radical 0.5, water 1.4."""

SHARP = 1e-6
"""The orbital gradient in Eh to which a solution with such a turn is converged."""

TIGHT = 0.1
"""1/bohr². Where the widest function of an atom falls off faster, the basis set is not diffuse."""


@calculation("dft.polarizability", version="1", backend=PYSCF, revision=revision)
def polarizability(atoms: ConceptualAtoms, level: LevelOfTheory) -> Polarizability:
    """Compute the static dipole polarizability at a fixed geometry.

    It is minus the second derivative of the energy by a uniform field, from the coupled-perturbed
    equations of the orbitals. A continuum follows the field completely; the field is the one that
    acts upon the molecule, not that outside of the solvent.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF or the equations did not converge.
        RecipeError: PySCF has no response for the level, or the solution is not a minimum.

    Source: J. Gerratt, I. M. Mills, J. Chem. Phys. 49, 1719 (1968), doi:10.1063/1.1670299.
    """
    check(atoms, level)
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    softest = _softest_turn(mf)
    context().report("polarizability", energy=float(mf.e_tot), softest=softest)
    if softest < UNSTABLE:
        raise RecipeError(
            _asked(atoms, level),
            f"the solution of the SCF is not stable ({softest:.4f} Eh), so that in a field it is "
            "left for another",
            "ask for the stable solution (`stable`), or for another functional",
        )
    base = electronic(mf)
    if softest < SOFT:
        _sharpen(mf)
    tensor = _tensor(mf)
    remarks = (*base.pop("remarks"), *on_processor(mf), *_remarks(mf, softest))
    return Polarizability(
        atoms=atoms,
        level=level,
        polarizability=(tensor + tensor.T) / 2,
        remarks=tuple(dict.fromkeys(remarks)),
        **base,
    )


def check(atoms: ConceptualAtoms, level: LevelOfTheory, request: Form | None = None) -> None:
    """Check that a level has the response that a polarizability is made of.

    Raises:
        RecipeError: it has not.
    """
    del request
    if level.reference == "restricted open-shell":
        raise RecipeError(
            _asked(atoms, level),
            "PySCF has no response of restricted open-shell orbitals",
            "ask for unrestricted orbitals",
        )
    if level.nonlocal_correlation:
        raise RecipeError(
            _asked(atoms, level),
            "PySCF leaves the non-local correlation (VV10) out of the response of the orbitals",
            "ask for another functional, or for another dispersion such as d4",
        )


def _asked(atoms: ConceptualAtoms, level: LevelOfTheory) -> str:
    return f"the polarizability of {atoms.formula} at {level.label} was asked for"


def _softest_turn(mf: Any) -> float:
    """Return the lowest eigenvalue of the orbital Hessian in Eh; a bound where it is not soft."""
    if not any(channel.gaps.size for channel in channels_of(mf)):
        return np.inf
    with suppress(NotConvergedError):
        value, _ = internal_mode(mf, until=SOFT)
        if value >= SOFT:
            return value
    return internal_mode(mf)[0]


def _sharpen(mf: Any) -> None:
    """Converge orbitals further, in place: along a soft turn they are far off for little energy.

    In NO2 (UHF/cc-pVDZ, 0.0065 Eh) an SCF that is converged to 1e-9 Eh leaves an error of 0.009
    bohr³ along O–O.

    Raises:
        NotConvergedError: that could not be done.
    """
    from pyscf import lib

    with lib.temporary_env(mf, conv_tol=1e-10, conv_tol_grad=SHARP):
        if not second_order(mf, "sharpened", orbitals=mf.mo_coeff):
            raise NotConvergedError(
                "the polarizability of a solution of the SCF that is hardly stable was asked for",
                f"its orbitals could not be converged to a gradient of {SHARP:g} Eh",
                "ask for another functional or basis set",
            )


def _tensor(mf: Any) -> Floats:
    """Return the polarizability in bohr³, shape (3, 3)."""
    mol, channels = mf.mol, channels_of(mf)
    with mol.with_common_orig(mol.atom_coords().mean(axis=0)):
        places = mol.intor("int1e_r", comp=3)
    forces = [channel.inside(places) for channel in channels]
    with following_solvent(mf, follows=True):
        respond = mf.gen_response(mf.mo_coeff, mf.mo_occ, hermi=1)
        changes = field_response(mf, forces, respond)
    tensor = np.zeros((3, 3))
    for channel, force, change in zip(channels, forces, changes, strict=True):
        tensor -= 2 * channel.electrons * np.einsum("xai,yai->xy", force, change)
    return tensor


def _remarks(mf: Any, softest: float) -> Iterator[str]:
    """Iterate over what a reader must know of the number."""
    if softest < SOFT:
        yield (
            f"the orbitals turn easily (the softest turn has {softest:.4f} Eh): the dipole is "
            "proportional to the field in weak fields only, and another method may find quite "
            "another polarizability"
        )
    if tight := _without_diffuse(mf.mol):
        yield (
            f"the basis set has no diffuse functions on {', '.join(tight)}: polarizabilities come "
            "out too small; take one such as def2-SVPD, def2-TZVPPD or aug-cc-pVTZ"
        )


def _without_diffuse(mol: Any) -> list[str]:
    """Return the elements whose widest function is tight; hydrogen only where it is alone."""
    widest: dict[str, float] = {}
    for shell in range(mol.nbas):
        element = mol.atom_pure_symbol(mol.bas_atom(shell))
        least = float(np.min(mol.bas_exp(shell)))
        widest[element] = min(least, widest.get(element, np.inf))
    heavy = {name: one for name, one in widest.items() if name != "H"} or widest
    return sorted(name for name, one in heavy.items() if one > TIGHT)
