"""The numbers that blocks show, by name, as Python is handed them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from workflows.text.names import named

from .blocks import Fact, Section

BESIDE = ("about", "how")
"""Sections that say what was asked and how it came about."""


def numbers_of(sections: Iterable[Section]) -> dict[str, float]:
    """Return the single numbers that sections show, with their units in the names: `dipole_D`."""
    found: dict[str, float] = {}
    for section in sections:
        for block in section.blocks if section.name not in BESIDE else ():
            for one in (block, *block.also) if isinstance(block, Fact) else ():
                if one.name and isinstance(one.value, int | float):
                    found.setdefault(named(one.name, one.unit), one.value)
    return found


def near_numbers(name: str, numbers: Mapping[str, float]) -> str:
    """Return in words which numbers are called nearly so; empty where none is."""
    within = [one for one in numbers if name.lower() in one.lower()]
    near = within or difflib.get_close_matches(name, numbers, 3, 0.5)
    return ", ".join(f".values[{one!r}] is {numbers[one]:.6g}" for one in near[:3])
