"""Formulas that mean one species: atoms, ions and small radicals, as equations have them.

`OH` is the hydroxyl radical, `SO4^2-` sulfate, `N` a nitrogen atom where no SMILES is meant.
"""

from __future__ import annotations

import csv
import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files

from ontologies.elements import SYMBOLS

from .table import Entry, index, table

ATOMS = r"(?P<atoms>(?:[A-Z][a-z]?\d*)+)"
SIGN = r"(?P<sign>[+-])"
SPLIT = re.compile(rf"{ATOMS}(?P<figure>\d){SIGN}")
READINGS = (
    re.compile(rf"{ATOMS}(?: ?\^ ?\{{?| |\()(?P<figure>\d?){SIGN}[}})]?"),  # SO4^2-, SO4(2-)
    re.compile(rf"{ATOMS}{SIGN}(?P<figure>\d?)"),  # NH4+, Mg+2
    SPLIT,  # SO42-, but not N2+
    re.compile(rf"{ATOMS}(?P<sign>\+{{2,4}}|-{{2,4}})(?P<figure>)"),  # Ca++
)
"""How a formula and a charge are written; what fits several means the first that there is."""

HIGH = re.compile(r"([⁰¹²³⁴-⁹]*[⁺⁻])$")
HIGHEST = 8
"""Charge of an atom in e."""

NOBLE = (2, 10, 18, 36, 54, 86, 118)
"""Electrons of a noble gas, which no anion exceeds."""

MOST_ROOM = 4
"""Electrons that an atom of a main group takes up; of a metal it is one."""

MOST_CARBON = 2
"""Atoms of carbon in an ion that its formula alone means: C7H7+ is tropylium and benzyl."""

NAMED = re.compile(
    r"(?i:atomic (?P<behind>[a-z]+))"
    r"|(?P<before>[A-Za-z]+)(?: atom|\((?P<figure>\d)(?P<sign>[+-])\))"
)


def spelled(text: str) -> str:
    """Return the name of the atom, ion or radical that a formula is; empty if it is none, or many.

    Neutral molecules of whole electron pairs are not meant: `C4H10` is two of them.
    """
    text = unicodedata.normalize("NFKC", HIGH.sub(r"^\1", text.strip()))
    text = text.replace("−", "-").replace("–", "-")
    if text in _radicals():
        return _radicals()[text]
    if text in SYMBOLS[1:]:
        return f"{elements()[text]} atom"
    return next(filter(None, (_ion(*one) for one in _readings(text))), "")


def atom(name: str) -> str:
    """Return the SMILES of an atom or its ion by name (`sodium atom`, `iron(2+)`), else nothing."""
    found = NAMED.fullmatch(name)
    if found is None:
        return ""
    called = found["behind"] or found["before"]
    known = {element: symbol for symbol, element in elements().items()}
    symbol = called if called in SYMBOLS[1:] else known.get(called.casefold(), "")
    charge = f"{found['sign']}{found['figure']}" if found["sign"] else ""
    return f"[{symbol}{charge}]" if symbol else ""


def composition(formula: str) -> tuple[Counter[str], int]:
    """Return how many atoms of each element a formula of the table has, and its charge in e."""
    atoms, sign, figures = re.fullmatch(r"(.*?)(?:([+-])(\d*))?", formula).groups()  # type: ignore[union-attr]
    counts = Counter[str]()
    for symbol, number in re.findall(r"([A-Z][a-z]?)(\d*)", atoms):
        counts[symbol] += int(number or 1)
    return counts, int(sign + (figures or "1")) if sign else 0


def _readings(text: str) -> Iterator[tuple[Counter[str], int]]:
    for one in READINGS:
        if found := one.fullmatch(text):
            if one is SPLIT and text.rstrip("+-") in index():
                continue  # N2+ is an ion of the molecule, not of the atom
            counts, _ = composition(found["atoms"])
            if all(symbol in SYMBOLS[1:] for symbol in counts):
                size = int(found["figure"] or len(found["sign"]))
                yield counts, size if found["sign"][0] == "+" else -size


def _ion(counts: Counter[str], charge: int) -> str:
    """Return the name of an ion: the only one of the table that is so composed, or an atom's."""
    same = _ions().get((frozenset(counts.items()), charge), ())
    if len(same) == 1:
        return same[0].names[0]
    if not same and list(counts.values()) == [1]:
        (symbol,) = counts
        number = SYMBOLS.index(symbol)
        room = next(electrons for electrons in NOBLE if electrons >= number) - number
        if -(room if room <= MOST_ROOM else 1) <= charge <= min(number, HIGHEST):
            return f"{elements()[symbol]}({abs(charge)}{'+' if charge > 0 else '-'})"
    return ""


@functools.cache
def _ions() -> Mapping[tuple[frozenset[tuple[str, int]], int], tuple[Entry, ...]]:
    found: dict[tuple[frozenset[tuple[str, int]], int], tuple[Entry, ...]] = {}
    for entry in table():
        counts, charge = composition(entry.formula)
        if charge and counts["C"] <= MOST_CARBON:
            place = frozenset(counts.items()), charge
            found[place] = (*found.get(place, ()), entry)
    return found


@functools.cache
def _radicals() -> Mapping[str, str]:
    text = (files("workflows.molecule") / "radicals.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {formula: row["name"] for row in rows for formula in row["formulas"].split("|")}


@functools.cache
def elements() -> Mapping[str, str]:
    """Return the names of the elements by their symbols."""
    from ase.data import atomic_names

    return {symbol: str(atomic_names[at]).lower() for at, symbol in enumerate(SYMBOLS) if at}
