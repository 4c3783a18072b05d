"""`Agent`: a conversation in which a language model plans and tools do the work."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Self, TypeAlias, cast

from pydantic_ai import Agent as Planner
from pydantic_ai import BinaryContent, ModelRetry, RunContext, ToolReturn, UsageLimits
from pydantic_ai import Tool as PlannerTool
from pydantic_ai import messages as said
from pydantic_ai.models import Model
from pydantic_ai.usage import RunUsage
from pydantic_core import SchemaValidator, core_schema

from grafico.client import Grafico
from triplestore.errors import InputError, ResourceError
from triplestore.spans import note, span

from .desk import LONG, Approve, Ask, Desk, Listener
from .model import explained, is_transient, make_model, model_settings
from .pasted import take_in
from .prompt import PROMPT
from .reply import Reply, Usage
from .sources import Ledger, check
from .toolbox import ArgumentsError, Tool
from .tools import usable

ATTEMPTS = 5
"""Times in a row that a model is asked before it is given up."""

PATIENCE = 300.0
"""Seconds without a sign of life from a model after which it is asked again."""

MENDING = 4
"""Times in a row that a model may mend the arguments of a tool."""

Messages: TypeAlias = "list[said.ModelMessage]"


@dataclass
class _Clock:
    """Where the time of a question goes; tools that overlap count once."""

    model: float = 0.0
    tools: float = 0.0
    waits: float = 0.0
    notes: list[str] = field(default_factory=list[str])
    failures: int = 0
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


class Agent:
    """One conversation.

    Args:
        model: a model of pydantic-ai or its name; None for the settings'.
        store: folder or URL of the store, or `memory:`; None for the settings'.
        session: in place of a store: one that is there already, and stays open.
        base_url: of a server that speaks as OpenAI's chat does; None for the settings'.
        folder: of the files of this conversation; None for a temporary one.
        ask: puts a question to a person, see `Desk`.
        approve: asks a person to agree, see `Desk`.
        told: is told what happens; where it is given, answers are streamed.
        messages: a conversation to go on from: `Reply.messages`.
        patience: seconds without a sign of life after which a model is asked again.
        long: see `Desk`.

    Raises:
        InputError: no model is named, or there is none of that name; or no such conversation.
        ComponentError: what the model needs is missing.
    """

    def __init__(
        self,
        model: Model[Any] | str | None = None,
        *,
        store: str | Path | None = None,
        session: Grafico | None = None,
        base_url: str | None = None,
        folder: Path | None = None,
        ask: Ask | None = None,
        approve: Approve | None = None,
        told: Listener | None = None,
        messages: str = "",
        patience: float = PATIENCE,
        long: float = LONG,
    ) -> None:
        self._owned = session is None
        self.session = session or Grafico(store)
        try:
            self._base_url = self.session.settings.agent_base_url if base_url is None else base_url
            self.model = make_model(model or self.session.settings.agent_model, self._base_url)
            self._messages = _read(messages)
            self.desk = Desk(self.session, folder, ask=ask, approve=approve, told=told, long=long)
        except BaseException:
            if self._owned:
                self.session.close()
            raise
        self._patience = patience
        self._planner: Planner[Any, str] | None = None
        self._clock = _Clock()
        self._turn = asyncio.Lock()

    # --- asking ------------------------------------------------------------------------------

    async def ask_async(
        self, text: str, *, files: Sequence[str | Path] = (), model: Model[Any] | str | None = None
    ) -> Reply:
        """Answer a question; `ask` is the same without `await`. One is answered at a time.

        Args:
            text: the question; structures in it are taken in before a model sees it.
            files: structures that come with it.
            model: from now on; None for the one of before.

        Raises:
            ResourceError: the provider does not answer, or a limit was reached. What was computed
                is remembered, and so is the conversation: ask again.
            InputError: a file cannot be read, or there is no such model.
            GraficoError: see `triplestore.errors`.
        """
        if not text.strip():
            raise InputError("a question was to be answered", "it is empty", "ask something")
        async with self._turn:
            if model is not None:
                self.model = make_model(model, self._base_url)
            started = time.monotonic()
            self._clock = _Clock()
            tracer = self.session.executor.tracer
            with span(tracer, "agent", model=self.model.model_name) as here:
                prompt, attached = take_in(self.desk, text, [Path(file) for file in files])
                before, usage = len(self._messages), RunUsage()
                async with self.model:  # its connections end with the question
                    answer = await self._answer(prompt, usage)
                ledger, runs, made = self._read_conversation(before)
                spent = self._spent(usage, time.monotonic() - started)
                note(here, requests=spent.requests, input_tokens=spent.input_tokens,
                     output_tokens=spent.output_tokens)  # fmt: skip
                return Reply(
                    answer, check(answer, ledger), runs, made, attached,
                    list(dict.fromkeys(self._clock.notes)), self.model.model_name, spent,
                    said.ModelMessagesTypeAdapter.dump_json(self._messages).decode(),
                )  # fmt: skip

    def ask(
        self, text: str, *, files: Sequence[str | Path] = (), model: Model[Any] | str | None = None
    ) -> Reply:
        """Answer a question; see `ask_async`."""
        return self.session.wait_for(lambda: self.ask_async(text, files=files, model=model))

    async def _answer(self, prompt: str, usage: RunUsage) -> str:
        """Return the final answer; a model that fails is asked again with what is there so far."""
        settings, clock = self.session.settings, self._clock
        limits = UsageLimits(request_limit=settings.agent_request_limit)
        question: str | None = prompt
        while True:
            run = None
            try:
                async with self._agent().iter(
                    question, deps=self.desk, model=self.model, usage=usage, usage_limits=limits,
                    message_history=said.repair_messages(self._messages),
                    model_settings=model_settings(settings, self._patience),
                ) as run:  # fmt: skip
                    return await self._drive(run, usage)
            except Exception as error:
                clock.failures += 1
                if not is_transient(error) or clock.failures >= ATTEMPTS:
                    raise explained(error, self.model.model_name) from None
                wait = pause(error, clock.failures)
                why = str(explained(error, self.model.model_name).found)
                clock.notes.append(f"the model was asked again: {why[:200]}")
                self.desk.tell("again", why, wait_s=wait)
            finally:
                if run is not None:
                    self._messages = whole(run.all_messages())
                    if len(self._messages) and _is_open(self._messages):
                        question = None
            await asyncio.sleep(wait)
            clock.waits += wait

    async def _drive(self, run: Any, usage: RunUsage) -> str:
        """Go from node to node; the text of the last answer."""
        node = run.next_node
        while not Planner.is_end_node(node):
            if Planner.is_model_request_node(node):
                async with self._asking():
                    if self.desk.told is not None and _streams(self.model):
                        async with node.stream(run.ctx) as stream:
                            async for event in stream:
                                self._tell(event)
                    node = await run.next(node)
                self._clock.failures = 0
                self._check_cost(usage)
            else:
                node = await run.next(node)
        return str(run.result.output)

    @asynccontextmanager
    async def _asking(self) -> AsyncGenerator[None]:
        """Be within a request to the model: timed, traced, its errors without keys in the trace."""
        started, failed = time.monotonic(), None
        name = self.model.model_name
        with span(self.session.executor.tracer, "model", model=name) as here:
            try:
                yield
            except Exception as error:
                failed = error
                note(here, failed=explained(error, name).found)
            finally:
                self._clock.model += time.monotonic() - started
        if failed is not None:
            raise failed

    def _tell(self, event: Any) -> None:
        match event:
            case said.PartStartEvent(part=said.TextPart(content=text)) if text:
                self.desk.tell("text", text)
            case said.PartDeltaEvent(delta=said.TextPartDelta(content_delta=text)) if text:
                self.desk.tell("text", text)
            case said.PartDeltaEvent(delta=said.ThinkingPartDelta(content_delta=text)) if text:
                self.desk.tell("thinking", text)
            case _:
                pass

    def _check_cost(self, usage: RunUsage) -> None:
        limit = self.session.settings.agent_cost_limit
        if limit is None:
            return
        if usage.cost is None:
            self._clock.notes.append(
                f"the price of {self.model.model_name} is not known: agent_cost_limit has no effect"
            )
        elif usage.cost > Decimal(str(limit)):
            raise ResourceError(
                "a question was to be answered",
                f"it has cost {usage.cost:.4f} US dollars; {limit:g} are allowed",
                "raise agent_cost_limit, or ask for less at a time; what was computed is "
                "remembered",
            )

    def _spent(self, usage: RunUsage, seconds: float) -> Usage:
        clock = self._clock
        return Usage(
            usage.requests, usage.input_tokens, usage.cache_read_tokens, usage.output_tokens,
            usage.cost, seconds, clock.model + clock.waits, clock.tools,
        )  # fmt: skip

    # --- tools -------------------------------------------------------------------------------

    def _agent(self) -> Planner[Any, str]:
        if self._planner is None:
            self._planner = Planner(
                None,
                deps_type=Desk,
                instructions=PROMPT,
                name="grafico",
                tools=[self._as_tool(one) for one in usable().values()],
                retries=MENDING,
            )
        return self._planner

    def _as_tool(self, one: Tool) -> PlannerTool[Any]:
        async def call(ctx: RunContext[Desk], **arguments: Any) -> Any:
            with self._clock.tool():
                try:
                    returned = await one(ctx.deps, arguments)
                except ArgumentsError as error:
                    raise ModelRetry(f"{error.found}; {error.advice}") from error
            if returned.image is None:
                return returned.found
            picture = BinaryContent(returned.image, media_type="image/png")
            return ToolReturn(returned.found, content=[picture])

        made = PlannerTool[Any].from_schema(
            call, one.name, one.description, one.schema, takes_ctx=True
        )
        made.max_retries = MENDING
        arguments = core_schema.dict_schema(core_schema.str_schema())
        made.function_schema.validator = SchemaValidator(arguments)
        return made

    def _read_conversation(self, since: int) -> tuple[Ledger, list[str], list[str]]:
        """Return every number that was ever given; runs and files since a message."""
        ledger, runs, made = Ledger(), dict[str, None](), dict[str, None]()
        calls: dict[str, Mapping[str, Any]] = {}
        for index, message in enumerate(self._messages):
            for part in message.parts:
                match part:
                    case said.UserPromptPart(content=str(text)):
                        ledger.asked(text)
                    case said.ToolCallPart():
                        calls[part.tool_call_id] = _arguments(part)
                    case said.ToolReturnPart():
                        arguments = calls.get(part.tool_call_id, {})
                        ledger.call(part.tool_name, arguments, part.content)
                        for name, value in _leaves(part.content) if index >= since else ():
                            runs |= {value: None} if name == "run" else {}
                            made |= {value: None} if name in ("file", "files") else {}
                    case _:
                        pass
        return ledger, list(runs), list(made)

    # --- the conversation --------------------------------------------------------------------

    @property
    def messages(self) -> str:
        """The whole conversation as JSON."""
        return said.ModelMessagesTypeAdapter.dump_json(self._messages).decode()

    def close(self) -> None:
        """End the sandbox, and the session if it is ours."""
        self.desk.close()
        if self._owned:
            self.session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _read(messages: str) -> Messages:
    if not messages:
        return []
    try:
        return said.ModelMessagesTypeAdapter.validate_json(messages)
    except ValueError as error:
        raise InputError(
            "a conversation was to be gone on with", "it cannot be read", "start a new one"
        ) from error


def pause(error: BaseException, failures: int) -> float:
    """Return the seconds to wait before a model is asked again."""
    asked = getattr(error, "retry_after", None)
    if isinstance(asked, int | float):
        return min(float(asked), 60.0)
    return min(0.5 * 2.0 ** (failures - 1), 30.0) * (0.75 + random.random() / 2)


def whole(messages: Sequence[said.ModelMessage]) -> Messages:
    """Return a conversation without an answer that was cut off at its end."""
    found = list(messages)
    while found and isinstance(found[-1], said.ModelResponse):
        if found[-1].state == "complete" and found[-1].parts:
            break
        found.pop()
    return found


def _is_open(messages: Messages) -> bool:
    """Tell whether a conversation ends with what a model has still to answer."""
    return isinstance(messages[-1], said.ModelRequest)


def _streams(model: Model[Any]) -> bool:
    """Tell whether a model can stream: one made of a function may be without."""
    return getattr(model, "stream_function", True) is not None


def _arguments(part: said.ToolCallPart) -> Mapping[str, Any]:
    try:
        return part.args_as_dict()
    except ValueError:
        return {}


def _leaves(node: Any, name: str = "") -> list[tuple[str, str]]:
    """Return the texts of what a tool found, each with the name that it stands under."""
    if isinstance(node, str):
        return [(name, node)]
    if isinstance(node, Mapping):
        items = cast("Mapping[str, Any]", node).items()
        return [leaf for key, value in items for leaf in _leaves(value, key)]
    if isinstance(node, list | tuple):
        return [leaf for value in cast("list[Any]", node) for leaf in _leaves(value, name)]
    return []
