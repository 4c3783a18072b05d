"""What PubChem has of a molecule: only its InChIKey leaves this machine, and only after a yes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import NotFoundError
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.looking_up import Fact
from workflows.molecule.subject import mol_of
from workflows.text.words import count

from .asking import TO_ASK_OF, key_to_send
from .records import (
    PROPERTIES,
    Activity,
    Assay,
    Published,
    about,
    activities,
    compound,
    described,
    descriptions,
    plain,
    properties,
)

MOST_SHOWN = 50
MOST_DESCRIPTIONS = 3
MOST_DESCRIBED = 20
"""Assays whose descriptions are read for one question."""


class PublishedForm(Form):
    """What is asked of PubChem."""

    target: Annotated[
        str,
        Field(description="Activities at it: its name, UniProt accession or gene number."),
    ] = ""
    activity: Annotated[str, Field(description="Of this kind, such as Ki or IC50.")] = ""
    most: Annotated[int, Field(ge=1, le=10_000, description="Activities at most.")] = MOST_SHOWN
    again: Annotated[bool, Field(description="Ask also where the answer is kept.")] = False


async def prepare(
    given: Given[ConceptualAtoms], asked: PublishedForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed a `Published`.

    Raises:
        InputError: the bonds are not known, no InChIKey can be made, or nobody has allowed that
            PubChem is asked.
    """
    mol = await mol_of(given)
    task = f"what PubChem has of {given.text or given.model.formula} was asked for"
    inchi_key = await asyncio.to_thread(key_to_send, mol, given, task)
    address = given.detail.address

    async def make() -> Product:
        return await asyncio.to_thread(_product, task, inchi_key, address, asked)

    return PreparedAction(make)


def _product(task: str, inchi_key: str, address: str, asked: PublishedForm) -> Product:
    try:
        cids, answer = compound(inchi_key, address, again=asked.again)
    except NotFoundError as error:
        found = f"PubChem has no compound of the InChIKey {inchi_key}"
        advice = "look whether its configuration is said as it is published"
        raise NotFoundError(task, found, advice) from error
    others = ", ".join(map(str, cids[1:9]))
    remarks = [f"PubChem has it {len(cids)} times; others: {others}"] if others else []
    cid = cids[0]
    facts = [Fact("CID", str(cid), source=answer.source)]
    had, answer = properties(cid, address, again=asked.again)
    for name, value in had.items():
        called, unit = PROPERTIES[name]
        facts.append(Fact(called, _number(value), unit, answer.source))
    if not (asked.target.strip() or asked.activity.strip()):
        with suppress(NotFoundError):
            facts += descriptions(cid, address, again=asked.again)[0][:MOST_DESCRIPTIONS]
    every, source = list[Activity](), ""
    try:
        every, answer = activities(cid, address, again=asked.again)
        source = answer.source
    except NotFoundError:
        remarks.append("PubChem has no assay of it: that says nothing of what it does")
    chosen, assays, more = _chosen(every, address, asked)
    remarks += more
    shown = chosen[: asked.most]
    if every and not chosen:
        remarks.append(f"none of its {len(every)} activities is that: not known there")
    if len(chosen) > len(shown):
        remarks.append(f"{count(len(chosen) - len(shown), 'value')} left out (most)")
    lines = [str(one) for one in facts]
    if shown:
        remarks.append("values of different assays are compared only by who has read how")
        lines += [f"activities, {len(shown)} of {len(every)}  ({source})", *map(str, shown)]
    kept = {one.assay for one in shown}
    quoted = [one for number, one in assays.items() if number in kept]
    lines += map(str, quoted)
    told: dict[str, Any] = {
        "facts": [vars(one) for one in facts],
        "activities": [asdict(one) for one in shown],
        "activities_source": source,
        "assays": [asdict(one) for one in quoted],
    }
    text = "".join(f"{line}\n" for line in lines)
    found = Published(tuple(facts), tuple(shown), tuple(quoted))
    return Product(text, found, told, tuple(remarks))


def _chosen(
    every: Sequence[Activity], address: str, asked: PublishedForm
) -> tuple[list[Activity], dict[int, Assay], list[str]]:
    """Return the activities that are asked for, the strongest first, and how they were measured.

    Assays are described only where a target or a kind is asked for, and so many at most.
    """
    kind, target = asked.activity.strip().casefold(), asked.target.strip()
    of_kind = [one for one in every if not kind or one.kind.casefold() == kind]
    of_kind.sort(key=lambda one: (one.value is None, one.value or 0.0, one.assay))
    certain = [one for one in of_kind if not target or about(target, one)]
    if not kind and not target:
        return certain, {}, []
    first = [*certain[: asked.most], *(of_kind if target else [])]
    numbers = [*dict.fromkeys(one.assay for one in first)]
    assays = dict[int, Assay]()
    for number in numbers[:MOST_DESCRIBED]:
        with suppress(NotFoundError):
            assays[number] = described(number, address, again=asked.again)
    if not target:
        return certain, assays, []
    found = [one for one in of_kind if about(target, one, assays.get(one.assay))]
    if left := len(numbers) - MOST_DESCRIBED:
        told = f"only {MOST_DESCRIBED} assays were read, and {left} were judged by their titles"
        return found, assays, [told] if left > 0 else []
    return found, assays, []


def _number(value: object) -> str | float:
    try:
        return float(str(value))
    except ValueError:
        return plain(value)


PUBLISHED = ActionDefinition(
    (PublishedForm,),
    TO_ASK_OF,
    prepare,
    help="The InChIKey of MOLECULE is sent to PubChem, with --online alone. A line for each: its "
    "number, properties, and what assays have measured, in µM, with assay and paper.",
    endings=(".txt",),
)
