"""The numbers that blocks show, by name, as Python is handed them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping

from workflows.text.names import named

from .blocks import Fact, Section

BESIDE = ("about", "how")
"""Sections that say what was asked and how it came about."""


def single_numbers(facts: Iterable[Fact]) -> Iterator[tuple[str, float]]:
    """Iterate over the single numbers of facts, with their units in the names: `dipole_D`.

    What is said in one breath with a fact counts as well: the same in another unit, by the name of
    the fact.
    """
    for fact in facts:
        for one in (fact, *fact.also):
            name, value = one.name or fact.name, one.value
            if name and isinstance(value, int | float) and not isinstance(value, bool):
                yield named(name, one.unit), value


def numbers_of(sections: Iterable[Section]) -> dict[str, float]:
    """Return the single numbers that sections show; of several of a name the first."""
    told = (one for section in sections if section.name not in BESIDE for one in section.blocks)
    found: dict[str, float] = {}
    for name, value in single_numbers(one for one in told if isinstance(one, Fact)):
        found.setdefault(name, value)
    return found


def near_numbers(name: str, numbers: Mapping[str, float]) -> str:
    """Return in words which numbers are called nearly so; empty where none is."""
    within = [one for one in numbers if name.lower() in one.lower()]
    near = within or difflib.get_close_matches(name, numbers, 3, 0.5)
    return ", ".join(f".values[{one!r}] is {numbers[one]:.6g}" for one in near[:3])
