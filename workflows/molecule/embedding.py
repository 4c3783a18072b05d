"""The calculation that makes three-dimensional atoms from a SMILES or a name."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.quantum import Embedding
from ontologies.units import Floats
from triplestore.errors import GraficoError, InputError, RecipeError
from workflows.engine import Backend, calculation

from .building import Rings, build
from .checks import ADVICE, check, compare, open_stereo, wrong_shapes
from .fragments import arranged, rearranged, together
from .ligands import gathered
from .names import smiles_of
from .notation import (
    canonical,
    check_atoms,
    read_smiles,
    smiles_of_inchi,
    smiles_of_selfies,
)
from .openbabel import three_dimensions
from .polishing import MOST_ATOMS, NO_BETTER, is_far_off, is_rough, polished, settled
from .polyhedra import Shape, shapes
from .spin import read_spin

if TYPE_CHECKING:
    from rdkit.Chem import Mol

RDKIT = Backend(
    name="rdkit",
    epoch="1",
    preload=("rdkit.Chem.AllChem", "workflows.molecule.embedding"),
    packages=("rdkit", "numpy", "py2opsin", "selfies"),
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


@calculation("molecule.embed", version="2", backend=RDKIT, brief=True, title="3D structure")
def embed(notation: str, kind: str, online: str = "") -> Embedding:
    """Make atoms in space from a notation or a name; the frame is arbitrary.

    Of a few conformers the one of lowest force-field energy is taken: a sensible start, not a
    conformer search. Hypervalent and metal centres are built as their coordination polyhedra
    (`polyhedra` has the rules). Separate molecules and ions are put beside each other, but ligands
    onto their metal. Formal charges give the charge; the table of ground states, or rules for free
    electrons, give the multiplicity (`read_spin`). Where the notation leaves a stereocentre or a
    spin open, `method` says so. The result is compared with the notation: formula, bonds, contacts,
    shapes. The atoms of a SMILES stand in the order in which it is written, those of other
    notations in that of its canonical SMILES, then hydrogens.

    Args:
        notation: a SMILES, an InChI, SELFIES or a name.
        kind: `smiles`, `inchi`, `selfies` or `name`.
        online: address of PubChem's PUG REST for names that are not known here; empty: never ask.

    Raises:
        InputError: no such notation, an impossible molecule, or something that is not supported.
        NotFoundError: no molecule of that name is known.
        RecipeError: no sensible geometry was found.
        ResourceError: PubChem cannot be reached.
        ComponentError: a package for this notation is not installed.

    Source: S. Wang, J. Witek, G. A. Landrum, S. Riniker, J. Chem. Inf. Model. 60, 2044 (2020).
    """
    from rdkit import Chem, rdBase

    given = notation.strip()
    source = f"{given[:80]!r}"
    smiles, told_by, lost = smiles_of_given(given, kind, source, online)
    if kind != "smiles":
        smiles = canonical(smiles, source)
    plain = read_smiles(smiles, source)
    with rdBase.BlockLogs():
        mol = Chem.AddHs(plain)
        check_atoms(mol, source)
        spin = read_spin(mol)
        whole, sandwiches, joined = gathered(mol)
        positions, how = _positions(whole, sandwiches, source)
        positions = bent(whole, positions)
        remarks = [f"name from {told_by}"] if told_by else []
        remarks += [
            *filter(None, (lost, joined, how)),
            *open_stereo(mol),
            *([spin.note] if spin.note else []),
        ]
    check(whole, positions, source)
    atoms = make_atoms(
        source,
        numbers=[atom.GetAtomicNum() for atom in mol.GetAtoms()],
        positions=positions,
        charge=Chem.GetFormalCharge(mol),
        multiplicity=spin.multiplicity,
    )
    compare(plain, atoms, source)
    far_off = is_far_off(mol, positions, how) or is_rough(mol, how)
    if "beside each other, relaxed together" in how and len(atoms.numbers) <= MOST_ATOMS:
        atoms, found = _settled(whole, plain, atoms, source)
        remarks += [found] if found else []
    atoms, more = _better(whole, plain, atoms, far_off, source)
    remarks += [more] if more else []
    return Embedding(
        notation=notation,
        kind=cast(Any, kind),
        smiles=Chem.MolToSmiles(plain),
        atoms=atoms,
        method="; ".join(remarks),
        told_by=told_by,
        ordered_smiles=smiles,
    )


def _settled(
    whole: Mol, plain: Mol, atoms: ConceptualAtoms, source: str
) -> tuple[ConceptualAtoms, str]:
    """Return molecules beside each other in the lowest of some arrangements, and that it is it."""
    from rdkit import Chem

    members = list(Chem.GetMolFrags(whole))
    others = rearranged(whole, atoms.positions, ARRANGEMENTS, SEED)
    for found in settled(atoms, others) if others else ():
        with suppress(GraficoError):
            check(whole, found, source)
            if not together(whole, members, found):
                continue
            better = atoms.moved_to(found)
            compare(plain, better, source)
            return better, f"the lowest of {ARRANGEMENTS + 1} arrangements"
    return atoms, ""


def _better(
    whole: Mol, plain: Mol, atoms: ConceptualAtoms, far_off: bool, source: str
) -> tuple[ConceptualAtoms, str]:
    """Return a structure relaxed where it was built badly, if it still is what it should be."""
    positions, told = polished(atoms, far_off)
    if positions is None:
        return atoms, told
    better = atoms.moved_to(positions)
    try:
        check(whole, positions, source)
        compare(plain, better, source)
    except GraficoError:
        return atoms, NO_BETTER
    return (atoms, NO_BETTER) if wrong_shapes(whole, shapes(whole), positions) else (better, told)


def smiles_of_given(given: str, kind: str, source: str, online: str) -> tuple[str, str, str]:
    """Return the SMILES, for a name who told it, and what was not understood."""
    match kind:
        case "smiles":
            return given, "", ""
        case "name":
            return *smiles_of(given, online), ""
        case "inchi":
            smiles, lost = smiles_of_inchi(given, source)
            return smiles, "", lost
        case "selfies":
            return smiles_of_selfies(given, source), "", ""
        case _:
            raise InputError(
                f"{source} given as {kind!r} was asked for",
                "there is no such kind",
                "choose smiles, name, inchi or selfies",
            )


# --- coordinates ---------------------------------------------------------------------------------


ARRANGEMENTS = 15
"""Of molecules beside each other that are tried besides the first."""

STRAIGHT = -0.97
"""Cosine of an angle that is as good as straight."""


def bent(mol: Mol, positions: Floats) -> Floats:
    """Return coordinates in which centres of two neighbours with free electrons are not straight.

    A straight carbene or formyl radical is a saddle point which an optimisation does not leave.

    Args:
        mol: with all hydrogens.
        positions: in Å, shape (atoms, 3).
    """
    moved = positions.copy()
    for atom in mol.GetAtoms():
        if atom.GetDegree() != 2 or not atom.GetNumRadicalElectrons():
            continue
        centre = positions[atom.GetIdx()]
        first, second = (positions[other.GetIdx()] - centre for other in atom.GetNeighbors())
        lengths = np.linalg.norm(first), np.linalg.norm(second)
        if first @ second > STRAIGHT * lengths[0] * lengths[1]:
            continue
        axis = (first - second) / np.linalg.norm(first - second)
        sideways = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        sideways /= np.linalg.norm(sideways)
        moved[atom.GetIdx()] = centre + sideways * 0.35 * min(lengths)
    return moved


def _positions(mol: Mol, sandwiches: list[Rings], source: str) -> tuple[Floats, str]:
    """Return coordinates in Å and how they were made."""
    from rdkit import Chem

    special = bool(sandwiches) or any(shape.must for shape in shapes(mol))
    field, ways = "" if special else force_field(mol), dict[str, None]()
    members: list[tuple[int, ...]] = []
    fragments = Chem.GetMolFrags(
        mol, asMols=True, sanitizeFrags=not special, fragsMolAtomMapping=members
    )
    parts: list[Floats] = []
    for fragment, places in zip(fragments, members, strict=True):
        if special:
            fragment.UpdatePropertyCache(strict=False)
            Chem.FastFindRings(fragment)
        inside = [_renumbered(part, places) for part in sandwiches if part.centre in places]
        part, way = _embedded(fragment, inside, field, source)
        parts.append(part)
        ways |= {way: None} if way else {}
    positions = arranged(mol, members, parts)
    remarks = (
        [", ".join([*ways, *([] if special else [field or "no force field"])])] if ways else []
    )
    if len(fragments) > 1:
        relaxed = _relaxed_whole(mol, positions, field) if field else None
        held = relaxed is not None and together(mol, members, relaxed)
        positions = relaxed if relaxed is not None and held else positions
        way = f"relaxed together ({field})" if held else "not relaxed together"
        remarks.append(f"{len(fragments)} fragments placed beside each other, {way}")
    return positions, "; ".join(remarks) or "a single atom at the origin"


def _renumbered(part: Rings, places: tuple[int, ...]) -> Rings:
    first, second = (tuple(places.index(index) for index in ring) for ring in part.rings)
    return Rings(places.index(part.centre), (first, second))


def _embedded(
    fragment: Mol, sandwiches: list[Rings], field: str, source: str
) -> tuple[Floats, str]:
    """Return coordinates of one molecule or ion, and how they were made."""
    if fragment.GetNumAtoms() == 1:
        return np.zeros((1, 3)), ""
    metals = {part.centre for part in sandwiches}
    polyhedra = [shape for shape in shapes(fragment) if shape.centre not in metals]
    needed = [shape for shape in polyhedra if shape.must]
    if not needed and not sandwiches:
        positions, way = _from_rdkit(fragment, field or force_field(fragment), source)
        needed = wrong_shapes(fragment, polyhedra, positions)
        if not needed:
            return positions, way
    positions = build(fragment, needed, sandwiches, SEED, source)
    if bad := wrong_shapes(fragment, polyhedra, positions):
        shape = bad[0]
        atom = f"atom {shape.centre + 1} ({fragment.GetAtomWithIdx(shape.centre).GetSymbol()})"
        found_there = (
            f"{atom} should be {shape.name}, and is off by {shape.deviation(positions):.0f}°"
        )
        raise RecipeError(f"{source} was embedded badly", found_there, ADVICE)
    return positions, f"built with {_centres(fragment, needed, sandwiches)}"


def _centres(fragment: Mol, needed: list[Shape], sandwiches: list[Rings]) -> str:
    """Return the shapes that were built, in words."""
    said: dict[str, None] = {}
    for shape in needed:
        remark = f" ({shape.remark})" if shape.remark else ""
        said[f"{shape.name} {fragment.GetAtomWithIdx(shape.centre).GetSymbol()}{remark}"] = None
    for part in sandwiches:
        said[f"{fragment.GetAtomWithIdx(part.centre).GetSymbol()} between two rings"] = None
    return ", ".join(said)


def _from_rdkit(fragment: Mol, field: str, source: str) -> tuple[Floats, str]:
    """Return the best of a few conformers of one molecule or ion; else what Open Babel makes."""
    from rdkit.Chem import rdDistGeom

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
        positions, told = three_dimensions(fragment)
        if positions is not None:
            return positions, told
        problem = f"RDKit found no geometry that fits its bonds, and {told}"
        raise RecipeError(f"{source} could not be embedded", problem, ADVICE)
    energies = relax(fragment, field) if field else [0.0] * len(conformers)
    lowest = min(energies)
    best = next(c for c, e in zip(conformers, energies, strict=True) if e <= lowest + SAME_ENERGY)
    return fragment.GetConformer(best).GetPositions(), way


def force_field(mol: Mol) -> str:
    """Return the force field that has parameters for a molecule; empty if none has."""
    from rdkit.Chem import rdForceFieldHelpers as helpers

    if helpers.MMFFHasAllMoleculeParams(mol):
        return "MMFF94"
    return "UFF" if helpers.UFFHasAllMoleculeParams(mol) else ""


def relax(mol: Mol, field: str) -> list[float]:
    """Relax every conformer of a molecule in place; return the energies in kcal/mol.

    One that reaches the step limit stays a fair start.
    """
    from rdkit.Chem import rdForceFieldHelpers as helpers

    options: dict[str, Any] = {
        "numThreads": 1,
        "maxIters": RELAXATION_STEPS,
        "ignoreInterfragInteractions": False,
    }
    if field == "MMFF94":
        outcomes = helpers.MMFFOptimizeMoleculeConfs(mol, mmffVariant=field, **options)
    else:
        outcomes = helpers.UFFOptimizeMoleculeConfs(mol, **options)
    return [float(energy) for _, energy in cast("list[tuple[int, float]]", outcomes)]


def _relaxed_whole(mol: Mol, positions: Floats, field: str) -> Floats:
    """Return coordinates relaxed with a force field, fragments together."""
    from rdkit import Chem
    from rdkit.Geometry import Point3D

    conformer = Chem.Conformer(mol.GetNumAtoms())
    for index, (x, y, z) in enumerate(positions.tolist()):
        conformer.SetAtomPosition(index, Point3D(x, y, z))
    whole = Chem.Mol(mol)
    whole.RemoveAllConformers()
    whole.AddConformer(conformer)
    relax(whole, field)
    return whole.GetConformer().GetPositions()


def bonded(embedding: Embedding) -> Mol | None:
    """Return the molecule of an embedding with its bonds, atom by atom as its structure has them.

    None where it is not known (of results of the first version) or the structure was changed.
    """
    from rdkit import Chem, rdBase

    if not embedding.ordered_smiles:
        return None
    with rdBase.BlockLogs():
        mol = Chem.AddHs(read_smiles(embedding.ordered_smiles, embedding.notation))
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    return mol if numbers == embedding.atoms.numbers.tolist() else None
