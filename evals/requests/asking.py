"""The agent is asked, and what an evaluator has to know is taken from the conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from pydantic_ai.models import Model
from pydantic_evals import set_eval_attribute

from grafico.agent import Agent
from grafico.agent.reply import Reply, Usage
from grafico.session.client import Grafico
from ogm.terms import full_iri
from ontologies.vibrations import FrequencyAnalysis

from .wanted import Request

VIBRATIONS = re.compile(r"g:id/FrequencyAnalysis/[\w-]+")


@dataclass(frozen=True)
class Answer:
    """What a request came to.

    Attributes:
        text: the last answer.
        unsourced: its numbers that no tool has given.
        calls: of tools, in the whole conversation.
        imaginary: how many imaginary modes each vibrational analysis has that a tool told of.
        usage: of the whole conversation.
    """

    text: str
    unsourced: Sequence[str]
    calls: int
    imaginary: Sequence[int]
    usage: Usage


def task(session: Grafico, model: Model[Any] | str) -> Callable[[Request], Answer]:
    """Return what asks a request in a conversation of its own."""

    def ask(request: Request) -> Answer:
        with Agent(model, session=session) as agent:
            replies = [agent.ask(text) for text in (*request.before, request.text)]
            answer = _answer(agent, replies)
            set_eval_attribute("answer", answer.text)
            set_eval_attribute("conversation", agent.messages)
            set_eval_attribute("metrics", _metrics(answer))
            return answer

    return ask


def _metrics(answer: Answer) -> Mapping[str, float]:
    """Return what an answer cost as it was reported; the price only where it is known."""
    usage = answer.usage
    found = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": usage.seconds,
    }
    return found if usage.cost is None else {**found, "cost_USD": float(usage.cost)}


def _answer(agent: Agent, replies: Sequence[Reply]) -> Answer:
    messages = agent.messages
    made = cast("list[Mapping[str, Any]]", json.loads(messages))
    calls = sum(part["part_kind"] == "tool-call" for one in made for part in one["parts"])
    last, pull = replies[-1], agent.session.kg.pull
    analyses = [pull(FrequencyAnalysis, full_iri(iri)) for iri in set(VIBRATIONS.findall(messages))]
    imaginary = [int((one.wavenumbers < 0).sum()) for one in analyses]
    bare = [f"{one.text} {one.unit}".rstrip() for one in last.unsourced]
    return Answer(last.text, bare, calls, imaginary, _sum([reply.usage for reply in replies]))


def _sum(parts: Sequence[Usage]) -> Usage:
    costs = [one.cost for one in parts]
    known = [cost for cost in costs if cost is not None]
    whole = sum(known, Decimal(0)) if len(known) == len(costs) else None

    def total(name: str) -> Any:
        return sum(getattr(one, name) for one in parts)

    return Usage(
        total("requests"),
        total("input_tokens"),
        total("cached_tokens"),
        total("output_tokens"),
        whole,
        total("seconds"),
        total("model_seconds"),
        total("tool_seconds"),
    )
