"""`ClientCall`: one use of a tool by a client, who hears how it goes, may be asked and may end it.

Protocols before 2026-07-28 let a server ask its client while a tool is at work. Since then the
question is the answer: the client asks the person and calls again with what was said. So the tool
is ended and begins anew then, which costs little: nothing is computed twice, and tools ask before
they do what cannot be done twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextvars import ContextVar
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    InputResponses,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from grafico.serving.lines import Lines
from workflows.engine.graph.effects import AT_A_DOOR
from workflows.text.safe_text import printable, printable_json

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from grafico.agent.context import Approval
    from grafico.agent.toolbox import Returned
    from workflows.engine.execution.stream import Feed, Stream

GRACE = 0.5
"""Seconds after a first question in which others may join it: they travel together."""

QUIET = 20.0
"""Seconds without news after which a sign of life is sent."""

MOST_OPEN = 10_000
"""Questions without an answer that are remembered."""

_KEYS = TypeAdapter(tuple[str, ...])
_call: ContextVar[ClientCall] = ContextVar("grafico_mcp_call")


class Questions:
    """What a server has asked and nobody has made use of: each question has a key of chance.

    Nobody can answer what was not asked, or answer twice.
    """

    def __init__(self) -> None:
        self._asked: OrderedDict[str, str] = OrderedDict()
        self._answers: dict[str, ElicitResult] = {}

    def new(self, what: str) -> str:
        """Return the key of a new question.

        Args:
            what: digest of the whole call and the question.
        """
        key = token_urlsafe()
        self._asked[key] = what
        while len(self._asked) > MOST_OPEN:
            self.forget([next(iter(self._asked))])
        return key

    def take_in(self, responses: Mapping[str, ElicitResult]) -> list[str]:
        """Note answers to open questions, the first to each; return their keys."""
        good = [key for key in responses if key in self._asked and key not in self._answers]
        self._answers |= {key: responses[key] for key in good}
        return good

    def answer(self, keys: Iterable[str], what: str) -> ElicitResult | None:
        """Return what was answered to a question under one of some keys."""
        for key in keys:
            if self._asked.get(key) == what and key in self._answers:
                return self._answers[key]
        return None

    def forget(self, keys: Iterable[str]) -> None:
        """Forget some questions: what they were for has come to its end."""
        for key in keys:
            self._asked.pop(key, None)
            self._answers.pop(key, None)


class ClientCall:
    """One use of a tool.

    Args:
        ctx: of the request.
        params: of the request, with the answers to what was asked before.
        questions: of the server.
        trusted: names of clients that pass on what a person says of effects on the world.
    """

    def __init__(
        self,
        ctx: ServerRequestContext[Any],
        params: CallToolRequestParams,
        questions: Questions,
        trusted: Collection[str] = (),
    ) -> None:
        self._ctx = ctx
        self._at_once = ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS
        self._questions_asked, self._trusted = questions, trusted
        self._call_text = json.dumps([params.name, params.arguments], sort_keys=True, default=str)
        before = _KEYS.validate_json(params.request_state or "[]")
        self._keys = [*before, *questions.take_in(_elicited(params.input_responses))]
        self._open: dict[str, ElicitRequest] = {}
        self._asked = asyncio.Event()

    async def run(
        self, work: Callable[[], Coroutine[Any, Any, Returned]], events: Stream
    ) -> Returned | InputRequiredResult:
        """Do the work; when this is cancelled, end only after it has ended.

        Args:
            work: what is to be done.
            events: what happens while it is done, and besides.

        Returns:
            What came of it, or what must be answered first.
        """
        token = _call.set(self)
        job = asyncio.create_task(work())
        _call.reset(token)
        questions = asyncio.create_task(self._questions())
        feed = events.feed(wanted=lambda _: _call.get(None) is self)
        news = asyncio.create_task(self._tell(feed))
        try:
            await asyncio.wait((job, questions), return_when=asyncio.FIRST_COMPLETED)
            feed.close()
            await asyncio.wait((news,))  # the last of it
        finally:
            # a task of its own is cancelled once; a scope of anyio would do it over and over
            feed.close()
            tasks = (job, questions, news)
            for task in tasks:
                task.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.gather(*tasks, return_exceptions=True)
        if self._open:
            return InputRequiredResult(
                input_requests=dict(self._open),
                request_state=_KEYS.dump_json(tuple(self._keys)).decode(),
            )
        self._questions_asked.forget(self._keys)
        return job.result()

    async def _tell(self, feed: Feed) -> None:
        """Pass on what happens, if the client wants it; many give up who is silent for long."""
        lines, last, count = Lines(), "at work", 0
        while True:
            try:
                async with asyncio.timeout(QUIET):
                    line = lines.line(await anext(feed))
            except TimeoutError:
                line = f"still: {last}"
            except StopAsyncIteration:
                return
            if line:
                count += 1
                last = line.removeprefix("still: ")
                await self._ctx.session.report_progress(count, None, line)

    async def _questions(self) -> None:
        """End when there is something to be asked."""
        await self._asked.wait()
        await asyncio.sleep(GRACE)

    async def elicit(self, message: str, fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return what a person has filled in; None if nobody can be asked, or has for now.

        Args:
            message: what to ask.
            fields: schemas of what may be answered, by name.
        """
        schema = {"type": "object", "properties": printable_json(dict(fields))}
        message = printable(message)
        form = ElicitRequestFormParams(message=message, requested_schema=schema)
        if not self._can_ask:
            return None
        if self._at_once:
            try:
                answer = await self._ctx.session.elicit_form(
                    message, schema, related_request_id=self._ctx.request_id
                )
            except MCPError:  # it cannot after all
                return None
        else:
            text = f"{self._call_text} {form.model_dump_json()}"
            what = hashlib.sha256(text.encode()).hexdigest()
            found = self._questions_asked.answer(self._keys, what)
            if found is None:
                self._open[self._questions_asked.new(what)] = ElicitRequest(params=form)
                self._asked.set()
                return None
            answer = found
        return answer.content or {} if answer.action == "accept" else None

    @property
    def client(self) -> str:
        """What the client calls itself; empty where it does not say."""
        known = self._ctx.session.client_params
        return known.client_info.name if known is not None else ""

    def passes_on(self, what: Approval) -> bool:
        """Tell whether what the client answers is taken for a person's word."""
        if what.effects & AT_A_DOOR:
            return False
        return not what.effects or self.client in self._trusted

    @property
    def _can_ask(self) -> bool:
        known = self._ctx.session.client_capabilities
        able = known.elicitation if known is not None else None
        if able is None or (self._at_once and not self._ctx.session.can_send_request):
            return False
        return able.form is not None or able.url is None  # {} is from before there were kinds


def _elicited(responses: InputResponses | None) -> dict[str, ElicitResult]:
    given = responses or {}
    return {key: one for key, one in given.items() if isinstance(one, ElicitResult)}


async def ask(question: str, choices: Sequence[str]) -> str | None:
    """Put a question of a tool to the person behind the client that called it."""
    answer: dict[str, Any] = {"type": "string", "title": "Answer"}
    fields = {"answer": answer}
    if choices:
        fields = {
            "answer": answer | {"enum": list(choices)},
            "other": {"type": "string", "title": "Something else"},
        }
    given = await _call.get().elicit(question, fields) or {}
    return str(given.get("other") or given.get("answer") or "") or None


async def approve(what: Approval) -> bool | None:
    """Have the person behind the client agree, or not; None is no answer.

    A client answers itself, if it likes. To what acts on the world its word counts where the person
    has named it in their own settings; to what lets something be made it never does.
    """
    call = _call.get()
    if not call.passes_on(what):
        return None
    given = json.dumps(dict(what.arguments), ensure_ascii=False, default=str)
    agree = {"agree": {"type": "boolean", "title": "Go on?", "default": False}}
    head = what.what or f"{what.tool} {given[:300]}"
    filled = await call.elicit(f"{head}\n{what.why}: go on?", agree)
    return None if filled is None else filled.get("agree") is True
