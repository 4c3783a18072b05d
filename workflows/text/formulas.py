"""Formulas as people write them."""

from __future__ import annotations

import re
from collections import Counter

from ontologies.elements import SYMBOLS, hill_order
from triplestore.errors import InputError

_PART = re.compile(r"([A-Z][a-z]?)(\d{0,6})")


def hill(formula: str) -> str:
    """Return a formula in Hill's order, whichever order it is written in: `C2H5OH` is `C2H6O`.

    Raises:
        InputError: it is no formula of elements.
    """
    word = "".join(formula.split())
    parts = [(part[1], part[2]) for part in _PART.finditer(word)]
    whole = "".join(symbol + times for symbol, times in parts) == word != ""
    if not whole or any(symbol not in SYMBOLS[1:] for symbol, _ in parts):
        asked = f"the formula {formula[:50]!r} was asked for"
        raise InputError(asked, "it is none", "write one such as C2H6O or C2H5OH")
    counts = Counter[str]()
    for symbol, times in parts:
        counts[symbol] += int(times or 1)
    return hill_order(counts)
