"""Basis sets of the Basis Set Exchange by name, where its library is installed: the extra `bse`.

It holds its data itself, so that nothing is fetched. What it has of a name goes into a level as a
set from a file does; the name stands before the digest, as in `pcJ-1 own-0123456789ab`, so that
labels say what was asked for and `references_of` finds what is cited.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from triplestore.errors import InputError
from workflows.registry.references import Cited, Reference, basis_cited, cited, reference_of
from workflows.text.names import nearest, plain
from workflows.text.words import listed

from .own_basis import OWN, Element, chosen, elements_of, is_own, merged, named_in, read_set

EXCHANGE = "Basis Set Exchange"
EXTRA = f"pip install 'grafico-chem[bse]' brings those of the {EXCHANGE}"
LACKED = "PySCF has none of that name"


def library() -> Any:
    """Return the package basis_set_exchange; None where it is not installed."""
    try:
        return importlib.import_module("basis_set_exchange")
    except ModuleNotFoundError:
        return None


def exchanged(source: str, known: Callable[[str], str]) -> str:
    """Return a recipe of sets with the functions of those that only the Exchange has.

    Args:
        source: a name or a recipe, and what a file holds from the second line on.
        known: raises `InputError` for a name that PySCF does not have.

    Raises:
        InputError: nobody has a set of a name, or it is too large to be stored whole.
    """
    recipe, _, text = source.partition("\n")
    held: dict[str, tuple[str, dict[str, Element]]] = {}
    taken = False
    for symbol, name in named_in(recipe):
        if is_own(name) and text:
            held[symbol] = (told_name(name), dict(elements_of(text)))
            continue
        try:
            known(name)
        except InputError as error:
            held[symbol] = _held(name, symbol, error)
            taken = True
    return merged(recipe, held) if taken else source


def _held(name: str, symbol: str, error: InputError) -> tuple[str, dict[str, Element]]:
    """Return the usual name and the elements of a set, or of it only one.

    Raises:
        InputError: the given one, or that of what is wrong with the set.
    """
    found = library()
    if found is None:
        advice = f"{error.advice}; {EXTRA}" if error.found == LACKED else error.advice
        raise InputError(error.asked, error.found, advice) from error
    sets = {plain(one["display_name"]): one for one in found.get_metadata().values()}
    sets = {key: one for key, one in sets.items() if one["role"] == "orbital"}
    key = re.sub(r"\(d\)$", "*", re.sub(r"\(d,p\)$", "**", plain(name)))
    about = sets.get(plain(name)) or sets.get(key)
    if about is None:
        if error.found != LACKED:
            raise error
        near = " or ".join(nearest(key, {k: one["display_name"] for k, one in sets.items()}))
        advice = (f"{EXCHANGE}: did you mean {near}? " if near else "") + f"PySCF: {error.advice}"
        none = f"{LACKED}, nor has the {EXCHANGE} {found.version()}"
        raise InputError(error.asked, none, advice) from error
    usual = str(about["display_name"])
    asked = f"the basis set {usual} of the {EXCHANGE} was asked for"
    only = symbol.capitalize()
    there = about["versions"][about["latest_version"]]["elements"]
    if only and str(_number(only)) not in there:
        raise InputError(asked, f"it has no functions for {only}", "choose another for it")
    text = found.get_basis(usual, elements=only or None, fmt="nwchem", header=False)
    advice = f"name it for the elements that are needed: O={usual}; H={usual}"
    return usual, dict(elements_of(read_set(text, asked, advice)))


def _number(symbol: str) -> int:
    from ontologies.elements import SYMBOLS

    return SYMBOLS.index(symbol) if symbol in SYMBOLS else 0


def told_name(name: str) -> str:
    """Return the name of a set without its digest; empty for one that came from a file."""
    return name.rpartition(OWN)[0].strip()


def exchange_remark(name: str, text: str) -> str:
    """Return where a set of the Exchange is from, with the versions of library and set.

    The version of the set is told where the library still has those functions.
    """
    usual, found = told_name(name), library()
    source = EXCHANGE
    about = found.get_metadata().get(usual.lower()) if found else None
    if about:
        source += f" {found.version()}, version {about['latest_version']} of the set"
    elements = listed(list(elements_of(text)))
    return f"{usual} is from the {source}, for {elements}; its exponents are in the level"


def sets_cited(source: str, numbers: Sequence[int]) -> Iterator[Cited]:
    """Yield the sets of a recipe with their references for some elements.

    Args:
        source: the recipe, and functions from the second line on.
        numbers: atomic numbers.
    """
    from ontologies.elements import SYMBOLS

    of: dict[str, list[int]] = {}
    for number in numbers:
        of.setdefault(chosen(source, SYMBOLS[number])[0], []).append(number)
    for name, there in of.items():
        symbols = listed([SYMBOLS[one] for one in there])
        what = "the basis set" if len(of) == 1 else f"for {symbols} the basis set"
        if usual := is_own(name) and told_name(name):
            yield Cited(f"{what} {usual}", tuple(references_of(usual, there)))
        else:
            yield from basis_cited(name, there, what)
    if any(is_own(name) and told_name(name) for name in of):
        yield cited("library", EXCHANGE, f"the {EXCHANGE}")


def references_of(name: str, numbers: Sequence[int]) -> list[Reference]:
    """Return what is cited for a set of the Exchange; nothing where its library is missing.

    Args:
        name: its usual name.
        numbers: atomic numbers.
    """
    found = library()
    about = found.get_metadata().get(name.lower()) if found else None
    if not about:
        return []
    there = about["versions"][about["latest_version"]]["elements"]
    elements = [number for number in numbers if str(number) in there]
    cites: dict[str, Reference] = {}
    for one in found.get_references(name, elements=elements) if elements else []:
        for part in one["reference_info"]:
            for key, entry in part["reference_data"]:
                cites.setdefault(key, _reference(key, entry))
    return list(cites.values())


PLACES = ("journal", "booktitle", "school", "institution", "publisher", "note", "howpublished")


def _reference(key: str, entry: dict[str, Any]) -> Reference:
    said = {name: str(entry.get(name, "")) for name in ("title", "volume", "pages", "year", "doi")}
    journal = next((str(entry[place]) for place in PLACES if entry.get(place)), "")
    authors = " and ".join(entry.get("authors", []))
    return reference_of({"key": key, "authors": authors, "journal": journal, **said})
