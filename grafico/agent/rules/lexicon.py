"""Phrases of the registry, units and numbers with a unit, taken out of a plain request."""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

from ogm import Unit
from ontologies.conversion import convert, same_kind
from triplestore.errors import GraficoError
from workflows.engine.request.rules import choices_of, noun_of, words_of
from workflows.registry import Workflow, workflows
from workflows.registry.spoken import (
    PLACE,
    Phrase,
    Sentence,
    domains,
    figure,
    is_name,
    pattern,
    places,
    words,
)

from ..quantities import UNITS
from .idle import IDLE
from .making import usable

FIGURE = r"[-+]?\d{1,12}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?"
MEASURED = re.compile(
    rf"(?i)(?<![\w.*)-])((?:{FIGURE} ?(?:,? and|,|or) ?){{0,11}}{FIGURE}) ?([a-z°][\w°/]{{0,12}})"
)
NUMBER = rf"(?: of| is| ?=|:)? ?(?:{FIGURE}|zero)[+-]?(?!\w|\.\d)"
OPTIONAL = re.compile(r"\([^()]* \)|\( [^()]*\)")
DEGREES = {"C": "degC", "F": "degF", "°F": "degF"}
_NAMES = {
    "eV": "electron ?volts?",
    "kcal/mol": "kcal per mole?|kilocalories per mole?",
    "kJ/mol": "kJ per mole?|kilojoules per mole?",
    "Eh": "hartrees?(?![ -]fock)",
    "cm-1": "wave ?numbers?|reciprocal centimet(?:er|re)s?",
    "nm": "nanomet(?:er|re)s?",
    "D": "debyes?",
}
UNIT_NAMES = {
    unit: "|".join(
        [
            f"(?i:{named})",
            *(re.escape(n) for n, u in UNITS.items() if u == unit and n not in ("hartree", "a.u.")),
        ]
    )
    for unit, named in _NAMES.items()
}
"""Units that an answer may be asked for in, with what people call them."""

_UNIT = f"(?:{'|'.join(UNIT_NAMES.values())})"
_ASIDE = r"(?!(?:D|h|au|a\.u\.|Ha)\b)"
WANTED = re.compile(
    r"(?i:\(?(?:,? ?\bbut )?\b(?:in(?: units of)?|as|to|how many)) "
    rf"(?P<unit>{_UNIT})\)?(?=[\s,:;?!.]|$)"
    rf"| \((?P<set>{_ASIDE}{_UNIT})\)(?=[\s,:;?!.]|$)|[,;] (?P<last>{_ASIDE}{_UNIT})"
    r"(?=(?:,? (?:please|thanks|thank you))?[ .?!]*$|, (?:at|with|using|in|for)\b)"
)


def take_unit(at: Sentence) -> str:
    """Take out the unit that the answer is asked for in; return it, empty for none."""
    unit = ""
    for one in WANTED.finditer(at.rest):
        said = one["unit"] or one["set"] or one["last"]
        unit = next(n for n, names in UNIT_NAMES.items() if re.fullmatch(names, said))
        at.blank(*one.span())
    return unit


def take_places(at: Sentence) -> None:
    """Take out phrases with places for values, the longest first."""
    rows = [(text, row) for row in phrases() for text in row.phrases.split(", ") if "{" in text]
    for text, row in sorted(rows, key=lambda one: -len(one[0])):
        for one in places(text).finditer(at.rest):
            if not re.search(row.beside, at.text, re.IGNORECASE):
                break
            there = [each for each in PLACE.findall(text) if one[each[0]]]
            said = {name: _value(one, name, kind) for name, kind in there}
            if None in said.values():
                continue
            ends = [one.start(name) + len(n) for name, n in said.items() if isinstance(n, str)]
            last = one[0].endswith(one[one.lastgroup or 0])  # a name at the end may be shorter
            end = max(ends) if ends and last else one.end()
            at.blank(one.start(), end + (at.rest[end : end + 2].rstrip(" ,.?!") == "s"))
            for name, value in said.items():
                at.ask(name, value)
            _meant_by(at, row, one)


def _value(found: re.Match[str], name: str, kind: str) -> Any:
    """Return the value at a place of a phrase; None where that is not of its kind."""
    said = found[name].lower()
    if kind == "name":
        words = found[name].split(" ")
        tried = [" ".join(words[:n]) for n in range(len(words), 0, -1)]
        return next(
            filter(is_name, (n for one in tried for n in (one, one.removesuffix("s")))), None
        )
    value: float | None = figure(said)
    if kind:
        unit = found[f"{name}_unit"]
        value = float(f"{convert(value, unit, kind):.10g}") if same_kind(unit, kind) else None
    return int(value) if value is not None and value == int(value) and not kind else value


@functools.cache
def _general() -> tuple[Phrase, ...]:
    """Return the words of no domain: of comparisons, of what is stored, and of nothing."""
    lines = (files(__package__ or "") / "general.csv").read_text(encoding="utf-8").splitlines()
    return tuple(Phrase(**row) for row in csv.DictReader(lines, delimiter=";"))


def phrases() -> list[Phrase]:
    """Return the rows of all tables."""
    return [*_general(), *(row for _, rows in domains() for row in rows)]


@functools.lru_cache(64)
def _lexicon(
    said: tuple[Phrase, ...], asked: tuple[Workflow, ...]
) -> tuple[tuple[str, Phrase], ...]:
    """Return phrases and the words of workflows as patterns with what they mean, longest first."""
    rows, general = list(said), dict[str, Phrase]()
    for one in asked:
        rows.append(Phrase(_names(one), asks="" if one.usual else f"workflow={one.name}"))
        for name, info in one.whole.arguments.items():
            noun = noun_of(name, info)
            for choice in choices_of(info.annotation):
                others = [
                    n for n in words_of(info).get(choice, ()) if len(n) > 3 and not is_name(n)
                ]
                spelt = [re.sub(r"([^\w ])", r"\\\1", str(choice)), *map("[ -]?".join, others)]
                each = ", ".join(f"({noun} ){n}(ly)?( {noun})" for n in spelt)
                general.setdefault(each, Phrase(each, asks=f"{name}={choice}"))
            if info.annotation is bool:
                general[noun] = Phrase(f"(with ){noun}", asks=f"{name}=true")
            unit = any(isinstance(rule, Unit) for rule in info.metadata)
            if not unit and re.search("^(?!.*tuple).*(int|float)", str(info.annotation)):
                general[noun] = Phrase(noun, asks=f"{name}=#")
    each = [
        (one.asks.endswith("#"), behind, text, one)
        for behind, listed in enumerate((rows, general.values()))
        for one in listed
        for text in one.phrases.split(", ")
        if "{" not in text
    ]
    each.sort(key=lambda one: (not one[0], one[1], -len(re.sub(OPTIONAL, "", one[2]))))
    return tuple((_group(text, counts), one) for counts, _, text, one in each)


@functools.cache
def _group(text: str, counts: bool) -> str:
    return f"({pattern(text)}{NUMBER * counts})"


@functools.lru_cache(4096)
def _whole(group: str) -> re.Pattern[str]:
    marks = r"(?![\s\0\"',;:.?!)\]])"  # no phrase begins with these: nothing is tried there
    return re.compile(rf"(?<![\w-]){marks}(?:{group})(?!\w|-\w)", re.IGNORECASE)


def _names(workflow: Workflow) -> str:
    return ", ".join((workflow.name, workflow.command, *workflow.synonyms)).replace("-", " ")


def _named(at: Sentence, rows: Iterable[Phrase]) -> Iterator[Workflow]:
    """Iterate over the usual workflow and those that a sentence names; nothing is imported."""
    asks = [(n, row.phrases) for row in rows for key, n, _ in row.asked if key == "workflow"]
    for name, one in workflows().items():
        called = ", ".join((_names(one), *(text for n, text in asks if n == name)))
        if one.usual or name == at.workflow or words(called).search(at.text):
            yield one


def take_phrases(at: Sentence, every: bool) -> None:
    """Take out what phrases ask for, and words of workflows: of every one, or of those named."""
    found = functools.partial(re.search, string=at.text, flags=re.IGNORECASE)
    rows = tuple(row for row in phrases() if not row.beside or found(row.beside))
    meant_ones = workflows().values() if every else _named(at, rows)
    lexicon = _lexicon(rows, tuple(usable(meant_ones)))
    # A pattern of them all takes a quarter of a second to compile, for each choice of phrases.
    there = [each for each in lexicon if _whole(each[0]).search(at.rest)]
    for one in at.take(_whole("|".join(group for group, _ in there))) if there else ():
        _meant_by(at, there[(one.lastindex or 1) - 1][1], one)


def _meant_by(at: Sentence, phrase: Phrase, one: re.Match[str]) -> None:
    """Take in what a phrase asks for where it stands."""
    about = workflows().usual.whole.subject.form.offered()
    at.reads += [(one.start(), read) for read in phrase.reads.split(", ") if read]
    for name, value, loose in phrase.asked:
        value = _number(one[0]) if value == "#" else value
        if name == "workflow" and value == "batch":
            if not at.source and not re.search(r",|\band\b", at.text):
                at.refuse("of what many is not said", "energies of all in library.csv")
            continue  # a file of many says so, or several names
        if name == "workflow":
            if at.workflow not in ("", value):
                at.others.append(at.workflow)
            at.workflow = value
        elif name in about:
            at.spans |= {one.start()} if phrase.reads else set()
            at.mentions.append((*one.span(), name, value, loose))
        else:
            at.ask(name, value)


def _number(text: str) -> Any:
    """Return the number at the end of a phrase: `grid 5`, `charge -1`, `charge 1+`."""
    found = re.search(rf"({FIGURE}|zero)([+-]?)$", text, re.IGNORECASE)
    figure = found[2] + found[1].lower().replace("zero", "0") if found else "0"
    return float(figure) if re.search("[.e]", figure) else int(figure)


def take_measures(at: Sentence, workflow: Workflow) -> None:
    """Take out numbers with a unit, which a field of the same kind takes."""
    rules = [(n, rule) for n, one in workflow.whole.arguments.items() for rule in one.metadata]
    units = {name: UNITS.get(n.code, n.code) for name, n in rules if isinstance(n, Unit)}
    for one in list(MEASURED.finditer(at.rest))[:20]:
        unit = DEGREES.get(one[2], one[2])
        for name, own in units.items() if unit.lower() not in IDLE else ():
            if same_kind(unit, own):
                for figure in re.findall(FIGURE, one[1], re.IGNORECASE):
                    try:
                        at.ask(name, float(f"{convert(float(figure), unit, own):.10g}"))
                    except GraficoError as error:  # so many that no number holds it
                        at.refuse(str(error))
                noun = re.search(rf"(?i)(?:{name} ?(?:of|=|:)? ?)?$", at.rest[: one.start()])
                at.blank(noun.start() if noun else one.start(), one.end())
                break
