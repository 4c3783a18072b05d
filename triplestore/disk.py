"""Files that outlive a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def synchronise(path: Path) -> None:
    """Bring a file's content, or a folder's list of names, to the disk.

    Raises:
        OSError: the disk is full or broken, or nothing is there.
    """
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
