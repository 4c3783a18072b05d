"""Whether constraints can be met at all, checked before anything is computed."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from ontologies.units import Floats

from .constraints import KINDS, RANGES, excess, listed, measured, missed, refuse_missed, values_of

STARTS = 30
"""Geometries from which it is tried, the one that is given first. Of 469 sets of constraints that
were read off random geometries of 3 to 7 atoms, 446 were met from the first, all from the ninth."""

SPREAD = 1.5
"""Å. How far the atoms of the later ones are thrown, in the mean."""

ENOUGH = 1e-3
"""Å and radians. What is off by less is met."""


def check_reach(constraints: GeometryConstraints, atoms: ConceptualAtoms) -> None:
    """Check that some geometry has all that is to be held, no two of its atoms in one place.

    Only the atoms that are named count, without regard to energy: what contradicts itself is
    found, such as three distances that make no triangle, not what is far from any molecule.

    Args:
        constraints: what is held, see `constraints.check_constraints`.
        atoms: the structure that they are for.

    Raises:
        InputError: no geometry was found; names what the nearest one misses.
    """
    from scipy.optimize import least_squares

    held = [(kind, *one) for kind in KINDS for one in values_of(constraints, kind)]
    fixed = set[int](listed(constraints.frozen))
    members = sorted({atom for _, some, _ in held for atom in some} | fixed)
    free = [atom for atom in members if atom not in fixed]
    if len(held) + len(fixed) < 2 or not free:
        return  # one alone can always be met
    place = atoms.positions.copy()
    one, other = np.triu_indices(len(members), 1)
    first, second = np.array(members)[one], np.array(members)[other]
    movable = ~(np.isin(first, list(fixed)) & np.isin(second, list(fixed)))
    first, second = first[movable], second[movable]

    def moved(flat: Floats) -> Floats:
        there = place.copy()
        there[free] = flat.reshape(-1, 3)
        return there

    def off(flat: Floats) -> Floats:
        there = moved(flat)
        wrong = [
            excess(kind, measured(there, some), value) * (1.0 if kind == "distance" else RADIANS)
            for kind, some, value in held
        ]
        gaps = np.linalg.norm(there[first] - there[second], axis=1)
        return np.concatenate([wrong, np.minimum(0.0, gaps - RANGES["distance"][0])])

    best, least = place, np.inf
    for start in _starts(place[free]):
        found: Any = least_squares(off, start.ravel(), max_nfev=200)
        worst = float(np.abs(found.fun).max())
        if worst < ENOUGH:
            return
        if worst < least:
            best, least = moved(found.x), worst
    near = missed(constraints, atoms, best) or [f"atoms come nearer than {RANGES['distance'][0]} Å"]
    refuse_missed(f"cannot relax {atoms.formula}", near)


RADIANS = float(np.radians(1.0))


def _starts(place: Floats) -> Iterator[Floats]:
    """Yield geometries to start from: the one that is given, then others thrown about it."""
    yield place
    order = np.random.default_rng(0)
    for number in range(1, STARTS):
        yield place + order.standard_normal(place.shape) * SPREAD * number / 10
