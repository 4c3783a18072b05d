"""Factors by which harmonic wavenumbers are brought near to measured fundamentals.

`scale_factors.csv` has those of the database of D. G. Truhlar's group, version 5
(https://comp.chem.umn.edu/freqscale), for methods and basis sets that are computed here, with the
paper of 2010 or the database as their source. Nothing that is stored is scaled.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from ontologies.level import Level

SOURCES = {
    "2010": "I. M. Alecu, J. Zheng, Y. Zhao, D. G. Truhlar, J. Chem. Theory Comput. 6, 2872 "
    "(2010), doi:10.1021/ct100326h",
    "5": "database of scale factors of D. G. Truhlar's group, version 5, "
    "comp.chem.umn.edu/freqscale",
}


@dataclass(frozen=True)
class ScaleFactor:
    """A factor on harmonic wavenumbers.

    Attributes:
        fundamentals: the factor.
        source: what is cited for it.
    """

    fundamentals: float
    source: str


def factor_of(level: Level) -> ScaleFactor | None:
    """Return the factor of a method and a basis set; None where none is known.

    What else belongs to the level, such as a continuum or a correction for dispersion, does not
    count.
    """
    return _factors().get((level.method, getattr(level, "basis", "")))


@functools.cache
def _factors() -> Mapping[tuple[str, str], ScaleFactor]:
    text = files("workflows.geometry").joinpath("scale_factors.csv").read_text("utf-8")
    return {
        (row["method"], row["basis"]): ScaleFactor(
            float(row["fundamentals"]), SOURCES[row["source"]]
        )
        for row in csv.DictReader(text.splitlines())
    }
