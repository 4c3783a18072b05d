"""What may come of chemicals that come together, as a published chart has it."""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ontologies.screening import Materials
from triplestore.errors import InputError
from workflows.controlled.gate import noted
from workflows.controlled.naming import UNKNOWN, screen
from workflows.controlled.screening import Item, Named
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.looking_up import NOT_KNOWN, usual_name
from workflows.text.words import count

from .chart import Group, Together, dangers, groups_of, rows, separate

MOST = 60
"""Substances that are compared with each other."""

MOST_TOLD = 40
"""Pairs of which nothing is known that are told one by one."""

OF_THE_CHART = (
    "the chart goes by groups of substances, not by amounts, concentrations or temperatures; what "
    "it leaves empty is not known here, and two may react all the same"
)


@dataclass(frozen=True)
class Material:
    """What people call by a name of the household that means one reagent.

    Attributes:
        smiles: of the reagent; with water where that is a salt's.
        what: it is, in words.
    """

    smiles: str
    what: str


@functools.cache
def materials() -> Mapping[str, Material]:
    """Return the materials by name, in small letters."""
    return {
        name: Material(row["smiles"], row["is"])
        for row in rows("materials.csv")
        for name in row["names"].split("|")
    }


class MixingForm(Form):
    """What is asked of chemicals: what may come of each two of them."""


@dataclass(frozen=True)
class Mixing:
    """What the chart has of chemicals that come together.

    Attributes:
        groups: of each substance, as it was named; none where it is in no group.
        dangers: what may come of two of them.
        unread: texts whose structure is not known here, each with the reason.
    """

    groups: dict[str, tuple[Group, ...]]
    dangers: tuple[Together, ...]
    unread: dict[str, str]

    @property
    def empty(self) -> list[tuple[str, str]]:
        """Pairs of which the chart says nothing."""
        told = {frozenset((one.first, one.second)) for one in self.dangers}
        pairs = itertools.combinations([*self.groups, *self.unread], 2)
        return [one for one in pairs if frozenset(one) not in told]

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in _lines(self))


def mixing(texts: Sequence[tuple[str, str]], unread: dict[str, str] | None = None) -> Mixing:
    """Return what may come of substances, each given as what it is called and its SMILES.

    A mixture, or what a reaction takes, is several. What cannot be read is told as unread.

    Raises:
        InputError: there are too many.
    """
    substances, lacking = dict[str, str](), dict(unread or {})
    for called, smiles in texts:
        try:
            parts = separate(smiles)
        except InputError as error:
            lacking[called] = error.found
            continue
        names = [called] if len(parts) == 1 and ">" not in called else parts
        if called != smiles and len(parts) > 1:  # a name of several: ammonia hydrogen peroxide
            names = [usual_name(part) or part for part in parts]
        for name, part in zip(names, parts, strict=True):
            if part not in substances.values():
                substances[name] = part
    if len(substances) > MOST:
        found = f"{count(len(substances), 'substance')} come together; {MOST} are compared"
        raise InputError("what may come of a mixture was asked for", found, "name fewer")
    groups = {name: groups_of(smiles) for name, smiles in substances.items()}
    return Mixing(groups, dangers(substances), lacking)


def _lines(found: Mixing) -> Iterator[str]:
    yield from map(str, found.dangers)
    empty = found.empty
    for first, second in empty[:MOST_TOLD]:
        yield f"{first} with {second}: {NOT_KNOWN}"
    if len(empty) > MOST_TOLD:
        yield f"{count(len(empty) - MOST_TOLD, 'more pair')}: {NOT_KNOWN}"


async def prepare(
    given: Given[Materials], asked: MixingForm, executor: Executor, file: str
) -> PreparedAction:
    """Compare each two of them; Python is handed a `Mixing`.

    Raises:
        InputError: there is one substance only, or there are too many.
    """
    items, online = cast("tuple[list[Item], str]", given.detail)

    def compared() -> tuple[Mixing, tuple[str, ...]]:
        each = [screen(one.text, one.notation, online, one.called) for one in items]
        known, lacking, told = list[tuple[str, str]](), dict[str, str](), list[str]()
        for one in each:
            told += noted(one.verdict)
            material = None if one.structure else materials().get(one.given.casefold())
            if material:
                told.append(f"{one.given} is taken as {material.what}")
            if structure := material.smiles if material else one.structure:
                known.append((one.given, structure))
            else:
                lacking[one.given] = UNKNOWN
        return mixing(known, lacking), tuple(dict.fromkeys(told))

    async def make() -> Product:
        found, listed = await asyncio.to_thread(compared)
        if len(found.groups) + len(found.unread) < 2:
            task = "what may come of a mixture was asked for"
            raise InputError(task, "one substance is named", "name others, with ; between them")
        notes = [f"{name} is in no group of the chart" for name in _groupless(found)]
        notes += [f"{name}: {why}" for name, why in found.unread.items()]
        facts = {
            "groups": {name: [vars(one) for one in each] for name, each in found.groups.items()},
            "dangers": [
                {
                    "substances": [one.first, one.second],
                    "groups": [each.number for each in one.groups],
                    "codes": [*one.codes],
                    "consequences": one.consequences,
                    "source": one.source,
                }
                for one in found.dangers
            ],
            "unknown": [[*one] for one in found.empty],
        }
        return Product(str(found), found, facts, (*listed, *notes, OF_THE_CHART))

    return PreparedAction(make)


def _groupless(found: Mixing) -> list[str]:
    return [name for name, each in found.groups.items() if not each]


MIXING = ActionDefinition(
    (MixingForm,),
    Named(),
    prepare,
    help="A line for each two: heat, fire, toxic or flammable gas and the like, with the groups "
    "of EPA-600/2-80-076 for which that holds. Of a reaction what it takes is compared. “Not known "
    "here” is no word that they go together.",
    endings=(".txt",),
)
