"""Structures from MOL and SDF files, V2000 and V3000, with their bonds."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .several import SDF_END
from .text import MOST_ATOMS, SUPPORTED, refuse

FIELD = r"(?im)^>[^\n<]{{0,80}}<{}>[^\n]{{0,80}}\n[ \t]*([+-]?\d{{1,4}})[ \t]*$"
"""A data field of an SDF file, as Grafico writes it."""


def read_mol(path: Path, text: str) -> dict[str, Any]:
    """Return the fields of the one structure in such a file, its title as `comment`, its `mol`.

    The multiplicity is that of the data field of this name; else it is read from the bonds, as that
    of a notation. An atom that is marked as a singlet (`M  RAD`, 1) has its two electrons paired.

    Raises:
        InputError: no such file, several structures, a drawing, or one that cannot be.
    """
    from rdkit import Chem, rdBase

    from .bonds import assign_stereo
    from .notation import check_atoms, check_bonding
    from .spin import read_spin

    records = SDF_END.split(text)
    lines = records[0].splitlines()
    if len(lines) < 4 or not re.search(r"V[23]000\s*$", lines[3]):
        refuse(path, "it is no MOL file: line 4 should end with V2000 or V3000", SUPPORTED)
    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromMolBlock(records[0], sanitize=False, removeHs=False)
    if mol is None:
        refuse(path, "it is no MOL file that RDKit can read", SUPPORTED)
    check_atoms(mol, str(path), MOST_ATOMS)
    check_bonding(mol, str(path))
    if not mol.GetNumAtoms():
        refuse(path, "there are no atoms")
    missing = sum(atom.GetTotalNumHs() for atom in mol.GetAtoms())
    if missing:
        s = "s" if missing > 1 else ""
        advice = "add them, or mark the atoms as radicals or ions; or give a SMILES"
        refuse(path, f"{missing} hydrogen atom{s} implied by its bonds have no position", advice)
    if mol.GetNumAtoms() > 1 and not mol.GetConformer().Is3D():
        advice = "give a structure in three dimensions, or a SMILES"
        refuse(path, "it is a flat drawing", advice)
    with rdBase.BlockLogs():
        for atom in mol.GetAtoms():
            atom.ClearProp("molParity")
        assign_stereo(mol)
    charge = Chem.GetFormalCharge(mol)
    told = {name: re.search(FIELD.format(name), text) for name in ("charge", "multiplicity")}
    if (field := told["charge"]) and int(field[1]) != charge:
        refuse(path, f"its field <charge> says {field[1]}, its atoms have {charge:+d} in all")
    field, marked = told["multiplicity"], _singlets(records[0])
    with rdBase.BlockLogs():
        spin = read_spin(mol, marked)
    return {
        "numbers": [atom.GetAtomicNum() for atom in mol.GetAtoms()],
        "positions": mol.GetConformer().GetPositions(),
        "charge": charge,
        "multiplicity": int(field[1]) if field else spin.multiplicity,
        "spin": "file" if field or marked else spin.origin,
        "comment": lines[0].strip(),
        "mol": mol,
    }


def _singlets(record: str) -> frozenset[int]:
    """Return the atoms, from 0, that are marked as singlets: two radical electrons, but paired."""
    marked: set[int] = set()
    for line in record.splitlines():
        if line.startswith("M  RAD"):
            words = line.split()[3:]
            marked |= {
                int(atom) - 1
                for atom, state in zip(words[::2], words[1::2], strict=False)
                if state == "1" and atom.isdecimal()
            }
    begin, end = (record.find(f"M  V30 {word} ATOM") for word in ("BEGIN", "END"))
    atoms = record[begin:end].splitlines()[1:] if begin >= 0 else []
    return frozenset(marked) | {
        place for place, line in enumerate(atoms) if re.search(r"\bRAD=1\b", line)
    }
