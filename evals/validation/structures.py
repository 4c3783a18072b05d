"""Geometries, in Å; where one is published, its source stands beside it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.factors import BOHR


def read(text: str, scale: float = 1.0, **more: Any) -> ConceptualAtoms:
    """Return atoms from lines of a symbol and three coordinates, multiplied by `scale`."""
    rows = [line.split() for line in text.strip().splitlines()]
    numbers = [SYMBOLS.index(symbol) for symbol, *_ in rows]
    places = np.array([[float(number) for number in row[1:]] for row in rows]) * scale
    return ConceptualAtoms(numbers=numbers, positions=places, **more)


def pair(first: str, second: str, distance: float, **more: Any) -> ConceptualAtoms:
    """Return a diatomic molecule along z."""
    return read(f"{first} 0 0 0\n{second} 0 0 {distance!r}", **more)


def bent(centre: str, outer: str, distance: float, angle: float, **more: Any) -> ConceptualAtoms:
    """Return a symmetric triatomic molecule in the yz plane, its axis along z."""
    half = math.radians(angle) / 2
    y, z = distance * math.sin(half), distance * math.cos(half)
    lines = (f"{centre} 0 0 0", f"{outer} 0 {y!r} {z!r}", f"{outer} 0 {-y!r} {z!r}")
    return read("\n".join(lines), **more)


def single(symbol: str, **more: Any) -> ConceptualAtoms:
    """Return an atom."""
    return read(f"{symbol} 0 0 0", **more)


def part(atoms: ConceptualAtoms, first: int, last: int) -> ConceptualAtoms:
    """Return some of the atoms, as a neutral molecule of its own."""
    return ConceptualAtoms(numbers=atoms.numbers[first:last], positions=atoms.positions[first:last])


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
            return globals()[name]
        case ["as", name]:
            atoms: ConceptualAtoms = globals()[name]
            return ConceptualAtoms(numbers=atoms.numbers, positions=atoms.positions, **more)
        case ["single", symbol]:
            return single(symbol, **more)
        case ["pair", first, second, length]:
            return pair(first, second, float(length) * unit, **more)
        case ["bent", centre, outer, length, degrees]:
            return bent(centre, outer, float(length), float(degrees), **more)
        case ["part", name, first, last]:
            return part(globals()[name], int(first), int(last))
        case rest:
            return read("\n".join(" ".join(rest).split(";")), unit, **more)


def distance(atoms: ConceptualAtoms, one: int, other: int) -> float:
    """Return the distance of two atoms in Å."""
    return float(np.linalg.norm(atoms.positions[one] - atoms.positions[other]))


def angle(atoms: ConceptualAtoms, one: int, apex: int, other: int) -> float:
    """Return an angle in degrees."""
    arms = atoms.positions[[one, other]] - atoms.positions[apex]
    arms /= np.linalg.norm(arms, axis=1, keepdims=True)
    return math.degrees(math.acos(float(arms[0] @ arms[1])))


WATER = bent("O", "H", 0.96, 104.5)
METHYLENE = bent("C", "H", 1.0, 125.0, multiplicity=3)
METHYL = read("C 0 0 0\nH 1.08 0 0\nH -0.54 0.935 0\nH -0.54 -0.935 0")
AMMONIA = read("N 0 0 0.116\nH 0 0.939 -0.271\nH 0.813 -0.469 -0.271\nH -0.813 -0.469 -0.271")
METHANE = read(
    "C 0 0 0\nH 0.629 0.629 0.629\nH -0.629 -0.629 0.629\nH -0.629 0.629 -0.629\n"
    "H 0.629 -0.629 -0.629"
)
METHANOL = read(
    "C -0.0467 0.6644 0\nO -0.0467 -0.7585 0\nH -1.0870 0.9767 0\nH 0.4365 1.0733 0.8906\n"
    "H 0.4365 1.0733 -0.8906\nH 0.8724 -1.0555 0"
)
FORMALDEHYDE = read("C 0 0 -0.53\nO 0 0 0.675\nH 0 0.935 -1.11\nH 0 -0.935 -1.11")
ETHYNE = read("C 0 0 0.6\nC 0 0 -0.6\nH 0 0 1.66\nH 0 0 -1.66")
ETHENE = read(
    "C 0 0 0.66\nC 0 0 -0.66\nH 0 0.92 1.23\nH 0 -0.92 1.23\nH 0 0.92 -1.23\nH 0 -0.92 -1.23"
)
CARBON_DIOXIDE = read("C 0 0 0\nO 0 0 1.16\nO 0 0 -1.16")

# Psi4's tests of functionals against Q-Chem (tests/pytests/test_dft_benchmarks.py), which are
# dimer 2 of S22: P. Jurečka et al., Phys. Chem. Chem. Phys. 8, 1985 (2006)
WATER_DIMER = read(
    "O -1.551007 -0.114520 0\nH -1.934259 0.762503 0\nH -0.599677 0.040712 0\n"
    "O 1.350625 0.111469 0\nH 1.680398 -0.373741 -0.758561\nH 1.680398 -0.373741 0.758561"
)
WATER_OF_DIMER = part(WATER_DIMER, 0, 3)
WATER_CATION = WATER_OF_DIMER.model_copy(update={"charge": 1, "multiplicity": 2})

# Dimers 1, 8 and 16 of S22
AMMONIA_DIMER = read(
    "N -1.578718 -0.046611 0\nH -2.158621 0.136396 -0.809565\nH -2.158621 0.136396 0.809565\n"
    "H -0.849471 0.658193 0\nN 1.578718 0.046611 0\nH 2.158621 -0.136396 -0.809565\n"
    "H 0.849471 -0.658193 0\nH 2.158621 -0.136396 0.809565"
)
METHANE_DIMER = read(
    "C 0 -0.000140 1.859161\nH -0.888551 0.513060 1.494685\nH 0.888551 0.513060 1.494685\n"
    "H 0 -1.026339 1.494868\nH 0 0.000089 2.948284\nC 0 0.000140 -1.859161\n"
    "H 0 -0.000089 -2.948284\nH -0.888551 -0.513060 -1.494685\n"
    "H 0.888551 -0.513060 -1.494685\nH 0 1.026339 -1.494868"
)
ETHENE_ETHYNE = read(
    "C 0 -0.667578 -2.124659\nC 0 0.667578 -2.124659\nH 0.923621 -1.232253 -2.126185\n"
    "H -0.923621 -1.232253 -2.126185\nH -0.923621 1.232253 -2.126185\n"
    "H 0.923621 1.232253 -2.126185\nC 0 0 2.900503\nC 0 0 1.693240\nH 0 0 0.627352\n"
    "H 0 0 3.963929"
)

# ACONF, as in L. Goerigk et al., Phys. Chem. Chem. Phys. 19, 32184 (2017)
BUTANE_TRANS = read(
    "C 0.703014950 1.815644871 0\nH 0.188714986 2.202082844 0.879663938\n"
    "H 0.188714986 2.202082844 -0.879663938\nH 1.714335879 2.218926843 0\n"
    "C 0.703014950 0.292667979 0\nH 1.243417912 -0.076943995 -0.874425938\n"
    "H 1.243417912 -0.076943995 0.874425938\nC -0.703014950 -0.292667979 0\n"
    "H -1.243417912 0.076943995 -0.874425938\nH -1.243417912 0.076943995 0.874425938\n"
    "C -0.703014950 -1.815644871 0\nH -0.188714986 -2.202082844 0.879663938\n"
    "H -0.188714986 -2.202082844 -0.879663938\nH -1.714335879 -2.218926843 0"
)
BUTANE_GAUCHE = read(
    "C 0.590547955 1.437714898 -0.512024402\nH -0.344396976 1.997357858 -0.555829389\n"
    "H 0.703645950 0.905508936 -1.454723325\nH 1.405785900 2.155941847 -0.440925397\n"
    "C 0.590547955 0.483545966 0.676488523\nH 1.520767892 -0.089761993 0.686161523\n"
    "H 0.575509953 1.063338925 1.600852458\nC -0.590547955 -0.483545966 0.676488523\n"
    "H -1.520767892 0.089761993 0.686161523\nH -0.575509953 -1.063338925 1.600852458\n"
    "C -0.590547955 -1.437714898 -0.512024402\nH 0.344396976 -1.997357858 -0.555829389\n"
    "H -1.405785900 -2.155941847 -0.440925397\nH -0.703645950 -0.905508936 -1.454723325"
)
