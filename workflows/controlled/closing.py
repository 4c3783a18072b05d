"""The closed, neutral form of what is written open: as a carbanion, a radical, or protonated."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .parts import Part, composition, is_metal, is_paired, unloaded

BONDS = {6: 4, 7: 3, 8: 2, 9: 1, 15: 3, 16: 2, 17: 1, 33: 3, 34: 2, 35: 1, 53: 1}
"""Bonds of atoms that are not charged, the fewest, by element."""


ONIUM = frozenset({7, 8, 9, 16, 17, 34, 35, 53})
"""Elements whose pair of electrons steadies a carbocation beside them."""

BORON, CHLORINE = 5, 17
PAIRS = frozenset({7, 8, 9, 15, 16, 17, 33, 34, 35, 53})
"""Elements with a pair of electrons for boron."""


def closed(part: Part) -> Iterator[Part]:
    """Iterate over what a part is when nothing of it is left open; nothing if that is what it is.

    Cations with too many bonds lose hydrogen, those with too few take it, and so do carbanions and
    radicals. Anions of acids are left as they are, as a salt is another substance. C=X⁺ is the
    carbocation ⁺C–X; a ring of three with X⁺ is the 2-chloroethyl compound that it comes from;
    an adduct of boron is what it is of.
    """
    from rdkit import Chem

    if not any(_may_change(atom) for atom in part.mol.GetAtoms()):
        return
    made: Any = Chem.RWMol(part.mol)
    try:
        Chem.Kekulize(made, clearAromaticFlags=True)
    except Chem.KekulizeException:
        return
    for piece in (made, *_without_boron(made)):
        for form in _forms(piece):
            if (one := _closed(part, form)) is not None:
                yield one


def _without_boron(mol: Any) -> list[Any]:
    """Return what an adduct of boron, written as N⁺–B⁻, N⁺–B, Cl–B or with a dative bond, is of."""
    from rdkit import Chem

    made: Any = Chem.RWMol(mol)
    pairs: list[tuple[int, int]] = []
    for bond in made.GetBonds():
        ends = bond.GetBeginAtom(), bond.GetEndAtom()
        for boron, other in (ends, ends[::-1]):
            if boron.GetAtomicNum() != BORON or other.GetAtomicNum() not in PAIRS:
                continue
            charge = other.GetFormalCharge()
            is_bridge = not charge and BONDS.get(other.GetAtomicNum()) == 1 < other.GetDegree()
            written = boron.GetFormalCharge() in (-1, 0) and (charge == 1 or is_bridge)
            if written:
                for atom in (boron, other):
                    _set(atom, 0, atom.GetTotalNumHs())
            if written or bond.GetBondType() == Chem.BondType.DATIVE:
                pairs.append((boron.GetIdx(), other.GetIdx()))
    for first, second in pairs:
        made.RemoveBond(first, second)
    if not pairs:
        return []
    made.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(made)
    pieces = Chem.GetMolFrags(made.GetMol(), asMols=True, sanitizeFrags=False)
    return [Chem.RWMol(one) for one in pieces if one.GetNumAtoms() > 1]


def _forms(mol: Any) -> Iterator[Any]:
    """Iterate over a molecule as it is written, and with its onium ions as carbocations."""
    from rdkit import Chem

    yield Chem.RWMol(mol)
    every = [atom.GetIdx() for atom in mol.GetAtoms() if _is_onium(atom)]
    if not every:
        return
    plain: Any = Chem.RWMol(mol)
    cations: set[int] = set()
    for bond in plain.GetBonds():
        ends = bond.GetBeginAtom(), bond.GetEndAtom()
        for onium, carbon in (ends, ends[::-1]):
            if onium.GetIdx() in every and _is_iminium(bond, carbon):
                bond.SetBondType(Chem.BondType.SINGLE)
                onium.SetFormalCharge(0)
                carbon.SetFormalCharge(1)
                cations.add(carbon.GetIdx())
    if cations:
        yield Chem.RWMol(plain)
        reduced: Any = Chem.RWMol(plain)
        for at in cations:  # whether or not a proton beside it could go instead
            carbon = reduced.GetAtomWithIdx(at)
            _set(carbon, 0, carbon.GetTotalNumHs() + 1)
        yield reduced
    for at in every:
        onium = plain.GetAtomWithIdx(at)
        for carbon in onium.GetNeighbors() if onium.GetFormalCharge() == 1 else ():
            bond = plain.GetBondBetweenAtoms(at, carbon.GetIdx())
            if carbon.GetAtomicNum() == 6 and bond.IsInRingSize(3):
                yield _opened(plain, at, carbon.GetIdx())


def _is_onium(atom: Any) -> bool:
    return atom.GetFormalCharge() == 1 and atom.GetAtomicNum() in ONIUM and not is_paired(atom)


def _is_iminium(bond: Any, carbon: Any) -> bool:
    from rdkit import Chem

    return bond.GetBondType() == Chem.BondType.DOUBLE and carbon.GetAtomicNum() == 6


def _opened(mol: Any, onium: int, carbon: int) -> Any:
    """Return a molecule with chloride at a carbon atom of a ring of three instead of X⁺."""
    from rdkit import Chem

    made: Any = Chem.RWMol(mol)
    made.RemoveBond(onium, carbon)
    made.AddBond(carbon, made.AddAtom(Chem.Atom(CHLORINE)), Chem.BondType.SINGLE)
    made.GetAtomWithIdx(onium).SetFormalCharge(0)
    return made


def _closed(part: Part, made: Any) -> Part | None:
    from rdkit import Chem

    parted = part.mol.GetNumAtoms() != made.GetNumAtoms()
    rewritten = parted or part.charge != _charge(made)
    made.UpdatePropertyCache(strict=False)
    atoms = [a for a in made.GetAtoms() if a.GetAtomicNum() > 1 and not is_metal(a.GetAtomicNum())]
    changes = [_change(atom) for atom in atoms]
    if not rewritten and not any(changes):
        return None
    made.UpdatePropertyCache(strict=False)
    mol: Any = made.GetMol()
    if part.charge >= 0 > _charge(mol):
        mol = Chem.Mol(unloaded(mol))  # what has lost a proton had one to spare elsewhere
    if Chem.SanitizeMol(mol, catchErrors=True):
        return None
    return Part(mol, _charge(mol), composition(mol))


def _may_change(atom: Any) -> bool:
    return bool(
        atom.GetFormalCharge()
        or atom.GetNumRadicalElectrons()
        or atom.GetAtomicNum() in (BORON, 15)
    )


def _charge(mol: Any) -> int:
    return sum(atom.GetFormalCharge() for atom in mol.GetAtoms())


def _change(atom: Any) -> bool:
    """Close an atom; whether there was something to close."""
    if radicals := atom.GetNumRadicalElectrons():
        _set(atom, atom.GetFormalCharge(), atom.GetTotalNumHs() + radicals)
    changed = bool(radicals)
    while step := _step(atom):
        _set(atom, *step)
        changed = True
    rewritten = (_is_protonated_beside, _is_nitronate, _is_ylidene)
    return any(one(atom) for one in rewritten) or changed


def _step(atom: Any) -> tuple[int, int] | None:
    """Return the charge and the number of hydrogens that an atom comes to, one step on."""
    number, charge, hydrogens = (
        atom.GetAtomicNum(),
        atom.GetFormalCharge(),
        atom.GetTotalNumHs(),
    )
    usual = BONDS.get(number, 0)
    if charge < 0 and number == 6 and not is_paired(atom):
        return charge + 1, hydrogens + 1
    if charge > 0 and usual:
        if atom.GetTotalValence() > usual and hydrogens:
            return charge - 1, hydrogens - 1
        if atom.GetTotalValence() < usual and not is_paired(atom) and not _acids(atom):
            return charge - 1, hydrogens + 1
    return None


def _acids(atom: Any) -> list[Any]:
    """Return the neighbours that have a proton to give."""
    return [
        n
        for n in atom.GetNeighbors()
        if n.GetAtomicNum() in (7, 8, 16) and not n.GetFormalCharge() and n.GetTotalNumHs()
    ]


def _is_protonated_beside(atom: Any) -> bool:
    """Write X⁺–OH as X=O, and at nitrogen as X⁺–O⁻; whether it was one."""
    from rdkit import Chem

    if atom.GetAtomicNum() not in (6, 7, 15, 16, 33) or atom.GetFormalCharge() < 1:
        return False
    if is_paired(atom) or not (acids := _acids(atom)):
        return False
    other = max(acids, key=lambda one: one.GetAtomicNum() == 8)
    if atom.GetAtomicNum() == 7:
        _set(other, -1, other.GetTotalNumHs() - 1)
        return True
    bond = other.GetOwningMol().GetBondBetweenAtoms(atom.GetIdx(), other.GetIdx())
    bond.SetBondType(Chem.BondType.DOUBLE)
    _set(other, 0, other.GetTotalNumHs() - 1)
    _set(atom, atom.GetFormalCharge() - 1, atom.GetTotalNumHs())
    return True


def _is_ylidene(atom: Any) -> bool:
    """Write C=P–OH and C=P–O⁻ as H–C–P=O; whether it was one."""
    from rdkit import Chem

    single, double = Chem.BondType.SINGLE, Chem.BondType.DOUBLE
    if atom.GetAtomicNum() != 15 or atom.GetFormalCharge():
        return False
    bonds = [(bond, bond.GetOtherAtom(atom)) for bond in atom.GetBonds()]
    carbon = [one for one in bonds if one[0].GetBondType() == double and one[1].GetAtomicNum() == 6]
    acid = [
        (bond, other)
        for bond, other in bonds
        if bond.GetBondType() == single
        and other.GetAtomicNum() in (8, 16)
        and (other.GetFormalCharge() == -1 or other.GetTotalNumHs())
    ]
    if not carbon or not acid:
        return False
    (ylidene, methylene), (ester, oxygen) = carbon[0], acid[0]
    ylidene.SetBondType(single)
    ester.SetBondType(double)
    _set(methylene, methylene.GetFormalCharge(), methylene.GetTotalNumHs() + 1)
    _set(oxygen, 0, 0)
    return True


def _is_nitronate(atom: Any) -> bool:
    """Give the proton back to C=N⁺(O⁻)O⁻, which is a carbanion; whether it was one."""
    if atom.GetAtomicNum() != 7 or atom.GetFormalCharge() != 1:
        return False
    beside = list(atom.GetNeighbors())
    oxygens = [n for n in beside if n.GetAtomicNum() == 8 and n.GetFormalCharge() == -1]
    if len(oxygens) != 2 or not any(n.GetAtomicNum() == 6 for n in beside):
        return False
    _set(oxygens[0], 0, 1)
    return True


def _set(atom: Any, charge: int, hydrogens: int) -> None:
    atom.SetNumRadicalElectrons(0)
    atom.SetFormalCharge(charge)
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(hydrogens)
    atom.UpdatePropertyCache(strict=False)
