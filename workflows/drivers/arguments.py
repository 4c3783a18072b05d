"""An argument of a command, from what its declaration says and what words beside it say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import ValidationError

from workflows.engine.devices.card import Argument
from workflows.engine.devices.terms import Value
from workflows.text.safe_text import on_one_line

from .docstrings import Told

SHOWN = 100
"""Letters of a text that is asked about."""

Ask: TypeAlias = Callable[[str], None]
"""Writes a question down."""


@dataclass(frozen=True)
class Declared:
    """What the declaration of an argument says.

    Attributes:
        kind: `int`, `float`, `str` or `bool`; empty where it does not say.
        choices: the values that it can have; empty for any.
        low: the smallest value; None where it does not say.
        high: likewise.
        optional: whether it may be left out.
        default: its value then.
    """

    kind: str = ""
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    optional: bool = False
    default: Value = None


def argument(name: str, had: Declared, said: Told, ask: Ask, ask_there: Ask) -> Argument:
    """Return an argument; what is declared counts before what is said.

    Args:
        name: of it.
        had: its declaration.
        said: the words beside it.
        ask: asks what is not known of it.
        ask_there: likewise, of its declaration.
    """
    kind, value = had.kind or said.kind, had.default
    if not kind and isinstance(value, bool | int | float | str):
        kind = type(value).__name__
    if not kind:
        kind = "str"
        ask_there("is it int, float, bool or str")
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    low, high, unit = (
        said.low if had.low is None else had.low,
        said.high if had.high is None else had.high,
        "",
    )
    if kind in ("int", "float"):
        unit, blind = said.unit, kind == "float" and not said.unit
        if low is not None and high is not None and low > high:
            ask(f"{name} is said to be from {low:g} to {high:g}; which is it")
            low = high = None
        elif said.doubt:
            asks = f"which limits has {name} ({said.doubt})"
            ask(f"{asks}: {on_one_line(said.text)[:SHOWN]!r}")
        elif low is None and high is None and not had.choices:
            unknown = "limits, and which unit," if blind else "limits"
            ask(f"which {unknown} has {name}" + (" (none for a plain number)" if blind else ""))
            blind = False
        if blind:
            ask(f"which unit has {name} (none for a plain number)")
    else:
        low = high = None
    about = on_one_line(said.text)[:200]
    more: dict[str, Any] = {
        "kind": kind, "choices": had.choices, "low": low, "high": high, "unit": unit,
        "optional": had.optional, "default": value, "about": about,
    }  # fmt: skip
    try:
        return Argument(**more)
    except ValidationError as error:
        reason = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        ask_there(f"it contradicts itself ({on_one_line(reason)[:100]}); what holds")
        keep: dict[str, Any] = {"kind": kind, "about": about, "unit": unit}
        return Argument(**keep, optional=had.optional)
