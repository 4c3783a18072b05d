"""Registry numbers of CAS: a table of common ones, and whether a number can be one at all.

A number says nothing of a structure: what the table lacks, only a look-up knows.
"""

from __future__ import annotations

import csv
import functools
import re
from importlib.resources import files

NUMBER = re.compile(
    r"(?:cas\b[\s:.#]*(?:(?:rn|no|number|registry)\b[\s:.#]*)*)?(\d{2,7}-\d\d-\d)", re.I
)


def registry_number(text: str) -> str:
    """Return the number in a text that is nothing else (`CAS 50-78-2`); empty where none is."""
    match = NUMBER.fullmatch(text.strip())
    return match[1] if match else ""


def check_digit(number: str) -> int:
    """Return what the last digit of a number should be.

    Source: https://www.cas.org/support/documentation/chemical-substances/checkdig
    """
    digits = number.replace("-", "")[:-1]
    return sum(place * int(digit) for place, digit in enumerate(reversed(digits), 1)) % 10


@functools.cache
def numbers() -> dict[str, str]:
    """Return the names of the table by their registry numbers.

    Source: PubChem by way of the package chemicals 1.5.2 (MIT), by equal InChIKeys.
    """
    text = (files("workflows.molecule") / "cas.csv").read_text(encoding="utf-8")
    return {row["number"]: row["name"] for row in csv.DictReader(text.splitlines())}
