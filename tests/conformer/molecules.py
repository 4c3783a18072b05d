"""Molecules of the tests of conformers, and their geometries moved about."""

from __future__ import annotations

from functools import cache

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates, SamenessThresholds
from ontologies.factors import HARTREE
from ontologies.tightbinding import TightBindingOptimisation
from ontologies.units import Floats
from workflows.conformer.candidates import candidates
from workflows.conformer.sameness import groups
from workflows.molecule.embedding import embed
from workflows.tightbinding.calculations import optimise
from workflows.tightbinding.levels import resolve_level

KCAL = HARTREE["kcal/mol"]


@cache
def molecule(smiles: str) -> tuple[ConceptualAtoms, str]:
    """Return a geometry and canonical SMILES."""
    made = embed(smiles, "smiles")
    return made.atoms, made.smiles


@cache
def sampled(smiles: str, seed: int = 7) -> ConformerCandidates:
    return candidates(*molecule(smiles), 200, seed)


def conformers(smiles: str, window: float, seed: int = 7) -> list[TightBindingOptimisation]:
    """Return the conformers at GFN2-xTB up to so many kcal/mol above the lowest."""
    level = resolve_level("GFN2-xTB").level
    relaxed = [optimise(one, level, 200) for one in sampled(smiles, seed).structures]
    alike = groups(
        [one.atoms for one in relaxed],
        [one.energy for one in relaxed],
        SamenessThresholds(),
        molecule(smiles)[1],
    )
    kept = [relaxed[group[0]] for group in alike]
    return [one for one in kept if one.energy - kept[0].energy <= window / KCAL]


def copied(atoms: ConceptualAtoms, seed: int, mirrored: bool = False) -> ConceptualAtoms:
    """Return a copy that is shifted, turned and renumbered, of the mirror image if asked for."""
    random = np.random.default_rng(seed)
    rotation, _ = np.linalg.qr(random.normal(size=(3, 3)))
    rotation[:, 0] *= np.linalg.det(rotation) * (-1 if mirrored else 1)
    order = random.permutation(len(atoms.numbers))
    moved: Floats = atoms.positions[order] @ rotation.T + random.normal(size=3)
    return ConceptualAtoms(
        numbers=atoms.numbers[order],
        positions=moved,
        charge=atoms.charge,
        multiplicity=atoms.multiplicity,
    )
