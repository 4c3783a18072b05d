"""Structures among the lines of a text: in every format that is read, and as bare coordinates."""

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
PDB_LINE = re.compile(
    r"(?:HEADER|TITLE|COMPND|SOURCE|KEYWDS|EXPDTA|NUMMDL|AUTHOR|REVDAT|JRNL|REMARK|DBREF|SEQRES|MODRES"
    r"|HET|HETNAM|HETSYN|FORMUL|HELIX|SHEET|SSBOND|LINK|CISPEP|SITE|CRYST1|ORIGX\d|SCALE\d|MTRIX\d"
    r"|MODEL|ATOM|ANISOU|TER|HETATM|ENDMDL|CONECT|MASTER|END)(?:[ \d].*)?"
)
PDB_ATOM = re.compile(r"(?:ATOM  |HETATM)[ \d*]{5} .*")
TRIPOS = "@<TRIPOS>"
STATE = re.compile(r"[ \t]*[+-]?\d{1,3}[ \t,]+\d{1,3}[ \t]*")
ORCA_XYZ = re.compile(r"(?i)[ \t]*\*[ \t]*xyz[ \t]+[+-]?\d{1,3}[ \t]+\d{1,3}[ \t]*")
MOST_TEXT = 100_000
"""Characters of a structure that is given as text, in place of a name."""

MOST_HEAD = 60
"""Lines before the atoms of an input of another program."""

_NUMBER = r"[ \t]+[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?"
GRID_LINE = re.compile(rf"[ \t]*-?\d{{1,6}}(?:{_NUMBER}){{3,4}}[ \t]*")
CUBE_ATOM = re.compile(rf"[ \t]*\d{{1,3}}(?:{_NUMBER}){{4}}[ \t]*")
VALUES = re.compile(rf"(?:{_NUMBER})+[ \t]*")


def written_out(text: str) -> Pasted | None:
    """Return the structure that a text is all of, such as XYZ or `O 0 0 0; H 0 0 0.96`."""
    lines = [line.rstrip() for line in re.split(r"[;\n]", text.replace("\r", ""))]
    if len(text) > MOST_TEXT or len(lines) < 2:
        return None
    if "\n" in text:
        lines = text.replace("\r", "").split("\n")
    while lines and not lines[0].strip():
        lines = lines[1:]
    found = next(blocks(lines), None)
    left = () if found is None else (*lines[: found.start], *lines[found.end :])
    return found if found is not None and not any(line.strip() for line in left) else None


def blocks(lines: Sequence[str]) -> Iterator[Pasted]:
    """Find the structures among the lines of a message."""
    at = without_cif = without_pdb = without_mol2 = 0
    while at < len(lines):
        block = _mol(lines, at) or _cube(lines, at) or _gaussian(lines, at) or _orca(lines, at)
        if block is None and at >= without_pdb and PDB_LINE.fullmatch(lines[at]):
            block, without_pdb = _pdb(lines, at)
        if block is None and at >= without_mol2 and lines[at].startswith(f"{TRIPOS}MOLECULE"):
            block, without_mol2 = _mol2(lines, at)
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


def _pdb(lines: Sequence[str], at: int) -> tuple[Pasted | None, int]:
    """Return the PDB that begins there, if its lines have atoms, and where these end."""
    end = at + 1
    while end < len(lines) and lines[end - 1].rstrip() != "END" and PDB_LINE.fullmatch(lines[end]):
        end += 1
    if not any(PDB_ATOM.fullmatch(line) for line in lines[at:end]):
        return None, end
    return Pasted(at, end, ".pdb", "\n".join(lines[at:end]) + "\n"), end


def _mol2(lines: Sequence[str], at: int) -> tuple[Pasted | None, int]:
    """Return the mol2 that begins there, if it has atoms, and where it ends."""
    end, atoms = at + 1, False
    while end < len(lines) and not FENCE.fullmatch(lines[end]):
        follows = end + 1 < len(lines) and lines[end + 1].startswith(TRIPOS)
        if atoms and not lines[end].strip() and not follows:
            break
        atoms = atoms or lines[end].startswith(f"{TRIPOS}ATOM")
        end += 1
    return (Pasted(at, end, ".mol2", "\n".join(lines[at:end]) + "\n") if atoms else None), end


def _gaussian(lines: Sequence[str], at: int) -> Pasted | None:
    """Find link 0 commands and route, a title, charge and multiplicity, and atoms."""
    if lines[at][:1] not in ("%", "#"):
        return None
    end = at
    while end < len(lines) and lines[end][:1] == "%" and end - at < MOST_HEAD:
        end += 1
    if end == len(lines) or lines[end][:1] != "#":
        return None
    for _ in ("route", "title"):
        while end < len(lines) and lines[end].strip() and end - at < MOST_HEAD:
            end += 1
        end += 1
    if end + 1 >= len(lines) or not STATE.fullmatch(lines[end]) or not _is_atom(lines[end + 1]):
        return None
    end += 1
    while end < len(lines) and _is_atom(lines[end]):
        end += 1
    return Pasted(at, end, ".gjf", "\n".join(lines[at:end]) + "\n\n")


def _orca(lines: Sequence[str], at: int) -> Pasted | None:
    """Find keywords of ORCA with the atoms that follow them."""
    if lines[at].lstrip()[:1] not in ("!", "#", "%"):
        return None
    head = lines[at : at + MOST_HEAD]
    start = next((n for n, line in enumerate(head) if ORCA_XYZ.fullmatch(line)), 0)
    keys = next((n for n, line in enumerate(head[:start]) if line.lstrip()[:1] == "!"), None)
    if keys is None or any(line.strip()[:1] not in ("", "#", "%") for line in head[:keys]):
        return None
    end = at + start + 1
    while end < len(lines) and _is_atom(lines[end]):
        end += 1
    if end == at + start + 1 or end == len(lines) or lines[end].strip() != "*":
        return None
    return Pasted(at, end + 1, ".inp", "\n".join(lines[at : end + 1]) + "\n")


def _cube(lines: Sequence[str], at: int) -> Pasted | None:
    """Find two lines of words, a grid, its atoms, and values."""
    grid = lines[at + 2 : at + 6]
    if len(grid) < 4 or not all(GRID_LINE.fullmatch(line) for line in grid):
        return None
    end = at + 6 + abs(int(grid[0].split()[0]))
    if end > len(lines) or not all(CUBE_ATOM.fullmatch(line) for line in lines[at + 6 : end]):
        return None
    while end < len(lines) and VALUES.fullmatch(f" {lines[end]}"):
        end += 1
    return Pasted(at, end, ".cube", "\n".join(lines[at:end]) + "\n")


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
    while end < len(lines) and lines[end].startswith((">", "$$$$")):  # data, each to a blank line
        data = lines[end].startswith(">")
        end += 1
        while data and end < len(lines) and lines[end].strip():
            end += 1
        end += data and end < len(lines)
    return Pasted(at, end, ".mol", text)
