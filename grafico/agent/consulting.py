"""Agents that ask agents: one's door is a tool of the other, with a typed question and answer.

Whoever is asked answers in a conversation of its own, with tools and a budget of its own and no
right that its asker has not. Both conversations are linked in the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic_ai.usage import RunUsage

from grafico.session.inspection import shorten
from ogm import Link
from ontologies.conversation import Consultation, Conversation
from workflows.engine.graph.run import grafico_software

from .agent_file import Budget, Role
from .context import ToolContext
from .conversations import Keeper
from .reply import Reply
from .toolbox import Found, Tool

CONSULT = "consult_"
"""How the names of such tools begin."""

MOST = 50
"""Things that a question is about."""


class FoundNumber(BaseModel):
    """A number of an answer that has a source.

    Attributes:
        value: of the number.
        unit: empty for none.
        source: where it comes from: the IRI of a result, or words.
        how: it is known, as for numbers of any answer.
        rests_on: constants that nobody has given.
    """

    value: float
    unit: str
    source: str
    how: str
    rests_on: tuple[str, ...] = ()


class ConsultedAnswer(BaseModel):
    """What an agent has answered.

    Attributes:
        agent: its name.
        answer: text; what no tool gave is marked.
        numbers: those of it that a tool has given, not those of the question.
        runs: that were made or remembered.
        files: likewise.
        outcome: `answered`, or `failed` if every calculation did.
        conversation: where all of it is kept.
    """

    model_config = ConfigDict(frozen=True)

    agent: str
    answer: str
    numbers: tuple[FoundNumber, ...]
    runs: tuple[str, ...]
    files: tuple[str, ...]
    outcome: str
    conversation: str


class Answering(Protocol):
    """A conversation that is open; see `Agent`."""

    usage: RunUsage

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    async def ask_async(self, text: str) -> Reply:
        """Answer a question."""
        ...


class Asker(Protocol):
    """Who asks; see `Agent`."""

    usage: RunUsage
    kept: Keeper

    @property
    def allowed(self) -> Budget:
        """What a question may cost."""
        ...

    def opened(self, role: Role, under: str, budget: Budget) -> Answering:
        """Open the conversation in which another one is asked, under an IRI."""
        ...


def consulting(role: Role, asker: Asker) -> dict[str, Tool]:
    """Return the tools by which an agent asks others, by name.

    Args:
        role: of the one that asks.
        asker: the same.
    """
    each = (_tool(one.within(role), asker) for one in role.asks)
    return {one.name: one for one in each}


def _tool(role: Role, asker: Asker) -> Tool:
    async def consult(context: ToolContext, question: str, about: Sequence[str] = ()) -> Found:
        words = "\n".join([question, *(f"about: {one}" for one in about)])
        left = asker.allowed.after(asker.usage, role.file.name)
        new = Conversation(started=datetime.now(UTC), software=grafico_software())
        linked = Consultation(
            turn=Link(asker.kept.turn),
            agent=role.file.name,
            digest=role.digest,
            question=words,
            answered=Link[Conversation](new.iri),
        )
        with asker.opened(role, new.iri, left) as other:
            context.session.executor.record(linked)
            try:
                reply = await other.ask_async(words)
            finally:
                asker.usage.incr(other.usage)  # pydantic-ai holds it against the asker's limits
        numbers = [
            FoundNumber(
                value=one.value,
                unit=one.unit,
                source=str(one.source),
                how=str(one.how),
                rests_on=tuple(one.rests_on),
            )
            for one in reply.numbers
            if one.source is not None and one.how != "asked"
        ]
        answer = ConsultedAnswer(
            agent=role.file.name,
            answer=reply.marked,
            numbers=tuple(numbers),
            runs=tuple(reply.runs),
            files=tuple(reply.files),
            outcome=reply.outcome,
            conversation=shorten(reply.conversation),
        )
        return answer.model_dump(mode="json")

    form: dict[str, Any] = {
        "question": (Annotated[str, Field(min_length=1, max_length=4000)], ...),
        "about": (
            Annotated[list[str], Field(max_length=MOST, description="IRIs, names or files.")],
            [],
        ),
    }
    name = CONSULT + role.file.name.replace("-", "_")
    return Tool(
        name,
        f"Ask the agent {role.file.name}: {' '.join(role.file.purpose.split())[:300]}",
        create_model(name, __config__=ConfigDict(extra="forbid"), **form),
        consult,
    )
