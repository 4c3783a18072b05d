"""Conversations with the agent: what was asked and said, what it cost, and which runs it made."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from ogm import GraphModel, Link, PartOf

from .provenance import Ended, Run, Software, Started
from .units import Seconds


class Conversation(GraphModel, identity="event"):
    """A conversation with the agent.

    Attributes:
        started: when it started.
        software: the version of Grafico.
    """

    started: Started
    software: Software


class ConversationName(GraphModel, identity="event"):
    """What a conversation is called; the latest name holds.

    Attributes:
        conversation: which one.
        name: what it is called.
        given: when.
    """

    conversation: Annotated[Link[Conversation], PartOf()]
    name: str
    given: AwareDatetime


class Turn(GraphModel, identity="event"):
    """A question, as it was asked.

    Attributes:
        conversation: where it was asked.
        question: with structures in the place of which their IRIs stand.
        planner: name of the language model, or of the rules, that answers it.
        started: when it was asked.
    """

    conversation: Annotated[Link[Conversation], PartOf(always=False, alone=True)]
    question: str
    planner: str
    started: Started


class Message(GraphModel, identity="event"):
    """What a planner was told or has said while it answered a question.

    Attributes:
        turn: the question.
        index: position in the turn, from 0.
        body: JSON as pydantic-ai writes it, without pictures.
    """

    turn: Annotated[Link[Turn], PartOf()]
    index: int
    body: str


class Consultation(GraphModel, identity="event"):
    """A question that one agent has put to another.

    Attributes:
        turn: the question that it was needed for.
        agent: name of who was asked.
        digest: of what the file of that agent said.
        question: as it was put.
        answered: the conversation in which it was answered.
    """

    turn: Annotated[Link[Turn], PartOf()]
    agent: str
    digest: str
    question: str
    answered: Link[Conversation]


class TurnOutcome(GraphModel, identity="event"):
    """How the answer to a question ended; there is none while it is sought.

    Attributes:
        turn: the question.
        status: `answered`, `failed` or `interrupted` from outside.
        answer: the answer, or what went wrong.
        ended: when it ended.
        runs: what was computed or remembered for it, in order.
        files: names of files that were made, in order.
        requests: answered by the model.
        input_tokens: cached ones included.
        cached_tokens: of these, read from the provider's cache.
        output_tokens: thinking included.
        dollars: US dollars; None where the price of the model is not known.
        wall_time: from the question to the answer.
    """

    turn: Annotated[Link[Turn], PartOf()]
    status: Literal["answered", "failed", "interrupted"]
    answer: str
    ended: Ended
    runs: tuple[Link[Run], ...] = ()
    files: tuple[str, ...] = ()
    requests: Annotated[int, Field(ge=0)] = 0
    input_tokens: Annotated[int, Field(ge=0)] = 0
    cached_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    dollars: float | None = None
    wall_time: Seconds
