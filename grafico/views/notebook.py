"""Blocks as a notebook shows them: HTML, text and JSON at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workflows.show.blocks import Section


def bundle(sections: Sequence[Section]) -> dict[str, Any]:
    """Return what is shown of sections, by media type: a front end takes the one that it can."""
    from .html import fragment
    from .jsonable import jsonable
    from .text import text_of

    return {
        "text/html": fragment(*sections),
        "text/plain": text_of(sections),
        "application/json": jsonable(sections),
    }
