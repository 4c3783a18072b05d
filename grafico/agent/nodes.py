"""JSON of tools and models, of which nobody has said what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

REPEATED = ("asked", "found", "advice")
"""Names of the texts of an error, which rules repeat in their answers."""


def leaves(node: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Iterate over the texts of what a tool found, each with the name that it stands under."""
    if isinstance(node, str):
        yield name, node
    elif isinstance(node, Mapping):
        for key, value in cast("Mapping[str, Any]", node).items():
            yield from leaves(value, key)
    elif isinstance(node, list | tuple):
        for value in cast("list[Any]", node):
            yield from leaves(value, name)


def as_arguments(given: Any) -> Mapping[str, Any]:
    """Return the arguments of a call, which may be JSON; none if they are no object."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return {}
    return mapping_of(given)


def mapping_of(node: Any) -> Mapping[str, Any]:
    """Return an object of JSON; an empty one for anything else."""
    return cast("Mapping[str, Any]", node) if isinstance(node, Mapping) else {}


def list_of(node: Any) -> list[Any]:
    """Return a list; an empty one for anything else."""
    return list(cast("Sequence[Any]", node)) if isinstance(node, list | tuple) else []


def rows_of(node: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list, as many as it has items."""
    return [mapping_of(one) for one in list_of(node)]
