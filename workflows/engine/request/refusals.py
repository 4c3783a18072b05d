"""What a person is told of what cannot be asked: what was asked, what is there, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any, cast

from pydantic_core import ErrorDetails, PydanticCustomError

from triplestore.errors import InputError
from workflows.text.words import listed

from .with_units import LONGEST

SURE = 0.75
"""How like a field a name is, from 0 to 1, that is a slip of it, so that no others are listed."""

REFUSED = "refused"
"""The type of a validation error whose three parts are told apart in its context."""


def refusal(asked: str, found: str, advice: str) -> PydanticCustomError:
    """Return what a validator raises, with the three parts of an `InputError`."""
    parts: dict[str, Any] = {"asked": asked, "found": found, "advice": advice}
    return PydanticCustomError(REFUSED, "{asked}; {found}; {advice}", parts)


def refuse_unknown(known: Collection[str], said: Mapping[str, Any]) -> None:
    """Refuse what no form takes, all of it at once.

    Args:
        known: the fields that there are.
        said: what was asked.

    Raises:
        InputError: says what was meant, perhaps, and what there is.
    """
    strange = [name for name in said if name not in known]
    if not strange:
        return
    close = {name: difflib.get_close_matches(name, known, 1) for name in strange}
    meant = listed([f"{found[0]} ({name})" for name, found in close.items() if found])
    sure = all(difflib.get_close_matches(name, known, 1, SURE) for name in strange)
    every = "" if sure else f"there are: {', '.join(known)}"
    raise InputError(
        f"{listed([field_text(name, said[name]) for name in strange])} was asked for",
        "there is no such field",
        ". ".join(filter(None, [f"did you mean {meant}?" if meant else "", every])),
    )


def field_text(name: str, value: object) -> str:
    """Return a field and its value as they are written in Python, what is long by its beginning."""
    many = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
    text = ", ".join(map(repr, many))
    return f"{name}={text if len(text) <= LONGEST else text[:LONGEST] + '…'}"


def parts_of(item: ErrorDetails, schema: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return what was asked, what is there and what to do, of one thing that was refused."""
    if item["type"] == REFUSED:
        said = item.get("ctx", {})
        return said["asked"], said["found"], said["advice"]
    name = str(item["loc"][0]) if item["loc"] else ""
    message = item["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    if item["type"] == "missing":
        return f"a request without {name} was made", "it is required", f"give `{name}`"
    field = schema.get(name, {})
    advice = f"give {_possible(field)}" if field else "leave it out"
    return f"{field_text(name, item['input'])} was asked for", f"it must be {message}", advice


def _possible(field: Mapping[str, Any]) -> str:
    """Return in words what a field of a schema takes."""
    kinds: list[Mapping[str, Any]] = [field, *field.get("anyOf", ()), field.get("items", {})]
    for kind in kinds:
        if choices := kind.get("enum"):
            return " or ".join(filter(None, [", ".join(choices[:-1]), choices[-1]]))
        if "minimum" in kind and "maximum" in kind:
            return f"{kind['minimum']:g} to {kind['maximum']:g}"
        if "minimum" in kind:
            return f"{kind['minimum']:g} or more"
        if "exclusiveMinimum" in kind:
            return f"a number above {kind['exclusiveMinimum']:g}"
    return str(field.get("description", "another value"))
