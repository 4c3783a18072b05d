"""What documents say about something, quoted with its place."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ontologies.documents import DocumentSet
from triplestore.errors import InputError, NotFoundError
from workflows.engine import Executor
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.text.ranking import By, words_of
from workflows.text.words import count

from .chemicals import chemicals
from .conditions import MOST_LETTERS, conditions, wanted
from .finding import documents
from .passages import Passage
from .recalling import recalled
from .settings import lines as lines_to_type

STATED = (
    "read from the sentences quoted, unchecked: nothing of it is set, a person types what is used"
)
QUOTED = (
    "quoted as it stands there, unchecked: what is to be used of it a person says as an option of "
    "what is asked next"
)


class DocumentsReading(Form):
    """How documents are read: there is nothing to say."""


class QuotingForm(Form):
    """What is looked for, and how much of it is told."""

    about: Annotated[
        str, Field(min_length=1, max_length=500, description="A question, or words: 'tip volume'.")
    ]
    most: Annotated[int, Field(ge=1, le=100, description="Passages, at most.")] = 5
    by: Annotated[
        By | None,
        Field(description="Rank by words, or meaning (extra recall); both where it is there."),
    ] = None
    chemicals: Annotated[
        bool, Field(description="Name the chemicals in what is quoted, with their structures.")
    ] = False
    conditions: Annotated[
        bool,
        Field(description="Temperatures, times, pressures, … with unit and quotation instead."),
    ] = False
    settings_of: Annotated[
        str, Field(max_length=80, description="And how they are typed for this workflow.")
    ] = ""


class Documents(Subject[DocumentSet]):
    """Notebooks, protocols, manuals and papers."""

    name: ClassVar[str] = "documents"
    metavar: ClassVar[str] = "DOCUMENTS"
    model = DocumentSet
    form = DocumentsReading
    help: ClassVar[str] = (
        "DOCUMENTS is a file .pdf, .md, .txt, .rst, .tex, .html or .ipynb, or a folder of such."
    )

    async def read(self, given: object, said: Form, executor: Executor) -> Given[DocumentSet]:
        if not isinstance(given, str):
            told = f"there is a {type(given).__name__}"
            raise InputError("documents were asked for", told, "give a file or a folder")
        found = await asyncio.to_thread(documents, given)
        digest = hashlib.sha256("".join(one.digest for one in found).encode()).hexdigest()
        return Given(DocumentSet(name=given, digest=digest), given, detail=found)


async def prepare(
    given: Given[DocumentSet], asked: QuotingForm, executor: Executor, file: str
) -> PreparedAction:
    """Look for the passages; Python is handed them.

    Raises:
        InputError: no word of the question says what it is about.
        NotFoundError: none of the documents has any of its words.
    """
    what = f"what {given.text} says about {asked.about[:80]!r} was asked for"
    if not words_of(asked.about):
        raise InputError(what, "these are words that stand everywhere", "name what it is about")
    read = [one for one in given.detail if one.text.pages]

    async def make() -> Product:
        found = await asyncio.to_thread(recalled, asked.about, read, asked.by, asked.most, what)
        remarks = [f"{one.name}: {one.text.problem}" for one in given.detail if one.text.problem]
        if not found.best:
            told = f"no passage of {count(len(read), 'document')} has any of these words"
            raise NotFoundError(what, "; ".join((told, *remarks)), "ask in other words")
        best = [found.there[at] for at in found.best]
        of = f"of {count(len(found.there), 'passage')} in {count(len(read), 'document')}"
        if asked.conditions or asked.settings_of:
            return _stating(what, asked, best, (*remarks, of, *found.remarks, STATED))
        lines = [f"{one.place}\n{_indented(one.text)}\n" for one in best]
        facts: dict[str, Any] = {
            "documents": [{"name": one.name, "sha256": one.digest} for one in read],
            "passages": [
                vars(found.there[at])
                | {"score": found.scores.get(at), "cosine": found.cosines.get(at)}
                for at in found.best
            ],
        }
        if asked.chemicals:
            text = "\n".join(one.text for one in best)
            named = await asyncio.to_thread(chemicals, text)
            lines.append("".join(f"{one}\n" for one in named) or "no chemical is named there\n")
            facts["chemicals"] = [vars(one) for one in named]
        remarks += [of, *found.remarks, QUOTED]
        return Product("\n".join(lines), best, facts, tuple(remarks))

    return PreparedAction(make)


def _stating(
    what: str, asked: QuotingForm, best: Sequence[Passage], remarks: tuple[str, ...]
) -> Product:
    """Tell what passages state, each with its number; Python is handed a list of `Condition`."""
    found = conditions(asked.about, best)
    if not found:
        quantities = " or ".join(sorted(wanted(asked.about)))
        told = f"no {quantities} is stated in {count(len(best), 'passage')}"
        raise NotFoundError(what, told, "ask in other words, or for more passages (`most`)")
    told = "".join(f"[{one.number}] {one}  {one.place}\n    {one.quote}\n" for one in found)
    if long := sum(len(one.text) > MOST_LETTERS for one in best):
        remarks = (f"of {count(long, 'passage')} the first {MOST_LETTERS:,} letters", *remarks)
    typed = [*lines_to_type(asked.settings_of, found)] if asked.settings_of else []
    facts = {"conditions": [vars(one) for one in found], "to_type": typed}
    return Product(told + "".join(f"{one}\n" for one in typed), found, facts, remarks)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


QUOTING = ActionDefinition(
    (QuotingForm,),
    Documents(),
    prepare,
    help="The passages that are nearest to the question by their words and, with the extra "
    "`recall`, by their meaning, each with its file, page and lines. Nothing of it becomes a "
    "setting by itself.",
    endings=(".txt", ".md"),
)
