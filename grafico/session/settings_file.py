"""A file of settings: read once, and whether somebody else could have written it."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from triplestore.errors import InputError

MOST = 64_000
"""Bytes of a file: the settings that there are take a few thousand."""

LONGEST, DEEPEST = 4000, 8
"""Characters of a line, and tables in each other: the time to read TOML grows with their square."""


@dataclass(frozen=True)
class SettingsFile:
    """What a file of settings says.

    Attributes:
        path: as it is told.
        place: where it was found: its name in the folder, without links on the way there.
        data: what it says, by name.
        identity: device and number of the file, behind all links.
        flaw: why somebody else could have written it; empty if nobody could.
    """

    path: Path
    place: str
    data: dict[str, Any]
    identity: tuple[int, int]
    flaw: str


def read_file(path: Path, owners: Collection[int]) -> SettingsFile | None:
    """Return what a file says; None if there is none. It is opened once, and read from that alone.

    Args:
        path: of the file.
        owners: numbers of the users to whom it may belong.

    Raises:
        InputError: it cannot be read, is no ordinary file, too large, or not TOML.
    """
    asked = f"cannot read the settings in {path}"
    try:
        # a pipe would wait for somebody who writes, a terminal become ours
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(asked, error.strerror or str(error), _MEND) from error
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise InputError(asked, "it is no ordinary file", "move it away")
        with os.fdopen(file, "rb", closefd=False) as opened:
            content = opened.read(MOST + 1)
        place = os.path.join(os.path.realpath(path.parent), path.name)
        flaw = _flaw(status, owners) or _open_folder(place) or _open_folder(os.path.realpath(path))
    except OSError as error:
        raise InputError(asked, error.strerror or str(error), _MEND) from error
    finally:
        os.close(file)
    return SettingsFile(path, place, _parsed(content, asked), (status.st_dev, status.st_ino), flaw)


_MEND = "mend the file, or move it away"


def _parsed(content: bytes, asked: str) -> dict[str, Any]:
    if len(content) > MOST:
        raise InputError(asked, f"it has more than {MOST:,} bytes", _MEND)
    if any(len(line) > LONGEST for line in content.splitlines()):
        raise InputError(asked, f"a line has more than {LONGEST:,} bytes", _MEND)
    try:
        data = tomllib.loads(content.decode())
    except RecursionError as error:
        raise InputError(asked, "it is nested too deeply", _MEND) from error
    except ValueError as error:
        raise InputError(asked, str(error), _MEND) from error
    layer: list[Any] = [data]
    for _ in range(DEEPEST):
        layer = [inner for one in layer for inner in _inside(one)]
    if layer:
        raise InputError(asked, "it is nested too deeply", _MEND)
    return data


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(cast("dict[str, Any]", value).values())
    return cast("list[Any]", value) if isinstance(value, list) else []


def _flaw(status: os.stat_result, owners: Collection[int]) -> str:
    if status.st_uid not in owners:
        return f"it belongs to another user (number {status.st_uid})"
    if status.st_mode & stat.S_IWOTH:
        return "everybody may write into it (chmod o-w)"
    return ""


def _open_folder(place: str) -> str:
    """Return why everybody could put another file in its place; empty if nobody could."""
    for folder in Path(place).parents:
        mode = folder.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"everybody may put another in its place, in {folder} (chmod o-w)"
    return ""
