"""Which reactions tell how strained a ring is.

A ring is compared with chains cut out of it: each chain keeps the substituents of its atoms, and
hydrogens stand where it was cut. One chain of k + 1 links starts at each atom of the ring, and so
does one of k links; the ring and the shorter chains react to the longer ones, which balances
whatever the links are. Of cyclopropane, k = 1 is isodesmic (methane to ethane), k = 2 homodesmotic
(ethane to propane), k = 3 hyperhomodesmotic (propane to butane).

Sources: P. George, M. Trachtman, C. W. Bock, A. M. Brett, Tetrahedron 32, 317 (1976); S. E. Wheeler
et al., J. Am. Chem. Soc. 131, 2547 (2009), doi:10.1021/ja805843n.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontologies.strain import StrainScheme
from triplestore.errors import InputError
from workflows.molecule.notation import read_smiles
from workflows.text.words import count

if TYPE_CHECKING:
    from rdkit.Chem import Mol

LINKS: Mapping[StrainScheme, int] = {"isodesmic": 1, "homodesmotic": 2, "hyperhomodesmotic": 3}
"""Links of the shorter chains."""

LARGEST = 12
"""Atoms of a ring: of larger ones the conformers matter more than their strain."""


@dataclass(frozen=True)
class Step:
    """A reaction of a scheme.

    Attributes:
        counts: of each species by its SMILES, negative for reactants.
        sign: by which its change counts to the strain.
    """

    counts: Mapping[str, int]
    sign: int


def ring_of(smiles: str, asked: str) -> tuple[int, ...]:
    """Return the atoms of the only ring of a molecule, in the order round it.

    Args:
        smiles: of it.
        asked: what was asked for, for the error message.

    Raises:
        InputError: it has no ring, several, one that is aromatic, or a large one.
    """
    mol = read_smiles(smiles, asked)
    rings = [tuple(ring) for ring in mol.GetRingInfo().AtomRings()]
    advice = "give a molecule with one ring that is not aromatic"
    if len(rings) != 1:
        raise InputError(
            asked, f"it has {count(len(rings), 'ring') if rings else 'no ring'}", advice
        )
    [ring] = rings
    if any(mol.GetAtomWithIdx(index).GetIsAromatic() for index in ring):
        raise InputError(asked, "its ring is aromatic", advice)
    if len(ring) > LARGEST:
        found = f"its ring has {len(ring)} atoms; {LARGEST} are allowed"
        raise InputError(asked, found, "give a smaller ring")
    return ring


def opened(smiles: str, scheme: StrainScheme, asked: str) -> list[Step]:
    """Return the reaction that opens a ring into chains.

    Args:
        smiles: of the ring.
        scheme: which chains.
        asked: what was asked for, for the error message.

    Raises:
        InputError: it is no such ring, or too small for these chains.
    """
    ring, links = ring_of(smiles, asked), LINKS[scheme]
    if links >= len(ring):
        raise InputError(
            asked,
            f"a ring of {len(ring)} has no chain of {links + 1} links",
            "choose the scheme homodesmotic",
        )
    mol = read_smiles(smiles, asked)
    counts = Counter[str]({smiles: -1})
    for start in range(len(ring)):
        around = ring[start:] + ring[:start]
        counts[_chain(mol, ring, around[:links])] -= 1
        counts[_chain(mol, ring, around[: links + 1])] += 1
    return [Step({name: number for name, number in counts.items() if number}, -1)]


def contracted(smiles: str, reference: int, asked: str) -> list[Step]:
    """Return the reactions that lead from a cycloalkane to that of reference, ring by ring.

    Each turns a ring of n into the methyl derivative of the ring of n - 1.

    Raises:
        InputError: it is no plain cycloalkane, or the reference itself.
    """
    size = len(ring_of(smiles, asked))
    if read_smiles(smiles, asked).GetNumAtoms() != size or smiles != cycloalkane(size):
        raise InputError(
            asked, "rings are contracted of plain cycloalkanes", "choose the scheme homodesmotic"
        )
    if size == reference:
        raise InputError(
            asked,
            f"that ring of {size} is the reference, of which the strain is zero",
            "choose another reference or another ring",
        )
    low, high = sorted((size, reference))
    sign = 1 if size < reference else -1
    return [
        Step({cycloalkane(n): -1, f"C{cycloalkane(n - 1)}": 1}, sign) for n in range(high, low, -1)
    ]


def cycloalkane(size: int) -> str:
    """Return the SMILES of a plain ring of CH2."""
    return f"C1{'C' * (size - 2)}C1"


def _chain(mol: Mol, ring: Sequence[int], path: Sequence[int]) -> str:
    """Return the SMILES of a path along a ring, with its substituents and closed by hydrogens."""
    from rdkit import Chem

    changed: Any = Chem.RWMol(mol)
    for atom in changed.GetAtoms():
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    along = {frozenset(pair) for pair in itertools.pairwise(path)}
    for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
        if frozenset((one, other)) in along:
            continue
        bond = changed.GetBondBetweenAtoms(one, other)
        order = int(bond.GetBondTypeAsDouble())
        changed.RemoveBond(one, other)
        for index in (one, other):
            atom = changed.GetAtomWithIdx(index)
            if atom.GetNoImplicit():
                atom.SetNumExplicitHs(atom.GetNumExplicitHs() + order)
    for bond in changed.GetBonds():
        bond.SetStereo(Chem.BondStereo.STEREONONE)
        bond.SetBondDir(Chem.BondDir.NONE)
    changed.UpdatePropertyCache()
    whole = next(one for one in Chem.GetMolFrags(changed) if path[0] in one)
    return str(
        Chem.MolToSmiles(
            read_smiles(Chem.MolFragmentToSmiles(changed, atomsToUse=whole), "a chain")
        )
    )
