"""The planner of pydantic-ai, with Grafico's tools, and the clock of a question."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent as Planner
from pydantic_ai import BinaryContent, ModelRetry, RunContext, ToolReturn
from pydantic_ai import Tool as PlannerTool
from pydantic_core import SchemaValidator, core_schema

from .context import ToolContext
from .history import Shortening
from .prompt import prompt
from .sources import Ledger, check
from .toolbox import ArgumentsError, Tool

os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")  # standard error is for those who ask

MENDING = 4
"""Times in a row that a model may mend the arguments of a tool."""

MOST_LACKING = 20
"""Numbers without a source that a model hears of."""

LACKING = (
    "No tool has given these numbers, nor has the person: {}. Write each as a result has it, with "
    "its unit; compute it by convert_units; or leave it out. Then give the whole answer again."
)


@dataclass
class QuestionClock:
    """Where the time of a question goes; tools that overlap count once.

    Attributes:
        draft: the answer that the model was to mend, once a question; empty if it was to mend none.
    """

    started: float = field(default_factory=time.monotonic)
    model: float = 0.0
    tools: float = 0.0
    waits: float = 0.0
    notes: list[str] = field(default_factory=list[str])
    failures: int = 0
    draft: str = ""
    _running: int = 0
    _since: float = 0.0

    @contextlib.contextmanager
    def tool(self) -> Generator[None]:
        """Be within a tool."""
        if not self._running:
            self._since = time.monotonic()
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self.tools += time.monotonic() - self._since


@dataclass
class Deps:
    """What reaches a tool through the planner.

    Attributes:
        requests: that a question may take.
        checks: whether numbers without a source go back to the model.
    """

    context: ToolContext
    clock: QuestionClock
    requests: int = 50
    checks: bool = True


def make_planner(tools: dict[str, Tool], history_tokens: int, role: str = "") -> Planner[Any, str]:
    """Return what asks a model and uses tools until there is an answer.

    Args:
        tools: that it may use.
        history_tokens: of a conversation that it sees.
        role: what it is told of itself; empty for nothing.
    """
    planner: Planner[Any, str] = Planner(
        None,
        deps_type=Deps,
        instructions="\n\n".join(filter(None, [prompt(python="run_python" in tools), role])),
        name="grafico",
        tools=[_as_tool(one) for one in tools.values()],
        retries=MENDING,
        capabilities=[Shortening(history_tokens)],
    )
    planner.output_validator(_sourced)
    return planner


def _sourced(ctx: RunContext[Deps], answer: str) -> str:
    """Return an answer; where numbers of it have no source, the model hears of them once.

    Raises:
        ModelRetry: it is to mend them.
    """
    deps = ctx.deps
    if not deps.checks or deps.clock.draft or ctx.usage.requests >= deps.requests:
        return answer
    ledger = deps.context.ledger() if deps.context.ledger else Ledger()
    lacking = [one for one in check(answer, ledger) if one.source is None]
    if not lacking:
        return answer
    deps.clock.draft = answer
    names = dict.fromkeys(f"{one.text} {one.unit}".strip() for one in lacking)
    told = ", ".join([*names][:MOST_LACKING])
    deps.context.tell("again", f"numbers without a source: {told}", wait_s=0.0)
    raise ModelRetry(LACKING.format(told))


def _as_tool(one: Tool) -> PlannerTool[Any]:
    async def call(ctx: RunContext[Deps], **arguments: Any) -> Any:
        with ctx.deps.clock.tool():
            try:
                returned = await one(ctx.deps.context, arguments)
            except ArgumentsError as error:
                raise ModelRetry(error.told) from error
        if returned.image is None:
            return returned.found
        picture = BinaryContent(returned.image, media_type="image/png")
        return ToolReturn(returned.found, content=[picture])

    made = PlannerTool[Any].from_schema(call, one.name, one.description, one.schema, takes_ctx=True)
    made.max_retries, made.strict = MENDING, False  # schemas are sent as they are
    arguments = core_schema.dict_schema(core_schema.str_schema())
    made.function_schema.validator = SchemaValidator(arguments)
    return made
