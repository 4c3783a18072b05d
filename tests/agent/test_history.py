"""Long histories are shortened: no IRI is lost, and a provider takes what is sent."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import messages as said
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.history import closed, dumped, iris, labelled, read, shortened, size, whole

from .helpers import scripted


def turn(number: int, calls: int, width: int = 1000) -> list[ModelMessage]:
    """A question, its calls with long results that name objects, and an answer."""
    made: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(f"Question {number}?")])]
    for call in range(calls):
        key = f"{number}-{call}"
        made += [
            ModelResponse(
                parts=[
                    ThinkingPart("hm " * 50),
                    ToolCallPart("run_python", {"code": "x = 1\n" * 90}, tool_call_id=key),
                ]
            ),
            ModelRequest(
                parts=[
                    ToolReturnPart(
                        "run_python",
                        {"run": f"g:id/Run/{key}", "table": "1.5 " * width, "note": "g:id/X/all."},
                        tool_call_id=key,
                    ),
                    UserPromptPart([BinaryContent(b"png", media_type="image/png")]),
                ]
            ),
        ]
    return [*made, ModelResponse(parts=[TextPart(f"Answer {number}: g:id/Run/{number}-0.")])]


def named(messages: list[ModelMessage]) -> set[str]:
    return {iri for message in messages for part in message.parts for iri in iris(part)}


histories = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3000)), min_size=1, max_size=9)


@given(histories, st.integers(4000, 20_000), st.booleans())
def test_no_iri_is_lost_and_calls_keep_their_results(
    shape: list[tuple[int, int]], tokens: int, unanswered: bool
) -> None:
    history = [m for number, (c, w) in enumerate(shape) for m in turn(number, c, w)]
    if unanswered:
        history.pop()
    short = shortened(history, tokens)
    assert named(short) == named(history)
    if sum(map(size, history)) <= tokens:
        assert short == history
    calls = [p.tool_call_id for m in short for p in m.parts if isinstance(p, ToolCallPart)]
    results = [p.tool_call_id for m in short for p in m.parts if isinstance(p, ToolReturnPart)]
    waiting = calls[len(results) :] if unanswered else []
    assert calls == results + waiting
    assert short[-1] == history[-1]
    kinds = [type(message) for message in short]
    assert kinds[0] is ModelRequest
    assert all(one is not two for one, two in pairwise(kinds))
    assert said.repair_messages(short) == said.repair_messages(said.repair_messages(short))
    # the last question is never shortened
    last = f"Question {len(shape) - 1}?"
    assert any(isinstance(p, UserPromptPart) and p.content == last for m in short for p in m.parts)


def test_it_is_much_shorter_and_stays_so() -> None:
    history = [m for number in range(60) for m in turn(number, 3)]
    assert sum(map(size, history)) > 200_000
    short = shortened(history, 20_000)
    assert sum(map(size, short)) < 20_000
    assert "Question 0?" in str(short[0])


def test_the_beginning_changes_seldom() -> None:
    """What a provider remembers of the last request serves most of the next ones."""
    history: list[ModelMessage] = []
    kept, before = 0, list[ModelMessage]()
    for number in range(60):
        history += turn(number, 1, 100)
        now = shortened(history, 20_000)
        kept += now[: len(before)] == before
        before = now
    assert kept > 45


def test_one_long_turn_is_shortened_too() -> None:
    history = turn(0, 40)[:-1]
    short = shortened(history, 20_000)
    assert sum(map(size, short)) < 20_000
    assert short[0] == history[0]
    assert named(short) == named(history)


def test_a_model_is_sent_what_is_short_and_the_whole_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GRAFICO_AGENT_HISTORY_TOKENS", "4000")
    sent: list[int] = []
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def count(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(sum(map(size, messages)))
        return ModelResponse(parts=[TextPart("word " * 2000 + f"{len(sent) + 0.5} eV")])

    with Grafico("memory:") as session, Agent(FunctionModel(count), session=session) as agent:
        for _ in range(8):
            agent.ask("and?")
        reply = agent.ask("what was the first?", model=scripted("0.5 eV"))
        assert reply.unsourced  # it never was
        whole_size = sum(map(size, agent._messages))
    assert max(sent) < 8000
    assert whole_size > 20_000


def test_messages_are_read_as_they_were_written() -> None:
    history = turn(0, 2)
    again = read([dumped(message) for message in history])
    assert named(again) == named(history)
    assert [dumped(message) for message in again] == [dumped(message) for message in history]


def test_a_broken_off_history_is_closed() -> None:
    history = turn(0, 1)
    for end in range(1, len(history) + 1):
        found = closed(history[:end], "cut")
        assert isinstance(found[-1], ModelResponse)
        assert found[:end] == history[:end] or end == 2
        assert closed(found, "again") == found
    half: Any = ModelResponse(parts=[TextPart("The ener")], state="interrupted")
    assert whole([*history[:1], half]) == history[:1]


def test_what_is_shortened_says_what_its_objects_are_of_and_what_was_answered() -> None:
    found = {
        "molecules": [
            {
                "molecule": "water",
                "status": "finished",
                "run": "g:id/Run/1",
                "results": {"Optimisation": "g:id/Optimisation/2"},
                "values": {"energy_Eh": -76.0},
            }
        ]
    }
    staged = {
        "results": {"Optimisation": "g:id/Optimisation/2", "FrequencyAnalysis": "g:id/F/1"},
        "stages": ["Optimisation"],
    }
    reading = f"H2O (charge +0) at HF/STO-3G; geometry as given; {'remembered ' * 9}"
    row = {"molecule": "g:id/ConceptualAtoms/4", "status": "finished", "reading": reading}
    assert dict(labelled({"molecules": [row | {"run": "g:id/Run/5"}]})) == {
        "g:id/ConceptualAtoms/4": "H2O (charge +0) at HF/STO-3G molecule",
        "g:id/Run/5": "H2O (charge +0) at HF/STO-3G run",
    }
    table = {"columns": ["result"], "rows": [["g:id/SinglePoint/3", "SinglePoint", "H2O"]]}
    assert dict(labelled(found)) == {
        "g:id/Run/1": "water run",
        "g:id/Optimisation/2": "water Optimisation",
    }
    assert dict(labelled({"molecules": [staged | {"molecule": "water"}]})) == {
        "g:id/F/1": "water FrequencyAnalysis"
    }
    assert dict(labelled(table)) == {"g:id/SinglePoint/3": "SinglePoint"}
    messages: list[Any] = []
    for number in range(40):
        messages += [
            ModelRequest(parts=[UserPromptPart(f"question {number}? {'why ' * 100}")]),
            ModelResponse(parts=[ToolCallPart("calculate", {}, tool_call_id=f"{number}")]),
            ModelRequest(parts=[ToolReturnPart("calculate", found, tool_call_id=f"{number}")]),
            ModelResponse(parts=[TextPart(f"It has -76.{number:02} Eh. {'so ' * 200}")]),
        ]
    first = str(shortened(messages, 2000)[0].parts[0])
    assert "g:id/Run/1 (water run)" in first
    assert "Answered: It has -76.00 Eh." in first
    assert "why wh…" not in first
