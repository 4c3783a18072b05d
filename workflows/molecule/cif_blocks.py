"""The blocks of a CIF file: which of them hold atoms, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workflows.text.safe_text import on_one_line

SHOWN, LONGEST = 8, 40
"""Blocks that are named, and characters of a name."""

HEADING = re.compile(r"\s*data_(\S*)", re.IGNORECASE)
LOOP = re.compile(r"\s*loop_\s*", re.IGNORECASE)
NAME = re.compile(r"(\s*)(_\S+)(.*)", re.DOTALL)
ATOMS = ("_atom_site_label", "_atom_site_type_symbol")
UNSAID = {"?", "."}

DOTTED = (
    "_atom_site",
    "_atom_type",
    "_cell",
    "_space_group_symop",
    "_space_group",
    "_symmetry",
    "_chemical_formula",
)
"""Categories whose names newer dictionaries write with a dot: `_cell.length_a`."""

USUAL = {
    name.lower(): name
    for name in (
        "_symmetry_space_group_name_H-M",
        "_symmetry_space_group_name_Hall",
        "_symmetry_Int_Tables_number",
        "_space_group_name_H-M_alt",
        "_space_group_name_Hall",
        "_space_group_IT_number",
        "_cell_formula_units_Z",
    )
}
"""Names as they are usually written, by how they read in lower case; case is of no account."""


@dataclass
class Block:
    """One block of a CIF file.

    Attributes:
        name: what follows `data_`.
        lines: with its heading, as they stand in the file.
        has_atoms: whether an atom is listed in it.
    """

    name: str
    lines: list[str] = field(default_factory=list[str])
    has_atoms: bool = False

    @property
    def text(self) -> str:
        """Its lines, as they stand in the file."""
        return "\n".join([*self.lines, ""])


def blocks_with_atoms(text: str) -> list[Block]:
    """Return the blocks in which atoms are listed; those with nothing but `?` in their place not.

    What stands in a text between semicolons is no heading and no atom.
    """
    found: list[Block] = []
    block: Block | None = None
    names, filled = list[str](), False
    for line, quoted in _lines(text):
        heading = None if quoted else HEADING.match(line)
        if heading:
            block = Block(heading[1])
            found.append(block)
            names, filled = [], False
        if block is None:
            continue
        block.lines.append(line)
        if heading or quoted or block.has_atoms:
            continue
        words = line.partition(" #")[0].split() if not line.lstrip().startswith("#") else []
        if not words:
            continue
        if LOOP.fullmatch(words[0]):
            names, filled = [], False
            words = words[1:]
        if words and words[0].startswith("_"):
            if filled:
                names, filled = [], False
            names += [_plain(word) for word in words if word.startswith("_")]
            words = [word for word in words if not word.startswith("_")]
        if words:
            filled = True
            block.has_atoms = any(name in ATOMS for name in names) and not UNSAID.issuperset(words)
    return [one for one in found if one.has_atoms]


def several(blocks: Sequence[Block]) -> str:
    """Return that there are several crystals, with their names."""
    names = [f"{number} {safe(one.name)}" for number, one in enumerate(blocks[:SHOWN], 1)]
    more = f" and {len(blocks) - SHOWN} more" if len(blocks) > SHOWN else ""
    return f"it holds {len(blocks)} structures ({', '.join(names)}{more})"


def safe(name: str) -> str:
    """Return what a block is called, as it can be shown."""
    return on_one_line(name[:LONGEST]) or "without a name"


def usual(block: Block) -> str:
    """Return a block as text that spells names as they are usually spelt, atoms in a loop.

    Names of data are the same in upper and lower case; those of newer dictionaries have a dot; and
    what is said of one atom may stand without a loop.
    """
    lines, alone = ["data_crystal"], dict[str, str]()
    in_loop = False
    for line, quoted in _lines("\n".join(block.lines[1:])):
        if quoted:
            lines.append(line)
            continue
        if LOOP.match(line):
            in_loop = True
            lines.append(line.replace(line.split()[0], "loop_", 1))
            continue
        match = NAME.fullmatch(line)
        if match is None:
            lines.append(line)
            continue
        indent, name, rest = match.groups()
        name = _plain(name)
        if rest.strip() and not rest.lstrip().startswith(("#", "_")):
            in_loop = False  # a name with its value
        if not in_loop and name.startswith("_atom_site_") and rest.strip():
            alone[name] = rest.strip()
        else:
            lines.append(f"{indent}{USUAL.get(name, name)}{rest}")
    if any(name in alone for name in ATOMS):
        lines += ["loop_", *alone, " ".join(alone.values())]
    return "\n".join([*lines, ""])


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Iterate over lines, each with whether it belongs to a text between semicolons."""
    inside = False
    for line in text.splitlines():
        if line.startswith(";"):
            inside = not inside
            yield line, True
        else:
            yield line, inside


def _plain(name: str) -> str:
    """Return a name in lower case, without the dot of newer dictionaries."""
    low = name.lower()
    category, dot, rest = low.partition(".")
    return f"{category}_{rest}" if dot and category in DOTTED else low
