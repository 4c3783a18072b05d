"""Which geometries of a molecule are one conformer, and how far two of them lie apart."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ontologies.alignment import deviations, kabsch, superposed
from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import SamenessThresholds
from ontologies.units import Floats, Integers
from triplestore.errors import InputError
from workflows.geometry.rotation import rotational_constants

from .numbering import numbered, written
from .stereo import is_chiral

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MOST_NUMBERINGS = 5000
"""That keep the bonds. Where there are more (many tert-butyl groups), atoms are assigned to the
nearest with the same surroundings."""

MOST_WAYS = 2000
"""Of beginning to superpose two geometries."""

WIDE = 1.0
"""Å. Of geometries farther apart than this, where atoms are assigned, the best way of superposing
them may be missed."""


def groups(
    structures: Sequence[ConceptualAtoms],
    energies: Sequence[float],
    thresholds: SamenessThresholds,
    smiles: str,
) -> list[list[int]]:
    """Return which geometries are one conformer, as lists of their places in the sequence.

    Each geometry, from the lowest, joins the first conformer whose lowest geometry is as near in
    energy, rotational constants and deviation as the thresholds say, or so near in energy and
    deviation that rotational constants do not count. Mirror images are one conformer, unless they
    are of different molecules: of one with stereocentres that is no meso form.

    Args:
        structures: their atoms numbered alike.
        energies: in Eh.
        thresholds: how near.
        smiles: the bonds; where they are not known (""), all atoms are compared, those of one
            element may be exchanged, and mirror images are different.

    Returns:
        The lowest of each first, and these by energy.

    Raises:
        InputError: the structures have other atoms or bonds than the SMILES.
    """
    if not structures:
        return []
    order: list[int] = np.argsort(np.asarray(energies, float), kind="stable").tolist()
    constants = [rotational_constants(one) for one in structures]
    skeleton, mirrored = None, False
    if smiles:
        mol = numbered(structures[order[0]], smiles)
        skeleton, mirrored = Skeleton.of(mol), not is_chiral(mol)

    def near(one: ConceptualAtoms, other: ConceptualAtoms, within: float) -> bool:
        if skeleton is None:
            return superposed(one, other, within)
        points = one.positions[skeleton.members], other.positions[skeleton.members]
        return skeleton.deviation(*points, mirrored, within) <= within

    def reach(gap: float, turning: float) -> float:
        """Return how far apart two may lie that are one, in Å; 0 where they are not."""
        usual = gap <= thresholds.energy_gap and turning <= thresholds.rotation
        close = thresholds.close_gap is not None and gap <= thresholds.close_gap
        return max(thresholds.deviation * usual, (thresholds.close_deviation or 0.0) * close)

    found: list[list[int]] = []
    for place in order:
        for group in found:
            first = group[0]
            within = reach(
                energies[place] - energies[first], _differ(constants[place], constants[first])
            )
            if within and near(structures[first], structures[place], within):
                group.append(place)
                break
        else:
            found.append([place])
    return found


def deviation(one: ConceptualAtoms, other: ConceptualAtoms, smiles: str) -> float:
    """Return how far two geometries of a molecule lie apart, superposed, in Å.

    It is the root mean square distance of heavy atoms and polar hydrogens, the least among all
    numberings that keep the bonds, and among mirror images where these are one molecule. Where one
    lacks hydrogens, as a crystal's may, it is that of heavy atoms. The two may be numbered in
    different ways.

    Args:
        one: a geometry.
        other: another.
        smiles: the bonds; where they are not known (""), all atoms are compared, and those of one
            element may be exchanged.

    Raises:
        InputError: they are not geometries of one molecule, or not of that of the SMILES.
    """
    if not smiles:
        if sorted(one.numbers.tolist()) != sorted(other.numbers.tolist()):
            raise InputError(
                f"{one.formula} and {other.formula} were to be superposed",
                "they have different atoms",
                "give two geometries of one molecule",
            )
        return _assigned(one.numbers, one.positions, other.numbers, other.positions, WIDE)
    (mol, points), (second, others) = written(one, smiles), written(other, smiles)
    if mol.GetNumAtoms() > second.GetNumAtoms():
        mol, points = second, points[: len(others)]
    others = others[: len(points)]
    skeleton = Skeleton.of(mol)
    mirrored = not is_chiral(mol)
    return skeleton.deviation(points[skeleton.members], others[skeleton.members], mirrored, WIDE)


def _differ(one: Floats, other: Floats) -> float:
    """Return the largest relative difference of rotational constants."""
    scale = np.maximum(one, other)
    return float(np.divide(np.abs(one - other), scale, out=np.zeros(3), where=scale > 0).max())


@dataclass(frozen=True)
class Skeleton:
    """What of a molecule is compared: heavy atoms, and hydrogens that are not on carbon.

    Attributes:
        members: their places in the molecule.
        kinds: the same for atoms that may be exchanged, shape (members,).
        numberings: that keep the bonds, shape (numberings, members); None where they are too many.
    """

    members: list[int]
    kinds: Integers
    numberings: Integers | None

    @classmethod
    def of(cls, mol: Mol) -> Skeleton:
        """Find it. Kinds of bonds and charges make no difference, hydrogens on carbon do.

        Args:
            mol: with all hydrogens, or without any.
        """
        from rdkit import Chem

        heavy = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1]
        polar = [
            atom.GetIdx()
            for atom in mol.GetAtoms()
            if atom.GetAtomicNum() == 1
            and any(near.GetAtomicNum() not in (1, 6) for near in atom.GetNeighbors())
        ]
        members = sorted(heavy + polar) or [atom.GetIdx() for atom in mol.GetAtoms()]
        places = {index: place for place, index in enumerate(members)}
        plain = Chem.RWMol()
        for index in members:
            whole = mol.GetAtomWithIdx(index)
            atom = Chem.Atom(whole.GetAtomicNum())
            atom.SetNoImplicit(True)
            atom.SetIsotope(whole.GetTotalNumHs(includeNeighbors=True))  # tells CH2 from CH3
            plain.AddAtom(atom)
        for bond in mol.GetBonds():
            ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
            if places.keys() >= {*ends}:
                plain.AddBond(places[ends[0]], places[ends[1]], Chem.BondType.SINGLE)
        kinds = np.array(list(Chem.CanonicalRankAtoms(plain, breakTies=False)))
        matches = plain.GetSubstructMatches(plain, uniquify=False, maxMatches=MOST_NUMBERINGS + 1)
        every = np.array(matches) if len(matches) <= MOST_NUMBERINGS else None
        return cls(members, kinds, every)

    def deviation(self, one: Floats, other: Floats, mirrored: bool, wide: float) -> float:
        """Return how far apart the members of two geometries are, superposed, in Å.

        Args:
            one: their positions, shape (members, 3).
            other: the same of the second geometry.
            mirrored: whether its mirror image will do as well.
            wide: in Å; the deviation is exact up to here, where there are too many numberings.
        """
        images = [other, other * [-1.0, 1.0, 1.0]] if mirrored else [other]
        if self.numberings is None:
            return min(_assigned(self.kinds, one, self.kinds, image, wide) for image in images)
        return min(_renumbered(one, image, self.numberings) for image in images)


def _renumbered(one: Floats, other: Floats, numberings: Integers) -> float:
    """Return the least root mean square distance among numberings of the second, in Å."""
    points = one - one.mean(axis=0)
    moved = (other - other.mean(axis=0))[numberings]
    turned = moved @ kabsch(points, moved).swapaxes(-1, -2)
    return float(np.sqrt(((turned - points) ** 2).sum(axis=2).mean(axis=1).min()))


def _assigned(
    kinds: Integers, one: Floats, other_kinds: Integers, other: Floats, wide: float
) -> float:
    """Return the root mean square distance with atoms assigned to the nearest of a kind, in Å."""
    ways = itertools.islice(deviations(kinds, one, other_kinds, other, wide), MOST_WAYS)
    return min(ways, default=np.inf)
