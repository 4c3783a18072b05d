"""Reading files and writing structures without blocking the event loop."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from ontologies.atoms import ConceptualAtoms
from workflows.programs.isolated import in_subprocess
from workflows.trust.caller import located

from .drawing import Picture, PictureFormat, draw
from .files import FileContent, read_content
from .identify import Substance, substance
from .identifying import FEW
from .recognition import Kind
from .writing import Written, write

SMALL = 100_000
"""Bytes of an XYZ file that is read in this process: its reader is ours, and its work grows with
the file alone. Starting another process takes most of a second."""

SHORT = 60
"""Characters of a notation that is read in this process: rings upon rings of atoms need more."""

OURS = (".xyz", ".extxyz")
PLAIN = ("xyz", "extxyz", "cif", "pdb")
"""Formats without bonds."""


async def read_async(
    path: Path, charge: int | None = None, multiplicity: int | None = None
) -> FileContent:
    """Read the one structure of a file as `read_content`, which cancelling ends.

    Raises:
        GraficoError: as `read_content`; TimeLimitError or MemoryLimitError where it takes too much.
    """
    if _is_small(path):
        return await asyncio.to_thread(read_content, path, charge, multiplicity)
    asked = f"cannot read {path}"
    return await in_subprocess(asked, read_content, path, charge, multiplicity)


def _is_small(path: Path) -> bool:
    place = located(path)
    if place is None:
        return not path.name.rpartition("#")[0]  # its reader says what is wrong
    return not place.is_file() or (path.suffix.lower() in OURS and place.stat().st_size <= SMALL)


async def substance_async(text: str, kind: Kind | None = None, online: str = "") -> Substance:
    """Return the substance that a text means as `substance`, which cancelling ends.

    Raises:
        GraficoError: as `substance`; TimeLimitError or MemoryLimitError where it takes too much.
    """
    if len(text) <= SHORT:
        return await asyncio.to_thread(substance, text, kind, online)
    return await in_subprocess(
        f"cannot read the substance {text[:80]!r}", substance, text, kind, online
    )


async def write_async(atoms: ConceptualAtoms, form: str, mol: Any, title: str) -> Written:
    """Write a structure in a format as `write`, which cancelling ends.

    Raises:
        GraficoError: as `write`; TimeLimitError or MemoryLimitError where it takes too much.
    """
    if form in PLAIN or len(atoms.numbers) <= FEW:
        return await asyncio.to_thread(write, atoms, form, mol, title)
    asked = f"cannot write {atoms.formula} as {form}"
    return await in_subprocess(asked, write, atoms, form, mol, title)


async def draw_async(
    atoms: ConceptualAtoms,
    form: PictureFormat,
    mol: Any,
    numbers: bool = False,
    width: int | None = None,
    clear: bool = False,
) -> Picture:
    """Draw a structural formula as `draw`, which cancelling ends.

    Raises:
        GraficoError: as `draw`; TimeLimitError or MemoryLimitError where it takes too much.
    """
    if len(atoms.numbers) <= FEW:
        return await asyncio.to_thread(draw, atoms, form, mol, numbers, width, clear)
    said = (atoms, form, mol, numbers, width, clear)
    return await in_subprocess(f"cannot draw {atoms.formula} as {form}", draw, *said)
