"""Structures in a message or a file become IRIs before a model sees them."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grafico.inspection import shorten
from triplestore.errors import GraficoError, InputError
from workflows.molecule.reading import read_apart

from .desk import STRUCTURES, Desk

ATOM = re.compile(
    r"[ \t>]*[A-Z][a-z]?\d*(?:[ \t,;]+[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?){3,}[ \t]*"
)
"""A line of an atom: an element and three coordinates at least."""

NUMBERED = re.compile(r"[ \t]*\d{1,3}(?:[ \t]+[+-]?\d*\.\d+(?:[eE][+-]?\d+)?){3,}.*")
"""Likewise with an atomic number."""

NEWLINE = re.compile(r"\r\n|\n|\r")
"""As files of structures have it; other characters that break lines belong to a comment."""

COUNT = re.compile(r"[ \t]*\d{1,6}[ \t]*")
FENCE = re.compile(r"[ \t]*(?:```|~~~).*")
CIF_START = re.compile(r"(?i)[ \t]*data_\S*[ \t]*")
CIF_LINE = re.compile(r"(?i)[ \t]*(_|loop_|data_|#|;|'|\")")
COUNTS = re.compile(r".*V[23]000[ \t]*")

LONGEST = 200
"""Letters of a comment that a model is told."""


@dataclass(frozen=True)
class Block:
    """Lines of a message that are a structure.

    Attributes:
        start: index of the first line.
        end: index after the last.
        suffix: of the file that they would be.
        text: that file.
    """

    start: int
    end: int
    suffix: str
    text: str


@dataclass(frozen=True)
class Attached:
    """A structure that came with a message.

    Attributes:
        iri: of the structure; empty where it could not be read.
        file: its file in the folder of the conversation.
        error: why it could not be read.
    """

    iri: str
    file: str
    error: str = ""


async def take_in(desk: Desk, text: str, files: Sequence[Path] = ()) -> tuple[str, list[Attached]]:
    """Return a message with a marker in the place of each structure, and the structures.

    A marker is JSON on one line. What a structure says in its comment stands in it as data.

    Raises:
        InputError: a file is none of a structure, or cannot be read.
        NotFoundError: there is no such file.
    """
    lines, parts, attached, at = NEWLINE.split(text), list[str](), list[Attached](), 0
    for block in await asyncio.to_thread(lambda: list(blocks(lines))):
        parts += lines[at : block.start]
        path = desk.new_path("pasted", block.suffix)
        path.write_text(block.text, encoding="utf-8")
        marker, one = await _stored(desk, path, "pasted")
        parts.append(marker)
        attached.append(one)
        at = block.end
    parts += lines[at:]
    for file in files:
        if not file.name.lower().endswith(STRUCTURES):
            raise InputError(
                f"{file} was attached",
                "it is no file of a structure",
                f"attach one of {', '.join(STRUCTURES)}",
            )
        await read_apart(file)  # what is wrong with it is for the person
        path = file.resolve()
        if path.parent != desk.folder:
            kept = desk.folder / path.name
            if kept.exists():
                kept = desk.new_path(path.stem, path.suffix)
            path = Path(shutil.copyfile(path, kept))
        marker, one = await _stored(desk, path, f"attached {path.name}")
        parts.append(marker)
        attached.append(one)
    return "\n".join(parts), attached


async def _stored(desk: Desk, path: Path, origin: str) -> tuple[str, Attached]:
    try:
        content = await read_apart(path)
    except GraficoError as error:
        found = "; ".join(filter(None, [error.found, error.advice]))
        said = {"structure": None, "from": origin, "file": path.name, "unreadable": found}
        return marker(said), Attached("", path.name, found)
    atoms = content.atoms
    desk.session.executor.record(atoms)
    said = {
        "structure": shorten(atoms.iri),
        "formula": atoms.formula,
        "atoms": len(atoms.numbers),
        "charge": atoms.charge,
        "multiplicity": atoms.multiplicity,
        "periodic": atoms.is_periodic or None,
        "from": origin,
        "file": path.name,
        "comment": content.comment[:LONGEST] or None,
        "remarks": list(content.remarks) or None,
    }
    return marker({n: v for n, v in said.items() if v is not None}), Attached(atoms.iri, path.name)


def marker(said: Mapping[str, object]) -> str:
    """Return data as one line that no text inside can end."""
    return f"[data {json.dumps(dict(said))}]"


def blocks(lines: Sequence[str]) -> Iterator[Block]:
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


def _xyz(lines: Sequence[str], at: int) -> Block | None:
    if not COUNT.fullmatch(lines[at]):
        return None
    if len(lines) <= at + 2 or not _is_atom(lines[at + 2]):
        return None
    end = at + 2
    while end < len(lines) and (_is_atom(lines[end]) or _has_atom(lines[end])):
        end += 1
    text = "\n".join([lines[at].strip(), *lines[at + 1 : end]])
    return Block(at, end, ".xyz", text + "\n")


def _has_atom(line: str) -> bool:
    """Tell whether a line of extended XYZ begins with an atom."""
    parts = line.split()
    return len(parts) > 4 and _is_atom(" ".join(parts[:4]))


def _bare(lines: Sequence[str], at: int) -> Block | None:
    """Find coordinates without a head: two lines of atoms at least."""
    end = at
    while end < len(lines) and ATOM.fullmatch(lines[end]):
        end += 1
    if end - at < 2:
        return None
    atoms = [re.sub(r"[,;>]", " ", line) for line in lines[at:end]]
    return Block(at, end, ".xyz", "\n".join([str(end - at), "", *atoms]) + "\n")


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


def _cif(lines: Sequence[str], at: int, end: int) -> Block | None:
    text = "\n".join(lines[at:end]) + "\n"
    return Block(at, end, ".cif", text) if "_cell_length_a" in text.lower() else None


def _mol(lines: Sequence[str], at: int) -> Block | None:
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
    return Block(at, end, ".mol", text)
