"""Which expressions derive a number from others, and which only write one down.

`known*0 - 76 - 412/1000` is made of a known number and of small whole ones, and is a number that
somebody typed. So a sum is tried with other numbers in the place of the known ones: what it comes
to changes, and grows as they do when all of them grow alike. Whole numbers are factors, such as
those of a reaction, never summands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ontologies.conversion import evaluate, operands
from triplestore.errors import InputError

SMALL = 1000
"""Whole numbers up to here need no source."""

FREE = frozenset({
    4.184, 4184.0, 273.15, 101325.0, 1.01325, 3600.0, 86400.0, 1.602176634e-19, 1.602176634,
    6.02214076e23, 6.02214076, 1.380649e-23, 1.380649, 6.62607015e-34, 6.62607015, 299792458.0,
    2.99792458e10, 2.99792458, 8.31446261815324,
})  # fmt: skip
"""Exact factors of units, and the constants that define the SI, with and without their powers."""

LESS_THAN = ("", "%")
"""Units of what has none."""


@dataclass(frozen=True)
class Operand:
    """Where a number in a sum comes from.

    Attributes:
        source: see `Number`; empty for a factor that needs none.
        unit: that it is known in.
        rests_on: see `Number`.
    """

    source: str = ""
    unit: str = ""
    rests_on: tuple[str, ...] = ()


def is_free(value: float) -> bool:
    """Tell whether a constant needs no source: small whole ones, powers of ten, exact factors."""
    size = abs(value)
    power = f"{size:.15e}".startswith("1.000000000000000e")
    return (size <= SMALL and size == int(size)) or power or size in FREE


def is_derived(text: str, parts: Sequence[Operand | None], unit: str) -> bool:
    """Tell whether a sum derives a number from known ones.

    Args:
        text: the sum.
        parts: where its numbers come from, in the order of `operands`; None for nowhere.
        unit: of what it comes to; empty for none that is known.
    """
    known = [at for at, one in enumerate(parts) if one is not None and one.source]
    if not parts or None in parts:
        return False
    if not known:
        return len(parts) == 1 and operands(text) == [1.0] and unit not in LESS_THAN
    alike = [at for at in known if (one := parts[at]) is not None and one.unit == unit]
    try:
        value = evaluate(text)
        if not value:
            return True
        numbers = operands(text)
        sizes = [*dict.fromkeys(abs(numbers[at]) for at in known)]  # equal ones change alike
        other = evaluate(text, {at: 1.3 + 0.17 * sizes.index(abs(numbers[at])) for at in known})
        if abs(other - value) <= 1e-4 * abs(value):
            return False
        if unit not in LESS_THAN and alike:
            return _same(evaluate(text, dict.fromkeys(alike, 2.0)), 2 * value)
        twice, four = (evaluate(text, dict.fromkeys(known, by)) for by in (2.0, 4.0))
    except InputError:
        return False
    even = _same(four * value, twice * twice)
    return even and (unit in LESS_THAN or not _same(twice, value))


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
