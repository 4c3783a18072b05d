"""Lists of whole numbers as a person writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast


def whole_numbers(given: object) -> object:
    """Return the numbers of a text, or of several, such as `1,3,5` or `1 -1`; else what was given.

    What is no number stays as it is, so that validation can say so.
    """
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list | tuple):
        return given
    found: list[object] = []
    for one in cast("Iterable[object]", given):
        found += (
            [part for part in re.split(r"[,;\s]+", one) if part] if isinstance(one, str) else [one]
        )
    return tuple(found)
