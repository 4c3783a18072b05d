"""Blocks in space, before they are a framework: what the builder makes, and is checked."""

from __future__ import annotations

from dataclasses import dataclass

from ontologies.units import Floats


@dataclass(frozen=True)
class Assembled:
    """Blocks in space.

    Attributes:
        numbers: atomic numbers.
        positions: in Å.
        members: which block each atom is of.
        bonds: pairs of bonded atoms within blocks.
        joints: pairs of atoms that are bonded where blocks meet, each with the length expected.
        twists: of planes that meet, in radians.
    """

    numbers: list[int]
    positions: Floats
    members: list[int]
    bonds: list[tuple[int, int]]
    joints: list[tuple[int, int, float]]
    twists: list[float]
