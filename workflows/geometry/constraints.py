"""What an optimisation holds fixed, checked and in the words of geomeTRIC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.text.words import count as counted

STRAIGHT = 175.0
"""Degrees. Nearer to 180° the derivative of an angle has no direction."""

KINDS = ("distance", "angle", "dihedral")

LOOSE = {"distance": 0.005, "angle": 0.5, "dihedral": 0.5}
"""Å and degrees. What is off by more was not held."""


RANGES = {"distance": (0.2, 100.0), "angle": (0.1, STRAIGHT), "dihedral": (-360.0, 360.0)}
"""Å and degrees. Where the value of each kind can lie."""

UNITS = {"distance": " Å", "angle": "°", "dihedral": "°"}


def constraint_file(constraints: GeometryConstraints, atoms: ConceptualAtoms) -> str:
    """Return the text of a constraints file for geomeTRIC; empty if nothing is held.

    Args:
        constraints: what is held.
        atoms: the structure that they are for.

    Raises:
        InputError: see `check_constraints`.
    """
    check_constraints(constraints, atoms)
    frozen: list[int] = listed(constraints.frozen)
    lines = ["$freeze", *(f"xyz {atom + 1}" for atom in frozen)] if frozen else []
    held = [
        " ".join([kind, *(str(atom + 1) for atom in members), f"{value:.10f}"])
        for kind in KINDS
        for members, value in values_of(constraints, kind)
    ]
    return "\n".join([*lines, *(["$set", *held] if held else []), ""]) if lines or held else ""


def check_constraints(constraints: GeometryConstraints, atoms: ConceptualAtoms) -> None:
    """Check that what is to be held can be held in a structure.

    Args:
        constraints: what is held.
        atoms: the structure that they are for.

    Raises:
        InputError: an atom is not there or named twice, a value is missing or cannot be reached, a
            coordinate is given twice or its atoms are frozen where it has another value.
    """
    frozen: list[int] = listed(constraints.frozen)
    check_atoms(atoms, "frozen atoms", frozen)
    for kind in KINDS:
        count, given = (
            len(listed(getattr(constraints, f"{kind}{end}"))) for end in ("_atoms", "s")
        )
        if count != given:
            raise InputError(
                f"constraints of {counted(count, kind)} of {atoms.formula} were asked for",
                f"the values given are {given}",
                f"give one value for each {kind}",
            )
        earlier: dict[tuple[int, ...], float] = {}
        for members, value in values_of(constraints, kind):
            check_atoms(atoms, f"atoms of a constraint ({kind})", members)
            asked = f"cannot hold the {_named(kind, members, value)} in {atoms.formula}"
            if why := impossible(kind, value) or in_line(atoms, members):
                raise InputError(asked, *why)
            same = min(tuple(members), tuple(members[::-1]))
            if same in earlier:
                what = f"as {earlier[same]:g}{UNITS[kind]} too"
                again = "given twice" if earlier[same] == value else f"asked for {what}"
                raise InputError(asked, f"it is {again}", "give it once")
            earlier[same] = value
            there = measured(atoms.positions, members)
            held = set(members) <= set(frozen)
            if held and abs(excess(kind, there, value)) > LOOSE[kind]:
                raise InputError(
                    asked,
                    f"its atoms are frozen where it is {there:.4g}{UNITS[kind]}",
                    "freeze fewer atoms, or leave it out",
                )


def check_atoms(atoms: ConceptualAtoms, what: str, members: Sequence[int]) -> None:
    """Check that atoms of a structure are there, and named once.

    Args:
        atoms: the structure.
        what: what they are, for the message.
        members: counted from 0.

    Raises:
        InputError: they are not.
    """
    count = len(atoms.numbers)
    if members and (min(members) < 0 or max(members) >= count or len(set(members)) < len(members)):
        raise InputError(
            f"cannot hold the {what} of {atoms.formula}",
            f"they are {', '.join(str(atom + 1) for atom in members)}; "
            f"there {'is' if count == 1 else 'are'} {counted(count, 'atom')}",
            f"name each atom once, from 1 to {count}, in the order of the input",
        )


def impossible(kind: str, value: float) -> tuple[str, str] | None:
    """Return why a coordinate cannot be held at a value, and what can be done; None if it can."""
    low, high = RANGES[kind]
    if low <= value <= high:
        return None
    if kind == "angle" and value > high:
        return (
            f"beyond {STRAIGHT:g}° an angle has no derivative",
            "freeze the three atoms where they are in line, or hold their distances",
        )
    return f"no {kind} is held there", f"give {low:g} to {high:g}{UNITS[kind]}"


def in_line(atoms: ConceptualAtoms, members: Sequence[int]) -> tuple[str, str] | None:
    """Return why a dihedral angle has no value, and what can be done; None if it has one.

    Args:
        atoms: the structure.
        members: the atoms that span a coordinate, counted from 0.
    """
    three = [members[:3], members[1:]] if len(members) == 4 else []
    for some in three:
        angle = measured(atoms.positions, some)
        if not 180 - STRAIGHT <= angle <= STRAIGHT:
            return (
                f"atoms {', '.join(str(atom + 1) for atom in some)} are in line ({angle:.1f}°), "
                "so that the dihedral angle has no value",
                "choose atoms that are not in line",
            )
    return None


def check_met(constraints: GeometryConstraints, before: ConceptualAtoms, after: Floats) -> None:
    """Check that a geometry has what was to be held: contradictions are dropped on the way there.

    Args:
        constraints: what was held.
        before: where it started.
        after: where it ended, in Å, shape (atoms, 3).

    Raises:
        InputError: it has not.
    """
    refuse_missed(f"cannot relax {before.formula}", missed(constraints, before, after))


def refuse_missed(what: str, off: Sequence[str]) -> None:
    """Say which constraints a geometry does not meet.

    Args:
        what: what was asked, for the message.
        off: what `missed` found.

    Raises:
        InputError: there are some.
    """
    if off:
        raise InputError(
            f"{what} under constraints",
            f"they cannot all be met: {'; '.join(off)}",
            "leave out those that contradict the others",
        )


def missed(constraints: GeometryConstraints, before: ConceptualAtoms, after: Floats) -> list[str]:
    """Return what a geometry does not have of what was to be held, in words.

    Args:
        constraints: what was held.
        before: where it started.
        after: where it ended, in Å, shape (atoms, 3).
    """
    off: list[str] = []
    for atom in listed(constraints.frozen):
        moved = float(np.linalg.norm(after[atom] - before.positions[atom]))
        if moved > LOOSE["distance"]:
            off.append(f"atom {atom + 1} moved by {moved:.3f} Å")
    for kind in KINDS:
        for members, value in values_of(constraints, kind):
            reached = measured(after, members)
            if abs(excess(kind, reached, value)) > LOOSE[kind]:
                came = f"came out as {reached:.4g}{UNITS[kind]}"
                off.append(f"the {_named(kind, members, value)} {came}")
    return off


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


def values_of(constraints: GeometryConstraints, kind: str) -> Iterator[tuple[list[int], float]]:
    """Yield the coordinates of a kind that are held, and at what value."""
    rows: list[list[int]] = listed(getattr(constraints, f"{kind}_atoms"))
    yield from zip(rows, listed(getattr(constraints, f"{kind}s")), strict=True)


def _named(kind: str, members: Sequence[int], value: float) -> str:
    return f"{kind} {'-'.join(str(atom + 1) for atom in members)} at {value:.5g}{UNITS[kind]}"


def excess(kind: str, found: float, value: float) -> float:
    """Return how far a coordinate is beyond a value, in Å or degrees."""
    return (found - value + 180) % 360 - 180 if kind == "dihedral" else found - value


def listed(array: Any) -> list[Any]:
    """Return an array of a `GeometryConstraints` as a list; empty for none."""
    return [] if array is None else array.tolist()
