"""What is cited: references, and which method, basis set or program has which of them.

`references.csv` holds the references, `cited.csv` what they are of: a kind (`basis`, `dispersion`,
`solvation`, `method`, `software`, …), the name as a regular expression, the elements where that
matters, and the keys. A line without keys says that no reference is known here.

Sources: for basis sets the heads of the files that PySCF ships, and the references of the Basis
Set Exchange (B. P. Pritchard et al., J. Chem. Inf. Model. 59, 4814 (2019)), whose wording counts
where a head is wrong or short; for programs what they ask to have cited. Functionals are not among
them: libxc knows those of each of its components.
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from ontologies.elements import SYMBOLS
from workflows.text.words import listed

OTHERS = "others"
"""The last of the authors where a reference does not name all, as BibTeX has it."""


@dataclass(frozen=True)
class Reference:
    """A publication, or the page of a program that has none.

    Attributes:
        key: its name in BibTeX.
        text: as it stands in a list of references, without the DOI.
        doi: empty for none.
        bibtex: its entry.
    """

    key: str
    text: str
    doi: str
    bibtex: str

    @property
    def formatted(self) -> str:
        """The text with the DOI."""
        return f"{self.text}, doi:{self.doi}." if self.doi else f"{self.text}."


@dataclass(frozen=True)
class Cited:
    """A part of a level, or a program, with what is cited for it.

    Attributes:
        text: what it is, in words, such as `the basis set def2-SVP`.
        references: none where no reference is known here.
    """

    text: str
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Described:
    """A level in words, for a methods section.

    Attributes:
        cited: its parts.
        settings: what else decides its numbers, such as `integration grid 3 of PySCF`.
    """

    cited: tuple[Cited, ...]
    settings: tuple[str, ...] = ()


@functools.cache
def references() -> dict[str, Reference]:
    """Return all references of the table by their keys."""
    return {row["key"]: reference_of(row) for row in _rows("references.csv")}


def _rows(name: str) -> Iterator[dict[str, str]]:
    """Iterate over the rows of a table beside this module."""
    text = (files("workflows.registry") / name).read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines())


def reference_of(row: Mapping[str, str]) -> Reference:
    """Return a reference from its fields, as a row of the table has them."""
    names = [_initialled(one) for one in row["authors"].split(" and ") if one]
    short = names[-1:] == [OTHERS]
    who = f"{', '.join(names[:-1])}, et al." if short else listed(names)
    place = f"{row['journal']} {row['volume']}".strip()
    year = f" ({row['year']})" if row["year"] else ""
    pages = f", {row['pages'].replace('--', '–')}" if row["pages"] else ""
    text = ", ".join(filter(None, [who or row["title"], f"{place}{pages}{year}"]))
    fields = {name: row[name] for name in ("year", "volume", "pages", "doi") if row[name]}
    fields = {"title": f"{{{row['title']}}}", **fields}
    if row["authors"]:
        fields = {"author": row["authors"], "journal": row["journal"], **fields}
    else:
        fields["howpublished"] = f"\\url{{{row['journal']}}}"
    kind = "article" if row["authors"] else "misc"
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return Reference(row["key"], text, row["doi"], f"@{kind}{{{row['key']},\n{lines}}}\n")


def _initialled(author: str) -> str:
    """Write `Dunning, Thom H.` as `T. H. Dunning`."""
    last, _, first = author.strip().partition(", ")
    initials = ["-".join(f"{part[0]}." for part in one.split("-") if part) for one in first.split()]
    return " ".join([*initials, last])


@dataclass(frozen=True)
class _Line:
    kind: str
    name: re.Pattern[str]
    elements: frozenset[int]
    keys: tuple[str, ...]


@functools.cache
def _lines() -> tuple[_Line, ...]:
    return tuple(
        _Line(
            row["kind"],
            re.compile(row["name"], re.IGNORECASE),
            frozenset(_numbers(row["elements"])),
            tuple(row["references"].split()),
        )
        for row in _rows("cited.csv")
    )


def _numbers(elements: str) -> Iterator[int]:
    for one in elements.split():
        first, _, last = one.partition("-")
        yield from range(SYMBOLS.index(first), SYMBOLS.index(last or first) + 1)


def is_listed(kind: str, name: str) -> bool:
    """Tell whether something is in the table, with or without a reference."""
    return any(one.kind == kind and one.name.fullmatch(name) for one in _lines())


def known(kind: str, name: str, numbers: Iterable[int] = ()) -> tuple[Reference, ...]:
    """Return the references of something, each once.

    Args:
        kind: such as `software`.
        name: of it.
        numbers: atomic numbers; lines of other elements are passed by.
    """
    there = set(numbers)
    keys = [
        key
        for one in _lines()
        if one.kind == kind and one.name.fullmatch(name)
        if not one.elements or one.elements & there
        for key in one.keys
    ]
    return tuple(references()[key] for key in dict.fromkeys(keys))


def cited(kind: str, name: str, text: str) -> Cited:
    """Return something with its references."""
    return Cited(text, known(kind, name))


def basis_cited(name: str, numbers: Sequence[int], what: str = "the basis set") -> list[Cited]:
    """Return a basis set with its references for some elements.

    The elements for which none is known stand apart.
    """
    lacking = [one for one in sorted(set(numbers)) if not known("basis", name, [one])]
    there = [one for one in numbers if one not in lacking]
    found = [Cited(f"{what} {name}", known("basis", name, there))] if there else []
    if lacking:
        symbols = listed([SYMBOLS[one] for one in lacking])
        found.append(Cited(f"{what} {name} for {symbols}"))
    return found
