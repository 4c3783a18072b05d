"""Files of several structures: how many there are, and the one that was chosen."""

from __future__ import annotations

import re
from pathlib import Path

from triplestore.errors import NotFoundError
from workflows.trust.caller import located

from .cif_blocks import blocks_with_atoms, several
from .pdb_mol2 import models, records
from .poscar import is_poscar
from .text import refuse

CHOICE = re.compile(r"(?P<file>.+)#(?P<number>\d{1,9}|last)")
"""How one structure of a file is named, counted from 1: `path.xyz#3`, `path.xyz#last`."""

SDF_END = re.compile(r"^\$\$\$\$.*(?:\n|\Z)", re.MULTILINE)


def chosen(path: Path) -> tuple[Path, str]:
    """Return a file and the number of the structure that is meant in it; empty where none is.

    A file that has such a name itself is meant whole.
    """
    match = CHOICE.fullmatch(path.name)
    if match is None or located(path) is not None:
        return path, ""
    return path.with_name(match["file"]), match["number"]


def one_of(path: Path, suffix: str, text: str, number: str) -> str:
    """Return the text of one structure of a file.

    Args:
        path: the file, for messages.
        suffix: what kind of file it is, in lower case.
        text: what stands in it.
        number: of the structure, from 1, or `last`; empty for the only one.

    Raises:
        InputError: there are several and none was chosen.
        NotFoundError: there are not that many.
    """
    parts, told = parts_of(path, suffix, text)
    if not number:
        if len(parts) > 1:
            refuse(
                path,
                told or f"it holds {len(parts)} structures",
                f"choose one by its number, such as {path}#1 or {path}#last; or compute all: "
                f"grafico batch {path}",
            )
        return text
    place = len(parts) if number == "last" else int(number)
    if not 1 <= place <= len(parts):
        there = "1 structure" if len(parts) == 1 else f"{len(parts)} structures"
        raise NotFoundError(
            f"cannot read structure {number} of {path}",
            f"it holds {there}",
            f"choose a number from 1 to {len(parts)}" if parts else "give another file",
        )
    return parts[place - 1]


def parts_of(path: Path, suffix: str, text: str) -> tuple[list[str], str]:
    """Return the texts of the structures of a file, and what is said where several are too many.

    Args:
        path: the file, for its name.
        suffix: what kind of file it is, in lower case.
        text: what stands in it.
    """
    told = ""
    match suffix:
        case ".sdf" | ".mol":
            parts = [part for part in SDF_END.split(text) if part.strip()]
        case ".cif":
            blocks = blocks_with_atoms(text)
            parts, told = [block.text for block in blocks], several(blocks)
        case ".pdb" | ".ent":
            parts = models(text)
        case ".mol2":
            parts = records(text)
        case ".gjf" | ".com" | ".inp" | ".cube" | ".cub" | ".fchk" | ".molden" | ".json":
            parts = [text]
        case _ if is_poscar(path, suffix):
            parts = [text]
        case _:
            parts = _frames(text)
    return parts, told


def _frames(text: str) -> list[str]:
    """Return the structures of an XYZ file; what follows no count belongs to the one before."""
    lines = re.split(r"\r\n|\n|\r", text)
    found: list[str] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        count = int(lines[at]) if re.fullmatch(r"\s*\d{1,9}\s*", lines[at], re.ASCII) else 0
        end = at + count + 2
        if not count or (end < len(lines) and not _starts(lines, end)):
            return [text]  # something else: its reader says the line
        found.append("\n".join(lines[at:end]) + "\n")
        at = end
    return found


def _starts(lines: list[str], at: int) -> bool:
    """Tell whether nothing, or a count of atoms, comes next."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at >= len(lines) or bool(re.fullmatch(r"\s*\d{1,9}\s*", lines[at], re.ASCII))
