"""Counts, numbers, times, amounts of memory, lists and numbered atoms in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SPELT = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(value: float) -> str:
    """Return a number as it is written within a sentence, up to ten in words: `six`, `1.4`."""
    whole = round(value)
    return SPELT[whole] if value == whole and 0 < whole < len(SPELT) else f"{value:.2g}"


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural where it is due."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Sequence[str]) -> str:
    """Return several things as a list in words: `an energy, a spectrum and charges`."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def first_line(value: object) -> object:
    """Return a text of several lines by its first, as a basis set of one's own has its name there.

    Anything else is returned as it is.
    """
    return value.partition("\n")[0] if isinstance(value, str) else value


def numbered(symbols: Iterable[str]) -> list[str]:
    """Return names of atoms: their symbols with their numbers, counted from 1."""
    return [f"{symbol}{number}" for number, symbol in enumerate(symbols, 1)]


def duration(seconds: float) -> str:
    """Return a time in words, with two figures."""
    for unit, length in (("year", 31_557_600), ("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            value = seconds / length
            shown = f"{value:.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
            return f"{shown} {unit}s"
    return f"{seconds:.0f} seconds" if seconds >= 1.5 else "a second"


def storage(megabytes: float) -> str:
    """Return an amount of memory in words, with two figures."""
    return f"{megabytes / 1000:,.1f} GB" if megabytes < 9950 else f"{megabytes / 1000:,.0f} GB"
