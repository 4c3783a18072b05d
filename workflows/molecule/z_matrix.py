"""Positions of atoms from a Z-matrix: distances, angles and dihedral angles to earlier atoms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from ontologies.units import Floats

from .text import refuse
from .xyz import NUMBER

INNER = ("distance", "angle", "dihedral angle")
IN_LINE = 1e-6
"""Of a sine, below which three atoms lie in a line."""


def variables(lines: Sequence[str]) -> dict[str, float]:
    """Return the values of names that stand below a Z-matrix, as `r=0.96` or `r 0.96`."""
    found = dict[str, float]()
    for line in lines:
        words = line.replace("=", " ").split()
        if len(words) >= 2 and NUMBER.fullmatch(words[1]) and not NUMBER.fullmatch(words[0]):
            found[words[0].lower()] = float(words[1].replace("D", "e").replace("d", "e"))
    return found


def positions(
    path: Path, rows: Sequence[tuple[int, Sequence[str]]], named: Mapping[str, float]
) -> Floats:
    """Return positions, in the unit of the distances, shape (atoms, 3).

    The first atom lies at the origin, the second along z.

    Args:
        path: what the file is called in messages.
        rows: the number of a line and its words: a label, and up to three pairs of an earlier atom,
            by number or label, and a distance, angle or dihedral angle in degrees.
        named: values of names.

    Raises:
        InputError: a row is none; says the line.
    """
    placed = np.zeros((len(rows), 3))
    labels = [words[0].lower() for _, words in rows]
    for at, (number, words) in enumerate(rows):

        def wrong(found: str, number: int = number) -> NoReturn:
            refuse(path, f"line {number}: {found}")

        pairs = [*zip(words[1::2], words[2::2], strict=False)]
        if len(words) != 1 + 2 * min(at, 3):
            wrong(f"atom {at + 1} of a Z-matrix has {min(at, 3)} pairs of an atom and a value")
        atoms, values = list[int](), list[float]()
        for (atom, value), what in zip(pairs, INNER, strict=False):
            place = int(atom) - 1 if atom.isdecimal() else -1
            if not atom.isdecimal() and labels[:at].count(atom.lower()) == 1:
                place = labels.index(atom.lower())
            if not 0 <= place < at or place in atoms:
                wrong(f"{atom[:20]!r} is no other atom before it")
            bare = value.lstrip("+-").lower()
            if NUMBER.fullmatch(value):
                size = float(value.replace("D", "e").replace("d", "e"))
            elif bare in named:
                size = -named[bare] if value.startswith("-") else named[bare]
            else:
                wrong(f"the {what} {value[:20]!r} has no value below")
            atoms.append(place)
            values.append(size)
        if values and not 0 < values[0] < 1e4:
            wrong(f"a distance of {values[0]:g} cannot be")
        if len(values) > 1 and not 0 <= values[1] <= 180:
            wrong(f"an angle of {values[1]:g}° cannot be")
        near = [placed[one] for one in atoms]
        match len(near):
            case 0:
                pass
            case 1:
                placed[at] = near[0] + [0, 0, values[0]]
            case 2:
                axis = (near[1] - near[0]) / np.linalg.norm(near[1] - near[0])
                bend = np.radians(values[1])
                placed[at] = near[0] + values[0] * (
                    np.cos(bend) * axis + np.sin(bend) * _across(axis)
                )
            case _:
                axis = (near[1] - near[0]) / np.linalg.norm(near[1] - near[0])
                normal = np.cross(near[2] - near[1], axis)
                size = float(np.linalg.norm(normal))
                bend, turn = np.radians(values[1:3])
                if size < IN_LINE * float(np.linalg.norm(near[2] - near[1])):
                    wrong("the three atoms that it refers to lie in a line: its dihedral is open")
                normal /= size
                beside = np.cross(axis, normal)
                # the dihedral is zero on the side of the third atom
                across = np.cos(turn) * beside + np.sin(turn) * normal
                placed[at] = near[0] + values[0] * (np.cos(bend) * axis + np.sin(bend) * across)
    return placed


def _across(axis: Floats) -> Floats:
    """Return a direction across the axis of the first two atoms, which is z: it is x."""
    other = np.array([1.0, 0, 0]) - axis[0] * axis
    return other / np.linalg.norm(other)


def is_row(words: Sequence[str]) -> bool:
    """Return whether a line may be one of a Z-matrix: no first atom with coordinates behind it."""
    return len(words) in (1, 3, 5, 7) and bool(re.fullmatch(r"[A-Za-z]{1,2}\d{0,4}", words[0]))
