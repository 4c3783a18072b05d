"""What a conversation cost, and why: tokens by source and by role, money, requests, recovery.

Everything is read from the messages; the definitions are in docs/evals.md.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any, cast

from pydantic_ai import messages as said
from pydantic_ai.usage import RequestUsage

from grafico.agent.prompt import RULES
from grafico.agent.toolbox import Tool

SOURCES = ("base prompt", "tool result", "reasoning", "tool call", "text")
ROLES = ("base input", "normal", "immediate retry", "carryover")

Shares = Counter[str]
"""Tokens by name; they need not be whole numbers."""


@dataclass
class Step:
    """A request to the model with its answer.

    Attributes:
        into: tokens of the request by source.
        out: tokens of the answer by source.
        roles: tokens by role.
        prices: US dollars of all that went in and of all that came out; None where not known.
        cached: US dollars of both, with the tokens that the provider had cached at their price.
    """

    into: Shares = field(default_factory=Shares)
    out: Shares = field(default_factory=Shares)
    roles_in: Shares = field(default_factory=Shares)
    roles_out: Shares = field(default_factory=Shares)
    prices: tuple[float, float] | None = None
    cached: float | None = None

    def dollars(self, into: Shares, out: Shares) -> Shares:
        """Return the price of tokens that went in and came out, by their names."""
        assert self.prices is not None
        found = Shares()
        for price, part, whole in zip(self.prices, (into, out), (self.into, self.out), strict=True):
            each = price / whole.total() if whole.total() else 0.0
            found.update({name: each * count for name, count in part.items()})
        return found


def spending(messages: str | bytes, preamble: int = 0) -> dict[str, float]:
    """Return what a conversation cost, by name.

    Args:
        messages: JSON as pydantic-ai writes it, see `Agent.messages`.
        preamble: tokens of what stands in no message, see `preamble`; where tokens are counted.

    Returns:
        `requests`, `calls`, `calls/TOOL` and `requests/TOOL` (those that call it). Where a language
        model answered also `tokens` in all, `tokens/SOURCE`, `tokens/ROLE`, `final_tokens`,
        `recovery` and `carryover` (shares of all tokens); where its price is known `USD`,
        `USD/SOURCE`, `USD/ROLE` and `USD_cached`; where its context window is known `window`.
    """
    every = said.ModelMessagesTypeAdapter.validate_json(messages)
    answers = [one for one in every if isinstance(one, said.ModelResponse)]
    tools = [[part.tool_name for part in _calls(one)] for one in answers]
    found: dict[str, float] = {
        "requests": len(answers),
        "calls": sum(map(len, tools)),
        **{f"calls/{name}": n for name, n in Counter(t for one in tools for t in one).items()},
        **{
            f"requests/{name}": n for name, n in Counter(t for one in tools for t in {*one}).items()
        },
    }
    if not answers or answers[-1].model_name == RULES:  # tokens of a function are a guess
        return found
    walked = list(steps(counted(every, preamble)))
    sources, roles = Shares(), Shares()
    for one in walked:
        sources.update(one.into + one.out)
        roles.update(one.roles_in + one.roles_out)
    total = sources.total()
    found |= {"tokens": total, **{f"tokens/{name}": sources[name] for name in SOURCES}}
    found |= {f"tokens/{name}": roles[name] for name in ROLES}
    final = walked[-1].into.total() + walked[-1].out.total()
    found["final_tokens"] = final
    if total:
        found["recovery"] = roles["immediate retry"] / total
        found["carryover"] = roles["carryover"] / total
    if window := _window(answers[-1]):
        found["window"] = final / window
    if all(one.prices is not None for one in walked):
        dollars = Shares()
        for one in walked:
            dollars.update(one.dollars(one.into, one.out))
            dollars.update(one.dollars(one.roles_in, one.roles_out))
        found |= {f"USD/{name}": dollars[name] for name in (*SOURCES, *ROLES)}
        found["USD"] = sum(dollars[name] for name in SOURCES)
        found["USD_cached"] = sum(one.cached or 0.0 for one in walked)
    return found


def steps(messages: Sequence[said.ModelMessage]) -> Iterator[Step]:
    """Yield each request to the model, its tokens parted; their sums are what was reported."""
    held, before, fresh = Shares(), 0, list[said.ModelRequestPart]()
    spoken = Shares()
    for message in messages:
        if isinstance(message, said.ModelRequest):
            fresh += message.parts
            continue
        usage = message.usage
        into, out = usage.input_tokens, _parted(message)
        retried = any(map(_failed, fresh))
        step = Step(out=out)
        if not before:
            held = Shares({"base prompt": into})
            step.roles_in["base input"] = into
        else:
            new = max(0, into - before)
            again = _scaled(spoken, min(new, spoken.total()))
            rest = _scaled(_weights(fresh), new - again.total())
            held = _scaled(held, min(into, before)) + again + rest
            step.roles_in["carryover"] = min(into, before)
            step.roles_in["immediate retry" if retried else "normal"] += new
        step.roles_out["immediate retry" if retried else "normal"] += out.total()
        step.into = held.copy()
        step.prices, step.cached = _prices(message)
        yield step
        before, fresh = into, []
        spoken = Shares({name: n for name, n in out.items() if name != "reasoning"})


def counted(messages: Sequence[said.ModelMessage], preamble: int = 0) -> list[said.ModelMessage]:
    """Return a conversation with tokens where its server reported none, as o200k_base has them.

    What is sent besides the messages (instructions, the form of tools) is not in them, and is given
    as `preamble`. Without the package `bpe-openai` nothing is counted.
    """
    if any(isinstance(one, said.ModelResponse) and one.usage.input_tokens for one in messages):
        return list(messages)
    found, before = list[said.ModelMessage](), preamble
    for one in messages:
        size = sum(tokens(written(part)) for part in one.parts)
        if isinstance(one, said.ModelResponse):
            one = replace(one, usage=RequestUsage(input_tokens=before, output_tokens=size))
        found.append(one)
        before += size
    return found if before > preamble else list(messages)


def preamble(instructions: str, tools: Mapping[str, Tool]) -> int:
    """Return the tokens of what each request has before its messages."""
    forms = [
        {"name": one.name, "description": one.description, "parameters": one.schema}
        for one in tools.values()
    ]
    return tokens(instructions + json.dumps(forms, separators=(",", ":"), ensure_ascii=False))


@cache
def _encoding() -> Any:
    try:
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            return import_module("bpe_openai").get_encoding("o200k_base")
    except ImportError:
        return None


def tokens(text: str) -> int:
    """Return how many tokens of o200k_base a text has; 0 without the package `bpe-openai`."""
    encoding = _encoding()
    return len(encoding.encode_ordinary(text)) if encoding else 0


def written(part: object) -> str:
    """Return what a model reads or writes of a part."""
    if isinstance(part, said.ToolCallPart):
        return f"{part.tool_name} {part.args_as_json_str()}"
    if isinstance(part, said.ToolReturnPart):
        return part.model_response_str()
    content: object = getattr(part, "content", "")
    return content if isinstance(content, str) else str(content)


def _calls(message: said.ModelResponse) -> list[said.ToolCallPart]:
    return [part for part in message.parts if isinstance(part, said.ToolCallPart)]


def _scaled(parts: Mapping[str, float], total: float) -> Shares:
    """Return the same shares of another total; a base prompt where there are none."""
    whole = sum(parts.values())
    if not whole:
        return Shares({"base prompt": total} if total else {})
    return Shares({name: total * count / whole for name, count in parts.items()})


def _weights(parts: Sequence[said.ModelRequestPart]) -> Shares:
    """Return characters of what is new in a request, by source."""
    found = Shares()
    for part in parts:
        is_tool = isinstance(part, said.ToolReturnPart | said.RetryFeedbackPart)
        name = "tool result" if is_tool else "base prompt"
        found[name] += len(written(part))
    return found


def _parted(message: said.ModelResponse) -> Shares:
    """Return the tokens of an answer by source: reasoning as reported, the rest by characters."""
    whole = message.usage.output_tokens
    lengths, thought = Shares(), 0
    for part in message.parts:
        if isinstance(part, said.ThinkingPart):
            thought += len(part.content)
        elif isinstance(part, said.ToolCallPart):
            lengths["tool call"] += len(written(part))
        elif isinstance(part, said.TextPart):
            lengths["text"] += len(part.content)
    reported = message.usage.details.get("reasoning_tokens")
    if reported is None:
        parted = lengths + Shares(reasoning=thought)
        return _scaled(parted, whole) if parted else Shares(text=whole)
    reported = min(reported, whole)
    rest = _scaled(lengths, whole - reported) if lengths else Shares(text=whole - reported)
    return rest + Shares(reasoning=reported)


def _failed(part: said.ModelRequestPart) -> bool:
    """Tell whether what a model is told is that something went wrong."""
    if isinstance(part, said.RetryFeedbackPart):
        return True
    if not isinstance(part, said.ToolReturnPart):
        return False
    if part.outcome != "success":
        return True
    content: Any = part.content
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except ValueError:
            return False
    if not isinstance(content, dict):
        return False
    held = cast("dict[str, Any]", content)
    return bool(held.get("error")) or held.get("status") == "failed"


def _prices(message: said.ModelResponse) -> tuple[tuple[float, float] | None, float | None]:
    """Return the price of both directions without a cache, and of all as it was cached."""
    try:
        plain = replace(
            message,
            usage=replace(
                message.usage, cache_read_tokens=0, cache_write_tokens=0, cost=None, details={}
            ),
        ).cost()
        cached = message.cost()
    except (LookupError, ValueError, AssertionError):  # a model whose price nobody knows
        return None, None
    return (float(plain.input_price), float(plain.output_price)), float(cached.total_price)


def _window(message: said.ModelResponse) -> int | None:
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, model = get_snapshot().find_provider_model(
            message.model_name or "", None, message.provider_name, None
        )
    except (LookupError, ValueError):
        return None
    return model.context_window
