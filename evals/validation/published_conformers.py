"""Geometries and relative energies of conformers, from the collection GMTKN55."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ontologies.atoms import ConceptualAtoms

from .structures import read

FOLDER = Path(__file__).parent / "gmtkn55"


class Pair(NamedTuple):
    """Two conformers by their names, and how far the second lies above the first, in kcal/mol."""

    low: str
    high: str
    energy: float


@cache
def geometries(collection: str) -> dict[str, ConceptualAtoms]:
    """Return the geometries of `ACONF` or `BUT14DIOL` by their names."""
    lines = (FOLDER / f"{collection}.xyz").read_text(encoding="utf-8").splitlines()
    found: dict[str, ConceptualAtoms] = {}
    while lines and lines[0].strip():
        count, name = int(lines[0]), lines[1].split()[-1]
        found[name] = read("\n".join(lines[2 : 2 + count]))
        lines = lines[2 + count :]
    return found


@cache
def pairs(collection: str) -> tuple[Pair, ...]:
    """Return the relative energies of a collection."""
    with (FOLDER / "reference.csv").open(encoding="utf-8", newline="") as table:
        return tuple(
            Pair(row["from"], row["to"], float(row["reference_kcal_per_mol"]))
            for row in csv.DictReader(table)
            if row["set"] == collection
        )
