"""Words for people."""

from __future__ import annotations


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural where it is due."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
