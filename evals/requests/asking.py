"""The agent is asked, and what an evaluator has to know is taken from the conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.models import Model

from evals.asking import talk
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
        requests: to the model, likewise.
    """

    text: str
    unsourced: Sequence[str]
    calls: int
    imaginary: Sequence[int]
    requests: int


def task(session: Grafico, model: Model[Any] | str) -> Callable[[Request], Answer]:
    """Return what asks a request in a conversation of its own."""

    def ask(request: Request) -> Answer:
        done = talk(session, model, (*request.before, request.text))
        calls = json.loads(done.messages)
        made = sum(part["part_kind"] == "tool-call" for one in calls for part in one["parts"])
        found = (
            session.kg.pull(FrequencyAnalysis, full_iri(iri))
            for iri in set(VIBRATIONS.findall(done.messages))
        )
        imaginary = [int((one.wavenumbers < 0).sum()) for one in found]
        requests = sum(one.usage.requests for one in done.replies)
        return Answer(done.replies[-1].text, done.unsourced, made, imaginary, requests)

    return ask
