"""Conditions on the rows of a table, such as `gap > 0.3` or `status = failed`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from triplestore.errors import InputError
from workflows.text.names import named

_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
}
_CONDITION = re.compile(r"(.+?)\s*(<=|>=|!=|==?|<|>)\s*(.+)")

_WITH_UNIT = re.compile(r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?) ?([A-Za-zÅ°µ%][\w/·^⁻¹-]{0,11})")
"""A number with its unit."""

LONGEST = 60
"""Characters of a condition that are told again."""


@dataclass(frozen=True)
class Condition:
    """What a row has to fulfil.

    Attributes:
        name: of a column.
        sign: one of < <= = != >= >.
        value: a number or a text.
    """

    name: str
    sign: str
    value: float | str

    @classmethod
    def every(cls, texts: Iterable[str]) -> list[Condition]:
        """Read conditions, several of a text with `and` between them.

        Raises:
            InputError: one is none.
        """
        apart = (one for text in texts for one in re.split(r"(?i)\s+and\s+|\s*&&?\s*", text))
        return [cls.read(one) for one in apart]

    @classmethod
    def read(cls, text: str) -> Condition:
        """Read a condition; a number may have a unit: `gap > 12 eV` is `gap_eV > 12`.

        Raises:
            InputError: it is none.
        """
        match = _CONDITION.fullmatch(text.strip())
        if match is None:
            said = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
            raise InputError(
                f"rows where {said!r} were asked for",
                "that is no condition",
                "write a column, one of < <= = != >= >, and a value, such as gap > 0.3",
            )
        name, sign, said = match[1].strip(), match[2].replace("==", "="), match[3].strip()
        value = as_number(said.strip("'\""))
        if unit := _WITH_UNIT.fullmatch(said):
            name, value = named(name, unit[2]), float(unit[1])
        if sign in ("<", ">", "<=", ">=") and not isinstance(value, float):
            raise InputError(
                f"rows where {text[:LONGEST]!r} were asked for",
                f"{said[:LONGEST]!r} is no number",
                "give one, such as gap > 0.3 or gap > 8 eV; several with `and` between them",
            )
        return cls(name, sign, value)

    def holds(self, value: Any) -> bool:
        """Tell whether it holds of a value; what is not known fulfils none."""
        if value is None:
            return False
        found, wanted = as_number(value), self.value
        if isinstance(found, float) is not isinstance(wanted, float):
            found, wanted = str(found), str(wanted)
        return _COMPARED[self.sign](found, wanted)


def as_number(value: Any) -> Any:
    """Return a number, also of a text that is one; anything else as it is."""
    if isinstance(value, bool):
        return str(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return value
    return number if math.isfinite(number) else str(value)
