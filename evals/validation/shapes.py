"""Geometries, rotational constants and point groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from workflows.geometry.symmetry import point_group

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .sources import COTTON, DIGITS, HEHRE, HUBER, METHOD, psi4

NOISE = 0.005
"""Å. The standard deviation of what is added to each coordinate."""

Measure = Callable[[ConceptualAtoms], float]


def _bond(one: int, other: int) -> Measure:
    return lambda atoms: s.distance(atoms, one, other)


def _angle(one: int, apex: int, other: int) -> Measure:
    return lambda atoms: s.angle(atoms, one, apex, other)


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    bond, bend = _bond, _angle
    minimal, split = Level("HF", "STO-3G"), Level("HF", "6-31G*", {"cartesian": True})
    for level, formula, start, what, value in (
        (minimal, "H2", s.pair("H", "H", 0.75), bond(0, 1), 0.712),
        (minimal, "H2O", s.WATER, bond(0, 1), 0.990),
        (minimal, "H2O", s.WATER, bend(1, 0, 2), 100.0),
        (minimal, "CH4", s.METHANE, bond(0, 1), 1.083),
        (split, "H2O", s.WATER, bond(0, 1), 0.947),
        (split, "H2O", s.WATER, bend(1, 0, 2), 105.5),
        (split, "NH3", s.AMMONIA, bond(0, 1), 1.002),
        (split, "NH3", s.AMMONIA, bend(1, 0, 2), 107.2),
        (split, "N2", s.pair("N", "N", 1.1), bond(0, 1), 1.078),
        (split, "CO", s.pair("C", "O", 1.1), bond(0, 1), 1.114),
        (split, "H2CO", s.FORMALDEHYDE, bond(0, 1), 1.184),
        (split, "C2H2", s.ETHYNE, bond(0, 1), 1.185),
        (split, "C2H4", s.ETHENE, bond(0, 1), 1.317),
    ):
        yield _geometry(level, formula, start, what, value, (6e-4, 0.06), DIGITS, HEHRE)
    yield _geometry(
        minimal,
        "H2O",
        s.WATER,
        bond(0, 1),
        math.hypot(0.758081, 0.635802),
        (2e-5, 0),
        DIGITS,
        "Q-Chem, quoted in " + psi4("opt1"),
    )
    triple = Level("B3LYP", "def2-TZVP")
    for formula, start, value in (
        ("N2", s.pair("N", "N", 1.1), 1.09768),
        ("CO", s.pair("C", "O", 1.1), 1.128323),
    ):
        yield _geometry(triple, formula, start, bond(0, 1), value, (0.01, 0), METHOD, HUBER)
    monoxide = s.pair("C", "O", 1.128323)
    yield Entry(
        "geometries",
        "CO at its r_e",
        "rotational constant",
        "GHz",
        minimal,
        lambda at: float(at.analysis(monoxide).rotational_constants[0]),
        1.93128087 * 29.9792458,
        2e-3,
        "r_e was derived with the masses and constants of 1979",
        HUBER,
    )
    for group, name, atoms in _ideal():
        yield Entry(
            "point groups",
            f"{name}, with noise of {NOISE:g} Å",
            "point group",
            "",
            None,
            lambda _, atoms=atoms: point_group(noisy(atoms)),
            group,
            0,
            "none",
            COTTON,
        )


def _geometry(
    level: Level,
    formula: str,
    start: ConceptualAtoms,
    what: Measure,
    value: float,
    allowed: tuple[float, float],
    why: str,
    source: str,
) -> Entry:
    degrees = value > 10

    def ours(at: At) -> float:
        return what(at.relaxed(start).atoms)

    bonded = "–".join(start.symbols[:2]) if start.formula != "C2H4" else "C–C"
    quantity = "angle" if degrees else f"bond length {bonded}"
    if degrees:
        quantity = f"angle {start.symbols[1]}–{start.symbols[0]}–{start.symbols[2]}"
    unit = "°" if degrees else "Å"
    return Entry(
        "geometries", formula, quantity, unit, level, ours, value, allowed[degrees], why, source
    )


def noisy(atoms: ConceptualAtoms) -> ConceptualAtoms:
    """Return a copy whose coordinates are off by normally distributed amounts, always the same."""
    random = np.random.default_rng(2017)
    noise: Floats = random.normal(0, NOISE, (len(atoms.numbers), 3))
    return atoms.moved_to(atoms.positions + noise)


def _ring(symbol: str, count: int, radius: float, start: float = 0.0, z: float = 0.0) -> str:
    angles = [math.radians(start) + 2 * math.pi * n / count for n in range(count)]
    return "\n".join(
        f"{symbol} {radius * math.cos(a)!r} {radius * math.sin(a)!r} {z!r}" for a in angles
    )


def _ideal() -> Iterator[tuple[str, str, ConceptualAtoms]]:
    """Return ideal structures with their groups."""
    yield "C2v", "water", s.WATER
    yield "C3v", "ammonia", s.read("N 0 0 0.116\n" + _ring("H", 3, 0.939, z=-0.271))
    yield "Td", "methane", s.METHANE
    yield "D∞h", "carbon dioxide", s.CARBON_DIOXIDE
    yield "C∞v", "hydrogen cyanide", s.read("C 0 0 0\nH 0 0 -1.064\nN 0 0 1.156")
    yield "D6h", "benzene", s.read(_ring("C", 6, 1.39) + "\n" + _ring("H", 6, 2.48))
    yield "D3h", "boron trifluoride", s.read("B 0 0 0\n" + _ring("F", 3, 1.31))
    yield "D4h", "xenon tetrafluoride", s.read("Xe 0 0 0\n" + _ring("F", 4, 1.95))
    yield (
        "Oh",
        "sulphur hexafluoride",
        s.read("S 0 0 0\nF 0 0 1.56\nF 0 0 -1.56\n" + _ring("F", 4, 1.56)),
    )
    carbons = "C 0 0 0.76\nC 0 0 -0.76\n"
    yield (
        "D3d",
        "staggered ethane",
        s.read(carbons + _ring("H", 3, 1.02, z=1.16) + "\n" + _ring("H", 3, 1.02, 60, -1.16)),
    )
    yield (
        "D2d",
        "allene",
        s.read(
            "C 0 0 0\nC 0 0 1.31\nC 0 0 -1.31\nH 0 0.93 1.87\nH 0 -0.93 1.87\nH 0.93 0 -1.87\n"
            "H -0.93 0 -1.87"
        ),
    )
    yield (
        "C2",
        "hydrogen peroxide",
        s.read(
            "O 0 0.695 -0.092486\nO 0 -0.695 -0.092486\nH -0.388142 0.895249 0.739888\n"
            "H 0.388142 -0.895249 0.739888"
        ),
    )
