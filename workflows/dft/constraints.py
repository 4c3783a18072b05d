"""What an optimisation holds fixed, checked and in the words of geomeTRIC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from ontologies.units import Floats
from triplestore.errors import InputError

STRAIGHT = 175.0
"""Degrees. Nearer to 180° the derivative of an angle has no direction."""

KINDS = ("distance", "angle", "dihedral")

LOOSE = {"distance": 0.005, "angle": 0.5, "dihedral": 0.5}
"""Å and degrees. What is off by more was not held."""


def constraint_file(constraints: GeometryConstraints, atoms: ConceptualAtoms) -> str:
    """Return the text of a constraints file for geomeTRIC; empty if nothing is held.

    Args:
        constraints: what is held.
        atoms: the structure that they are for.

    Raises:
        InputError: an atom is not there or named twice, a value is missing or cannot be reached.
    """
    frozen: list[int] = _listed(constraints.frozen)
    _check(atoms, "frozen atoms", frozen)
    lines = ["$freeze", *(f"xyz {atom + 1}" for atom in frozen)] if frozen else []
    held = [*_held(constraints, atoms)]
    return "\n".join([*lines, *(["$set", *held] if held else []), ""]) if lines or held else ""


def check_held(constraints: GeometryConstraints, before: ConceptualAtoms, after: Floats) -> None:
    """Check that a geometry has what was to be held: contradictions are dropped on the way there.

    Args:
        constraints: what was held.
        before: where it started.
        after: where it ended, in Å, shape (atoms, 3).

    Raises:
        InputError: it has not.
    """
    off: list[str] = []
    for atom in _listed(constraints.frozen):
        moved = float(np.linalg.norm(after[atom] - before.positions[atom]))
        if moved > LOOSE["distance"]:
            off.append(f"atom {atom + 1} moved by {moved:.3f} Å")
    for kind in KINDS:
        rows: list[list[int]] = _listed(getattr(constraints, f"{kind}_atoms"))
        values: list[float] = _listed(getattr(constraints, f"{kind}s"))
        for members, value in zip(rows, values, strict=True):
            found = measured(after, members)
            apart = abs((found - value + 180) % 360 - 180) if kind == "dihedral" else found - value
            if abs(apart) > LOOSE[kind]:
                names = "-".join(str(atom + 1) for atom in members)
                off.append(f"the {kind} {names} came out as {found:.4g}, not {value:.4g}")
    if off:
        raise InputError(
            f"{before.formula} was to be relaxed under constraints",
            f"they cannot all be met: {'; '.join(off)}",
            "leave out those that contradict the others",
        )


def measured(positions: Floats, atoms: Sequence[int]) -> float:
    """Return a distance in Å, or an angle or a dihedral angle in degrees.

    Args:
        positions: in Å, shape (atoms, 3).
        atoms: two, three or four of them, counted from 0.
    """
    places = [positions[atom] for atom in atoms]
    if len(places) == 2:
        return float(np.linalg.norm(places[1] - places[0]))
    if len(places) == 3:
        a, b = places[0] - places[1], places[2] - places[1]
        return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))
    first, axis, last = (places[n + 1] - places[n] for n in range(3))
    left, right = np.cross(first, axis), np.cross(axis, last)
    sine = np.linalg.norm(axis) * (first @ right)
    return float(np.degrees(np.arctan2(sine, left @ right)))


def _held(constraints: GeometryConstraints, atoms: ConceptualAtoms) -> Iterator[str]:
    for kind in KINDS:
        rows: list[list[int]] = _listed(getattr(constraints, f"{kind}_atoms"))
        values: list[float] = _listed(getattr(constraints, f"{kind}s"))
        count, given = len(rows), len(values)
        if count != given:
            raise InputError(
                f"constraints of {count} {kind}s of {atoms.formula} were asked for",
                f"there are {given} values",
                f"give one value for each {kind}",
            )
        for members, value in zip(rows, values, strict=True):
            _check(atoms, f"atoms of a constraint ({kind})", members)
            _check_value(atoms, kind, value)
            yield " ".join([kind, *(str(atom + 1) for atom in members), f"{value:.10f}"])


def _listed(array: Any) -> list[Any]:
    return [] if array is None else array.tolist()


def _check(atoms: ConceptualAtoms, what: str, members: list[int]) -> None:
    count = len(atoms.numbers)
    if members and (min(members) < 0 or max(members) >= count or len(set(members)) < len(members)):
        raise InputError(
            f"{what} of {atoms.formula} were to be held",
            f"they name atoms {', '.join(str(atom + 1) for atom in members)} of {count}",
            f"name each atom once, from 1 to {count}",
        )


def _check_value(atoms: ConceptualAtoms, kind: str, value: float) -> None:
    asked = f"the {kind} {value:g} of {atoms.formula} was to be held"
    if not np.isfinite(value) or (kind != "dihedral" and value <= 0):
        raise InputError(asked, f"no {kind} has that value", "give one above zero")
    if kind == "angle" and value > STRAIGHT:
        raise InputError(
            asked,
            f"beyond {STRAIGHT:g}° it has no derivative",
            "freeze the three atoms where they are in line, or hold their distances",
        )
