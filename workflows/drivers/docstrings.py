"""What docstrings say of arguments: kinds, limits and units, as far as they say them."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

import griffe

from workflows.text.safe_text import on_one_line

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

DENIED = (
    r"\b(?:not|cannot|never|no|nor|neither|outside|beyond|except|exclud\w+|without|unless|avoid"
    r"|forbidden)\b|n['’]t\b"
)
"""What turns limits round."""

DEMANDS = r"\b(must|only|before|after|prior)\b"
"""What says that something is refused."""

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
        doubt: why numbers in it are not taken for limits; empty for no such.
    """

    text: str = ""
    kind: str = ""
    low: float | None = None
    high: float | None = None
    unit: str = ""
    doubt: str = ""


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
    return {name: said(words[name]) for name in arguments if words.get(name)}


def demand(docstring: str) -> str:
    """Return the line that says what has to be so before; empty for none."""
    lines = (one for one in docstring.splitlines() if re.search(DEMANDS, one, re.I))
    return on_one_line(next(lines, "").strip())[:100]


def said(text: str) -> Told:
    """Return what words about one argument say."""
    text = " ".join(text.split())
    kind = next((kind for kind, said in KINDS.items() if re.search(said, text, re.I)), "")
    found = list[tuple[re.Match[str], str]]()
    for pattern, which in RANGES:
        for one in re.finditer(pattern, text, re.I):
            if all(one.end() <= x.start() or one.start() >= x.end() for x, _ in found):
                found.append((one, which))
    lows = {_number(one[1]) for one, which in found if which != "high"}
    highs = {_number(one[one.lastindex or 1]) for one, which in found if which != "low"}
    low, high = (next(iter(each), None) for each in (lows, highs))
    every = sorted((one for one, _ in found), key=lambda one: one.start())
    ends = [0, *(one.end() for one in every)]
    begins = [*(one.start() for one in every), len(text)]
    units, doubt = dict[str, None](), ""
    for begin, end in zip(ends, begins, strict=True):
        between = text[begin:end]
        if begin and (unit := _unit_at(between)):
            units[unit] = None
            between = between.lstrip().partition(" ")[2]
        units[_unit(between)] = None
    known = [one for one in units if one]
    if len(lows) > 1 or len(highs) > 1:
        doubt = "several limits are said"
    elif any(_is_denied(text, one, every) for one in every):
        doubt = "what is said of limits is denied"
    elif every and len(known) > 1:
        doubt = f"units differ: {', '.join(known)}"
    if doubt:
        low = high = None
    return Told(text, kind, low, high, "" if len(known) > 1 and every else "".join(known), doubt)


def _number(text: str) -> float:
    return float(text.replace("−", "-"))


def _is_denied(text: str, one: re.Match[str], every: list[re.Match[str]]) -> bool:
    """Tell whether limits stand in a sentence, or a part of one, that says no."""
    ends = [0, *(x.end() for x in re.finditer(r";|\.(?= |$)", text)), len(text)]
    begin = max(x for x in ends if x <= one.start())
    end = min(x for x in ends if x >= one.end())
    spans = [(x.start(), x.end()) for x in every]
    return any(
        begin <= x.start() < end and not any(a <= x.start() < b for a, b in spans)
        for x in re.finditer(DENIED, text, re.I)
    )


def _unit_at(text: str) -> str:
    """Return the unit that a text begins with; empty for none."""
    word = re.match(r" ?([^\s,;)\]]+)", text)
    parts = word[1].rstrip(".").split("/") if word else []
    known = [_symbol(one) for one in parts]
    return "/".join(known) if known and all(known) and len(known) < 3 else ""


def _symbol(word: str) -> str:
    for symbol, said in UNITS.items():
        if re.fullmatch(said, word, 0 if len(word) == 1 else re.I):
            return symbol
    return ""


def _unit(text: str) -> str:
    """Return the unit that stands in a text: behind a number, in brackets or behind `in`."""
    for before in re.finditer(r"(?:^|[\[(]|\bin ) ?(?=\S+/)", text.strip()):
        if found := _unit_at(text.strip()[before.end() :]):
            return found
    for symbol, said in UNITS.items():
        alone = rf"(?:^|[\[(]|\bin ) ?(?:{said})(?![\w/])"
        if re.search(alone, text.strip(), 0 if len(symbol) == 1 else re.I):
            return symbol
    for symbol, said in UNITS.items():
        longer = "|".join(one for one in said.split("|") if len(one) > 2)
        if longer and re.search(rf"(?<![\w/])(?:{longer})(?![\w/])", text, re.I):
            return symbol
    return ""
