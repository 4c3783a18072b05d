"""`Room`: the session that all pages share, and the conversations in it."""

from __future__ import annotations

import asyncio
import logging
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triplestore.errors import GraficoError, InputError, NotFoundError, ResourceError

from .journal import Journal
from .talk import Talk, talk_here

if TYPE_CHECKING:
    from grafico.session.client import Grafico
    from workflows.engine import Event

KEY = re.compile(r"[0-9a-f-]{36}")
"""Last part of the IRI of a conversation."""

FOLDER = "conversations"
"""Beside the store: a folder for the files of each conversation."""

LARGEST = 50_000_000
"""Bytes of a file that a page brings."""

MOST_FILES = 1000
"""Files of a conversation."""

NAME = re.compile(r"[^/\\\x00-\x1f]{1,200}")

WARM, AWAY = 4, 600.0
"""Conversations that are kept at hand, and seconds after which others can go on with them."""

_log = logging.getLogger(__name__)


class Room:
    """What all pages share, opened when first needed.

    Args:
        opened: opens the session.
    """

    def __init__(self, opened: Callable[[], Grafico]) -> None:
        self._opened = opened
        self.journal = Journal()
        self.trouble: GraficoError | None = None
        self._session: Grafico | None = None
        self._opening = asyncio.Lock()
        self._talks: dict[str, Talk] = {}
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    # --- the session -------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether the session is open."""
        return self._session is not None

    async def session(self) -> Grafico:
        """Return the session.

        Raises:
            GraficoError: it cannot be opened now; the next request tries again.
        """
        async with self._opening:
            if self._session is None:
                try:
                    self._session = await asyncio.to_thread(self._open)
                except GraficoError as error:
                    self.trouble = error
                    raise
                self.trouble = None
                self.tell("ready")
            return self._session

    def _open(self) -> Grafico:
        for name in ("agent.agent", "agent.turns", "agent.forms", "views.objects"):
            import_module(f"grafico.{name}")  # what a first question would wait for
        session = self._opened()
        session.executor.events.join(Relay())
        return session

    @property
    def opened(self) -> Grafico:
        """The session, which is open.

        Raises:
            ResourceError: it is not.
        """
        if self._session is None:
            raise ResourceError("the store was to be read", "it is not open yet", "wait a moment")
        return self._session

    async def warm_up(self) -> None:
        """Open what will be needed soon; look now and then who is away."""
        with suppress(GraficoError):  # whoever needs it will be told
            await self.session()
        while True:
            await asyncio.sleep(AWAY / 10)
            self._tidy()

    def close(self) -> None:
        """End everything."""
        for talk in self._talks.values():
            talk.close()
        if self._session is not None:
            self._session.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def log(self, error: BaseException) -> None:
        """Keep what should not have happened for whoever looks for it."""
        _log.error("a request of a page failed", exc_info=error)

    def tell(self, k: str) -> None:
        """Tell all pages."""
        self.journal.add({"c": "", "k": k})

    # --- conversations -----------------------------------------------------------------------

    def iri(self, key: str) -> str:
        """Return the IRI of a conversation."""
        from ogm.terms import class_iri

        return class_iri("Conversation", key)

    def new(self) -> Talk:
        """Return a new conversation, which is stored with its first question."""
        from ogm.terms import time_ordered_id

        key = time_ordered_id()
        talk = self._talks[key] = Talk(self, key, stored=False)
        return talk

    def talk(self, key: str) -> Talk:
        """Return a conversation.

        Raises:
            NotFoundError: there is none of that name.
        """
        talk = self._talks.get(key)
        if talk is None:
            if not KEY.fullmatch(key) or not self._is_stored(key):
                asked = f"the conversation {key[:100]!r} was asked for"
                raise NotFoundError(asked, "there is none of that name", "choose one of the list")
            talk = self._talks.setdefault(key, Talk(self, key, stored=True))
        return talk

    def at_hand(self, key: str) -> Talk | None:
        """Return a conversation that some page has open; None for another one."""
        return self._talks.get(key)

    def _is_stored(self, key: str) -> bool:
        from ontologies.conversation import Conversation

        try:
            self.opened.kg.pull(Conversation, self.iri(key))
        except NotFoundError:
            return False
        return True

    def turns(self, key: str) -> list[dict[str, Any]]:
        """Return the questions of a conversation that are stored."""
        from grafico.agent.conversations import answers
        from grafico.agent.turns import turn_as_dict
        from ontologies.conversation import Conversation

        kg = self.opened.kg
        return [turn_as_dict(kg, one) for one in answers(kg, kg.pull(Conversation, self.iri(key)))]

    def _tidy(self) -> None:
        """Let others go on with conversations in which nothing has happened for long."""
        now = time.monotonic()
        idle = sorted((t for t in self._talks.values() if t.idle), key=lambda one: one.touched)
        for number, talk in enumerate(reversed(idle)):
            if number >= WARM or now - talk.touched > AWAY:
                talk.close()

    @property
    def busy(self) -> list[str]:
        """Conversations in which a question is being answered."""
        return [key for key, talk in self._talks.items() if talk.busy]

    def busy_with(self, run: str) -> str:
        """Return the conversation for which a run goes on here; empty for none."""
        return next((key for key, one in self._talks.items() if one.busy and run in one.runs), "")

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What is being answered: conversation, question, since when, and the runs of it so far."""
        busy = [(key, one) for key, one in self._talks.items() if one.busy and one.live.news]
        return [{**one.live.news[0], "key": key, "runs": sorted(one.runs)} for key, one in busy]

    async def stop(self) -> None:
        """Stop all that is under way."""
        for talk in self._talks.values():
            talk.stop()
        async with asyncio.timeout(10):
            while self.busy:
                await asyncio.sleep(0.05)

    # --- files -------------------------------------------------------------------------------

    @property
    def folders(self) -> Path:
        """Where the folders of conversations lie."""
        home = self.opened.kg.store.home
        if home is None:
            self._temporary = self._temporary or tempfile.TemporaryDirectory(prefix="grafico-page-")
            home = Path(self._temporary.name)
        return home / FOLDER

    def folder(self, key: str) -> Path:
        """Return the folder of a conversation, the only one that it may read and write.

        Raises:
            ResourceError: it cannot be made, as where the store is gone.
        """
        folder = self.folders / key
        try:
            for one in (folder.parent, folder):  # not the store's own: it may come back
                one.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            asked = f"the folder {folder} was to be made"
            found, advice = error.strerror or str(error), "look whether its disk is there"
            raise ResourceError(asked, found, advice) from error
        return folder

    def file(self, key: str, name: str) -> Path:
        """Return a file of a conversation.

        Raises:
            NotFoundError: there is none of that name.
        """
        folder = self.folder(key)
        path = (folder / name).resolve() if NAME.fullmatch(name) else folder
        if path.parent != folder.resolve() or name.startswith(".") or not path.is_file():
            asked = f"the file {name[:100]!r} was asked for"
            raise NotFoundError(asked, "this conversation has none of that name", "bring it first")
        return path

    def new_file(self, key: str, name: str) -> Path:
        """Return where a file goes that a page brings; one of that name is not replaced.

        Raises:
            InputError: no file can be called so.
            ResourceError: there are too many.
        """
        if not NAME.fullmatch(name) or name.startswith(".") or len(name.encode()) > 200:
            raise InputError(f"the file {name[:100]!r} was brought", "it cannot be called so", "")
        folder = self.folder(key)
        if sum(1 for _ in folder.iterdir()) >= MOST_FILES:
            found = f"this conversation has {MOST_FILES:,} files already"
            raise ResourceError("a file was brought", found, "begin another conversation")
        path, number = folder / name, 1
        while path.exists():
            number += 1
            path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        return path


class Relay:
    """Passes what the executor tells on to the conversation that it happens for."""

    def put(self, event: Event) -> None:
        """Pass an event on; called where it happens."""
        from grafico.agent.context import tool_call

        if (talk := talk_here()) is not None:
            talk.heard(event, tool_call())

    def close(self) -> None:
        """Hear no more."""
