"""`ClientContexts`: the tool context of each client of a server, with a folder of its own."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from grafico.agent.context import ToolContext, agreeing_beforehand
from triplestore.errors import TrustError

from .calls import Questions, approve, ask
from .shares import Shares

if TYPE_CHECKING:
    from grafico.session.client import Grafico

KEPT = 1800.0
"""Seconds that a folder of a client is kept which nobody uses, and the files in it."""


WARM = 4
"""Interpreters that are kept warm for clients who are away; each holds about 150 MB."""


@dataclass
class _Client:
    context: ToolContext
    using: int = 0
    used: float = 0.0


class ClientContexts:
    """The contexts of all clients.

    Args:
        session: what they share.
        folder: of the only client; None where there are several, who get temporary ones.
        yes: agree to what can be agreed to beforehand.
    """

    def __init__(self, session: Grafico, folder: Path | None, yes: bool) -> None:
        self._session, self._folder, self._yes = session, folder, yes
        self._home = None if folder else tempfile.TemporaryDirectory(prefix="grafico-mcp-")
        self.questions = Questions()
        self._clients: dict[str, _Client] = {}
        self._shares = Shares()
        self._files: dict[str, Path] = {}

    @property
    def trusted(self) -> tuple[str, ...]:
        """Names of clients whose answers are taken for a person's, as that one has said."""
        try:
            return self._session.settings.trusted_clients
        except TrustError:  # it stands in a file whose word it is not
            return ()

    @asynccontextmanager
    async def share(self, client: str | None) -> AsyncGenerator[None]:
        """Wait until it is a client's turn; those who cannot be known again have one share."""
        if self._home is None:  # there is no other
            yield
            return
        async with self._shares.share("unknown" if client is None else f"of {client}"):
            yield

    @contextmanager
    def at(self, client: str | None) -> Generator[ToolContext]:
        """Work in the context of a client.

        Args:
            client: who it is; None for one who cannot be known again. Their files are kept for a
                time all the same.
        """
        self._tidy()
        name = client if client is not None else token_urlsafe()
        served = self._clients.get(name)
        if served is None:
            served = self._clients[name] = _Client(self._new_context())
        served.using += 1
        try:
            yield served.context
        finally:
            served.using -= 1
            served.used = time.monotonic()
            away = [one for one in self._clients.values() if not one.using]
            for other in sorted(away, key=lambda one: one.used)[:-WARM]:
                other.context.rest()
            if client is None:
                served.context.close()
                with suppress(OSError):  # there are files in it
                    served.context.folder.rmdir()
                    del self._clients[name]

    def _new_context(self) -> ToolContext:
        home = self._home.name if self._home else None
        folder = self._folder or Path(tempfile.mkdtemp(dir=home))
        asks = agreeing_beforehand(approve) if self._yes else approve
        return ToolContext(self._session, folder, ask=ask, approve=asks, door="an MCP client")

    def offer(self, path: Path) -> str:
        """Return a name under which a file can be had that nobody can guess."""
        name = f"{token_urlsafe()}/{path.name}"
        self._files[name] = path
        return name

    def file(self, name: str) -> Path | None:
        """Return the file that was offered under a name, if it is still there."""
        path = self._files.get(name)
        return path if path is not None and path.is_file() else None

    def _tidy(self) -> None:
        """Forget those who have not been here for long."""
        if self._home is None:
            return
        now = time.monotonic()
        for name, served in list(self._clients.items()):
            if not served.using and now - served.used > KEPT:
                del self._clients[name]
                served.context.close()
                shutil.rmtree(served.context.folder, ignore_errors=True)
        self._files = {name: path for name, path in self._files.items() if path.exists()}

    def close(self) -> None:
        """End what runs for them and remove what was temporary."""
        for served in self._clients.values():
            served.context.close()
        self._clients.clear()
        if self._home is not None:
            self._home.cleanup()
