"""Writing a file atomically: it appears whole or not at all."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from triplestore.disk import synchronise
from triplestore.errors import InputError, ResourceError
from triplestore.quads import disk_error


@contextmanager
def new_file(path: Path, *, overwrite: bool, private: bool) -> Generator[IO[bytes]]:
    """Write a file that appears whole or not at all, and is on disk when it appears.

    It grows beside its place under a name of its own (``.NAME.part``), which is locked: of two who
    write the same file one is refused, and what a killed one left is taken over.

    Args:
        path: the file.
        overwrite: replace one that exists.
        private: readable by its owner alone, whatever the umask says.

    Raises:
        InputError: it exists, is no ordinary file, or its folder does not exist.
        ResourceError: the disk is full, or another process is writing it.
    """
    asked = f"cannot write {path}"
    if not path.parent.is_dir():
        raise InputError(asked, f"there is no folder {path.parent}", "make it, or choose another")
    if os.path.lexists(path):
        if not path.is_file():
            raise InputError(asked, "that is no ordinary file", "choose another name")
        if not overwrite:
            raise InputError(
                asked, "it exists", "choose another name, or say that it may be replaced (--force)"
            )
    temporary = path.with_name(f".{path.name}.part")
    try:
        with _claimed(temporary, asked) as file:
            try:
                if private:
                    os.fchmod(file.fileno(), 0o600)
                yield file
                file.flush()
                os.fsync(file.fileno())
                _appear(temporary, path, overwrite)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        synchronise(path.parent)
    except FileExistsError as error:
        raise InputError(
            asked, "it has come into being meanwhile", "choose another name"
        ) from error
    except OSError as error:
        raise disk_error(asked, error) from error


@contextmanager
def _claimed(path: Path, asked: str) -> Generator[IO[bytes]]:
    while True:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "r+b")
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ResourceError(
                    asked, "another process is writing it", "wait for that one, or choose another"
                ) from None
            except OSError:
                pass  # a file system without locks: only two at once get in each other's way
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                    file.truncate()
                    yield file
                    return
        # else it was finished and renamed between the two calls


def _appear(temporary: Path, path: Path, overwrite: bool) -> None:
    if not overwrite:
        try:
            os.link(temporary, path)  # unlike a renaming, this replaces nothing
            temporary.unlink()
            return
        except FileExistsError:
            raise
        except OSError:
            if os.path.lexists(path):  # a file system without hard links
                raise FileExistsError(str(path)) from None
    os.replace(temporary, path)
