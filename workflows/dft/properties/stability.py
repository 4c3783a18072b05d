"""Whether the solution of an SCF is a minimum with respect to its orbitals."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.wavefunction import StabilityAnalysis
from triplestore.errors import NotConvergedError, RecipeError
from workflows.engine import calculation, context

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.instability import (
    NO_LOWER,
    UNSTABLE,
    external_mode,
    internal_mode,
    second_order,
    separated,
    settle,
)
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import converge, electronic


@calculation("dft.stability", version="1", backend=PYSCF, revision=revision, gpu=False)
def stability(atoms: ConceptualAtoms, level: LevelOfTheory) -> StabilityAnalysis:
    """Analyse the stability of an SCF's solution, and go down to a stable one.

    Looked at is whether a rotation of the orbitals lowers the energy: among solutions of the same
    kind (internal), and for closed shells also to different orbitals for alpha and beta spin
    (external). Complex orbitals and those of mixed spin are not looked at. Instabilities are
    followed until none is left: internal ones first, then the external one into unrestricted
    orbitals and their internal ones.

    The numbers of an `ElectronicResult` are those of the solution that was analysed, which is the
    one that every other calculation at this level has.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF, the analysis or the descent did not converge.
        RecipeError: PySCF has no response of the functional.

    Source: R. Seeger, J. A. Pople, J. Chem. Phys. 66, 3045 (1977).
    """
    report = context().report
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    properties = electronic(mf)
    closed = level.reference == "restricted"
    try:
        value, _ = internal_mode(mf)
        report("stability", energy=properties["energy"], internal=value)
        outside = external_mode(mf)[0] if closed else None
        report("stability", energy=properties["energy"], external=outside)
        stable, followed = _down(mf, level)
    except NotImplementedError as error:
        raise RecipeError(
            f"cannot analyse the stability of {atoms.formula} at {level.label}",
            f"PySCF has no second derivatives of the energy by its orbitals for it: {error}",
            "choose another functional, or HF",
        ) from error
    internal = value >= UNSTABLE
    external = None if outside is None else outside >= UNSTABLE
    remarks = list(properties.pop("remarks"))
    if level.reference == "restricted open-shell":
        remarks.append("not looked at: orbitals of their own for alpha and beta spin")
    if level.nonlocal_correlation:
        remarks.append("the non-local correlation is left out of the orbital Hessian")
    looked = "stable" if closed or level.reference == "unrestricted" else "internally stable"
    properties["stability"] = looked if internal and external is not False else "unstable"
    end = electronic(stable)
    return StabilityAnalysis(
        atoms=atoms,
        level=level,
        internal=internal,
        external=external,
        stable_energy=end["energy"],
        lowering=properties["energy"] - end["energy"],
        reoptimisations=followed,
        stable_spin_squared=end["spin_squared"],
        remarks=tuple(remarks),
        **properties,
    )


def _down(mf: Any, level: LevelOfTheory) -> tuple[Any, int]:
    """Return a stable mean field below this one, itself if it is stable, and the descents made."""
    followed = settle(mf)
    if level.reference != "restricted":
        return mf, followed
    value, mode = external_mode(mf)
    if value >= UNSTABLE:
        return mf, followed
    loose = mean_field(mf.mol, level.model_copy(update={"reference": "unrestricted"}))
    if not second_order(loose, "instability followed", density=separated(mf, mode)):
        raise NotConvergedError(
            f"cannot follow the instability at {level.label} to unrestricted orbitals",
            f"no stationary point was reached; the energy was {loose.e_tot:.6f} Eh",
            "ask for the unrestricted reference with another guess or functional",
        )
    followed += 1 + settle(loose)
    return (loose, followed) if loose.e_tot < mf.e_tot - NO_LOWER else (mf, followed)
