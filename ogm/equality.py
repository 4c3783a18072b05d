"""Whether two values, or two objects, are the same content."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .arrays import AnyArray, same

if TYPE_CHECKING:
    from .model import GraphModel

_NAN = ("not a number",)


def same_content(one: GraphModel, other: object) -> bool:
    """Compare class and content; IRIs and what has been loaded take no part."""
    stack: list[tuple[Any, Any]] = [(one, other)]
    while stack:
        first, second = stack.pop()
        if first is second:
            continue
        if type(first) is not type(second):
            return False
        for plan in cast("GraphModel", first).fields():
            ours, theirs = getattr(first, plan.name), getattr(second, plan.name)
            if plan.kind == "model" and plan.container == "one":
                stack.append((ours, theirs))  # not by recursion: chains may be long
            elif not same_value(ours, theirs):
                return False
    return True


def same_value(one: Any, other: Any) -> bool:
    """Compare two values of a field; arrays bit by bit, and NaN equals NaN."""
    if type(one) is str and type(other) is str:  # what most fields hold
        return one == other
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return (
            isinstance(one, np.ndarray)
            and isinstance(other, np.ndarray)
            and same(cast(AnyArray, one), cast(AnyArray, other))
        )
    return bool(comparable(one) == comparable(other))


def comparable(value: Any) -> Any:
    """Return something that is equal and hashes alike where values are the same."""
    if isinstance(value, float) and value != value:
        return _NAN
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)  # by the instant: where clocks are set back, == does not
    if isinstance(value, tuple):
        return tuple([comparable(item) for item in cast("tuple[Any, ...]", value)])
    if isinstance(value, frozenset):
        return frozenset([comparable(item) for item in cast("frozenset[Any]", value)])
    return value
