"""Ions and radicals that are named by their group: the methyl cation, the tert-butyl radical.

A group is its SMILES with one unpaired electron; the cation has lost it, the anion has a second.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from typing import Any

STATE = re.compile(
    r"(?P<group>.+?)[\s-]+(?P<state>carbocation|carbanion|cation|anion|ion|(?:free )?radical"
    r"(?: (?:cation|anion))?)",
    re.IGNORECASE,
)

_GROUPS = {
    "hydrogen": "[H]", "methyl": "[CH3]", "ethyl": "C[CH2]", "propyl|n-propyl|1-propyl": "CC[CH2]",
    "isopropyl|2-propyl|propan-2-yl": "C[CH]C", "butyl|n-butyl|1-butyl": "CCC[CH2]",
    "sec-butyl|s-butyl|2-butyl": "CC[CH]C", "isobutyl": "CC(C)[CH2]",
    "tert-butyl|t-butyl": "C[C](C)C", "pentyl|n-pentyl": "CCCC[CH2]",
    "isopentyl|isoamyl": "CC(C)C[CH2]", "tert-pentyl|tert-amyl": "CC[C](C)C",
    "neopentyl": "CC(C)(C)[CH2]", "hexyl|n-hexyl": "CCCCC[CH2]",
    "vinyl|ethenyl": "C=[CH]", "allyl|propenyl|prop-2-enyl": "C=C[CH2]",
    "crotyl": "C/C=C/[CH2]", "prenyl": "CC(C)=C[CH2]",
    "ethynyl": "C#[C]", "propargyl|prop-2-ynyl": "C#C[CH2]",
    "phenyl": "[c]1ccccc1", "benzyl": "[CH2]c1ccccc1", "cumyl": "C[C](C)c1ccccc1",
    "benzhydryl|diphenylmethyl": "c1ccccc1[CH]c1ccccc1",
    "trityl|triphenylmethyl": "c1ccccc1[C](c1ccccc1)c1ccccc1",
    "1-naphthyl": "[c]1cccc2ccccc12", "2-naphthyl": "[c]1ccc2ccccc2c1",
    "cyclopropyl": "C1C[CH]1", "cyclopropylmethyl": "[CH2]C1CC1", "cyclobutyl": "C1C[CH]C1",
    "cyclopentyl": "C1CC[CH]C1", "cyclohexyl": "C1CCC[CH]C1", "cyclopropenyl": "C1=C[CH]1",
    "cyclopentadienyl": "C1=C[CH]C=C1", "tropyl|cycloheptatrienyl": "C1=CC=C[CH]C=C1",
    "norbornyl|2-norbornyl": "C1CC2C[CH]C1C2", "adamantyl|1-adamantyl": "C1C2C[C]3CC1CC(C2)C3",
    "formyl": "[CH]=O", "acetyl": "C[C]=O", "benzoyl": "O=[C]c1ccccc1",
    "hydroxyl|hydroxy": "[OH]", "hydroperoxyl": "O[O]", "methoxy|methoxyl": "C[O]",
    "ethoxy": "CC[O]", "tert-butoxy|t-butoxy": "CC(C)(C)[O]", "phenoxy|phenoxyl": "[O]c1ccccc1",
    "amino|aminyl": "[NH2]", "methylamino": "C[NH]", "dimethylamino": "C[N]C",
    "mercapto|sulfanyl|thiyl": "[SH]", "methylthio|methylsulfanyl": "C[S]",
    "phenylthio|phenylsulfanyl": "[S]c1ccccc1", "silyl": "[SiH3]",
    "trimethylsilyl": "C[Si](C)C", "cyano": "[C]#N", "cyanomethyl": "[CH2]C#N",
    "hydroxymethyl": "O[CH2]", "methoxymethyl": "CO[CH2]", "nitromethyl": "[CH2][N+](=O)[O-]",
    "fluoromethyl": "F[CH2]", "chloromethyl": "Cl[CH2]", "difluoromethyl": "F[CH]F",
    "dichloromethyl": "Cl[CH]Cl", "trifluoromethyl": "F[C](F)F", "trichloromethyl": "Cl[C](Cl)Cl",
}  # fmt: skip

GROUPS = {name: smiles for names, smiles in _GROUPS.items() for name in names.split("|")}


CHARGES = {
    "cation": 1,
    "carbocation": 1,
    "anion": -1,
    "carbanion": -1,
    "radical": 0,
    "free radical": 0,
}


def with_state(radical: str, state: str) -> str:
    """Return the SMILES of a cation, anion or radical; empty where the group has no one place.

    Args:
        radical: the group as a SMILES with its unpaired electron.
        state: such as `cation`.
    """
    from rdkit import Chem, rdBase

    charge = CHARGES.get(state.lower())
    if charge is None:  # a radical cation is not of a group, an ion may be of either sign
        return ""
    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(radical)
        if mol is None:
            return ""
        open_ = [atom for atom in mol.GetAtoms() if atom.GetNumRadicalElectrons()]
        if len(open_) != 1 or open_[0].GetNumRadicalElectrons() != 1:
            return ""
        if charge == 0:
            return str(Chem.MolToSmiles(mol))
        if "carb" in state.lower() and open_[0].GetAtomicNum() != 6:
            return ""
        Chem.Kekulize(mol, clearAromaticFlags=True)
        open_[0].SetNoImplicit(True)
        open_[0].SetFormalCharge(charge)
        open_[0].SetNumRadicalElectrons(0)
        return str(Chem.MolToSmiles(Chem.MolFromSmiles(Chem.MolToSmiles(mol))))


def fits(smiles: str, state: str) -> bool:
    """Tell whether a molecule is such an ion or radical already (`acetate anion`)."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(smiles)
    if mol is None:
        return False
    charge = Chem.GetFormalCharge(mol)
    unpaired = any(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())
    words = state.lower().split()
    right = charge > 0 if words[-1] == "cation" else charge < 0 if words[-1] == "anion" else True
    if words[-1] == "ion":
        return charge != 0
    return right and (unpaired or "radical" not in words)
