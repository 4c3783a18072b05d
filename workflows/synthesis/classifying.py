"""Of what class a reaction is, and which of its atoms become which."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

from ontologies.screening import Materials
from triplestore.errors import InputError
from workflows.controlled.gate import gate, noted
from workflows.controlled.screening import Named
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.looking_up import NOT_KNOWN, Fact
from workflows.programs.isolated import in_subprocess

from .chemicals import is_reaction, structures
from .reacting import classified

GUESSED = "the atoms are a learned model's guess, which is wrong at times: look at it"


class ClassifyForm(Form):
    """What is asked of a reaction: its class and its atoms."""


async def prepare(
    given: Given[Materials], asked: ClassifyForm, executor: Executor, file: str
) -> PreparedAction:
    """Read the reaction; Python is handed a `Classified`.

    Raises:
        InputError: it is no reaction, or cannot be read.
    """
    task = f"the class of {given.text[:80]} was asked for"
    found = await structures(given, task)
    if len(found) != 1 or not is_reaction(found[0]):
        advice = "give one as SMILES: reactants >> product"
        raise InputError(task, "it is not one reaction", advice)
    [reaction] = found

    async def make() -> Product:
        said = await in_subprocess(task, classified, reaction)
        by = said.told_by if said.score is None else f"{said.told_by}, score {said.score:g}"
        lines = [
            Fact("class", said.kind or NOT_KNOWN, source=said.told_by if said.kind else ""),
            Fact("atoms", said.mapped or NOT_KNOWN, source=by),
        ]
        remarks = noted(await asyncio.to_thread(gate, [reaction]))
        remarks += () if said.score is None else (GUESSED,)
        return Product("".join(f"{one}\n" for one in lines), said, asdict(said), remarks)

    return PreparedAction(make)


CLASSIFY = ActionDefinition(
    (ClassifyForm,),
    Named(),
    prepare,
    help="CHEMICALS is one reaction, as SMILES: reactants >> product. Its class is that of the "
    "rule which makes this product of these reactants; its atoms are numbered by the same rule, or "
    "by a learned model, with its score. Needs the extra `synthesis`.",
    endings=(".txt",),
)
