"""What saves doing something again, kept in the user's cache: bounded, and forgotten by age."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

MOST_BYTES = 500_000_000
"""Of one folder; what was asked for longest ago goes first."""


@dataclass(frozen=True)
class Kept:
    """A folder of the user's cache.

    A file appears whole or not at all, and may be gone at any time: who reads one checks it, and
    makes it anew where it is not what was kept.

    Attributes:
        name: of the folder.
        most: bytes that it holds.
    """

    name: str
    most: int = MOST_BYTES

    @property
    def folder(self) -> Path:
        """Where it is."""
        return platformdirs.user_cache_path("grafico") / self.name

    def read(self, key: str) -> bytes | None:
        """Return what is kept under the name of a file; None where nothing is."""
        file = self.folder / key
        with suppress(OSError):
            content = file.read_bytes()
            os.utime(file)
            return content
        return None

    def write(self, contents: Mapping[str, bytes]) -> None:
        """Keep contents under the names of files, and forget what is too much.

        Where there is no room, or no folder can be made, nothing is kept.
        """
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for key, content in contents.items():
                number, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
                try:
                    with os.fdopen(number, "wb") as stream:
                        stream.write(content)
                    os.replace(name, self.folder / key)
                except BaseException:
                    os.unlink(name)
                    raise
            self._forget()

    def drop(self, key: str) -> None:
        """Forget what is kept under a name."""
        with suppress(OSError):
            (self.folder / key).unlink(missing_ok=True)

    def _forget(self) -> None:
        with os.scandir(self.folder) as there:
            found = [(one.stat(), one.path) for one in there if one.is_file(follow_symlinks=False)]
        over = sum(one.st_size for one, _ in found) - self.most
        for one, path in sorted(found, key=lambda each: each[0].st_mtime_ns):
            if over <= 0:
                break
            with suppress(OSError):  # somebody else has just forgotten it
                os.unlink(path)
            over -= one.st_size
