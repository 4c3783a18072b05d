"""Structures from PDB and mol2 files: whole molecules with every hydrogen, or a reason why not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ontologies.elements import SYMBOLS
from workflows.text.words import count as counted
from workflows.trust.caller import quoted

from .text import MOST_ATOMS, refuse
from .xyz import coordinate_of, element_of

MODELS = re.compile(r"(?m)^MODEL\b.*\n?")
RECORDS = re.compile(r"(?m)^(?=@<TRIPOS>MOLECULE)")
ADD = "add them (Open Babel: obabel IN -O OUT -h), or give an XYZ file if it has none"
SETTLED = "choose one of them in the file that you give"

NEIGHBOURS = {"C.3": 4, "C.2": 3, "C.ar": 3, "C.1": 2, "N.4": 4}
"""Of an atom of such a type in mol2, where no hydrogen is missing."""

AMINO_ACIDS = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL"
WATERS = "HOH WAT H2O DOD TIP SOL"
CARBON_HYDROGEN = 1.25
"""Å. A bond between them is no longer."""


def models(text: str) -> list[str]:
    """Return the models of a PDB file."""
    parts = MODELS.split(text)
    return [part for part in (parts[1:] if len(parts) > 1 else parts) if part.strip()]


def records(text: str) -> list[str]:
    """Return the molecules of a mol2 file."""
    return [part for part in RECORDS.split(text) if part.startswith("@<TRIPOS>MOLECULE")] or [text]


def _bare(path: Path, numbers: Sequence[int]) -> None:
    """Refuse what has no hydrogen although it has what usually holds some."""
    if 1 not in numbers and {6, 7, 8} & set(numbers):
        refuse(path, "it has no hydrogen atoms: whether they were left out is not known", ADD)


# --- PDB -----------------------------------------------------------------------------------------


def read_pdb(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a PDB file.

    The charge is the sum of those of its atoms (columns 79 and 80).

    Raises:
        InputError: no atoms, alternate locations, atoms in part, or missing hydrogens or elements.
    """
    rows = [
        (number, line.ljust(80))
        for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1)
        if line[:6] in ("ATOM  ", "HETATM")
    ]
    if not rows:
        refuse(path, "it is no PDB file with atoms: no line begins with ATOM or HETATM")
    if len(rows) > MOST_ATOMS:
        refuse(path, f"it has {len(rows)} atoms; {MOST_ATOMS} are allowed")
    numbers, positions, charge, said = list[int](), list[list[float]](), 0, False
    for number, line in rows:
        where = f"line {number}: "
        if line[16] != " ":
            problem = f"{where}alternate location {quoted(line[16], 'marked')}"
            refuse(path, f"{problem}: which of them is meant is not known", SETTLED)
        if not line[76:78].strip():
            advice = "write it there (Open Babel: obabel IN -O OUT)"
            refuse(path, f"{where}no element stands in columns 77 and 78", advice)
        positions.append(
            [coordinate_of(path, where, line[at : at + 8].strip()) for at in (30, 38, 46)]
        )
        numbers.append(element_of(path, where, line[76:78].strip()))
        if (share := line[54:60].strip()) and 0 < coordinate_of(path, where, share) < 1:
            refuse(path, f"{where}the atom is there in part only (occupancy {share})", SETTLED)
        if told := line[78:80].strip():
            match = re.fullmatch(r"(\d)([+-])|([+-])(\d)", told)
            if match is None:
                refuse(path, f"{where}{quoted(told, 'what is written')} is no charge such as 1-")
            size, sign = (match[1] or match[4]), (match[2] or match[3])
            charge += int(sign + size)
            said = True
    _bare(path, numbers)
    _residues(path, [line for _, line in rows], numbers, positions)
    notes = [f"charge {charge:+d}, the sum of those of its atoms" if said else
             "it says no charges: 0 taken (`charge` says otherwise)"]  # fmt: skip
    cell = re.search(r"(?m)^CRYST1(.{9})", text)
    if cell and cell[1].strip() not in ("1.000", "0.000", "1.00", "0.00"):
        notes.append("its cell (CRYST1) is left out: it is taken for a molecule")
    title = re.search(r"(?m)^(?:TITLE|COMPND) +(.*)$", text)
    return {
        "numbers": numbers,
        "positions": positions,
        "charge": charge,
        "comment": title[1].strip() if title else "",
        "remark": "; ".join(notes),
    }


def _residues(
    path: Path, lines: Sequence[str], numbers: Sequence[int], positions: Sequence[Sequence[float]]
) -> None:
    """Refuse amino acids without hydrogens at carbon, and waters without two."""
    groups: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        groups.setdefault(line[17:27], []).append(place)
    for name, members in groups.items():
        hydrogens = [one for one in members if numbers[one] == 1]
        kind, label = name[:3].strip(), " ".join(name.split())
        if kind in WATERS.split() and len(hydrogens) != 2:
            refuse(path, f"the water {label} has {counted(len(hydrogens), 'hydrogen atom')}", ADD)
        carbons = [one for one in members if numbers[one] == 6]
        if kind in AMINO_ACIDS.split() and not any(
            sum((a - b) ** 2 for a, b in zip(positions[h], positions[c], strict=True))
            < CARBON_HYDROGEN**2
            for h in hydrogens
            for c in carbons
        ):
            refuse(path, f"the residue {label} has no hydrogen atoms at its carbon atoms", ADD)


# --- mol2 ----------------------------------------------------------------------------------------


def read_mol2(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the structure in a mol2 file.

    The charge is the sum of its partial charges, where that is a whole number.

    Raises:
        InputError: it is no whole molecule, or its charge or hydrogens are not known.
    """
    parts: dict[str, list[str]] = {}
    section = list[str]()
    for line in re.split(r"\r\n|\n|\r", text):
        if line.startswith("@<TRIPOS>"):
            section = parts.setdefault(line[9:].strip().upper(), [])
        elif not line.startswith("#"):
            section.append(line)
    head = parts.get("MOLECULE", [])
    counts = head[1].split() if len(head) > 1 else []
    if not counts or not all(re.fullmatch(r"\d{1,9}", one, re.ASCII) for one in counts[:2]):
        refuse(path, "it is no mol2 file: no counts below @<TRIPOS>MOLECULE")
    atoms, bonds = ([r.split() for r in parts.get(name, []) if r.strip()] for name in
                    ("ATOM", "BOND"))  # fmt: skip
    if len(atoms) > MOST_ATOMS:
        refuse(path, f"it has {len(atoms)} atoms; {MOST_ATOMS} are allowed")
    for rows, what, announced in zip((atoms, bonds), ("atom", "bond"), counts, strict=False):
        if len(rows) != int(announced):
            refuse(path, f"it announces {counted(int(announced), what)}, but has {len(rows)}")
    if not atoms:
        refuse(path, "there are no atoms")
    numbers, positions = list[int](), list[list[float]]()
    for place, row in enumerate(atoms, 1):
        where = f"atom {place}: "
        if len(row) < 6:
            refuse(path, f"{where}number, name, three coordinates and a type should stand there")
        positions.append([coordinate_of(path, where, one) for one in row[2:5]])
        symbol = row[5].partition(".")[0]
        if symbol.capitalize() not in SYMBOLS[1:]:
            refuse(path, f"{where}the type {quoted(row[5], '…')} names no element")
        numbers.append(element_of(path, where, symbol))
    _bare(path, numbers)
    _open_valences(path, atoms, bonds)
    charge, note = _mol2_charge(path, head[3].strip() if len(head) > 3 else "", atoms)
    return {
        "numbers": numbers,
        "positions": positions,
        "charge": charge,
        "comment": head[0].strip(),
        "remark": note,
    }


def _open_valences(path: Path, atoms: list[list[str]], bonds: list[list[str]]) -> None:
    """Refuse a molecule some of whose atoms have fewer neighbours than their type says."""
    known = {row[0]: 0 for row in atoms}
    for row in bonds:
        if len(row) < 4 or row[1] not in known or row[2] not in known or row[1] == row[2]:
            said = quoted(" ".join(row), "one")
            refuse(path, f"the bond {said} is not between two of its atoms")
        known[row[1]] += 1
        known[row[2]] += 1
    if len(known) != len(atoms):
        refuse(path, "two of its atoms have the same number")
    for row in atoms if bonds else ():
        if known[row[0]] < NEIGHBOURS.get(row[5], 0):
            has = f"has {counted(known[row[0]], 'neighbour')}"
            problem = f"atom {row[0]} of type {row[5]} {has}: hydrogen atoms seem to be missing"
            refuse(path, problem, ADD)


def _mol2_charge(path: Path, kind: str, atoms: list[list[str]]) -> tuple[int, str]:
    """Return the charge by the partial charges, and what to say of it."""
    given = [row[8] for row in atoms if len(row) > 8]
    if kind.upper() == "NO_CHARGES" or not given:
        return 0, "it says no charges: 0 taken (`charge` says otherwise)"
    if len(given) != len(atoms):
        refuse(path, f"{len(given)} of {len(atoms)} atoms have a partial charge")
    total = sum(coordinate_of(path, f"atom {n}: ", one) for n, one in enumerate(given, 1))
    if abs(total) > 1000 or abs(total - round(total)) > 0.05:
        advice = "mend them, or write NO_CHARGES in line 4 and say the charge"
        refuse(path, f"its partial charges add up to {total:.3g}, no whole number", advice)
    return round(total), f"charge {round(total):+d}, the sum of its partial charges"
