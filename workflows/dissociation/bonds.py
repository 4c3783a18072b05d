"""Which bonds of a molecule can be broken, and what is left."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontologies.dissociation import Dissociation
from triplestore.errors import InputError
from workflows.molecule.notation import read_smiles

if TYPE_CHECKING:
    from rdkit.Chem import Mol

NAMED = re.compile(r"\s*[A-Za-z]{0,2}(\d{1,4})\s*[-–\s]\s*[A-Za-z]{0,2}(\d{1,4})\s*")

MOST = 50
"""Bonds of one request."""


@dataclass(frozen=True)
class Broken:
    """A bond that is broken.

    Attributes:
        label: such as `C1-H4`, atoms counted from 1.
        ends: SMILES of what is left: the part of the atom that is named first, then the other.
        alike: how many bonds of the molecule are like it, itself included.
    """

    label: str
    ends: tuple[str, str]
    alike: int


def broken_bonds(mol: Mol, into: Dissociation, wanted: Sequence[str], asked: str) -> list[Broken]:
    """Return the bonds that are broken and what is left of each.

    Args:
        mol: the molecule with all its hydrogens, atom by atom.
        into: what hydrogen leaves as; any bond for radicals.
        wanted: bonds such as `1-2`, atoms counted from 1; empty for each kind of single bond that
            is in no ring.
        asked: what was asked for, for the error message.

    Raises:
        InputError: there is no such bond, or breaking it leaves one molecule.
    """
    from rdkit import Chem

    ranks = list(Chem.CanonicalRankAtoms(mol, breakTies=False, includeChirality=False))
    pairs = [_pair(text, mol, asked) for text in wanted] or _usual(mol)
    kinds: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for first, second in dict.fromkeys(pairs):
        one, other = sorted((ranks[first], ranks[second]))
        kinds.setdefault((one, other), []).append((first, second))
    found: list[Broken] = []
    for alike in kinds.values():
        for first, second in alike if wanted else alike[:1]:
            hydrogens = [_element(mol, index) == "H" for index in (first, second)]
            if into != "radicals" and sum(hydrogens) != 1:
                if wanted:
                    raise InputError(
                        asked,
                        f"{_label(mol, first, second)} is no bond to one hydrogen",
                        "name such a bond, or ask for radicals",
                    )
                continue
            ends = _ends(mol, first, second, into, hydrogens, asked)
            found.append(Broken(_label(mol, first, second), ends, 1 if wanted else len(alike)))
    if not found:
        raise InputError(asked, "it has no such bond", "name one (bonds), or ask for radicals")
    if len(found) > MOST:
        raise InputError(
            asked, f"it has {len(found)} kinds of bonds; {MOST} are allowed", "name some (bonds)"
        )
    return found


def _usual(mol: Mol) -> list[tuple[int, int]]:
    """Return the single bonds that are in no ring, the heavier or earlier atom first."""
    return [
        (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
        for bond in mol.GetBonds()
        if bond.GetBondTypeAsDouble() == 1 and not bond.IsInRing()
    ]


def _pair(text: str, mol: Mol, asked: str) -> tuple[int, int]:
    found = NAMED.fullmatch(text)
    if not found:
        raise InputError(asked, f"{text[:40]!r} names no bond", "name two atoms, such as 1-2")
    first, second = (int(one) - 1 for one in found.groups())
    atoms = mol.GetNumAtoms()
    if not (0 <= first < atoms and 0 <= second < atoms):
        raise InputError(asked, f"there is no bond {text[:40]}", f"its atoms are 1 to {atoms}")
    near = sorted(one.GetIdx() for one in mol.GetAtomWithIdx(first).GetNeighbors())
    if second not in near:
        there = ", ".join(_label(mol, first, one) for one in near) or "none"
        raise InputError(
            asked,
            f"{_label(mol, first, second)} is no bond",
            f"bonds of {_label(mol, first)}: {there}",
        )
    return first, second


def _ends(
    mol: Mol, first: int, second: int, into: Dissociation, hydrogens: Sequence[bool], asked: str
) -> tuple[str, str]:
    from rdkit import Chem

    bond: Any = mol.GetBondBetweenAtoms(first, second)
    order = bond.GetBondTypeAsDouble()
    changed: Any = Chem.RWMol(mol)
    changed.RemoveBond(first, second)
    parts: Any = Chem.GetMolFrags(changed)
    if len(parts) == len(Chem.GetMolFrags(mol)) or order % 1:
        raise InputError(
            asked,
            f"{_label(mol, first, second)} is in a ring: breaking it leaves one molecule",
            "write the reaction that is meant: grafico react",
        )
    for index, is_hydrogen in zip((first, second), hydrogens, strict=True):
        atom = changed.GetAtomWithIdx(index)
        atom.SetNoImplicit(True)
        if into == "radicals":
            atom.SetNumRadicalElectrons(atom.GetNumRadicalElectrons() + int(order))
        else:
            charge = (-1 if is_hydrogen else 1) * (1 if into == "hydride" else -1)
            atom.SetFormalCharge(atom.GetFormalCharge() + charge)
    Chem.SanitizeMol(changed)
    Chem.AssignStereochemistry(changed, cleanIt=True, force=True)
    ends = [
        Chem.MolFragmentToSmiles(changed, next(part for part in parts if index in part))
        for index in (first, second)
    ]
    plain = [str(Chem.MolToSmiles(read_smiles(one, one))) for one in ends]
    return plain[0], plain[1]


def _element(mol: Mol, index: int) -> str:
    return str(mol.GetAtomWithIdx(index).GetSymbol())


def _label(mol: Mol, *indices: int) -> str:
    return "-".join(f"{_element(mol, index)}{index + 1}" for index in indices)
