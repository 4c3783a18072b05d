"""Which proton leaves an acid."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triplestore.errors import InputError
from workflows.molecule.notation import canonical

if TYPE_CHECKING:
    from rdkit.Chem import Mol

KINDS: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        ("oxonium OH", "[#1][#8+]"),
        ("hydrogen halide", "[#1][F,Cl,Br,I]"),
        ("sulfur acid OH", "[#1][OX2][S,Se]=O"),
        ("phosphorus acid OH", "[#1][OX2][P,As]=O"),
        ("nitrogen acid OH", "[#1][OX2][$([N+](=O)[O-]),$(N(=O)=O),$(N=O)]"),
        ("halogen acid OH", "[#1][OX2][Cl,Br,I](=O)"),
    ),
    (("COOH", "[#1][OX2][CX3]=[OX1]"), ("thiocarboxylic SH", "[#1][SX2][CX3]=[O,S]")),
    (
        ("NH+", "[#1][$([#7+]),$([#7]-,:[#6]=,:[#7+]),$(n:[n+])]"),
        ("PH+", "[#1][#15+]"),
        ("SH", "[#1][S,Se,Te]"),
        ("phenol or enol OH", "[#1][OX2][c,$([CX3]=[CX3])]"),
        ("NOH", "[#1][OX2][#7]"),
        ("OOH", "[#1][OX2][OX2,OX1]"),
        ("hypohalous OH", "[#1][OX2][F,Cl,Br,I]"),
        ("BOH", "[#1][OX2]B"),
        ("imide NH", "[#1][NX3]([CX3]=O)[CX3]=O"),
        ("sulfonamide NH", "[#1][NX3]S(=O)=O"),
        ("tetrazole NH", "[#1][n]1~[#6,#7]~[#6,#7]~[#6,#7]~[#6,#7]1"),
        ("hydrazoic NH", "[#1][NX2]=[N+]"),
        ("hydrogen cyanide CH", "[#1][CX2]#N"),
    ),
    (
        ("OH", "[#1][#8]"),
        ("amide NH", "[#1][NX3][C,S]=[O,S]"),
        ("azole NH", "[#1][n]"),
    ),
    (("NH", "[#1][#7,#15]"),),
)
"""Protons of one rank are about as acidic, so that nothing but a person can choose among them."""

MANY_NITROGENS = 3
"""Besides the one with the proton: fewer make a ring of five an azole like others."""


@dataclass(frozen=True)
class Proton:
    """A proton that can leave.

    Attributes:
        atom: its index, from 0.
        kind: the group in which it stands.
        rank: how acidic that is; 0 for the most.
        base: SMILES of what is left.
    """

    atom: int
    kind: str
    rank: int
    base: str


def leaving_proton(mol: Mol, asked: str, name: str) -> tuple[Proton, str]:
    """Return the proton that leaves, and what was chosen in words; empty where there is one.

    Args:
        mol: the acid with all hydrogens.
        asked: which: the number of an atom (`H7` or `7`) or the SMILES of the base; empty for the
            most acidic.
        name: of the acid, for messages.

    Raises:
        InputError: there is none, several are equal, or what is asked is none of them.
    """
    found = protons(mol)
    if asked.strip():
        return _asked(found, mol, asked.strip(), name), ""
    usual = [one for one in found if one.rank < len(KINDS)]
    if not usual:
        raise InputError(
            f"the pKa of {name} was asked for",
            "it has no hydrogen on O, N, S or a halogen",
            "give the acid, not its base, or say which one leaves: proton=H7, or the base's SMILES",
        )
    best = min(one.rank for one in usual)
    first = [one for one in usual if one.rank == best]
    if len({one.base for one in first}) > 1:
        raise InputError(
            f"the pKa of {name} was asked for",
            f"several protons can leave: {_listed(first)}",
            f"choose one: proton=H{first[0].atom + 1}, or the SMILES of the base that it leaves",
        )
    chosen = first[0]
    others = [one for one in usual if one.rank != best]
    said = f"the proton of {chosen.kind} leaves {name}"
    return chosen, f"{said}; others stay: {_listed(others)}" if others else ""


def _asked(found: Sequence[Proton], mol: Mol, asked: str, name: str) -> Proton:
    wanted = f"the proton {asked[:80]!r} of {name} was asked for"
    if number := re.fullmatch(r"[Hh]?\s?(\d{1,4})", asked):
        atom = int(number[1]) - 1
        for one in found:
            if one.atom == atom:
                return one
        there = 0 <= atom < mol.GetNumAtoms()
        element = mol.GetAtomWithIdx(atom).GetSymbol() if there else ""
        what = f"atom {atom + 1} is {element}" if there else f"it has {mol.GetNumAtoms()} atoms"
        raise InputError(wanted, what, f"choose one of {_listed(found)}")
    try:
        base = canonical(asked, repr(asked[:80]))
    except InputError as error:
        raise InputError(wanted, error.found, f"choose one of {_listed(found)}") from error
    for one in found:
        if one.base == base:
            return one
    raise InputError(wanted, f"no proton of it leaves {base}", f"choose one of {_listed(found)}")


def _listed(found: Sequence[Proton]) -> str:
    """Return protons by what they leave."""
    groups: dict[str, list[Proton]] = {}
    for one in found:
        groups.setdefault(one.base, []).append(one)
    return "; ".join(
        f"{', '.join(f'H{one.atom + 1}' for one in group)} ({group[0].kind}) leaves {base}"
        for base, group in groups.items()
    )


def protons(mol: Mol) -> list[Proton]:
    """Return the protons of a molecule with all hydrogens, the most acidic kinds first."""
    kinds: dict[int, tuple[str, int]] = {}
    for rank, group in enumerate(_patterns()):
        for kind, pattern in group:
            for match in mol.GetSubstructMatches(pattern, uniquify=False, maxMatches=10_000):
                if kind == "tetrazole NH" and not _has_many_nitrogens(mol, match):
                    continue
                kinds.setdefault(match[0], (kind, rank))
    found = list[Proton]()
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() != 1 or atom.GetDegree() != 1:
            continue
        index = int(atom.GetIdx())
        neighbour = atom.GetNeighbors()[0].GetSymbol()
        kind, rank = kinds.get(index, (f"{neighbour}H", len(KINDS)))
        base = _without(mol, index)
        if base:
            found.append(Proton(index, kind, rank, base))
    return sorted(found, key=lambda one: (one.rank, one.atom))


def _has_many_nitrogens(mol: Mol, match: Sequence[int]) -> bool:
    return sum(mol.GetAtomWithIdx(n).GetAtomicNum() == 7 for n in match[2:]) >= MANY_NITROGENS


@functools.cache
def _patterns() -> tuple[tuple[tuple[str, Any], ...], ...]:
    from rdkit import Chem

    return tuple(
        tuple((name, Chem.MolFromSmarts(smarts)) for name, smarts in group) for group in KINDS
    )


def _without(mol: Mol, atom: int) -> str:
    """Return the SMILES of what is left; empty where RDKit makes no molecule of it."""
    from rdkit import Chem, rdBase

    left = Chem.RWMol(mol)
    beside = left.GetAtomWithIdx(atom).GetNeighbors()[0]
    beside.SetFormalCharge(beside.GetFormalCharge() - 1)
    beside.SetNoImplicit(True)
    left.RemoveAtom(atom)
    with rdBase.BlockLogs():
        try:
            Chem.SanitizeMol(left)
            plain = str(Chem.MolToSmiles(Chem.RemoveHs(_neutralised(left))))
            return canonical(plain, plain)
        except (ValueError, RuntimeError, InputError):
            return ""


def _neutralised(mol: Mol) -> Mol:
    """Return an amidine or azole that is written with both charges as one without them."""
    from rdkit import Chem

    charges = {one.GetFormalCharge() for one in mol.GetAtoms() if one.GetAtomicNum() == 7}
    if not {1, -1} <= charges or Chem.GetFormalCharge(mol):
        return mol
    forms = Chem.ResonanceMolSupplier(mol)
    return forms[0] if len(forms) else mol
