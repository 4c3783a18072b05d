"""Of what a molecule may be made in one step, as suggestions, behind the gates."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.permits import MakingPlan
from workflows.analogues.grouping import plain_smiles
from workflows.controlled.gate import left_out, not_made
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.subject import MOLECULE, mol_of
from workflows.permits.permission import permitted_where_listed, refused_where_it_stops
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count

from .disconnecting import Disconnection, disconnections

ON_PAPER = (
    "these are suggestions of rules: nothing says that a step goes, with what yield, or that it is "
    "safe"
)
NO_ROUTE = "no route is known here: none of the rules makes it, which others may"


class RoutesForm(Form):
    """How many disconnections are told."""

    most: Annotated[int, Field(ge=1, le=1000, description="How many at most.")] = 20


async def prepare(
    given: Given[ConceptualAtoms], asked: RoutesForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the disconnections.

    Where a list names the molecule or a precursor, they are told by a person's permission alone,
    which is for exactly those that are told.

    Raises:
        InputError: the bonds are not known, or it stands on a list of what is not made, whoever
            asks.
        ConsentError: a list names it or a precursor, and somebody has to state or to permit
            something.
    """
    smiles = plain_smiles(await mol_of(given))
    title = f"routes to {smiles}"
    await refused_where_it_stops(executor, MakingPlan(title=title, notations=(smiles,)))

    async def make() -> Product:
        task = f"of what {smiles[:80]} is made"
        every: list[Disconnection] = await in_subprocess(task, disconnections, smiles)
        stopped = await asyncio.to_thread(not_made, {one: _step(one, smiles) for one in every})
        left = [one for one in every if one not in stopped]
        found, told = left[: asked.most], [*left_out([*stopped.values()], "route")]
        steps = tuple(_step(one, smiles) for one in found)
        if found:
            plan = MakingPlan(title=title, notations=steps, details="one step each")
            await permitted_where_listed(executor, plan)
            told.append(ON_PAPER)
        elif not stopped:
            told.append(NO_ROUTE)
        if len(left) > len(found):
            told.append(f"{count(len(left) - len(found), 'route')} left out (most)")
        lines = "".join(f"{one}\n" for one in found)
        return Product(lines, found, {"routes": [asdict(one) for one in found]}, tuple(told))

    return PreparedAction(make)


def _step(one: Disconnection, smiles: str) -> str:
    return f"{'.'.join(one.precursors)}>>{smiles}"


ROUTES = ActionDefinition(
    (RoutesForm,),
    MOLECULE,
    prepare,
    help="A line for each: the precursors as SMILES, the reaction, and who has its rule, which was "
    "tried forwards. Where none of the rules makes it, no route is known here. What a list of "
    "controlled chemicals names is told by a person's permission alone. Needs the extra "
    "`synthesis`.",
    endings=(".smi", ".smiles", ".txt"),
    of_many=True,
)
