"""What a method, a basis set and their surroundings mean to PySCF, found out once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TypeVar, cast, get_args

from ontologies.level import USUAL_GRID, LevelOfTheory, LevelResolution, OwnBasisSet, Reference
from triplestore.errors import InputError
from workflows.engine import Backend, calculation
from workflows.text.names import plain

from .bases import basis_remarks, core_potential, usual_recipe
from .fitting import auxiliary_basis as auxiliary
from .functionals import stored_code
from .methods import is_known, resolve_method
from .solvents import GAS, solvation_of

PYSCF = Backend(
    name="pyscf",
    epoch="1",
    preload=(
        "pyscf.dft",
        "workflows.dft.properties.energy",
        "workflows.dft.properties.surface",
        "workflows.dft.properties.analysis",
        "workflows.dft.properties.excitation",
        "workflows.dft.properties.stability",
        "workflows.dft.scf.ghosts",
    ),
    packages=("pyscf", "pyscf-dispersion", "geometric", "numpy", "scipy", "ase", "pymatgen"),
    gpu="gpu4pyscf",
)

PREFIXES: tuple[tuple[str, Reference], ...] = (
    ("ro", "restricted open-shell"),
    ("u", "unrestricted"),
    ("r", "restricted"),
)

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

ROUGH = re.compile(r"_X_(REV)?SCAN0? ")
"""Functionals with steep derivatives, which r²SCAN was made to smooth."""


@calculation(
    "dft.resolve_level",
    version="3",
    backend=PYSCF,
    gpu=False,
    brief=True,
    title="level of theory",
)
def resolve_level(
    method: str,
    basis: str,
    reference: Reference,
    *,
    dispersion: str = "",
    solvation: str = "",
    solvent: str = "",
    dielectric: float | None = None,
    density_fitting: bool = False,
    auxiliary_basis: str = "",
    cartesian: bool | None = None,
    grid_level: int | None = None,
    follow_instabilities: bool = False,
    scf_tolerance: float | None = None,
) -> LevelResolution:
    """Find out what PySCF computes for a method, a basis set and their options.

    Args:
        method: a name such as `HF`, `B3LYP` or `wB97X-D4`; case and hyphens do not matter.
        basis: a name such as `def2-SVP` or `6-31G(d)`, or a recipe, see `bases.usual_recipe`.
        reference: which orbitals electrons of alpha and beta spin share.
        dispersion: `D3(BJ)`, `D3(0)`, `D3`, `D4`, `VV10` or `none`; empty for what the method's
            name says.
        solvation: `C-PCM`, `COSMO`, `IEF-PCM`, `SS(V)PE` or `SMD`; empty for the gas phase, or
            for C-PCM where a solvent is given.
        solvent: a name such as `water`, `MeCN` or `toluene`.
        dielectric: the relative permittivity of a medium without a name.
        density_fitting: whether Coulomb and exchange integrals are fitted.
        auxiliary_basis: the set that they are fitted with; empty for those that suit the orbital
            basis, see `fitting.auxiliary_basis`.
        cartesian: whether d shells have six functions; None for five.
        grid_level: PySCF's integration grid, 0 (coarse) to 9; None for 3.
        follow_instabilities: whether an unstable solution is left for the stable one below it.
        scf_tolerance: largest change of the energy in the last SCF cycle, in Eh; None for 1e-9.

    Raises:
        InputError: PySCF knows no such name, or what was asked for does not go together; names the
            nearest.
    """
    if reference not in get_args(Reference):
        raise InputError(
            f"the reference {reference!r} was asked for",
            f"there are {', '.join(get_args(Reference))}",
            "choose one of them",
        )
    resolved, (basis_name, own), continuum = _each(
        lambda: resolve_method(_without_prefix(method, reference), dispersion),
        lambda: usual_recipe(basis),
        lambda: solvation_of(solvation, solvent, dielectric),
    )
    source = f"{basis_name}\n{own}" if own else basis_name
    remarks = [*resolved.remarks, *basis_remarks(source, cartesian)]
    if continuum and plain(solvation) in ("", "pcm"):
        remarks.append(f"the solvation model is {continuum.model}")
    if continuum is None and plain(solvation) not in ("", *GAS):
        remarks.append(f"gas phase, as the solvent is {solvent}: {solvation} is left out")
    _check_numbers(resolved.name, grid_level, scf_tolerance)
    if auxiliary_basis and not density_fitting:
        raise InputError(
            f"the auxiliary basis {auxiliary_basis!r} was asked for",
            "density fitting was not",
            "ask for both or for neither",
        )
    fields = dict(resolved.fields)
    if grid_level is not None and resolved.name != "HF":
        fields["grid_level"] = grid_level
    if scf_tolerance is not None:
        fields["scf_tolerance"] = scf_tolerance
    if any(map(ROUGH.search, fields.get("functional", ()))) and fields["grid_level"] < 6:
        remarks.append(
            f"{resolved.name} needs a finer grid than {fields['grid_level']}: "
            "from 4 to 7 the energy "
            "of water still moves by 0.2 mEh, that of r2SCAN by 0.002 mEh"
        )
    level = LevelOfTheory(
        method=resolved.name,
        basis=basis_name,
        reference=reference,
        dispersion=resolved.dispersion,
        solvation=continuum,
        spherical=not cartesian,
        core_potential=core_potential(source),
        own_basis=OwnBasisSet(basis_functions=own) if own else None,
        density_fitting=density_fitting,
        follow_instabilities=follow_instabilities,
        **fields,
    )
    code = stored_code(level) if level.functional else "HF"
    if density_fitting:
        name = auxiliary(auxiliary_basis, source, code)
        level = level.model_copy(update={"auxiliary_basis": name})
    given = basis.partition("\n")[0]
    return LevelResolution(method=method, basis=given, level=level, remarks=tuple(remarks))


def _each(
    first: Callable[[], A], second: Callable[[], B], third: Callable[[], C]
) -> tuple[A, B, C]:
    """Return what the parts of a level mean.

    Raises:
        InputError: there are no such ones; says so of all that are wrong.
    """
    wrong: list[InputError] = []

    def tried(part: Callable[[], A | B | C]) -> A | B | C | None:
        try:
            return part()
        except InputError as error:
            wrong.append(error)
            return None

    meant = tried(first), tried(second), tried(third)
    if wrong:
        raise InputError.of_all(wrong)
    return cast("tuple[A, B, C]", meant)


def _without_prefix(method: str, reference: Reference) -> str:
    """Return the name without the letters for the reference, as in UB3LYP or ROHF.

    Raises:
        InputError: they say another reference than the one that is asked for.
    """
    if is_known(method):
        return method
    key = re.sub(r"^\s+", "", method)
    for letters, said in PREFIXES:
        rest = key[len(letters) :]
        if not key.lower().startswith(letters) or not is_known(rest):
            continue
        if said != reference:
            raise InputError(
                f"the method {method!r} was asked for",
                f"the reference follows the multiplicity or is given apart; it is {reference} here",
                f"ask for {rest.lstrip('-')}, or for the reference {said}",
            )
        return rest
    return method


def _check_numbers(method: str, grid_level: int | None, scf_tolerance: float | None) -> None:
    if grid_level not in (None, USUAL_GRID) and method == "HF":
        raise InputError(
            f"the grid {grid_level} was asked for", "Hartree–Fock uses none", "leave it out"
        )
    if grid_level is not None and not 0 <= grid_level <= 9:
        raise InputError(
            f"the grid {grid_level} was asked for",
            "there are 0 (coarse) to 9",
            "ask for 3 to 5; 3 is the default",
        )
    if scf_tolerance is not None and not (
        math.isfinite(scf_tolerance) and 1e-13 <= scf_tolerance <= 1e-4
    ):
        raise InputError(
            f"an SCF to {scf_tolerance:g} Eh was asked for",
            "what makes sense is 1e-13 to 1e-4 Eh",
            "leave it out for 1e-9 Eh",
        )
