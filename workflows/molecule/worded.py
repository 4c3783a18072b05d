"""Names with a word that changes what they stand for: dimers and zwitterions."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from typing import Any

NUMBERS = {"dimer": 2, "trimer": 3, "tetramer": 4, "pentamer": 5, "hexamer": 6}
SEVERAL = re.compile(rf"(?i)(?P<one>.+?)[ -](?P<word>{'|'.join(NUMBERS)})")
IN_PARENTHESES = re.compile(r"\((?P<one>[A-Z][A-Za-z0-9]*)\)(?P<figure>[2-6])")
ZWITTERION = re.compile(r"(?i)zwitterionic (?P<behind>.+)|(?P<before>.+?)[ -]zwitterion")

ACID, AMINE = "[CX3](=O)[OX2H1]", "[NX3;H2,H1;!$(N-C=[O,S,N]);!$(N-[a])]"
"""SMARTS of what gives its proton, and of what takes it."""


def several(name: str) -> tuple[str, int]:
    """Return the molecule of which a name (`HF dimer`, `(H2O)3`) has some, and how many; or 0."""
    if found := SEVERAL.fullmatch(name):
        return found["one"], NUMBERS[found["word"].casefold()]
    if found := IN_PARENTHESES.fullmatch(name):
        return found["one"], int(found["figure"])
    return "", 0


def zwitterion_of(name: str) -> str:
    """Return the molecule whose zwitterion a name asks for; empty where it asks for none."""
    found = ZWITTERION.fullmatch(name)
    return (found["behind"] or found["before"]) if found else ""


def beside(smiles: str, number: int) -> str:
    """Return the SMILES of some molecules beside each other; empty for radicals, which bind."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(smiles)
    if mol is None or any(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms()):
        return ""
    return ".".join([smiles] * number)


def charged_apart(smiles: str) -> str:
    """Return a molecule whose acid has given its proton to the nearest amine; empty without."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(smiles)
    if mol is None:
        return ""
    acids = mol.GetSubstructMatches(Chem.MolFromSmarts(ACID))
    amines = mol.GetSubstructMatches(Chem.MolFromSmarts(AMINE))
    apart = Chem.GetDistanceMatrix(mol)
    pairs = [(int(apart[a[2]][n[0]]), a[2], n[0]) for a in acids for n in amines]
    if not pairs:
        return ""
    _, oxygen, nitrogen = min(pairs)
    for index, charge in ((oxygen, -1), (nitrogen, 1)):
        atom = mol.GetAtomWithIdx(index)
        atom.SetFormalCharge(charge)
        atom.SetNumExplicitHs(atom.GetTotalNumHs() + charge)
        atom.SetNoImplicit(True)
    Chem.SanitizeMol(mol)
    return Chem.MolToSmiles(mol)
