"""`LogFile`: what a program prints, kept within bounds."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

HALF = 256 * 1024
"""Bytes of each of the two files that a log may fill: the current one and the one before."""

NAME, FORMER = "log.txt", "log.1.txt"


class LogFile:
    """The log of a task folder; nothing is written before something is printed.

    When `log.txt` is full it becomes `log.1.txt`, in the place of an earlier one, so that the end
    of what was printed is always there, whatever a program prints in all.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._file = -1
        self._size = 0

    def write(self, text: bytes) -> None:
        """Add to the log; a disk that is full loses the text and disturbs nobody."""
        with suppress(OSError):
            if self._size >= HALF:
                self.close()
                os.replace(self._path, self._path.with_name(FORMER))
            if self._file < 0:
                flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
                self._file = os.open(self._path, flags, 0o600)
                self._size = os.fstat(self._file).st_size
            self._size += os.write(self._file, text[-HALF:])

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file, self._size = -1, 0


def tail(folder: Path, lines: int = 10, width: int = 500) -> str:
    """Return the last lines that a program printed, long ones cut."""
    text = b""
    for name in (FORMER, NAME):
        with suppress(OSError), open(folder / name, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - lines * width))
            text += file.read()
    last = text.decode(errors="replace").splitlines()[-lines:]
    return "\n".join(line[-width:] for line in last).strip()
