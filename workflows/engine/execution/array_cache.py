"""`ArrayCache`: arrays that a domain may remember between calculations, and may lose at any moment.

It only ever saves time: an answer must be the same with and without it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_FILES = 64
MOST_BYTES = 512_000_000


class ArrayCache:
    """Sets of arrays by key, in a folder that holds so many and no more; the oldest go first.

    Args:
        folder: shared by workers; None to remember nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, NDArray[Any]] | None:
        """Return what was kept by that key; None if it is not there (any more)."""
        if self.folder is None:
            return None
        path = self.folder / f"{key}.npz"
        arrays = load(path)
        if arrays is not None:
            with suppress(OSError):
                os.utime(path)
        return arrays

    def put(self, key: str, arrays: Mapping[str, Any]) -> None:
        """Keep arrays; a disk that is full keeps nothing."""
        if self.folder is None:
            return
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, exist_ok=True)
            save(self.folder / f"{key}.npz", arrays)
            self._prune(self.folder)

    def _prune(self, folder: Path) -> None:
        entries: list[tuple[float, int, str]] = []
        with os.scandir(folder) as found:
            for entry in found:
                with suppress(OSError):
                    stat = entry.stat()
                    entries.append((stat.st_mtime, stat.st_size, entry.path))
        total = sum(size for _, size, _ in entries)
        left = len(entries)
        for _, size, path in sorted(entries)[:-1]:
            if left <= MOST_FILES and total <= MOST_BYTES:
                return
            with suppress(OSError):
                os.unlink(path)
            left, total = left - 1, total - size


def save(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays into a file that appears whole or not at all."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def load(path: Path) -> dict[str, NDArray[Any]] | None:
    """Read such a file; None if there is none, or it is broken."""
    try:
        with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except Exception:  # a damaged file makes NumPy and zipfile raise nearly anything
        return None
