"""Conditions that a text states: temperatures, times, pressures, … with unit, place and quotation.

They are told and nothing is set: what is to be used of them a person types. What leaves open which
number is meant, such as a range or "room temperature", says so and gives no setting.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from triplestore.errors import InputError
from workflows.text.ranking import words_of

from .passages import Passage

LONGEST = 240
"""Letters of a quotation."""

MOST_LETTERS = 20_000
"""Of a passage that are read: lines of others may be endless."""

NEAR = 40
"""Letters before a number in which words change what it says."""

Quantity: TypeAlias = Literal[
    "temperature", "time", "pressure", "speed", "stirring", "concentration", "fraction", "volume",
    "mass", "amount", "length", "flow", "heating rate", "density", "voltage", "current",
    "power", "pH",
]  # fmt: skip

_UNITS: dict[Quantity, dict[str, str]] = {
    "temperature": {
        "°C": r"(?:[°º◦˚∘]|\$?\^?\{? ?\\circ ?\}?\$?) ?(?:\\\w+\{)?C\}?|℃|deg\.? ?C"
        r"|degrees? (?:Celsius|C)|C(?= |[.,;:)]|$)",
        "K": r"K|kelvins?",
        "°F": r"[°º◦˚∘] ?F",
    },
    "time": {
        "h": r"h|hrs?|hours?",
        "min": r"mins?|minutes?",
        "s": r"s|secs?|seconds?",
        "ms": r"ms|milliseconds?",
        "day": r"days?",
    },
    "pressure": {
        "bar": r"bars?",
        "mbar": r"mbar",
        "atm": r"atm|atmospheres?",
        "kPa": r"kPa",
        "MPa": r"MPa",
        "Pa": r"Pa",
        "psi": r"psi",
        "torr": r"[Tt]orr|mm ?Hg",
    },
    "speed": {
        f"{each}/{time}": rf"{each} ?(?:/ ?{time}|[·⋅ ]?{time} ?(?:[-−–]1|⁻¹))"
        for each in ("mm", "cm", "µm", "m")
        for time in ("s", "min")
    },
    "stirring": {"rpm": r"rpm|r\.p\.m\.|revolutions per minute"},
    "concentration": {
        "mol/L": r"M|mol ?(?:/ ?[Ll]|[·⋅ ]?[Ll] ?(?:[-−–]1|⁻¹))|molar",
        "mmol/L": r"mM|mmol ?/ ?L",
        "µmol/L": r"[µμ]M",
        "mg/mL": r"mg ?(?:/ ?m[Ll]|[·⋅ ]?m[Ll] ?(?:[-−–]1|⁻¹))",
        "g/L": r"g ?(?:/ ?L|[·⋅ ]?L ?(?:[-−–]1|⁻¹))",
    },
    "fraction": {
        "wt%": r"wt\.?[- ]?%|% ?(?:by weight|w/w)|weight ?%",
        "vol%": r"vol\.?[- ]?%|% ?(?:by volume|v/v)",
        "mol%": r"mol\.?[- ]?%",
        "%": r"%|percent",
    },
    "volume": {
        "mL": r"m[Ll]|milli-?lit(?:re|er)s?",
        "µL": r"[µμu][Ll]|micro-?lit(?:re|er)s?",
        "L": r"L|lit(?:re|er)s?",
    },
    "mass": {"mg": r"mg", "µg": r"[µμ]g", "kg": r"kg", "g": r"g|grams?"},
    "amount": {"mmol": r"mmol", "µmol": r"[µμ]mol", "mol": r"mol|moles?"},
    "length": {"nm": r"nm", "µm": r"[µμ]m", "mm": r"mm", "cm": r"cm", "Å": r"Å"},
    "density": {"g/mL": r"g ?(?:/ ?(?:m[Ll]|cm3|cm³)|[·⋅ ]?(?:m[Ll]|cm) ?(?:[-−–][13]|⁻¹|⁻³))"},
    "flow": {
        f"{each}/min": rf"{each} ?(?:/ ?min|[·⋅ ]?min ?(?:[-−–]1|⁻¹))" for each in ("mL", "µL")
    },
    "heating rate": {
        "K/min": r"(?:K|[°º◦˚∘] ?C) ?(?:/ ?min(?:ute)?|[·⋅ ]?min ?(?:[-−–]1|⁻¹)|per minute)"
    },
    "voltage": {"V": r"V|volts?", "mV": r"mV"},
    "current": {"mA": r"mA"},
    "power": {"W": r"W|watts?"},
    "pH": {},
}
"""Units as they are told, each with how it is written."""

_MORE = r" ?[A-Za-zµμ]{1,4} ?(?:[-−–]\d(?!\d)|⁻)"
"""What makes another unit of one: `g` of `g mL–1`."""

NAMED: tuple[tuple[Quantity, str, re.Pattern[str]], ...] = tuple(
    (quantity, unit, re.compile(rf"(?:{pattern})(?![\w%·⋅⁻]|/(?!\d)|[-−–][1-4](?!\d)|{_MORE})"))
    for quantity, units in _UNITS.items()
    for unit, pattern in units.items()
)

_POWER = r"\^\{?[-−–]?\d{1,2}\}?|[-−–]\d{1,2}|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}"
_TEN = rf"(?:[eE][-+−]?\d{{1,3}}| ?[×x·] ?10(?:{_POWER}))"
SPACED = re.compile(r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\d.,])")
_NUMBER = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|{SPACED.pattern}"
    rf"|\d{{1,9}}(?:[.,]\d{{1,9}})?{_TEN}?)"
)
_SIGNED = rf"[-−–]?{_NUMBER}"
THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
NUMBER = re.compile(
    rf"(?<![\w.,^{{])(?<!\d[:/])(?<![\w^{{][-−–]){_NUMBER}|(?<=[\s(])[-−–]{_NUMBER}|^[-−–]?{_NUMBER}"
)
RANGE = re.compile(rf"\s?(?:[-−–—~]|to|,? ?and|,? ?or|±|\+/-|,)\s?(?={_SIGNED})")
"""Between two numbers of one unit."""

PH = re.compile(rf"\bpH\s?(?:=|of|is|was|to|at|around|about|~|≈)?\s?({_NUMBER})")
WORDS: tuple[tuple[Quantity, re.Pattern[str]], ...] = (
    ("temperature", re.compile(r"(?i)\b(?:room|ambient) temperature|\b(?:rt|r\.t\.)(?![\w-])")),
    ("temperature", re.compile(r"(?i)\b(?:under|at|to) reflux|\bice[- ](?:water )?bath")),
    ("time", re.compile(r"(?i)\bovernight\b|\bover ?the ?weekend\b")),
    ("pressure", re.compile(r"(?i)\b(?:ambient|atmospheric|reduced) pressure|\bin vacuo\b")),
)  # fmt: skip
"""Conditions without a number."""

ASKED: tuple[tuple[Quantity, str], ...] = (
    ("temperature", r"temperatures?|hot|cold|heat\w*|cool\w*|warm\w*|°C"),
    ("time", r"times?|durations?|long|hours?|minutes?|seconds?"),
    ("pressure", r"pressures?|bar|atm"),
    ("speed", r"speeds?|velocit\w+|fast|quick\w*"),
    ("stirring", r"stirr\w*|rpm|shak\w*|turn\w*|spin\w*|vortex\w*|speeds?|fast|quick\w*"),
    ("concentration", r"concentrat\w*|molarit\w+|dilut\w+"),
    ("fraction", r"concentrat\w*|fractions?|percent\w*|yields?|loading"),
    ("volume", r"volumes?|aspirat\w*|dispens\w*|draw\w*"),
    ("mass", r"mass\w*|weigh\w*|weight"),
    ("amount", r"amounts?|moles?"),
    ("length", r"lengths?|thick\w*|wavelengths?|distances?|diameters?"),
    ("flow", r"flow\w*"),
    ("heating rate", r"(?:heating|cooling) rate|ramp\w*"),
    ("voltage", r"voltages?|potentials?"),
    ("current", r"currents?"),
    ("power", r"power"),
    ("pH", r"pH"),
)
"""Words of a question that ask for a quantity."""

_LESS = "more|less|fewer|higher|lower|longer|shorter|faster|slower|greater"
_LIMIT = (
    rf"up to|at most|at least|below|above|exceed\w*|max\w*|minim\w+|(?:{_LESS}) than|within|until|"
    r"limit\w*(?: \w+)? to|limits? of|(?:max|min)imum(?: \w+){1,2} (?:of|is|was)"
)
CHANGED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "the text says not",
        re.compile(
            r"(?i)\b(?:not|cannot|never|without|instead of|rather than|unlike|avoid\w*|nor)\b"
            r"|n['’]t\b"
        ),
    ),
    ("if something holds", re.compile(r"(?i)\b(?:if|unless|in case|provided)\b")),
    (
        "a difference",
        re.compile(
            r"(?i)\b(?:(?:increas|decreas|rais|lower|heat|cool|chang|vari|shift|reduc)\w*"
            r"(?: \w+){0,4} by|(?:differ|increas|decreas|chang)\w* (?:of|in \w+ of))\s*$"
        ),
    ),
    (
        "a property",
        re.compile(
            r"(?i)\b(?:melting|boiling|glass transition|decomposition|flash|freezing) "
            r"(?:point|temperature)s?(?: \w+){0,3}\s*$|\b(?:melts|boils|decomposes) at\s*$"
        ),
    ),
    ("a limit", re.compile(rf"(?i)(?:\b(?:{_LIMIT})(?: (?:of|a|the|about|is))*|[<>≤≥])\s*$")),
    ("it says over", re.compile(r"(?i)\bover\s*$")),
    ("it says under", re.compile(r"(?i)\bunder\s*$")),
    (
        "about",
        re.compile(r"(?i)(?:\b(?:about|around|approximately|approx\.?|ca\.?|roughly|nearly|some)|[~≈∼]|\\sim\$?)\s*$"),
    ),
    ("so many times", re.compile(r"\d\s?[×x]\s*$")),
    ("an example", re.compile(r"(?i)\b(?:e\.g\.,?|such as|for example,?|for instance,?)\s*$")),
)  # fmt: skip
"""What stands before a number and leaves open what it says."""

COUNTED = re.compile(r"(?:Fig|Figs|Figure|Table|Eq|Ref|Scheme|Section|Step|No)s?\.?\s*$")
"""Before a number that counts something: of `Fig. 1g` none is a mass."""

BEHIND: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a difference",
        re.compile(rf"(?i)\s*(?:{_LESS}|above|below|warmer|colder|hotter|cooler)\b"),
    ),
    (
        "the text says not",
        re.compile(r"(?i)\s*(?:was|were|is|are|must|should|may|can)(?: \w+)? ?(?:not|never)\b"),
    ),
    ("so many times", re.compile(r"\s?[×x]\s?\d")),
)
"""What stands behind a number and leaves open what it says: 10 °C lower than before."""

AFTER = re.compile(
    rf"(?i)\s*(?:,|\()?\s?(?:or|and) (?:{_LESS}|above|below)\b|\s*(?:\(?max|at most|at least)"
)
JOINED = re.compile(r"\s*(?:,|and|or|,? and)\s*(?:an? |the )?")
"""Between two conditions of which one limit holds: up to 300 °C and 30 bar."""

_NO_END = "".join(rf"(?<!{one})" for one in (r"e\.g\.", r"i\.e\.", r"ca\.", r"Fig\.", r"approx\."))
SENTENCE = re.compile(
    rf"(?<=[.!?;]){_NO_END}\s{{1,40}}(?=[^\Wa-z_]|[([“\"])|\n[ \t]{{0,40}}\n(?=\s{{0,40}}[^a-z\s])"
)


@dataclass(frozen=True)
class Condition:
    """What a text states of a quantity.

    Attributes:
        number: by which it is told, from 1.
        quantity: such as `temperature`.
        value: in `unit`; None where it is told in words, or as a range.
        unit: as people write it; empty where there is none.
        written: as it stands there.
        open: what it leaves open, in words; empty where one number is stated.
        quote: the sentence.
        file: as it was found.
        page: its number; 0 where there is none.
        line: on that page, counted from 1.
        place: all of that, in words.
    """

    number: int
    quantity: Quantity
    value: float | None
    unit: str
    written: str
    open: str
    quote: str
    file: str
    page: int
    line: int
    place: str

    def __str__(self) -> str:
        return f"{self.quantity}: {self.written}{f' ({self.open})' if self.open else ''}"

    @property
    def kind(self) -> str:
        """A unit of what is stated, whether that has one or is told in words; empty for a pH."""
        return self.unit or next(iter(_UNITS[self.quantity]), "")

    @property
    def setting(self) -> str:
        """The number with its unit, as an option or a field takes it.

        Raises:
            InputError: the text leaves open which number it is.
        """
        if self.open or self.value is None:
            found = f"{self.place} says “{self.written}”: {self.open or 'in words'}"
            raise InputError(f"[{self.number}] was to be a setting", found, "say the number")
        return f"{self.value:.12g} {self.unit}".strip()


def wanted(asked: str) -> set[Quantity]:
    """Return the quantities that a question names; all where it names none."""
    found: set[Quantity] = {
        one for one, words in ASKED if re.search(rf"(?i)(?<!\w)(?:{words})(?!\w)", asked)
    }
    return found or {*_UNITS}


def conditions(asked: str, there: Sequence[Passage]) -> list[Condition]:
    """Return what passages state of the quantities that a question names.

    Those come first in whose sentence more of its words stand, then those of earlier passages.

    Args:
        asked: the question, or words.
        there: passages, the nearest first.
    """
    only, words = wanted(asked), {*words_of(asked)}
    found = [one for passage in there for one in _of_passage(passage) if one.quantity in only]
    found.sort(key=lambda one: -len(words & {*words_of(one.quote)}))
    return [replace(one, number=at) for at, one in enumerate(found, 1)]


def _of_passage(passage: Passage) -> Iterator[Condition]:
    whole = passage.text[:MOST_LETTERS]
    text = whole.replace("\n", " ")
    begun = 0
    for end in (*(one.end() for one in SENTENCE.finditer(whole)), len(text)):
        for start, stop, quantity, value, unit, left_open in _stated(text[begun:end]):
            before = whole.count("\n", 0, begun + start)
            line = passage.first + before
            place = Passage(passage.file, passage.page, line, line, "").place
            yield Condition(
                0,
                quantity,
                value,
                unit,
                text[begun + start : begun + stop].strip(),
                left_open,
                _clipped(text[begun:end], start, stop),
                passage.file,
                passage.page,
                line,
                place,
            )
        begun = end


Stated: TypeAlias = tuple[int, int, Quantity, float | None, str, str]


def _stated(sentence: str) -> list[Stated]:
    """Return what a sentence states: from where to where, what, how much, and what is open."""
    found = list[Stated]()
    for match in PH.finditer(sentence):
        left_open = _left_open(sentence[max(0, match.start() - NEAR) : match.start()])
        other = _next(sentence, match.end())
        if other is None or _unit_at(sentence, other.end()):  # pH 7, 12 mg/mL
            found.append((match.start(), match.end(), "pH", _value(match[1]), "", left_open))
            continue
        left_open = "; ".join(filter(None, ("a range", left_open)))
        found.append((match.start(), other.end(), "pH", None, "", left_open))
    sentence = PH.sub(lambda one: "_" * len(one[0]), sentence)
    at = 0
    while number := NUMBER.search(sentence, at):
        at = number.end()
        first, numbers, between = number, [number[0]], list[str]()
        while step := RANGE.match(sentence, at):
            after = re.compile(_SIGNED).match(sentence, step.end())
            if after is None or _unit_at(sentence, at):
                break
            between.append(step[0].strip())
            numbers.append(after[0])
            at = after.end()
        unit = _unit_at(sentence, at)
        if unit is None:  # and none of the numbers before has one
            continue
        if COUNTED.search(sentence, max(0, number.start() - 10), number.start()):
            at = number.end()
            continue
        quantity, name, end = unit
        at = end
        left_open = _left_open(sentence[max(0, first.start() - NEAR) : first.start()])
        value = _value(numbers[0])
        told = _told(numbers, between, sentence[max(0, first.start() - NEAR) : first.start()])
        # from 80 °C to 100 °C: both numbers have their unit
        step = RANGE.match(sentence, end)
        after = re.compile(_SIGNED).match(sentence, step.end()) if step else None
        other = _unit_at(sentence, after.end()) if after else None
        if not told and step and after and other and other[0] == quantity:
            joined = step[0].strip()
            between = re.search(
                r"(?i)\bbetween\s*$", sentence[max(0, first.start() - NEAR) : first.start()]
            )
            if joined in ("-", "−", "–", "—", "~", "to") or (joined == "and" and between):
                told, at, end = "a range", other[2], other[2]
            elif joined in ("±", "+/-"):
                told, at, end = "with an uncertainty", other[2], other[2]
            elif joined.endswith("or"):
                told, at, end = "several values", other[2], other[2]
        if "," in numbers[0] and not THOUSANDS.fullmatch(numbers[0]):
            told = told or "is its comma decimal?"
        if SPACED.fullmatch(numbers[0].lstrip("-−–")):
            told = told or "is its space part of the number?"
        after_it = "a limit" if AFTER.match(sentence, end) else ""
        behind = (told for told, pattern in BEHIND if pattern.match(sentence, end))
        after_it = after_it or next(behind, "")
        if found and "a limit" in found[-1][5] and not left_open:
            joined = JOINED.fullmatch(sentence, found[-1][1], first.start())
            after_it = "a limit" if joined else after_it
        left = "; ".join(dict.fromkeys(filter(None, (told, left_open, after_it))))
        found.append((first.start(), end, quantity, None if told else value, name, left))
    for quantity, words in WORDS:
        for match in words.finditer(sentence):
            found.append((match.start(), match.end(), quantity, None, "", "in words"))
    return sorted(found, key=lambda one: one[:2])


def _told(numbers: Sequence[str], between: Sequence[str], before: str) -> str:
    """Return what several numbers before one unit are; empty where there is one."""
    if len(numbers) == 1:
        return ""
    joins = {*between}
    if joins <= {"±", "+/-"}:
        return "with an uncertainty"
    if len(numbers) == 2 and (
        joins <= {"-", "−", "–", "—", "~", "to"} or re.search(r"(?i)\bbetween\s*$", before)
    ):
        return "a range"
    return "several values"


def _left_open(before: str) -> str:
    clause = re.split(r"[;:(]\s", before)[-1]
    return "; ".join(told for told, pattern in CHANGED if pattern.search(clause))


def _unit_at(sentence: str, at: int) -> tuple[Quantity, str, int] | None:
    """Return the quantity and the unit that stand behind a number, and where they end."""
    gap = re.compile(r"[\s\-]?").match(sentence, at)
    begins = gap.end() if gap else at
    best: tuple[Quantity, str, int] | None = None
    for quantity, name, pattern in NAMED:
        match = pattern.match(sentence, begins)
        if match is None or (best and match.end() <= best[2]):
            continue
        letters = len(match[0])
        if letters == 1 and match[0] in "CKMLdVWgsh" and not _is_unit(sentence, at, match[0]):
            continue
        best = (quantity, name, match.end())
    return best


def _next(sentence: str, at: int) -> re.Match[str] | None:
    """Return the number that is joined to what ends there, such as the second of a range."""
    step = RANGE.match(sentence, at)
    return re.compile(_SIGNED).match(sentence, step.end()) if step else None


def _is_unit(sentence: str, at: int, letter: str) -> bool:
    """Tell whether a letter behind a number is a unit, which means other things, too."""
    spaced = sentence[at : at + 1].isspace()
    if letter == "C":
        return bool(re.search(r"(?i)\b(?:temperature|heat|cool|warm|hot)", sentence))
    if letter == "M":  # millions of something
        return not re.search(r"(?i)token|param|cost|dollar|\$|million|billion", sentence)
    if letter == "g" and re.search(r"(?i)centrifug|pellet|\bspun\b", sentence):
        return False  # of the acceleration
    return spaced or letter in "gshLV"


def _value(text: str) -> float:
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-")
    if THOUSANDS.fullmatch(text):
        return float(text.replace(",", ""))
    text = text.replace(" ", "") if SPACED.fullmatch(text.lstrip("-")) else text
    mantissa = re.sub(r" ?[×x·] ?10\^?\{?(-?\d+)\}?$", r"e\1", text)
    return float(mantissa.replace(",", "."))


def _clipped(sentence: str, start: int, stop: int) -> str:
    """Return a sentence, or what of a long one stands about a place."""
    if len(sentence.strip()) <= LONGEST:
        return " ".join(sentence.split())
    first = max(0, (start + stop - LONGEST) // 2)
    last = min(len(sentence), first + LONGEST)
    cut = " ".join(sentence[first:last].split())
    return f"{'…' * (first > 0)}{cut}{'…' * (last < len(sentence))}"
