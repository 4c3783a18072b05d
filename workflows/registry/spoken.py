"""What people write in a sentence for what workflows take: phrases, and readers of its parts.

A workflow is understood by its names and by the fields of its forms, without a line of code. What
else its field says stands in the table `spoken.csv` of its folder (see `Phrase`), and what is no
phrase is read by functions of the module `spoken` there, one a stage of reading:

    wholes       what has subjects as its parts, such as equations
    notations    what cannot be mistaken, such as files
    conditions   what comes before phrases, such as levels of theory
    names        what is left then, such as names of molecules
    settle       what all of it means together
"""

from __future__ import annotations

import csv
import functools
import importlib
import json
import logging
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType
from typing import Any, cast

from workflows.registry.packages import GROUP, declaring
from workflows.registry.properties import declared
from workflows.text.words import SPELT

_log = logging.getLogger(__name__)

GAP = "\0"
"""Stands in the rest for each character that was understood."""

SAME = {
    **dict.fromkeys("‐‑‒–—−﹣－", "-"),
    **dict.fromkeys("‘’‚′`´", "'"),
    **dict.fromkeys("“”″", '"'),
}


_FORM = r"(?:\w{1,5}|\([EZRS]\))-"
_BETWEEN = r"(?:,? (?:and|or|to|versus|vs\.?|from) |, |/)"
SHARED = re.compile(
    rf"(?<![\w-])(?P<heads>(?:{_FORM}{_BETWEEN}){{1,5}})(?P<last>{_FORM})(?P<name>(?:[\w,]+-)*\w{{4,}})"
)
"""What several names share: cis- and trans-stilbene, o-, m- and p-xylene."""

ACIDS = re.compile(
    r"\b((?:[\w-]{3,40}(?:ic|ous)(?:, and |, or |, | and | or | vs\.? | than | with )){1,6}"
    r"[\w-]{3,40}(?:ic|ous)) acids?\b"
)
"""Acids that share their last word: formic and acetic acid."""
APART = re.compile(
    r"\b(cis|trans|ortho|meta|para) (and|or|versus|vs\.?) (cis|trans|ortho|meta|para)[ -]"
    r"(?!isomer|form|compound|conform|geometr|config)((?:[\w,]+-)*\w{4,})"
)

OWNERS = re.compile(r"(?i)(?<=[\w)])(?<!\bit)(?<!hat)(?<!\blet)(?<!there)'s(?= )")


def tidied(text: str) -> str:
    """Return a text in one spelling of dashes, quotes and spaces, without control characters.

    The `'s` of owners is left out: `phenol's pKa`.
    """
    plain = unicodedata.normalize("NFKC", text).translate(str.maketrans(SAME))
    spaced = (" " if unicodedata.category(c) in ("Cc", "Cs", "Zs") else c for c in plain)
    owned = OWNERS.sub("", "".join(spaced))
    owned = SHARED.sub(_shared, APART.sub(r"\1-\4 \2 \3-\4", owned))
    owned = ACIDS.sub(lambda one: re.sub(r"(?<=[a-z](?:ic|us))(?![\w-])", " acid", one[1]), owned)
    return re.sub(" {2,}", " ", owned)


def _shared(found: re.Match[str]) -> str:
    """Return names that share a part, each with it."""
    heads = re.sub(rf"({_FORM})(?={_BETWEEN})", rf"\g<1>{found['name']}", found["heads"])
    return f"{heads.replace('/', ' and ')}{found['last']}{found['name']}"


def pattern(phrase: str) -> str:
    """Return a regular expression for a phrase, also with hyphens, in the plural, with -ize.

    What stands in brackets with a space inside may be missing: `(total )energy`.
    """

    def group(found: re.Match[str]) -> str:
        missing = found[1] != found[1].strip() and not found[2]
        return f"(?:{found[1]}){'?' if missing else found[2]}"

    text = re.sub(r"(?<!\\)\((?!\?)([^()]*)\)([*+?]?)", group, phrase)
    text = re.sub(r"(?<=[a-z]{2})y(?=[|)]|$|\(\?: )", "(?:y|ies)", text)
    text = re.sub(r"(?<=[a-z]{2})(?=[|)]|$|\(\?: )", "s?", text)
    text = re.sub(r"is(?=e|ing|ation|\()", "i[sz]", text)
    return re.sub(r"(?<!\[) (?![?\]])", r"[\\s-]{1,3}", text).replace(" ?", r"[\s-]{0,3}")


PLACE = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
FIGURE = rf"[-+]?\d{{1,9}}(?:\.\d{{1,9}})?(?![\w.]*\d)|{'|'.join(SPELT[1:])}"
WORD = rf"[^\s,;:?!()\d{GAP}][^\s,;:?!(){GAP}]{{0,60}}"


def figure(said: str) -> float:
    """Return the value of what `FIGURE` finds: of `two` 2."""
    word = said.lower()
    return SPELT.index(word) if word in SPELT else float(word)


@functools.cache
def places(phrase: str) -> re.Pattern[str]:
    """Compile a phrase with places for values, which are its named groups; `n_unit` of a unit."""

    def group(found: re.Match[str]) -> str:
        field, kind = found[1], found[2]
        if kind == "name":
            few = "" if found.end() == len(phrase) else "?"  # at its end the reader shortens it
            return rf"(?P<{field}>{WORD}(?: {WORD}){{0,2}}{few})"
        unit = rf" ?(?P<{field}_unit>[A-Za-zÅ°][\w/°]{{0,11}})" if kind else ""
        return rf"(?P<{field}>{FIGURE}){unit}"

    groups = map(group, PLACE.finditer(phrase))
    text = re.sub("\x01", lambda _: next(groups), pattern(PLACE.sub("\x01", phrase)))
    return re.compile(rf"(?<![\w-]){text}(?!\w|-\w)", re.IGNORECASE)


@functools.cache
def words(phrases: str) -> re.Pattern[str]:
    """Compile phrases, set apart by commas, as whole words in any case."""
    each = "|".join(pattern(one) for one in phrases.split(", "))
    return re.compile(rf"(?<![\w-])(?:{each})(?!\w|-\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Phrase:
    """A row of a table: words that ask for something.

    Attributes:
        phrases: set apart by commas, see `pattern`; with places for values of fields: `{count}` a
            number, `{window:kcal/mol}` one with a unit of this kind, `{solvent:name}` a name.
        reads: what is to be read from the results, set apart by commas; empty for nothing.
        asks: fields with their values; `workflow=` a workflow, `grid=#` the number beside the
            phrase, `charge=1?` what a name may say already.
        shows: how values are called in the results, if not as `reads`.
        total: whether it says something about the same atoms only, such as an energy.
        beside: what the sentence must have as well, a pattern; without it the words are not read.
    """

    phrases: str
    reads: str = ""
    asks: str = ""
    shows: str = ""
    total: str = ""
    beside: str = ""

    @property
    def asked(self) -> Iterator[tuple[str, Any, bool]]:
        """Each field with its value, and whether a name may say it already."""
        for one in filter(None, self.asks.split(", ")):
            name, _, value = one.partition("=")
            try:
                yield name, json.loads(value.rstrip("?")), value.endswith("?")
            except ValueError:
                yield name, value, False


@dataclass(frozen=True)
class Named:
    """A subject where it stands; `known` are fields that its name says, None if nobody knows."""

    start: int
    end: int
    given: str
    said: str = ""
    known: dict[str, Any] | None = None


@dataclass
class Sentence:
    """A sentence as it is read: what was understood is taken out of the rest.

    `asked` are alternatives of fields, by what they are about; each makes a call. `mentions` are
    start, end, field and value of what is said of one subject or of all, and whether its name may
    say so already; `reads` is what is to be read from the results, with its place. The `problem` is
    the first thing that cannot be done, with what can be asked in its place. `before` is what was
    said before, with which it may go on, `attached` what came with it. `spans` are where mentions
    start that are those of what is asked for, such as both charges of an ionisation energy.
    `parts` are those of which a measure is asked for, such as `H-O-O-H`, by elements or numbers.
    `unread` are the words that were left; `notes` is what is told of how it was understood;
    `outside` is a particle whose energy those of the level must fit, such as an electron.
    `difference` is what values less that of a reference are called: the name, the place of the
    reference among the calls, and the sign; `kinds` are words before that name, by the values of a
    field of the calls, of which each has a difference of its own.
    """

    text: str
    rest: str
    asked: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    mentions: list[tuple[int, int, str, Any, bool]] = field(
        default_factory=list[tuple[int, int, str, Any, bool]]
    )
    reads: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    subjects: list[Named] = field(default_factory=list[Named])
    workflow: str = ""
    others: list[str] = field(default_factory=list[str])
    source: str = ""
    problem: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    before: Sentence | None = None
    attached: tuple[str, ...] = ()
    spans: set[int] = field(default_factory=set[int])
    parts: list[str] = field(default_factory=list[str])
    unread: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list[str])
    outside: str = ""
    difference: tuple[str, int, int] | None = None
    kinds: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def take(self, found: re.Pattern[str]) -> list[re.Match[str]]:
        """Return where a pattern stands in the rest, and take it out."""
        matches = list(found.finditer(self.rest))
        for one in matches:
            self.blank(*one.span())
        return matches

    def blank(self, start: int, end: int) -> None:
        """Take a part out of the rest."""
        self.rest = self.rest[:start] + GAP * (end - start) + self.rest[end:]

    def refuse(self, *why: str) -> None:
        """Say why it cannot be done, and what can be asked instead; the first reason stays."""
        self.problem = self.problem or tuple(filter(None, why))

    def ask(self, about: str, value: Any) -> None:
        """Set a field, or all of a dictionary; of several values each makes a call."""
        fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {about: value}
        there = self.asked.setdefault(about, [])
        there += [fields] if fields not in there else []


@functools.cache
def domains() -> tuple[tuple[ModuleType | None, tuple[Phrase, ...]], ...]:
    """Return of each domain the module `spoken` and the rows of its table, where it has them."""
    found: list[tuple[ModuleType | None, tuple[Phrase, ...]]] = []
    for _, package in declaring(GROUP):
        if isinstance(package, Exception) or not hasattr(package, "__path__"):
            continue
        name = f"{package.__name__}.spoken"
        table = files(package) / "spoken.csv"
        lines = table.read_text(encoding="utf-8").splitlines() if table.is_file() else ()
        try:
            rows = tuple(Phrase(**row) for row in csv.DictReader(lines, delimiter=";"))
            found.append((importlib.import_module(name) if find_spec(name) else None, rows))
        except Exception as error:  # whatever a package does wrong, the others are understood
            _log.warning("%s cannot be used: %s: %s", name, type(error).__name__, error)
    asked = (one for one in declared().found if one.words and not one.form)
    rows = (Phrase(one.words, one.name, f"{one.name}=true", one.shows) for one in asked)
    return (*found, (None, tuple(rows)))


@functools.cache
def _absent() -> tuple[tuple[re.Pattern[str], str], ...]:
    lines = (files(__package__ or "") / "absent.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(lines, delimiter=";")
    return tuple((words(row["phrases"]), row["nearest"]) for row in rows)


@dataclass(frozen=True)
class Absent:
    """What a text asks for that plain requests cannot say.

    Attributes:
        problem: what it is.
        nearest: what there is, a request or a command line.
        at: the text without it and without what it is about, in its `rest`.
        named: what the text names.
        whole: whether `nearest` is about exactly that, or of one thing where several are named, and
            has no option of its own.
    """

    problem: str
    nearest: str
    at: Sentence
    named: tuple[str, ...]
    whole: bool

    @property
    def line(self) -> str:
        """The nearest as a command line."""
        near = self.nearest
        return near if near.startswith("grafico ") else shlex.join(["grafico", "ask", near])


def absent(text: str) -> Absent | None:
    """Return what a text asks for that plain requests cannot say, and the nearest that there is."""
    for found, nearest in _absent():
        if one := found.search(text[:2000]):
            told = TARGET.sub("", text)
            at = Sentence(told, told)
            at.blank(one.start(), min(one.end(), len(told)))
            about = _named(at)
            named = tuple(each.given for each in about)
            whole = told == text and _is_whole(nearest, at.rest.replace(GAP, " "), about)
            about = about or _named(Sentence(told, told))
            nearest = EXAMPLE.sub(_given([each.given for each in about]), nearest)
            command = nearest.startswith("grafico ")
            why = "is not read in a plain request; a command does it" if command else ""
            problem = f"“{one[0]}” {why}" if why else f"there is no “{one[0]}” here"
            return Absent(problem, nearest, at, named, whole)
    return None


EXAMPLE = re.compile(r"\{([^{}]*)\}")
"""What stands for a subject in what is told instead; `=` for the one before, `{a + b}` for all."""

ALL = " + "

LISTED = re.compile(r"(?:,|,? ?\b(?:and|or)\b|&)")
PAIRED = re.compile(r"(?:,|,? ?\b(?:and|or|with|to)\b|&)")
"""What stands between subjects that are asked for likewise; and between those of which one is put
beside the other."""


def _is_whole(template: str, text: str, subjects: Sequence[Named]) -> bool:
    """Tell whether a command line is about exactly the subjects of a text, and says no more."""
    places = EXAMPLE.findall(template)
    if " -" in re.sub(r" --[\w-]+ \{[^{}]*\}", "", template) or not (subjects and places):
        return False
    likewise = len(places) == 1 and ALL not in places[0]
    mark = LISTED if likewise else PAIRED
    apart = (text[one.end : two.start].strip().lower() for one, two in pairwise(subjects))
    if not all(map(mark.fullmatch, apart)):
        return False
    if len(places) == 1 and not likewise:
        return len(subjects) > 1
    return likewise or len(subjects) == len(places)


TARGET = re.compile(r"(?i) (?:as|to|in|into|under) [\w./-]{1,200}[.]\w{1,5} *$")
"""A file that is to be written: no request is about it."""


def _named(at: Sentence) -> list[Named]:
    """Return what a sentence names, in its order, and take it out of its rest.

    Names with nothing between them are one that nobody has read: sodium hydride.
    """
    for stage in ("notations", "names"):
        run_stage(stage, at)
    found = list[Named]()
    for one in sorted(at.subjects, key=lambda one: one.start):
        if found and not at.text[found[-1].end : one.start].strip():
            begin = found.pop().start
            found.append(Named(begin, one.end, at.text[begin : one.end]))
        else:
            found.append(one)
    return found


def _given(subjects: Sequence[str]) -> Callable[[re.Match[str]], str]:
    """Return what puts subjects, one after the other, where examples stand.

    Of a text that names nothing the examples stay; what it does not name besides is left open.
    """
    named = iter(subjects)
    last = ""

    def put(found: re.Match[str]) -> str:
        nonlocal last
        if not subjects:
            given = last = last if found[1] == "=" else found[1].replace(ALL, "; ")
        elif ALL in found[1]:
            given = "; ".join([*subjects, *(["…"] if len(subjects) == 1 else [])])
        else:
            given = last = last if found[1] == "=" else next(named, "…")
        return shlex.quote(given) if found.string.startswith("grafico ") else given

    return put


def run_stage(stage: str, at: Sentence) -> None:
    """Let each domain take out of a sentence what it reads at a stage."""
    for module, _ in domains():
        if read := getattr(module, stage, None):
            read(at)


@functools.lru_cache(256)
def is_name(text: str) -> bool:
    """Tell whether the whole of a text names one thing that workflows can be about."""
    at = Sentence(text, text)
    run_stage("names", at)
    return len(at.subjects) == 1 and not at.rest.strip(GAP)
