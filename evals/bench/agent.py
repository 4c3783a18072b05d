"""What the agent costs besides the model and the tools, and how soon a conversation can begin."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from pydantic_ai import Agent as Bare
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from grafico import Grafico
from grafico.agent import Agent

from .figures import Figure, below, in_turn, say
from .programs import run

CALLS, ROUNDS, STARTS = 4, 20, 3
CONVERSIONS = {"conversions": [{"value": -1.1, "from_unit": "hartree", "to_unit": "eV"}]}


def measure(folder: Path) -> Iterator[Figure]:
    """Measure a request, and the start."""
    say("agent: requests without a model behind them, a few seconds…")
    yield per_request(folder / "agent")
    say("agent: starts of grafico chat…")
    yield ready(folder / "chat")


def planner(calls: int) -> FunctionModel:
    """Return what uses a tool some times and then answers, at once."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked = next(
            index
            for index in reversed(range(len(messages)))
            if any(part.part_kind == "user-prompt" for part in messages[index].parts)
        )
        if len(messages) - asked <= 2 * calls:
            return ModelResponse(parts=[ToolCallPart("convert_units", CONVERSIONS)])
        return ModelResponse(parts=[TextPart("It is -29.9325 eV.")])

    return FunctionModel(answer, model_name="none")


def per_request(folder: Path, calls: int = CALLS, rounds: int = ROUNDS) -> Figure:
    """Measure a request, with its part of the question's record in a folder store.

    Beside it stands a bare agent of pydantic-ai, with one tool that does nothing.
    """
    spent: list[float] = []
    bare = Bare(planner(calls))

    @bare.tool_plain
    def convert_units(conversions: list[dict[str, float | str]]) -> dict[str, object]:
        return {"values": conversions}

    assert convert_units
    with Grafico(folder) as session:

        def ours(_: int) -> None:
            with Agent(planner(calls), session=session) as agent:  # so that histories do not grow
                spent.append(agent.ask("What is -1.1 Eh in eV?").usage.own_seconds)

        _, least = in_turn(
            rounds, ours, lambda _: asyncio.run(bare.run("What is -1.1 Eh in eV?")) and None
        )
    own = sorted(spent)[len(spent) // 2] / (calls + 1)
    against = "pydantic-ai alone, all of it"
    return below("request of the agent", 1e3 * own, 30, "ms", against, least / (calls + 1))


def ready(folder: Path, starts: int = STARTS) -> Figure:
    """Measure a conversation that is begun and ended at once."""
    chat = ("-m", "grafico", "chat", "--store", str(folder))
    ours, least = in_turn(
        starts,
        lambda _: run(chat, said="/quit\n"),
        lambda _: run(("-c", "from pydantic_ai import Agent")),
    )
    against = "importing pydantic-ai"
    return below("grafico chat, until it ends", ours / 1e3, 3, "s", against, least / 1e3)
