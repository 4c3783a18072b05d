"""What a model is let see: ablations of the tools, pinned for each experiment and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic_ai import messages as said
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from grafico.agent.prompt import RULES
from triplestore.errors import InputError

BARE = (
    "You answer questions of chemistry. You can run Python and search the web. Write files where "
    "they were asked for, and give numbers with their units."
)


@dataclass(frozen=True)
class Choice:
    """Tools that a model is offered.

    Attributes:
        help: what it is for.
        tools: their names; empty for all.
        instructions: in place of Grafico's; empty for those.
        own: whether skills that an agent wrote itself are among them.
    """

    help: str
    tools: frozenset[str] = frozenset()
    instructions: str = ""
    own: bool = False


AROUND = {"run_python", "convert_units", "report", "get", "query", "show_structure", "ask_user"}

CHOICES: Mapping[str, Choice] = {
    "all": Choice("everything that Grafico has"),
    "bare": Choice("search and code alone", frozenset({"run_python", "web_search"}), BARE),
    "sandbox": Choice("code alone, with Grafico's instructions", frozenset({"run_python"})),
    "single": Choice("one calculation of molecules at a time", frozenset({"calculate", *AROUND})),
    "composite": Choice(
        "workflows that do several steps, too",
        frozenset({"calculate", "run_workflow", "describe", "find_results", *AROUND}),
    ),
    "own": Choice("everything, and skills that an agent wrote itself", own=True),
}

Parameters: TypeAlias = ModelRequestParameters


class Limited(WrapperModel):
    """A model that is offered some tools only; a call of another one comes to nothing.

    Args:
        model: which.
        choice: what it is offered.
    """

    def __init__(self, model: Model[Any], choice: Choice) -> None:
        super().__init__(model)
        self._choice = choice

    @property
    def instructions(self) -> str:
        """What it is told in place of Grafico's instructions; empty for those."""
        return self._choice.instructions

    def offers(self, name: str) -> bool:
        """Tell whether it sees a tool."""
        return not self._choice.tools or name in self._choice.tools

    async def request(
        self,
        messages: list[said.ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: Parameters,
    ) -> said.ModelResponse:
        """Ask, with fewer tools."""
        asked = replace(
            model_request_parameters,
            function_tools=[
                one for one in model_request_parameters.function_tools if self.offers(one.name)
            ],
        )
        if self.instructions:
            new = [said.InstructionPart(self.instructions)]
            asked = replace(asked, instruction_parts=new)
            messages = [
                replace(one, instructions=self.instructions)
                if isinstance(one, said.ModelRequest)
                else one
                for one in messages
            ]
        response = await super().request(messages, model_settings, asked)
        return replace(response, parts=[self._kept(one) for one in response.parts])

    def _kept(self, part: said.ModelResponsePart) -> said.ModelResponsePart:
        if isinstance(part, said.ToolCallPart) and not self.offers(part.tool_name):
            return replace(part, tool_name=f"{part.tool_name}_which_is_not_offered")
        return part


def limited(model: Model[Any], name: str) -> Model[Any]:
    """Return a model that is offered a choice of tools.

    Raises:
        InputError: the rules are to have a choice, who know no other tools.
    """
    if name == "all":
        return model
    if model.model_name == RULES:
        raise InputError(
            f"cannot offer the tools {name!r}", "the rules know no others", "name a model"
        )
    return Limited(model, CHOICES[name])
