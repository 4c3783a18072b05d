"""Plain requests behind the same door as a language model: the same tools, checks and record."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from pydantic_ai import messages as said
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from ..prompt import RULES
from .answer import answer, refusal, sums
from .reader import plan


def plain_model() -> FunctionModel:
    """Return what understands plain requests by rules; see `reader`."""

    def reply(messages: list[said.ModelMessage], info: AgentInfo) -> said.ModelResponse:
        return said.ModelResponse(parts=_next(messages))

    async def stream(
        messages: list[said.ModelMessage], info: AgentInfo
    ) -> AsyncGenerator[str | DeltaToolCalls]:
        for number, part in enumerate(_next(messages)):
            if isinstance(part, said.TextPart):
                yield part.content
            else:
                yield {number: DeltaToolCall(part.tool_name, part.args_as_json_str())}

    return FunctionModel(reply, stream_function=stream, model_name=RULES)


def _next(messages: Sequence[said.ModelMessage]) -> list[said.TextPart] | list[said.ToolCallPart]:
    """Return what comes next: the calls of the plan, the sums of its answer, or the answer."""
    question, came = "", list[tuple[str, Any]]()
    for message in messages:
        for part in message.parts:
            if isinstance(part, said.UserPromptPart) and isinstance(part.content, str):
                question, came = part.content, []
            elif isinstance(part, said.ToolReturnPart):
                came.append((part.tool_name, part.content))
            elif part.part_kind == "retry-prompt":
                came.append((part.tool_name or "", str(part.content)))
    wanted = plan(question)
    if wanted.problem or not wanted.calls:
        return [said.TextPart(refusal(wanted))]
    if not came:
        return [said.ToolCallPart(call.name, call.arguments) for call in wanted.calls]
    results = [found for _, found in came[: len(wanted.calls)]]
    rows = sums(wanted, results)
    if rows and len(came) == len(wanted.calls):
        return [said.ToolCallPart("convert_units", {"conversions": rows})]
    return [said.TextPart(answer(wanted, results))]
