"""`Talk`: one conversation as pages see it: what is under way, and who is asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from triplestore.errors import GraficoError, InputError, ResourceError

from . import paths
from .journal import Live

if TYPE_CHECKING:
    from grafico.agent import Agent, Approval, Reply, Told
    from grafico.serving.lines import Lines
    from grafico.session.client import Grafico
    from workflows.engine import Event
    from workflows.engine.request.request import Request

    from .room import Room

DOOR = "a page of this machine"
"""Where a person is asked here, as it is recorded."""

LONGEST = 100_000
"""Characters of a question."""

LOOKING = 20.0
"""Seconds in which a page takes it."""

OFTEN = 0.05
"""Seconds between two geometries that are shown while one is optimised."""

_talk: ContextVar[Talk | None] = ContextVar("grafico_talk", default=None)


def talk_here() -> Talk | None:
    """Return the conversation for which something happens here."""
    return _talk.get()


class Talk:
    """A conversation with a page.

    Args:
        room: of all of them.
        key: the last part of its IRI.
        stored: whether it is in the store.

    Attributes:
        live: what is under way.
        runs: that the question under way has begun.
        touched: when something happened last, on this process's clock.
        unkept: questions that failed before they could be kept, while this process lives.
    """

    def __init__(self, room: Room, key: str, stored: bool) -> None:
        self._room = room
        self.key = key
        self.stored = stored
        self.live = Live()
        self.touched = time.monotonic()
        self.unkept: list[dict[str, Any]] = []
        self._agent: Agent | None = None
        self._task: asyncio.Task[None] | None = None
        self._questions: dict[str, tuple[type, Future[Any]]] = {}
        self._lines: Lines | None = None
        self._shown: dict[str, float] = {}
        self.runs: set[str] = set()

    @property
    def busy(self) -> bool:
        """Whether a question is being answered."""
        return self._task is not None and not self._task.done()

    # --- what pages do -----------------------------------------------------------------------

    def ask(
        self, text: str, files: Sequence[str], model: str, request: Request | None = None
    ) -> None:
        """Begin to answer a question.

        Args:
            text: the question; of a request the command line that does the same.
            files: names of files of this conversation that come with it.
            model: that answers it; empty for the usual one.
            request: what a form asks for, where it was not asked in words.

        Raises:
            InputError: it is empty, too long, or a file is not there.
            ResourceError: another one is being answered.
        """
        if self.busy:
            found = "another question is being answered"
            raise ResourceError("a question was asked", found, "wait for it, or stop it")
        if not text.strip() or len(text) > LONGEST:
            found = f"it has {len(text)} characters"
            raise InputError("a question was asked", found, f"write 1 to {LONGEST:,} characters")
        paths = [self._room.file(self.key, name) for name in files]
        self.live, self.runs = Live(), set()
        started = datetime.now(UTC).isoformat()
        said = {"question": text, "files": list(files), "model": model, "started": started}
        self.tell("asked", **said)
        answering = self._answer(text, paths, model, started, request)
        self._task = asyncio.create_task(answering)

    def stop(self) -> None:
        """Stop what is under way, once however often it is asked; what is finished is kept."""
        if self._task is not None and not self._task.cancelling():
            self._task.cancel()

    def answer(self, which: str, said: Any) -> None:
        """Answer a question that was put to the person.

        Raises:
            InputError: nothing is asked under this name any more, or that is no answer to it.
        """
        kind, future = self._questions.get(which, (str, None))
        if future is None or future.done():
            found = "it was answered already, or is asked no more"
            raise InputError("a question was answered", found, "read the conversation anew")
        if not isinstance(said, kind):
            raise InputError("a question was answered", f"that is no {kind.__name__}", "")
        future.set_result(said)

    def close(self) -> None:
        """Let others go on with it."""
        if self._agent is not None:
            self._agent.close()
            self._agent = None

    @property
    def idle(self) -> bool:
        """Whether it holds what others could use."""
        return self._agent is not None and not self.busy

    # --- answering ---------------------------------------------------------------------------

    async def _answer(
        self, text: str, files: list[Path], model: str, started: str, request: Request | None
    ) -> None:
        """Answer a question, and tell of its end, whatever that is."""
        turn: dict[str, Any] | None = None
        try:
            session = await self._room.session()
            turn = await self._in_session(
                session, self._asked(session, text, files, model, request)
            )
        except asyncio.CancelledError:
            pass
        except GraficoError as error:
            turn = await self._last(started) or _unkept(text, model, started, error)
        except Exception as error:
            self._room.log(error)
            fault = GraficoError("a question was asked", f"a fault: {type(error).__name__}")
            turn = _unkept(text, model, started, fault)
        finally:
            for _, future in list(self._questions.values()):  # another thread takes them out
                future.cancel()
        if turn is None:  # stopped
            stopped = GraficoError("a question was asked", "it was stopped", "ask again to go on")
            turn = await self._last(started) or _unkept(text, model, started, stopped)
        self.touched = time.monotonic()
        self._task = None
        self.unkept += [turn] if turn.get("error") else []
        self.tell("done", turn=turn)
        self.live = Live()
        self._room.tell("listed")

    async def _in_session(self, session: Grafico, work: Coroutine[Any, Any, Any]) -> Any:
        """Return what a coroutine comes to in the session's loop, and wait until it has ended."""
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()

        async def run() -> Any:
            from workflows.trust.caller import Caller, asked_by

            _talk.set(self)
            try:
                with asked_by(Caller(folder=self._room.folder(self.key), door=DOOR)):
                    return await work
            finally:
                loop.call_soon_threadsafe(ended.set)

        future = asyncio.wrap_future(session.start(run))
        try:
            return await future
        except asyncio.CancelledError:
            future.cancel()
            await ended.wait()
            raise

    async def _asked(
        self,
        session: Grafico,
        text: str,
        files: list[Path],
        model: str,
        request: Request | None,
    ) -> dict[str, Any]:
        """Ask the agent, in the session's loop; return the turn."""
        from grafico.agent.model import named_model
        from grafico.agent.rules.model import call_of, plain_model
        from grafico.agent.rules.reader import Plan
        from grafico.serving.lines import Lines

        settings = session.settings
        chosen = named_model(model or settings.agent_model, settings.agent_base_url)
        if request is not None:
            chosen = plain_model()
            chosen.given[text] = Plan((call_of(request),))
        if self._agent is None:
            self._agent = self._opened(session)
        self._lines = Lines()
        try:
            reply: Reply = await self._agent.ask_async(text, files=files, model=chosen)
        finally:
            self._look_whether_stored()
        return self._room.turns(self.key)[-1] | {"notes": list(reply.notes)}

    def _opened(self, session: Grafico) -> Agent:
        from grafico.agent.agent import Agent
        from grafico.agent.rules.model import plain_model

        iri = self._room.iri(self.key)
        return Agent(
            plain_model(),
            session=session,
            folder=self._room.folder(self.key),
            ask=self._put,
            approve=self._agreed,
            door=DOOR,
            told=self._told,
            look=self._look,
            conversation=iri if self.stored else "",
            under="" if self.stored else iri,
        )

    async def _last(self, started: str) -> dict[str, Any] | None:
        """Return the last turn as it is kept, if it is the one that was asked just now."""
        try:
            turns = await asyncio.to_thread(self._room.turns, self.key)
        except GraficoError:
            return None
        return turns[-1] if turns and turns[-1]["started"] >= started else None

    # --- the person --------------------------------------------------------------------------

    async def _put(self, question: str, options: Sequence[str]) -> str | None:
        """Put a question of the model to the person."""
        return await self._wait(str, "question", text=question, options=list(options))

    async def _agreed(self, what: Approval) -> bool | None:
        """Have the person agree, or not."""
        return await self._wait(
            bool,
            "approval",
            tool=what.tool,
            arguments=dict(what.arguments),
            why=what.why,
            what=what.what,
            effects=sorted(what.effects),
        )

    async def _look(self) -> bytes:
        """Return a picture of what the viewer of this conversation shows, as PNG.

        Raises:
            ResourceError: no page has this conversation open, or it cannot take one.
        """
        from grafico.agent.viewer_tools import picture_of

        asked = "a picture of the viewer was asked for"
        advice = "have the conversation opened in a browser, or use show_structure"
        try:
            async with asyncio.timeout(LOOKING if self._room.journal.followed else 0.0):
                said: str = await self._wait(str, "look")
        except TimeoutError:
            raise ResourceError(asked, "no page shows this conversation", advice) from None
        content = picture_of(said)
        if isinstance(content, str):
            raise ResourceError(asked, content, advice)
        return content

    async def _wait(self, kind: type, k: str, **said: Any) -> Any:
        which: str = token_hex(6)
        future: Future[Any] = Future()
        self._questions[which] = (kind, future)
        self.tell(k, id=which, **said)
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._questions.pop(which, None)
            self.tell("answered", id=which)

    # --- news --------------------------------------------------------------------------------

    def tell(self, k: str, **said: Any) -> None:
        """Tell pages; from any thread."""
        self._room.journal.add({"c": self.key, "k": k, **_plain(said)}, self.live)

    def _told(self, news: Told) -> None:
        """Pass on what the agent tells."""
        from grafico.agent.turns import card, result

        self._look_whether_stored()
        match news.kind:
            case "tool":
                self.tell("tool", **card(news.call, news.subject, news.data))
            case "result":
                self.tell("result", call=news.call, name=news.subject, **result(news.data))
            case _:
                self.tell(news.kind, text=news.subject)

    def _look_whether_stored(self) -> None:
        """Tell pages when the conversation is in the store: with its first question."""
        if not self.stored and self._agent is not None and self._agent.conversation:
            self.stored = True
            self.tell("named", iri=self._room.iri(self.key), name="")
            self._room.tell("listed")

    def heard(self, event: Event, call: str) -> None:
        """Pass on what the executor tells; called where it happens."""
        run, data = event.where.run, event.data
        match event.kind:
            case "run":
                about = str(data.get("about") or "")
                self.runs.add(event.subject)
                self.tell("run", call=call, run=event.subject, about=about, goal=data["goal"])
            case "node":
                self.tell("step", call=call, run=run, index=data["index"], name=event.subject)
            case "progress":
                said = {name: data.get(name) for name in ("done", "total", "failed")}
                self.tell("progress", call=call, **said)
            case "frame":
                self._frame(run, data, call)
            case _:
                pass
        if self._lines is not None and (line := self._lines.line(event)):
            key = f"{run}:now" if self._lines.passes(event) else ""
            self.tell("line", call=call, text=line, key=key)

    def _frame(self, run: str, data: Mapping[str, Any], call: str) -> None:
        """Pass on a step of what goes on by steps, its geometry not too often."""
        if "step" not in data:
            return
        names = ("stage", "step", "energy", "max_gradient")
        said = {name: data[name] for name in names if name in data}
        now, seen = time.monotonic(), data.get("structure")
        if seen:
            whole = {"stage": "", **said, **{n: seen[n] for n in ("symbols", "positions")}}
            paths.keep(self._room.folder(self.key), run, whole)
        if seen and now - self._shown.get(run, 0.0) >= OFTEN:
            self._shown[run] = now
            said |= {"symbols": seen["symbols"], "positions": seen["positions"]}
        self.tell("frame", call=call, run=run, **said)


def _unkept(*said: Any) -> dict[str, Any]:
    from grafico.agent.turns import unkept  # not before: two threads cannot import it at once

    return unkept(*said)


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    from workflows.text.safe_text import printable_json

    numbers = {n: said[n] for n in ("positions", "symbols") if n in said}  # nothing to be cleaned
    return {**printable_json({n: v for n, v in said.items() if n not in numbers}), **numbers}
