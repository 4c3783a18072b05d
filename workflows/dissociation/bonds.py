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
from workflows.scan.elements import read_named

if TYPE_CHECKING:
    from rdkit.Chem import Mol

NAMED = re.compile(r"\s*[A-Za-z]{0,2}(\d{1,4})\s*[-–\s]\s*[A-Za-z]{0,2}(\d{1,4})\s*")

BY_ELEMENTS = re.compile(r"\s*([A-Z][a-z]?)\s*[-–—‐‑=#≡]?\s*([A-Z][a-z]?)\s*")

ORDERS = {"=": 2.0, "#": 3.0, "≡": 3.0}
"""Orders of bonds by their signs; a hyphen is any, single ones first."""

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
        wanted: bonds such as `1-2`, atoms counted from 1, or by elements, such as `O-H`: each kind
            that has them; empty for each kind of single bond that is in no ring.
        asked: what was asked for, for the error message.

    Raises:
        InputError: there is no such bond, or breaking it leaves one molecule.
    """
    chosen = {
        pair: alike for text in wanted for pair, alike in _wanted(text, mol, asked).items()
    } or _kinds(_usual(mol), mol)
    found: list[Broken] = []
    for (first, second), alike in chosen.items():
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
        found.append(Broken(_label(mol, first, second), ends, alike))
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


def _kinds(pairs: Sequence[tuple[int, int]], mol: Mol) -> dict[tuple[int, int], int]:
    """Return one bond of each kind that symmetry tells apart, and how many there are of it."""
    from rdkit import Chem

    ranks = list(Chem.CanonicalRankAtoms(mol, breakTies=False, includeChirality=False))
    alike: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for pair in pairs:
        alike.setdefault(tuple(sorted(ranks[one] for one in pair)), []).append(pair)
    return {pairs[0]: len(pairs) for pairs in alike.values()}


def _wanted(text: str, mol: Mol, asked: str) -> dict[tuple[int, int], int]:
    """Return the bonds that a text names, by numbers or elements, and for how many each stands."""
    found = NAMED.fullmatch(text)
    if not found:
        return _kinds(_by_elements(text, mol, asked), mol)
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
    return {(first, second): 1}


def _by_elements(text: str, mol: Mol, asked: str) -> list[tuple[int, int]]:
    """Return the bonds between two elements: of an order that is written, or single ones first.

    Those in rings, which cannot be broken, are left out where there are others.
    """
    sign = next((one for one in text if one in ORDERS), "")
    ends = BY_ELEMENTS.fullmatch(text)
    _, elements = (read_named(f"distance {'-'.join(ends.groups())}") if ends else None) or ("", ())
    if not elements:
        raise InputError(
            asked,
            f"{text[:40]!r} names no bond",
            f"name two atoms by number, such as 1-2, or by element; it has {_there(mol)}",
        )
    bonds: list[Any] = [
        one
        for one in mol.GetBonds()
        if sorted(_symbols(one)) == sorted(elements)
        and (not sign or one.GetBondTypeAsDouble() == ORDERS[sign])
    ]
    if not bonds:
        raise InputError(asked, f"it has no bond {text[:40]}", f"its bonds are {_there(mol)}")
    bonds = [one for one in bonds if not one.IsInRing()] or bonds
    bonds = [one for one in bonds if one.GetBondTypeAsDouble() == 1] or bonds
    return [
        (a, b) if _element(mol, a) == elements[0] else (b, a)
        for a, b in ((one.GetBeginAtomIdx(), one.GetEndAtomIdx()) for one in bonds)
    ]


def _symbols(bond: Any) -> tuple[str, str]:
    return str(bond.GetBeginAtom().GetSymbol()), str(bond.GetEndAtom().GetSymbol())


def _there(mol: Mol) -> str:
    """Return in words which elements are bonded in a molecule."""
    signs = {order: sign for sign, order in ORDERS.items() if sign != "≡"}
    bonds: list[Any] = list(mol.GetBonds())
    each = (
        signs.get(one.GetBondTypeAsDouble(), "-").join(sorted(_symbols(one), key="H".__eq__))
        for one in bonds
    )
    return ", ".join(sorted(set(each))) or "none"


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
