"""What the name of a correlated method, a basis set and their options mean."""

from __future__ import annotations

import re

from ontologies.correlated import CorrelatedLevel, CorrelatedResolution
from ontologies.level import LevelOfTheory, Reference
from triplestore.errors import InputError
from workflows.dft.level.bases import basis_remarks, core_potential, usual_basis
from workflows.engine import Backend, calculation
from workflows.text.names import plain
from workflows.text.words import listed

from .extrapolation import extrapolation_of, extrapolation_remarks, is_pair, pair_name
from .fitting import fitting_basis

PYSCF = Backend(
    name="pyscf",
    epoch="1",
    preload=(
        "pyscf.dft",
        "pyscf.mp.dfump2",
        "pyscf.cc",
        "workflows.correlated.energy",
        "workflows.correlated.calculations",
    ),
    packages=("pyscf", "geometric", "numpy", "scipy"),
)

METHODS = {"mp2": "MP2", "dfmp2": "DF-MP2", "rimp2": "DF-MP2", "ccsd": "CCSD", "ccsd(t)": "CCSD(T)"}
"""Methods by their plain spellings; resolution of the identity is another name of fitting."""

FAMILY = re.compile(r"(ro|r|u)?(df|ri|scs|sos|dlpno|lpno|lno|eom)*l?(mp[2-9]|cc[dst23]|qcisd)")
"""What the plain spelling of a method of this family begins with."""

PREFIXES: dict[str, Reference] = {
    "ro": "restricted open-shell",
    "u": "unrestricted",
    "r": "restricted",
}

MISSING = "there is none with a restricted open-shell reference here"


def is_correlated(method: str) -> bool:
    """Whether a method is one of this family, computed here or not."""
    return bool(FAMILY.match(plain(method)))


def usual_method(method: str, reference: Reference) -> str:
    """Return the usual spelling of a method.

    Raises:
        InputError: it is none of those that are computed here, or its letters say another
            reference than the one that is asked for.
    """
    key = plain(method)
    if key in METHODS:
        return METHODS[key]
    for letters, said in PREFIXES.items():
        rest = METHODS.get(key[len(letters) :])
        if not key.startswith(letters) or rest is None:
            continue
        if said != reference:
            other = "" if said.endswith("shell") else f", or the reference {said}"
            raise InputError(
                f"the method {method!r} was asked for",
                f"the reference follows the multiplicity or is given apart; it is {reference} here",
                f"ask for {rest}{other}",
            )
        return rest
    raise InputError(
        f"the method {method!r} was asked for",
        f"of correlated methods there are {listed(list(dict.fromkeys(METHODS.values())))}",
        "choose one of them; a double hybrid, an excited state or more than perturbative triples "
        "need another program",
    )


@calculation(
    "correlated.resolve_level",
    version="1",
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
    all_electrons: bool = False,
    cartesian: bool | None = None,
) -> CorrelatedResolution:
    """Find out what PySCF computes for a correlated method, a basis set and their options.

    Args:
        method: `MP2`, `DF-MP2` (or `RI-MP2`), `CCSD` or `CCSD(T)`; case and hyphens do not matter.
        basis: a name such as `cc-pVTZ` or `def2-TZVP`; two of them for the limit of a complete
            basis set, as in `cc-pV[TQ]Z` or `def2-[SVP,TZVPP]`.
        reference: which orbitals electrons of alpha and beta spin share.
        all_electrons: whether the electrons of the cores are correlated too.
        cartesian: whether d shells have six functions; None for five.

    Raises:
        InputError: there is no such method, basis set or reference; says what there is.
    """
    if reference == "restricted open-shell":
        raise InputError(
            f"{method} with the reference {reference} was asked for",
            MISSING,
            "leave the reference out: open shells are unrestricted",
        )
    name = usual_method(method, reference)
    how = extrapolation_of(basis) if is_pair(basis) else None
    basis_name = how.larger_basis if how else usual_basis(basis)
    remarks = basis_remarks(basis_name, cartesian)
    level = single_basis(
        CorrelatedLevel(
            method=name,
            basis=basis_name,
            reference=reference,
            all_electrons=all_electrons,
            spherical=not cartesian,
        ),
        basis_name,
    )
    if how:
        single_basis(level, how.smaller_basis)  # there are functions that fit this one too
        level = level.model_copy(update={"basis": pair_name(how), "extrapolation": how})
        remarks += extrapolation_remarks(how)
    if all_electrons and not re.search(r"CV", basis_name):
        remarks.append(
            f"{basis_name} has no functions for the correlation of core electrons, which are "
            "correlated here; cc-pCVTZ and its like have"
        )
    return CorrelatedResolution(method=method, basis=basis, level=level, remarks=tuple(remarks))


def single_basis(level: CorrelatedLevel, basis: str) -> CorrelatedLevel:
    """Return a level in one basis set, with what belongs to that set.

    Raises:
        InputError: DF-MP2 is asked for and nothing fits its correlation energy.
    """
    fitted = fitting_basis(basis) if level.method == "DF-MP2" else ""
    changes = {"basis": basis, "fitting_basis": fitted, "core_potential": core_potential(basis)}
    return level.model_copy(update={**changes, "extrapolation": None})


def single_bases(level: CorrelatedLevel) -> tuple[CorrelatedLevel, ...]:
    """Return the levels that are computed at a level, each of one basis set, the larger last."""
    how = level.extrapolation
    if how is None:
        return (level,)
    return tuple(single_basis(level, one) for one in (how.smaller_basis, how.larger_basis))


def hartree_fock(level: CorrelatedLevel) -> LevelOfTheory:
    """Return the level of the Hartree–Fock solution that a correlated level starts from."""
    level = single_bases(level)[-1]
    return LevelOfTheory(
        method="HF",
        basis=level.basis,
        reference=level.reference,
        spherical=level.spherical,
        core_potential=level.core_potential,
        scf_tolerance=level.scf_tolerance,
    )
