"""Numbers as people write them."""

from __future__ import annotations

RAISED = dict(zip("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
"""Digits of a power of ten."""


def number(value: float, digits: str = "") -> str:
    """Write a number, with a real minus and powers of ten raised.

    Args:
        value: the number.
        digits: as in `format`; empty for six significant digits.
    """
    said = format(value, digits or ",.6g")
    mantissa, _, power = said.partition("e")
    if power:
        raised = str(int(power)).translate(str.maketrans(RAISED))
        said = f"{mantissa}×10{raised}"
    elif said.lstrip("+-").strip("0.") == "":
        said = said.lstrip("+-")  # what is rounded to zero has no sign
    return said.replace("-", "−")
