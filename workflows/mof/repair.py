"""Better shapes of organic building blocks: the bonds of rings in libraries may be far off."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownParameterType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import BlockGeometry
from ontologies.units import Floats
from triplestore.errors import GraficoError

from .codes import bonds_of, is_metal
from .matching import arms_of, rotation, units

HYDROGEN = 1.09
"""Å from the block to the hydrogens that stand for its neighbours."""

STEPS = 2000

FARTHEST = 0.25
"""RMSD of the directions of connections that relaxing may change; else the shape stays."""


def relaxed(block: BlockGeometry) -> tuple[BlockGeometry, str]:
    """Return a block in a better shape, and how it was found or why it stays as it is.

    Hydrogens stand for its neighbours while MMFF94s relaxes it. Its connection points keep their
    distance from the block.
    """
    numbers = block.atoms.numbers.tolist()
    if any(map(is_metal, numbers)):
        return block, ""
    count = len(numbers)
    anchors = block.connected_atoms
    out = block.connection_points - block.atoms.positions[anchors]
    lengths = np.linalg.norm(out, axis=1)
    if len(set(anchors.tolist())) < len(anchors) or lengths.min() < 1e-3:
        return block, "not relaxed: one atom has several connections"
    ends = block.atoms.positions[anchors] + out / lengths[:, None] * HYDROGEN
    try:
        capped = ConceptualAtoms(
            numbers=[*numbers, *[1] * len(anchors)],
            positions=np.vstack([block.atoms.positions, ends]),
        )
        positions = _minimised(capped)
    except (GraficoError, ValueError) as error:
        return block, f"not relaxed: {' '.join(str(error).split())[:120]}"
    points = positions[anchors] + units(positions[count:] - positions[anchors]) * lengths[:, None]
    atoms = block.atoms.moved_to(np.round(positions[:count], 6))
    made = block.model_copy(
        update={
            "atoms": atoms,
            "connection_points": np.round(points, 6),
            "found_in": f"{block.found_in}, relaxed by MMFF94s",
        }
    )
    before, after = units(arms_of(block)), units(arms_of(made))
    off = float(np.sqrt(((before @ rotation(before, after).T - after) ** 2).sum(axis=1).mean()))
    if off > FARTHEST or not np.array_equal(bonds_of(atoms), block.bonded):
        return block, "not relaxed: it would take another shape"
    return made, "relaxed by MMFF94s"


def _minimised(atoms: ConceptualAtoms) -> Floats:
    """Return the positions of a molecule in a minimum of MMFF94s.

    Raises:
        ValueError: the field has no parameters for it, or no minimum was found.
        GraficoError: its bonds are not clear.
    """
    from rdkit.Chem import rdForceFieldHelpers
    from rdkit.Geometry import Point3D

    from workflows.molecule.bonds import perceive

    molecule: Any = perceive(atoms)[0]
    properties = rdForceFieldHelpers.MMFFGetMoleculeProperties(molecule, mmffVariant="MMFF94s")
    if properties is None:
        raise ValueError("MMFF94s has no parameters for it")
    if not molecule.GetNumConformers():
        raise ValueError("it has no geometry")
    conformer = molecule.GetConformer()
    for number, place in enumerate(atoms.positions.tolist()):
        conformer.SetAtomPosition(number, Point3D(*place))
    field = rdForceFieldHelpers.MMFFGetMoleculeForceField(molecule, properties)
    if field is None:
        raise ValueError("MMFF94s has no parameters for it")
    if field.Minimize(maxIts=STEPS, forceTol=1e-6, energyTol=1e-10):
        raise ValueError("MMFF94s found no minimum")
    return np.array(conformer.GetPositions())
