"""Plain requests behind the same door as a language model: the same tools, checks and record."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from pydantic_ai import messages as said
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from grafico.session.settings import USUAL
from workflows.engine.request.request import Request

from ..prompt import RULES
from .answer import answer, refusal, shapes, sums
from .calls import ToolCall
from .reader import Plan, plan


class PlainModel(FunctionModel):
    """What understands plain requests by rules, see `reader`; each is read once.

    Attributes:
        defaults: of the settings, for what a request leaves open.
        given: plans of requests that were not made of words, such as by a form, by their texts.
    """

    def __init__(self) -> None:
        super().__init__(self._reply, stream_function=self._stream, model_name=RULES)
        self.defaults: Mapping[str, Any] = USUAL
        self.given: dict[str, Plan] = {}
        self._read: tuple[tuple[str, ...], Plan] = ((), Plan())

    def plan(self, *texts: str) -> Plan:
        """Return what the last of some requests comes to."""
        if self._read[0] != texts:
            made = self.given.get(texts[-1])
            self._read = (texts, made or plan(texts[-1], self.defaults, texts[:-1]))
        return self._read[1]

    def requests(self) -> list[Request]:
        """Return what the last request asks for, for the tools."""
        return [call.request for call in self._read[1].calls if call.request is not None]

    def _reply(self, messages: list[said.ModelMessage], info: AgentInfo) -> said.ModelResponse:
        return said.ModelResponse(parts=self._next(messages))

    async def _stream(
        self, messages: list[said.ModelMessage], info: AgentInfo
    ) -> AsyncGenerator[str | DeltaToolCalls]:
        for number, part in enumerate(self._next(messages)):
            if isinstance(part, said.TextPart):
                yield part.content
            else:
                yield {number: DeltaToolCall(part.tool_name, part.args_as_json_str())}

    def _next(
        self, messages: Sequence[said.ModelMessage]
    ) -> list[said.TextPart] | list[said.ToolCallPart]:
        """Return what comes next: the calls of the plan, the sums of its answer, or the answer."""
        questions, came = [""], list[tuple[str, Any]]()
        for message in messages:
            for part in message.parts:
                if isinstance(part, said.UserPromptPart) and isinstance(part.content, str):
                    questions, came = [*questions, part.content], []
                elif isinstance(part, said.ToolReturnPart):
                    came.append((part.tool_name, part.content))
                elif part.part_kind == "retry-prompt":
                    came.append((part.tool_name or "", str(part.content)))
        wanted = self.plan(*questions[1:] or questions)
        if wanted.problem or not wanted.calls:
            return [said.TextPart(refusal(wanted))]
        if not came:
            return [said.ToolCallPart(call.name, call.arguments) for call in wanted.calls]
        results = [found for _, found in came[: len(wanted.calls)]]
        if len(came) == len(wanted.calls):
            rows = sums(wanted, results)
            more = [said.ToolCallPart("convert_units", {"conversions": rows})] if rows else []
            more += [said.ToolCallPart("get", {"iri": one}) for one in shapes(wanted, results)]
            if more:
                return more
        seen = [found for name, found in came[len(wanted.calls) :] if name == "get"]
        return [said.TextPart(answer(wanted, results, seen))]


def call_of(request: Request) -> ToolCall:
    """Return the use of a tool that a request is."""
    subjects, asked = [str(one) for one in request.subjects], request.arguments
    said = {"name": request.workflow.command, "subjects": subjects, "arguments": asked}
    return ToolCall("run_workflow", said, request)


def plain_model() -> PlainModel:
    """Return what understands plain requests by rules."""
    return PlainModel()
