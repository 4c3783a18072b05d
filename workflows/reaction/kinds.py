"""Reactions that are named by what happens to one molecule: the combustion of propane.

| named | equation |
|---|---|
| combustion of X | X + O2 -> CO2 + H2O + N2 + SO2, of what X is made of |
| hydrogenation of X | X + H2 -> X without its C=C and C≡C; else C=O and C≡N, else rings |
| atomisation of X | X -> its atoms |
| proton affinity of X | XH+ -> X + H+, the proton where X is most basic |

A proton affinity is the enthalpy, and a gas-phase basicity the Gibbs energy, of the last of these.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from triplestore.errors import InputError
from workflows.molecule.formulas import composition, elements
from workflows.molecule.notation import read_smiles

if TYPE_CHECKING:
    from rdkit.Chem import Mol

NAMED = re.compile(
    r"(?i)(?P<kind>combustion|hydrogenation|atomi[sz]ation|proton affinity|protonation)"
    r" of (?P<what>\S.*)"
)

BURNT = {"C": "CO2", "H": "H2O", "N": "N2", "S": "SO2", "O": ""}
"""What elements burn to; oxygen to nothing of its own."""

BASES = (
    ("[#7-,#8-,#16-,#15-,F-,Cl-,Br-,I-,#6-]",),
    ("[NX2]=[#6]", "[n;X2]", "[NX3;!$(N[#6]=[O,S,N]);!$(N[c,$(C=C)]);!$(N~[O,S])]", "[PX3]"),
    ("[NX3;$(N[c,$(C=C)]);!$(N[#6]=[O,S])]", "[NX2]=[#7]"),
    ("[OX1]=[#6,#15,#16]", "[OX1-][#7+]", "[SX1]=[#6]", "[NX1]#[#6]"),
    ("[OX2]", "[SX2]"),
)  # fmt: skip
"""Atoms that take a proton, the most basic first."""

DOUBLE = "[#6]=[#6]"
UNSATURATED = (
    (DOUBLE, "[#6]#[#6]"),
    ("[#6]=[#8]", "[#6]#[#7]", "[#6]=[#7]"),
    ("[#6]:[#6]", "[#6]:[#7]"),
)
"""Bonds that hydrogen is added to: the first of these groups that a molecule has."""


def written_out(kind: str, name: str, smiles: str, formula: str, charge: int) -> str:
    """Return the equation that is meant by what happens to a molecule; its counts are left open.

    Args:
        kind: `combustion`, `hydrogenation`, `atomisation` or `proton affinity`.
        name: of the molecule, as it stands in the equation.
        smiles: of it.
        formula: of it, without its charge.
        charge: of it, in e.

    Raises:
        InputError: that cannot happen to it, or may in several ways.
    """
    return _KINDS[kind.lower().replace("z", "s")](name, smiles, formula, charge)


def _combustion(name: str, smiles: str, formula: str, charge: int) -> str:
    counts, _ = composition(formula)
    others = sorted({*counts} - {*BURNT})
    if others or charge or not {*counts} - {"O"}:
        raise InputError(
            f"the combustion of {name} was asked for",
            f"what {', '.join(others) or name} burns to is not fixed"
            if not charge
            else "it is an ion",
            "write the equation: CH3Cl + 3/2 O2 -> CO2 + H2O + HCl",
        )
    products = [BURNT[one] for one in BURNT if one in counts and BURNT[one]]
    return f"{name} + O2 -> {' + '.join(products)}"


def _atomisation(name: str, smiles: str, formula: str, charge: int) -> str:
    counts, _ = composition(formula)
    if charge or sum(counts.values()) < 2:
        raise InputError(
            f"the atomisation of {name} was asked for",
            "it is an ion" if charge else "it is an atom",
            "write the equation, with what has the charge",
        )
    atoms = " + ".join(f"{elements()[one]} atom" for one in counts)
    return f"{name} -> {atoms}"


def _hydrogenation(name: str, smiles: str, formula: str, charge: int) -> str:
    from rdkit import Chem

    mol = Chem.RWMol(read_smiles(smiles, name))
    sought = next(filter(lambda some: any(map(mol.HasSubstructMatch, some)), _unsaturated()), [])
    bonds = [match for query in sought for match in mol.GetSubstructMatches(query)]
    Chem.Kekulize(mol, clearAromaticFlags=True)
    for begin, end in bonds:
        bond = mol.GetBondBetweenAtoms(begin, end)
        more = round(bond.GetBondTypeAsDouble()) - 1
        bond.SetBondType(Chem.BondType.SINGLE)
        bond.SetStereo(Chem.BondStereo.STEREONONE)
        for atom in (bond.GetBeginAtom(), bond.GetEndAtom()):
            if atom.GetNoImplicit():
                atom.SetNumExplicitHs(atom.GetNumExplicitHs() + more)
    Chem.SanitizeMol(mol)
    product = Chem.MolToSmiles(mol)
    if product == Chem.MolToSmiles(Chem.MolFromSmiles(smiles)):
        raise InputError(
            f"the hydrogenation of {name} was asked for",
            "it has no double or triple bond to carbon",
            "write the equation: nitrobenzene + 3 H2 -> aniline + 2 H2O",
        )
    return f"{name} + H2 -> {product}"


def _proton(name: str, smiles: str, formula: str, charge: int) -> str:
    found = next(filter(None, _protonated(read_smiles(smiles, name))), [])
    if len(found) != 1:
        ways = " or ".join(f"'{one} -> {name} + H+'" for one in found[:4])
        raise InputError(
            f"the proton affinity of {name} was asked for",
            f"{len(found)} of its atoms may take the proton"
            if found
            else "which of its atoms takes the proton is not known",
            f"say which: {ways}" if ways else "write the reaction: [NH4+] -> N + H+",
        )
    return f"{found[0]} -> {name} + H+"


def _protonated(mol: Mol) -> Iterator[list[str]]:
    """Iterate over the ways to protonate a molecule, in groups, the most basic first."""
    from rdkit import Chem

    for group in BASES:
        atoms = {match[0] for one in _queries(*group) for match in mol.GetSubstructMatches(one)}
        if group is BASES[0]:
            paired = {
                a.GetIdx()
                for a in mol.GetAtoms()
                for b in a.GetNeighbors()
                if b.GetFormalCharge() > 0
            }
            atoms -= paired
        ways = set[str]()
        for at in atoms:
            new = Chem.RWMol(mol)
            atom = new.GetAtomWithIdx(at)
            hydrogens = atom.GetTotalNumHs() + 1
            atom.SetFormalCharge(atom.GetFormalCharge() + 1)
            atom.SetNoImplicit(True)
            atom.SetNumExplicitHs(hydrogens)
            Chem.SanitizeMol(new)
            ways.add(Chem.MolToSmiles(new))
        yield sorted(ways)
    single = Chem.RWMol(mol)
    Chem.Kekulize(single, clearAromaticFlags=True)
    ways = dict[str, int]()
    symmetry = list(Chem.CanonicalRankAtoms(mol, breakTies=False))
    taken = set[int]()
    for begin, end in single.GetSubstructMatches(_queries(DOUBLE)[0]):
        for at, cation in ((begin, end), (end, begin)):
            if symmetry[at] in taken:
                continue
            taken.add(symmetry[at])
            new = Chem.RWMol(single)
            new.GetBondBetweenAtoms(at, cation).SetBondType(Chem.BondType.SINGLE)
            new.GetAtomWithIdx(cation).SetFormalCharge(1)
            hydrogens = mol.GetAtomWithIdx(cation).GetTotalNumHs()
            new.GetAtomWithIdx(cation).SetNoImplicit(True)
            new.GetAtomWithIdx(cation).SetNumExplicitHs(hydrogens)
            Chem.SanitizeMol(new)
            ring = mol.GetAtomWithIdx(at).GetIsAromatic()
            degree = new.GetAtomWithIdx(cation).GetDegree()
            ways[Chem.MolToSmiles(new)] = 0 if ring else degree
    yield sorted(one for one in ways if ways[one] == max(ways.values()))  # Markovnikov's rule


def _unsaturated() -> list[list[Mol]]:
    return [_queries(*group) for group in UNSATURATED]


def _queries(*smarts: str) -> list[Mol]:
    from rdkit import Chem

    return [Chem.MolFromSmarts(one) for one in smarts]


_KINDS: Mapping[str, Callable[[str, str, str, int], str]] = {
    "combustion": _combustion,
    "hydrogenation": _hydrogenation,
    "atomisation": _atomisation,
    "proton affinity": _proton,
    "protonation": _proton,
}
