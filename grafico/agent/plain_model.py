"""`PlainModel`: plain requests through the path of a language model, without one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from .plain import Plan, ToolCall, plan
from .plain_answer import answer, refusal, sums

NAME = "plain"
"""What a person calls this model."""


class PlainModel(FunctionModel):
    """A model of pydantic-ai that calls the tools a plain request needs, and then answers.

    Each message stands alone: what was said before is not looked at.

    Args:
        files: names of structures that come with the requests.
    """

    def __init__(self, files: Sequence[str] = ()) -> None:
        self._files = tuple(files)
        super().__init__(self._respond, stream_function=self._stream, model_name=NAME)

    async def _respond(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = self._next(messages, {tool.name for tool in info.function_tools})
        if isinstance(said, str):
            return ModelResponse([TextPart(said)])
        return ModelResponse([ToolCallPart(call.name, call.arguments, tool_call_id=name)
                              for name, call in said.items()])  # fmt: skip

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        said = self._next(messages, {tool.name for tool in info.function_tools})
        if isinstance(said, str):
            for line in said.splitlines(keepends=True):
                yield line
            return
        for index, (name, call) in enumerate(said.items()):
            arguments = json.dumps(call.arguments)
            yield {index: DeltaToolCall(call.name, arguments, tool_call_id=name)}

    def _next(self, messages: Sequence[ModelMessage], tools: set[str]) -> str | dict[str, ToolCall]:
        """Return the calls to make, by their identifiers, or the final text."""
        start = max(
            (n for n, one in enumerate(messages) if _asked(one) is not None), default=len(messages)
        )
        text = _asked(messages[start]) if start < len(messages) else None
        made = plan(text or "", self._files)
        if made.problem or not made.calls:
            return refusal(made)
        if lacking := {call.name for call in made.calls} - tools:
            return refusal(Plan(problem=f"the tool {min(lacking)} cannot be used here"))
        returned = _returned(messages[start:])
        calls = {f"plain-{start}-{n}": call for n, call in enumerate(made.calls)}
        if not all(name in returned for name in calls):
            return {name: call for name, call in calls.items() if name not in returned}
        results = [returned[name] for name in calls]
        derived = {f"plain-{start}-sum": ToolCall("convert_units", {"conversions": rows[:100]})
                   for rows in [sums(made, results)] if rows}  # fmt: skip
        if derived and "convert_units" in tools and not set(derived) <= set(returned):
            return derived
        return answer(made, results)


def _asked(message: ModelMessage) -> str | None:
    """Return the text of a person's message."""
    if not isinstance(message, ModelRequest):
        return None
    texts: list[str] = []
    for part in message.parts:
        if isinstance(part, UserPromptPart):
            content = [part.content] if isinstance(part.content, str) else part.content
            texts += [one for one in content if isinstance(one, str)]
    return "\n".join(texts) if texts else None


def _returned(messages: Sequence[ModelMessage]) -> dict[str, Any]:
    """Return what tools came to, by the identifier of the call."""
    found: dict[str, Any] = {}
    for message in messages:
        for part in message.parts if isinstance(message, ModelRequest) else ():
            if isinstance(part, ToolReturnPart):
                found[part.tool_call_id] = part.content
            elif isinstance(part, RetryPromptPart):  # asking the same again would not help
                found[part.tool_call_id] = {"error": {"found": str(part.content)}}
    return found
