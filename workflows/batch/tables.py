"""Tables as records: rows with headings; a broken one is named and takes no others along."""

from __future__ import annotations

import csv
import itertools
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from triplestore.errors import InputError
from workflows.engine.request.library import Library, Raw
from workflows.text.names import plain
from workflows.text.words import count

TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
"""Suffixes of tables, with what separates their columns if nothing else does."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""How a text begins that programs for tables compute, with what marks it as text."""

_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)

_PLACE = re.compile("[1-9][0-9]{0,3}")
"""The number of a column."""

NAMES = ("id", "identifier", "name", "title", "label", "compound", "cid", "chemblid", "cas")
"""Headings under which a table says what a row is called, the best first, in plain spelling."""

ABOUT_NAMES = ("compound", "molecule", "mol", "substance", "structure", "drug", "sample", "catalog")
"""What stands before such a heading, as in Compound ID."""

MANY_COLUMNS, WIDE = 30, 40
"""Headings that are told, and characters of each."""


def is_table(head: str, library: Library) -> bool:
    """Tell whether a text begins with headings of which one is known.

    They may stand in the last of comments before the rows (`# id; SMILES; …`).
    """
    comment, before, rest = _comments(iter(head.splitlines(keepends=True)))
    first = next(rest, "")
    for separator in ",;\t|":
        titles = _titles(comment, separator) if before else list[str]()
        for given in (first.split(separator), titles if separator in first else []):
            if len(given) > 1 and {plain(one.strip(' "\n')) for one in given} & {*library.columns}:
                return given is not titles or len(given) == len(first.split(separator))
    return False


def _comments(lines: Iterator[str]) -> tuple[str, int, Iterator[str]]:
    """Return the last comment before the rows, how many lines stand there, and all that follows."""
    comment, count = "", 0
    for line in lines:
        if not line.startswith("#") and (line.strip() or not comment):
            return comment, count, itertools.chain([line], lines)
        comment, count = line if line.startswith("#") else comment, count + 1
    return comment, count, iter(())


def _titles(comment: str, separator: str) -> list[str]:
    """Return what a comment says in the places of headings."""
    reader = csv.reader([comment.lstrip("#").strip()], delimiter=separator)
    return [one.strip() for one in next(reader, list[str]())]


def as_text(value: object) -> object:
    """Return a value as it is written into a table: a text that is no formula, with a mark.

    Programs for tables would compute `=HYPERLINK(…)`, and take `'=HYPERLINK(…)` for the text.
    `unmarked` returns it as it was. Numbers stay as they are.
    """
    if not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


def unmarked(text: str) -> str:
    """Return a text of a table without the mark that it is no formula."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def rows(
    lines: Iterator[str],
    head: str,
    asked: str,
    suffix: str,
    library: Library,
    column: str,
    names: str,
) -> Iterator[Raw]:
    """Iterate over the rows of a table; see `records`.

    Args:
        lines: of the table.
        head: its beginning.
        asked: what was asked, for error messages.
        suffix: of its file.
        library: says which headings are known.
        column: which says what is computed; empty for the best known heading.
        names: which says what a row is called; empty for the best known heading.

    Raises:
        InputError: it has no headings, or no such column.
    """
    by_number = _PLACE.fullmatch(column) is not None
    head = "".join(_comments(iter(head.splitlines(keepends=True)))[2])
    comment, before, lines = _comments(lines)
    # what follows keeps the numbers of its lines
    lines = itertools.chain(itertools.repeat("\n", before), lines)
    if by_number:  # comments may stand among the rows, too
        lines = ("\n" if one.startswith("#") else one for one in lines)
    separator = _separator(head, TABLES[suffix])
    found = _unbroken(lines, separator)
    filled = ((at, one) for at, one in found if isinstance(one, str) or any(map(str.strip, one)))
    place, first = next(filled if before else found, ("", ""))
    if not first or isinstance(first, str):
        raise InputError(asked, "it has no headings", "begin it with the names of its columns")
    given = [unmarked(one.strip()) for one in first]
    titles, known = _titles(comment, separator), {*library.columns, *NAMES}
    headless = not {plain(one) for one in given} & known
    if headless and len(titles) == len(given) and {plain(one) for one in titles} & known:
        found = itertools.chain([(place, first)], found)
        given, headless = titles, False
    if by_number and column not in given:
        if int(column) > len(given):
            raise InputError(
                asked, f"it has no column {column}", f"name one from 1 to {len(given)} (`column`)"
            )
        if headless:
            found = itertools.chain([(place, first)], found)
            given = [""] * len(given)
        column = _distinct(given)[int(column) - 1]
    headings = _distinct(given)
    if _PLACE.fullmatch(names) and names not in given and int(names) <= len(given):
        names = headings[int(names) - 1]
    at = _column(asked, headings, column, library.columns, "says what is computed")
    assert at is not None
    if not column and [plain(one) for one in given].count(plain(given[at])) > 1:
        there = ", ".join(one for one in headings if plain(one).startswith(plain(given[at])))
        raise InputError(
            asked,
            f"several of its columns are called {given[at]}",
            f"name one of its columns (`column`): {there}",
        )
    named = _column(asked, headings, names, NAMES, "says what it is called", at)
    for place, row in found:
        if isinstance(row, str):
            yield Raw(place, "", problem=row)
            continue
        if not any(map(str.strip, row)):
            continue
        columns = dict(zip(headings, (unmarked(one.strip()) for one in row), strict=False))
        called = columns.get(headings[named], "") if named is not None else ""
        problem = ""
        if len(row) > len(headings):
            problem = f"it has {count(len(row), 'field')}, the headings {len(headings)}"
        text = columns.get(headings[at], "")
        if not text and not problem:
            problem = f"nothing stands under {headings[at]}"
        yield Raw(place, text, called, columns, heading=plain(headings[at]), problem=problem)


class _Lines(Iterator[str]):
    """Lines of which the last ones can be given back: they belong to no row that can be read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._again = lines, deque[str]()
        self._number = 0
        self._taken: list[str] = []

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self._number += 1
        self._taken.append(line)
        return line

    @property
    def taken(self) -> int:
        """How many lines were taken since the last row began."""
        return len(self._taken)

    @property
    def place(self) -> str:
        """Where these lines stand."""
        first = self._number - self.taken + 1
        return f"line {first}" if first == self._number else f"lines {first} to {self._number}"

    def begin(self) -> None:
        """Begin a row."""
        self._taken = []

    def give_back(self) -> None:
        """Give back all lines of the row but its first."""
        rest = self._taken[1:]
        self._again.extendleft(reversed(rest))
        self._number -= len(rest)
        self._taken = self._taken[:1]


def _unbroken(lines: Iterator[str], separator: str) -> Iterator[tuple[str, list[str] | str]]:
    """Iterate over rows and where they stand; in the place of one that cannot be read stands why.

    A quotation mark that is never closed would take the rows that follow along: these are read
    again, each as a row of its own.
    """
    taken = _Lines(lines)
    reader = csv.reader(taken, delimiter=separator, strict=True)
    while True:
        taken.begin()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = "a quotation mark opens a field of it, and is not closed at its end"
            if taken.taken == 1 and "limit" in str(error):
                problem = f"a field of it has more than {csv.field_size_limit():,} characters"
            taken.give_back()
            yield taken.place, problem
        else:
            yield taken.place, row


def _separator(head: str, usual: str) -> str:
    first = re.sub('"[^"]*"', "", head.partition("\n")[0])
    return max((usual, ",", ";", "\t", "|"), key=first.count)


def _distinct(headings: Iterable[str]) -> list[str]:
    """Return headings of which none is empty and none stands twice."""
    found: list[str] = []
    for number, one in enumerate(headings, 1):
        name = base = one or f"column {number}"
        again = 2
        while name in found:
            name, again = f"{base} ({again})", again + 1
        found.append(name)
    return found


def _column(
    asked: str,
    headings: Sequence[str],
    wanted: str,
    usual: Sequence[str],
    what: str,
    taken: int | None = None,
) -> int | None:
    """Return which column is meant; None for one that is not needed."""
    spelt = [plain(one) for one in headings]
    if wanted:
        if wanted in headings:
            return headings.index(wanted)
        if plain(wanted) in spelt:
            return spelt.index(plain(wanted))
    else:
        if usual is NAMES:
            longer = (f"{about}{one}" for about in ABOUT_NAMES for one in NAMES)
            usual = (*NAMES, *longer)
        best = (spelt.index(one) for one in usual if one in spelt and spelt.index(one) != taken)
        at = next(best, None)
        if at is not None or taken is not None:
            return at
    there = ", ".join(one[:WIDE] for one in headings[:MANY_COLUMNS])
    more = ", …" * (len(headings) > MANY_COLUMNS)
    missing = f"it has no column {wanted}" if wanted else f"none of its columns {what}"
    raise InputError(asked, missing, f"name one of its columns (`column`): {there}{more}")
