"""How far the conformers of an ensemble are from a structure, such as a pose in a crystal."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from ontologies.conformers import ConformerEnsemble
from ontologies.factors import HARTREE
from workflows.engine import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form, fill
from workflows.molecule.subject import MOLECULE_OF_ANY_SPIN

from .sameness import deviation
from .subject import ENSEMBLE

KCAL = HARTREE["kcal/mol"]


class PoseForm(Form):
    """What an ensemble is compared with."""

    structure: Annotated[
        str, Field(description="A geometry of the same molecule: a file or an IRI.")
    ]


async def prepare_pose(
    given: Given[ConformerEnsemble], asked: PoseForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out what is compared; Python is handed the distances in Å, conformer after conformer.

    Raises:
        GraficoError: the structure cannot be read.
    """
    ensemble = given.model
    words = fill(MOLECULE_OF_ANY_SPIN.form, {})
    pose = (await MOLECULE_OF_ANY_SPIN.read(asked.structure, words, executor)).model

    async def make() -> Product:
        far = await asyncio.to_thread(
            lambda: [deviation(one.atoms, pose, ensemble.smiles) for one in ensemble.conformers]
        )
        low = ensemble.lowest.energy
        rows = [
            {
                "number": one.number,
                "deviation_angstrom": apart,
                "relative_energy_kcal_mol": (one.energy - low) * KCAL,
                "weight": one.weight,
            }
            for one, apart in zip(ensemble.conformers, far, strict=True)
        ]
        head = "conformer   RMSD (Å)   above (kcal/mol)   weight (%)"
        lines = [
            f"{one.number:9d}   {apart:8.3f}   {(one.energy - low) * KCAL:16.2f}   "
            f"{100 * one.weight:10.1f}"
            for one, apart in zip(ensemble.conformers, far, strict=True)
        ]
        near = min(range(len(far)), key=far.__getitem__)
        remark = f"the nearest is conformer {near + 1}, at {far[near]:.3f} Å"
        text = "\n".join([head, *lines, ""])
        return Product(text, far, {"conformers": rows, "nearest": near + 1}, (remark,))

    return PreparedAction(make)


POSE = ActionDefinition(
    (PoseForm,),
    ENSEMBLE,
    prepare_pose,
    help="Root mean square distances of heavy atoms and polar hydrogen atoms, superposed with any "
    "numbering that keeps the bonds; of heavy atoms alone where the structure lacks hydrogen.",
    endings=(".txt", ".dat"),
)
