"""Names and registry numbers that the package chemicals knows, offline.

It is no authority: it has D-alanine under "alanine", and o-xylene under "xylene". A name that
several of its rows have, or whose row says more than the name does, is refused with what it may be.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import importlib.util
import mmap
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triplestore.errors import InputError

from .cas import NUMBER
from .names_index import NamesIndex, kept
from .notation import canonical

TABLES = tuple(
    f"chemical identifiers {name}.tsv"
    for name in ("example user db", "pubchem small", "pubchem large")
)
SOURCE = "the package chemicals, from PubChem"
FIRST_NAME = 7
"""Columns before it: PubChem's number, CAS, formula, mass, SMILES, InChI, InChIKey."""

FOUND_BY = (1, 6)
"""Columns by which substances are found beside their names."""

FIRST_NAMES = 5
"""Names of a substance that are taken, the most used of PubChem."""

LONGEST_ROW = 200_000
MOST_ROWS = 8
"""Rows of a name that are told."""

STEREO = re.compile(
    r"(?:^|[^a-z])(?:\d*[rsez]|[dl]|dl|rac|cis|trans|meso|endo|exo|alpha|beta|[ab])(?:[^a-z]|$)"
    r"|\([+±-]+\)|[αβ]|levo|dextro",
    re.IGNORECASE,
)
"""What a name says of a configuration."""

PLACES = re.compile(r"(?:\d+[a-z']*(?:,\d+[a-z']*)*|[omp]|ortho|meta|para)-")
"""What a name says of where groups stand."""


@dataclass(frozen=True)
class Row:
    """A substance of the table.

    Attributes:
        number: of CAS; empty where it has none.
        smiles: as the table has it.
        inchi_key: standard.
        names: the systematic one first.
    """

    number: str
    smiles: str
    inchi_key: str
    names: tuple[str, ...]


def smiles_of(name: str) -> str:
    """Return the SMILES of a name or a number of CAS; empty where the table has none.

    Raises:
        InputError: it is several substances there, or the row fixes what the name leaves open.
    """
    wanted = re.sub(r"[‐‑–−]", "-", " ".join(name.casefold().split()))
    spellings = dict.fromkeys((wanted, wanted.replace(" ", "-"), wanted.replace("-", " ")))
    rows = next((found for one in spellings if (found := _rows(one))), [])
    rows = [row for row in rows if not _is_radical(row)]  # 2-hexyl is called hexane there
    if not rows:
        return ""
    asked = f"the molecule {name[:60]!r} was asked for"
    told = "; ".join(f"{row.names[0][:60]}: {row.smiles[:120]}" for row in rows[:MOST_ROWS])
    if len({row.inchi_key for row in rows}) > 1:
        found = f"the package chemicals has several substances of that name: {told}"
        raise InputError(asked, found, "give the SMILES of the one that is meant")
    row = rows[0]
    smiles = canonical(row.smiles, f"the SMILES that the package chemicals has of {name[:60]!r}")
    if NUMBER.fullmatch(name):
        return smiles if rows[0].number == name else ""
    if problem := _problem(wanted, row):
        raise InputError(asked, f"{problem}: {told}", "give that SMILES, or the one that is meant")
    return smiles


def row_of(inchi_key: str) -> Row | None:
    """Return the substance of a standard InChIKey; None where the table has none."""
    return next((row for row in _rows(inchi_key) if row.inchi_key == inchi_key), None)


def _is_radical(row: Row) -> bool:
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(row.smiles)
    return mol is not None and any(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())


def _problem(name: str, row: Row) -> str:
    """Return why a row is not what a name means for certain; empty where it is."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(row.smiles)
    if mol is None:
        return "RDKit does not read what the package chemicals has"
    every: list[Any] = [*Chem.FindPotentialStereo(mol)]
    atoms = Chem.StereoType.Atom_Tetrahedral
    centres = [  # a nitrogen turns over, and at a bridgehead it has no choice
        one
        for one in every
        if one.type != atoms or mol.GetAtomWithIdx(one.centeredOn).GetSymbol() != "N"
    ]
    fixed = [one for one in centres if one.specified == Chem.StereoSpecified.Specified]
    if fixed and not STEREO.search(name):
        return "the package chemicals has a configuration that the name does not say"
    if len(centres) > len(fixed) and (STEREO.search(name) or len(centres) - len(fixed) > 1):
        return "the package chemicals leaves the configuration open"  # of several: another molecule
    bare = _letters(name)
    if bare != _letters(PLACES.sub("", name)):
        return _lesser(name, row)  # it says places itself
    others = (one for one in row.names if PLACES.search(one))
    if any(_letters(PLACES.sub("", one)) == bare for one in others):
        return "the package chemicals has places of groups that the name does not say"
    return _lesser(name, row)


def _lesser(name: str, row: Row) -> str:
    """Return that a name is none of the first that a row has; empty where it is.

    Behind them stand names of what it is in, and slips: benzene has “petroleum ether”.
    """
    spellings = {_letters(one.casefold()) for one in row.names[:FIRST_NAMES]}
    return "" if _letters(name) in spellings else "the package chemicals has it as a lesser name"


def _letters(name: str) -> str:
    return name.replace("-", "").replace(" ", "")


def _rows(text: str) -> list[Row]:
    """Return the substances of which a text is a name, the number of CAS or the InChIKey."""
    found: dict[str, Row] = {}
    if "\t" in text or "\n" in text or not text:
        return []
    for line in _lines(text):
        fields = line.decode(errors="replace").split("\t")
        if len(fields) <= FIRST_NAME:
            continue
        if text in (*(fields[one] for one in FOUND_BY), *fields[FIRST_NAME:]):
            names = tuple(dict.fromkeys(filter(None, fields[FIRST_NAME:])))
            number = fields[1] if NUMBER.fullmatch(fields[1]) else ""
            found.setdefault(fields[6], Row(number, fields[4], fields[6], names))
    return list(found.values())


def _lines(text: str) -> list[bytes]:
    """Return the lines that may have a text as a field, by the index where one is kept."""
    contents = _contents()
    index = _index() if contents else None
    if index is not None:
        try:
            places = index.lines(text)
        except sqlite3.Error:  # it was damaged since: the tables are searched
            _index.cache_clear()
        else:
            return [_line(contents[one], at) for one, at in places if one < len(contents)]
    pattern = b"\t" + text.encode()
    return [line for content in contents for line in _searched(content, pattern)]


def _line(content: mmap.mmap, start: int) -> bytes:
    """Return the line that begins at a place; empty where it is too long."""
    end = content.find(b"\n", start, start + LONGEST_ROW + 1)
    if end < 0:
        end = len(content) if len(content) - start <= LONGEST_ROW else start
    return content[start:end]


def _searched(content: mmap.mmap, pattern: bytes) -> Iterator[bytes]:
    """Iterate over the lines in which a field begins with a pattern and ends there."""
    at = content.find(pattern)
    while at >= 0:
        after = content[at + len(pattern) : at + len(pattern) + 1]
        if after in (b"\t", b"\n", b"\r", b""):
            yield _line(content, content.rfind(b"\n", max(0, at - LONGEST_ROW), at) + 1)
        at = content.find(pattern, at + 1)


@functools.cache
def _index() -> NamesIndex | None:
    """Return the index of the tables; None where none can be kept, and they are searched."""
    return kept(_paths(), FOUND_BY, FIRST_NAME)


def _paths() -> list[Path]:
    """Return where the tables are; none where the package is not installed. It is not imported."""
    package = importlib.util.find_spec("chemicals")
    if package is None or package.origin is None:
        return []
    every = (Path(package.origin).parent / "Identifiers" / name for name in TABLES)
    return [path for path in every if path.is_file() and path.stat().st_size]


@functools.cache
def _contents() -> tuple[mmap.mmap, ...]:
    """Return the tables."""
    found: list[mmap.mmap] = []
    for path in _paths():
        with path.open("rb") as stream:
            found.append(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    return tuple(found)
