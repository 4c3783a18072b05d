"""Several molecules and ions are put beside each other."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from ontologies.units import Floats

if TYPE_CHECKING:
    from rdkit.Chem import Mol

FRAGMENT_CONTACT, FRAGMENT_DRIFT = 0.85, 1.5
"""In sums of van der Waals radii: where fragments are put, and where they have lost each other."""

SIDES: Floats = np.vstack([np.eye(3), -np.eye(3)])
TURNS: Floats = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
"""The turns by half a circle about an axis, as factors of the coordinates; none mirrors."""


NEAR = 0.8
"""Of the radii at which they touch: farther apart nothing pulls them to a hydrogen bond."""

MANY = 30
"""Places that are looked at for each that is kept."""


def arranged(mol: Mol, members: list[tuple[int, ...]], shapes: list[Floats]) -> Floats:
    """Put fragments beside each other, the largest first, each where its charges like it best.

    Tried are six sides and four orientations; the lowest Coulomb energy of the partial charges
    wins, then the nearest place.
    """
    if len(shapes) == 1:
        return shapes[0]
    radii, charges = van_der_waals_radii(mol), _partial_charges(mol)
    positions = np.zeros((mol.GetNumAtoms(), 3))
    placed: list[int] = []
    for rank in sorted(range(len(shapes)), key=lambda rank: -len(shapes[rank])):
        indices = list(members[rank])
        centred: Floats = shapes[rank] - shapes[rank].mean(axis=0)
        choices: list[tuple[float, float, int, Floats]] = []
        for side, turn in itertools.product(SIDES, TURNS):
            if not placed:
                choices.append((0.0, 0.0, 0, centred))
                break
            shape: Floats = centred * turn
            contact = FRAGMENT_CONTACT * (radii[placed][:, None] + radii[indices])
            away: Floats = positions[placed][:, None] - shape
            along: Floats = away @ side
            aside: Floats = (away**2).sum(axis=2) - along**2
            touching = contact**2 > aside
            step = np.sqrt(np.where(touching, contact**2 - aside, 0.0))
            shift = float(np.where(touching, along + step, 0.0).max(initial=0.0))
            moved: Floats = shape + shift * side
            between: Floats = np.linalg.norm(positions[placed][:, None] - moved, axis=2)
            coulomb = float((charges[placed][:, None] * charges[indices] / between).sum())
            choices.append((round(coulomb, 6), round(shift, 6), len(choices), moved))
        positions[indices] = min(choices, key=lambda choice: choice[:3])[3]
        placed += indices
    return positions


def rearranged(mol: Mol, positions: Floats, count: int, seed: int) -> list[Floats]:
    """Return other places of molecules beside each other, turned at random until they touch.

    Of many, half are those whose partial charges like each other best.

    Args:
        mol: of several fragments.
        positions: of one arrangement in Å, shape (atoms, 3).
        count: how many are made.
        seed: of the random numbers.
    """
    from rdkit import Chem
    from scipy.spatial.transform import Rotation

    members = [list(one) for one in Chem.GetMolFrags(mol)]
    if len(members) == 1 or mol.GetNumAtoms() == 2:  # of two atoms there is one
        return []
    radii, random = van_der_waals_radii(mol), np.random.default_rng(seed)
    charges = _partial_charges(mol)
    of = np.array(
        [at for atom in range(mol.GetNumAtoms()) for at, one in enumerate(members) if atom in one]
    )
    apart = of[:, None] != of
    made: list[tuple[float, Floats]] = []
    for _ in range(MANY * count):
        moved = positions - positions[members[0]].mean(axis=0)
        for at in range(1, len(members)):
            placed, indices = [*itertools.chain(*members[:at])], members[at]
            shape = moved[indices] - moved[indices].mean(axis=0)
            turn = Rotation.from_quat(random.normal(size=4)).as_matrix()
            side = random.normal(size=3)
            side /= np.linalg.norm(side)
            shape = shape @ turn
            contact = NEAR * (radii[placed][:, None] + radii[indices])
            away: Floats = moved[placed][:, None] - shape
            along: Floats = away @ side
            aside: Floats = (away**2).sum(axis=2) - along**2
            step = np.sqrt(np.clip(contact**2 - aside, 0.0, None))
            shift = float(np.where(contact**2 > aside, along + step, 0.0).max(initial=0.0))
            moved[indices] = shape + shift * side
        between: Floats = np.linalg.norm(moved[:, None] - moved, axis=2)
        inverse = np.divide(1.0, between, out=np.zeros_like(between), where=apart)
        made.append((round(float(charges @ inverse @ charges), 6), moved))
    liked = sorted(made[count - count // 2 :], key=lambda one: one[0])
    return [moved for _, moved in made[: count - count // 2] + liked[: count // 2]]


def _partial_charges(mol: Mol) -> Floats:
    """Return Gasteiger's charges in e, formal ones where his method has no parameters."""
    from rdkit.Chem import rdPartialCharges

    rdPartialCharges.ComputeGasteigerCharges(mol)
    charges = np.array([float(atom.GetProp("_GasteigerCharge")) for atom in mol.GetAtoms()])
    formal = np.array([float(atom.GetFormalCharge()) for atom in mol.GetAtoms()])
    return np.where(np.isfinite(charges), charges, formal)


def together(mol: Mol, members: list[tuple[int, ...]], positions: Floats) -> bool:
    """Tell whether every fragment still touches another one."""
    radii = van_der_waals_radii(mol)
    for fragment in members:
        inside = list(fragment)
        outside = [index for index in range(len(radii)) if index not in set(fragment)]
        distances = np.linalg.norm(positions[inside][:, None] - positions[outside], axis=2)
        sums = radii[inside][:, None] + radii[outside]
        if (distances / sums).min() > FRAGMENT_DRIFT:
            return False
    return True


def van_der_waals_radii(mol: Mol) -> Floats:
    """Return van der Waals radii in Å."""
    from rdkit.Chem import GetPeriodicTable

    radius = GetPeriodicTable().GetRvdw
    return np.array([radius(atom.GetAtomicNum()) for atom in mol.GetAtoms()])
