"""Spellings that do not matter, and names that are near."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_SPELT = str.maketrans("ωΩΩ²³", "www23")
_ASCII = {"cm⁻¹": "cm-1", "°C": "degC"}
"""Units as they stand in names, where people write them otherwise."""
_LEFT_OUT = re.compile(r"[-_\s‐‑–−]")


def plain(name: str) -> str:
    """Return a name without what does not matter: case, spaces, hyphens and underscores.

    Greek omega, spelt as a letter or in full, becomes w; raised figures become plain ones.
    """
    return _LEFT_OUT.sub("", name.translate(_SPELT).lower()).replace("omega", "w")


def spelt_out(name: str) -> str:
    """Return the name of a class as words, such as `add up` for `AddUp`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def named(name: str, unit: str) -> str:
    """Return a name with its unit, such as `energy_Eh`."""
    return "_".join(filter(None, (name, _ASCII.get(unit, unit))))


def nearest(key: str, names: Mapping[str, str], count: int = 3) -> list[str]:
    """Return the usual names whose plain spellings are nearest to a plain spelling.

    Args:
        key: what was asked for.
        names: usual names by their plain spellings.
        count: how many at most.
    """
    import difflib

    return unique(names[match] for match in difflib.get_close_matches(key, names, count, 0.6))


def called(model: object) -> str:
    """Return what an object is called: its label, name or formula; empty if it has none."""
    for name in ("label", "name", "formula"):
        value = getattr(model, name, "")
        if isinstance(value, str) and value:
            return value
    return ""


def unique(names: Iterable[str]) -> list[str]:
    """Return names in their order, each once."""
    return list(dict.fromkeys(names))


def number(value: float) -> str:
    """Return a number in as few digits as tell it from every other."""
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))
