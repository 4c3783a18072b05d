"""Texts of others as they are shown: none commands a terminal, turns its order or hides in it.

A model, a web page, a file or another user's store may have written them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, cast

UNSEEN = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Characters without a shape that Unicode does not all count as controls: fillers, selectors, tags.

Source: Unicode 16, DerivedCoreProperties.txt, Default_Ignorable_Code_Point; and the empty pattern
of Braille.
"""

STACKED = 8
"""Marks on one letter; with hundreds a text paints over the lines around it."""

ODD = re.compile(r"[^\n\t -~]+")
_MARKS = ("Mn", "Me")
_BREAKS = ("Zl", "Zp")
_CONTROLS = ("Cc", "Cf", "Cs")


def printable(text: str) -> str:
    """Return a text without what would command the terminal, turn its order or be unseen.

    Line ends and tabs stay.
    """
    return ODD.sub(_cleaned, text)


def _cleaned(found: re.Match[str]) -> str:
    """Return what is shown of letters beyond the plain ones."""
    kept, marks = list[str](), 0
    for letter in found[0]:
        marks = marks + 1 if unicodedata.category(letter) in _MARKS else 0
        if marks <= STACKED:
            kept.append(seen(letter))
    return "".join(kept)


def on_one_line(text: str) -> str:
    """Return a text as `printable`, with spaces for line ends and tabs."""
    return re.sub(r"[\n\t]", " ", printable(text))


def printable_json(node: Any) -> Any:
    """Return what JSON can hold with each text in it as `printable`, names too."""
    if isinstance(node, str):
        return printable(node)
    if isinstance(node, dict):
        items = cast("dict[str, Any]", node).items()
        return {printable(name): printable_json(value) for name, value in items}
    if isinstance(node, list | tuple):
        return [printable_json(item) for item in cast("list[Any]", node)]
    return node


@lru_cache(4096)
def seen(letter: str) -> str:
    """Return what is shown of a character."""
    if letter in "\n\t":
        return letter
    category = unicodedata.category(letter)
    if category in _BREAKS:
        return " "
    code = ord(letter)
    hidden = category in _CONTROLS or any(first <= code <= last for first, last in UNSEEN)
    return "" if hidden else letter
