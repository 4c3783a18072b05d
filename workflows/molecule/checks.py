"""Does a geometry look like the molecule that was asked for."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import BOND_FACTOR, covalent_radii, single_lengths
from ontologies.elements import hill_formula
from ontologies.units import Floats
from triplestore.errors import RecipeError

from .polyhedra import Shape, angles, is_metal

if TYPE_CHECKING:
    from rdkit.Chem import Mol

SHORTEST_CONTACT = 0.95
SHORTEST_WITH_METAL = 0.6
"""Atoms that are not bonded, in sums of covalent radii; small ions of metals come near others."""

WRONG_SHAPE = 25.0
"""Degrees, root mean square over the angles at a centre, for shapes that are only compared."""
FLAT = 355.0
"""Degrees, the sum of three angles above which a centre counts as planar."""

ADVICE = "give its geometry as an XYZ file"


def wrong_shapes(fragment: Mol, shapes: list[Shape], positions: Floats) -> list[Shape]:
    """Return the shapes that a geometry gets wrong; atoms in small rings cannot do otherwise."""
    rings = [ring for ring in fragment.GetRingInfo().AtomRings() if len(ring) <= 4]
    strained = {index for ring in rings for index in ring}
    return [
        shape
        for shape in shapes
        if (shape.must or shape.centre not in strained) and _is_wrong(shape, positions)
    ]


def _is_wrong(shape: Shape, positions: Floats) -> bool:
    if shape.deviation(positions) > (shape.slack if shape.must else WRONG_SHAPE):
        return True
    if len(shape.donors) != 3 or shape.name not in ("pyramidal", "trigonal planar"):
        return False
    arms: Floats = positions[list(shape.donors)] - positions[shape.centre]
    flat = angles(arms / np.linalg.norm(arms, axis=1)[:, None]).sum() > FLAT
    return flat != (shape.name == "trigonal planar")


def check(mol: Mol, positions: Floats, source: str) -> None:
    """Refuse geometries that do not look like the molecule.

    Raises:
        RecipeError: a bond too long, or two atoms too near.
    """
    if not np.isfinite(positions).all():
        raise RecipeError(f"{source} was embedded badly", "a position is no number", ADVICE)
    numbers = np.array([atom.GetAtomicNum() for atom in mol.GetAtoms()])
    radii = covalent_radii()[numbers]
    distances: Floats = np.linalg.norm(positions[:, None] - positions, axis=2)
    relative: Floats = distances / (radii[:, None] + radii)
    np.fill_diagonal(relative, np.inf)

    def pair(one: int, other: int) -> str:
        symbols = [mol.GetAtomWithIdx(index).GetSymbol() for index in (one, other)]
        return (
            f"atoms {one + 1} ({symbols[0]}) and {other + 1} ({symbols[1]}) "
            f"are {distances[one, other]:.2f} Å apart"
        )

    bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds()]
    longest = BOND_FACTOR * single_lengths(numbers[:, None], numbers)
    for ends in bonds:
        if distances[ends] > longest[ends]:
            found = f"the bonded {pair(*ends)}"
            raise RecipeError(f"{source} was embedded badly", found, ADVICE)
    metals = np.array([is_metal(int(number)) for number in numbers])
    limits = np.where(metals[:, None] | metals, SHORTEST_WITH_METAL, SHORTEST_CONTACT)
    for one, other in bonds:
        limits[one, other] = limits[other, one] = SHORTEST_WITH_METAL
    one, other = divmod(int((relative / limits).argmin()), len(relative))
    if relative[one, other] < limits[one, other]:
        raise RecipeError(f"{source} was embedded badly", pair(one, other), ADVICE)


def compare(plain: Mol, atoms: ConceptualAtoms, source: str) -> None:
    """Compare the atoms with those that the notation writes or implies."""
    numbers = [atom.GetAtomicNum() for atom in plain.GetAtoms()]
    numbers += [1] * sum(atom.GetTotalNumHs() for atom in plain.GetAtoms())
    if hill_formula(numbers) != atoms.formula:
        problem = f"the atoms are {atoms.formula}, the notation says {hill_formula(numbers)}"
        raise RecipeError(f"{source} was embedded badly", problem, ADVICE)


def open_stereo(mol: Mol) -> list[str]:
    """Return a remark on the stereocentres and double bonds of which the notation says nothing."""
    from rdkit import Chem

    places, linear = list[str](), Chem.HybridizationType.SP
    for element in Chem.FindPotentialStereo(mol):
        if element.specified != Chem.StereoSpecified.Specified:
            if element.type == Chem.StereoType.Atom_Tetrahedral:
                places.append(f"atom {element.centeredOn + 1}")
            elif element.type == Chem.StereoType.Bond_Double:
                bond = mol.GetBondWithIdx(element.centeredOn)
                ends = bond.GetBeginAtom(), bond.GetEndAtom()
                if all(atom.GetHybridization() != linear for atom in ends):
                    one, other = sorted(atom.GetIdx() + 1 for atom in ends)
                    places.append(f"bond {one}={other}")
    if not places:
        return []
    return [f"no stereochemistry given at {', '.join(places)}: one form taken"]
