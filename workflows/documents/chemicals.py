"""Chemicals that a text names, as structures one by one; what does not resolve is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from triplestore.errors import GraficoError
from workflows.molecule import chemicals_names
from workflows.molecule.names import smiles_of
from workflows.molecule.table import index, key

from .passages import EVERYWHERE

MOST_WORDS = 4
"""Of one name."""

TOKEN = re.compile(r"\(?[^\W_]+(?:[,'’′:.\-‐‑–()\[\]+][^\W_()\[\]]+|[(\[][^\s()\[\]]*[)\]]-?)*\)?")
LIKE = re.compile(
    r"(?:anol|enol|diol|amine|amide|nitrile|azole|idine|quinone|furan|pyran|ylene|ketone|aldehyde|"
    r"oxide|fluoride|chloride|bromide|iodide|sulfate|sulphate|sulfonate|nitrate|phosphate|acetate|"
    r"carbonate|benzoate|acrylate|hydride|cyanide|(?:eth|prop|but|pent|hex|hept|oct|benz|tolu|xyl)\w*(?:ane|ene|yne))s?$"
    r"|^\d[\d,]*-[^\W\d]|[^\W\d]-\d+(?:,\d+)*-[^\W\d]|^(?:N|O|S|tert|sec|iso|cis|trans|[RSEZ])-[^\W\d]",
    re.IGNORECASE,
)
"""Of words that look like names of chemicals."""

ION = re.compile(r"^[^.]*[+-]\d*\][^.]*$")
"""A SMILES of one ion, as it is told of a salt's last word."""


@dataclass(frozen=True)
class Named:
    """A chemical that a text names.

    Attributes:
        name: as it stands there.
        smiles: its structure; empty where it does not resolve.
        why: what is wrong with it, or who has told it.
    """

    name: str
    smiles: str
    why: str

    def __str__(self) -> str:
        return (
            f"{self.name}  {self.smiles}"
            if self.smiles
            else f"{self.name}  not resolved: {self.why}"
        )


def chemicals(text: str) -> list[Named]:
    """Return the chemicals that a text names, in its order, each once.

    The longest name that resolves is taken; a word that looks like the name of a chemical, and is
    in none that resolves, is told with the reason.
    """
    found: dict[str, Named] = {}
    for line in text.splitlines():
        for one in _of_line(line):
            found.setdefault(one.name.casefold(), one)
    return [*found.values()]


def _of_line(line: str) -> Iterator[Named]:
    tokens = [(one.start(), one.end()) for one in TOKEN.finditer(line)]
    at = 0
    while at < len(tokens):
        for many in range(min(MOST_WORDS, len(tokens) - at), 0, -1):
            name = line[tokens[at][0] : tokens[at + many - 1][1]].strip(".,;:")
            if not _may_be(name):
                continue
            looks = many == 1 and LIKE.search(name)
            smiles, told_by = _known(name)
            if not smiles and looks:
                try:
                    smiles, told_by = smiles_of(name)
                except GraficoError as error:
                    yield Named(name, "", error.found or error.asked)
            if not smiles:
                continue
            if ION.search(smiles) and at and (salt := _before(line, tokens, at, many)):
                yield Named(salt, "", f"no molecule of that name is known here; {name} is an ion")
                break
            yield Named(name, smiles, told_by)
            at += many - 1
            break
        at += 1


def _before(line: str, tokens: list[tuple[int, int]], at: int, many: int) -> str:
    """Return a name with the word before it; empty where that says nothing of a chemical."""
    (begin, end), (next_begin, _) = tokens[at - 1], tokens[at]
    word = line[begin:end]
    if line[end:next_begin] != " " or EVERYWHERE.fullmatch(word.casefold()):
        return ""
    return f"{word} {line[next_begin : tokens[at + many - 1][1]]}"


def _may_be(name: str) -> bool:
    return len(name) > 2 and any(map(str.isalpha, name))


def _known(name: str) -> tuple[str, str]:
    """Return the structure of a name that stands in a table, and in which: no program is run."""
    if entry := index().get(key(name)):
        return entry.smiles, "the table"
    if " " not in name and not LIKE.search(name):
        return "", ""  # tables of others have names that are words of every day
    with suppress(GraficoError):
        return chemicals_names.smiles_of(name), chemicals_names.SOURCE
    return "", ""
