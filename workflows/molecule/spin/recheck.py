"""Whether a spin that was read before would be read otherwise today."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ontologies.quantum import Embedding
from triplestore.errors import GraficoError

from .reading import Spin, read_spin

if TYPE_CHECKING:
    from rdkit.Chem import Mol


def spin_today(embedding: Embedding) -> Spin | None:
    """Return the spin that is read today of the notation of a structure; None if it is not read."""
    return spin_of(embedding.ordered_smiles or embedding.smiles)


@functools.lru_cache(4096)
def spin_of(smiles: str) -> Spin | None:
    """Return the spin that a SMILES has; None where it cannot be read."""
    from rdkit import Chem, rdBase

    from workflows.molecule.notation import read_smiles

    try:
        with rdBase.BlockLogs():
            return read_spin(Chem.AddHs(read_smiles(smiles, repr(smiles[:80]))))
    except GraficoError:
        return None


def smiles_read(mol: Mol) -> str:
    """Return the bonds of a molecule as SMILES, of which `spin_of` reads the same spin again."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        return str(Chem.MolToSmiles(Chem.RemoveHs(mol, sanitize=False)))
