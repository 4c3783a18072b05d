"""`Tokens`: the tokens of a machine, shared by all processes of one user.

::

    mutex          held while somebody looks or takes, for less than a few milliseconds
    token/NAME     locked by who holds the token; says who that is
    queue/NUMBER   locked by who waits, in the order of the numbers

All locks are the kernel's, so that they are free again when their holder dies, however it dies.
Who waits touches its ticket at each look, so that one that was stopped (Ctrl-Z) holds nobody up:
it is passed over while it is silent, and keeps its place for when it goes on. Processes of other
users, or in other containers, have tokens of their own.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from triplestore.broker.folder import flaw_of
from triplestore.errors import ResourceError

LENGTH = 1024
"""Bytes of what the holder of a token says."""

SILENT = 3.0
"""Seconds after which one that waits and does not look is passed over: about sixty looks."""


def runtime_folder(purpose: str) -> Path:
    """Return a folder of this user on this machine, for as long as the login lasts."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and os.path.isdir(runtime) and os.access(runtime, os.W_OK):
        return Path(runtime) / f"grafico-{purpose}"
    return Path(tempfile.gettempdir()) / f"grafico-{purpose}-{os.geteuid()}"


def tokens_folder() -> Path:
    """Return the folder of this user's tokens on this machine."""
    return runtime_folder("slots")


class Tokens:
    """Who holds which token, and who waits.

    Args:
        folder: shared by those who share the machine.

    Raises:
        ResourceError: the folder cannot be made, is a link, or is not this user's alone.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._make()
        except OSError as error:
            problem = error.strerror or str(error)
            raise _unusable(folder, problem) from error

    def _make(self) -> None:
        """Make the folder where it is missing, and look whose it is before anything is put there.

        In the temporary folder its name can be guessed: another user may have been there first,
        with a link to a folder of ours, or with a folder in which files come and go as they like.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if flaw := flaw_of(self.folder):
            raise _unusable(self.folder, f"{flaw}, so another user could change what lies there")
        for place in (self.folder / "token", self.folder / "queue"):
            place.mkdir(mode=0o700, exist_ok=True)

    @contextmanager
    def alone(self) -> Generator[None]:
        """Look and take without anybody else doing so."""
        with suppress(OSError):
            self._make()  # a login that ends takes the folder along, and what runs on goes on
        mutex = self._mutex()
        try:
            yield
        finally:
            os.close(mutex)

    def _mutex(self) -> int:
        path, until = self.folder / "mutex", time.monotonic() + SILENT
        while True:
            mutex = self._open("mutex")
            with suppress(FileNotFoundError):
                try:
                    fcntl.flock(mutex, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if os.path.samestat(os.fstat(mutex), path.stat()):
                        return mutex
                except BlockingIOError:
                    same = os.path.samestat(os.fstat(mutex), path.stat())
                    if same and time.monotonic() > until:  # its holder was stopped just there
                        path.unlink()
            os.close(mutex)
            time.sleep(0.0005)

    def free(self, names: Iterable[str]) -> list[str]:
        """Return those of the tokens that nobody holds; to be asked when alone."""
        return [name for name in names if self._holder("token/" + name) is None]

    def hold(self, name: str, about: dict[str, Any]) -> int:
        """Take a free token; close what is returned to give it back.

        Raises:
            BlockingIOError: this process was stopped while it was alone, and somebody took it.
        """
        return self._take("token/" + name, about)

    def wait(self, kind: str, about: dict[str, Any]) -> tuple[str, int]:
        """Stand in the queue of a kind of token; close the second part to leave it."""
        numbers = [int(n.partition("-")[0]) for n in self._names("queue")]
        name = f"{max(numbers, default=0) + 1:08d}-{kind}"
        return name, self._take("queue/" + name, about)

    def look(self, ticket: tuple[str, int]) -> None:
        """Say that the holder of a ticket still waits."""
        with suppress(OSError):
            os.utime(ticket[1])

    def leave(self, ticket: tuple[str, int]) -> None:
        """Leave the queue."""
        with suppress(OSError):
            (self.folder / "queue" / ticket[0]).unlink(missing_ok=True)
        os.close(ticket[1])

    def is_first(self, kind: str, ticket: str | None) -> bool:
        """Whether nobody stands before the holder of a ticket, or at all; to be asked alone."""
        for name in self._names("queue"):
            if name == ticket:
                return True
            if not name.endswith("-" + kind):
                continue
            if self._holder("queue/" + name) is None:  # of one who died
                (self.folder / "queue" / name).unlink(missing_ok=True)
            elif not self._silent("queue/" + name):
                return False
        return True

    def _silent(self, name: str) -> bool:
        """Whether who waits has not looked for a while: it was stopped, or its program hangs."""
        with suppress(OSError):
            # either way, should the clock be set back
            return abs(time.time() - (self.folder / name).stat().st_mtime) > SILENT
        return True

    def holders(self) -> list[dict[str, Any]]:
        """Return what is held: token, pid, what for, since when."""
        return self._told("token")

    def queue(self) -> list[dict[str, Any]]:
        """Return who waits, in order, and whether it is `silent` and so passed over."""
        told = self._told("queue")
        return [{**one, "silent": self._silent("queue/" + one["token"])} for one in told]

    def _told(self, place: str) -> list[dict[str, Any]]:
        with self.alone():
            told = [(n, self._holder(f"{place}/{n}")) for n in self._names(place)]
        return [{"token": name, **about} for name, about in told if about is not None]

    def _names(self, place: str) -> list[str]:
        return sorted(path.name for path in (self.folder / place).iterdir())

    def _take(self, name: str, about: dict[str, Any]) -> int:
        lock = self._open(name)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            since = datetime.now(UTC).isoformat(timespec="seconds")
            text = json.dumps({"pid": os.getpid(), "since": since, **about})
            # of one length, because cutting a file first takes milliseconds on some file systems
            os.pwrite(lock, text.encode().ljust(LENGTH), 0)
        except BaseException:
            os.close(lock)
            raise
        return lock

    def _holder(self, name: str) -> dict[str, Any] | None:
        """Return what a token's holder says, None if there is none."""
        try:
            lock = os.open(self.folder / name, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with suppress(ValueError):
                return dict(json.loads(os.pread(lock, LENGTH, 0)))
            return {}
        finally:
            os.close(lock)
        return None

    def _open(self, name: str) -> int:
        try:
            return os.open(self.folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _unusable(self.folder, error.strerror or str(error)) from error


def _unusable(folder: Path, found: str) -> ResourceError:
    return ResourceError(
        f"the slots of this machine are kept in {folder}, which cannot be used",
        found,
        "remove it, or free space or permission there, or set XDG_RUNTIME_DIR or TMPDIR to a folder"
        " of your own",
    )
