"""What is shown of a dipole: its length, where it points, its components."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from workflows.show.blocks import Fact
from workflows.text.words import numbered

STRAIGHT = 0.01
"""Å. How far the atoms of a linear molecule may be off their line."""

NOTHING = 5e-5
"""D. Less is shown as nothing, and points nowhere."""


def dipole_facts(
    atoms: ConceptualAtoms, dipole: Floats, *, headline: bool = False, note: str = ""
) -> Iterator[Fact]:
    """Iterate over what is shown of a dipole, which points from negative to positive charge.

    Args:
        atoms: the molecule.
        dipole: in D, shape (3,).
        headline: whether its length stands at the head of a page.
        note: what belongs to the length.
    """
    size = math.hypot(*dipole.tolist())
    yield Fact(
        "dipole",
        size,
        "D",
        "dipole",
        digits=".4f",
        note=note,
        fields=("dipole_moment",),
        headline=headline,
    )
    ends = linear_ends(atoms)
    if ends:
        first, last = ends
        names = numbered(atoms.symbols)
        axis = atoms.positions[last] - atoms.positions[first]
        along = float(dipole @ axis / np.linalg.norm(axis))
        yield Fact(
            f"  along {names[first]}→{names[last]}",
            along if abs(along) > NOTHING else 0.0,
            "D",
            "dipole_along_axis",
            digits="+.4f",
            note=_signs(atoms, along, ends),
            fields=(),
            beside="dipole",
        )
    yield Fact(
        "  x, y, z",
        settled(dipole),
        "D",
        "dipole_vector",
        digits=".4f",
        note="from negative to positive charge",
        minor=bool(ends) or size <= NOTHING,
        fields=("dipole",),
    )


def settled(dipole: Floats) -> tuple[float, ...]:
    """Return the components in D, those that are nothing without a sign."""
    return tuple(one if abs(one) > NOTHING else 0.0 for one in dipole.tolist())


def linear_ends(atoms: ConceptualAtoms) -> tuple[int, int] | None:
    """Return the atoms at the ends of a linear molecule, None of another or of a crystal.

    The end of lower atomic number comes first; of two that are alike, the atom that is given first.
    """
    if len(atoms.numbers) < 2 or atoms.is_periodic:
        return None
    apart = atoms.positions - atoms.positions.mean(axis=0)
    axis = np.linalg.svd(apart, full_matrices=False)[2][0]
    along = apart @ axis
    if np.linalg.norm(apart - np.outer(along, axis), axis=1).max() > STRAIGHT:
        return None
    ends = [int(along.argmin()), int(along.argmax())]
    first, last = sorted(ends, key=lambda end: (int(atoms.numbers[end]), end))
    return first, last


def _signs(atoms: ConceptualAtoms, along: float, ends: tuple[int, int]) -> str:
    """Return which end of a molecule is negative, in words; as `C⁻O⁺` of two atoms."""
    if abs(along) <= NOTHING:
        return ""
    first, last = ends
    symbols = atoms.symbols
    signs = "⁻⁺" if along > 0 else "⁺⁻"
    if len(symbols) == 2:
        return f"{symbols[first]}{signs[0]}{symbols[last]}{signs[1]}"
    negative = first if along > 0 else last
    return f"negative at {numbered(symbols)[negative]}"
