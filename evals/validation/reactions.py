"""Reactions and strained rings, by enthalpies of formation."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.factors import HARTREE

from .entries import Entry
from .level import Level
from .sources import ATCT, METHOD, PEDLEY

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]

SMALL = "B3LYP/def2-SVP"
"""The level of geometries and vibrations, where molecules are small."""

QUICK = "GFN2-xTB"
"""The same, where there are many atoms or many molecules."""

FORMED = {
    "[H][H]": 0.0, "O": -241.8, "C": -74.5, "[C-]#[O+]": -110.5, "O=C=O": -393.5, "C#C": 228.3,
    "C=C": 52.4, "CC": -84.0, "C=O": -109.2, "CO": -200.9, "CC=O": -165.5, "N": -45.6,
    "C#N": 129.3, "CCO": -234.7, "COC": -184.0, "[H]": 218.0,
}  # fmt: skip
"""kJ/mol. Enthalpies of formation at 298.15 K."""

OPENED = {
    "C1CC1": 53.3,
    "C1CCC1": 28.4,
    "C1CCCC1": -76.4,
    "C1CCCCC1": -123.4,
    "C1CCCCCC1": -118.1,
    "C1CCCCCCC1": -124.4,
    "CC": -83.8,
    "CCC": -104.7,
}
"""The same of rings and of the chains that they are compared with."""


def entries() -> Iterator[Entry]:
    """Return the entries of this module."""
    yield from _enthalpies()
    yield from _strain()


def _enthalpies() -> Iterator[Entry]:
    level = Level("B3LYP-D4", "def2-TZVP", geometry=SMALL)
    for before, after, allowed in (
        ({"C=C": 1, "[H][H]": 1}, {"CC": 1}, 25.0),
        ({"C#C": 1, "[H][H]": 1}, {"C=C": 1}, 25.0),
        ({"[C-]#[O+]": 1, "[H][H]": 3}, {"C": 1, "O": 1}, 30.0),
        ({"C#N": 1, "[H][H]": 3}, {"C": 1, "N": 1}, 30.0),
        ({"CC=O": 1, "C": 1}, {"CC": 1, "C=O": 1}, 8.0),
        ({"COC": 1}, {"CCO": 1}, 12.0),
        ({"C=O": 1, "[H][H]": 1}, {"CO": 1}, 20.0),
        ({"CO": 1, "C": 1}, {"CC": 1, "O": 1}, 15.0),
        ({"[C-]#[O+]": 1, "[H][H]": 1}, {"C=O": 1}, 20.0),
    ):
        equation = " -> ".join(
            " + ".join(f"{n} {name}" if n > 1 else name for name, n in side.items())
            for side in (before, after)
        )
        value = sum(n * FORMED[name] for name, n in after.items())
        value -= sum(n * FORMED[name] for name, n in before.items())
        yield Entry(
            "reaction enthalpies",
            equation,
            "enthalpy at 298.15 K",
            "kJ/mol",
            level,
            lambda at, text=equation: at.made(text, "reaction").enthalpy_change * KJ,
            round(value, 1),
            allowed,
            METHOD,
            ATCT,
        )


def _strain() -> Iterator[Entry]:
    level = Level("B3LYP-D4", "def2-SVP", geometry=QUICK)
    chains = OPENED["CCC"] - OPENED["CC"]
    for size in range(3, 9):
        ring = f"C1{'C' * (size - 2)}C1"
        value = (OPENED[ring] - size * chains) / 4.184
        yield Entry(
            "ring strain",
            ring,
            "homodesmotic strain at 298.15 K",
            "kcal/mol",
            level,
            lambda at, ring=ring: at.made(ring, "strain", conformers=30).strain_enthalpy * KCAL,
            round(value, 1),
            4.0,
            METHOD,
            PEDLEY,
        )
