"""Coordinates of molecules with a hypervalent or metal centre, by distance geometry.

The centre is cut from its ligands and put back by distances alone: its own by covalent radii, those
between its neighbours by the angles of the polyhedron (`polyhedra`), those to the next atoms by the
hybridisation of the donor. So RDKit needs to know nothing about the centre.

Source: T. F. Havel, I. D. Kuntz, G. M. Crippen, Bull. Math. Biol. 45, 665 (1983).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ontologies.connectivity import BOND_FACTOR, covalent_radii
from ontologies.units import Floats
from triplestore.errors import RecipeError

from .polyhedra import BRIDGES, Shape, is_bridge

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MULTIPLE = {1: 1.0, 2: 0.87, 3: 0.78}
"""Length of a multiple bond to that of a single one."""
BACKBONDING = 0.9
"""Of a carbonyl or cyanide to a metal, in the same way."""
BRIDGING = 1.14
"""Of a hydrogen between two borons (1.31 Å)."""
PRECISION = 0.01
"""Å, by which a length to the centre or between its neighbours may differ."""
BITES, AROUND_BITES = {2: (0.75, 0.05), 3: (0.35, 0.05), 4: (0.1, 0.1)}, (0.1, 0.3)
"""Å by which neighbours may be nearer and farther: of one chelate, by the bonds between them; of
different ones."""
# Degrees at a donor, between the centre and the next atom, by the donor's hybridisation.
ANGLES = {"SP": (175.0, 180.0), "SP2": (115.0, 125.0), "SP3": (104.0, 116.0)}
FULL = {"SP": 1, "SP2": 2, "SP3": 3}
"""Neighbours of a donor whose lone pair points away from them all."""
CHELATED = {"SP2": (114.0, 135.0), "SP3": (102.0, 125.0)}
ANY_ANGLE = (80.0, 140.0)
"""The same in a chelate, and in one with a ring of four."""
SANDWICH = 1.61
"""Distance of the rings to that of a ring's atoms from the metal, as in ferrocene (3.32, 2.06 Å).

Source: A. Haaland, J. E. Nilsson, Acta Chem. Scand. 22, 2653 (1968).
"""
CROWDED = 0.75
"""Nearest atoms of different ligands, in sums of their van der Waals radii."""
TRIES = 10
FAR = 1000.0
STIFF = 1000.0
"""kcal/mol/Å², of the springs that hold ligands while they relax."""


@dataclass(frozen=True)
class Rings:
    """A metal between two rings, bound to all their atoms."""

    centre: int
    rings: tuple[tuple[int, ...], tuple[int, ...]]


def build(mol: Mol, shapes: list[Shape], rings: list[Rings], seed: int, source: str) -> Floats:
    """Return coordinates in Å of one molecule that has its hydrogens as atoms.

    Raises:
        RecipeError: no geometry fits.
    """
    from rdkit import DistanceGeometry
    from rdkit.Chem import rdDistGeom

    cut = _without_centres(mol, shapes, rings)
    bounds: Any = rdDistGeom.GetMoleculeBoundsMatrix(cut, doTriangleSmoothing=False)
    _set_bounds(bounds, mol, cut, shapes, rings)
    DistanceGeometry.DoTriangleSmoothing(bounds)
    parameters: Any = rdDistGeom.ETDG()
    parameters.randomSeed, parameters.numThreads = seed, 1
    parameters.useRandomCoords = parameters.ignoreSmoothingFailures = True
    parameters.embedFragmentsSeparately = False
    parameters.maxIterations = 100
    parameters.SetBoundsMat(bounds)
    conformers = list(rdDistGeom.EmbedMultipleConfs(cut, TRIES, parameters))
    if not conformers:
        found = "no geometry fits its coordination polyhedra"
        raise RecipeError(f"{source} could not be embedded", found, "give its geometry as a file")
    made = [np.array(cut.GetConformer(index).GetPositions(), float) for index in conformers]

    def misfit(positions: Floats) -> tuple[int, float, float]:
        off = sum(shape.deviation(positions) for shape in shapes)
        return _wrong_hands(shapes, positions), round(off), _violation(positions, bounds)

    best = min(made, key=misfit)
    done = _polished(cut, _snapped(mol, cut, best, shapes), shapes, rings)
    return done - done.mean(axis=0)


def _without_centres(mol: Mol, shapes: list[Shape], rings: list[Rings]) -> Any:
    """Return the molecule without the bonds to its centres, atoms and hybridisation as before."""
    from rdkit import Chem

    cut = Chem.RWMol(mol)
    for atom in cut.GetAtoms():
        atom.SetNoImplicit(True)
    ends = [(s.centre, donor) for s in shapes for donor in s.donors]
    ends += [(r.centre, member) for r in rings for ring in r.rings for member in ring]
    for centre, donor in ends:
        if cut.GetBondBetweenAtoms(centre, donor):
            cut.RemoveBond(centre, donor)
    for index in [part.centre for part in [*shapes, *rings]]:
        cut.GetAtomWithIdx(index).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    cut.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(cut)
    return cut


# --- bounds --------------------------------------------------------------------------------------


def _set_bounds(bounds: Any, mol: Mol, cut: Any, shapes: list[Shape], rings: list[Rings]) -> None:
    from rdkit import Chem

    radii = covalent_radii()[[atom.GetAtomicNum() for atom in mol.GetAtoms()]]
    apart: Any = Chem.GetDistanceMatrix(cut, force=True)
    centres = {shape.centre for shape in shapes}
    for shape in shapes:
        lengths = [bond_length(mol, shape.centre, donor) for donor in shape.donors]
        own = {shape.centre, *shape.donors}
        for place, (donor, length) in enumerate(zip(shape.donors, lengths, strict=True)):
            _put(bounds, shape.centre, donor, length, length)
            links = [float(apart[donor, o]) for o in shape.donors if o != donor]
            chelate = min(links, default=FAR) < FAR
            limits = {} if min(links, default=FAR) <= 2 else CHELATED if chelate else ANGLES
            for index in _next(cut, donor, own):
                low, high = limits.get(_hybrid(cut, donor), ANY_ANGLE)
                bond = float(bounds[max(donor, index), min(donor, index)]) + PRECISION
                _put(bounds, shape.centre, index, *(_third(length, bond, a) for a in (low, high)))
            for other, reach in list(zip(shape.donors, lengths, strict=True))[:place]:
                vectors = shape.vertices[[place, shape.donors.index(other)]]
                angle = float(np.degrees(np.arccos(np.clip(vectors[0] @ vectors[1], -1, 1))))
                across = _third(length, reach, angle)
                _between(bounds, donor, other, across, float(apart[donor, other]), chelate)
    for one, other in itertools.combinations(shapes, 2):
        if bridges := _bridges(mol, set(one.donors) & set(other.donors)):
            side = bond_length(mol, one.centre, bridges[0])
            between = _third(side, side, BRIDGES)
            across = 2 * float(np.sqrt(side**2 - between**2 / 4))
            _put(bounds, one.centre, other.centre, across - 0.05, across + 0.05)
    for part in rings:
        first, second = part.rings
        lengths = [bond_length(mol, part.centre, index) for index in first + second]
        for index, length in zip(first + second, lengths, strict=True):
            _put(bounds, part.centre, index, length, length)
        gap = SANDWICH * lengths[0]
        for one in first:
            for other in second:
                _put(bounds, one, other, gap, FAR)
    first, second = np.triu_indices(len(radii), 1)
    loose = (apart[first, second] >= FAR) & (bounds[first, second] >= FAR)
    bounds[second[loose], first[loose]] *= CROWDED
    _keep_apart(bounds, cut, radii, shapes, rings, centres)


def _keep_apart(
    bounds: Any, cut: Any, radii: Floats, shapes: list[Shape], rings: list[Rings], centres: set[int]
) -> None:
    """Keep from a centre what is not bonded to it."""
    bound = {s.centre: set(s.donors) for s in shapes}
    bound |= {r.centre: {*r.rings[0], *r.rings[1]} for r in rings}
    for centre, donors in bound.items():
        near = {n for d in donors - centres for n in _next(cut, d, {centre})} | donors | {centre}
        near |= {other for other, rest in bound.items() if _bridges(cut, donors & rest)}
        for index in set(range(len(radii))) - near:
            low, high = sorted((centre, index))
            limit = 1.1 * BOND_FACTOR * (radii[centre] + radii[index])
            bounds[high, low] = max(float(bounds[high, low]), limit)
            bounds[low, high] = max(float(bounds[low, high]), limit)


def bond_length(mol: Mol, centre: int, donor: int) -> float:
    """Return the length of a bond in Å, by covalent radii and its order."""
    one, other = mol.GetAtomWithIdx(centre), mol.GetAtomWithIdx(donor)
    radii = covalent_radii()[[one.GetAtomicNum(), other.GetAtomicNum()]]
    bond = mol.GetBondBetweenAtoms(centre, donor)
    order = round(bond.GetBondTypeAsDouble()) if bond else 1
    if other.GetFormalCharge() == -1 and other.GetDegree() == 1 and _has_oxide(one, donor):
        order = 2  # of one kind with the doubly bonded ones
    if is_bridge(other):
        return float(radii.sum()) * BRIDGING
    back = other.GetAtomicNum() == 6 and str(other.GetHybridization()) == "SP" and order == 1
    return float(radii.sum()) * (BACKBONDING if back else MULTIPLE.get(order, 1.0))


def _has_oxide(centre: Any, but: int) -> bool:
    """Tell whether another atom is doubly bonded to a centre, so that a charge is shared."""
    return any(
        bond.GetBondTypeAsDouble() == 2 and bond.GetOtherAtomIdx(centre.GetIdx()) != but
        for bond in centre.GetBonds()
    )


def _bridges(mol: Any, shared: set[int]) -> list[int]:
    """Return the hydrogens that hold two borons together, none where other atoms do."""
    bridges = [index for index in sorted(shared) if mol.GetAtomWithIdx(index).GetAtomicNum() == 1]
    return bridges if len(bridges) == 2 else []


def _put(bounds: Any, one: int, other: int, low: float, high: float) -> None:
    first, second = sorted((one, other))
    bounds[first, second], bounds[second, first] = high + PRECISION, low - PRECISION


def _between(bounds: Any, one: int, other: int, across: float, links: float, chelate: bool) -> None:
    """Set the distance of two donors; a ligand may bite less than its corners are apart."""
    first, second = sorted((one, other))
    low, high = float(bounds[second, first]), float(bounds[first, second])
    if links < FAR and not low <= across <= high:
        return
    less, more = AROUND_BITES if chelate else (0.0, 0.0)
    if links < FAR:
        less, more = BITES.get(round(links), (0.45, 0.3))
    _put(bounds, one, other, across - less, across + more)


def _next(cut: Any, donor: int, without: set[int]) -> list[int]:
    near = (int(atom.GetIdx()) for atom in cut.GetAtomWithIdx(donor).GetNeighbors())
    return [index for index in near if index not in without]


def _hybrid(cut: Any, donor: int) -> str:
    return str(cut.GetAtomWithIdx(donor).GetHybridization())


def _third(one: float, other: float, angle: float) -> float:
    """Return the third side of a triangle by two sides and the angle between, in degrees."""
    return float(np.sqrt(one**2 + other**2 - 2 * one * other * np.cos(np.radians(angle))))


def _violation(positions: Floats, bounds: Any) -> float:
    distances: Floats = np.linalg.norm(positions[:, None] - positions, axis=2)
    first, second = np.triu_indices(len(positions), 1)
    found, limits = distances[first, second], np.asarray(bounds)
    over, under = found - limits[first, second], limits[second, first] - found
    return float((np.maximum(over, 0) ** 2 + np.maximum(under, 0) ** 2).sum())


# --- the exact polyhedron ------------------------------------------------------------------------


def _snapped(mol: Mol, cut: Any, positions: Floats, shapes: list[Shape]) -> Floats:
    """Turn each ligand that has one donor and no other centre about its centre to its exact place.

    Distance geometry leaves lengths off by 0.01 Å, and a straight angle so by ten degrees.
    """
    from rdkit import Chem

    positions = positions.copy()
    centres = {shape.centre for shape in shapes}
    ligands: list[tuple[int, ...]] = list(Chem.GetMolFrags(cut))
    for shape in shapes:
        arms: Floats = positions[list(shape.donors)] - positions[shape.centre]
        vertices = shape.vertices * ([1, 1, -1] if _is_mirrored(shape, positions) else 1)
        ideal: Floats = vertices @ _turn(vertices, arms)
        for donor, arm, goal in zip(shape.donors, arms, ideal, strict=True):
            ligand = next(list(members) for members in ligands if donor in members)
            if len({donor, *shape.donors} & set(ligand)) > 1 or centres & set(ligand):
                continue
            length = bond_length(mol, shape.centre, donor)
            onto: Floats = (positions[ligand] - positions[donor]) @ _swing(arm, goal)
            beyond: Floats = onto[[ligand.index(index) for index in _next(cut, donor, set())]]
            if len(beyond) == FULL.get(_hybrid(cut, donor)):
                onto = onto @ _swing(beyond.sum(axis=0), goal)
            positions[ligand] = positions[shape.centre] + length * goal + onto
    return positions


def _wrong_hands(shapes: list[Shape], positions: Floats) -> int:
    return sum(shape.handed and _is_mirrored(shape, positions) for shape in shapes)


def _is_mirrored(shape: Shape, positions: Floats) -> bool:
    """Tell whether the mirror image of a polyhedron fits better than the polyhedron."""
    arms: Floats = positions[list(shape.donors)] - positions[shape.centre]
    arms = arms / np.linalg.norm(arms, axis=1)[:, None]
    other: Floats = shape.vertices * [1, 1, -1]
    off = [float(((v @ _turn(v, arms) - arms) ** 2).sum()) for v in (shape.vertices, other)]
    return off[1] < off[0] - 1e-3


def _turn(vectors: Floats, onto: Floats) -> Floats:
    """Return the proper rotation (from the right) that fits vectors best onto others.

    Source: W. Kabsch, Acta Crystallogr. A 32, 922 (1976).
    """
    left, _, right = np.linalg.svd(vectors.T @ onto)
    return left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right


def _swing(vector: Floats, onto: Floats) -> Floats:
    """Return the smallest rotation (from the right) that takes one direction to another."""
    one, other = vector / np.linalg.norm(vector), onto / np.linalg.norm(onto)
    axis: Floats = np.cross(one, other)
    x, y, z = axis.tolist()
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return (np.eye(3) + cross + cross @ cross / max(1 + float(one @ other), 1e-9)).T


# --- ligands -------------------------------------------------------------------------------------


def _polished(cut: Any, positions: Floats, shapes: list[Shape], rings: list[Rings]) -> Floats:
    """Relax the ligands with UFF; centres and donors keep their places, rings their distance."""
    from rdkit import Chem
    from rdkit.Chem import rdForceFieldHelpers as helpers

    fixed = sorted(set[int]().union(*({s.centre, *s.donors} for s in shapes)))
    if len(fixed) == len(positions):
        return positions
    members = {index for part in rings for ring in part.rings for index in ring}
    centres = sorted({part.centre for part in [*shapes, *rings]}, reverse=True)
    ligands = Chem.RWMol(cut)
    ligands.RemoveAllConformers()
    for index in centres:
        ligands.RemoveAtom(index)
    kept = [index for index in range(len(positions)) if index not in centres]
    conformer = Chem.Conformer(len(kept))
    for index, place in enumerate(positions[kept].tolist()):
        conformer.SetAtomPosition(index, place)
    ligands.AddConformer(conformer)
    ligands.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(ligands)
    if not helpers.UFFHasAllMoleculeParams(ligands):
        return positions
    field = helpers.UFFGetMoleculeForceField(ligands, ignoreInterfragInteractions=False)
    field.Initialize()
    place_of = {index: place for place, index in enumerate(kept)}
    for index in fixed:
        if index in place_of:
            field.AddFixedPoint(place_of[index])
    for centre in centres:
        extra = field.AddExtraPoint(*positions[centre].tolist(), fixed=True) - 1
        for index in kept:
            away = float(np.linalg.norm(positions[centre] - positions[index]))
            if index in members:
                field.AddDistanceConstraint(extra, place_of[index], away, away, STIFF)
            elif index not in fixed:  # near ones keep their distance, others come no nearer
                bonded = any(n in fixed for n in _next(cut, index, {centre}))
                far = away + 0.02 if bonded else FAR
                field.AddDistanceConstraint(extra, place_of[index], away - 0.05, far, STIFF / 5)
    field.Initialize()
    field.Minimize(maxIts=2000)
    polished = positions.copy()
    polished[kept] = np.reshape(field.Positions(), (-1, 3))[: len(kept)]
    return polished
