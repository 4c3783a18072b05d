"""Isomers of a molecule that a sentence means together: its tautomers, its diastereomers.

Mirror images have one energy, and stand once.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from .notation import read_smiles

MOST = 8
"""Isomers that are compared; of more the likely ones, by RDKit's score."""


def diastereomers(smiles: str) -> list[str]:
    """Return the configurations that a SMILES leaves open, of each pair of mirror images one.

    Args:
        smiles: of a molecule; what it says of configurations stays.
    """
    from rdkit import Chem
    from rdkit.Chem.EnumerateStereoisomers import (
        EnumerateStereoisomers,
        StereoEnumerationOptions,
    )

    options = StereoEnumerationOptions(unique=True, tryEmbedding=False, maxIsomers=64)
    found: dict[str, None] = {}
    for one in EnumerateStereoisomers(read_smiles(smiles, smiles), options=options):
        text = Chem.MolToSmiles(one)
        mirrored = text.replace("@@", "\0").replace("@", "@@").replace("\0", "@")
        image = Chem.MolToSmiles(Chem.MolFromSmiles(mirrored))
        found |= {min(text, image): None}
    return list(found)


def tautomers(smiles: str) -> list[str]:
    """Return the tautomers of a molecule with their configurations, the likely ones first.

    Args:
        smiles: of one of them.
    """
    from rdkit import Chem, rdBase
    from rdkit.Chem.MolStandardize import rdMolStandardize

    listing = rdMolStandardize.TautomerEnumerator()
    with rdBase.BlockLogs():
        made = list(listing.Enumerate(read_smiles(smiles, smiles)))
    ranked = sorted((-listing.ScoreTautomer(one), Chem.MolToSmiles(one)) for one in made)
    found = (each for _, one in ranked for each in diastereomers(one))
    return list(dict.fromkeys(found))[:MOST]
