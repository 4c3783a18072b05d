"""One store for all exercises, so that what was computed once is remembered."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
from pydantic_ai import models

from grafico import Grafico
from grafico.agent import Agent, Reply
from ontologies.provenance import Activity

from ..server import Answer, Server, serving
from ..stand_in import Slip, planner
from .questions import EXERCISES


@pytest.fixture(scope="session")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", cores=1) as opened:
        yield opened


@pytest.fixture(autouse=True)
def requests_are_local(monkeypatch: pytest.MonkeyPatch, no_requests: None) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghijklmnopqrstuv")
    monkeypatch.setattr("grafico.agent.agent.pause", lambda error, failures: 0.01)
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)


@dataclass
class Talk:
    """One conversation, as it went over the wire."""

    reply: Reply
    server: Server
    computed: int
    """Calculations that were run for it, not remembered."""

    @property
    def calls(self) -> dict[str, int]:
        """How often each tool was called."""
        found: dict[str, int] = {}
        for message in self.server.asked[-1]["messages"]:
            for one in message.get("tool_calls") or ():
                name = one["function"]["name"]
                found[name] = found.get(name, 0) + 1
        return found


Talking: TypeAlias = Callable[..., Talk]


def talk(
    session: Grafico, name: str, wording: int = 0, slip: Slip = "", *, streams: bool = False,
    change: Callable[[Answer], Answer] = lambda answer: answer, faults: tuple[int | str, ...] = (),
) -> Talk:  # fmt: skip
    exercise = EXERCISES[name]
    before = len(session.kg.find(Activity))
    more: dict[str, Any] = {"told": lambda _: None} if streams else {}
    with serving(change(planner(exercise.recipe, slip))) as server:
        server.faults = list(faults)
        with Agent("openai-chat:any", session=session, base_url=server.url, **more) as agent:
            reply = agent.ask(exercise.wordings[wording])
    return Talk(reply, server, len(session.kg.find(Activity)) - before)
