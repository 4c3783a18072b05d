"""Numbers as people write them with a unit behind."""

from __future__ import annotations

import re
from typing import Annotated, Any, get_args, get_origin

from pydantic.fields import FieldInfo

from ogm import Unit
from ontologies.units import symbol
from triplestore.errors import InputError

LONGEST = 80
"""Characters of a value that are shown."""

MEASURED = re.compile(
    r"\s*([+\-−]?\d{1,15}(?:\.\d{0,15})?(?:[eE][+-]?\d{1,3})?+)\s*([^\W\d_]|[°%‰])(.{0,79})"
)
"""A number with a unit behind it."""

DEGREES = {"C": "degC", "F": "degF"}
"""Letters that mean a temperature where one is asked for, and charges otherwise."""


def unit_of(field: FieldInfo) -> str:
    """Return the unit of the number that a field takes, as people write it; empty for none."""
    rules: list[Any] = [*field.metadata]
    for part in (field.annotation, *get_args(field.annotation)):
        rules += get_args(part)[1:] if get_origin(part) is Annotated else ()
    return next((symbol(rule) for rule in rules if isinstance(rule, Unit)), "")


def written_unit(text: str) -> str:
    """Return the unit that is written behind a number; empty for none."""
    found = MEASURED.fullmatch(text)
    return f"{found[2]}{found[3]}".strip() if found else ""


def in_unit(text: str, unit: str) -> float | None:
    """Return a number that has a unit behind it in another unit: 298.15 of `25 °C` in K.

    Args:
        text: what was written.
        unit: the one that is wanted, as people write it.

    Returns:
        None for a text that is no number with a unit.

    Raises:
        InputError: its unit is not known, or measures something else.
    """
    from ontologies.conversion import convert, same_kind

    found = MEASURED.fullmatch(text)
    if found is None:
        return None
    value, written = float(found[1].replace("−", "-")), written_unit(text)
    for one in (written, DEGREES.get(written, "")):
        if one and same_kind(one, unit):
            return float(f"{convert(value, one, unit):.12g}")
    raise InputError(
        f"{text[:LONGEST]!r} was given where a number in {unit} is asked for",
        f"{written!r} is no unit of what is measured in {unit}",
        f"give the number alone, in {unit}, or with a unit that measures the same",
    )
