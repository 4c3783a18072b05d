"""The bonds that a SMILES writes, atom by atom as a structure has them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import BOND_FACTOR, connectivity, single_lengths
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.molecule.notation import read_smiles
from workflows.molecule.polyhedra import is_metal

if TYPE_CHECKING:
    from rdkit.Chem import Mol


def numbered(atoms: ConceptualAtoms, smiles: str) -> Mol:
    """Return the molecule of a SMILES with the numbering and the positions of a structure.

    Of the numberings that keep the bonds, one is taken in which stereocentres are as the SMILES
    writes them, if there is one.

    Args:
        atoms: the structure.
        smiles: its bonds; atoms may stand in another order. Hydrogens may be missing, but then all.

    Raises:
        InputError: the structure has other atoms or other bonds.
    """
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        mol, order = _ordered(atoms, smiles)
        return with_positions(Chem.RenumberAtoms(mol, order), atoms.positions)


def written(atoms: ConceptualAtoms, smiles: str) -> tuple[Mol, Floats]:
    """Return the molecule of a SMILES, and the positions of a structure's atoms as it writes them.

    Those of hydrogens come last, or not at all if the structure has none.

    Args:
        atoms: the structure.
        smiles: its bonds.

    Raises:
        InputError: the structure has other atoms or other bonds.
    """
    mol, order = _ordered(atoms, smiles)
    positions = np.empty_like(atoms.positions)
    positions[order] = atoms.positions
    return with_positions(mol, positions), positions


def fragments(atoms: ConceptualAtoms, smiles: str) -> tuple[tuple[int, ...], ...]:
    """Return the atoms of each molecule that a SMILES writes, with a structure's numbering.

    Raises:
        InputError: the structure has other atoms or other bonds.
    """
    from rdkit import Chem

    return Chem.GetMolFrags(numbered(atoms, smiles))


def _ordered(atoms: ConceptualAtoms, smiles: str) -> tuple[Any, list[int]]:
    """Return the molecule of a SMILES, and which of its atoms each atom of a structure is."""
    from rdkit import Chem

    mol: Any = read_smiles(smiles, f"{smiles[:80]!r}")
    if 1 in atoms.numbers or not any(atom.GetTotalNumHs() for atom in mol.GetAtoms()):
        mol = Chem.AddHs(mol)
    order = _order(mol, atoms)
    if order is None:
        raise InputError(
            f"the atoms of {smiles[:80]!r} were looked for in {atoms.formula}",
            "its bonds, judged by its distances, are not those of the SMILES",
            "give a geometry and a SMILES of one molecule",
        )
    if order != list(range(len(order))):
        whole = with_positions(Chem.RenumberAtoms(mol, order), atoms.positions)
        order = _as_written(mol, whole, order) or order
    return mol, order


def with_positions(mol: Mol, positions: Floats) -> Any:
    """Return a copy of a molecule at some positions (Å, shape (atoms, 3))."""
    from rdkit import Chem

    copy = Chem.Mol(mol)
    copy.RemoveAllConformers()
    conformer = Chem.Conformer(len(positions))
    conformer.Set3D(True)
    conformer.SetPositions(np.array(positions))
    copy.AddConformer(conformer)
    return copy


def _order(mol: Any, atoms: ConceptualAtoms) -> list[int] | None:
    """Return which atom of the molecule each atom of the structure is; None if there is no way."""
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    if numbers == atoms.numbers.tolist() and _is_bonded(mol, atoms):
        return list(range(len(numbers)))
    if sorted(numbers) != sorted(atoms.numbers.tolist()):
        return None
    ends = [(bond.first, bond.second) for bond in connectivity(atoms).bonds]
    written = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds()]
    target = _skeleton(atoms.numbers.tolist(), ends)
    found = list(map(int, target.GetSubstructMatch(_skeleton(numbers, written))))
    if not found or not _may_be_near(mol, found, ends):
        return None
    order = [0] * len(found)
    for one, other in enumerate(found):
        order[other] = one
    return order


def _may_be_near(mol: Any, found: list[int], ends: list[tuple[int, int]]) -> bool:
    """Tell whether bonds that the SMILES does not write are contacts: of parts, or of a metal."""
    from rdkit import Chem

    known = {
        frozenset((found[bond.GetBeginAtomIdx()], found[bond.GetEndAtomIdx()]))
        for bond in mol.GetBonds()
    }
    part = {found[n]: rank for rank, one in enumerate(Chem.GetMolFrags(mol)) for n in one}
    metals = {found[atom.GetIdx()] for atom in mol.GetAtoms() if is_metal(atom.GetAtomicNum())}
    more = [pair for pair in ends if frozenset(pair) not in known]
    return all(part[one] != part[two] or {one, two} & metals for one, two in more)


def _is_bonded(mol: Any, atoms: ConceptualAtoms) -> bool:
    """Tell whether the bonds are no longer than such bonds are."""
    ends = np.array(
        [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds()], int
    ).reshape(-1, 2)
    one, two = ends.T
    lengths = np.linalg.norm(atoms.positions[one] - atoms.positions[two], axis=1)
    return bool(
        (lengths <= BOND_FACTOR * single_lengths(atoms.numbers[one], atoms.numbers[two])).all()
    )


def _skeleton(numbers: list[int], ends: list[tuple[int, int]]) -> Any:
    """Return a molecule of single bonds, so that kinds of bonds make no difference."""
    from rdkit import Chem

    mol = Chem.RWMol()
    for number in numbers:
        atom = Chem.Atom(number)
        atom.SetNoImplicit(True)
        mol.AddAtom(atom)
    for one, two in ends:
        mol.AddBond(one, two, Chem.BondType.SINGLE)
    return mol.GetMol()


def _as_written(mol: Any, whole: Any, order: list[int]) -> list[int]:
    """Return a numbering that keeps the stereochemistry as well; empty if there is none.

    Args:
        mol: as the SMILES writes it.
        whole: the same with the numbering and the positions of a structure.
        order: the numbering.
    """
    from rdkit import Chem

    heavy, seen = _without_hydrogens(mol), Chem.Mol(whole)
    if not any(atom.GetChiralTag() for atom in heavy.GetAtoms()):
        return order
    Chem.AssignStereochemistryFrom3D(seen)
    target = _without_hydrogens(seen)
    match = target.GetSubstructMatch(heavy, useChirality=True)
    found = [0] * (mol.GetNumAtoms() if match else 0)
    for atom, met in zip(heavy.GetAtoms(), match, strict=bool(match)):
        one, other = atom.GetIntProp("place"), target.GetAtomWithIdx(met).GetIntProp("place")
        pairs = zip(_hydrogens(mol, one), _hydrogens(seen, other), strict=True)
        for first, second in [(one, other), *pairs]:
            found[second] = first
    return found


def _without_hydrogens(mol: Any) -> Any:
    """Return a molecule whose atoms say their places in the one with hydrogens."""
    from rdkit import Chem

    copy = Chem.Mol(mol)
    for atom in copy.GetAtoms():
        atom.SetIntProp("place", atom.GetIdx())
    return Chem.RemoveAllHs(copy, sanitize=False)


def _hydrogens(mol: Any, place: int) -> list[int]:
    beside = mol.GetAtomWithIdx(place).GetNeighbors()
    return [int(atom.GetIdx()) for atom in beside if atom.GetAtomicNum() == 1]
