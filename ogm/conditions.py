"""What a field may be compared with in a search, besides a value that it equals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .equality import same_value


@dataclass(frozen=True)
class Condition:
    """A comparison of a field with values.

    Attributes:
        values: what it is compared with, of the field's type.
        expression: in SPARQL, with `{0}` for the field and `{1}`, `{2}`, … for the values; empty:
            it is one of the values.
        holds: tells the same in Python, of a value and what it is compared with.
        compares: whether numbers are compared by size, which stores do up to 64 bits.
        beyond: in SPARQL, what holds of an integer of more than 64 bits.
    """

    values: tuple[Any, ...]
    expression: str
    holds: Callable[..., bool]
    compares: bool = True
    beyond: str = "false"


def above(least: Any) -> Condition:
    """Match what is greater: numbers, times, texts."""
    return Condition((least,), "{0} > {1}", _above, beyond='!STRSTARTS(STR({0}), "-")')


def below(most: Any) -> Condition:
    """Match what is smaller: numbers, times, texts."""
    return Condition((most,), "{0} < {1}", _below, beyond='STRSTARTS(STR({0}), "-")')


def between(least: Any, most: Any) -> Condition:
    """Match what lies between two bounds, both included."""
    return Condition((least, most), "{0} >= {1} && {0} <= {2}", _between)


def one_of(*values: Any) -> Condition:
    """Match any of these values."""
    return Condition(values, "", _one_of, compares=False)


def containing(part: str) -> Condition:
    """Match texts that contain this one, capital or small letters alike."""
    return Condition((part,), "CONTAINS(LCASE(STR({0})), LCASE({1}))", _containing, compares=False)


def _above(value: Any, least: Any) -> bool:
    return value > least


def _below(value: Any, most: Any) -> bool:
    return value < most


def _between(value: Any, least: Any, most: Any) -> bool:
    return least <= value <= most


def _one_of(value: Any, *values: Any) -> bool:
    return any(same_value(value, one) for one in values)


def _containing(value: Any, part: str) -> bool:
    return part.lower() in value.lower()
