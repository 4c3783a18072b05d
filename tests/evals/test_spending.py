"""Tokens by source and role on transcripts whose sums can be checked by hand."""

from __future__ import annotations

import pytest
from pydantic_ai import messages as said
from pydantic_ai.usage import RequestUsage

from evals.spending import ROLES, SOURCES, spending
from grafico.agent.prompt import RULES


def answer(part: said.ModelResponsePart, into: int, out: int, **more: object) -> said.ModelResponse:
    usage = RequestUsage(input_tokens=into, output_tokens=out)
    if "cached" in more:
        usage.cache_read_tokens = int(str(more["cached"]))
    if "thought" in more:
        usage.details = {"reasoning_tokens": int(str(more["thought"]))}
    name = str(more.get("model", "gpt-5"))
    return said.ModelResponse([part], usage=usage, model_name=name, provider_name="openai")


def call(place: str) -> said.ToolCallPart:
    return said.ToolCallPart("calculate", {"of": "water"}, tool_call_id=place)


def told(place: str, **content: object) -> said.ModelRequest:
    return said.ModelRequest([said.ToolReturnPart("calculate", content, tool_call_id=place)])


def transcript(model: str = "gpt-5") -> bytes:
    """1000 in, 50 out; 1120 in, 20 out after a failure; 1240 in, 10 out."""
    messages: list[said.ModelMessage] = [
        said.ModelRequest([said.UserPromptPart("the energy of water?")]),
        answer(call("1"), 1000, 50, thought=30, model=model),
        told("1", status="failed", error="no such method"),
        answer(call("2"), 1120, 20, cached=1000, model=model),
        told("2", energy=-74.96),
        answer(said.TextPart("It is -74.96 Eh."), 1240, 10, cached=1000, model=model),
    ]
    return said.ModelMessagesTypeAdapter.dump_json(messages)


def test_every_token_has_one_source_and_one_role() -> None:
    """Of 120 new tokens of a request, 20 are the call before, sent again, 100 what it gave."""
    found = spending(transcript())
    total = 1000 + 50 + 1120 + 20 + 1240 + 10
    assert found["tokens"] == total
    assert {name: found[f"tokens/{name}"] for name in SOURCES} == {
        "base prompt": 3000,
        "tool result": 100 + 200,
        "reasoning": 30,
        "tool call": 20 + 20 + 20 + 40,
        "text": 10,
    }
    assert {name: found[f"tokens/{name}"] for name in ROLES} == {
        "base input": 1000,
        "normal": 50 + 120 + 10,
        "immediate retry": 120 + 20,
        "carryover": 1000 + 1120,
    }
    assert (found["requests"], found["calls"]) == (3, 2)
    assert (found["calls/calculate"], found["requests/calculate"]) == (2, 2)
    assert found["final_tokens"] == 1250
    assert found["recovery"] == pytest.approx(140 / total)
    assert found["carryover"] == pytest.approx(2120 / total)


def test_money_at_published_prices() -> None:
    """Of gpt-5: 1.25 and 10 dollars a million, 0.125 where cached (the paper's table S1)."""
    found = spending(transcript())
    dollars = (3360 * 1.25 + 80 * 10) / 1e6
    assert found["USD"] == pytest.approx(dollars)
    assert sum(found[f"USD/{name}"] for name in SOURCES) == pytest.approx(dollars)
    assert sum(found[f"USD/{name}"] for name in ROLES) == pytest.approx(dollars)
    assert found["USD/reasoning"] == pytest.approx(30 * 10 / 1e6)
    assert found["USD_cached"] == pytest.approx(dollars - 2000 * 1.125 / 1e6)
    assert found["window"] == pytest.approx(1250 / 400_000)


def test_tokens_that_no_server_reported_are_counted() -> None:
    """o200k_base has a token a word of `Hello world` (13225, 2375); the second is sent again."""
    spoken = [
        said.ModelRequest([said.UserPromptPart("Hello world")]),
        answer(said.TextPart("Hello"), 0, 0, model="local"),
        said.ModelRequest([said.UserPromptPart("Hello world")]),
        answer(said.TextPart("Hello"), 0, 0, model="local"),
    ]
    found = spending(said.ModelMessagesTypeAdapter.dump_json(spoken))
    assert {name: found[f"tokens/{name}"] for name in ROLES} == {
        "base input": 2,
        "normal": 1 + 3 + 1,
        "immediate retry": 0,
        "carryover": 2,
    }
    assert (found["tokens/base prompt"], found["tokens/text"]) == (2 + 2 + 2, 1 + 1 + 1)


def test_what_is_not_known_is_left_out() -> None:
    unpriced = spending(transcript("no-such-model"))
    assert unpriced["tokens"] == 3440
    assert not {"USD", "USD_cached", "window"} & set(unpriced)
    assert set(spending(transcript(RULES))) == {
        "requests",
        "calls",
        "calls/calculate",
        "requests/calculate",
    }
    assert spending(b"[]") == {"requests": 0, "calls": 0}
