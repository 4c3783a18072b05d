"""What a field may be compared with in a search, besides a value that it equals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Condition:
    """A comparison of a field with values.

    Attributes:
        values: what it is compared with, of the field's type.
        expression: in SPARQL, with `{0}` for the field and `{1}`, `{2}`, … for the values; empty:
            it is one of the values.
        compares: whether numbers are compared by size, which stores do up to 64 bits.
    """

    values: tuple[Any, ...]
    expression: str
    compares: bool = True


def above(least: Any) -> Condition:
    """Match what is greater: numbers, times, texts."""
    return Condition((least,), "{0} > {1}")


def below(most: Any) -> Condition:
    """Match what is smaller: numbers, times, texts."""
    return Condition((most,), "{0} < {1}")


def between(least: Any, most: Any) -> Condition:
    """Match what lies between two bounds, both included."""
    return Condition((least, most), "{0} >= {1} && {0} <= {2}")


def one_of(*values: Any) -> Condition:
    """Match any of these values."""
    return Condition(values, "", compares=False)


def containing(part: str) -> Condition:
    """Match texts that contain this one, capital or small letters alike."""
    return Condition((part,), "CONTAINS(LCASE(STR({0})), LCASE({1}))", compares=False)
