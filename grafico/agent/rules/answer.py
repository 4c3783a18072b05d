"""The answer to a plain request, from what the tools came to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeAlias, cast

from ontologies.conversion import convert
from ontologies.factors import HARTREE
from triplestore.errors import InputError

from ...views.shape import MEASURES, Measure, matching
from ..quantities import numbers, unit_in
from ..sources import origin
from .calls import ToolCall, commands, noun_of
from .lexicon import phrases
from .reader import Plan

Row: TypeAlias = Mapping[str, Any]

DIGITS = {"Eh": 8, "kJ/mol": 3, "kcal/mol": 3, "cm-1": 1, "nm": 2, "Eh/K": 10}
"""Decimals of a number in a unit; four in others."""

MOST_SHAPES = 10
"""Structures whose bonds are told."""

STATE = re.compile(r"[ST](\d+)")
ENERGIES = {*HARTREE, "cm-1", "nm"}


@dataclass(frozen=True)
class Value:
    """A number that may be compared with others of its kind; `fully` names its level, too."""

    kind: tuple[str, str]
    label: str
    fully: str
    value: float
    unit: str
    sort: str = ""


@dataclass
class Page:
    """An answer as it is written: its lines, what they computed, and what may be compared."""

    plan: Plan
    lines: list[str] = field(default_factory=list[str])
    sums: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    values: list[Value] = field(default_factory=list[Value])
    shapes: Mapping[str, Row] = field(default_factory=dict[str, Row])
    sort: str = ""

    def number(self, value: float, unit: str, wanted: str = "", terms: str = "") -> str:
        """Return a number, or what terms come to, in the unit that is wanted and in its own."""
        wanted, told = self.plan.question.unit or wanted or unit, value
        try:
            if unit != wanted and {unit, wanted} <= ENERGIES:  # the registry of units takes long
                told = convert(value, unit, wanted)
        except InputError:  # a negative energy has no wavelength
            wanted = unit
        wanted = wanted if wanted in ENERGIES and unit in ENERGIES else unit
        if wanted != unit or terms:
            one = {"value": terms or repr(value), "from_unit": unit, "to_unit": wanted}
            self.sums.append({name: "hartree" if n == "Eh" else n for name, n in one.items()})
        said = f"{_figures(told, wanted)} {wanted}"
        own = f" ({_figures(value, unit)} {unit})"
        return said if terms or wanted == unit else said + own

    def show(self, name: str, value: Any, wanted: str = "") -> str:
        """Return what a tool says under a name, in words."""
        unit = unit_in(name) or (name if name in ENERGIES else "")
        label = name.removesuffix(unit).removesuffix("_e").strip("_").replace("_", " ")
        if isinstance(value, float) and unit:
            said = self.number(value, unit, wanted)
        else:
            asks = f"{label.rpartition(' ')[2]}={value}"  # `multiplicity=3`, a triplet
            every = (one.phrases.partition("(")[0] for one in phrases() if one.asks == asks)
            words = [one for one in every if one]
            said = f"{_text(value)} {unit}".strip() + (f" ({words[0]})" if words else "")
        return f"{label} = {said}" if label else said


def _figures(value: float, unit: str) -> str:
    """Return a number as a unit asks for; what its decimals would make nothing of, in powers."""
    if value and abs(value) < 10 ** (2 - DIGITS.get(unit, 4)) and unit not in ENERGIES:
        return f"{value:.4g}"  # a rate of 1e-19 per second
    said = f"{value:.{DIGITS.get(unit, 4)}f}"
    return said.rstrip("0").rstrip(".") if unit in ("K", "Pa") else said


def _text(value: Any) -> str:
    """Return whatever a tool says, on a line."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            parts = cast("Row", value).items()
            return ", ".join(f"{name} {_text(one)}" for name, one in parts)
        case list() | tuple():
            return ", ".join(map(_text, cast("list[Any]", value)))
        case _:
            return str(value)


def refusal(plan: Plan) -> str:
    """Return why a request cannot be done without a language model, and what can."""
    tries = [f"  try: {one}" for one in plan.suggestions]
    return "\n".join([f"This cannot be done as a plain request: {plan.problem}.", *tries])


def answer(plan: Plan, results: Sequence[Any], seen: Sequence[Any] = ()) -> str:
    """Return the final text.

    Args:
        plan: what was asked.
        results: what each call of a tool came to, in the order of the calls.
        seen: the structures that it is about, as a tool has read them.
    """
    return "\n".join(_written(plan, results, seen).lines) if plan.calls else refusal(plan)


def shapes(plan: Plan, results: Sequence[Any]) -> list[str]:
    """Return the structures that are asked about and nothing else of them, for a tool to read."""
    if plan.question.reads != ("geometry",):
        return []
    found = (str(row.get("geometry") or "") for _, row in _rows(plan, results))
    return list(dict.fromkeys(filter(None, found)))[:MOST_SHAPES]


def sums(plan: Plan, results: Sequence[Any]) -> list[dict[str, str]]:
    """Return what the answer computes, as sums for a tool that keeps their sources."""
    return _written(plan, results).sums[:100]


def _written(plan: Plan, results: Sequence[Any], seen: Sequence[Any] = ()) -> Page:
    shown = (cast("Row", one) for one in seen if isinstance(one, Mapping))
    page = Page(plan, shapes={str(one.get("iri")): one for one in shown})
    for call, row in _rows(plan, results):
        label = str(row.get(noun_of(call)) or "")
        page.lines += filter(None, [_head(row, label)])
        page.sort = _sort(plan, call)
        ran: Row = row if "reading" in row else {}
        values = {**ran.get("details", {}), **ran.get("values", {})}
        spin = str(call.arguments.get("spin", ""))[:1].upper()
        every: list[str] = []
        for read in plan.question.reads if values else ():
            if spin and STATE.fullmatch(read) and not read.startswith(spin):
                continue  # of states of the other spin, which another call has
            told = [f"  {line}" for line in _read(page, read, row, values, label)]
            every += told or [f"  not in the results: {read.replace('_', ' ')}"]
        page.lines += _named_once(every)
        page.lines += map(_job, row.get("jobs", ()))
        if isinstance(text := row.get("text"), str) and text.strip():  # set apart, as it is
            page.lines += ["", *(f"    {line}" for line in text.strip("\n").splitlines()), ""]
        if not plan.question.reads:  # nothing was singled out
            page.lines += [f"  {page.show(name, one)}" for name, one in values.items()]
        if not values and call.name in plan.question.reads[:1] and not {"job", "jobs"} & {*row}:
            page.lines += _listed(page, row)
        page.lines += [f"  note: {one}" for one in row.get("remarks", ())]
    page.lines = page.lines or ["the tools came to nothing"]
    _compare(page)
    said = [line for one in plan.calls for line in commands(one)]
    page.lines += [f"Understood: {one}" for one in (*plan.understood, *said)]
    return page


SOURCE = re.compile(r"  (g:id/\S+)$")
"""Of which object a line is, at its end."""


def _named_once(lines: Sequence[str]) -> Iterator[str]:
    """Iterate over lines; an object that several of them are of is named once, after the last."""
    sources = [found[1] if (found := SOURCE.search(one)) else "" for one in lines]
    for place, (line, source) in enumerate(zip(lines, sources, strict=True)):
        if not source or sources.count(source) == 1:
            yield line
            continue
        if bare := SOURCE.sub("", line).rstrip():
            yield bare
        if source not in sources[place + 1 :]:
            yield f"  of {source}"


BESIDE = ("class", "geometry")
"""What a row of a table has besides, and its result leads to."""


def _listed(page: Page, row: Row) -> Iterator[str]:
    """Iterate over all that a tool says which computes nothing: rows of a table, or its items."""
    every: list[Row] = []
    for cells in row.get("rows", ()):
        listed = isinstance(cells, Mapping)
        named = cast("Row", cells).items() if listed else zip(row["columns"], cells, strict=True)
        every.append(dict(sorted(named, key=_making_last)))
    if len(every) > 1:
        yield from _table(
            page, [{key: one for key, one in each.items() if key not in BESIDE} for each in every]
        )
    for each in every if len(every) == 1 else ():
        yield ", ".join(page.show(n, cell) for n, cell in each.items() if cell not in ("", None))
    if not row.get("rows", True):
        yield str(row.get("note") or "nothing is stored of that")
    for name, one in row.items() if "rows" not in row else ():
        each = cast("list[Any]", one) if isinstance(one, list) else [one]
        yield from (f"{name}: {_text(n)}".removeprefix(": ") for n in each)


def _making_last(cell: tuple[str, Any]) -> tuple[bool, bool]:
    """Return the order of a cell in a line: names of objects last, before them their making."""
    return str(cell[1]).startswith(("g:", "https://")), cell[0] in ("class", "ended")


def _rows(plan: Plan, results: Sequence[Any]) -> Iterator[tuple[ToolCall, Row]]:
    """Iterate over what each subject of each call came to."""
    for call, one in zip(plan.calls, results, strict=False):
        said: Row = {"error": {"found": one}} if isinstance(one, str) else one
        yield from ((call, row) for row in said.get(f"{noun_of(call)}s", [said]))


def _head(row: Row, label: str) -> str:
    error, run = row.get("error", {}), row.get("run", "")
    text = str(row.get("denied") or row.get("reading") or _job(row))
    if error:
        text = "failed: " + "; ".join(filter(None, map(error.get, ("asked", "found", "advice"))))
    if "goal_unmet" in row:
        text += f"; not reached: {row['goal_unmet']['found']}"
    if run:
        text += f"; “resume {run}” goes on with it" if error else f" (run {run})"
    return f"{label}: {text}" if label else text


def _job(row: Row) -> str:
    """Return where a job stands; nothing of other rows."""
    if "job" not in row:
        return ""
    begin = f", not before {row['begin']}" if "begin" in row else ""
    why = f": {'; '.join(row['why'])}" if "why" in row else ""
    stands = f"{row['job']} is {row['state']} on {row['on']}{begin}{why}"
    return f"{row['subject']}, {row['goal']}: {stands}"


def _read(page: Page, read: str, row: Row, values: Row, label: str) -> Iterator[str]:
    """Iterate over the lines that say what was asked for."""
    phrase = next((one for one in phrases() if one.reads == read), None)
    names = (phrase.shows if phrase else "").split(", ") if phrase and phrase.shows else [read]
    reading = str(row.get("reading", ""))
    whole = page.plan.calls[0].name in ("run_workflow", "resume", "jobs")
    if read == "geometry" and row.get("geometry"):
        yield f"geometry: {row['geometry']}"
        yield from _shape(page, page.shapes.get(str(row["geometry"]), {}))
    if state := STATE.fullmatch(read):
        label = f"{read} of {label}"
        listed = values.get("states", [])[int(state[1]) - 1 :][:1]
        values = {f"{read}_eV": one.get("eV") for one in listed}
    shown = sorted(values.items(), key=lambda one: _rank(read, *one)) if whole else values.items()
    for name, value in shown:
        if not whole and not any(re.match(rf"{re.escape(n)}(?:[_ ]|$)", name) for n in names):
            continue
        source = origin(row.get("results", {}), name) or row.get("run", "")
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            yield from _table(page, cast("list[Row]", value))
            yield source
            continue
        usual = "kJ/mol" if whole and unit_in(name) in ("Eh", "kcal/mol") else ""
        yield f"{page.show(name, value, usual)}  {source}"
        if isinstance(value, float) and name.startswith((read, f"{read}_")):
            formula = reading.partition(" (")[0] if phrase and phrase.total else ""
            fully = f"{label}, {reading.partition(';')[0]}"
            kind = ("state" if state else name, formula)
            page.values.append(Value(kind, label, fully, value, unit_in(name), page.sort))


def _table(page: Page, rows: Sequence[Row]) -> Iterator[str]:
    """Iterate over the lines of a table: heads, then each row; what no row says is left out."""
    each: list[dict[str, str]] = []
    for row in rows:
        there = ((key, one) for key, one in row.items() if one not in ("", None))
        shown = {key: page.show(key, one) for key, one in there if not _is_text_with_numbers(one)}
        split = ((key, *one.partition(" = ")) for key, one in shown.items())
        each.append({head if told else key: told or head for key, head, _, told in split})
    heads = [*dict.fromkeys(head for one in each for head in one)]
    columns = [[head, *(one.get(head, "") for one in each)] for head in heads]
    wide = [max(map(len, column)) for column in columns]
    for cells in zip(*columns, strict=True):
        padded = (one.ljust(room) for one, room in zip(cells, wide, strict=True))
        yield "  ".join(padded).rstrip()


def _rank(read: str, name: str, value: Any) -> int:
    """Return where a value stands in an answer: what was asked for and energies first."""
    if name.startswith((read, f"{read}_")):
        return 0
    if isinstance(value, list):
        return 4
    if not isinstance(value, float):
        return 3
    return 1 if unit_in(name) in ENERGIES else 2


def _shape(page: Page, shape: Row) -> Iterator[str]:
    """Iterate over what is told of the shape of a structure: first the parts that are asked about.

    Args:
        page: whose question it is.
        shape: of the structure, as a tool has read it; empty where none has.
    """
    told = {kind: cast("Mapping[str, float]", shape.get(kind.name) or {}) for kind in MEASURES}
    for part in page.plan.question.parts if shape else ():
        meant = {kind: found for kind, some in told.items() if (found := matching(some, part))}
        for kind, found in meant.items():
            yield f"{part} ({kind.noun.removesuffix('s')}): {_measured(kind, found)}"
        if not meant:
            yield f"{part}: no such atoms are bonded to each other in this order here"
    for kind, some in told.items():
        if some:
            yield f"{kind.noun}: {_measured(kind, some)}"


def _measured(kind: Measure, some: Mapping[str, float]) -> str:
    gap = "" if kind.unit == "°" else " "
    return ", ".join(f"{one} {value}{gap}{kind.unit}" for one, value in some.items())


def _is_text_with_numbers(cell: Any) -> bool:
    """Return whether a cell is a text that repeats numbers, which have a source of their own."""
    return isinstance(cell, str) and any(numbers(cell))


def _sort(plan: Plan, call: ToolCall) -> str:
    """Return which kind of difference a call is a part of, in a word; empty where there is one."""
    said = call.arguments.get("arguments", call.arguments)
    return " ".join(
        word
        for name, kinds in plan.question.kinds.items()
        if (word := kinds.get(str(said.get(name) or ""), ""))
    )


def _differences(page: Page) -> Iterator[str]:
    """Iterate over what values of a molecule less a reference are called, with its sign."""
    if page.plan.question.difference is None:
        return
    name, place, sign = page.plan.question.difference
    calls = Counter(_sort(page.plan, call) for call in page.plan.calls)
    for label, sort in dict.fromkeys((one.label, one.sort) for one in page.values):
        mine = [one for one in page.values if (one.label, one.sort) == (label, sort)]
        if len(mine) < max(2, calls[sort]):  # one of them has failed
            continue
        reference = mine.pop(place)
        for one in mine:
            first, second = (one, reference) if sign > 0 else (reference, one)
            apart = _apart(page, first, second)
            which = f" ({one.fully.partition(' at ')[2]})" if len(mine) > 1 else ""
            yield f"  {f'{sort} {name}'.strip()} of {label} = {apart}{which}"


def _apart(page: Page, first: Value, second: Value) -> str:
    """Return what one value less another comes to."""
    terms = f"{first.value!r} - {second.value!r}".replace("- -", "+ ")
    usual = "kJ/mol" if first.unit == "Eh" else ""
    return page.number(first.value - second.value, first.unit, usual, terms)


def _compare(page: Page) -> None:
    """Say how far values of a kind lie above the lowest of them."""
    if not page.plan.question.compare:
        return
    page.lines += _differences(page)
    if len({one.sort for one in page.values}) > 1:  # energies of several kinds are in no order
        return
    kinds = sorted(page.values, key=lambda one: (one.kind, one.value))
    if len({one.kind[1] for one in kinds} - {""}) > 1:
        page.lines.append("energies of different atoms cannot be compared")
    for _, group in groupby(kinds, lambda one: one.kind):
        lowest, *others = group
        alike = len({n.label for n in (lowest, *others)}) <= len(others)
        if len(others) > 1:  # from the lowest to the highest
            each = (
                f"{n.fully if alike else n.label} ({page.number(n.value, n.unit)})"
                for n in (lowest, *others)
            )
            page.lines.append(f"  in order: {' < '.join(each)}")
        for one in others:
            upper, lower = (n.fully if alike else n.label for n in (one, lowest))
            page.lines.append(f"  {upper} lies {_apart(page, one, lowest)} above {lower}")
