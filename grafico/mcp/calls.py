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
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextvars import ContextVar
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

from grafico.views.progress import Progress
from workflows.safe_text import printable, printable_json

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from grafico.agent.context import Approval
    from grafico.agent.toolbox import Returned
    from workflows.engine import Event
    from workflows.engine.execution.stream import Feed, Stream

GRACE = 0.5
"""Seconds after a first question in which others may join it: they travel together."""

QUIET = 20.0
"""Seconds without news after which a sign of life is sent."""

_ANSWERS = TypeAdapter(dict[str, ElicitResult])
_call: ContextVar[ClientCall] = ContextVar("grafico_mcp_call")


class Lines(Progress):
    """Says what happens, as the command line does, a line an event."""

    def line(self, event: Event) -> str | None:
        """Return a line about an event, if it is worth one."""
        line = super().line(event)
        if line is None and event.kind == "node":
            line = f"step {event.data['index'] + 1}: {event.subject}"
        return line and " ".join(printable(line).split())


class ClientCall:
    """One use of a tool.

    Args:
        ctx: of the request.
        params: of the request, with the answers to what was asked before.
    """

    def __init__(self, ctx: ServerRequestContext[Any], params: CallToolRequestParams) -> None:
        self._ctx = ctx
        self._at_once = ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS
        self._answers = _ANSWERS.validate_json(params.request_state or "{}")
        self._answers |= _elicited(params.input_responses)
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
                request_state=_ANSWERS.dump_json(self._answers).decode(),
            )
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
            key = hashlib.sha256(form.model_dump_json().encode()).hexdigest()[:16]
            if key not in self._answers:
                self._open[key] = ElicitRequest(params=form)
                self._asked.set()
                return None
            answer = self._answers[key]
        return answer.content or {} if answer.action == "accept" else None

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
    """Have the person behind the client agree, or not; None is no answer."""
    given = json.dumps(dict(what.arguments), ensure_ascii=False, default=str)
    agree = {"agree": {"type": "boolean", "title": "Go on?", "default": False}}
    filled = await _call.get().elicit(f"{what.tool} {given[:300]}\n{what.why}: go on?", agree)
    return None if filled is None else filled.get("agree") is True
