"""The configurations that a molecule leaves open, as a list."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form

from .configurations import stereoisomers
from .subject import MOLECULE, mol_of


class StereoisomerForm(Form):
    """Which configurations are told."""

    most: Annotated[int, Field(ge=1, le=1000, description="How many at most.")] = 16
    all_centres: Annotated[
        bool, Field(description="What MOLECULE says of its configuration is left open, too.")
    ] = False


async def prepare(
    given: Given[ConceptualAtoms], asked: StereoisomerForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the stereoisomers.

    Raises:
        InputError: the bonds are not known.
    """
    mol = await mol_of(given)

    async def make() -> Product:
        found, told = await asyncio.to_thread(stereoisomers, mol, asked.most, asked.all_centres)
        lines = [f"{one.smiles} {one.configuration}".rstrip() + "\n" for one in found]
        facts = {"stereoisomers": [asdict(one) for one in found], "notes": told}
        return Product("".join(lines), found, facts, tuple(told))

    return PreparedAction(make)


STEREOISOMERS = ActionDefinition(
    (StereoisomerForm,),
    MOLECULE,
    prepare,
    help="A line for each configuration, its SMILES and its name, such as `grafico batch` takes. "
    "Of those for which no geometry is found it is said how many there are.",
    endings=(".smi", ".smiles", ".txt"),
)
