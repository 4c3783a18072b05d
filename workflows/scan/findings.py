"""What is odd about a curve: jumps, geometries that change at once, bonds that change."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import changes
from ontologies.factors import HARTREE
from ontologies.quantum import RelaxedGeometry
from ontologies.units import Floats
from workflows.geometry.constraints import UNITS

from .request import ScanPlan

KJ = HARTREE["kJ/mol"]

JUMP = 2.0
"""kJ/mol by which the energy must leave a smooth curve to be called a jump."""

MOVED = 0.4
"""Å. The change of a distance between two atoms from one point to the next, beyond which it may be
that something else has turned."""

OUTSTANDING = 3.0
"""How many times the usual step a jump is."""

APART = 0.5
"""kJ/mol by which two ways must differ at the same value to be told."""

COARSE = 40.0
"""Degrees between values beyond which a threefold barrier may be passed over."""

HIGHER = 0.1
"""kJ/mol by which the top of a parabola must be above the highest point to be told."""

Way = Sequence[tuple[float, RelaxedGeometry]]
"""The points of one way: values, and what came of them."""


def remarks_of(plan: ScanPlan, start: ConceptualAtoms, there: Way, back: Way) -> Iterator[str]:
    """Say what a reader must know of a scan.

    Args:
        plan: what was held.
        start: the structure as given.
        there: the points in the order in which they were reached.
        back: likewise, of the way back.
    """
    for way, word in ((there, ""), (back, "on the way back ")):
        yield from (f"{word}{text}" for text in _jumps(plan, way))
        yield from (f"{word}{text}" for text in _bonds(plan, start, way))
    yield from _passed_over(plan, sorted([*there, *back], key=lambda one: one[0]))
    yield from _hysteresis(plan, there, back)


def _passed_over(plan: ScanPlan, way: Way) -> Iterator[str]:
    """Say what the curve has between its values: a higher top, or what steps too wide pass over."""
    lowest = {value: found.energy for value, found in way}
    for value, found in way:
        lowest[value] = min(lowest[value], found.energy)
    values = list(lowest)
    energies = (np.array(list(lowest.values())) - min(lowest.values(), default=0.0)) * KJ
    widest = max((b - a for a, b in itertools.pairwise(values)), default=0.0)
    if plan.kind == "dihedral" and widest > COARSE:
        yield (
            f"values are up to {widest:g}° apart, so that maxima and minima between them are "
            "passed over: the barrier is at least what stands here; take steps of 30° or less"
        )
        return
    if len(values) < 3:
        return
    if plan.kind == "dihedral" and abs(values[-1] - values[0] - 360.0) < 1e-6:  # it closes
        values = [values[-2] - 360.0, *values, values[1] + 360.0]
        energies = np.array([energies[-2], *energies, energies[1]])
    at = int(np.argmax(energies[1:-1])) + 1
    if energies[at] < energies.max():
        return  # at an end of what was asked for
    x = np.array(values[at - 1 : at + 2])
    before, height, after = (float(one) for one in energies[at - 1 : at + 2])
    left, right = float(x[1] - x[0]), float(x[2] - x[1])
    rise, fall = (height - before) / left, (after - height) / right
    square = (fall - rise) / (left + right)
    slope = rise + square * left
    if square >= 0.0:
        return
    top, place = height - slope**2 / (4 * square), float(x[1]) - slope / (2 * square)
    if top - height >= HIGHER:
        yield (
            "the top lies between values: by a parabola through the three highest at "
            f"{place:.4g}{UNITS[plan.kind]}, {top:.1f} kJ/mol above the lowest, {top - height:.1f} "
            f"more than at {plan.said(values[at])}; scan around it in smaller steps, or look for "
            "the transition state from there"
        )


def _jumps(plan: ScanPlan, way: Way) -> Iterator[str]:
    """Say where energy or geometry is not continuous."""
    if len(way) < 4:
        return
    energies: Floats = np.array([found.energy for _, found in way]) * KJ
    turned: Floats = np.array(
        [
            _distances_moved(one.atoms, other.atoms)
            for (_, one), (_, other) in itertools.pairwise(way)
        ]
    )
    usual = float(np.median(turned))
    bend: Floats = np.diff(energies, 2)
    level = float(np.median(np.abs(bend)))
    for place, moved in enumerate(turned):
        between = f"between {plan.said(way[place][0])} and {plan.said(way[place + 1][0])}"
        change = energies[place + 1] - energies[place]
        # A step in a curve bends it one way and, at the next point, the other way.
        at = bend[max(place - 1, 0) : place + 1]
        steps = len(at) == 2 and at[0] * at[1] < 0
        if steps and np.abs(at).min() > max(JUMP, OUTSTANDING * level):
            yield f"the energy jumps {between}, by {change:+.1f} kJ/mol"
        if moved > max(MOVED, OUTSTANDING * usual):
            yield (
                f"the geometry changes at once {between}: atoms move by up to {moved:.1f} Å "
                f"against each other, elsewhere by {usual:.1f} Å; the energy by {change:+.1f} "
                "kJ/mol; smaller steps, or the other direction, show if that is so"
            )


def _distances_moved(one: ConceptualAtoms, other: ConceptualAtoms) -> float:
    """Return by how much that distance between two atoms differs which differs most, in Å."""
    first, second = (
        np.linalg.norm(atoms.positions[:, None] - atoms.positions[None], axis=2)
        for atoms in (one, other)
    )
    return float(np.abs(first - second).max())


def _bonds(plan: ScanPlan, start: ConceptualAtoms, way: Way) -> Iterator[str]:
    """Say where bonds were first broken or formed, but for the one that is driven."""
    own = set(plan.members) if plan.kind == "distance" else set[int]()
    told: set[str] = set()
    for value, found in way:
        changed = changes(start, found.atoms)
        for word, bonds in (("broken", changed.broken), ("formed", changed.formed)):
            for bond in bonds:
                text = f"the bond {bond.label} is {word}"
                if {bond.first, bond.second} != own and text not in told:
                    told.add(text)
                    yield f"{text} at {plan.said(value)}, though it is not what is driven"


def _hysteresis(plan: ScanPlan, there: Way, back: Way) -> Iterator[str]:
    """Say where the two ways differ."""
    first = {value: found.energy for value, found in there}
    apart = {value: (found.energy - first[value]) * KJ for value, found in back if value in first}
    most = max(apart, key=lambda value: abs(apart[value]), default=None)
    if most is None or abs(apart[most]) < APART:
        return
    differ = sum(abs(one) >= APART for one in apart.values())
    word = "higher" if apart[most] > 0 else "lower"
    yield (
        f"there and back differ at {differ} of {len(apart)} values, most at {plan.said(most)}, "
        f"where the way back is {abs(apart[most]):.1f} kJ/mol {word}: the curve depends on the "
        "way, its lower points are the better ones"
    )
