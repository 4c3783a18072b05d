"""Sets of functions that fit densities, where Coulomb and exchange integrals are fitted.

Optimised sets fit better and are smaller than functions in geometric progression that are made for
an element: with these, fitting can take three times as long as none.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.text.names import nearest, plain, unique

from .bases import FITTING, HEAVIEST, basis_for, functions_of, potential_of
from .functionals import stored_code
from .own_basis import is_own

EVEN_TEMPERED = "even-tempered"
"""Exponents in geometric progression, made by PySCF for an element from its orbital basis."""

UNIVERSAL = {True: "def2-universal-jkfit", False: "def2-universal-jfit"}
"""Sets for all elements up to radon, with exact exchange and without.

F. Weigend, J. Comput. Chem. 29, 167 (2008), doi:10.1002/jcc.20702; Phys. Chem. Chem. Phys. 8, 1057
(2006), doi:10.1039/b515623h."""

VALENCE = re.compile("def2|weigend|ahlrichs")
"""Sets that beyond krypton fit what core potentials leave, and no density of all electrons."""

REVISION = "fitting 2"
"""Of what was fitted with functions for valence electrons beside all electrons."""

LAST = 86


def auxiliary_basis(asked: str, basis: str, code: str) -> str:
    """Return the sets that fit densities, in their usual spelling, the first that has an element.

    Args:
        asked: what was asked for; empty for what suits the orbital basis.
        basis: the orbital basis.
        code: the functional as PySCF is told, `HF` for Hartree–Fock.

    Taken is what PySCF has for the orbital basis, which follows Psi4; for the elements that it
    lacks Weigend's universal set; and `even-tempered` for what no library has: elements beyond
    krypton with all their electrons.

    Raises:
        InputError: it is no set for fitting, or not for exact exchange.
    """
    from pyscf.dft import libxc

    if asked:
        return _usual_auxiliary(asked, code)
    there = [n for n in range(1, len(SYMBOLS)) if functions_of(basis, SYMBOLS[n])]
    chosen = _predefined(basis, code)
    if not chosen or not all(functions_of(chosen, SYMBOLS[n]) for n in there if n <= LAST):
        chosen = ", ".join(unique([*filter(None, [chosen]), UNIVERSAL[libxc.is_hybrid_xc(code)]]))
    bare = any(n > LAST or (n > HEAVIEST and not potential_of(basis, SYMBOLS[n])) for n in there)
    return f"{chosen}, {EVEN_TEMPERED}" if bare else chosen


def former_auxiliary(basis: str, code: str) -> str:
    """Return the sets that levels mean which name none: those that PySCF alone would choose.

    Args:
        basis: the orbital basis.
        code: the functional as PySCF is told, `HF` for Hartree–Fock.
    """
    chosen = _predefined(basis, code)
    if not chosen:
        return EVEN_TEMPERED
    there = [SYMBOLS[n] for n in range(1, LAST + 1) if functions_of(basis, SYMBOLS[n])]
    covered = all(functions_of(chosen, symbol) for symbol in there)
    return chosen if covered else f"{chosen}, {EVEN_TEMPERED}"


def auxiliary_for(mol: Any, name: str) -> dict[str, Any]:
    """Return the functions that fit densities, element by element.

    Args:
        mol: a PySCF molecule.
        name: what `auxiliary_basis` returned.

    Raises:
        InputError: the sets lack an element, or have it for a core potential only.
    """
    from pyscf.df import addons

    symbols = sorted({mol.atom_pure_symbol(index) for index in range(mol.natm)})
    bare = {one for one in symbols if one not in mol._ecp}
    sets = {one: _first(one, name, one in bare) for one in symbols}
    lacking = [one for one, found in sets.items() if found is None]
    if lacking:
        raise InputError(
            f"density fitting with {name} was asked for",
            f"it has no functions for {', '.join(lacking)}"
            + (" with all electrons" if VALENCE.match(name) else ""),
            f"choose another, or {EVEN_TEMPERED}, or leave the choice open",
        )
    made: dict[str, Any] = addons.aug_etb(mol) if EVEN_TEMPERED in sets.values() else {}
    return {
        one: made[one] if found == EVEN_TEMPERED else functions_of(str(found), one)
        for one, found in sets.items()
    }


def revision(inputs: Sequence[GraphModel]) -> str:
    """Return the revision of what was fitted with a set that has no functions for the core.

    Such a set beside all electrons of an element beyond krypton was off by 28 Eh for each iodine.

    Args:
        inputs: the structure and the level of theory among them.
    """
    level = next(one for one in inputs if isinstance(one, LevelOfTheory))
    atoms = next(one for one in inputs if isinstance(one, ConceptualAtoms))
    heavy = sorted({int(n) for n in atoms.numbers if n > HEAVIEST})
    if not level.density_fitting or not heavy:
        return ""
    name = level.auxiliary_basis or former_auxiliary(
        level.basis_source, stored_code(level) if level.functional else "HF"
    )
    first = name.split(", ")[0]
    try:
        _, potentials = basis_for(heavy, level.basis_source)
    except InputError:  # the calculation says what is wrong
        return ""
    for symbol in (SYMBOLS[number] for number in heavy):
        if symbol in potentials:
            continue
        valence = not level.auxiliary_basis and VALENCE.match(first)
        if _first(symbol, name, True) is None or (valence and functions_of(first, symbol)):
            return REVISION
    return ""


def fitting_remark(numbers: Iterable[int], level: LevelOfTheory) -> str:
    """Return a warning if density fitting will rather cost time; empty if not.

    Args:
        numbers: atomic numbers of a molecule.
        level: its level of theory.

    Raises:
        InputError: the basis set lacks an element.
    """
    if not level.density_fitting:
        return ""
    name = level.auxiliary_basis or EVEN_TEMPERED
    kinds = sorted(set(numbers))
    _, potentials = basis_for(kinds, level.basis_source)
    symbols = [SYMBOLS[n] for n in kinds]
    made = [one for one in symbols if _first(one, name, one not in potentials) == EVEN_TEMPERED]
    if not made:
        return ""
    return (
        f"no library has functions to fit the densities of {', '.join(made)} in {level.basis}; "
        "those that are made for them are many, so that density fitting can take three times as "
        "long as none"
    )


def _first(symbol: str, name: str, bare: bool) -> str | None:
    """Return the first of several sets that has an element, as it is treated here."""
    heavy = SYMBOLS.index(symbol) > HEAVIEST
    for one in name.split(", "):
        if one == EVEN_TEMPERED:
            return one
        if not (heavy and bare and VALENCE.match(one)) and functions_of(one, symbol):
            return one
    return None


def _predefined(basis: str, code: str) -> str:
    """Return what PySCF has for an orbital basis; empty if it has nothing."""
    from pyscf import gto
    from pyscf.df import addons

    if re.search("[\n;]", basis) or is_own(basis):
        return ""
    name = plain(basis)
    if re.match(r"\d", name):  # Pople's sets share one for all their polarisation functions
        name = name.split("g")[0] + "g"
    quiet = gto.Mole()
    quiet.verbose = 0
    chosen: str | None = addons.predefined_auxbasis(quiet, name, code)
    return _stem(chosen) if chosen else ""


def _usual_auxiliary(asked: str, code: str) -> str:
    from pyscf.dft import libxc
    from pyscf.gto import basis

    key = plain(asked)
    if key in ("eventempered", "etb"):
        return EVEN_TEMPERED
    sets = {
        name: _stem(name)
        for name in basis.ALIAS
        if FITTING.fullmatch(name) and not re.search("(ri|mp2fit|xfit)$", name)
    }
    if key not in sets:
        near = " or ".join(nearest(key, sets)) or "def2-universal-jkfit"
        known = basis.ALIAS.get(key)
        raise InputError(
            f"density fitting with the set {asked!r} was asked for",
            "it is for orbitals or for correlation, not for Coulomb and exchange integrals"
            if known
            else "PySCF has none of that name",
            f"choose {near}, or leave the choice open",
        )
    if not key.endswith("jkfit") and libxc.is_hybrid_xc(code):
        raise InputError(
            f"density fitting with the set {asked!r} was asked for",
            "it fits Coulomb integrals only, and the method has exact exchange",
            "choose def2-universal-jkfit, or leave the choice open",
        )
    return sets[key]


def _stem(name: str) -> str:
    from pyscf.gto import basis

    source = basis.ALIAS.get(plain(name), name)
    return str(source).split("/")[-1].removesuffix(".dat").lower()
