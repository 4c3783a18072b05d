"""What molecules may give with each other, by rules of named reactions, behind the gates."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

from pydantic import Field

from ontologies.permits import MakingPlan
from ontologies.screening import Materials
from triplestore.errors import InputError
from workflows.controlled.gate import left_out, not_made
from workflows.controlled.screening import Named
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.notation import canonical
from workflows.permits.permission import permitted_where_listed, refused_where_it_stops
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count

from .chemicals import structures
from .reacting import products

MOST_REACTANTS = 4
ON_PAPER = "rules say what may be made, not what will, and how much of it: nothing is computed"
NONE = "none of the rules makes anything of these with each other: not known here"


class ProductsForm(Form):
    """How many products are told."""

    most: Annotated[int, Field(ge=1, le=1000, description="How many at most.")] = 20


async def prepare(
    given: Given[Materials], asked: ProductsForm, executor: Executor, file: str
) -> PreparedAction:
    """Read the reactants; Python is handed the products.

    Raises:
        InputError: one cannot be read, or something stands on a list of what is not made, whoever
            asks.
        ConsentError: something stands on a list, and somebody has to state or to permit something.
    """
    task = f"products of {given.text[:80]} were asked for"
    found = await structures(given, task)
    several = any({">", "."} & {*one} for one in found)
    if not 1 <= len(found) <= MOST_REACTANTS or several:
        advice = "give each by a name or SMILES, with ; between them"
        problem = f"1 to {MOST_REACTANTS} molecules are taken, and no reaction, mixture or salt"
        raise InputError(task, problem, advice)
    reactants = [canonical(one, repr(one[:80])) for one in found]
    title = f"products of {' and '.join(reactants)}"
    await refused_where_it_stops(executor, MakingPlan(title=title, notations=tuple(reactants)))

    async def make() -> Product:
        every = await in_subprocess(task, products, reactants)
        stopped = await asyncio.to_thread(not_made, {one: one.smiles for one in every})
        left = [one for one in every if one not in stopped]
        shown, told = left[: asked.most], [*left_out([*stopped.values()], "product")]
        if shown:
            steps = tuple(f"{'.'.join(reactants)}>>{one.smiles}" for one in shown)
            plan = MakingPlan(title=title, notations=steps, details="one step each")
            await permitted_where_listed(executor, plan)
            told.append(ON_PAPER)
        elif not stopped:
            told.append(NONE)
        if len(left) > len(shown):
            told.append(f"{count(len(left) - len(shown), 'product')} left out (most)")
        lines = "".join(f"{one}\n" for one in shown)
        return Product(lines, shown, {"products": [asdict(one) for one in shown]}, tuple(told))

    return PreparedAction(make)


PRODUCTS = ActionDefinition(
    (ProductsForm,),
    Named(),
    prepare,
    help="A line for each: its SMILES, the reaction, and who has its rule. What a list of "
    "controlled chemicals names is told by a person's permission alone. Needs the extra "
    "`synthesis`.",
    endings=(".smi", ".smiles", ".txt"),
)
