"""The molecules that are known by name."""

from __future__ import annotations

import csv
import functools
import re
from dataclasses import dataclass
from importlib.resources import files

from ontologies.elements import SYMBOLS

FORMULA = re.compile(r"(?:([A-Z][a-z]?)\d*|[()])+")


@dataclass(frozen=True)
class Entry:
    """A row of the table.

    Attributes:
        names: the usual one first, then synonyms and formulas.
        formula: typed on its own, so that it can be compared with the SMILES.
        smiles: the structure.
    """

    names: tuple[str, ...]
    formula: str
    smiles: str


@functools.cache
def table() -> tuple[Entry, ...]:
    """Return the molecules that are known by name."""
    text = (files("workflows.molecule") / "names.csv").read_text(encoding="utf-8")
    return tuple(
        Entry(tuple(row["name"].split("|")), row["formula"], row["smiles"])
        for row in csv.DictReader(text.splitlines())
    )


@functools.cache
def index() -> dict[str, Entry]:
    """Return the entries by key."""
    return {key(name): entry for entry in table() for name in entry.names}


@functools.cache
def spellings() -> dict[str, str]:
    """Return the usual spelling by the folded one."""
    return {folded(name): name for entry in table() for name in entry.names}


def key(name: str) -> str:
    """Return what equal names share; formulas keep their case, so that `HF` is not hafnium."""
    return name if is_formula(name) else folded(name)


def folded(name: str) -> str:
    """Return a name without case, hyphens and spaces."""
    return re.sub(r"[\s\-‐‑–−]", "", name.casefold())


def also_called(smiles: str, formula: str) -> str:
    """Return the molecule whose formula a SMILES is spelled like, of another formula, by name.

    `CO` is methanol as a SMILES, and carbon monoxide to people.
    """
    one = index().get(smiles) if is_formula(smiles) else None
    return one.names[0] if one is not None and one.formula != formula else ""


def is_formula(name: str) -> bool:
    """Tell whether a text reads as symbols of elements and numbers."""
    found = re.findall(r"[A-Z][a-z]?", name)
    return bool(FORMULA.fullmatch(name)) and all(symbol in SYMBOLS[1:] for symbol in found)
