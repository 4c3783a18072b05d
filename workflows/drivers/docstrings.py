"""What docstrings say of arguments: kinds, limits and units, as far as they say them."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

import griffe

NUMBER = r"([-−]?\d+(?:\.\d+)?)"
RANGES = (
    (rf"between {NUMBER}[^\d.]*? and {NUMBER}", "both"),
    (rf"from {NUMBER}[^\d.]*? to {NUMBER}", "both"),
    (rf"{NUMBER} ?(?:to|[–-]|\.\.\.?) ?{NUMBER}", "both"),
    (rf"\[{NUMBER}, ?{NUMBER}\]", "both"),
    (rf"(?:at least|not below|>=|≥|minimum(?: of)?) ?{NUMBER}", "low"),
    (rf"(?:at most|up to|not above|<=|≤|maximum(?: of)?) ?{NUMBER}", "high"),
)
"""How people write limits."""

UNITS = {
    "°C": "°C|degrees? c(?:elsius)?|celsius|deg ?c|C",
    "K": "kelvins?|K",
    "min": "minutes?|mins?",
    "s": "seconds?|secs?|s",
    "h": "hours?|h",
    "atm": "atm|atmospheres?",
    "mbar": "mbar|millibars?",
    "bar": "bars?",
    "kPa": "kPa",
    "Pa": "Pa|pascals?",
    "mmHg": "mm ?Hg|torr",
    "mL": "mL|millilit(?:er|re)s?",
    "µL": "[uµμ]L|microlit(?:er|re)s?",
    "L": "L|lit(?:er|re)s?",
    "mg": "mg|milligrams?",
    "g": "g|grams?",
    "rpm": "rpm",
    "W": "W|watts?",
    "%": "%|percent",
    "mm/s": "mm/s",
    "mm": "mm|millimet(?:er|re)s?",
    "cm": "cm",
    "µm": "[uµμ]m",
    "nm": "nm",
    "V": "V|volts?",
    "mA": "mA",
    "A": "A",
    "Hz": "Hz",
}
"""How they write units: those of one letter only as they are."""

KINDS = {
    "int": r"\b(?:an? )?(?:integer|int|whole number)\b",
    "float": r"\b(?:float|decimal|real number)\b",
    "bool": r"\b(?:bool|boolean)\b",
    "str": r"\b(?:str|string|text)\b",
}


@dataclass(frozen=True)
class Told:
    """What a docstring says of an argument.

    Attributes:
        text: its words.
        kind: `int`, `float`, `str` or `bool`; empty where it does not say.
        low: the smallest value; None where it does not say.
        high: likewise.
        unit: as a symbol; empty where it does not say.
    """

    text: str = ""
    kind: str = ""
    low: float | None = None
    high: float | None = None
    unit: str = ""


def told(docstring: str, arguments: list[str]) -> dict[str, Told]:
    """Return what a docstring says of arguments, in the manner of Google, NumPy, Sphinx or none."""
    if not docstring:
        return {}
    words = dict[str, str]()
    logging.getLogger("griffe").setLevel(logging.CRITICAL)  # it speaks of each style it tries
    text = griffe.Docstring(docstring)
    for style in ("google", "numpy", "sphinx"):
        for section in text.parse(style, **({} if style != "google" else {"warnings": False})):
            if section.kind.value == "parameters":
                for one in section.value:
                    kind = f" ({one.annotation})" if one.annotation else ""
                    words.setdefault(one.name.strip("*"), f"{one.description}{kind}")
    for line in docstring.splitlines():
        name, _, rest = line.strip().partition(" ")
        if (name := name.rstrip(":")) in arguments:
            words.setdefault(name, rest.strip())
    return {name: _told(words[name]) for name in arguments if words.get(name)}


def _told(text: str) -> Told:
    text = " ".join(text.split())
    kind = next((kind for kind, said in KINDS.items() if re.search(said, text, re.I)), "")
    low, high, rest = None, None, text
    for pattern, which in RANGES:
        if found := re.search(pattern, text, re.I):
            ends = [float(one.replace("−", "-")) for one in found.groups()]
            low = ends[0] if which != "high" else None
            high = ends[-1] if which != "low" else None
            rest = text[found.end() :] + " " + text[: found.start()]
            break
    return Told(text, kind, low, high, _unit(rest))


def _unit(text: str) -> str:
    """Return the unit that stands in a text: behind a number, in brackets or behind `in`."""
    for symbol, said in UNITS.items():
        alone = rf"(?:^|[\[(]|\bin ) ?(?:{said})(?![\w/])"
        if re.search(alone, text.strip(), 0 if len(symbol) == 1 else re.I):
            return symbol
    for symbol, said in UNITS.items():
        longer = "|".join(one for one in said.split("|") if len(one) > 2)
        if longer and re.search(rf"\b(?:{longer})(?!\w)", text, re.I):
            return symbol
    return ""
