"""Lengths and angles of the bonds that are drawn of a structure."""

from __future__ import annotations

import math
from itertools import combinations

from workflows.show.blocks import Structure

MOST_LENGTHS, MOST_ANGLES = 30, 12
"""Atoms of a structure of which lengths are told, and angles."""


def lengths(drawn: Structure) -> dict[str, float]:
    """Return the lengths of bonds in Å by their atoms, counted from 1: `O1-H2`."""
    if len(drawn.symbols) > MOST_LENGTHS:
        return {}
    where = drawn.positions
    return {
        f"{_atom(drawn, i)}-{_atom(drawn, j)}": round(math.dist(where[i], where[j]), 4)
        for i, j, _ in drawn.bonds
    }


def angles(drawn: Structure) -> dict[str, float]:
    """Return the angles between bonds at an atom in degrees: `H2-O1-H3`."""
    if len(drawn.symbols) > MOST_ANGLES:
        return {}
    beside: dict[int, list[int]] = {}
    for i, j, _ in drawn.bonds:
        beside.setdefault(i, []).append(j)
        beside.setdefault(j, []).append(i)
    return {
        "-".join(_atom(drawn, n) for n in (i, middle, j)): round(_angle(drawn, i, middle, j), 2)
        for middle, others in sorted(beside.items())
        for i, j in combinations(sorted(others), 2)
    }


def _atom(drawn: Structure, number: int) -> str:
    return f"{drawn.symbols[number]}{number + 1}"


def _angle(drawn: Structure, i: int, middle: int, j: int) -> float:
    at = drawn.positions[middle]
    one, other = ([a - b for a, b in zip(drawn.positions[n], at, strict=True)] for n in (i, j))
    cosine = sum(a * b for a, b in zip(one, other, strict=True))
    return math.degrees(math.acos(max(-1, min(1, cosine / math.hypot(*one) / math.hypot(*other)))))
