"""Fields of a settings file as a person is shown them: whole, but for what looks like a secret."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit, urlunsplit

from pydantic.fields import FieldInfo

from workflows.trust.powers import can, sections

from .trust import Name

BARE = re.compile(r"[A-Za-z0-9_-]+")

SECRET = re.compile(
    r"(?:^|[_.-])(?:api_?key|key|token|secret|password|passwd|passphrase|pwd|credentials?|auth|"
    r"authorization)$",
    re.IGNORECASE,
)
"""How the name of a secret ends."""

HIDDEN = re.compile(r"[\w+=~-][\w+=~.:@%-]*")
"""What is hidden can be no path and no command: those a person has to see."""

ASSIGNED = re.compile(
    r"(?<![\w.-])((?:[\w.-]*(?:api_?key|token|secret|password|passwd|passphrase)\s*[=:]\s*)"
    r"|(?:--?[\w-]*(?:api_?key|token|secret|password|passwd|passphrase)\s+))"
    r"((?=[\w+~%-]*\d)[\w+~-][\w+~%-]{7,})(?![^\s'\";,|&])",
    re.IGNORECASE,
)
"""A secret in a text: `TOKEN=…` or `--token …`, with a digit, which few programs' names have."""


def shown(
    fields: Mapping[Name, Any], known: Mapping[str, FieldInfo]
) -> dict[str, tuple[str, str, str]]:
    """Return of each value how it is shown, its digest, and what it can do, by its whole name.

    Args:
        fields: with powers, by name; tables in them are taken apart.
        known: the fields of the settings.
    """
    found: dict[str, tuple[str, str, str]] = {}
    for name, value in sorted(fields.items()):
        powers = ", ".join(power.value for power in _powers(name, known))
        for path, leaf in _leaves(name, value):
            text = json.dumps(leaf, default=str)
            mark = hashlib.sha256(json.dumps([list(path), text]).encode()).hexdigest()
            found[_spelled(path)] = (json.dumps(_veiled(path[-1], leaf), default=str), mark, powers)
    return found


def _powers(name: Name, known: Mapping[str, FieldInfo]) -> tuple[Any, ...]:
    field = known.get(name[0])
    kind = sections(field)
    inner = kind.model_fields.get(name[2]) if kind is not None and len(name) > 2 else None
    return can(inner if kind is not None else field).powers


def _leaves(path: Name, value: Any) -> Iterator[tuple[Name, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in cast("dict[str, Any]", value).items():
            yield from _leaves((*path, key), inner)
    else:
        yield path, value


def _spelled(path: Name) -> str:
    return ".".join(one if BARE.fullmatch(one) else json.dumps(one) for one in path)


def _veiled(name: str, value: Any) -> Any:
    """Return a value without what looks like a secret."""
    if isinstance(value, list):
        return [_veiled(name, one) for one in cast("list[Any]", value)]
    if not isinstance(value, str):
        return value
    if SECRET.search(name) and HIDDEN.fullmatch(value):
        return _hidden(value)
    return ASSIGNED.sub(lambda m: m[1] + _hidden(m[2]), _plain_url(value))


def _hidden(text: str) -> str:
    return f"(hidden, {len(text)} characters)"


def _plain_url(text: str) -> str:
    """Return a URL without its password and its parameters' values; any other text as it is."""
    if not re.match(r"[a-z][a-z0-9+.-]*://\S+$", text, re.IGNORECASE):
        return text
    try:
        parts = urlsplit(text)
    except ValueError:
        return text
    user, at, host = parts.netloc.rpartition("@")
    query = re.sub(r"=[^&]*", "=(hidden)", parts.query)
    netloc = f"{'(hidden)' if user else ''}{at}{host}"
    return urlunsplit(SplitResult(parts.scheme, netloc, parts.path, query, parts.fragment))
