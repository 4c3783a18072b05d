"""What pages ask for, and how each is answered: see `docs/page.md`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from triplestore.errors import GraficoError, InputError, NotFoundError, ResourceError

from . import paths
from .answering import answering, body, file_of, number_of
from .room import LARGEST, Room
from .talk import DOOR

if TYPE_CHECKING:
    from starlette.requests import Request

PAGE = Path(__file__).parent / "static"
"""The page, as it was built."""

MOST_ROWS = 500

OWN = ("iri", "of", "format", "file", "self", "action", "subject")
"""What is no field of the form of what writes a file."""


class Pages:
    """Answers what pages ask for.

    Args:
        room: the session and its conversations.
    """

    def __init__(self, room: Room) -> None:
        self._room = room

    # --- what there is -----------------------------------------------------------------------

    async def state(self, request: Request) -> Any:
        """Tell how things stand; at once, whatever is still being opened."""
        from triplestore.release import release

        room = self._room
        said: dict[str, Any] = {
            "release": release(),
            "ready": room.ready,
            "trouble": str(room.trouble) if room.trouble else "",
            "busy": room.busy,
            "at": room.journal.place,
        }
        if room.ready:
            said |= await asyncio.to_thread(self._known)
        return said

    def _known(self) -> dict[str, Any]:
        from grafico.agent.forms import examples, formats
        from grafico.agent.prompt import RULES

        session = self._room.opened
        return {
            "store": session.settings.store,
            "model": session.settings.agent_model or RULES,
            "models": [RULES],
            "examples": examples(),
            "formats": formats(),
        }

    async def stream(self, request: Request) -> Response:
        """Send what happens, as it happens."""
        since = request.query_params.get("since", "")
        kind = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        news = self._room.journal.follow(since)
        return StreamingResponse(news, media_type="text/event-stream", headers=kind)

    # --- conversations -----------------------------------------------------------------------

    async def talks(self, request: Request) -> Any:
        """List conversations, the latest first."""
        from grafico.agent.conversations import lines

        session = self._room.opened
        found = await asyncio.to_thread(lines, session.kg)
        word, busy = request.query_params.get("find", "").casefold(), set(self._room.busy)
        rows: list[dict[str, Any]] = []
        for one in found:
            if word not in one.name.casefold():
                continue
            key = one.conversation.rpartition("/")[2]
            rows.append({**one.as_dict(), "key": key, "iri": one.conversation, "busy": key in busy})
        return {"rows": rows[:MOST_ROWS], "more": len(rows) > MOST_ROWS}

    async def new_talk(self, request: Request) -> Any:
        """Begin a conversation; it is stored with its first question."""
        talk = await asyncio.to_thread(self._room.new)
        return {"key": talk.key}

    async def talk(self, request: Request) -> Any:
        """Tell all of a conversation, with what is under way, and from where to follow it."""
        talk = await asyncio.to_thread(self._room.talk, request.path_params["key"])
        busy, stored = talk.busy, talk.stored  # before the turns: nothing is missed
        live, place = self._room.journal.seen(talk.live)
        live = live if busy else []
        turns = await asyncio.to_thread(self._room.turns, talk.key) if stored else []
        if live and turns and turns[-1]["status"] == "cut off":  # it is under way
            turns.pop()
        turns = sorted([*turns, *talk.unkept], key=lambda turn: turn["started"])
        return {
            "key": talk.key,
            "iri": self._room.iri(talk.key),
            "name": await asyncio.to_thread(self._name, talk.key) if stored else "",
            "turns": turns,
            "live": live,
            "at": place,
            "busy": busy,
        }

    def _name(self, key: str) -> str:
        from grafico.agent.conversations import name_of
        from ontologies.conversation import Conversation

        kg = self._room.opened.kg
        return name_of(kg, kg.pull(Conversation, self._room.iri(key)))

    async def ask(self, request: Request) -> Any:
        """Begin to answer a question."""
        from grafico.agent.nodes import list_of, mapping_of

        said = await body(request)
        talk = await self._found(said)
        files = [str(one) for one in list_of(said.get("files"))]
        if files:
            await self._room.session()  # which knows where they lie
        text, request_made = str(said.get("text", "")), None
        if "request" in said:
            request_made, text = await self._made(talk.key, mapping_of(said["request"]))
        talk.ask(text, files, str(said.get("model") or ""), request_made)
        return {"key": talk.key}

    async def _made(self, key: str, said: Mapping[str, Any]) -> tuple[Any, str]:
        """Return the request that a form makes, and the command line that does the same."""
        from grafico.agent.forms import command_of, request_of

        session = await self._room.session()
        made = await asyncio.to_thread(self._as_page, key, lambda: request_of(session, said))
        return made, command_of(made)

    def _as_page(self, key: str, work: Callable[[], Any]) -> Any:
        """Do what reads files for a page: those of its conversation alone."""
        from workflows.trust.caller import Caller, asked_by

        with asked_by(Caller(folder=self._room.folder(key), door=DOOR)):
            return work()

    async def forms(self, request: Request) -> Any:
        """Tell what can be asked without words."""
        from grafico.agent.forms import forms

        return {"rows": await asyncio.to_thread(forms)}

    async def plan(self, request: Request) -> Any:
        """Tell what a request would do; nothing is computed but what reads it."""
        from grafico.agent.forms import plan_of
        from grafico.agent.nodes import mapping_of

        said = await body(request)
        session, talk = self._room.opened, await self._found(said)
        made, _ = await self._made(talk.key, mapping_of(said.get("request")))

        async def plan() -> Any:
            return await self._as_page(
                talk.key, lambda: asyncio.ensure_future(plan_of(session, made))
            )

        return await asyncio.wrap_future(session.start(plan))

    async def resume(self, request: Request) -> Any:
        """Go on with a run or a job; that takes no model."""
        from grafico.agent.prompt import RULES

        said = await body(request)
        talk = await self._found(said)
        talk.ask(f"resume {said.get('run', '')}", [], RULES)
        return {"key": talk.key}

    async def stop(self, request: Request) -> Any:
        """Stop what is under way in a conversation."""
        (await self._found(await body(request))).stop()
        return {}

    async def answer(self, request: Request) -> Any:
        """Answer what was asked in a conversation."""
        said = await body(request)
        (await self._found(said)).answer(str(said.get("id", "")), said.get("answer"))
        return {}

    async def rename(self, request: Request) -> Any:
        """Give a conversation a name."""
        from grafico.agent.conversations import rename

        said = await body(request)
        session, talk = self._room.opened, await self._found(said)
        name = str(said.get("name", ""))
        await asyncio.to_thread(rename, session, self._room.iri(talk.key), name)
        self._room.tell("listed")
        return {"key": talk.key, "name": name}

    async def export(self, request: Request) -> Response:
        """Give a conversation as Markdown."""
        from grafico.agent.conversations import find, transcript
        from workflows.text.safe_text import printable

        kg = self._room.opened.kg
        talk = await asyncio.to_thread(self._room.talk, request.path_params["key"])
        text = await asyncio.to_thread(lambda: transcript(kg, find(kg, self._room.iri(talk.key))))
        return file_of(printable(text), "text/markdown", "conversation.md")

    async def _found(self, said: dict[str, Any]) -> Any:
        key = str(said.get("key", ""))
        if (there := self._room.at_hand(key)) is not None:
            return there
        await self._room.session()
        return await asyncio.to_thread(self._room.talk, key)

    # --- files -------------------------------------------------------------------------------

    async def bring(self, request: Request) -> Any:
        """Take in a file for a conversation."""
        key, name = request.path_params["key"], request.path_params["name"]
        await self._found({"key": key})
        path = self._room.new_file(key, name)
        size = 0
        try:
            with path.open("xb") as file:
                async for part in request.stream():
                    size += len(part)
                    if size > LARGEST:
                        found = f"it has more than {LARGEST // 1_000_000} MB"
                        advice = "take out what is needed, or read it with the command line"
                        raise InputError(f"the file {name!r} was brought", found, advice)
                    await asyncio.to_thread(file.write, part)
            return {"name": path.name, "bytes": size, **await self._looked_at(key, path)}
        except BaseException as error:
            with suppress(OSError):
                path.unlink()  # it was not brought whole, or nobody can read it
            if isinstance(error, OSError):
                found = error.strerror or str(error)
                raise ResourceError(f"the file {name!r} was brought", found, "make room") from error
            raise

    async def _looked_at(self, key: str, path: Path) -> dict[str, Any]:
        """Tell what a file holds; what cannot be read is told now, and not with the question."""
        from grafico.agent.attachments import looked_at
        from grafico.views.objects import told_of
        from workflows.trust.caller import Caller, asked_by

        try:
            with asked_by(Caller(folder=self._room.folder(key), door=DOOR)):
                return await asyncio.to_thread(told_of, *await looked_at(path))
        except GraficoError as error:  # by its own name, as the person knows it
            asked = error.asked.replace(str(path), path.name)
            raise InputError(asked, error.found, error.advice) from error

    async def fetch(self, request: Request) -> Response:
        """Give a file of a conversation."""
        path = self._room.file(request.path_params["key"], request.path_params["name"])
        kind = "image/png" if path.suffix == ".png" else "application/octet-stream"
        return FileResponse(path, media_type=kind, filename=path.name)

    # --- runs and objects --------------------------------------------------------------------

    async def runs(self, request: Request) -> Any:
        """List runs, the latest first."""
        session = self._room.opened
        said = dict(request.query_params)
        limit = number_of(said.get("limit", "50"), 1, MOST_ROWS)
        names = ("since", "method", "basis", "workflow", "tag", "formula", "about", "status")
        only: dict[str, Any] = {name: said[name] for name in names if said.get(name)}
        found = await asyncio.to_thread(lambda: session.runs(limit + 1, withdrawn=True, **only))
        return {"rows": [vars(one) for one in found][:limit], "more": len(found) > limit}

    async def one(self, request: Request) -> Any:
        """Tell what is shown of a run or any other object."""
        from grafico.agent.forms import surfaces
        from grafico.views.objects import object_as_dict

        session, iri = self._asked(request)
        found = await asyncio.to_thread(object_as_dict, session, iri)
        way = [] if found["steps"] else await asyncio.to_thread(paths.kept, self._room.folders, iri)
        found["steps"] += sum(len(one["frames"]) for one in way)
        fields = await asyncio.to_thread(surfaces, session, found["iri"])
        return found | {"talk": self._room.busy_with(found["iri"]), "surfaces": fields}

    async def withdraw(self, request: Request) -> Any:
        """Say of a run that it is not to be relied upon, or that it is again."""
        said = await body(request)
        session, run = self._room.opened, str(said.get("run", ""))
        why, undo = str(said.get("why", ""))[:1000], said.get("undo") is True
        done = await asyncio.to_thread(session.withdraw, run, why=why, undo=undo)
        return {"marked": list(done.marked), "rest": [*done.runs, *done.activities]}

    async def jobs(self, request: Request) -> Any:
        """List what is computed elsewhere or later, and look after it."""
        from grafico.agent.job_tools import job_told, no_jobs

        session = self._room.opened
        if no_jobs(session.settings):
            return {"rows": []}
        found = await asyncio.wrap_future(session.start(session.jobs_async))
        return {"rows": [{**job_told(one), "ended": one.ended} for one in found[:MOST_ROWS]]}

    async def cancel(self, request: Request) -> Any:
        """End a job; what it has recorded is kept."""
        from grafico.agent.job_tools import job_told

        session, job = self._room.opened, str((await body(request)).get("job", ""))
        ended = await asyncio.wrap_future(session.start(lambda: session.cancel_async(job)))
        return {**job_told(ended), "ended": ended.ended}

    async def rests(self, request: Request) -> Any:
        """Tell what an object rests on."""
        from grafico.views.objects import ground

        return await asyncio.to_thread(ground, *self._asked(request))

    async def frames(self, request: Request) -> Any:
        """Give the geometries that are kept of an object, or through which a run went here."""
        from grafico.views.objects import frames

        session, iri = self._asked(request)
        found = await asyncio.to_thread(frames, session, iri)
        return {"stages": found or await asyncio.to_thread(paths.kept, self._room.folders, iri)}

    async def chart(self, request: Request) -> Response:
        """Draw a chart of an object."""
        from grafico.views.objects import chart_file, chart_of

        session, iri = self._asked(request)
        number = number_of(request.query_params.get("index", "0"), 0, 10_000)
        form = request.query_params.get("as", "svg")
        drawn = await asyncio.to_thread(chart_of, session, iri, number)
        made, kind = await asyncio.to_thread(chart_file, drawn, form)
        return file_of(made, kind, f"chart.{form}")

    async def structure(self, request: Request) -> Response:
        """Write an object, or what it is shown with (`of`), in a format."""
        from grafico.agent.forms import written
        from workflows.trust.caller import Caller

        session, iri = self._asked(request)
        said = {n: v for n, v in request.query_params.items() if n not in OWN}
        some = [iri, *([self._asked(request, "of")[1]] if "of" in request.query_params else [])]
        form = request.query_params.get("format", "xyz")
        writing = session.start(lambda: written(session, some, form, Caller(door=DOOR), **said))
        made = await asyncio.wrap_future(writing)
        if len(made) > LARGEST:
            found = f"it would have {len(made) // 1_000_000} MB"
            raise ResourceError("a file was asked for", found, "ask for less, or at the shell")
        return file_of(made, "application/octet-stream", f"structure.{form}")

    async def computing(self, request: Request) -> Any:
        """Tell what this machine is busy with."""
        from grafico.session.opened import machine_slots

        tokens = machine_slots(self._room.opened.settings).tokens
        assert tokens is not None
        held, queue = await asyncio.to_thread(lambda: (tokens.holders(), tokens.queue()))
        named = {(one.get("pid"), one.get("what"), one.get("since")): one for one in held}
        rows = [{**one, "state": "computes"} for one in named.values()]
        rows += [{**one, "state": "waits"} for one in queue]
        return {"rows": rows, "asked": self._room.asked}

    def _asked(self, request: Request, name: str = "iri") -> tuple[Any, str]:
        """Return the session and the IRI of an object: no name, which would be looked up."""
        from ogm.terms import BASE, full_iri

        iri = full_iri(request.query_params.get(name, ""))
        if not iri.startswith(BASE):
            asked = f"{iri[:100]!r} was asked for"
            raise NotFoundError(asked, "that is no IRI of Grafico", "give one (iri=g:id/…)")
        return self._room.opened, iri


def make_app(room: Room) -> Starlette:
    """Return the page and what it asks for, without who may ask."""
    pages = Pages(room)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        warming = asyncio.create_task(room.warm_up())
        try:
            yield
        finally:
            warming.cancel()
            with suppress(TimeoutError):
                await room.stop()
            await asyncio.to_thread(room.close)

    def get(path: str, function: Any, method: str = "GET", waits: bool = True) -> Route:
        return Route(path, answering(function, room, waits), methods=[method])

    return Starlette(
        lifespan=lifespan,
        routes=[
            get("/api/state", pages.state, waits=False),
            get("/api/stream", pages.stream, waits=False),
            get("/api/conversations", pages.talks),
            get("/api/conversations", pages.new_talk, "POST", waits=False),
            get("/api/conversations/{key}", pages.talk),
            get("/api/ask", pages.ask, "POST", waits=False),
            get("/api/forms", pages.forms),
            get("/api/plan", pages.plan, "POST"),
            get("/api/resume", pages.resume, "POST"),
            get("/api/withdraw", pages.withdraw, "POST"),
            get("/api/jobs", pages.jobs),
            get("/api/cancel", pages.cancel, "POST"),
            get("/api/stop", pages.stop, "POST", waits=False),
            get("/api/answer", pages.answer, "POST", waits=False),
            get("/api/rename", pages.rename, "POST"),
            get("/api/export/{key}", pages.export),
            get("/api/files/{key}/{name}", pages.bring, "PUT"),
            get("/api/files/{key}/{name}", pages.fetch),
            get("/api/runs", pages.runs),
            get("/api/objects", pages.one),
            get("/api/rests", pages.rests),
            get("/api/frames", pages.frames),
            get("/api/chart", pages.chart),
            get("/api/structure", pages.structure),
            get("/api/computing", pages.computing),
            Mount("/", StaticFiles(directory=PAGE, html=True, check_dir=False)),
        ],
    )
