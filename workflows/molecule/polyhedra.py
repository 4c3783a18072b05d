"""Which shape the atoms around a centre take: VSEPR for the p block, a table for metals.

Main group, period 3 and below: electron pairs = bonds + lone pairs; the pairs take the polyhedron
of their number, lone pairs the roomiest corners, then multiple bonds, then the less electronegative
atoms. Metals go by the number of ligand atoms:

====  ==================================================================================
2     linear; bent with two oxides on a d0 metal
3     trigonal planar
4     tetrahedral; square planar for d8 Pd(II), Pt(II), Au(III), Rh(I), Ir(I), for Ni(II)
      with carbon donors only, for d9 Cu(II) with N and O donors, inside a macrocycle
5     trigonal bipyramidal; square pyramidal with a terminal oxide or nitride at the top
6     octahedral
7, 8  pentagonal bipyramidal, square antiprismatic
====  ==================================================================================

They are starting points: what a level of theory makes of them is its own answer.

Sources: R. J. Gillespie, R. S. Nyholm, Q. Rev. Chem. Soc. 11, 339 (1957); for metals
N. N. Greenwood, A. Earnshaw, Chemistry of the Elements, 2nd ed. (1997), ch. 19 and 26–28.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ontologies.units import Floats

if TYPE_CHECKING:
    from rdkit.Chem import Mol


def _ring(count: int, height: float = 0.0, turn: float = 0.0) -> list[list[float]]:
    """Return corners of a regular polygon at a height of the unit sphere; turn in degrees."""
    angles = np.radians(turn + 360 / count * np.arange(count))
    radius = np.sqrt(1 - height**2)
    return [[radius * np.cos(a), radius * np.sin(a), height] for a in angles]


POLES = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
SQUARE = _ring(4)
ANTIPRISM = 0.507
"""Height of the squares of the antiprism that keeps eight points farthest apart on a sphere."""

CORNERS: dict[int, Floats] = {
    2: np.array(POLES),
    3: np.array(_ring(3)),
    4: np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3),
    5: np.array(_ring(3) + POLES),
    6: np.array(POLES + SQUARE),
    7: np.array(POLES + _ring(5)),
    8: np.array(_ring(4, ANTIPRISM) + _ring(4, -ANTIPRISM, 45)),
}
"""Unit vectors by number of electron pairs, the roomiest corners first."""

NAMES = {
    (2, 0): "linear", (2, 1): "bent", (2, 2): "bent", (2, 3): "linear",
    (3, 0): "trigonal planar", (3, 1): "pyramidal", (3, 2): "T-shaped", (4, 0): "tetrahedral",
    (4, 1): "see-saw", (4, 2): "square planar", (5, 0): "trigonal bipyramidal",
    (5, 1): "square pyramidal", (5, 2): "pentagonal planar", (6, 0): "octahedral",
    (6, 1): "octahedral, its lone pair not placed", (7, 0): "pentagonal bipyramidal",
    (8, 0): "square antiprismatic",
}  # fmt: skip
"""By numbers of bonds and lone pairs."""

BRIDGES, ENDS = 96.5, 121.5
"""Degrees between the bridging and the other hydrogens of a boron in diborane."""

DIBORANE: Floats = np.array(
    [[0, y * np.sin(np.radians(BRIDGES / 2)), np.cos(np.radians(BRIDGES / 2))] for y in (1, -1)]
    + [[x * np.sin(np.radians(ENDS / 2)), 0, -np.cos(np.radians(ENDS / 2))] for x in (1, -1)]
)
"""Unit vectors from boron, first to the bridging hydrogens.

Source: J. L. Duncan, J. Harper, Mol. Phys. 51, 371 (1984).
"""

VALENCE = {
    13: 3, 14: 4, 15: 5, 16: 6, 17: 7, 18: 8, 31: 3, 32: 4, 33: 5, 34: 6, 35: 7, 36: 8, 49: 3,
    50: 4, 51: 5, 52: 6, 53: 7, 54: 8, 81: 3, 82: 4, 83: 5, 84: 6, 85: 7, 86: 8,
}  # fmt: skip
"""Valence electrons of the p block from period 3 on: those that can be hypervalent."""

NOBLE = (18, 36, 54, 86)
S_METALS = (3, 4, 11, 12, 19, 20, 37, 38, 55, 56, 87, 88)
D_BLOCK = {
    number: group
    for first in (21, 39, 71, 103)
    for group, number in enumerate(range(first, first + 10), start=3)
} | {57: 3, 89: 3}
"""Group by atomic number."""
F_BLOCK = (*range(58, 71), *range(90, 103))

PLANAR_D8 = {46: 2, 78: 2, 79: 3, 45: 1, 77: 1}
"""Oxidation state of the heavy d8 metals, whose ligand field is always strong."""

ELECTRONEGATIVITY = {
    1: 2.20, 5: 2.04, 6: 2.55, 7: 3.04, 8: 3.44, 9: 3.98, 14: 1.90, 15: 2.19, 16: 2.58, 17: 3.16,
    34: 2.55, 35: 2.96, 53: 2.66,
}  # fmt: skip
"""Pauling's scale, as in A. L. Allred, J. Inorg. Nucl. Chem. 17, 215 (1961)."""

CHELATE = 4
"""Bonds between two donors of one ligand that cannot reach across a metal."""


@dataclass(frozen=True)
class Shape:
    """Where the neighbours of a centre are to be.

    Attributes:
        centre: index of the atom.
        donors: indices of its neighbours.
        vertices: unit vectors to them, shape (donors, 3).
        name: such as `T-shaped`.
        remark: what was left open, in words.
        must: whether it must be built by this template, as other ways get it wrong.
        handed: whether the notation says which of two mirror images is meant.
        slack: degrees by which the angles may be off when it was built.
    """

    centre: int
    donors: tuple[int, ...]
    vertices: Floats
    name: str
    remark: str = ""
    must: bool = True
    handed: bool = False
    slack: float = 15.0

    def deviation(self, positions: Floats) -> float:
        """Return by how much the angles at the centre are off, root mean square in degrees.

        Neighbours of any kind may change places.
        """
        arms: Floats = positions[list(self.donors)] - positions[self.centre]
        arms = arms / np.linalg.norm(arms, axis=1)[:, None]
        found, ideal = (np.sort(angles(vectors)) for vectors in (arms, self.vertices))
        return float(np.sqrt(np.mean((found - ideal) ** 2)))


def angles(vectors: Floats) -> Floats:
    """Return the angles between all pairs of unit vectors, in degrees."""
    one, other = np.triu_indices(len(vectors), 1)
    cosines: Floats = (vectors[one] * vectors[other]).sum(axis=1)
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))


def is_metal(number: int) -> bool:
    """Tell whether an element's shape goes by the number of its neighbours."""
    return number in D_BLOCK or number in F_BLOCK or number in S_METALS


def shapes(mol: Mol) -> list[Shape]:
    """Return the shapes at all centres of a molecule that has its hydrogens as atoms."""
    from rdkit import Chem

    plain = Chem.Mol(mol)
    if any(atom.GetIsAromatic() for atom in plain.GetAtoms()):
        Chem.Kekulize(plain, clearAromaticFlags=True)
    candidates = (
        _metal(plain, atom) if is_metal(atom.GetAtomicNum()) else _main_group(atom)
        for atom in plain.GetAtoms()
        if atom.GetDegree() >= 2
    )
    return [shape for shape in candidates if shape is not None]


# --- main group ----------------------------------------------------------------------------------


def lone_electrons(atom: Any) -> int | None:
    """Return the valence electrons that an atom has left beside its bonds.

    None for elements that cannot be hypervalent; negative where there are too many bonds.
    """
    from rdkit.Chem import BondType

    valence = VALENCE.get(atom.GetAtomicNum())
    if valence is None:
        return None
    used = 0.0
    for bond in atom.GetBonds():
        if bond.GetBondType() == BondType.DATIVE:
            used += 2 if bond.GetBeginAtomIdx() == atom.GetIdx() else 0
        else:
            used += bond.GetBondTypeAsDouble()
    return round(valence - atom.GetFormalCharge() - used - atom.GetTotalNumHs())


def takes_pair(atom: Any) -> bool:
    """Tell whether an atom is boron with three bonds of its own and one that another atom gives."""
    from rdkit.Chem import BondType

    if atom.GetAtomicNum() != 5 or atom.GetFormalCharge():
        return False
    given = [
        bond
        for bond in atom.GetBonds()
        if bond.GetBondType() == BondType.DATIVE and bond.GetEndAtomIdx() == atom.GetIdx()
    ]
    own = atom.GetTotalNumHs() + sum(b.GetBondTypeAsDouble() for b in atom.GetBonds()) - len(given)
    return len(given) == 1 and own == 3


def is_bridge(atom: Any) -> bool:
    """Tell whether an atom is a hydrogen between two borons."""
    return atom.GetAtomicNum() == 1 and atom.GetDegree() == 2


def _boron(atom: Any) -> Shape | None:
    """Return the shape of boron with a pair from its neighbour, as in diborane where H bridges."""
    near: list[Any] = sorted(atom.GetNeighbors(), key=lambda n: (not is_bridge(n), n.GetIdx()))
    if len(near) != 4:
        return None
    bridged = is_bridge(near[0]) and is_bridge(near[1])
    donors = tuple(int(other.GetIdx()) for other in near)
    return Shape(int(atom.GetIdx()), donors, DIBORANE if bridged else CORNERS[4], "tetrahedral")


def _main_group(atom: Any) -> Shape | None:
    if takes_pair(atom):
        return _boron(atom)
    electrons = lone_electrons(atom)
    near: list[Any] = list(atom.GetNeighbors())
    if electrons is None or electrons < 0 or any(is_metal(n.GetAtomicNum()) for n in near):
        return None
    pairs, count = (electrons + 1) // 2, len(near)
    name = NAMES.get((count, pairs))
    if name is None:
        return None
    total = count if (count, pairs) == (6, 1) else count + pairs
    corners = CORNERS[total]
    free = corners[pairs if total == count + pairs else 0 :]
    order = sorted(near, key=lambda other: _room(atom, other))
    donors = tuple(int(other.GetIdx()) for other in order)
    must = total >= 5 or atom.GetAtomicNum() in NOBLE
    return Shape(int(atom.GetIdx()), donors, free, name, must=must)


def _room(atom: Any, other: Any) -> tuple[float, float, int]:
    """Sort multiple bonds first, then the less electronegative atoms."""
    bond = atom.GetOwningMol().GetBondBetweenAtoms(atom.GetIdx(), other.GetIdx())
    multiple = bond.GetBondTypeAsDouble() >= 2 or other.GetFormalCharge() < 0
    pull = ELECTRONEGATIVITY.get(other.GetAtomicNum(), 2.0)
    return -int(multiple), pull, int(other.GetIdx())


# --- metals --------------------------------------------------------------------------------------


def oxidation_state(atom: Any) -> int:
    """Return the charge that an atom keeps when its ligands take the electrons of their bonds."""
    from rdkit.Chem import BondType

    bonds = [b for b in atom.GetBonds() if b.GetBondType() not in (BondType.DATIVE, BondType.ZERO)]
    taken = sum(bond.GetBondTypeAsDouble() for bond in bonds)
    return round(atom.GetFormalCharge() + taken)


def _metal(mol: Mol, atom: Any) -> Shape | None:
    donors = [int(b.GetOtherAtomIdx(atom.GetIdx())) for b in atom.GetBonds()]
    count = len(donors)
    if count not in CORNERS:
        return None
    corners, name, why = CORNERS[count], NAMES[count, 0], ""
    if count == 4 and (why := _planar(mol, atom, donors)):
        corners, name = np.array(SQUARE), "square planar"
    tops = [d for d in donors if _is_top(mol, atom.GetIdx(), d)]
    if len(tops) == count == 2 and D_BLOCK.get(atom.GetAtomicNum()) == oxidation_state(atom):
        corners, name = CORNERS[4][:2], "bent"
    if count == 5 and len(tops) == 1:
        corners, name = np.array([POLES[0], *SQUARE]), "square pyramidal"
        donors = tops + [d for d in donors if d != tops[0]]
        order, remark = tuple(range(5)), ""
    else:
        order, remark = _arrangement(mol, atom, donors, corners)
    remark = "; ".join(filter(None, (why, remark)))
    bitten = any(length <= 2 for length in ligand_paths(mol, atom.GetIdx(), donors).values())
    return Shape(
        int(atom.GetIdx()),
        tuple(donors),
        corners[list(order)],
        name,
        remark,
        handed=bool(stereo_label(atom)),
        slack=30.0 if bitten else 15.0,
    )


def _planar(mol: Mol, atom: Any, donors: list[int]) -> str:
    """Return why four ligands lie in a plane with the metal, empty where they do not."""
    if stereo_label(atom).startswith("CHI_SQUAREPLANAR"):
        return "as written"
    number, state = atom.GetAtomicNum(), oxidation_state(atom)
    kinds = {mol.GetAtomWithIdx(donor).GetAtomicNum() for donor in donors}
    symbol = atom.GetSymbol()
    if PLANAR_D8.get(number) == state:
        return f"{symbol} is d8: square planar"
    if number == 28 and state == 2 and kinds == {6}:
        return "Ni is d8 in a strong field: square planar"
    if number == 29 and state == 2 and kinds <= {7, 8}:
        return "Cu is d9: square planar"
    links = ligand_paths(mol, atom.GetIdx(), donors)
    if sum(length <= CHELATE for length in links.values()) >= 4:
        return f"{symbol} in a macrocycle: square planar"
    return ""


def _is_top(mol: Mol, centre: int, donor: int) -> bool:
    atom = mol.GetAtomWithIdx(donor)
    order = mol.GetBondBetweenAtoms(centre, donor).GetBondTypeAsDouble()
    return atom.GetDegree() == 1 and atom.GetAtomicNum() in (7, 8) and order >= 2


def ligand_paths(mol: Mol, centre: int, donors: list[int]) -> dict[tuple[int, int], int]:
    """Return how many bonds lie between donors of one ligand, by their places in the list."""
    from rdkit import Chem

    cut = Chem.RWMol(mol)
    for donor in donors:
        cut.RemoveBond(centre, donor)
    lengths: Any = Chem.GetDistanceMatrix(cut, force=True)
    pairs = itertools.combinations(range(len(donors)), 2)
    paths = {(i, j): lengths[donors[i], donors[j]] for i, j in pairs}
    return {pair: int(length) for pair, length in paths.items() if length < len(lengths)}


def _arrangement(
    mol: Mol, atom: Any, donors: list[int], corners: Floats
) -> tuple[tuple[int, ...], str]:
    """Return the corner of each donor: as the notation says, else the first that chelates allow."""
    count = len(donors)
    if count > 6:
        return tuple(range(count)), f"arrangement of the ligands at {atom.GetSymbol()} not sought"
    if wanted := stereo_label(atom):
        for order in itertools.permutations(range(count)):
            if _stereo(corners[list(order)], atom.GetAtomicNum()) == wanted:
                return order, ""
    links = ligand_paths(mol, atom.GetIdx(), donors)
    short = [pair for pair, length in links.items() if length <= CHELATE]
    apart: Floats = np.degrees(np.arccos(np.clip(corners @ corners.T, -1, 1)))

    def strain(order: tuple[int, ...]) -> float:
        return round(sum(float(apart[order[i], order[j]]) for i, j in short), 3)

    # As written means cis in a square and facial in an octahedron.
    orders = list(itertools.permutations(range(count))) if short else [_as_written(count, corners)]
    best = min(orders, key=strain)
    symbols = {_kind(mol, donor, atom.GetIdx()) for donor in donors}
    isomers = count >= 4 and len(symbols) > 1 and bool(np.isclose(apart, 90).any())
    remark = f"arrangement of the ligands at {atom.GetSymbol()} not given: one taken"
    return best, remark if isomers else ""


def _as_written(count: int, corners: Floats) -> tuple[int, ...]:
    return (0, 2, 3, 1, 4, 5) if count == 6 else tuple(range(count))


def _kind(mol: Mol, donor: int, centre: int) -> tuple[int, tuple[int, ...]]:
    atom = mol.GetAtomWithIdx(donor)
    near = sorted(n.GetAtomicNum() for n in atom.GetNeighbors() if n.GetIdx() != centre)
    return atom.GetAtomicNum(), tuple(near)


def _stereo(vectors: Floats, number: int) -> str:
    """Return RDKit's name of an arrangement of neighbours, in their order."""
    from rdkit import Chem
    from rdkit.Geometry import Point3D

    star = Chem.RWMol()
    star.AddAtom(Chem.Atom(number))
    conformer = Chem.Conformer(len(vectors) + 1)
    for index, (x, y, z) in enumerate((2 * vectors).tolist(), start=1):
        star.AddAtom(Chem.Atom(9))
        star.AddBond(0, index, Chem.BondType.SINGLE)
        conformer.SetAtomPosition(index, Point3D(x, y, z))
    star.AddConformer(conformer)
    star.UpdatePropertyCache(strict=False)
    Chem.AssignStereochemistryFrom3D(star)
    return stereo_label(star.GetAtomWithIdx(0))


def stereo_label(atom: Any) -> str:
    """Return how a notation arranges the ligands around an atom, else an empty text."""
    tag = str(atom.GetChiralTag())
    kinds = ("CHI_SQUAREPLANAR", "CHI_TRIGONALBIPYRAMIDAL", "CHI_OCTAHEDRAL")
    if tag not in kinds or not atom.HasProp("_chiralPermutation"):
        return ""
    return f"{tag} {atom.GetIntProp('_chiralPermutation')}"
