"""What an optimisation holds fixed, checked and in the words of geomeTRIC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from triplestore.errors import InputError

STRAIGHT = 175.0
"""Degrees. Nearer to 180° the derivative of an angle has no direction."""

KINDS = ("distance", "angle", "dihedral")


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


def _held(constraints: GeometryConstraints, atoms: ConceptualAtoms) -> Iterator[str]:
    for kind in KINDS:
        rows: list[list[int]] = _listed(getattr(constraints, f"{kind}_atoms"))
        values: list[float] = _listed(getattr(constraints, f"{kind}s"))
        count, given = len(rows), len(values)
        if count != given:
            raise InputError(
                f"constraints of {count} {kind}s of {atoms.formula} were asked for",
                f"there are {given} values",
                f"give one value a {kind}",
            )
        for members, value in zip(rows, values, strict=True):
            _check(atoms, f"a {kind}", members)
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
    asked = f"a {kind} of {atoms.formula} was to be held at {value:g}"
    if not np.isfinite(value) or (kind != "dihedral" and value <= 0):
        raise InputError(asked, f"no {kind} has that value", "give one above zero")
    if kind == "angle" and value > STRAIGHT:
        raise InputError(
            asked,
            f"beyond {STRAIGHT:g}° it has no derivative",
            "freeze the three atoms where they are in line, or hold their distances",
        )
