"""Numbers in texts, with their units: as people and models write them, and as tools do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ogm import Unit
from ontologies.units import symbol

from .unit_words import read_unit, unit_behind

How: TypeAlias = Literal[
    "stored", "setting", "count", "estimate", "asked", "web", "cited", "derived", ""
]
"""How a number is known, see `Number`."""

_SAME = {
    "Eh": "Eh E_h Ha hartree hartrees Hartree Hartrees a.u. au",
    "eV": "eV", "meV": "meV",
    "kcal/mol": "kcal/mol kcal·mol⁻¹ kcal·mol-1 kcal_mol⁻¹ kcal_mol-1 kcal_mol^-1",
    "kJ/mol": "kJ/mol kJ·mol⁻¹ kJ·mol-1 kJ_mol⁻¹ kJ_mol-1 kJ_mol^-1",
    "J/mol": "J/mol", "Eh/K": "Eh/K", "J/mol/K": "J/mol/K J/(mol·K)",
    "cm-1": "cm-1 cm⁻¹ cm^-1 1/cm cm^{-1}",
    "D": "D debye Debye", "nm": "nm", "Å": "Å angstrom Angstrom ångström", "K": "K kelvin",
    "Pa": "Pa", "atm": "atm", "bar": "bar", "Hz": "Hz", "GHz": "GHz", "°C": "°C degC",
    "%": "% percent", "bohr": "bohr a0", "°": "° degrees", "km/mol": "km/mol", "V": "V", "s": "s",
}  # fmt: skip
_CODES = {
    "E_h": "Eh", "DEBYE": "D", "ANGSTROM": "Å", "PA": "Pa", "EV": "eV", "PER-CentiM": "cm-1",
    "DEG": "°", "DEG_C": "°C", "PERCENT": "%", "SEC": "s", "ATM": "atm", "GigaHZ": "GHz",
    "KiloCAL-PER-MOL": "kcal/mol", "KiloCAL": "kcal",
}  # fmt: skip
UNITS = {n.replace("_", " "): u for u, names in _SAME.items() for n in names.split()} | _CODES
"""What a unit is called, by people and by QUDT, and what it is called here."""

_READ = {read.name: unit for name, unit in UNITS.items() if (read := read_unit(name))}
"""What is called otherwise here than by its symbols and powers, such as `cm-1`."""

NUMBER = re.compile(
    r"""
    (?<![\w.⁻^_]) (?<![A-Za-z)*][-‐]) (?<!\d[-‐]) (?<!\^[-−])
    (?P<number>
      (?P<sign>[-−–+])?
      (?P<whole>\d{1,3}(?:,\d{3})+(?!\d)|\d+) (?P<part>[.,]\d+)?
      (?: [eE](?P<exponent>[-−+]?\d+)
        | \s?[×x·*]\s?10\s?(?:\^\{?|\*\*)?(?P<ten>[-−]?\d+|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)\}? )?
    )
    (?P<space>[\s*_`|$]{0,4})
    """,
    re.VERBOSE,
)
NAMES = re.compile(
    r"\d{4}-\d\d-\d\dT\S+|(?:https?://|g:id/|id/)[^\s)\]}>\"']+|^[ \t]*\d+[.)](?=\s)",
    re.MULTILINE,
)
"""Times, names of objects, ordinals of lists."""

DATA = re.compile(r"\[data \{.*\}\]")
"""What came with a question as data."""

CODE = re.compile(r"[A-Z][\w.-]*")
"""How QUDT's codes are written, such as `GM-PER-CentiM3`."""

LETTERS = ("e", "h")
"""Units of one letter at the end of a name, besides those of `UNITS`: of charges, and of times."""

HYPHEN = re.compile(r"(?<![\w.,^‐–-])(\d+(?:[.,]\d+)?)[-‐](?=(\d+(?:[.,]\d+)?)([\s*_`$]{0,2}))")
BETWEEN = re.compile(r"[-–—−‐]|\s[-–—−]\s|\s?(?:±|\+/-)\s?|\s(?:to|and|or|bis|und|oder)\s")
"""What stands between two numbers that share a unit, which is written behind the second."""

FROM = re.compile(r"\b(?:from|between|von|zwischen)\s+$", re.IGNORECASE)

IDENTIFIED = re.compile(r"[\w^]|[-‐]\d*[A-Za-z+(]|\.\d")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
MOLAR = {"kcal/mol": ("kJ/mol", 4.184), "kJ/mol": ("kcal/mol", 1 / 4.184)}
"""Units of molar energies, with the other one and the factor to it, by definition."""

IRI_LIKE = re.compile(r"(?:g:|https://w3id\.org/grafico/)id/\S+")


@dataclass(frozen=True)
class Number:
    """A number in a text.

    Attributes:
        text: as it is written, without its unit.
        value: what it says.
        unit: what stands behind it; empty for none.
        start: where it begins.
        end: where it ends, its unit included.
        within: half of its last digit.
        source: IRI of the object that it was read from, `code` or `sum` where it was computed,
            `question` if the person gave it, the address of a page, a reference to the literature;
            None if it has no source.
        how: `stored` as a value or remark of a result, a level of theory or a derived quantity; a
            `setting` or a `count` of a calculation; an `estimate`; `asked` by the person; found on
            the `web`; `cited` from the literature by whoever wrote the code; `derived` by a tool
            from such numbers; empty for none.
        rests_on: constants written in the code that derived it, without a source of their own; of a
            number without a source those that made it so.
    """

    text: str
    value: float
    unit: str
    start: int
    end: int
    within: float
    source: str | None = None
    how: How = ""
    rests_on: tuple[str, ...] = ()


def unit_in(name: str) -> str:
    """Return the unit that stands at the end of a name, such as `energy_Eh` or `density_g_cm3`."""
    parts = name.split("_")
    ends = ("_".join(parts[at:]) for at in range(1, len(parts)))
    return next((unit for end in ends if (unit := _named(end))), "")


def _named(end: str) -> str:
    """Return the unit that the end of a name means; empty for none."""
    if end in UNITS:
        return UNITS[end]
    read = read_unit(end.replace("_", "/"))
    if read is None or not read.is_known or (read.is_bare and len(end) == 1 and end not in LETTERS):
        return ""
    return _READ.get(read.name, read.name)


def unit_named(text: str) -> str:
    """Return what a unit is called here, as people or QUDT spell it; empty if it is none."""
    if text in UNITS:
        return UNITS[text]
    for one in (text, symbol(Unit(text)) if CODE.fullmatch(text) else ""):
        read = read_unit(one) if one else None
        if read is not None and read.is_known:
            return _READ.get(read.name, read.name)
    return ""


def numbers(text: str, *, counts: bool = False) -> Iterator[Number]:
    """Find the numbers of a text; whole ones without a unit are left out unless wanted.

    Both ends of a range have its unit.
    """
    text = HYPHEN.sub(_as_range, text)
    hidden = [match.span() for match in NAMES.finditer(text)]
    found: list[tuple[Number, bool]] = []
    for match in NUMBER.finditer(text):
        start, end = match.span("number")
        if any(a < end and start < b for a, b in hidden):
            continue
        whole = not match["part"] and not match["exponent"] and not match["ten"]
        gap = match["space"]
        unit, behind = (
            ("", end) if "\n" in gap else unit_behind(text, match.end(), gap, whole=whole)
        )
        if not unit and IDENTIFIED.match(text, end):
            continue
        part = match["part"] or ""
        if part.startswith(",") and len(part) == 2 and not unit:
            continue  # two numbers of a list
        power = int((match["exponent"] or match["ten"] or "0").translate(RAISED))
        digits = match["whole"].replace(",", "") + part.replace(",", ".")
        sign = -1.0 if (match["sign"] or "") in tuple("-−–") and match["sign"] else 1.0
        if abs(power) > 300:
            continue
        value = sign * float(f"{digits}e{power}")
        within = 0.5 * 10.0 ** (power - len(part[1:]))
        here = _READ.get(unit, unit)
        one = Number(match["number"], value, here, start, behind if unit else end, within)
        if found and here and not found[-1][0].unit and _shares(text, *found[-1], one):
            found[-1] = (replace(found[-1][0], unit=here), False)
        found.append((one, whole))
    yield from (one for one, whole in found if counts or one.unit or not whole)


def _as_range(match: re.Match[str]) -> str:
    """Return the beginning of a range with a dash in the place of its hyphen: it has a unit."""
    behind, gap = match.end() + len(match[2]) + len(match[3]), match[3]
    whole = match[2].isdigit() and match[1].isdigit()
    unit, _ = unit_behind(match.string, behind, gap, whole=whole)
    return f"{match[1]}–" if unit else match[0]


def _shares(text: str, before: Number, whole: bool, after: Number) -> bool:
    """Tell whether a number has the unit that stands behind the next one."""
    between = text[before.end : after.start]
    if BETWEEN.fullmatch(between) is None:
        return False
    word = any(one.isalpha() for one in between)
    return not whole or (
        FROM.search(text, 0, before.start) is not None if word else " " not in between
    )
