"""Ligands that a notation writes beside their metal, as most databases do, are put onto it."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .building import Rings
from .polyhedra import D_BLOCK

if TYPE_CHECKING:
    from rdkit.Chem import Mol

LIGANDS = (
    "[F-,Cl-,Br-,I-;D0]",
    "[O-2,S-2;D0]",
    "[#1-;D0]",
    "[C-]#[O+]",
    "[C-]#N",
    "[OH1-;D1]",
    "[NX3;H3,H2,H1,H0;!$(N[C,S]=[O,S,N]);!$(N-[a]);!$(N=*);!$(N#*)]",
    "[n;D2;H0;+0]",
    "[OH2;D2]",
    "[PX3;+0]",
    "[N;$(N#[C;+0])]",
)
"""SMARTS of the donors that are taken, on a molecule that has its hydrogens as atoms."""

CHARGED = 6
"""How many of them, the first ones, are anions or stand for themselves."""

MOST = 6
"""Ligand atoms. With more some belong to counter-ions, and it is not said which."""

CP = "[c,C;r5]1~[c,C;r5]~[c,C;r5]~[c,C;r5]~[c,C;r5]~1"
BENZENE = "c1ccccc1"


def gathered(mol: Mol) -> tuple[Mol, list[Rings], str]:
    """Return a molecule with bonds between its one bare transition metal and its ligands.

    Taken are hydride, halides, oxide, sulfide, hydroxide, cyanide, carbonyl, water, amines,
    phosphines, nitriles and aromatic nitrogen, two to six in all, the neutral ones only where there
    are more; and two cyclopentadienyl rings or benzenes. All else stays beside the metal.

    Returns:
        The molecule, sandwiches in it, and what was done in words.
    """
    from rdkit import Chem

    bare = [a for a in mol.GetAtoms() if a.GetAtomicNum() in D_BLOCK and not a.GetDegree()]
    if len(bare) != 1 or mol.GetNumAtoms() == 1:
        return mol, [], ""
    metal = bare[0].GetIdx()
    parts = [part for part in Chem.GetMolFrags(mol) if metal not in part]
    if sandwich := _sandwich(mol, metal, parts):
        return (
            _bonded(mol, metal, [*sandwich.rings[0], *sandwich.rings[1]]),
            [sandwich],
            (f"{bare[0].GetSymbol()} put between the two rings"),
        )
    donors = dict.fromkeys(
        (int(match[0]), rank < CHARGED)
        for rank, pattern in enumerate(LIGANDS)
        for match in mol.GetSubstructMatches(Chem.MolFromSmarts(pattern), maxMatches=99)
    )
    chosen = [donor for donor, _ in donors]
    if len(chosen) > MOST:
        chosen = [donor for donor, charged in donors if not charged]
    if not 2 <= len(chosen) <= MOST:
        return mol, [], ""
    said = f"{len(chosen)} ligands put onto {bare[0].GetSymbol()}"
    return _bonded(mol, metal, sorted(chosen)), [], said


def _sandwich(mol: Mol, metal: int, parts: list[tuple[int, ...]]) -> Rings | None:
    from rdkit import Chem

    for pattern, charge in ((CP, -1), (BENZENE, 0)):
        query = Chem.MolFromSmarts(pattern)
        found: list[tuple[int, ...]] = []
        for part in parts:
            rings = [ring for ring in mol.GetSubstructMatches(query) if set(ring) <= set(part)]
            total = sum(mol.GetAtomWithIdx(index).GetFormalCharge() for index in part)
            if len(rings) == 1 and total == charge:
                found.append(tuple(map(int, rings[0])))
        if len(found) == len(parts) == 2:
            return Rings(int(metal), (found[0], found[1]))
    return None


def _bonded(mol: Mol, metal: int, donors: list[int]) -> Mol:
    from rdkit import Chem

    bonded: Any = Chem.RWMol(mol)
    for donor in donors:
        bonded.AddBond(donor, metal, Chem.BondType.DATIVE)
    bonded.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(bonded)
    return bonded.GetMol()
