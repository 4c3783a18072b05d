"""A person states what a material is: one that a list names, or that has no structure."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, cast

from pydantic import Field

from ontologies.permits import MaterialStatement
from ontologies.screening import Materials
from triplestore.errors import InputError
from workflows.controlled.gate import NEEDS, named
from workflows.controlled.naming import Screened, screen
from workflows.controlled.screening import Item, Named
from workflows.engine.execution.executor import Executor
from workflows.engine.request.agreed import stored
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Personal
from workflows.molecule.cas import check_digit, registry_number
from workflows.molecule.recognition import recognise

from .statements import STATING, by_name, of_finding

LONGEST = 300
"""Letters of each field."""

NOTATION = re.compile(r"[=#@\[\]{}<>\\|]")
"""What stands in notations, and in no name of a material."""


class StatementForm(Form):
    """What a person states of a material."""

    called: Annotated[str, Personal(), Field(max_length=LONGEST, description="Its full name.")] = ""
    cas: Annotated[str, Personal(), Field(max_length=LONGEST, description="Its CAS number.")] = ""
    supplier: Annotated[str, Personal(), Field(max_length=LONGEST, description="Who sells it.")] = (
        ""
    )
    nothing_listed: Annotated[
        bool, Personal(), Field(description="It has no component that a list names.")
    ] = False


class _Stated(Form):
    """The fields of the step that stores a statement."""

    material: str
    matched_by: str
    called: str
    registry_number: str
    supplier: str
    nothing_listed: bool


@dataclass(frozen=True)
class _About:
    """What a statement is about.

    Attributes:
        matched_by: what a plan's material is compared with.
        checks: what was found of it, in words.
        listed: whether a list names it.
    """

    matched_by: str
    checks: tuple[str, ...]
    listed: bool


async def prepare(
    given: Given[Materials], asked: StatementForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out what the material is; Python is handed the `MaterialStatement`.

    Raises:
        InputError: something that has to be stated is not, or nothing has to be, or nothing that
            is stated lets it be made.
    """
    items = cast("Sequence[Item]", given.detail[0])
    task = f"a statement on {given.text[:80]} was asked for"
    if len(items) != 1:
        raise InputError(task, f"{len(items)} materials are named", "state one at a time")
    [one] = items
    found = await asyncio.to_thread(screen, one.text, one.notation, "", one.called)
    about = _about(task, one.text, found)
    number = _checked(task, asked, about)
    said = _Stated(
        material=one.text,
        matched_by=about.matched_by,
        called=" ".join(asked.called.split()),
        registry_number=number,
        supplier=" ".join(asked.supplier.split()),
        nothing_listed=asked.nothing_listed,
    )

    async def make() -> Product:
        return await stored(
            STATING,
            "the statement is stored",
            said,
            about.checks,
            executor,
            subject=one.text,
            asked=task.removesuffix(" was asked for"),
            again="state the same again",
            text=_told,
        )

    return PreparedAction(make)


def _told(made: MaterialStatement) -> str:
    return f"{made.material}: stated by {made.stated_by}, {made.stated:%Y-%m-%d %H:%M} UTC\n"


def _about(task: str, text: str, found: Screened) -> _About:
    """Return what a statement would be about.

    Raises:
        InputError: none is needed, or none is enough.
    """
    said = found.verdict
    if said.tier == "stop":
        told = "; ".join(dict.fromkeys(map(str, said.findings)))
        raise InputError(task, told, "no statement lets it be made")
    if said.tier == "unreadable":
        if found.structure or recognise(text) != "name" or not _is_name(text):
            why = "; ".join(said.unread.values())
            raise InputError(task, f"it cannot be read: {why}", "mend it: what is read is compared")
        return _About(by_name(text), ("it has no structure here",), listed=False)
    listed = [one for one in said.findings if one.tier == "statement"]
    if not listed:
        found_it = NEEDS[said.tier] or "it is compared by its structure"
        raise InputError(task, found_it, "nothing has to be stated of it")
    matched = {of_finding(one) for one in listed}
    if len(matched) > 1:
        raise InputError(task, "a list names several parts of it", "state each by itself")
    return _About(matched.pop(), tuple(map(str, listed)), listed=True)


def _is_name(text: str) -> bool:
    """Tell whether a text may be a name, and no structure that somebody has mistyped."""
    return not NOTATION.search(text) and text.count("(") == text.count(")")


def _checked(task: str, asked: StatementForm, about: _About) -> str:
    """Return the registry number, after all that is stated was looked at.

    Raises:
        InputError: something is not stated, or is on a list itself.
    """
    lacking = [name for name, value in (("called", asked.called), ("cas", asked.cas)) if not value]
    if not about.listed:
        lacking += [] if asked.supplier else ["supplier"]
        lacking += [] if asked.nothing_listed else ["nothing_listed"]
    if lacking:
        raise InputError(task, f"it says nothing of {', '.join(lacking)}", "state all of them")
    if about.listed and asked.nothing_listed:
        raise InputError(task, f"a list names it: {about.checks[0]}", "leave out nothing_listed")
    number = registry_number(asked.cas)
    if not number or int(number[-1]) != check_digit(number):
        raise InputError(task, f"{asked.cas!r} is no CAS number", "look at its last digit")
    if not about.listed:
        for text in (asked.called, number):
            verdict = screen(text, "name").verdict
            on_lists = [one for one in (*verdict.findings, *named(text)) if one.tier != "warning"]
            if on_lists:
                raise InputError(task, f"{text}: {on_lists[0]}", "name what a list names by itself")
    return number


STATEMENT = ActionDefinition(
    (StatementForm,),
    Named(),
    prepare,
    help="What has no structure, such as silica gel, is part of a plan once a person has stated "
    "its name, CAS number, supplier, and that it has no listed component; what Schedule 2 names, "
    "once they have named it with its CAS number. You are asked to confirm it, and it is stored "
    "with who and when. No statement lets be made what Schedule 1 names, or an explosive.",
    endings=(".txt",),
)
