"""Basis sets that a person brings: a file in the format of NWChem or Gaussian, read by rules here.

PySCF's own parsers evaluate as Python what is no number, so that no file of others reaches them.
What is read becomes one text of a fixed form, which a level holds: its exponents are what it means,
and two files of the same content are one set, whatever they are called.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from ontologies.elements import SYMBOLS
from triplestore.errors import InputError
from workflows.trust.caller import absent, opened

OWN = "own-"
"""Begins the name of a set that was read from a file; a digest of its text follows.

Where the set has a name of its own, as those of the Basis Set Exchange, that goes before it."""

LARGEST_FILE, LONGEST = 1_000_000, 100_000
"""Bytes of a file, and characters of the text of a set."""

ENDINGS = (".nw", ".nwchem", ".gbs", ".bas", ".basis", ".dat", ".txt")

SHELLS = "SPDFGHI"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d{1,3})?")
LARGEST_EXPONENT, SMALLEST_EXPONENT = 1e13, 1e-7
"""bohr⁻². Outside, integrals are no numbers."""


@dataclass
class Element:
    """What a set has for an element, as PySCF takes it.

    Attributes:
        shells: angular momentum, then exponent and coefficients of each primitive.
        core: electrons that the potential stands for.
        potential: angular momentum (-1 for the local part) and terms by power of r.
    """

    shells: list[Any] = field(default_factory=list[Any])
    core: int = 0
    potential: list[Any] = field(default_factory=list[Any])


def names_file(text: str) -> bool:
    """Return whether a text names a file and no basis set."""
    return "/" in text or "\\" in text or PurePath(text).suffix.lower() in ENDINGS


def read_file(name: str) -> str:
    """Return the set of a file as a text of the fixed form, see `text_of`.

    Raises:
        InputError: it holds none, or more than is taken.
        NotFoundError: there is no such file for whoever asks.
    """
    asked = f"the basis set in {name} was asked for"
    try:
        with opened(name) as file:
            content = file.read(LARGEST_FILE + 1)
    except (FileNotFoundError, IsADirectoryError) as error:
        raise absent(asked) from error
    except (OSError, ValueError) as error:
        raise InputError(asked, "it cannot be read", "give a file that can") from error
    if len(content) > LARGEST_FILE:
        found = f"it has more than {LARGEST_FILE:,} bytes"
        raise InputError(asked, found, "give a file with the elements that are needed")
    try:
        text = text_of(parsed(content.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise InputError(asked, "it is no text", "give one in the format of NWChem") from error
    except _WrongError as error:
        raise InputError(asked, str(error), ADVICE) from error
    if len(text) > LONGEST:
        found = f"the set has more than {LONGEST:,} characters"
        raise InputError(asked, found, "give a file with the elements that are needed")
    return text


ADVICE = (
    "give a set in the format of NWChem or Gaussian, as basissetexchange.org has them; core "
    "potentials in that of NWChem"
)


def name_of(text: str) -> str:
    """Return the name of a set: the digest of its text."""
    return OWN + hashlib.sha256(text.encode()).hexdigest()[:12]


def is_own(name: str) -> bool:
    """Return whether a name in a recipe is that of functions which come with it."""
    return re.fullmatch(f"(.+ )?{OWN}[0-9a-f]{{12}}", name) is not None


@lru_cache(maxsize=16)
def elements_of(text: str) -> Mapping[str, Element]:
    """Return what a text of the fixed form holds.

    Raises:
        InputError: it is none.
    """
    try:
        return parsed(text)
    except _WrongError as error:
        asked = "a basis set of one's own was asked for"
        raise InputError(asked, str(error), ADVICE) from error


class _WrongError(Exception):
    """Why a text is no basis set."""


def parsed(text: str) -> dict[str, Element]:
    """Return the elements of a set in the format of NWChem or Gaussian, by symbol."""
    lines = [
        (place, line)
        for place, whole in enumerate(text.splitlines(), 1)
        if (line := re.split("[#!]", whole)[0].strip()) and set(line) != {"*"}
    ]
    if any(re.search(r"-ECP\b", line, re.IGNORECASE) for _, line in lines):
        raise _WrongError("it has core potentials in the format of Gaussian")
    gaussian = any(re.fullmatch(r"-?[A-Za-z]{1,2}\s+0", line) for _, line in lines)
    found = _gaussian(lines) if gaussian else _nwchem(lines)
    if not found:
        raise _WrongError("it has no functions")
    for symbol, element in found.items():
        _check(symbol, element)
    return dict(sorted(found.items(), key=lambda one: SYMBOLS.index(one[0])))


def text_of(elements: Mapping[str, Element]) -> str:
    """Return a set as a text in the format of NWChem, always the same for the same functions."""
    rows = list[str]()
    for symbol, element in elements.items():
        for shell in element.shells:
            rows.append(f"{symbol} {SHELLS[shell[0]]}")
            rows += [" ".join(map(repr, primitive)) for primitive in shell[1:]]
    held = {symbol: one for symbol, one in elements.items() if one.potential}
    rows += ["ECP"] if held else []
    for symbol, element in held.items():
        rows.append(f"{symbol} nelec {element.core}")
        for momentum, powers in element.potential:
            rows.append(f"{symbol} {'ul' if momentum < 0 else SHELLS[momentum]}")
            rows += [
                f"{power} " + " ".join(map(repr, term))
                for power, terms in enumerate(powers)
                for term in terms
            ]
    return "\n".join(rows) + "\n"


Lines = Sequence[tuple[int, str]]


def _nwchem(lines: Lines) -> dict[str, Element]:
    found: dict[str, Element] = {}
    open_shells: list[Any] = []
    potential = False
    for place, line in lines:
        words = line.split()
        head = words[0].upper()
        if head in ("BASIS", "END") or (head == "ECP" and len(words) == 1):
            potential, open_shells = head == "ECP", []
        elif NUMBER.fullmatch(words[0]):
            numbers = _numbers(words, place)
            if not open_shells:
                raise _WrongError(f"line {place} has numbers without a shell")
            if potential:
                _term(open_shells[0], numbers, place)
            else:
                _primitive(open_shells, numbers, place)
        else:
            element = found.setdefault(_symbol(words[0], place), Element())
            kind = words[1].upper() if len(words) > 1 else ""
            if potential and kind == "NELEC" and len(words) == 3 and words[2].isdigit():
                element.core = int(words[2])
                open_shells = []
            elif potential:
                momentum = -1 if kind == "UL" else _momentum(kind, place)
                element.potential.append([momentum, [[] for _ in range(7)]])
                open_shells = [element.potential[-1]]
            else:
                open_shells = _opened(element, kind, place)
    return found


def _gaussian(lines: Lines) -> dict[str, Element]:
    found: dict[str, Element] = {}
    element: Element | None = None
    open_shells: list[Any] = []
    left, scale = 0, 1.0
    for place, line in lines:
        words = line.split()
        if left:
            numbers = _numbers(words, place)
            numbers[0] *= scale**2
            _primitive(open_shells, numbers, place)
            left -= 1
        elif len(words) == 2 and words[1] == "0":
            element = found.setdefault(_symbol(words[0].lstrip("-"), place), Element())
            if element.shells:
                raise _WrongError(f"line {place} has {words[0]} a second time")
        elif element is None or len(words) < 2 or not words[1].isdigit():
            raise _WrongError(f"line {place} is neither an element nor a shell: {line[:40]!r}")
        else:
            left = int(words[1])
            scale = _numbers(words[2:3], place)[0] if len(words) > 2 else 1.0
            open_shells = _opened(element, words[0].upper(), place)
    if left:
        raise _WrongError("its last shell is cut off")
    return found


def _opened(element: Element, kind: str, place: int) -> list[Any]:
    """Return the shells that the next primitives belong to: of SP two."""
    momenta = [0, 1] if kind in ("SP", "L") else [_momentum(kind, place)]
    made: list[Any] = [[momentum] for momentum in momenta]
    element.shells += made
    return made


def _primitive(shells: list[Any], numbers: list[float], place: int) -> None:
    several = len(shells) > 1
    if len(numbers) < 2 or (several and len(numbers) != 3):
        raise _WrongError(f"line {place} has {len(numbers)} numbers, not exponent and coefficients")
    for index, shell in enumerate(shells):
        row = [numbers[0], numbers[1 + index]] if several else numbers
        if len(shell) > 1 and len(shell[1]) != len(row):
            raise _WrongError(f"line {place} has another number of coefficients than that above")
        shell.append(row)


def _term(part: Any, numbers: list[float], place: int) -> None:
    if len(numbers) != 3 or numbers[0] not in range(7):
        raise _WrongError(f"line {place} is no power of r with exponent and coefficient")
    part[1][int(numbers[0])].append(numbers[1:])


def _numbers(words: Sequence[str], place: int) -> list[float]:
    wrong = next((word for word in words if not NUMBER.fullmatch(word)), None)
    if wrong is not None:
        raise _WrongError(f"line {place} has {wrong[:20]!r} where a number belongs")
    return [float(word.upper().replace("D", "E")) for word in words]


def _symbol(word: str, place: int) -> str:
    symbol = word.capitalize()
    if symbol not in SYMBOLS[1:]:
        raise _WrongError(f"line {place} begins with {word[:20]!r}, which is no element")
    return symbol


def _momentum(kind: str, place: int) -> int:
    if len(kind) != 1 or kind not in SHELLS:
        raise _WrongError(f"line {place} has {kind[:20]!r}, which is no shell from S to I")
    return SHELLS.index(kind)


def _check(symbol: str, element: Element) -> None:
    """Raise what is wrong with the functions of an element."""
    for shell in element.shells:
        if len(shell) < 2:
            raise _WrongError(f"{symbol} has a shell {SHELLS[shell[0]]} without functions")
        for exponent, *weights in shell[1:]:
            if not SMALLEST_EXPONENT <= exponent <= LARGEST_EXPONENT:
                raise _WrongError(f"{symbol} has the exponent {exponent:g} in bohr⁻²")
            if not all(map(math.isfinite, weights)):
                raise _WrongError(f"{symbol} has a coefficient that is no number")
        if not all(any(column) for column in list(zip(*shell[1:], strict=True))[1:]):
            raise _WrongError(f"{symbol} has a function without coefficients")
    if element.potential and not element.shells:
        raise _WrongError(f"{symbol} has a potential and no functions")
    if element.core and not 0 < element.core < SYMBOLS.index(symbol):
        raise _WrongError(f"{symbol} has no {element.core} core electrons")
    if bool(element.core) != bool(element.potential):
        raise _WrongError(f"{symbol} has core electrons without a potential, or the reverse")


def settled(basis: str) -> str:
    """Return what was asked for with the content of its files in their place.

    A recipe such as `def2-SVP; I=iodine.nw` names a set, and others for single elements. Where a
    file is in it, what is returned has a second part, from its second line on: the functions.

    Raises:
        InputError: a file holds no set, or lacks the element; or a text is none.
        NotFoundError: there is no such file for whoever asks.
    """
    first, _, rest = basis.partition("\n")
    if rest and OWN not in first:
        text = _text(basis, "a text")
        return f"{name_of(text)}\n{text}"
    if rest:
        text = _text(rest, first)
        if set(re.findall(f"{OWN}[0-9a-f]+", first)) != {name_of(text)}:
            raise InputError(
                f"the basis set {first} was asked for",
                "the functions that come with it are others",
                "give the file itself",
            )
        return f"{first}\n{text}"
    files = {
        symbol: ("", elements_of(read_file(name)))
        for symbol, name in named_in(basis)
        if names_file(name)
    }
    return merged(basis, files) if files else basis


def named_in(recipe: str) -> list[tuple[str, str]]:
    """Return the sets of a recipe after their elements; no element before that of all others."""
    parts = [part.partition("=") for part in recipe.split(";")]
    return [(symbol.strip() if equals else "", (rest if equals else symbol).strip())
            for symbol, equals, rest in parts]  # fmt: skip


def merged(recipe: str, held: Mapping[str, tuple[str, Mapping[str, Element]]]) -> str:
    """Return a recipe with the digest of functions in the place of sets, and the functions.

    Args:
        recipe: names of sets.
        held: by the element that they stand for in it, the sets whose functions are meant: a name
            that goes before the digest, or none, and the functions.

    Raises:
        InputError: a set lacks its element, or together they are too large.
    """
    asked = f"the basis set {recipe} was asked for"
    all_: dict[str, Element] = dict(held.get("", ("", {}))[1])
    for symbol, (_, elements) in held.items():
        if symbol and symbol.capitalize() not in elements:
            found = f"the set for {symbol} has {', '.join(elements)}"
            raise InputError(asked, found, "give one that has it")
        all_ |= {symbol.capitalize(): elements[symbol.capitalize()]} if symbol else {}
    text = text_of(dict(sorted(all_.items(), key=lambda one: SYMBOLS.index(one[0]))))
    if len(text) > LONGEST:
        found = f"its sets have more than {LONGEST:,} characters"
        raise InputError(asked, found, "name them for the elements that are needed")
    own = name_of(text)
    parts = [
        (f"{symbol}=" if symbol else "")
        + (f"{held[symbol][0]} {own}".strip() if symbol in held else name)
        for symbol, name in named_in(recipe)
    ]
    return f"{'; '.join(parts)}\n{text}"


def _text(content: str, what: str) -> str:
    """Return a text in its fixed form."""
    return read_set(
        content, f"the basis set of {what[:40]} was asked for", "give the elements that are needed"
    )


def read_set(content: str, asked: str, smaller: str) -> str:
    """Return a set in the format of NWChem or Gaussian as a text of the fixed form.

    Args:
        content: the set.
        asked: what was asked, for errors.
        smaller: what to do where it is too large.

    Raises:
        InputError: it is none, or larger than is taken.
    """
    try:
        text = text_of(parsed(content)) if len(content) <= LARGEST_FILE else ""
    except _WrongError as error:
        raise InputError(asked, str(error), ADVICE) from error
    if not 0 < len(text) <= LONGEST:
        found = f"it has more than {LONGEST:,} characters"
        raise InputError(asked, found, smaller)
    return text


def chosen(source: str, symbol: str) -> tuple[str, str]:
    """Return the set that a recipe has for an element, and the text of functions with it."""
    recipe, _, text = source.partition("\n")
    usual = ""
    for part in recipe.split(";"):
        element, equals, name = part.partition("=")
        if equals and element.strip() == symbol:
            return name.strip(), text
        usual = usual if equals else part.strip()
    return usual, text


def functions_in(text: str, symbol: str) -> Iterator[Any]:
    """Yield the shells of an element, as PySCF takes them."""
    element = elements_of(text).get(symbol)
    yield from element.shells if element else ()


def potential_in(text: str, symbol: str) -> Any:
    """Return the core potential of an element as PySCF takes it; None if it has none."""
    element = elements_of(text).get(symbol)
    return [element.core, element.potential] if element and element.potential else None
