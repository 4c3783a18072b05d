"""Basis sets and the core potentials that belong to them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, cast

from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.text.names import nearest, plain
from workflows.text.words import listed

from .exchange import LACKED, exchange_remark, exchanged, told_name
from .own_basis import chosen, elements_of, functions_in, is_own, potential_in

KNOWN_BASES = "def2-SVP, def2-TZVP, cc-pVDZ, cc-pVTZ, aug-cc-pVDZ, 6-31G*, 6-311++G**, STO-3G"

FITTING = re.compile(
    r".*((jk?|mp2|coulomb|c|x|opt)fit|ri|optri)|(aug)?ccp.*fit|weigend.*|demon.*|ahlrichs(?!p?v[dt]z|tzv).*"
)
VALENCE_ONLY = re.compile(r"(gth|ccecp|bfd|qavg|ecpq|ecpds|sap(?!poro))")
CARTESIAN = re.compile(r"(3-21|4-31|6-31)\+*G(\*+|\(.+\))")
RELATIVISTIC = re.compile(
    r"(ano(rcc.*|dk3|r\d?)?|roos.*|.*(dk|dkh|dk3|dkh2|sarc.*|zora|dkh3.*)|dyall.*|.*x2c.*)"
)

HEAVIEST = 36
"""Beyond krypton the inner electrons are too fast for a calculation without relativity."""


def known_bases() -> dict[str, Sequence[str]]:
    """Return the basis sets that can be named, under heads."""
    from pyscf.gto import basis

    found: dict[str, None] = {}
    for key in cast("dict[str, object]", basis.ALIAS):
        with suppress(InputError):
            name = usual_basis(key)
            if usual_basis(name) == name:  # a few are not found again by their usual spelling
                found[name] = None
    names = sorted(found, key=str.lower)
    return {
        "Used most": KNOWN_BASES.split(", "),
        "All; or a file of your own": names,
    }


def usual_basis(name: str) -> str:
    """Return the usual spelling of a basis set; equal sets get equal names.

    Raises:
        InputError: PySCF has no such set, or it is not one for orbitals; names the nearest.
    """
    from pyscf.gto import basis

    asked = f"the basis set {name!r} was asked for"
    key = plain(name)
    key = re.sub(r"\(d,p\)$", "**", key)
    key = re.sub(r"\(d\)$", "*", key)
    key = re.sub(r"pv\(([dtq5])\+d\)z$", r"pv\1pdz", key)  # cc-pV(D+d)Z
    if VALENCE_ONLY.match(key):
        raise InputError(
            asked,
            "it is for valence electrons, with a core potential that this version does not set",
            f"choose another. Common ones: {KNOWN_BASES}",
        )
    if FITTING.fullmatch(key):
        raise InputError(
            asked,
            "it is for the fitting of densities, not for orbitals",
            f"choose another. Common ones: {KNOWN_BASES}",
        )
    if key == "sdd":
        raise InputError(
            asked,
            "it is a mixture that differs from program to program (in Gaussian D95 up to argon, "
            "Stuttgart's potentials beyond)",
            "ask for def2-SVP or def2-TZVP, which bring Stuttgart's potentials from rubidium on, "
            "or for Stuttgart, which has them from lithium on",
        )
    aliases: dict[str, Any] = basis.ALIAS
    source = aliases.get(key)
    if isinstance(source, str):
        stem = source.split("/")[-1].removesuffix(".dat")
        if source.startswith("pople-basis/"):
            return re.sub("s{1,2}$", lambda found: "*" * len(found[0]), stem)
        return _capitals(stem)
    if isinstance(source, tuple):
        return _capitals(source[-1].removesuffix(".dat"))
    if re.fullmatch(r"[\w+*\- ]+(\([\w+,]+\))?[\w+*\- ]*", name) and functions_of(name, "C"):
        return name.strip().upper()
    sources = {
        other: _capitals(one.split("/")[-1].removesuffix(".dat"))
        for other, one in aliases.items()
        if isinstance(one, str) and not FITTING.fullmatch(other) and not VALENCE_ONLY.match(other)
    }
    near = " or ".join(nearest(key, sources))
    raise InputError(
        asked,
        LACKED,
        (f"did you mean {near}? " if near else "") + f"Common ones: {KNOWN_BASES}",
    )


def usual_recipe(source: str) -> tuple[str, str]:
    """Return the usual spelling of a set or a recipe of sets, and the functions of own ones.

    Args:
        source: a name; or `def2-SVP; I=def2-TZVP`, which has another set for an element; what a
            file holds is there from the second line on, see `own_basis.settled`; what only the
            Basis Set Exchange has is taken from there, see `exchange.exchanged`.

    Raises:
        InputError: there is no such set or element.
    """
    recipe, _, text = exchanged(source, usual_basis).partition("\n")
    usual, others = "", dict[str, str]()
    asked = f"the basis set {recipe!r} was asked for"
    for part in recipe.split(";"):
        element, equals, name = part.strip().rpartition("=")
        name = name.strip()
        name = name if is_own(name) and text else usual_basis(name)
        symbol = element.strip().capitalize()
        if equals and symbol not in SYMBOLS[1:]:
            raise InputError(asked, f"{element!r} is no element", "write def2-SVP; I=def2-TZVP")
        if symbol in others or (not equals and usual):
            what = symbol or "all other elements"
            raise InputError(asked, f"it has two sets for {what}", "give one")
        if equals:
            others[symbol] = name
        else:
            usual = name
    rows = sorted(others.items(), key=lambda one: SYMBOLS.index(one[0]))
    parts = [usual] * bool(usual) + [f"{symbol}={name}" for symbol, name in rows if name != usual]
    return "; ".join(parts), text


def _each(source: str) -> list[str]:
    """Return the sets of a recipe, each once; an own one with its functions."""
    recipe, _, text = source.partition("\n")
    names = dict.fromkeys(part.rpartition("=")[2].strip() for part in recipe.split(";"))
    return [f"{name}\n{text}" if is_own(name) else name for name in names]


def basis_for(numbers: list[int], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the basis set of each element, and the core potentials that belong to it.

    Raises:
        InputError: the basis set lacks an element, or has functions for its valence electrons
            and no potential for the others; names those it lacks.
    """
    sets: dict[str, Any] = {}
    potentials: dict[str, Any] = {}
    lacking: list[str] = []
    for atomic in numbers:
        symbol = SYMBOLS[atomic]
        functions, potential = functions_of(name, symbol), potential_of(name, symbol)
        if not functions or (not potential and _valence_only(atomic, functions)):
            lacking.append(symbol)
            continue
        sets[symbol] = functions
        if potential:
            potentials[symbol] = potential
    if lacking:
        raise InputError(
            f"the basis set {name.partition(chr(10))[0]} was asked for",
            f"it has no functions for {', '.join(lacking)}",
            "choose one that covers every element; def2-SVP and def2-TZVP reach from H to Rn",
        )
    return sets, potentials


def core_potential(name: str) -> str:
    """Return the set of core potentials that a basis set is made for; empty for all electrons.

    def2 is one of all electrons up to krypton and has its own potentials beyond, so that its name
    alone says what is meant.
    """
    each = _each(name)
    if len(each) > 1:
        return ", ".join(filter(None, map(core_potential, each)))
    name, _, text = name.partition("\n")
    if text:
        return name if "\nECP\n" in text else ""
    if plain(name).startswith(("def2", "madef2")):
        return ""
    probes = ("Li", "Na", "Sc", "Cu", "Ga", "Rb", "Ag", "I", "Hf", "Au", "U")
    return name if any(potential_of(name, symbol) for symbol in probes) else ""


def basis_remarks(name: str, cartesian: bool | None) -> list[str]:
    """Return what a reader must know of a basis set.

    Args:
        name: its usual spelling.
        cartesian: whether Cartesian functions were asked for; None if nothing was said.
    """
    remarks: list[str] = []
    each = _each(name)
    if len(each) > 1:
        return [remark for one in each for remark in basis_remarks(one, cartesian)]
    name, _, text = name.partition("\n")
    if text:
        if usual := told_name(name):
            relativity = [_relativistic(usual)] if RELATIVISTIC.fullmatch(plain(usual)) else []
            potentials = [_with_cores(usual)] if core_potential(f"{name}\n{text}") else []
            return [exchange_remark(name, text), *relativity, *potentials]
        elements = listed(list(elements_of(text)))
        return [f"{name} is the set of a file, for {elements}; its exponents are in the level"]
    if cartesian is None and CARTESIAN.fullmatch(name):
        remarks.append(
            f"{name} is taken with five d functions, as PySCF has it; published values mostly have "
            "six: ask for Cartesian functions to compare with them"
        )
    if RELATIVISTIC.fullmatch(plain(name)):
        remarks.append(_relativistic(name))
    if core_potential(name):
        remarks.append(_with_cores(name))
    return remarks


def _relativistic(name: str) -> str:
    return f"{name} is contracted for relativistic calculations; this one is not relativistic"


def _with_cores(name: str) -> str:
    return f"{name} has potentials in the place of core electrons"


def relativity_remark(numbers: Iterable[int], level: LevelOfTheory) -> str:
    """Return a warning if heavy elements are computed with all electrons; empty if not.

    Args:
        numbers: atomic numbers of a molecule.
        level: its level of theory.
    """
    heavy = sorted({number for number in numbers if number > HEAVIEST})
    _, potentials = basis_for(heavy, level.basis_source)
    bare = [SYMBOLS[number] for number in heavy if SYMBOLS[number] not in potentials]
    if not bare:
        return ""
    return (
        f"{level.basis} treats all electrons of {', '.join(bare)} and the calculation is not "
        "relativistic; def2-SVP and def2-TZVP have potentials for them"
    )


def functions_of(name: str, symbol: str) -> Any:
    """Return a set's functions for an element; None if it has none."""
    from pyscf.gto import basis

    name, text = chosen(name, symbol)
    if is_own(name) and text:
        return list(functions_in(text, symbol)) or None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySCF advertises another package when it lacks a set
        try:
            return basis.load(_no_file(name), symbol) or None
        except (RuntimeError, KeyError, ValueError, OSError, AttributeError):
            return None


def potential_of(name: str, symbol: str) -> Any:
    """Return the core potential that belongs to a set, for an element; None if there is none."""
    from pyscf.gto import basis

    name, text = chosen(name, symbol)
    if is_own(name) and text:
        return potential_in(text, symbol)
    key, names = plain(name), [name]
    if key.startswith("def2m"):
        names = ["def2-SVP"]  # one set of potentials for the whole family
    elif re.fullmatch("(aug)?ccpw?c?v[dtq5]zpp", key):
        names.append("cc-pVDZ-PP")  # likewise
    for one in names:
        if not isinstance(basis.ALIAS.get(plain(one)), str):
            continue
        try:
            if found := basis.load_ecp(_no_file(one), symbol):
                return found
        except (RuntimeError, KeyError, ValueError, OSError):
            continue
    return None


LONGER_THAN_FILES = 300
"""Characters. No file system has names of more than 255 bytes."""


def _no_file(name: str) -> str:
    """Return a spelling of a set's name that no file in the working folder has.

    PySCF would read such a file in the place of the set, and evaluate what it holds as Python.
    Spaces in names do not count for it.
    """
    return name.ljust(LONGER_THAN_FILES)


def _valence_only(atomic: int, functions: Any) -> bool:
    """Return whether functions leave out the innermost shell.

    A 1s function in the field of the nucleus alone has a Gaussian exponent of about Z²/4 (in
    1/bohr²) in the best single one, and any set of all electrons has steeper ones.
    """
    if atomic <= 2:
        return False
    steepest = 0.0
    for shell in functions:
        primitives = shell[2:] if isinstance(shell[1], int) else shell[1:]
        if shell[0] == 0:
            steepest = max([steepest, *(float(primitive[0]) for primitive in primitives)])
    return steepest < 0.5 * atomic**2


def _capitals(stem: str) -> str:
    stem = stem.lower()
    if stem.startswith("def2"):
        return "def2" + stem[4:].upper()
    if stem.startswith("ma-def2"):
        return "ma-def2" + stem[7:].upper()
    if match := re.fullmatch(r"(.*cc-p)((?:w?c)?v(?:\(?[dtq56]\+?d?\)?|[dtq56])z)(.*)", stem):
        return match[1] + match[2].upper() + match[3].upper()
    upper = ("sto", "3-21", "6-31", "pc", "lanl", "crenb", "sbkjc", "ano")
    return stem.upper() if stem.startswith(upper) else stem
