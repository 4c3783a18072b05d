"""Conformers by a force field, from which better levels start."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

from ontologies.atoms import make_atoms
from ontologies.conformers import ConformerCandidates
from triplestore.errors import RecipeError
from workflows.engine import calculation

from .embedding import ADVICE, ATTEMPTS, RDKIT, SEED, bent, force_field, relax
from .notation import check_atoms, multiplicity, read_smiles

WINDOW = 10.0
"""kcal/mol above the lowest, within which conformers are kept: force fields err by several."""

SAME_ENERGY, SAME_PLACES = 0.02, 0.3
"""kcal/mol and Å (heavy atoms): conformers nearer to each other than both are one."""

MOST_KEPT = 20


@calculation("molecule.conformers", version="1", backend=RDKIT, title="conformers")
def conformers(notation: str, starts: int) -> ConformerCandidates:
    """Make conformers of one molecule; those that are alike are told once.

    Args:
        notation: a SMILES without separate parts.
        starts: how many geometries are embedded.

    Returns:
        At most 20 within 10 kcal/mol. Their atoms stand in the order of the SMILES.

    Raises:
        RecipeError: no geometry was found.

    Source: S. Wang, J. Witek, G. A. Landrum, S. Riniker, J. Chem. Inf. Model. 60, 2044 (2020).
    """
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdDistGeom, rdMolAlign

    with rdBase.BlockLogs():
        mol: Any = Chem.AddHs(read_smiles(notation, repr(notation[:80])))
        check_atoms(mol, repr(notation[:80]))
        spin, _ = multiplicity(mol)
        parameters: Any = rdDistGeom.ETKDGv3()
        parameters.randomSeed = SEED
        parameters.numThreads = 1
        parameters.maxIterations = ATTEMPTS
        parameters.pruneRmsThresh = SAME_PLACES / 3
        known = list(rdDistGeom.EmbedMultipleConfs(mol, starts, parameters))
        if not known:
            raise RecipeError(
                f"conformers of {notation[:80]!r} were asked for",
                "RDKit found no geometry that fits its bonds", ADVICE,
            )  # fmt: skip
        field = force_field(mol)
        energies = relax(mol, field) if field else [0.0] * len(known)
        order = sorted(range(len(known)), key=energies.__getitem__)
        heavy: Any = Chem.RemoveHs(mol)
        kept: list[int] = []
        for place in order:
            if energies[place] - energies[order[0]] > WINDOW or len(kept) == MOST_KEPT:
                break
            if not any(
                abs(energies[place] - energies[other]) < SAME_ENERGY
                and rdMolAlign.GetBestRMS(heavy, heavy, known[place], known[other]) < SAME_PLACES
                for other in kept
            ):
                kept.append(place)
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    charge = Chem.GetFormalCharge(mol)
    structures = tuple(
        make_atoms(
            notation,
            numbers=numbers,
            charge=charge,
            multiplicity=spin,
            positions=bent(mol, mol.GetConformer(known[place]).GetPositions()),
        )
        for place in kept
    )
    return ConformerCandidates(
        molecule=structures[0],
        structures=structures,
        sampler=f"RDKit ETKDGv3, seed {SEED}, {starts} starts, {field or 'no force field'}",
    )  # fmt: skip
