"""Ensembles made by hand of what is computed: a molecule turned about a bond, and relaxed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdMolTransforms

from grafico import Grafico
from ogm import Link
from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.conformers import Conformer, ConformerEnsemble
from ontologies.quantum import EnergyResult

KELVIN = 298.15
PER_KELVIN = 3.166811563e-6
"""Eh, Boltzmann's constant (CODATA 2018)."""


def turned(smiles: str, dihedral: tuple[int, int, int, int], degrees: float) -> ConceptualAtoms:
    """Return a molecule with a dihedral angle (atoms from 0) of that size."""
    mol: Any = Chem.AddHs(Chem.MolFromSmiles(smiles))
    rdDistGeom.EmbedMolecule(mol, randomSeed=7)
    rdMolTransforms.SetDihedralDeg(mol.GetConformer(), *dihedral, degrees)
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    return make_atoms(smiles, numbers=numbers, positions=mol.GetConformer().GetPositions())


def ensemble(
    session: Grafico,
    smiles: str,
    dihedral: tuple[int, int, int, int],
    angles: Sequence[float],
    **level: Any,
) -> ConformerEnsemble:
    """Return the ensemble of what a molecule relaxes to from some dihedral angles."""
    runs = [
        session.run(turned(smiles, dihedral, angle), task="optimise", **level) for angle in angles
    ]
    found = sorted((run.answers[-1] for run in runs), key=lambda one: one.result.energy)
    low = found[0].result.energy
    factors = [math.exp((low - one.result.energy) / PER_KELVIN / KELVIN) for one in found]
    made = ConformerEnsemble(
        molecule=found[0].result.atoms,
        smiles=smiles,
        level=found[0].result.level,
        sampler="turned by hand",
        temperature=KELVIN,
        conformers=tuple(
            Conformer(
                number=number,
                atoms=one.result.atoms,
                energy=one.result.energy,
                weight=factor / sum(factors),
                result=Link[EnergyResult](one.recorded),
            )
            for number, (one, factor) in enumerate(zip(found, factors, strict=True), 1)
        ),
    )
    session.kg.push(made)
    return made
