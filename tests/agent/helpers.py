"""Scripts for models, and short ways to call tools."""

from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from grafico.agent import ToolContext
from grafico.agent.tools import tools

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
H2 = "2\n{}\nH 0 0 0\nH 0 0 0.740848\n"
"""At 1.4 bohr; HF/STO-3G: −1.1167 Eh (Szabo and Ostlund, Modern Quantum Chemistry, 3.5.2)."""


def used(context: ToolContext, name: str, /, **arguments: Any) -> dict[str, Any]:
    return context.session.wait_for(lambda: tools()[name](context, arguments)).found


def ran(context: ToolContext, workflow: str, subject: str, /, **arguments: Any) -> dict[str, Any]:
    """What a workflow comes to for one subject."""
    given = {"name": workflow, "subjects": [subject], "arguments": arguments}
    [row] = next(iter(used(context, "run_workflow", **given).values()))
    return row


def seen(messages: list[ModelMessage]) -> list[Any]:
    """What came last: results of tools, reasons to mend, or the question."""
    last = messages[-1]
    assert isinstance(last, ModelRequest)
    kinds = ("tool-return", "retry-prompt", "user-prompt")
    parts: list[Any] = [part for part in last.parts if part.part_kind in kinds]
    return [part.content for part in parts]


def scripted(*steps: Any) -> FunctionModel:
    """A model that takes these steps: a text, calls, an error, or a function of what came last."""
    left = list(steps)

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        step: Any = left.pop(0)
        if isinstance(step, Exception):
            raise step
        if callable(step):
            step = step(seen(messages))
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(name, given) for name, given in step])

    return FunctionModel(answer, model_name="scripted")
