"""Oxygen balance: what oxygen is left, or lacks, when a substance burns to CO2 and water.

Source: W. C. Lothrop, G. R. Handrick, Chem. Rev. 44, 419 (1949), doi:10.1021/cr60139a001.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections import Counter
from typing import Any

ELEMENTS = frozenset({1, 6, 7, 8})
"""Of what has others, how they burn would have to be said."""

OXYGEN = 15.999
"""g/mol."""


def oxygen_balance(smiles: str) -> float | None:
    """Return the oxygen balance of a molecule, in % of its mass; None where it is not defined.

    Args:
        smiles: of one of carbon, hydrogen, nitrogen and oxygen.
    """
    from rdkit import Chem, rdBase
    from rdkit.Chem import Descriptors

    masses: Any = Descriptors
    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(smiles)
        if mol is None:
            return None
        found = Counter(atom.GetAtomicNum() for atom in Chem.AddHs(mol).GetAtoms())
        if not found or found.keys() - ELEMENTS:
            return None
        lacking = 2 * found[6] + found[1] / 2 - found[8]
        return -100 * OXYGEN * lacking / float(masses.MolWt(mol))
