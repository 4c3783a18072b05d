"""A reaction through Grafico, beside the bare PySCF script that relaxes the same species.

Both are whole programs, see `batch`. Then the same reaction once more: its parts are remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .batch import SCRIPT, THROUGH, WITHIN, Done, compared, run
from .figures import Figure, below, say
from .molecules import jobs
from .programs import limits

EQUATION = ("acetaldehyde", "methane", "ethane", "formaldehyde")
"""Reactants, then products, two of each: CH3CHO + CH4 → C2H6 + CH2O."""

REMEMBERED = 1.0  # s


def measure(folder: Path) -> Iterator[Figure]:
    """Compare whole programs that relax the four species of a reaction at B3LYP/def2-SVP."""
    species = jobs(folder, (), [(name, "B3LYP") for name in EQUATION])
    limited = limits(folder)
    say("reaction: four species with and without Grafico, a few minutes…")
    bare = run(folder / "bare", species, [str(SCRIPT)], **limited)
    command = [*THROUGH, "reaction", str(folder / "store")]
    ours, again = (run(folder / name, species, command, **limited) for name in ("ours", "again"))
    yield compared("reaction of four species", [ours], [bare], "whole", "s", "bare PySCF", WITHIN)
    yield compared("reaction, processor time", [ours], [bare], "processor", "s", "bare PySCF", None)
    yield below("remembered reaction", again.seconds, REMEMBERED, "s", "computed", ours.seconds)
    apart = change(ours) - change(bare)
    yield below("its energy, difference", abs(apart), 1e-5, "Eh", "bare PySCF", None)


def change(taken: Done) -> float:
    """Return products less reactants, in Eh."""
    first, second, third, fourth = taken.energies
    return third + fourth - first - second
