"""Geometries, in Å, by names and words; those with names are in the file beside."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.factors import BOHR


def read(text: str, scale: float = 1.0, **more: Any) -> ConceptualAtoms:
    """Return atoms from lines of a symbol and three coordinates, multiplied by `scale`."""
    rows = [line.split() for line in text.strip().splitlines()]
    numbers = [SYMBOLS.index(symbol) for symbol, *_ in rows]
    places = np.array([[float(number) for number in row[1:]] for row in rows]) * scale
    return ConceptualAtoms(numbers=numbers, positions=places, **more)


def bent(centre: str, outer: str, distance: float, angle: float, **more: Any) -> ConceptualAtoms:
    """Return a symmetric triatomic molecule in the yz plane, its axis along z."""
    half = math.radians(angle) / 2
    y, z = distance * math.sin(half), distance * math.cos(half)
    lines = (f"{centre} 0 0 0", f"{outer} 0 {y!r} {z!r}", f"{outer} 0 {-y!r} {z!r}")
    return read("\n".join(lines), **more)


@cache
def named(name: str) -> ConceptualAtoms:
    """Return a structure of the file."""
    return read_words(yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))[name])


def read_words(text: str) -> ConceptualAtoms:
    """Return a structure by a line: `WATER`, `pair H H 1.4 bohr`, `part WATER_DIMER 0 3` or atoms.

    Atoms stand one after the other with `;` between them, after `bohr` if that is their unit. At
    the end may stand `charge=` and `multiplicity=`; `as NAME` takes the atoms of a name alone.
    """
    words = text.split()
    more: dict[str, Any] = {
        name: int(value) for name, _, value in (one.partition("=") for one in words) if value
    }
    words = [one for one in words if "=" not in one]
    unit = BOHR if "bohr" in words else 1.0
    match [one for one in words if one != "bohr"]:
        case [name]:
            return named(name)
        case ["as", name]:
            atoms = named(name)
            return ConceptualAtoms(numbers=atoms.numbers, positions=atoms.positions, **more)
        case ["single", symbol]:
            return read(f"{symbol} 0 0 0", **more)
        case ["pair", first, second, length]:
            return read(f"{first} 0 0 0\n{second} 0 0 {float(length) * unit!r}", **more)
        case ["bent", centre, outer, length, degrees]:
            return bent(centre, outer, float(length), float(degrees), **more)
        case ["part", name, first, last]:
            atoms, some = named(name), slice(int(first), int(last))
            return ConceptualAtoms(numbers=atoms.numbers[some], positions=atoms.positions[some])
        case rest:
            return read("\n".join(" ".join(rest).split(";")), unit, **more)
