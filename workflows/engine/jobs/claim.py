"""Which program computes a part of a job: one, however many were started for it.

Who submits may be killed before it has noted what the scheduler answered, or hear no answer at
all, and submit the same attempt again; a scheduler may start what it gave up for lost once more.
So the first program of an attempt leaves a file `began-ATTEMPT`, which can be made but once, and
holds a lock as long as it lives. Others of that attempt end without a word in the record; one of an
earlier attempt ends as soon as it sees that a later one has begun.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import platform
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from triplestore.errors import GraficoError, KilledError
from triplestore.quads import disk_error

from ..execution.task import write
from .job import BEGAN, END, ENDED, Beginning, Ending, JobFolder

LOCK = "program"
"""Held by the program of a part, in its folder."""

LEAVING = 60.0
"""Seconds that the program of an earlier attempt has to end."""

LOOK = 2.0
"""Seconds between two looks whether a later attempt has begun."""

RESERVED = 8192
"""Bytes that are kept on the disk for how an attempt ends, so that it can be said on a full one."""


class NotWantedError(Exception):
    """Another program computes this part, or nobody wants it any more; says which."""


class Claim:
    """An attempt at a part that this program computes.

    Args:
        part: folder of the part.
        attempt: which.
    """

    def __init__(self, part: Path, attempt: int) -> None:
        self._part, self._attempt = part, attempt
        self._reserve = part / f"{END}.reserve"
        with suppress(OSError):  # then it can be said only where there is space
            file = os.open(self._reserve, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(file, bytes(RESERVED))
                os.fsync(file)
            finally:
                os.close(file)

    @property
    def superseded(self) -> bool:
        """Whether a later attempt has begun."""
        begun = (one.name.partition("-")[2] for one in self._part.glob(f"{BEGAN}-*"))
        return max((int(one) for one in begun if one.isdigit()), default=0) > self._attempt

    async def watch(self) -> None:
        """Return when a later attempt has begun."""
        while not self.superseded:
            await asyncio.sleep(LOOK)

    def end(self, ending: Ending) -> None:
        """Say how it ended, unless a later attempt has begun.

        Raises:
            ResourceError: the folder cannot be written.
        """
        if self.superseded:
            return
        try:
            write(self._part / END, ending.model_dump_json(indent=1).encode())
            self._reserve.unlink(missing_ok=True)
        except GraficoError:
            most = RESERVED // 8
            short = {"message": ending.message[:most], "advice": ending.advice[:most]}
            text = ending.model_copy(update=short).model_dump_json().encode()
            try:
                with self._reserve.open("r+b") as file:
                    file.write(text.ljust(RESERVED))
                os.replace(self._reserve, self._part / END)
            except OSError as error:
                raise disk_error("say how a part of a job ended", error) from error


@contextmanager
def claimed(place: JobFolder, number: int, beginning: Beginning) -> Generator[Claim]:
    """Compute a part of a job alone.

    Args:
        place: folder of the job.
        number: of the part.
        beginning: which attempt at it this program is, and where.

    Raises:
        NotWantedError: another program computes it, or it is not wanted any more.
        ResourceError: the disk is full.
    """
    folder, attempt = place.part(number), beginning.attempt
    part = next(one for one in place.job.parts if one.number == number)
    if part.attempt > attempt or (part.attempt == attempt and part.state in ENDED):
        raise NotWantedError(f"attempt {attempt} is not wanted any more")
    _make_first(folder / f"{BEGAN}-{attempt}", beginning)
    claim = Claim(folder, attempt)
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(lock, folder)
        except KilledError as error:
            claim.end(
                Ending(
                    attempt=attempt,
                    status="interrupted",
                    message=error.found,
                    advice=error.advice,
                    ended=datetime.now(UTC),
                    seconds=0.0,
                    cores=0,
                    host=platform.node(),
                )
            )
            raise NotWantedError(str(error)) from error
        if claim.superseded:
            raise NotWantedError("a later attempt has begun")
        (folder / END).unlink(missing_ok=True)
        yield claim
    finally:
        os.close(lock)


def _make_first(path: Path, beginning: Beginning) -> None:
    """Make the file of an attempt; one that the scheduler starts again has made it before.

    Raises:
        NotWantedError: another program has made it.
        ResourceError: the disk is full.
    """
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(beginning.model_dump_json())
    except FileExistsError:
        before = path.read_text()
        with suppress(ValidationError):
            if Beginning.model_validate_json(before).native == beginning.native:
                return
        raise NotWantedError(f"it is computed by {before or 'another program'}") from None
    except OSError as error:
        raise disk_error(f"begin a part of a job in {path.parent}", error) from error


def _lock(lock: int, folder: Path) -> None:
    until = time.monotonic() + LEAVING
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise KilledError(
                    f"a part of a job is to go on in {folder}",
                    f"the program of an earlier attempt has not ended for {LEAVING:g} s",
                    "end it by hand: its host stands in the part's folder",
                ) from None
            time.sleep(0.1)
        except OSError as error:
            raise disk_error(f"lock {folder}", error) from error
        else:
            return
