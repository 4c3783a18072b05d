"""Where the numbers of an answer come from: each is looked up among what tools have given.

A number that the model has written in its own words, computed in its head or remembered from its
training has no source, and the person is told so. What is looked up is the value as rounded by
whoever wrote it, with the unit that stands beside it; whole numbers without a unit are taken for
counts. A chance agreement can hide a wrong number of few digits.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from .units import operands

How: TypeAlias = Literal["stored", "derived", "asked", "web", ""]

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
NOT_NUMBERS = re.compile(
    r"\d{4}-\d\d-\d\dT\S+|(?:https?://|g:id/|id/)[^\s)\]}>\"']+"
    r"|^[ \t]*\d+[.)](?=\s)|\[data \{.*\}\]|^(?:  try|Understood): .*$",
    re.MULTILINE,
)
"""Names of objects, ordinals of lists, what came with the question as data, and what plain requests
propose or were understood as."""

GROUPED = re.compile(r"[-−–+]?\d{1,3},\d{3}")
IDENTIFIED = re.compile(r"[\w^]|[-‐]\d*[A-Za-z+(]|\.\d")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
HEAT = ("zero_point", "enthalpy", "gibbs", "entropy", "temperature", "pressure")
IRI_LIKE = re.compile(r"(?:g:|https://w3id\.org/grafico/)id/\S+")
SMALL = 1000
"""Whole factors up to here in a sum need no source: they are stoichiometry."""


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
            `question` if the person gave it, the address of a page; None if no tool has given it.
        how: `stored`, `derived` by a tool, `asked`, found on the `web`; empty for none.
    """

    text: str
    value: float
    unit: str
    start: int
    end: int
    within: float
    source: str | None = None
    how: How = ""


@dataclass(frozen=True)
class Known:
    """A number that a tool or the person has given."""

    value: float
    unit: str
    source: str
    how: How


@dataclass
class Ledger:
    """Every number that was given in a conversation."""

    known: list[Known] = field(default_factory=list[Known])

    def add(self, value: Any, unit: str, source: str, how: How) -> None:
        """Enter a number."""
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            self.known.append(Known(float(value), unit, source, how))

    def find(self, value: float, unit: str, within: float) -> Known | None:
        """Return what a number can have been, the nearest; signs may differ (`lower by 3.2`)."""
        room = within * (1 + 1e-6) + 1e-12 * abs(value)
        best: tuple[float, Known] | None = None
        for one in self.known:
            if unit and one.unit and unit != one.unit:
                continue
            if unit and not one.unit and one.value.is_integer():
                continue  # a count, or the number of something
            apart = abs(abs(one.value) - abs(value))
            if apart <= room and (best is None or apart < best[0]):
                best = (apart, one)
        return best[1] if best else None

    def asked(self, text: str) -> None:
        """Enter the numbers of a question."""
        for number in numbers(text, counts=True):
            self.add(number.value, number.unit, "question", "asked")
        for found in re.finditer(r"\[data (\{.*\})\]", text):
            try:
                self.stored(json.loads(found[1]), "question")
            except ValueError:
                continue

    def call(self, name: str, arguments: Mapping[str, Any], found: Any) -> None:
        """Enter what a call of a tool came to."""
        if not isinstance(found, Mapping):
            return
        content = cast("Mapping[str, Any]", found)
        if name == "convert_units":
            self._converted(arguments, content)
        elif name == "run_python":
            self._computed(arguments, content)
        elif name == "ask_user":
            self.asked(str(content.get("answer") or ""))
        elif name == "web_search":
            for row in cast("list[Mapping[str, str]]", content.get("results") or []):
                for number in numbers(f"{row.get('title')}\n{row.get('snippet')}", counts=True):
                    self.add(number.value, number.unit, str(row.get("address")), "web")
        else:
            self.stored(content, f"{name}")

    def _converted(self, arguments: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        rows = cast("list[Mapping[str, Any]]", content.get("values") or [])
        given = cast("list[Mapping[str, Any]]", arguments.get("conversions") or [])
        for one, row in zip(given, rows, strict=False):
            used, unit = one.get("value"), UNITS.get(str(one.get("from_unit")), "")
            parts = operands(used) if isinstance(used, str) else [used]
            sources: list[str] = []
            for part in parts:
                known = self._operand(part, unit)
                if known is None:
                    break
                sources += [known] if known else []
            else:
                source = ", ".join(dict.fromkeys(sources)) or "sum"
                self.add(row.get("of"), unit, source, "derived")
                self.add(row.get("value"), UNITS.get(str(row.get("unit")), ""), source, "derived")

    def _operand(self, value: Any, unit: str) -> str | None:
        """Return where an operand comes from; empty for a whole factor, None for nowhere."""
        if not isinstance(value, int | float):
            return None
        digits = f"{value!r}".rstrip("0").partition(".")[2]
        known = self.find(float(value), unit, 0.5 * 10.0 ** -len(digits)) if digits else None
        known = known or self.find(float(value), "", 1e-9 * abs(value))
        if known is not None:
            return known.source
        return "" if float(value).is_integer() and abs(value) <= SMALL else None

    def _computed(self, arguments: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        code = str(arguments.get("code") or "")
        written = {number.value for number in numbers(code, counts=True)}
        read = cast("list[str]", content.get("read") or [])
        source = ", ".join(["code", *read[:5]])
        for name in ("value", "stdout"):
            for number in numbers(str(content.get(name) or ""), counts=True):
                if number.value not in written or self.find(number.value, "", number.within):
                    self.add(number.value, number.unit, source, "derived")
        for one in cast("list[Mapping[str, Any]]", content.get("kept") or []):
            if one.get("value") not in written:
                unit = str(one.get("unit"))
                self.add(one.get("value"), UNITS.get(unit, unit), str(one.get("iri")), "derived")

    def stored(self, node: Any, source: str, name: str = "") -> None:
        """Enter the numbers of what a tool found, each under the nearest IRI around it."""
        if isinstance(node, Mapping):
            self._object(cast("Mapping[str, Any]", node), source)
        elif isinstance(node, list | tuple):
            items = cast("Sequence[Any]", node)
            here = next(
                (one for one in items if isinstance(one, str) and IRI_LIKE.fullmatch(one)), source
            )
            for item in items:
                self.stored(item, here, name)
        elif isinstance(node, str):
            for number in numbers(node, counts=True):
                self.add(number.value, number.unit, source, "stored")
        else:
            self.add(node, _unit_in(name), source, "stored")

    def _object(self, node: Mapping[str, Any], source: str) -> None:
        here = next((str(node[n]) for n in ("iri", "result", "run") if n in node), source)
        named = node.get("results")
        results = cast("Mapping[str, str]", named if isinstance(named, Mapping) else {})
        electronic = [iri for name, iri in results.items() if name != "Thermochemistry"]
        for name, value in node.items():
            if name == "values" and isinstance(value, Mapping):
                for key, item in cast("Mapping[str, Any]", value).items():
                    place = electronic[-1] if electronic else here
                    if key.startswith(HEAT):
                        place = results.get("Thermochemistry", place)
                    elif key == "states":
                        place = results.get("ExcitedStates", place)
                    self.stored(item, place, key)
            else:
                self.stored(value, here, name)


def _unit_in(name: str) -> str:
    """Return the unit that stands at the end of a name, such as `energy_Eh`."""
    parts = name.split("_")
    ends = ("_".join(parts[at:]) for at in range(1, len(parts)))
    return next((UNITS[end] for end in ends if end in UNITS), "")


def numbers(text: str, *, counts: bool = False) -> Iterator[Number]:
    """Find the numbers of a text; whole ones without a unit are left out unless wanted."""
    hidden = [match.span() for match in NOT_NUMBERS.finditer(text)]
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


def check(text: str, ledger: Ledger) -> list[Number]:
    """Return the numbers of an answer with their sources."""
    found: list[Number] = []
    for number in numbers(text):
        known = ledger.find(number.value, number.unit, number.within)
        if known is None and GROUPED.fullmatch(number.text):  # or a comma for a point
            known = ledger.find(number.value / 1000, number.unit, 5e-4)
        place = (number.text, number.value, number.unit, number.start, number.end, number.within)
        found.append(Number(*place, known.source, known.how) if known else Number(*place))
    return found


def marked(text: str, found: Iterable[Number]) -> str:
    """Return a text with a mark behind each number that has no source."""
    for number in sorted(found, key=lambda one: one.end, reverse=True):
        if number.source is None:
            text = f"{text[: number.end]} [no source]{text[number.end :]}"
    return text
