"""A plan that somebody has drawn up, put before a person: resolve, gate, plan, permit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import Field

from ontologies.permits import MakingPlan, PlanVerdict
from ontologies.screening import Materials
from triplestore.errors import InputError
from workflows.controlled.gate import named
from workflows.controlled.naming import SHORTEST, screen
from workflows.controlled.screening import Item, Named
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.recognition import recognise
from workflows.safety.mixing import OF_THE_CHART, mixing
from workflows.text.words import count

from .permission import judged, permission

ONCE = "it is for one use, by whoever does the plan, and void after any change"

MOST_MET = 12
"""Pairs of materials that a person is warned of; more are counted."""


class PlanForm(Form):
    """What belongs to a plan besides its chemicals."""

    title: Annotated[str, Field(max_length=300, description="The plan in words.")] = ""
    details: Annotated[
        str, Field(max_length=10_000, description="Amounts, conditions, order: all else of it.")
    ] = ""


async def prepare(
    given: Given[Materials], asked: PlanForm, executor: Executor, file: str
) -> PreparedAction:
    """Compare the plan as a whole with the lists; Python is handed the `MakingPermission`.

    Raises:
        InputError: it stops here, whoever asks, or something of it cannot be read.
        ConsentError: somebody has to state or to permit something, and nobody has.
    """
    items, online = cast("tuple[Sequence[Item], str]", given.detail)
    structures, names = await asyncio.to_thread(_materials, items, online)
    title = " ".join(asked.title.split()) or given.text
    plan = MakingPlan(
        title=title,
        notations=tuple(structures),
        names=tuple(names),
        details=" ".join(asked.details.split()),
    )
    await asyncio.to_thread(judged, executor.kg, plan)
    together = await asyncio.to_thread(_together, plan)

    async def make() -> Product:
        made = await permission(executor, plan, together)
        verdict: PlanVerdict = made.verdict.load(executor.kg)
        lines = [
            f"{plan.title}: permitted by {made.given_by} until {made.until:%Y-%m-%d %H:%M} UTC",
            *(f"listed: {one}" for one in verdict.findings),
            *(f"without a structure: {one}" for one in verdict.unread),
            *(f"together: {one}" for one in together),
        ]
        facts = {
            "iri": made.iri,
            "plan": plan.iri,
            "until": made.until.isoformat(),
            "given_by": made.given_by,
            "findings": [*verdict.findings],
            "together": [*together],
            "statements": [one.iri for one in verdict.statements],
        }
        return Product("".join(f"{one}\n" for one in lines), made, facts, (ONCE, OF_THE_CHART))

    return PreparedAction(make)


def _materials(items: Sequence[Item], online: str) -> tuple[list[str], list[str]]:
    """Return the structures of a plan, and the names that are to be read when it is judged.

    What a table calls a structure besides is such a name where a list has it, as it may be what the
    structure is not. A name that PubChem alone knows is the structure that it tells.
    """
    structures, names = list[str](), list[str]()
    for one in items:
        if _is_structure(one):
            structures.append(one.text)
        elif online and not screen(one.text, one.notation).structure:
            told = screen(one.text, one.notation, online)
            structures += [told.structure] if told.structure else []
            names += [] if told.structure and not named(one.text) else [one.text]
        else:
            names.append(one.text)
        if len(one.called) >= SHORTEST and named(one.called):
            names.append(one.called)
    return list(dict.fromkeys(structures)), list(dict.fromkeys(names))


def _together(plan: MakingPlan) -> list[str]:
    """Return what may come of materials that meet; what a reaction gives is left out."""
    named_here = [screen(one) for one in plan.names]
    known = [(one, one) for one in plan.notations]
    known += [(one.given, one.structure) for one in named_here if one.structure]
    try:
        told = [str(one) for one in mixing(known).dangers]
    except InputError as error:
        return [f"not compared: {error.found}"]
    more = len(told) - MOST_MET
    return [*told[:MOST_MET], *([f"{count(more, 'more pair')}"] if more > 0 else [])]


def _is_structure(one: Item) -> bool:
    return ">" in one.text or one.notation == "smiles" or recognise(one.text) == "smiles"


PERMITTING = ActionDefinition(
    (PlanForm,),
    Named(),
    prepare,
    help="CHEMICALS are all that the plan uses and makes: reactions as SMILES, names of materials. "
    "All of it is compared with the lists of controlled chemicals together, and a person is asked "
    "once, who sees it whole. What Schedule 1 names, and explosives, stop whoever asks.",
    endings=(".txt",),
)
