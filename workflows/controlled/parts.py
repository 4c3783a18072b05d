"""The parts of what is to be screened, as they are compared with lists.

Isotopes, numbers of atoms and stereochemistry are dropped; bonds of metals are those of ions;
P⁺–O⁻ and the like are double bonds; P–OH beside a free place is H–P=O.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from triplestore.errors import InputError
from workflows.molecule.notation import LONGEST, check_atoms, check_bonding
from workflows.molecule.recognition import smiles_fault

ALKALI = frozenset({3, 11, 19, 37, 55})
NO_METALS = frozenset(
    {*range(1, 3), *range(5, 11), *range(14, 19), *range(32, 37), *range(51, 55), 85, 86}
)
PLACES = {
    **{1: (0,), 6: (3,), 9: (0,), 15: (2, 4), 16: (1, 3, 5)},
    **{17: (0,), 33: (2, 4), 35: (0,), 53: (0,)},
}
"""Bonds that atoms of cations have which take one more, by element."""

MOST_WAYS = 64
"""In which ions and radicals are bonded; with more a mixture is refused."""

CONSTITUTION = 14
"""Letters of an InChIKey that say formula and connections."""


@dataclass(frozen=True)
class Part:
    """A molecule or an ion, as it is compared with lists.

    Attributes:
        mol: RDKit's molecule.
        charge: in e, as it was given.
        atoms: of each element but hydrogen, as text.
    """

    mol: Any
    charge: int
    atoms: str

    @functools.cached_property
    def smiles(self) -> str:
        """Its canonical SMILES."""
        from rdkit import Chem

        return str(Chem.MolToSmiles(self.mol))

    @functools.cached_property
    def unloaded(self) -> Any:
        """The molecule without the charge that protons make."""
        return unloaded(self.mol)

    @functools.cached_property
    def key(self) -> tuple[str, int]:
        """What is the same for it and its ions: of InChI's key the first block, and a charge."""
        return key(self.unloaded)

    @functools.cached_property
    def tautomer(self) -> str:
        """What is the same for its tautomers, too."""
        return tautomer(self.unloaded)


def parts_of(smiles: str) -> tuple[Part, ...]:
    """Return the parts of a substance or a mixture, largest first.

    Raises:
        InputError: it cannot be read, or leaves open what is there.
    """
    from rdkit import rdBase

    asked = f"{smiles[:80]!r} was screened"
    with rdBase.BlockLogs():
        mol = _read(smiles, asked)
        try:
            return tuple(_folded(mol))
        except Exception as error:  # RDKit raises many kinds
            found = " ".join(str(error).split())[:120] or type(error).__name__
            raise InputError(asked, f"RDKit fails on it: {found}", "give it otherwise") from error


def _read(smiles: str, asked: str) -> Any:
    """Return the molecule of a SMILES, sanitised, without isotopes and numbers of atoms."""
    from rdkit import Chem

    advice = "mend it, or give its parts one by one"
    if len(smiles) > LONGEST:
        found = f"it has {len(smiles):,} characters; {LONGEST:,} are allowed"
        raise InputError(asked, found, advice)
    parameters: Any = Chem.SmilesParserParams()
    parameters.sanitize = parameters.removeHs = False
    parameters.allowCXSMILES = parameters.parseName = False
    mol: Any = None if re.search(r"\s", smiles) else Chem.MolFromSmiles(smiles, parameters)
    if mol is None or not mol.GetNumAtoms():
        raise InputError(asked, smiles_fault(smiles) or "it is no SMILES", advice)
    for atom in mol.GetAtoms():
        atom.SetIsotope(0)
        atom.SetAtomMapNum(0)
    check_atoms(mol, repr(smiles[:80]))
    check_bonding(mol, repr(smiles[:80]))
    return Chem.RWMol(mol)


def _folded(mol: Any) -> list[Part]:
    from rdkit import Chem

    _loosen_metals(mol)
    _fold(mol)
    for bond in mol.GetBonds():
        bond.SetBondDir(Chem.BondDir.NONE)
        bond.SetStereo(Chem.BondStereo.STEREONONE)
    for atom in mol.GetAtoms():
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    plain = mol.GetMol()
    plain.UpdatePropertyCache(strict=False)
    plain = Chem.RemoveHs(plain, sanitize=False)
    Chem.FastFindRings(plain)
    found = [
        Part(one, sum(a.GetFormalCharge() for a in one.GetAtoms()), composition(one))
        for one in Chem.GetMolFrags(plain, asMols=True, sanitizeFrags=False)
    ]
    for one in found:
        Chem.SanitizeMol(one.mol, catchErrors=True)
    return sorted(found, key=lambda one: -one.mol.GetNumAtoms())


def is_metal(number: int) -> bool:
    """Tell whether the bonds of an element are taken as those of ions."""
    return number not in NO_METALS


def joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Iterate over the molecules that parts come to where ions or radicals of them are bonded.

    A bond can be written as two ions, `[F-]` beside a cation of phosphorus with a free place, or
    beside a proton.

    Raises:
        InputError: there are too many ways.
    """
    from rdkit import Chem

    whole: Any = functools.reduce(Chem.CombineMols, [part.mol for part in parts])
    atoms = list(whole.GetAtoms())
    owner = [at for at, part in enumerate(parts) for _ in range(part.mol.GetNumAtoms())]
    free = [atom.GetIdx() for atom in atoms if _has_place(atom)]
    rich = [
        atom.GetIdx()
        for atom in atoms
        for _ in range(-atom.GetFormalCharge())
        if not is_paired(atom)
    ]
    open_shells = [atom.GetIdx() for atom in atoms if atom.GetNumRadicalElectrons() == 1]
    protons = [at for at in free if atoms[at].GetAtomicNum() == 1]
    same = [protons[0] if at in protons else at for at in free]
    bonded = (_one_each(way, protons) for way in _pairings(same, rich)) if free and rich else ()
    pairs = ([pair] for pair in itertools.combinations(open_shells, 2))
    ways = list(itertools.islice(itertools.chain(bonded, pairs), MOST_WAYS + 1))
    if len(ways) > MOST_WAYS:
        found = "its ions and radicals may be one molecule in too many ways"
        raise InputError("a mixture was screened", found, "write its bonds as bonds")
    for way in ways:
        if any(owner[first] == owner[second] for first, second in way):
            continue
        made: Any = Chem.RWMol(whole)
        for first, second in way:
            made.AddBond(first, second, Chem.BondType.SINGLE)
            for at in (first, second):
                atom = made.GetAtomWithIdx(at)
                hydrogens = atom.GetTotalNumHs()
                atom.SetNumRadicalElectrons(0)
                charge = atom.GetFormalCharge()
                atom.SetFormalCharge(charge - (charge > 0) + (charge < 0))
                atom.SetNoImplicit(True)
                atom.SetNumExplicitHs(hydrogens)
        touched = {at for pair in way for at in pair}
        places: list[tuple[int, ...]] = []
        made.UpdatePropertyCache(strict=False)
        pieces = Chem.GetMolFrags(
            made.GetMol(), asMols=True, sanitizeFrags=False, fragsMolAtomMapping=places
        )
        for whole_piece, at in zip(pieces, places, strict=True):
            piece = Chem.RemoveHs(whole_piece, sanitize=False)
            if touched.intersection(at) and not Chem.SanitizeMol(piece, catchErrors=True):
                charge = sum(atom.GetFormalCharge() for atom in piece.GetAtoms())
                yield Part(piece, charge, composition(piece))


def _one_each(way: Sequence[tuple[int, int]], protons: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs with another proton in each."""
    left = iter(protons)
    return [(next(left) if first in protons else first, second) for first, second in way]


def _pairings(first: Sequence[int], second: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Iterate over the ways to give as many as can be a partner; what is equal counts once.

    Args:
        first: whatever is paired, as numbers; equal ones are the same.
        second: likewise.
    """
    if len(first) > len(second):
        for way in _pairings(second, first):
            yield [(one, other) for other, one in way]
        return
    few, many = sorted(first), sorted(second)

    def rest(at: int, taken: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
        if at == len(few):
            yield []
            return
        start = taken[-1] + 1 if at and few[at] == few[at - 1] else 0
        seen: set[int] = set()
        for place in range(start, len(many)):
            if place in taken or many[place] in seen:
                continue
            seen.add(many[place])
            for more in rest(at + 1, (*taken, place)):
                yield [(few[at], many[place]), *more]

    yield from rest(0, ())


def _has_place(atom: Any) -> bool:
    """Tell whether a cation's atom lacks a bond: one with a proton at phosphorus does not."""
    number = atom.GetAtomicNum()
    if atom.GetFormalCharge() != 1 or (number != 6 and atom.GetTotalNumHs()):
        return False
    return atom.GetTotalValence() in PLACES.get(number, ())


def composition(mol: Any) -> str:
    """Return how many atoms of each element but hydrogen there are, as text."""
    counts = Counter(a.GetSymbol() for a in mol.GetAtoms() if a.GetAtomicNum() > 1)
    return " ".join(f"{symbol}{number}" for symbol, number in sorted(counts.items()))


def _loosen_metals(mol: Any) -> None:
    """Make ions of what metals are bonded to."""
    from rdkit import Chem

    mol.UpdatePropertyCache(strict=False)  # hydrogen stays where it is
    pairs: list[tuple[int, int]] = []
    for bond in mol.GetBonds():
        first, second = bond.GetBeginAtom(), bond.GetEndAtom()
        metals = [is_metal(one.GetAtomicNum()) for one in (first, second)]
        if metals[0] == metals[1]:
            continue
        metal, other = (first, second) if metals[0] else (second, first)
        pairs.append((first.GetIdx(), second.GetIdx()))
        if bond.GetBondType() != Chem.BondType.DATIVE:
            order = round(bond.GetBondTypeAsDouble())
            metal.SetFormalCharge(metal.GetFormalCharge() + order)
            hydrogens = other.GetNumExplicitHs() + other.GetNumImplicitHs()
            other.SetFormalCharge(other.GetFormalCharge() - order)
            other.SetNoImplicit(True)
            other.SetNumExplicitHs(hydrogens)
    for first, second in pairs:
        mol.RemoveBond(first, second)


def _fold(mol: Any) -> None:
    """Write P⁺–O⁻ as P=O, and P–OH beside two bonds as H–P=O."""
    from rdkit import Chem

    central = (7, 15, 16, 33, 34)
    for bond in mol.GetBonds():
        for one, other in (
            (bond.GetBeginAtom(), bond.GetEndAtom()),
            (bond.GetEndAtom(), bond.GetBeginAtom()),
        ):
            if (
                one.GetAtomicNum() in central[1:]
                and other.GetAtomicNum() in (7, 8, 16)
                and one.GetFormalCharge() > 0 > other.GetFormalCharge()
                and bond.GetBondType() == Chem.BondType.SINGLE
            ):
                bond.SetBondType(Chem.BondType.DOUBLE)
                one.SetFormalCharge(one.GetFormalCharge() - 1)
                other.SetFormalCharge(other.GetFormalCharge() + 1)
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() != 15 or atom.GetFormalCharge() or atom.GetTotalValence() != 3:
            continue
        bonds = [b for b in atom.GetBonds() if b.GetBondType() == Chem.BondType.SINGLE]
        if len(bonds) != atom.GetDegree():
            continue
        acid = next((b for b in bonds if _is_hydroxyl(b.GetOtherAtom(atom))), None)
        if acid is None:
            continue
        oxygen = acid.GetOtherAtom(atom)
        for hydrogen in [n for n in oxygen.GetNeighbors() if n.GetAtomicNum() == 1]:
            mol.RemoveBond(oxygen.GetIdx(), hydrogen.GetIdx())
            mol.AddBond(atom.GetIdx(), hydrogen.GetIdx(), Chem.BondType.SINGLE)
        acid.SetBondType(Chem.BondType.DOUBLE)
        explicit = any(n.GetAtomicNum() == 1 for n in atom.GetNeighbors())
        held = 0 if explicit else 1
        oxygen.SetNumExplicitHs(0)
        oxygen.SetNoImplicit(True)
        atom.SetNumExplicitHs(atom.GetTotalNumHs() + held)
        atom.SetNoImplicit(True)


def _is_hydroxyl(atom: Any) -> bool:
    """Tell whether an atom is the oxygen of OH."""
    return (
        atom.GetAtomicNum() == 8
        and sum(n.GetAtomicNum() > 1 for n in atom.GetNeighbors()) == 1
        and atom.GetTotalNumHs(includeNeighbors=True) == 1
        and not atom.GetFormalCharge()
    )


def unloaded(mol: Any) -> Any:
    """Return a molecule with as many protons that its charge is 0, as far as it has places."""
    from rdkit import Chem

    charge = sum(atom.GetFormalCharge() for atom in mol.GetAtoms())
    if not charge or any(is_metal(atom.GetAtomicNum()) for atom in mol.GetAtoms()):
        return mol
    made: Any = Chem.RWMol(mol)
    for _ in range(abs(charge)):
        if charge > 0:
            _shift(made)
        places = [a for a in made.GetAtoms() if _can_change(a, charge)]
        if not places:
            break
        # O⁻ of a nitrate stands beside N⁺ and takes a proton last
        atom = min(places, key=lambda a: (is_paired(a), -a.GetAtomicNum(), a.GetIdx()))
        step = 1 if charge < 0 else -1
        hydrogens = atom.GetTotalNumHs() + step
        atom.SetFormalCharge(atom.GetFormalCharge() + step)
        atom.SetNoImplicit(True)
        atom.SetNumExplicitHs(hydrogens)
    made.UpdatePropertyCache(strict=False)
    return made.GetMol()


def _shift(mol: Any) -> None:
    """Write H–N–C=N⁺ without hydrogen at its charge as H–N⁺=C–N."""
    from rdkit import Chem

    single, double = Chem.BondType.SINGLE, Chem.BondType.DOUBLE
    for bond in mol.GetBonds():
        if bond.GetBondType() != double:
            continue
        for charged, middle in (
            (bond.GetBeginAtom(), bond.GetEndAtom()),
            (bond.GetEndAtom(), bond.GetBeginAtom()),
        ):
            if charged.GetAtomicNum() != 7 or charged.GetFormalCharge() != 1:
                continue
            if charged.GetTotalNumHs():
                continue
            for other in middle.GetBonds():
                holder = other.GetOtherAtom(middle)
                if (
                    other.GetBondType() == single
                    and holder.GetAtomicNum() == 7
                    and not holder.GetFormalCharge()
                    and holder.GetTotalNumHs()
                ):
                    hydrogens = holder.GetTotalNumHs()
                    bond.SetBondType(single)
                    other.SetBondType(double)
                    charged.SetFormalCharge(0)
                    holder.SetFormalCharge(1)
                    holder.SetNoImplicit(True)
                    holder.SetNumExplicitHs(hydrogens)
                    mol.UpdatePropertyCache(strict=False)
                    return


def _can_change(atom: Any, charge: int) -> bool:
    if charge < 0:
        return atom.GetFormalCharge() < 0
    return atom.GetFormalCharge() > 0 and atom.GetTotalNumHs() > 0


def is_paired(atom: Any) -> bool:
    """Tell whether a charge stands beside its opposite, which nothing else beside that makes up."""
    sign = 1 if atom.GetFormalCharge() > 0 else -1
    for other in atom.GetNeighbors():
        around = (n for n in other.GetNeighbors() if n.GetIdx() != atom.GetIdx())
        against = sum(n.GetFormalCharge() for n in around if n.GetFormalCharge() * sign > 0)
        if (other.GetFormalCharge() + against) * sign < 0:
            return True
    return False


def key(mol: Any) -> tuple[str, int]:
    """Return the first block of InChI's key, and the charge."""
    from rdkit import Chem

    inchi = str(Chem.MolToInchi(mol, options="/SNon"))
    block = str(Chem.InchiToInchiKey(inchi))[:CONSTITUTION] if inchi else ""
    return block, sum(atom.GetFormalCharge() for atom in mol.GetAtoms())


def tautomer(mol: Any) -> str:
    """Return a SMILES that all tautomers of a molecule have."""
    from rdkit import Chem

    made: Any = Chem.Mol(mol)
    Chem.SanitizeMol(made)
    return str(Chem.MolToSmiles(_enumerator().Canonicalize(made), isomericSmiles=False))


@functools.cache
def _enumerator() -> Any:
    from rdkit.Chem.MolStandardize import rdMolStandardize

    made: Any = rdMolStandardize.TautomerEnumerator()
    made.SetMaxTautomers(64)
    made.SetMaxTransforms(64)
    return made
