"""Numbers in texts, with their units: as people and models write them, and as tools do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

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
}  # fmt: skip
UNITS = {n.replace("_", " "): u for u, names in _SAME.items() for n in names.split()} | _CODES
"""What a unit is called, by people and by QUDT, and what it is called here."""

_UNIT = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
NUMBER = re.compile(
    rf"""
    (?<![\w.⁻^_]) (?<![A-Za-z)*][-‐]) (?<!\d[-‐]) (?<!\^[-−])
    (?P<number>
      (?P<sign>[-−–+])?
      (?P<whole>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+) (?P<part>[.,]\d+)?
      (?: [eE](?P<exponent>[-−+]?\d+)
        | \s?[×x·*]\s?10\s?(?:\^\{{?|\*\*)?(?P<ten>[-−]?\d+|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)\}}? )?
    )
    (?P<space>[\s*_`|$]{{0,4}}) (?P<unit>{_UNIT})?
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

GROUPED = re.compile(r"[-−–+]?\d{1,3},\d{3}")
IDENTIFIED = re.compile(r"[\w^]|[-‐]\d*[A-Za-z+(]|\.\d")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
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
    """Return the unit that stands at the end of a name, such as `energy_Eh`."""
    parts = name.split("_")
    ends = ("_".join(parts[at:]) for at in range(1, len(parts)))
    return next((UNITS[end] for end in ends if end in UNITS), "")


def numbers(text: str, *, counts: bool = False) -> Iterator[Number]:
    """Find the numbers of a text; whole ones without a unit are left out unless wanted."""
    hidden = [match.span() for match in NAMES.finditer(text)]
    for match in NUMBER.finditer(text):
        start, end = match.span("number")
        if any(a < end and start < b for a, b in hidden):
            continue
        unit, gap = match["unit"] or "", match["space"]
        after = text[match.end("unit") : match.end("unit") + 1] if unit else ""
        if unit and (after.isalnum() or after == "_" or "\n" in gap):
            unit = ""
        if not unit and IDENTIFIED.match(text, end):
            continue
        whole = not match["part"] and not match["exponent"] and not match["ten"]
        if unit in ("D", "s", "V") and not gap and whole:
            continue  # 3D, 1s: no quantity
        if whole and not unit and not counts:
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
        yield Number(
            match["number"], value, UNITS.get(unit, ""), start,
            match.end("unit") if unit else end, within,
        )  # fmt: skip
