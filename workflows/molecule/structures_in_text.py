"""Structures among the lines of a text: XYZ, bare coordinates, CIF and MOL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workflows.engine.request.definition import Pasted

ATOM = re.compile(
    r"[ \t>]*[A-Z][a-z]?\d*(?:[ \t,;]+[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?){3,}[ \t]*"
)
"""A line of an atom: an element and three coordinates at least."""

NUMBERED = re.compile(r"[ \t]*\d{1,3}(?:[ \t]+[+-]?\d*\.\d+(?:[eE][+-]?\d+)?){3,}.*")
"""Likewise with an atomic number."""

COUNT = re.compile(r"[ \t]*\d{1,6}[ \t]*")
FENCE = re.compile(r"[ \t]*(?:```|~~~).*")
CIF_START = re.compile(r"(?i)[ \t]*data_\S*[ \t]*")
CIF_LINE = re.compile(r"(?i)[ \t]*(_|loop_|data_|#|;|'|\")")
COUNTS = re.compile(r".*V[23]000[ \t]*")


def blocks(lines: Sequence[str]) -> Iterator[Pasted]:
    """Find the structures among the lines of a message."""
    at = without_cif = 0
    while at < len(lines):
        block = _mol(lines, at)
        if block is None and at >= without_cif and CIF_START.fullmatch(lines[at]):
            without_cif = _cif_end(lines, at)  # where none begins, none begins within either
            block = _cif(lines, at, without_cif)
        block = block or _xyz(lines, at) or _bare(lines, at)
        if block is None:
            at += 1
        else:
            yield block
            at = block.end


def _is_atom(line: str) -> bool:
    return bool(ATOM.fullmatch(line) or NUMBERED.fullmatch(line))


def _xyz(lines: Sequence[str], at: int) -> Pasted | None:
    if not COUNT.fullmatch(lines[at]):
        return None
    if len(lines) <= at + 2 or not _is_atom(lines[at + 2]):
        return None
    end = at + 2
    while end < len(lines) and (_is_atom(lines[end]) or _has_atom(lines[end])):
        end += 1
    text = "\n".join([lines[at].strip(), *lines[at + 1 : end]])
    return Pasted(at, end, ".xyz", text + "\n")


def _has_atom(line: str) -> bool:
    """Tell whether a line of extended XYZ begins with an atom."""
    parts = line.split()
    return len(parts) > 4 and _is_atom(" ".join(parts[:4]))


def _bare(lines: Sequence[str], at: int) -> Pasted | None:
    """Find coordinates without a head: two lines of atoms at least."""
    end = at
    while end < len(lines) and ATOM.fullmatch(lines[end]):
        end += 1
    if end - at < 2:
        return None
    atoms = [re.sub(r"[,;>]", " ", line) for line in lines[at:end]]
    return Pasted(at, end, ".xyz", "\n".join([str(end - at), "", *atoms]) + "\n")


def _cif_end(lines: Sequence[str], at: int) -> int:
    """Return where what may be a CIF ends: a blank line belongs to it if it goes on after."""
    end = at + 1
    while end < len(lines) and not FENCE.fullmatch(lines[end]):
        after = end
        while after < len(lines) and not lines[after].strip():
            after += 1
        if after > end and not (after < len(lines) and CIF_LINE.match(lines[after])):
            break
        end = max(after, end + 1)
    return end


def _cif(lines: Sequence[str], at: int, end: int) -> Pasted | None:
    text = "\n".join(lines[at:end]) + "\n"
    return Pasted(at, end, ".cif", text) if "_cell_length_a" in text.lower() else None


def _mol(lines: Sequence[str], at: int) -> Pasted | None:
    if len(lines) <= at + 3 or not COUNTS.fullmatch(lines[at + 3]):
        return None
    if any(COUNTS.fullmatch(line) for line in lines[at : at + 3]):
        return None
    end = at + 4
    while end < len(lines) and not lines[end].startswith("M  END"):
        end += 1
    end = min(end + 1, len(lines))
    text = "\n".join(lines[at:end]) + "\n"
    while end < len(lines) and lines[end].startswith((">", "$$$$")):
        end += 1
    return Pasted(at, end, ".mol", text)
