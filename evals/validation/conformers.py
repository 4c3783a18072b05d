"""Relative energies of conformers at published geometries, beside W1h-val and coupled cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE

from .entries import Entry
from .laboratory import At
from .level import Level
from .published_conformers import Pair, geometries, pairs

KIND = "conformer energies"
SOURCES = {
    "ACONF": "ACONF (W1h-val): D. Gruzman, A. Karton, J. M. L. Martin, J. Phys. Chem. A 113, 11974 (2009)",  # noqa: E501
    "BUT14DIOL": "BUT14DIOL: S. Kozuch, S. M. Bachrach, J. M. L. Martin, J. Phys. Chem. A 118, 293 (2014)",  # noqa: E501
}
NAMES = {"ACONF": "C4H10, C5H12, C6H14", "BUT14DIOL": "butane-1,4-diol"}

Energy = Callable[[At, ConceptualAtoms], float]


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    for method, collection, allowed in (
        ("GFN2-xTB", "ACONF", 0.25),
        ("GFN2-xTB", "BUT14DIOL", 1.4),
        ("GFN1-xTB", "ACONF", 0.8),
        ("GFN1-xTB", "BUT14DIOL", 1.1),
    ):
        yield _mean(collection, pairs(collection), Level(method, ""), _tight, allowed)
    fitted = Level("B3LYP-D4", "def2-TZVP", {"density_fitting": True})
    few = [one for one in pairs("ACONF") if one.low in ("B_T", "P_TT")]
    yield _mean("ACONF", few, fitted, _functional, 0.15)


def _tight(at: At, atoms: ConceptualAtoms) -> float:
    return at.tight_point(atoms).energy


def _functional(at: At, atoms: ConceptualAtoms) -> float:
    return at.energy(atoms)


def _mean(
    collection: str, chosen: Sequence[Pair], level: Level, energy: Energy, allowed: float
) -> Entry:
    """Return how far relative energies are off in the mean: of the reference it is 0."""

    def ours(at: At) -> float:
        there = geometries(collection)
        off = [
            (energy(at, there[one.high]) - energy(at, there[one.low])) * HARTREE["kcal/mol"]
            - one.energy
            for one in chosen
        ]
        return float(np.abs(off).mean())

    whole = len(chosen) == len(pairs(collection))
    quantity = f"mean absolute deviation of {'' if whole else 'a choice of '}{len(chosen)} energies"
    return Entry(
        KIND,
        NAMES[collection],
        quantity,
        "kcal/mol",
        level,
        ours,
        0.0,
        allowed,
        "usual error of the method",
        SOURCES[collection],
    )
