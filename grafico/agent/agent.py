"""`Agent`: a conversation in which a language model plans and tools do the work."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

from pydantic_ai import Agent as Planner
from pydantic_ai import UsageLimits
from pydantic_ai import messages as said
from pydantic_ai.models import Model
from pydantic_ai.models.instrumented import InstrumentationSettings, InstrumentedModel
from pydantic_ai.usage import RunUsage

from grafico.session.client import Grafico
from grafico.session.inspection import shorten
from grafico.session.models import (
    explained,
    is_transient,
    make_model,
    model_settings,
)
from triplestore.errors import InputError, ResourceError
from triplestore.spans import note, span

from .agent_file import Budget, Role, read_agent
from .attachments import Attached, take_in
from .consulting import consulting
from .context import LONG, Approve, Ask, Listener, Look, ToolContext
from .conversations import Keeper, under_way
from .history import (
    Messages,
    asked,
    closed,
    dumped,
    is_open,
    read,
    sources,
    unanswered,
    values_of,
    whole,
)
from .nodes import REPEATED, as_arguments
from .number_tools import run_python
from .planner import Deps, QuestionClock, make_planner
from .prompt import RULES
from .reply import Reply, Usage
from .sources import check
from .tools import tools, usable
from .viewer_tools import viewer_tools
from .web_tools import wanted, web_search

ATTEMPTS = 5
"""Times in a row that a model is asked before it is given up."""

PATIENCE = 300.0
"""Seconds without a sign of life from a model after which it is asked again."""


class Agent:
    """One conversation, kept in the store as it goes on.

    Args:
        model: a model of pydantic-ai or its name; None for the settings'.
        store: folder or URL of the store, or `memory:`; None for the settings'.
        session: in place of a store: one that is there already, and stays open.
        base_url: of a server that speaks as OpenAI's chat does; None for the settings'.
        folder: of the files of this conversation; None for a temporary one.
        ask: puts a question to a person, see `ToolContext`.
        approve: asks a person to agree, see `ToolContext`.
        door: where that is done, likewise.
        told: is told what happens; where it is given, answers are streamed.
        look: takes a picture of a viewer, see `ToolContext`; where it is given, models steer that.
        conversation: one to go on with, by IRI or by name, or `last`; empty for a new one.
        under: IRI that a new one gets; empty for any.
        patience: seconds without a sign of life after which a model is asked again.
        long: see `ToolContext`.
        agent: the file of the one that this is, see `read_agent`; None for one that may use all.
        budget: that whoever asks this one has left; None for no limit but its own.

    Attributes:
        usage: of the last question so far, that of agents that were asked for it among it.
        unfinished: what became of what was under way when the last question was broken off.

    Raises:
        InputError: no model is named, or there is none of that name; or of the file, likewise.
        NotFoundError: there is no such conversation.
        TrustError: nobody has trusted the file.
        ResourceError: another program is at work in it.
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
        door: str = "a conversation",
        told: Listener | None = None,
        look: Look | None = None,
        conversation: str = "",
        under: str = "",
        patience: float = PATIENCE,
        long: float = LONG,
        agent: str | Path | Role | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._owned = session is None
        self._role = read_agent(agent, tools()) if isinstance(agent, str | Path) else agent
        self._budget = budget
        self.session = session or Grafico(store)
        try:
            self._base_url = self.session.settings.agent_base_url if base_url is None else base_url
            model = model or (self._role and self._role.file.model)
            self.model = make_model(model or self.session.settings.agent_model, self._base_url)
            if self._role:
                self._role.check(self.model.model_name == RULES)
            self.kept = Keeper(self.session, conversation, under)
            self._messages: Messages = []
            for turn, bodies, ended in self.kept.history():
                self._messages += read(bodies) or [asked(turn.question)]
                if not ended:
                    under_way = self._under_way(turn.started)
                    why = "; ".join(["it was cut off; ask again to go on", *under_way])
                    self._messages = closed(self._messages, why)
            self.context = ToolContext(
                self.session,
                folder,
                ask=ask,
                approve=approve,
                told=told,
                long=long,
                door=door,
                look=look,
            )
            self.context.ledger = lambda: sources(self._messages)
        except BaseException:
            if self._owned:
                self.session.close()
            raise
        self.unfinished: list[str] = []
        self.usage = RunUsage()
        self._patience = patience
        self._planners: dict[bool, Planner[Any, str]] = {}  # for rules, and for models
        self._clock = QuestionClock()
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
            raise InputError("cannot answer a question", "it is empty", "ask something")
        if not is_text(text):
            raise InputError(
                "cannot answer a question", "it is not UTF-8", "type it, or convert the file"
            )
        async with self._turn:
            if model is not None:
                self.model = make_model(model, self._base_url)
            self.context.whole = self.model.model_name == RULES
            self._read_by_rules()
            self._clock = QuestionClock()
            self._check_limits(RunUsage())
            with span(self.session.executor.tracer, "agent", model=self.model.model_name) as here:
                prompt, attached = await take_in(self.context, text, [Path(file) for file in files])
                self.kept.begin(prompt, self.model.model_name)
                before, usage = len(self._messages), RunUsage()
                self.usage = usage
                try:
                    async with self.model:  # its connections end with the question
                        answer = await self._answer(prompt, usage, before)
                except BaseException as error:
                    status, why = "failed", str(error) or type(error).__name__
                    if not isinstance(error, Exception):
                        status = "interrupted"
                        self.unfinished = self._under_way(self.kept.started)
                        why = "; ".join(["it was interrupted", *self.unfinished])
                    self._end(status, why, usage, before)
                    raise
                spent = self._end("answered", answer, usage, before)
                note(
                    here,
                    requests=spent.requests,
                    input_tokens=spent.input_tokens,
                    output_tokens=spent.output_tokens,
                    conversation=self.kept.iri,
                )
                return self._reply(answer, spent, attached, before)

    def ask(
        self, text: str, *, files: Sequence[str | Path] = (), model: Model[Any] | str | None = None
    ) -> Reply:
        """Answer a question; see `ask_async`."""
        return self.session.wait_for(lambda: self.ask_async(text, files=files, model=model))

    def _read_by_rules(self) -> None:
        """Let the tools have what the rules have read, where these answer."""
        self.context.read = tuple
        if self.model.model_name == RULES:
            from .rules.model import PlainModel

            assert isinstance(self.model, PlainModel)
            self.model.defaults = self.session.settings.defaults
            self.context.read = self.model.requests

    def _under_way(self, since: datetime) -> list[str]:
        """Return what became of what the calls without a result were about: runs since then."""
        calls = [as_arguments(part.args) for part in unanswered(self._messages)]
        return [
            f"{line.subject}: {line.status} ({shorten(line.run)})"
            for line in under_way(self.session.kg, calls, since)
        ]

    def _end(self, status: str, answer: str, usage: RunUsage, before: int) -> Usage:
        """Keep how a question ended; the history is whole afterwards, whatever happened."""
        clock = self._clock
        if self.model.model_name == RULES:  # tokens of a function are a guess
            usage = RunUsage(requests=usage.requests, cost=Decimal(0))
        spent = Usage(
            usage.requests,
            usage.input_tokens,
            usage.cache_read_tokens,
            usage.output_tokens,
            usage.cost,
            time.monotonic() - clock.started,
            clock.model + clock.waits,
            clock.tools,
        )
        self._messages = closed(self._messages, answer[:500])
        new = self._messages[before:]
        self._keep(before)
        runs, files = values_of(new, "run", "runs"), values_of(new, "file", "files")
        self.kept.end(status, answer, spent, runs, files)
        return spent

    def _keep(self, before: int) -> None:
        new = self._messages[before + self.kept.count :]
        self.kept.keep([dumped(message) for message in new])

    def _reply(self, answer: str, spent: Usage, attached: Sequence[Attached], before: int) -> Reply:
        new = self._messages[before:]
        if self.kept.trouble:
            self._clock.notes.append(f"this conversation was not kept: {self.kept.trouble}")
        outcome = "answered"
        if (ended := set(values_of(new, "status"))) and ended <= {"failed", "denied", "pending"}:
            outcome = "failed"
        elif self.model.model_name == RULES and len(new) == 2:  # no tool was of use
            outcome = "declined"
        numbers = check(
            answer,
            sources(self._messages),
            plain=self.model.model_name == RULES,
            repeated=values_of(new, *REPEATED),
        )
        return Reply(
            answer,
            numbers,
            values_of(new, "run", "runs"),
            values_of(new, "file", "files"),
            attached,
            list(dict.fromkeys(self._clock.notes)),
            self.model.model_name,
            spent,
            self.kept.iri,
            outcome,
        )

    async def _answer(self, prompt: str, usage: RunUsage, before: int) -> str:
        """Return the final answer; a model that fails is asked again with what is there so far."""
        settings, clock = self.session.settings, self._clock
        allowed = self.allowed
        limits = UsageLimits(
            request_limit=allowed.requests,
            total_tokens_limit=allowed.tokens,
            cost_limit=allowed.cost,
        )
        question: str | None = prompt
        rules = self.model.model_name == RULES  # which call only what they need: nothing is tried
        planner = self._planners.get(rules)
        if planner is None:
            usable_ones = tools() if rules else usable(settings)
            if self.context.look is not None and not rules:
                usable_ones |= viewer_tools()
            if role := self._role:
                usable_ones = role.rights.of(usable_ones) | consulting(role, self)
            history = settings.agent_history_tokens
            planner = make_planner(usable_ones, history, role.told if role else "")
            self._planners[rules] = planner
            if not rules and run_python.name not in usable_ones:
                clock.notes.append(f"no Python can be run: {run_python.off(settings)}")
            if wanted(settings) and web_search.off(settings) is not None:
                clock.notes.append(f"the web cannot be searched: {web_search.off(settings)}")
        while True:
            run = None
            try:
                async with planner.iter(
                    question,
                    deps=Deps(self.context, clock, allowed.requests, not rules),
                    model=self._traced(),
                    usage=usage,
                    usage_limits=limits,
                    message_history=said.repair_messages(self._messages),
                    model_settings=model_settings(settings, self._patience),
                ) as run:
                    return await self._drive(run, usage, before)
            except Exception as error:
                clock.failures += 1
                given_up = not is_transient(error) or clock.failures >= ATTEMPTS
                if given_up and clock.draft:  # which is there, and was paid for
                    why = str(explained(error, self.model.model_name).found)
                    clock.notes.append(f"numbers without a source were not mended: {why[:200]}")
                    return clock.draft
                if given_up:
                    raise explained(error, self.model.model_name) from None
                wait = pause(error, clock.failures)
                why = str(explained(error, self.model.model_name).found)
                clock.notes.append(f"the model was asked again: {why[:200]}")
                self.context.tell("again", why, wait_s=wait)
            finally:
                if run is not None:
                    self._messages = whole(run.all_messages())
                    if is_open(self._messages):
                        question = None
            await asyncio.sleep(wait)
            clock.waits += wait

    async def _drive(self, run: Any, usage: RunUsage, before: int) -> str:
        """Go from node to node; the text of the last answer."""
        node = run.next_node
        while not Planner.is_end_node(node):
            if Planner.is_model_request_node(node):
                async with self._asking():
                    if self.context.told is not None and _streams(self.model):
                        async with node.stream(run.ctx) as stream:
                            async for event in stream:
                                self._tell(event)
                    node = await run.next(node)
                self._messages = list(run.all_messages())
                self._keep(before)  # before tools are at work: they may take hours
                self._clock.failures = 0
                self._check_limits(usage)
            else:
                node = await run.next(node)
        return str(run.result.output)

    def _traced(self) -> Model[Any]:
        """Return the model as one that makes a span of each request, without what is said in it.

        Its spans follow the conventions of OpenTelemetry for generative AI; of an error they tell
        the kind alone, since a provider's text may repeat a key.
        """
        spans = InstrumentationSettings(
            tracer_provider=self.session.tracing.provider,
            include_content=False,
            include_model_request_parameters=False,
        )
        return InstrumentedModel(self.model, spans)

    @asynccontextmanager
    async def _asking(self) -> AsyncGenerator[None]:
        """Be within a request to the model, whose time is counted."""
        started = time.monotonic()
        try:
            yield
        finally:
            self._clock.model += time.monotonic() - started

    def _tell(self, event: Any) -> None:
        match event:
            case said.PartStartEvent(part=said.TextPart(content=text)) if text:
                self.context.tell("text", text)
            case said.PartDeltaEvent(delta=said.TextPartDelta(content_delta=text)) if text:
                self.context.tell("text", text)
            case said.PartDeltaEvent(delta=said.ThinkingPartDelta(content_delta=text)) if text:
                self.context.tell("thinking", text)
            case _:
                pass

    def _check_limits(self, usage: RunUsage) -> None:
        """Give up a conversation that has cost more than the settings allow."""
        settings, before = self.session.settings, self.kept.spent
        dollars = before.dollars + float(usage.cost or 0.0)
        tokens = before.tokens + usage.input_tokens + usage.output_tokens
        limit, most = settings.agent_cost_limit, settings.agent_token_limit
        if limit is not None and usage.requests and usage.cost is None:
            self._clock.notes.append(
                f"the price of {self.model.model_name} is not known: agent_cost_limit has no effect"
            )
        over = ""
        if limit is not None and dollars > limit:
            over = f"{dollars:.4f} US dollars; {limit:g} are allowed"
        elif most is not None and tokens > most:
            over = f"{tokens} tokens; {most} are allowed"
        if over:
            name = "agent_cost_limit" if "dollars" in over else "agent_token_limit"
            raise ResourceError(
                "cannot answer a question",
                f"the conversation has cost {over}",
                f"raise {name}, or start a new conversation; what was computed is remembered",
            )

    # --- other agents ------------------------------------------------------------------------

    @property
    def allowed(self) -> Budget:
        """What a question may cost."""
        own = Budget(requests=self.session.settings.agent_request_limit)
        own = own.within(self._role.file.budget) if self._role else own
        return own.within(self._budget) if self._budget else own

    def opened(self, role: Role, under: str, budget: Budget) -> Agent:
        """Open the conversation in which another agent is asked, under an IRI."""
        return Agent(
            role.file.model or self.model,
            session=self.session,
            base_url=self._base_url,
            folder=self.context.folder,
            ask=self.context.ask,
            approve=self.context.approve,
            door=f"{self.context.door}, through the agent {role.file.name}",
            under=under,
            patience=self._patience,
            long=self.context.long,
            agent=role,
            budget=budget,
        )

    # --- the conversation --------------------------------------------------------------------

    @property
    def conversation(self) -> str:
        """IRI of the conversation; empty before the first question."""
        return self.kept.iri

    @property
    def messages(self) -> str:
        """All messages as JSON, without pictures."""
        return f"[{','.join(map(dumped, self._messages))}]"

    def close(self) -> None:
        """End the sandbox, and the session if it is ours."""
        self.context.close()
        self.kept.close()
        if self._owned:
            self.session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def pause(error: BaseException, failures: int) -> float:
    """Return the seconds to wait before a model is asked again."""
    asked = getattr(error, "retry_after", None)
    if isinstance(asked, int | float):
        return min(float(asked), 60.0)
    return min(0.5 * 2.0 ** (failures - 1), 30.0) * (0.75 + random.random() / 2)


def is_text(text: str) -> bool:
    """Tell whether a text can be stored and sent: what was not UTF-8 cannot."""
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def _streams(model: Model[Any]) -> bool:
    """Tell whether a model can stream: one made of a function may be without."""
    return getattr(model, "stream_function", True) is not None
