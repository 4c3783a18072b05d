"""Units as they are written behind numbers and in names: `m²/g`, `g cm⁻³`, `mV`, `density_g_cm3`.

A unit is a product of symbols raised to powers. So any is read, whether a field has it or not, and
one in two spellings is one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ontologies.conversion import convert
from triplestore.errors import InputError

_ALIKE = {
    "Eh": "E_h Ha hartree hartrees Hartree Hartrees a.u. au",
    "D": "debye Debye",
    "Å": "angstrom Angstrom angstroms ångström Ångström",
    "K": "kelvin",
    "%": "percent",
    "bohr": "a0 Bohr",
    "°": "degrees degree deg",
    "°C": "degC",
    "s": "seconds second sec",
    "min": "minutes minute",
    "h": "hours hour hr hrs",
    "Da": "amu dalton",
    "Torr": "torr",
    "L": "liter litre",
    "e": "e⁻",
}
_PREFIXED = {
    "g": "k m µ n", "m": "k d c m µ n p f", "s": "m µ n p f", "L": "m µ d", "mol": "k m µ n",
    "J": "k M m", "cal": "k", "eV": "m k M", "V": "m k µ", "Pa": "k M G h m", "bar": "m k µ",
    "Hz": "k M G T", "W": "m k µ", "B": "k M G T", "M": "m µ n", "K": "m µ", "T": "m", "A": "m µ n",
    "S": "m µ", "Da": "k", "Ω": "k M", "F": "µ n p", "C": "m µ", "N": "m k µ", "Eh": "m µ",
    "rad": "m", "Torr": "m",
}  # fmt: skip
_BARE = (
    "Eh", "D", "Å", "K", "%", "bohr", "°", "°C", "°F", "min", "h", "d", "atm", "e", "ppm", "ppb",
    "wt%", "mol%", "vol%", "rpm", "u", "Gy", "Bq", "barn", "‰",
)  # fmt: skip

UNSURE = {
    "A", "B", "C", "D", "F", "M", "N", "S", "T", "V", "W", "d", "e", "g", "h", "m", "s", "u",
}  # fmt: skip
"""Letters that mean many things: behind a whole number a unit only if a space is between."""

ELEMENTAL = {"A", "B", "C", "F", "M", "N", "S", "T", "W", "d", "e", "u"}
"""Of these, what more often is something else behind a whole number: `2 N`, `6 C`, `3 M`."""

PROSE = {
    "any", "bar", "bit", "bond", "bonds", "chain", "count", "counts", "cycle", "cycles", "day",
    "days", "dot", "foot", "for", "hand", "head", "inch", "inches", "line", "link", "mil", "mile",
    "month", "months", "page", "pair", "per", "pica", "pixel", "point", "points", "pole", "rod",
    "score", "short", "site", "sites", "spin", "state", "states", "step", "steps", "stone", "time",
    "times", "turn", "turns", "unit", "units", "value", "values", "water", "week", "weeks", "year",
    "years", "and", "the",
}  # fmt: skip
"""Words that a library of units knows, or may, and that stand behind numbers as what they are."""

ATOM = re.compile(r"[A-Z][a-z]?")
"""As elements are written: `H/C` is a ratio of them."""

_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹·−", "-0123456789.-")
_SUPER = str.maketrans("-0123456789.", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹·")

_POWER = r"\^\{?[-−]?\d(?:\.\d)?\}?|\*\*-?\d|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:·[⁰¹²³⁴⁵⁶⁷⁸⁹])?|-?\d(?!\d|[.,]\d)"
_BELOW = r"\^\{?[-−]\d\}?|\*\*-\d|⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+|-\d(?!\d|[.,]\d)"
_NAME = r"a\.u\.|E_h|a0|°[CF]?|%|‰|(?:wt|mol|vol)%|[A-Za-zµμÅåöΩ]+"
_PART = rf"(?:{_NAME})(?:{_POWER})?"
_NEXT = rf"\s?/\s?{_PART}|[·*⋅]{_PART}|\s(?:{_NAME})(?:{_BELOW})"
"""What goes on with a unit: behind a space a power below zero shows that it does."""

_END = r"(?![\w^⁻(]|:\w|[-–—‐][A-Za-z])"
WORD = re.compile(rf"(?:1/)?{_PART}(?:/\({_PART}(?:[·*⋅\s]{_PART})*\)|{_NEXT})*{_END}")
_FACTOR = re.compile(rf"(?P<by>\s?[/·*⋅\s]?\s?)(?P<name>{_NAME})(?P<power>{_POWER})?")


def _symbols() -> Iterator[tuple[str, str]]:
    for one in _BARE:
        yield one, one
    for base, prefixes in _PREFIXED.items():
        yield base, base
        for prefix in prefixes.split():
            yield f"{prefix}{base}", f"{prefix}{base}"
            if prefix == "µ":
                yield f"μ{base}", f"µ{base}"  # the Greek letter, and the sign
    for one, others in _ALIKE.items():
        yield from ((other, one) for other in others.split())


KNOWN = dict(_symbols())
"""What a symbol is called here."""


@dataclass(frozen=True)
class ReadUnit:
    """A unit that was read.

    Attributes:
        name: how it is written here.
        is_known: whether all of its symbols are known.
        is_bare: whether it is one symbol without a power.
        names: its symbols.
    """

    name: str
    is_known: bool
    is_bare: bool
    names: tuple[str, ...]


@functools.lru_cache(1024)
def read_unit(text: str) -> ReadUnit | None:
    """Return what a text says as a unit; None for what is no product of symbols."""
    text, below = re.sub(r"/\(([^()]*)\)", _flat, text.strip()), text.startswith("1/")
    text = text.removeprefix("1/")
    powers: dict[str, float] = {}
    names: list[str] = []
    at = 0
    while at < len(text):
        match = _FACTOR.match(text, at)
        if match is None:
            return None
        below = below or "/" in match["by"]
        power = float(re.sub(r"[\^{}*]", "", match["power"] or "1").translate(_RAISED))
        names.append(match["name"])
        name = KNOWN.get(match["name"], match["name"])
        powers[name] = powers.get(name, 0.0) + (-power if below and power > 0 else power)
        at = match.end()
    known = all(name in KNOWN for name in names)
    bare = len(names) == 1 and powers == {KNOWN.get(names[0], names[0]): 1.0}
    return ReadUnit(_spelt(powers), known, bare, tuple(names)) if names else None


def _flat(inner: re.Match[str]) -> str:
    return "".join(f"/{part}" for part in re.split(r"[·*⋅\s]+", inner[1]) if part)


def _spelt(powers: dict[str, float]) -> str:
    above = [_raised(name, power) for name, power in sorted(powers.items()) if power > 0]
    below = sorted((name, power) for name, power in powers.items() if power < 0)
    if not above:
        return "·".join(_raised(name, power) for name, power in below)
    return "/".join(["·".join(above), *(_raised(name, -power) for name, power in below)])


def _raised(name: str, power: float) -> str:
    return name if power == 1 else f"{name}{power:g}".replace(f"{power:g}", _super(power))


def _super(power: float) -> str:
    return f"{power:g}".translate(_SUPER)


def unit_behind(text: str, at: int, gap: str, *, whole: bool) -> tuple[str, int]:
    """Return the unit that stands at a place of a text, and where it ends; empty for none.

    Args:
        text: all of it.
        at: where it would begin.
        gap: what is between the number and it.
        whole: whether the number is a whole one, which counts things more often than it measures.
    """
    match, longest = WORD.match(text, at), ("", at)
    while match is not None:
        found = read_unit(match[0])
        if found is not None and _is_unit(found, gap, whole=whole):
            if found.is_known:
                return found.name, match.end()
            longest = longest if longest[0] else (found.name, match.end())
        # perhaps only its beginning is one, such as of `Å/H bond`
        shorter = max(match[0].rfind(mark) for mark in "/ ·*⋅")
        match = WORD.fullmatch(text, at, at + shorter) if shorter > 0 else None
    return longest


def _is_unit(found: ReadUnit, gap: str, *, whole: bool) -> bool:
    if found.is_known:
        if not found.is_bare:
            return True
        name = found.names[0]
        if name in UNSURE and (("|" in gap) or (whole and not gap)):
            return False
        return not (whole and name in ELEMENTAL)
    if whole or any(name.lower() in PROSE for name in found.names):
        return False
    if not found.is_bare:  # something by something, or to a power
        return not all(map(ATOM.fullmatch, found.names)) and _short(found.names)
    return _in_a_library(found.names[0])


def _short(names: tuple[str, ...]) -> bool:
    """Tell whether these can be symbols: of words, such as `donor/acceptor`, no unit is made."""
    return any(name in KNOWN for name in names) or all(len(name) <= 3 for name in names)


COMMON = (
    "meter", "kilogram", "second", "joule", "joule/mole", "kelvin", "radian", "pascal", "coulomb",
    "volt", "meter**2", "meter**3", "watt", "newton", "tesla", "henry", "farad", "ohm", "siemens",
    "bit", "becquerel", "gray", "lux", "candela",
)  # fmt: skip
"""Units of the quantities that have some of their own."""


@functools.lru_cache(1024)
def _in_a_library(word: str) -> bool:
    """Tell whether a word is a unit that is known elsewhere, such as `furlong`."""
    if len(word) < 3 or not word.isascii():
        return False
    for other in COMMON:
        try:
            convert(1.0, word, other)
        except InputError:
            continue
        return True
    return False
