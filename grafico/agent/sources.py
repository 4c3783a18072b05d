"""Where the numbers of an answer come from: each is looked up among what tools have given.

A number that the model has written in its own words, computed in its head or remembered from its
training has no source, and the person is told so. Nor has one that a tool only repeats: texts that
a model or a person has written, arguments in an error, constants of a query or of code. What is
looked up is the value as rounded by whoever wrote it, with the unit that stands beside it; whole
numbers without a unit are taken for counts. A chance agreement can hide a wrong number of few
digits.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from grafico.views.shape import MEASURES
from ogm.terms import Unit
from ontologies.conversion import convert
from ontologies.origins import REMARKS, class_named, is_pure, origins
from ontologies.units import symbol
from triplestore.errors import GraficoError, InputError
from workflows.text.names import named

from .arithmetic import SMALL, Operand, is_derived, is_free, operands
from .nodes import as_arguments, list_of, mapping_of, rows_of
from .quantities import DATA, IRI_LIKE, MOLAR, UNITS, How, Number, numbers, unit_in, unit_named

SET = ("temperature", "pressure")
GROUPED = re.compile(r"[-−–+]?\d{1,3},\d{3}")
PLAIN = re.compile(r"^(?:  try|Understood): .*$|^ {4}.*$", re.MULTILINE)
"""What plain requests propose, or were understood as; or a text as an action has made it."""

QUANTITY = re.compile(r"(\S+)(?: (.*))?")

ATMOSPHERE = 101325.0
"""Pa, by definition."""


@dataclass(frozen=True)
class KnownNumber:
    """A number that a tool or the person has given; see `Number`."""

    value: float
    unit: str
    source: str
    how: How
    rests_on: tuple[str, ...] = ()


@dataclass
class Ledger:
    """Every number that was given in a conversation.

    Attributes:
        known: those that have a source.
        unfounded: what sums came to that hold a number which nobody has given.
    """

    known: list[KnownNumber] = field(default_factory=list[KnownNumber])
    unfounded: list[KnownNumber] = field(default_factory=list[KnownNumber])
    _tables: set[str] = field(default_factory=set[str])
    _calls: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    def part(self, kind: str, name: str, key: str, content: Any) -> None:
        """Enter a part of a message: a question, a call of a tool, or what came of it.

        Args:
            kind: of the part, as pydantic-ai names it.
            name: of the tool.
            key: of the call.
            content: of the part; of a call its arguments.
        """
        if kind == "user-prompt" and isinstance(content, str):
            self.asked(content)
            self._tables |= _attached_tables(content)
        elif kind == "tool-call":
            self._calls[key] = as_arguments(content)
        elif kind == "tool-return":
            self.call(name, self._calls.get(key, {}), content)

    def add(
        self,
        value: Any,
        unit: str,
        source: str,
        how: How,
        rests_on: Sequence[str] = (),
        to: list[KnownNumber] | None = None,
    ) -> None:
        """Enter a number, to those that are known if nothing else is said."""
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            known = self.known if to is None else to
            known.append(KnownNumber(float(value), unit, source, how, tuple(rests_on)))

    def find(
        self, value: float, unit: str, within: float, among: Sequence[KnownNumber] | None = None
    ) -> KnownNumber | None:
        """Return what a number can have been, the nearest; signs may differ (`lower by 3.2`)."""
        room = within * (1 + 1e-6) + 1e-12 * abs(value)
        best: tuple[float, KnownNumber] | None = None
        for one in self.known if among is None else among:
            if unit and one.unit and unit != one.unit:
                continue
            if unit and not one.unit and one.value.is_integer():
                continue  # a count, or the number of something
            apart = abs(abs(one.value) - abs(value))
            if apart <= room and (best is None or apart < best[0]):
                best = (apart, one)
        return best[1] if best else None

    def asked(self, text: str, beside: Collection[float] = ()) -> None:
        """Enter the numbers of a question, but those that somebody else has said first."""
        for number in numbers(DATA.sub(" ", text), counts=True):
            if abs(number.value) not in beside:
                self.add(number.value, number.unit, "question", "asked")

    def call(self, name: str, arguments: Mapping[str, Any], found: Any) -> None:
        """Enter what a call of a tool came to."""
        if not isinstance(found, Mapping):
            return
        content = cast("Mapping[str, Any]", found)
        said = _said(arguments)
        match name:
            case "show_structure":
                self._measured(content)
            case "convert_units":
                self._converted(arguments, content)
            case "run_python":
                self._computed(content)
            case "query":
                self._queried(content)
            case "find_results":
                self._found(content)
            case "get":
                self._object(content)
                self._measured(content)
            case "ask_user":
                self.asked(str(content.get("answer") or ""), said)
            case "web_search":
                for row in rows_of(content.get("results")):
                    for text in (row.get("title"), row.get("snippet")):
                        self._text(text, str(row.get("address")), "web", ())
            case _ if name.startswith("consult_"):
                for one in rows_of(content.get("numbers")):
                    self.add(one["value"], one["unit"], one["source"], one["how"], one["rests_on"])
            case _:  # runs, if anything that has numbers
                for row in (content, *(row for one in content.values() for row in rows_of(one))):
                    self._run(row, said)
                    self._settings(arguments, row)
                    if self._tables.intersection(map(str, row.values())):
                        self._tables.add(str(row.get("run")))  # of which rows may be read later
                        self._given(row)

    def _measured(self, content: Mapping[str, Any]) -> None:
        """Enter the lengths, angles and dihedral angles of the bonds of a structure."""
        for kind in MEASURES:
            for value in mapping_of(content.get(kind.name)).values():
                self.add(value, kind.unit, str(content.get("iri")), "derived")

    def _text(self, text: Any, source: str, how: How, said: Collection[float]) -> None:
        """Enter the numbers of a text, but those that the caller had written."""
        for number in numbers(str(text or ""), counts=True):
            if abs(number.value) not in said:
                self.add(number.value, number.unit, source, how)

    def _given(self, row: Mapping[str, Any]) -> None:
        """Enter what a person's own table says beside what was computed of it, where it is told."""
        for one in rows_of(row.get("rows")):
            for name, text in mapping_of(one.get("given")).items():
                for number in numbers(str(text), counts=True):
                    self.add(number.value, unit_in(name) or number.unit, "attached table", "asked")

    # --- calculations ------------------------------------------------------------------------

    def _run(self, row: Mapping[str, Any], said: Collection[float]) -> None:
        """Enter what is told of a run, of a comparison, or of what a comparison has compared."""
        here = next((str(row[n]) for n in ("iri", "result", "run") if n in row), "")
        self._values(mapping_of(row.get("values")), mapping_of(row.get("results")), here)
        for name, value in row.items():
            if unit := unit_in(name):
                how: How = "setting" if name.startswith(SET) else "stored"
                self.add(value, unit, here, "derived" if name == "relative_Eh" else how)
        for part in (*rows_of(row.get("states")), *rows_of(row.get("rows"))):
            self._run(part, said)
        for name, value in mapping_of(row.get("details")).items():
            listed = mapping_of(value).values() or list_of(value) or [value]
            for one in listed:
                pure = is_pure(name) and isinstance(one, float)
                self.add(one, unit_in(name) or ("1" if pure else ""), here, "stored")
                self._text(one if isinstance(one, str) else "", here, "stored", said)
        for text in list_of(row.get("remarks")):
            self._text(text, here, "stored", said)
        self._text(mapping_of(row.get("goal_unmet")).get("found"), here, "stored", said)
        self._text(row.get("estimate"), "estimate", "estimate", said)
        self.add(row.get("core_hours"), "", str(row.get("job")), "stored")

    def _settings(self, arguments: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """Enter what a run was asked for, or took where nobody said it, with units of fields."""
        place = str(row.get("run") or row.get("job") or "")
        if not place or "error" in row or "denied" in row:
            return
        inner = mapping_of(arguments.get("arguments"))
        for name, (unit, usually) in field_units(str(arguments.get("name", ""))).items():
            given = inner.get(name, arguments.get(name, usually))
            self.add(given, unit, place, "setting")

    def _values(self, values: Mapping[str, Any], results: Mapping[str, Any], run: str) -> None:
        for name, value in values.items():
            for row in rows_of(value):
                for key, one in row.items():
                    unit = unit_in(key) or UNITS.get(key, "")
                    unit = unit or ("1" if is_pure(key) and not isinstance(one, int) else "")
                    place = str(row.get("result") or origin(results, key, unit) or run)
                    self.add(one, unit, place, "stored")
            unit = unit_in(name)
            count = isinstance(value, int) and not unit
            how: How = "setting" if name.startswith(SET) else "count" if count else "stored"
            unit = unit or ("1" if not count and is_pure(name) else "")
            self.add(value, unit, origin(results, name) or run, how)

    # --- the memory --------------------------------------------------------------------------

    def _queried(self, content: Mapping[str, Any]) -> None:
        columns, rows = list_of(content.get("columns")), list_of(content.get("rows"))
        told = mapping_of(content.get("numbers"))
        for down, row in enumerate(rows):
            for across, name in enumerate(columns):
                cells: Any = told.get(name)
                origin = mapping_of(list_of(cells)[down] if isinstance(cells, list) else cells)
                if not origin:
                    continue
                value: Any = row[across]
                place = origin.get("of", "query")
                place = str(row[place]) if isinstance(place, int) else str(place)
                unit = str(origin.get("unit", ""))
                if isinstance(value, str):
                    self._text(value.partition("… (")[0], place, "stored", ())
                else:
                    self.add(value, usual(unit) if unit != "1" else unit, place, origin["how"])

    def _found(self, content: Mapping[str, Any]) -> None:
        columns = list_of(content.get("columns"))
        name, _, code = str(columns[4] if len(columns) > 4 else "").partition(" ")
        unit = usual(code) or unit_in(name)  # earlier versions told its code
        for row in list_of(content.get("rows")):
            value, place = row[4], str(row[0])
            self._text(" ".join(map(str, row[8:])), place, "stored", ())
            if str(row[1]).removeprefix("g:") == "DerivedQuantity":
                self._quantity(value, place)
            elif isinstance(value, str):
                self._text(value if name == REMARKS else "", place, "stored", ())
            else:
                how: How = "setting" if name.startswith(SET) else "stored"
                self.add(value, unit or "1", place, how)

    def _quantity(self, value: Any, place: str, rests_on: Sequence[str] = ()) -> None:
        """Enter a derived quantity: its number, whatever its unit is called."""
        match = QUANTITY.fullmatch(str(value))
        if match and TYPED not in str(value):
            try:
                number, unit = float(match[1]), match[2] or ""
            except ValueError:
                return
            self.add(number, usual(unit) or "1", place, "stored", rests_on)

    def _object(self, content: Mapping[str, Any]) -> None:
        for row in rows_of(content.get("rows")):  # of a batch
            self._run(row, ())
        if str(content.get("iri")) in self._tables:
            self._given(content)
        cls = class_named(str(content.get("class")))
        fields, place = mapping_of(content.get("fields")), str(content.get("iri"))
        if cls is None:
            return
        if cls.__name__ == "DerivedQuantity":
            self._quantity(fields.get("value"), place, list_of(fields.get("rests_on")))
            return
        known = origins(cls)
        for plan in cls.fields():
            code = plan.unit.code if plan.unit else ""
            names = (
                named(plan.name, symbol(plan.unit)),
                f"{plan.name}_{code}",
            )
            value = next((fields[name] for name in names if name in fields), None)
            if plan.name in known:
                unit = usual(code) if code != "UNITLESS" else ""
                count = known[plan.name] == "count"
                self.add(value, unit or ("" if count else "1"), place, known[plan.name])
        if known:
            self._values(mapping_of(content.get("headline")), {}, place)
            for name, value in mapping_of(content.get("lists")).items():
                for one in mapping_of(value).values() or list_of(value):
                    self.add(one, unit_in(name), place, "stored")
            for text in list_of(fields.get(REMARKS)):
                self._text(text, place, "stored", ())

    # --- what is derived ---------------------------------------------------------------------

    def _converted(self, arguments: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        rows, given = rows_of(content.get("values")), rows_of(arguments.get("conversions"))
        for one, row in zip(given, rows, strict=False):
            text, unit = str(one.get("value")), usual(str(one.get("from_unit")))
            to = usual(str(row.get("unit")))
            parts = [self._operand(value, unit) for value in operands(text)]
            if not is_derived(text, parts, unit):
                if lacking := self.lacking(text, unit):
                    for value, code in ((row.get("of"), unit), (row.get("value"), to)):
                        self.add(value, code, "", "", lacking, self.unfounded)
                continue
            sources = dict.fromkeys(part.source for part in parts if part and part.source)
            rests = dict.fromkeys(r for part in parts if part for r in part.rests_on)
            source = ", ".join(sources) or "sum"
            self.add(row.get("of"), unit, source, "derived", [*rests])
            self.add(row.get("value"), to, source, "derived", [*rests])

    def lacking(self, text: str, unit: str) -> tuple[str, ...]:
        """Return the numbers of a sum that nobody has given; see `is_free` for those that may be.

        Args:
            text: the sum.
            unit: of what it comes to.
        """
        unknown = (one for one in operands(text) if self._operand(one, usual(unit)) is None)
        return tuple(dict.fromkeys(f"{one:.12g}" for one in unknown))

    def _operand(self, value: float, unit: str) -> Operand | None:
        """Return where an operand comes from; of no source for a factor, None for nowhere."""
        digits = f"{value!r}".rstrip("0").partition(".")[2]
        known = self.find(value, unit, 0.5 * 10.0 ** -len(digits)) if digits else None
        known = known or self.find(value, "", 1e-9 * abs(value))
        if known is not None and (known.unit == unit != "" or not is_free(value)):
            return Operand(known.source, known.unit, known.rests_on)
        return Operand() if is_free(value) else None

    def _computed(self, content: Mapping[str, Any]) -> None:
        for one in rows_of(content.get("cited")):
            unit = str(one.get("unit"))
            self.add(one.get("value"), usual(unit) or "1", str(one.get("reference")), "cited")
        rests = [one for one in list_of(content.get("rests_on")) if not self._has(str(one))]
        for one in rows_of(content.get("kept")):
            unit = str(one.get("unit"))
            place = str(one.get("iri"))
            self.add(one.get("value"), usual(unit) or "1", place, "derived", rests)
        if not content.get("derived"):
            return
        bad = set(list_of(mapping_of(content.get("no_source")).get("numbers")))
        source = ", ".join(["code", *map(str, list_of(content.get("read"))[:5])])
        for name in ("value", "stdout"):
            for number in numbers(str(content.get(name) or ""), counts=True):
                if number.text not in bad:
                    self.add(number.value, number.unit, source, "derived", rests)

    def _has(self, constant: str) -> bool:
        """Tell whether a constant of code has a source itself."""
        for number in numbers(constant, counts=True):
            return self.find(number.value, "", 1e-9 * abs(number.value)) is not None
        return False


@functools.lru_cache(64)
def field_units(name: str) -> Mapping[str, tuple[str, Any]]:
    """Return the fields of a workflow that have a unit, with it and what is taken for nothing said.

    Args:
        name: of the workflow; empty for the usual one.
    """
    from workflows.registry import workflows

    try:
        whole = (workflows().named(name) if name else workflows().usual).whole
    except GraficoError:
        return {}
    found: dict[str, tuple[str, Any]] = {}
    for argument, info in whole.arguments.items():
        codes = [rule.code for rule in info.metadata if isinstance(rule, Unit)]
        words = re.search(r"(?:, | in )([^\s,]+)\.?$", info.description or "")
        written = words[1].rstrip(".") if words else ""
        if unit := usual(codes[0]) if codes else unit_named(written):
            found[argument] = unit, None if info.is_required() else info.default
    return found


def origin(results: Mapping[str, Any], name: str, unit: str = "") -> str:
    """Return the IRI of the last result that has a field of a name, or one of a unit.

    Where no class has either, the last of those with an energy is as good as any.
    """
    unit = unit or unit_in(name)
    head = name.rpartition("_")[0] if unit_in(name) else name
    name = head.partition(",")[0].strip().replace(" ", "_").lower()
    classes = {str(iri): cls for one, iri in results.items() if (cls := class_named(one))}
    for wanted in (name, "energy"):
        for iri, cls in reversed(classes.items()):
            if any(f"{one}_".startswith(f"{wanted}_") for one in cls.model_fields):
                return iri
        for iri, cls in reversed(classes.items()):
            codes = (plan.unit.code for plan in cls.fields() if plan.unit and plan.kind == "array")
            if unit and unit in map(usual, codes):
                return iri
    return str([*results.values()][-1]) if results else ""


TYPED = "(written in code that read no number)"
"""What is said of a quantity that was kept before its origin was looked at."""


def _said(arguments: Mapping[str, Any]) -> frozenset[float]:
    """Return the numbers that a caller has written, without their signs."""
    text = json.dumps(arguments, ensure_ascii=False, default=str)
    return frozenset(
        abs(one.value) for one in numbers(re.sub(r"[\"'{}\[\]]", " ", text), counts=True)
    )


@functools.lru_cache(256)
def usual(unit: str) -> str:
    """Return what a unit is called here, however it is written; else its own name."""
    if unit in ("", "1", "dimensionless", "UNITLESS"):
        return ""
    if known := unit_named(unit):
        return known
    for name in dict.fromkeys(UNITS.values()):
        try:
            if convert(1.0, unit, name) == 1.0:
                return name
        except InputError:
            continue
    return unit


def _attached_tables(text: str) -> set[str]:
    """Return the names of the tables that came with a question."""
    found = set[str]()
    for line in DATA.findall(text):
        try:
            said = mapping_of(json.loads(line[6:-1]))
        except ValueError:
            continue
        if said.get("table") and str(said.get("from", "")).startswith("attached "):
            found.add(str(said["table"]))
    return found


def check(
    text: str, ledger: Ledger, *, plain: bool = False, repeated: Iterable[str] = ()
) -> list[Number]:
    """Return the numbers of an answer with their sources.

    Args:
        text: the answer.
        ledger: what was given.
        plain: rules have written it, no model: what they propose, have understood or pass on is
            no claim.
        repeated: texts of errors; where rules have written the answer, they are no claims either.
    """
    hidden: list[tuple[int, int]] = []
    if plain:
        hidden = [match.span() for match in PLAIN.finditer(text)]
        for one in filter(None, repeated):
            hidden += [match.span() for match in re.finditer(re.escape(one), text)]
    found: list[Number] = []
    for number in numbers(text):
        if any(a < number.end and number.start < b for a, b in hidden):
            continue
        known = ledger.find(number.value, number.unit, number.within)
        if known is None and GROUPED.fullmatch(number.text):  # or a comma for a point
            known = ledger.find(number.value / 1000, number.unit, 5e-4)
        if known is None and number.unit == "atm":  # results say it in Pa
            known = ledger.find(number.value * ATMOSPHERE, "Pa", 1.0)
        if known is None and number.unit in MOLAR:  # or in the other of the two, by definition
            other, factor = MOLAR[number.unit]
            known = ledger.find(number.value * factor, other, number.within * factor)
        place = (number.text, number.value, number.unit, number.start, number.end, number.within)
        if known is None:
            made = ledger.find(number.value, number.unit, number.within, ledger.unfounded)
            found.append(Number(*place, rests_on=made.rests_on if made else ()))
        else:
            found.append(Number(*place, known.source, known.how, known.rests_on))
    return found


def marked(text: str, found: Iterable[Number]) -> str:
    """Return a text with a mark behind each number that has no source."""
    for number in sorted(found, key=lambda one: one.end, reverse=True):
        if number.source is None:
            text = f"{text[: number.end]} [no source]{text[number.end :]}"
    return text


__all__ = [
    "IRI_LIKE", "SMALL", "TYPED", "UNITS", "KnownNumber", "Ledger", "Number", "check", "marked",
    "numbers",
]  # fmt: skip
