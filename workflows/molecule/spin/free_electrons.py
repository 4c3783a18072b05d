"""Rules by which the free electrons of an atom are paired or parallel.

Free are the electrons that the bonds of a notation leave over, pairs of the octet apart: two of a
carbene or nitrene, three of CF. Several of one atom are parallel by Hund's rule, unless

- two of carbon's heavier kin (Si to Pb), or of a two-coordinate P⁺, As⁺ or Sb⁺, which is alike;
- two of a carbene are beside a neighbour that gives of its lone pairs (N, O, F, S, Cl, Br, I),
  but for N⁺ with a double bond, which has none (the diazo carbene C=N⁺=N⁻ is a triplet), and for
  the sulfur of a sulfone, which has none either;
- two of a carbon that is doubly bound to a carbon which ends there (vinylidenes);
- two of a nitrene are beside an amino nitrogen with single bonds (H2N–N): N beside other
  neighbours, also O, F and Cl, is a triplet;
- two of N⁺ or C⁺ are beside N, O or F (NF2⁺, CF⁺);
- two of group 13 with one bond (BF, CH3–B), except B–B and Al–Al;
- three of any atom leave one, except beside Li, Na (K, Rb, Cs), Be, Mg, B, Al and Si, whose bond is
  so polar or so weak that all stay parallel (CLi is a quartet);
- two atoms of the same aromatic ring have one each, in its plane (arynes).

By calculation (HF, PBE, B3LYP, stability followed) NF, HON and NCl are triplets by 7 to
20 kcal/mol. They decide what `ground_states` does not know.

Source for carbenes and their kin: D. Bourissou, O. Guerret, F. P. Gabbaï, G. Bertrand, Chem. Rev.
100, 39 (2000).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

CARBON, NITROGEN, SULFUR = 6, 7, 16
TETRELS = (14, 32, 50, 82)
PNICTOGENS = (15, 33, 51)
GROUP_13 = (5, 13, 31, 49, 81)
DONORS = (7, 8, 9, 16, 17, 35, 53)
SECOND_ROW_DONORS = (7, 8, 9)
POLAR = (3, 11, 19, 37, 55, 4, 12, 5, 13, 14)
"""Li, Na and their heavier kin, Be, Mg, B, Al, Si."""


@dataclass(frozen=True)
class Free:
    """The free electrons of an atom.

    Attributes:
        index: of the atom, from 0.
        symbol: of its element.
        count: how many they are.
        unpaired: how many of them stay unpaired.
        reason: why any are paired; empty where none is.
    """

    index: int
    symbol: str
    count: int
    unpaired: int
    reason: str = ""


def free_electrons(atoms: list[Any], paired: frozenset[int] = frozenset()) -> list[Free]:
    """Return the atoms of a molecule that have free electrons.

    Args:
        atoms: RDKit's atoms of one molecule.
        paired: indices of atoms of which a file says that their two are paired.
    """
    found = [_of_atom(atom, paired) for atom in atoms if atom.GetNumRadicalElectrons()]
    single = {one.index: one for one in found if one.unpaired == 1 == one.count}
    for first, second in _arynes([atom for atom in atoms if atom.GetIdx() in single]):
        for index in (first, second):
            one, reason = single[index], "in the plane of one aromatic ring"
            single[index] = Free(index, one.symbol, 1, 0, reason)
    return [single.get(one.index, one) for one in found]


def _of_atom(atom: Any, paired: frozenset[int]) -> Free:
    count = int(atom.GetNumRadicalElectrons())
    index, symbol = int(atom.GetIdx()), str(atom.GetSymbol())
    if index in paired:
        return Free(index, symbol, count, count % 2, "the file says so")
    reason = _pairing(atom) if count == 2 else _pairing_of_three(atom) if count == 3 else ""
    return Free(index, symbol, count, count - 2 if reason else count, reason)


def _pairing(atom: Any) -> str:
    """Return why the two free electrons of an atom are paired; empty where they are parallel."""
    number, charge = atom.GetAtomicNum(), atom.GetFormalCharge()
    neighbours: list[Any] = list(atom.GetNeighbors())
    bonds = len(neighbours) + atom.GetTotalNumHs()
    if number in TETRELS:
        return f"{atom.GetSymbol()} is carbon's heavier kin"
    if number in PNICTOGENS and charge == 1 and bonds == 2:
        return f"two-coordinate {atom.GetSymbol()}⁺"
    if number in GROUP_13 and not charge and bonds == 1:
        alike = {5: 5, 13: 13}.get(number, 0)
        same = any(one.GetAtomicNum() == alike for one in neighbours)
        return "" if same else f"{atom.GetSymbol()} with one bond"
    if number == NITROGEN and not charge:
        return "beside an amino nitrogen" if any(map(_is_amino, neighbours)) else ""
    if number in (CARBON, NITROGEN) and charge == 1:
        return _beside(neighbours, SECOND_ROW_DONORS)
    if number == CARBON:
        return _beside(neighbours, DONORS) or _vinylidene(atom)
    return ""


def _beside(neighbours: list[Any], donors: tuple[int, ...]) -> str:
    found = [one.GetSymbol() for one in neighbours if one.GetAtomicNum() in donors and _gives(one)]
    return f"beside {' and '.join(dict.fromkeys(found))}" if found else ""


def _gives(atom: Any) -> bool:
    """Tell whether a neighbour has a lone pair to give; doubly bound N⁺ and S(VI) have none."""
    if atom.GetAtomicNum() == SULFUR:
        return atom.GetTotalValence() < 6
    if atom.GetAtomicNum() != NITROGEN or atom.GetFormalCharge() != 1:
        return True
    return all(bond.GetBondTypeAsDouble() < 1.5 for bond in atom.GetBonds())


def _is_amino(atom: Any) -> bool:
    """Tell whether an atom is a nitrogen with three single bonds and its lone pair."""
    return (
        atom.GetAtomicNum() == NITROGEN
        and atom.GetFormalCharge() == 0
        and atom.GetNumRadicalElectrons() == 0
        and len(atom.GetNeighbors()) + atom.GetTotalNumHs() == 3
        and all(bond.GetBondTypeAsDouble() == 1 for bond in atom.GetBonds())
    )


def _vinylidene(atom: Any) -> str:
    """Tell a carbon that is doubly bound to one whose other bonds are single ones."""
    if atom.GetFormalCharge() or atom.GetTotalDegree() != 1:
        return ""
    (bond,) = atom.GetBonds()
    other = bond.GetOtherAtom(atom)
    ends = other.GetAtomicNum() == CARBON and not other.GetNumRadicalElectrons()
    single = all(
        one.GetBondTypeAsDouble() == 1 for one in other.GetBonds() if one.GetIdx() != bond.GetIdx()
    )
    return "a vinylidene" if ends and single and bond.GetBondTypeAsDouble() == 2 else ""


def _pairing_of_three(atom: Any) -> str:
    """Return why two of three free electrons are paired; empty where all are parallel."""
    beside = {one.GetAtomicNum() for one in atom.GetNeighbors()}
    return "" if beside & {*POLAR} else "of three on one atom two pair"


def _arynes(atoms: list[Any]) -> list[tuple[int, int]]:
    """Return pairs of ring atoms with a free electron each, in the plane of one aromatic ring."""
    if len(atoms) < 2:
        return []
    mol = atoms[0].GetOwningMol()
    ring_atoms = [set(ring) for ring in mol.GetRingInfo().AtomRings()]
    centres = [
        one.GetIdx()
        for one in atoms
        if one.GetIsAromatic() and one.GetTotalDegree() == 2 and one.GetAtomicNum() == CARBON
    ]
    pairs: list[tuple[int, int]] = []
    for ring in ring_atoms:
        taken = {index for pair in pairs for index in pair}
        inside = [index for index in centres if index in ring and index not in taken]
        pairs += list(zip(inside[::2], inside[1::2], strict=False))
    return pairs
