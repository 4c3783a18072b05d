"""The calculation that makes three-dimensional atoms from a SMILES or a name."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.elements import hill_formula
from ontologies.quantum import Embedding
from ontologies.units import Floats
from triplestore.errors import InputError, RecipeError
from workflows.engine import Backend, calculation

from .names import smiles_of
from .notation import check_atoms, multiplicity, read_smiles

if TYPE_CHECKING:
    from rdkit.Chem import Mol

RDKIT = Backend(
    name="rdkit",
    epoch="1",
    preload=("rdkit.Chem.AllChem", "workflows.molecule.embed"),
    packages=("rdkit", "numpy", "py2opsin"),
)

SEED = 7
CONFORMERS = 5
SAME_ENERGY = 1e-3
"""kcal/mol. Of conformers this close, mirror images say, the first is taken."""
RELAXATION_STEPS = 2000
LARGE = 250
"""Atoms. A fragment with more is embedded once: each takes many seconds."""
ATTEMPTS, RANDOM_ATTEMPTS = 20, 100
"""A conformer. Not a time, so that the result is the same on a slower machine."""

LONGEST_BOND = 1.3
SHORTEST_CONTACT = 0.6
"""Both in sums of covalent radii."""
FRAGMENT_CONTACT, FRAGMENT_DRIFT = 0.85, 1.5
"""In sums of van der Waals radii: where fragments are put, and where they have lost each other."""

SIDES: Floats = np.vstack([np.eye(3), -np.eye(3)])
TURNS: Floats = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
"""The turns by half a circle about an axis, as factors of the coordinates; none mirrors."""

ADVICE = "give its geometry as an XYZ file"


@calculation("molecule.embed", version="1", backend=RDKIT)
def embed(notation: str, kind: str) -> Embedding:
    """Make atoms in space from a SMILES or a name; the frame is arbitrary.

    Of a few conformers the one of lowest force-field energy is taken: a sensible start, not a
    conformer search. Separate molecules and ions are put beside each other. Formal charges give
    the charge, radical electrons with parallel spins the multiplicity. Where the notation leaves
    a stereocentre or a spin open, `method` says so.

    Args:
        notation: a SMILES or a name.
        kind: `smiles` or `name`.

    Raises:
        InputError: no SMILES, an impossible molecule, or something that is not supported.
        NotFoundError: no molecule of that name is known.
        RecipeError: no sensible geometry was found.

    Source: S. Wang, J. Witek, G. A. Landrum, S. Riniker, J. Chem. Inf. Model. 60, 2044 (2020).
    """
    from rdkit import Chem, rdBase

    given, remarks = notation.strip(), list[str]()
    source = f"{given[:80]!r}"
    if kind == "name":
        smiles, told_by = smiles_of(given)
        remarks.append(f"name from {told_by}")
    elif kind == "smiles":
        smiles = given
    else:
        raise InputError(f"{source} given as {kind!r} was asked for", "it can be smiles or name")
    plain = read_smiles(smiles, source)
    with rdBase.BlockLogs():
        mol = Chem.AddHs(plain)
        check_atoms(mol, source)
        spin, doubt = multiplicity(mol)
        positions, how = _positions(mol, source)
    remarks += [how, *_open_stereo(mol), *([doubt] if doubt else [])]
    _check(mol, positions, source)
    atoms = make_atoms(
        source, numbers=[atom.GetAtomicNum() for atom in mol.GetAtoms()], positions=positions,
        charge=Chem.GetFormalCharge(mol), multiplicity=spin,
    )  # fmt: skip
    _compare(plain, atoms, source)
    return Embedding(
        notation=notation, kind=kind, smiles=Chem.MolToSmiles(plain), atoms=atoms,
        method="; ".join(remarks),
    )  # fmt: skip


# --- coordinates ---------------------------------------------------------------------------------


def _positions(mol: Mol, source: str) -> tuple[Floats, str]:
    """Return coordinates in Å and how they were made."""
    from rdkit import Chem
    from rdkit.Geometry import Point3D

    field, ways = _force_field(mol), dict[str, None]()
    members: list[tuple[int, ...]] = []
    fragments = Chem.GetMolFrags(mol, asMols=True, fragsMolAtomMapping=members)
    shapes: list[Floats] = []
    for fragment in fragments:
        shape, way = _embedded(fragment, field, source)
        shapes.append(shape)
        ways |= {way: None} if way else {}
    positions = _arranged(mol, members, shapes)
    remarks = [", ".join([*ways, field or "no force field"])] if ways else []
    if len(fragments) > 1:
        relaxed: Floats | None = None
        if field:
            conformer = Chem.Conformer(mol.GetNumAtoms())
            for index, (x, y, z) in enumerate(positions.tolist()):
                conformer.SetAtomPosition(index, Point3D(x, y, z))
            whole = Chem.Mol(mol)
            whole.RemoveAllConformers()
            whole.AddConformer(conformer)
            _relax(whole, field)
            relaxed = whole.GetConformer().GetPositions()
        together = relaxed is not None and _together(mol, members, relaxed)
        positions = relaxed if relaxed is not None and together else positions
        way = f"relaxed together ({field})" if together else "not relaxed together"
        remarks.append(f"{len(fragments)} fragments placed beside each other, {way}")
    return positions, "; ".join(remarks) or "a single atom at the origin"


def _embedded(fragment: Mol, field: str, source: str) -> tuple[Floats, str]:
    """Return the best of a few conformers of one molecule or ion."""
    from rdkit.Chem import rdDistGeom

    if fragment.GetNumAtoms() == 1:
        return np.zeros((1, 3)), ""
    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed = SEED
    parameters.numThreads = 1
    parameters.maxIterations = ATTEMPTS
    count = CONFORMERS if fragment.GetNumAtoms() <= LARGE else 1
    way = f"RDKit ETKDGv3, seed {SEED}"
    conformers = list(rdDistGeom.EmbedMultipleConfs(fragment, count, parameters))
    if not conformers:
        parameters.useRandomCoords = True
        parameters.maxIterations = RANDOM_ATTEMPTS
        way += ", random start"
        conformers = list(rdDistGeom.EmbedMultipleConfs(fragment, count, parameters))
    if not conformers:
        found = "RDKit found no geometry that fits its bonds"
        raise RecipeError(f"{source} could not be embedded", found, ADVICE)
    energies = _relax(fragment, field) if field else [0.0] * len(conformers)
    lowest = min(energies)
    best = next(c for c, e in zip(conformers, energies, strict=True) if e <= lowest + SAME_ENERGY)
    return fragment.GetConformer(best).GetPositions(), way


def _force_field(mol: Mol) -> str:
    from rdkit.Chem import rdForceFieldHelpers as helpers

    if helpers.MMFFHasAllMoleculeParams(mol):
        return "MMFF94"
    return "UFF" if helpers.UFFHasAllMoleculeParams(mol) else ""


def _relax(mol: Mol, field: str) -> list[float]:
    """Relax every conformer in place and return the energies in kcal/mol.

    One that reaches the step limit stays a fair start.
    """
    from rdkit.Chem import rdForceFieldHelpers as helpers

    options: dict[str, Any] = {
        "numThreads": 1, "maxIters": RELAXATION_STEPS, "ignoreInterfragInteractions": False
    }  # fmt: skip
    if field == "MMFF94":
        outcomes = helpers.MMFFOptimizeMoleculeConfs(mol, mmffVariant=field, **options)
    else:
        outcomes = helpers.UFFOptimizeMoleculeConfs(mol, **options)
    return [float(energy) for _, energy in cast("list[tuple[int, float]]", outcomes)]


# --- fragments -----------------------------------------------------------------------------------


def _arranged(mol: Mol, members: list[tuple[int, ...]], shapes: list[Floats]) -> Floats:
    """Put fragments beside each other, the largest first, each where its charges like it best.

    Tried are six sides and four orientations; the lowest Coulomb energy of the partial charges
    wins, then the nearest place.
    """
    if len(shapes) == 1:
        return shapes[0]
    radii, charges = _radii(mol, van_der_waals=True), _partial_charges(mol)
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


def _partial_charges(mol: Mol) -> Floats:
    """Return Gasteiger's charges in e, formal ones where his method has no parameters."""
    from rdkit.Chem import rdPartialCharges

    rdPartialCharges.ComputeGasteigerCharges(mol)
    found = np.array([float(atom.GetProp("_GasteigerCharge")) for atom in mol.GetAtoms()])
    formal = np.array([float(atom.GetFormalCharge()) for atom in mol.GetAtoms()])
    return np.where(np.isfinite(found), found, formal)


def _together(mol: Mol, members: list[tuple[int, ...]], positions: Floats) -> bool:
    """Tell whether every fragment still touches another one."""
    radii = _radii(mol, van_der_waals=True)
    for fragment in members:
        inside = list(fragment)
        outside = [index for index in range(len(radii)) if index not in set(fragment)]
        distances = np.linalg.norm(positions[inside][:, None] - positions[outside], axis=2)
        sums = radii[inside][:, None] + radii[outside]
        if (distances / sums).min() > FRAGMENT_DRIFT:
            return False
    return True


def _radii(mol: Mol, van_der_waals: bool = False) -> Floats:
    from rdkit.Chem import GetPeriodicTable

    table = GetPeriodicTable()
    radius = table.GetRvdw if van_der_waals else table.GetRcovalent
    return np.array([radius(atom.GetAtomicNum()) for atom in mol.GetAtoms()])


# --- checks --------------------------------------------------------------------------------------


def _check(mol: Mol, positions: Floats, source: str) -> None:
    """Refuse geometries that do not look like the molecule.

    Raises:
        RecipeError: a bond too long, or two atoms too near.
    """
    if not np.isfinite(positions).all():
        raise RecipeError(f"{source} was embedded badly", "a position is no number", ADVICE)
    radii = _radii(mol)
    distances: Floats = np.linalg.norm(positions[:, None] - positions, axis=2)
    relative: Floats = distances / (radii[:, None] + radii)
    np.fill_diagonal(relative, np.inf)

    def pair(one: int, other: int) -> str:
        symbols = [mol.GetAtomWithIdx(index).GetSymbol() for index in (one, other)]
        return (
            f"atoms {one + 1} ({symbols[0]}) and {other + 1} ({symbols[1]}) "
            f"are {distances[one, other]:.2f} Å apart"
        )

    for bond in mol.GetBonds():
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        if relative[ends] > LONGEST_BOND:
            found = f"the bonded {pair(*ends)}"
            raise RecipeError(f"{source} was embedded badly", found, ADVICE)
    one, other = divmod(int(relative.argmin()), len(relative))
    if relative[one, other] < SHORTEST_CONTACT:
        raise RecipeError(f"{source} was embedded badly", pair(one, other), ADVICE)


def _compare(plain: Mol, atoms: ConceptualAtoms, source: str) -> None:
    """Compare the atoms with those that the notation writes or implies."""
    numbers = [atom.GetAtomicNum() for atom in plain.GetAtoms()]
    numbers += [1] * sum(atom.GetTotalNumHs() for atom in plain.GetAtoms())
    if hill_formula(numbers) != atoms.formula:
        found = f"the atoms are {atoms.formula}, the notation says {hill_formula(numbers)}"
        raise RecipeError(f"{source} was embedded badly", found, ADVICE)


def _open_stereo(mol: Mol) -> list[str]:
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
