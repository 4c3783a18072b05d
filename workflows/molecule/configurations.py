"""The configurations that a molecule may have where its stereocentres are left open."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workflows.text.words import count

from .embedding import RANDOM_ATTEMPTS, SEED
from .notation import canonical

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MOST_LABELLED = 1_000_000
"""Steps of ranking the neighbours of centres, after which a configuration has no name."""

MOST_STRAINED = 128
"""Configurations without a geometry that are tried."""

CODE = "_CIPCode"


@dataclass(frozen=True)
class Stereoisomer:
    """A configuration of a molecule.

    Attributes:
        smiles: canonical, with all that is known of its configuration.
        configuration: such as `C2 R, C4 S`; atoms are numbered as the SMILES has them, from 1.
    """

    smiles: str
    configuration: str


def forms(mol: Mol, every: bool = False) -> Iterator[Any]:
    """Yield the molecule in each configuration that it leaves open, each once.

    Args:
        mol: the molecule.
        every: whether what it says of its configuration is left open, too.
    """
    from rdkit.Chem.EnumerateStereoisomers import (
        EnumerateStereoisomers,
        StereoEnumerationOptions,
    )

    options = StereoEnumerationOptions(onlyUnassigned=not every, unique=True)
    return EnumerateStereoisomers(mol, options=options)


def stereoisomers(mol: Mol, most: int, every: bool) -> tuple[list[Stereoisomer], list[str]]:
    """Return the configurations that a molecule may have, and what a reader must know.

    Args:
        mol: with all hydrogens.
        most: how many at most.
        every: whether what it says of its configuration is left open, too.
    """
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        bare = Chem.Mol(mol)
        bare.RemoveAllConformers()
        kept, strained, told = list[Any](), list[Any](), list[str]()
        for one in forms(bare, every):
            if len(strained) == MOST_STRAINED:
                told.append(f"after {MOST_STRAINED} without a geometry no more were tried")
                break
            if not _exists(one):
                strained.append(one)
            elif len(kept) < most:
                kept.append(one)
            else:
                told.append(f"more than {most}: others are not told")
                break
        if strained and kept:
            lacking = count(len(strained), "configuration")
            told.append(f"{lacking} left out: no geometry was found")
        elif len(strained) > 1:
            told.append("no geometry was found, of any: none is left out")
        kept = kept or strained[:most]
        written = [str(Chem.MolToSmiles(Chem.RemoveHs(one, sanitize=False))) for one in kept]
        texts = sorted(canonical(one, one) for one in written)
        found = [Stereoisomer(one, _configuration(one)) for one in texts]
    return found, told


def _exists(mol: Any) -> bool:
    """Tell whether there is a geometry: two bridgeheads of a small cage cannot be any two hands."""
    from rdkit import Chem
    from rdkit.Chem import rdDistGeom

    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed, parameters.maxIterations = SEED, RANDOM_ATTEMPTS
    return bool(rdDistGeom.EmbedMolecule(Chem.Mol(mol), parameters) >= 0)


def _configuration(smiles: str) -> str:
    """Return the descriptors of centres and double bonds, by the rules of Cahn, Ingold, Prelog."""
    from rdkit import Chem
    from rdkit.Chem import rdCIPLabeler

    mol: Any = Chem.MolFromSmiles(smiles)
    if mol is None:  # a hypervalent centre or a metal
        return ""
    try:
        rdCIPLabeler.AssignCIPLabels(mol, maxRecursiveIterations=MOST_LABELLED)
    except RuntimeError:  # ranking takes too long
        return ""
    parts = [([one], one) for one in mol.GetAtoms()]
    parts += [([one.GetBeginAtom(), one.GetEndAtom()], one) for one in mol.GetBonds()]
    return ", ".join(
        f"{'='.join(f'{end.GetSymbol()}{end.GetIdx() + 1}' for end in ends)} {one.GetProp(CODE)}"
        for ends, one in parts
        if one.HasProp(CODE)
    )
