"""Analogues of a molecule, as a list that a batch takes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.permits import MakingPlan
from workflows.controlled.gate import Outcome, gate, left_out
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.subject import MOLECULE, mol_of
from workflows.permits.permission import (
    needs_a_person,
    permitted_where_listed,
    refused_where_it_stops,
)
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count

from .changing import Analogue, analogues, chosen
from .grouping import plain_smiles

ON_PAPER = (
    "these stand on paper: nothing says that one can be made, keeps, does what the other does, or "
    "is harmless"
)


class ModifyForm(Form):
    """Which analogues are told."""

    by: Annotated[
        tuple[str, ...],
        Field(description="Transformations by a part of the name, such as amide.  [default: all]"),
    ] = ()
    most: Annotated[int, Field(ge=1, le=1000, description="How many at most.")] = 100


async def prepare(
    given: Given[ConceptualAtoms], asked: ModifyForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the analogues.

    Of what stands on a list they are told by a person's permission alone, which is for exactly
    those that are told.

    Raises:
        InputError: the bonds are not known, there is no such transformation, or it stands on a
            list of which no analogues are told, whoever asks.
        ConsentError: it stands on a list, and somebody has to state or to permit something.
    """
    chosen(asked.by)
    smiles = plain_smiles(await mol_of(given))
    title = f"analogues of {smiles}"
    await refused_where_it_stops(executor, MakingPlan(title=title, notations=(smiles,)))

    async def make() -> Product:
        task = f"analogues of {smiles[:80]}"
        every: list[Analogue] = await in_subprocess(task, analogues, smiles, asked.by)
        listed = await asyncio.to_thread(_listed, every)
        told = [ON_PAPER] if every else []
        told += left_out([*listed.values()], "analogue")
        every = [one for one in every if one not in listed]
        found = every[: asked.most]
        if found:
            made = (smiles, *(one.smiles for one in found))
            by = f"by {json.dumps(sorted(asked.by))}"
            plan = MakingPlan(title=title, notations=made, details=by)
            await permitted_where_listed(executor, plan)
        if not every:
            told.append("no transformation that is known here has a place in it")
        if len(every) > asked.most:
            told.append(f"{count(len(every) - asked.most, 'analogue')} left out (most)")
        lines = "".join(f"{one.smiles} {one.transformation} ({one.source})\n" for one in found)
        return Product(lines, found, {"analogues": [asdict(one) for one in found]}, tuple(told))

    return PreparedAction(make)


def _listed(analogues: Sequence[Analogue]) -> dict[Analogue, Outcome]:
    """Return those that are not made without a person's word, or cannot be read."""
    screened = {one: gate([one.smiles]) for one in analogues}
    return {one: found.tier for one, found in screened.items() if needs_a_person(found)}


MODIFY = ActionDefinition(
    (ModifyForm,),
    MOLECULE,
    prepare,
    help="A line for each analogue: its SMILES, the transformation that makes it, and who has "
    "described that, such as `grafico batch` takes. One group is changed at a time. Of what a list "
    "of controlled chemicals names they are told by a person's permission alone.",
    endings=(".smi", ".smiles", ".txt"),
    of_many=True,
)
