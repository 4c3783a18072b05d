"""The bonds about which a molecule turns from one conformer to the next, and where it rests."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ontologies.units import Floats

if TYPE_CHECKING:
    from rdkit.Chem import Mol

STAGGERED = (60.0, 180.0, 300.0)
PLANAR = (0.0, 180.0)
BETWEEN = (0.0, 60.0, 120.0, 180.0, 240.0, 300.0)
"""Degrees: about a bond of two sp3 atoms, one with the character of a double bond, and one of
an sp3 atom to an sp2 atom, where either substituent may lie in the plane or above it."""

ACROSS = (90.0, 270.0)
"""Of disulfides and their kin: lone pairs keep both ends at a right angle."""

OPPOSITE, WIDER = {60.0, 300.0}, {60.0: 95.0, 300.0: 265.0}
"""Degrees. Two neighbours, of which one gives way: g+g− becomes g+x− or x+g−."""

OFF = (12.0, -9.0, 7.0)
"""Degrees by which starts are off these angles, one rotor after the other."""


@dataclass(frozen=True)
class Rotor:
    """A bond about which a molecule turns.

    Attributes:
        torsion: four atoms, from 0, the bond between the middle ones.
        angles: where it may rest, in degrees.
        heavy: whether neither end of the torsion is hydrogen.
    """

    torsion: tuple[int, int, int, int]
    angles: tuple[float, ...]
    heavy: bool = True


def rotors(mol: Mol) -> list[Rotor]:
    """Return the bonds whose torsion makes conformers.

    These are single bonds outside of rings, with something at both ends that does not look the
    same after a third of a turn (as CH3, CF3 and NH3+ do); those of OH, SH and NH2 are among them.

    Args:
        mol: with all hydrogens.
    """
    found: list[Rotor] = []
    for bond in mol.GetBonds():
        one, two = bond.GetBeginAtom(), bond.GetEndAtom()
        if bond.GetBondTypeAsDouble() != 1.0 or bond.IsInRing():
            continue
        if not (_has_arms(one, two) and _has_arms(two, one)):
            continue
        first, last = _arm(one, two), _arm(two, one)
        torsion = (first, one.GetIdx(), two.GetIdx(), last)
        heavy = all(mol.GetAtomWithIdx(end).GetAtomicNum() > 1 for end in (first, last))
        found.append(Rotor(torsion, _angles(bond, one, two), heavy))
    return found


def _others(atom: Any, other: Any) -> list[Any]:
    return [near for near in atom.GetNeighbors() if near.GetIdx() != other.GetIdx()]


def _has_arms(atom: Any, other: Any) -> bool:
    """Tell whether turning an end of a bond makes a difference."""
    from rdkit.Chem import HybridizationType

    arms = _others(atom, other)
    if not arms or atom.GetHybridization() == HybridizationType.SP:
        return False
    alike = {(arm.GetAtomicNum(), arm.GetFormalCharge()) for arm in arms}
    return not (len(arms) == 3 and len(alike) == 1 and all(arm.GetDegree() == 1 for arm in arms))


def _arm(atom: Any, other: Any) -> int:
    """Return the neighbour by which the torsion is told: the heaviest, then the first."""
    return int(
        min(_others(atom, other), key=lambda arm: (-arm.GetAtomicNum(), arm.GetIdx())).GetIdx()
    )


def _angles(bond: Any, one: Any, two: Any) -> tuple[float, ...]:
    from rdkit.Chem import HybridizationType

    flat = [_is_flat(atom, bond) for atom in (one, two)]
    if all(flat):
        return PLANAR
    if all(atom.GetAtomicNum() in (16, 34) and atom.GetDegree() == 2 for atom in (one, two)):
        return ACROSS
    planar = [atom.GetHybridization() == HybridizationType.SP2 for atom in (one, two)]
    return BETWEEN if any(planar) else STAGGERED


def _is_flat(atom: Any, bond: Any) -> bool:
    """Tell whether an end of a bond is conjugated with the other."""
    from rdkit.Chem import HybridizationType

    return bool(bond.GetIsConjugated()) or (
        atom.GetHybridization() == HybridizationType.SP2 and atom.GetIsAromatic()
    )


def grid(found: Sequence[Rotor], most: int) -> list[tuple[float, ...]]:
    """Return all combinations of the angles of rotors, in degrees; of three of six if too many.

    Each is a little off: a start that is symmetric would be relaxed to a symmetric saddle point
    (g+g− of pentane, a planar biaryl), and stay there. Neighbours that are turned to opposite sides
    push each other: such a pair rests with either of them wider, so that there are two for each.

    Args:
        found: the rotors.
        most: how many combinations there may be.

    Returns:
        Empty if even so there are more.
    """
    fewer = [one.angles[::2] if len(one.angles) > 3 else one.angles for one in found]
    for angles in ([one.angles for one in found], fewer):
        if np.prod([len(one) for one in angles]) <= most:
            every = list(itertools.product(*angles))
            plain = [_off(one) for one in every]
            parted = [one for each in every for one in _parted(found, each)]
            return parted if len(parted) <= most else plain
    return []


def _off(angles: Sequence[float]) -> tuple[float, ...]:
    return tuple(angle + OFF[place % len(OFF)] for place, angle in enumerate(angles))


def _parted(found: Sequence[Rotor], angles: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Return a combination of angles, with either wider of neighbours on opposite sides."""
    parted = [_off(angles)]
    heavy = [place for place, one in enumerate(found) if one.heavy]
    for pair in itertools.combinations(heavy, 2):
        ends = [set(found[place].torsion[1:3]) for place in pair]
        if ends[0] & ends[1] and {angles[place] for place in pair} == OPPOSITE:
            parted = [
                (*each[:place], WIDER[angles[place]], *each[place + 1 :])
                for each in parted
                for place in pair
            ]
    return parted


def turned(mol: Mol, found: Sequence[Rotor], angles: Sequence[float]) -> Floats:
    """Return the positions of a molecule with its torsions set, in Å.

    Args:
        mol: with positions.
        found: its rotors.
        angles: of each, in degrees.
    """
    from rdkit import Chem
    from rdkit.Chem import rdMolTransforms

    copy = Chem.Mol(mol)
    conformer = copy.GetConformer()
    for rotor, angle in zip(found, angles, strict=True):
        rdMolTransforms.SetDihedralDeg(conformer, *rotor.torsion, angle)
    return conformer.GetPositions()


def torsions(mol: Mol, found: Sequence[Rotor]) -> Floats:
    """Return the torsions of a molecule's positions, in degrees, shape (rotors,)."""
    from rdkit.Chem import rdMolTransforms

    conformer = mol.GetConformer()
    return np.array([rdMolTransforms.GetDihedralDeg(conformer, *one.torsion) for one in found])


def ring_shape(mol: Mol) -> tuple[int, ...]:
    """Return the torsions of all bonds in rings, to the nearest multiple of 60°.

    Args:
        mol: with positions.
    """
    from rdkit.Chem import rdMolTransforms

    conformer = mol.GetConformer()
    angles = [
        rdMolTransforms.GetDihedralDeg(conformer, *(ring[at - step] for step in range(4)))
        for ring in mol.GetRingInfo().AtomRings()
        if len(ring) > 3
        for at in range(len(ring))
    ]
    return tuple(round(angle / 60.0) % 6 for angle in angles)
