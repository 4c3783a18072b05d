"""What a language model may see: names and single values, never arrays or structures."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Set
from typing import Any, cast

from pydantic import BaseModel

from ogm import GraphModel

LETTERS = 200
"""The longest text that is shown."""

ENTRIES = 20
"""The most entries of a collection that are shown."""

NUMBER = re.compile(r"-?\d+\.\d+")
FEW = 4
"""Decimal numbers in a text beyond which it looks like coordinates."""


def digest(value: Any, depth: int = 4) -> Any:
    """Return what may be shown of a value, ready for JSON.

    Objects of the graph become their IRIs; what is left out is replaced by a word on what it was.

    Args:
        value: anything.
        depth: how deep objects within objects are shown.
    """
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            return _text(value)
        case GraphModel():
            return value.iri if value.has_iri else _left_out(value)
        case _ if depth == 0:
            return _left_out(value)
        case BaseModel():
            fields = {name: getattr(value, name) for name in type(value).model_fields}
            return _entries(fields, depth)
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
            return _entries(fields, depth)
        case tuple() if hasattr(cast(Any, value), "_asdict"):
            return _entries(cast(Any, value)._asdict(), depth)
        case Mapping():
            return _entries(cast("Mapping[Any, Any]", value), depth)
        case Set():
            return _members(sorted(cast("Set[Any]", value), key=str))
        case list() | tuple():
            return _members(list(cast("list[Any]", value)))
        case _:
            return _left_out(value)


def _text(text: str) -> str:
    if len(text) > LETTERS or "\n" in text or len(NUMBER.findall(text)) > FEW:
        return f"(a text of {len(text)} letters)"
    return text


def _entries(found: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    shown = list(found.items())[:ENTRIES]
    return {_text(str(name)): digest(value, depth - 1) for name, value in shown}


def _members(found: list[Any]) -> Any:
    """Return a list of words or counts; a list of anything else could be coordinates."""
    plain = all(isinstance(one, str | bool | int | None) for one in found)
    if not plain or len(found) > ENTRIES:
        return f"({len(found)} values)"
    return [digest(one) for one in found]


def _left_out(value: Any) -> str:
    return f"({type(value).__name__})"
