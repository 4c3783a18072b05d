"""Who is at work in a conversation: one program at a time, and only while it lives."""

from __future__ import annotations

import fcntl
import json
import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from triplestore.errors import ResourceError

FOLDER = "conversations"
"""Beside the store: a file for each conversation in which somebody is or was at work."""


class InUse:
    """A conversation that is held by this program, until it is closed or ends, however it ends.

    Args:
        path: of the file that says who holds it.
        handle: of that file, which is locked.
    """

    def __init__(self, path: Path, handle: int) -> None:
        self._path, self._handle = path, handle

    @classmethod
    def hold(cls, home: Path | None, conversation: str, name: str) -> Self | None:
        """Hold a conversation; None where nothing lies beside the store, as of one in memory.

        Args:
            home: the folder beside the store.
            conversation: its IRI.
            name: what it is called.

        Raises:
            ResourceError: a program that lives is at work in it.
        """
        if home is None:
            return None
        path = home / FOLDER / f"{conversation.rpartition('/')[2]}.lock"
        while True:
            try:
                path.parent.mkdir(mode=0o700, exist_ok=True)
                handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            except OSError as error:
                raise ResourceError(
                    f"the conversation {name!r} was asked for",
                    f"it cannot be told whether somebody is at work in it: {path} cannot be opened "
                    f"({error.strerror})",
                    "make room there, or change its permissions",
                ) from error
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                who = _who(handle)
                os.close(handle)
                raise ResourceError(
                    f"the conversation {name!r} was asked for",
                    f"{who} is at work in it",
                    "go on there, or end it; or begin another conversation here",
                ) from error
            if _is_there(path, handle):
                break
            os.close(handle)  # whoever held it before has just removed it
        said = {
            "pid": os.getpid(),
            "host": platform.node(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with suppress(OSError):  # a full disk: the lock counts
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps(said).encode(), 0)
        return cls(path, handle)

    def close(self) -> None:
        """Let others go on with it."""
        if self._handle >= 0:
            with suppress(OSError):
                self._path.unlink()
            os.close(self._handle)
            self._handle = -1

    def __del__(self) -> None:
        self.close()


def _is_there(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except OSError:
        return False


def _who(handle: int) -> str:
    try:
        said = json.loads(os.pread(handle, 1000, 0))
        return f"the process {said['pid']} on {said['host']} (since {said['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another program"
