"""Blocks as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

from workflows.blocks import Block, Section


def jsonable(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """Return sections as JSON can hold them; what is left out is empty, or `minor` and not so.

    Each block says its kind: `fact`, `table`, `chart`, `structure` or `note`. Numbers that JSON
    does not know are null.
    """
    return [
        {
            **{name: value for name, value in vars(section).items() if name != "blocks" and value},
            "blocks": [block_as_dict(block) for block in section.blocks],
        }
        for section in sections
    ]


def block_as_dict(block: Block) -> dict[str, Any]:
    """Return a block with its kind."""
    return {"kind": type(block).__name__.lower(), **_plain(block)}


def _plain(node: Any) -> Any:
    if is_dataclass(node):
        pairs = [(one, getattr(node, one.name)) for one in fields(node)]
        return {
            one.name: _plain(value)
            for one, value in pairs
            if one.default is MISSING or value != one.default
        }
    if isinstance(node, tuple):
        return [_plain(one) for one in cast("tuple[Any, ...]", node)]
    return None if isinstance(node, float) and not math.isfinite(node) else node
