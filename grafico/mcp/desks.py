"""`Desks`: what the clients of a server work at, each with a folder of its own."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from grafico.agent.desk import Desk

from .calls import approve, ask

if TYPE_CHECKING:
    from grafico.agent.desk import Approval
    from grafico.session.client import Grafico

KEPT = 1800.0
"""Seconds that a folder of a client is kept which nobody uses, and the files in it."""


WARM = 4
"""Interpreters that are kept warm for clients who are away; each holds about 150 MB."""


@dataclass
class _Seat:
    desk: Desk
    using: int = 0
    used: float = 0.0


class Desks:
    """The desks of all clients.

    Args:
        session: what they share.
        folder: of the only client; None where there are several, who get temporary ones.
        yes: agree to what needs a person's yes.
    """

    def __init__(self, session: Grafico, folder: Path | None, yes: bool) -> None:
        self._session, self._folder, self._yes = session, folder, yes
        self._home = None if folder else tempfile.TemporaryDirectory(prefix="grafico-mcp-")
        self._seats: dict[str, _Seat] = {}
        self._files: dict[str, Path] = {}

    @contextmanager
    def at(self, client: str | None) -> Generator[Desk]:
        """Be at a client's desk.

        Args:
            client: who it is; None for one who cannot be known again. Their files are kept for a
                time all the same.
        """
        self._tidy()
        name = client if client is not None else token_urlsafe()
        seat = self._seats.get(name)
        if seat is None:
            seat = self._seats[name] = _Seat(self._new_desk())
        seat.using += 1
        try:
            yield seat.desk
        finally:
            seat.using -= 1
            seat.used = time.monotonic()
            away = [one for one in self._seats.values() if not one.using]
            for other in sorted(away, key=lambda one: one.used)[:-WARM]:
                other.desk.rest()
            if client is None:
                seat.desk.close()
                with suppress(OSError):  # there are files in it
                    seat.desk.folder.rmdir()
                    del self._seats[name]

    def _new_desk(self) -> Desk:
        home = self._home.name if self._home else None
        folder = self._folder or Path(tempfile.mkdtemp(dir=home))
        return Desk(self._session, folder, ask=ask, approve=agree if self._yes else approve)

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
        for name, seat in list(self._seats.items()):
            if not seat.using and now - seat.used > KEPT:
                del self._seats[name]
                seat.desk.close()
                shutil.rmtree(seat.desk.folder, ignore_errors=True)
        self._files = {name: path for name, path in self._files.items() if path.exists()}

    def close(self) -> None:
        """End what runs for them and remove what was temporary."""
        for seat in self._seats.values():
            seat.desk.close()
        self._seats.clear()
        if self._home is not None:
            self._home.cleanup()


def agree(_: Approval) -> bool:
    """Agree, whatever it is."""
    return True
