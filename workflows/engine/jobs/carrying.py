"""Files of jobs on their way to another machine and back, one after the other in a stream.

A `Stretch` says whose file comes and how much of it; the bytes of all follow in that order. Files
that only grow are sent from where the other side has them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from ogm.array_storage import ArrayFiles
from ogm.keeping.checksums import named_arrays
from triplestore.errors import RecordError

from ..execution.task import CHECKPOINT
from ..runners.ssh import Writable
from .job import BEGAN, END, JOB, SHARES, JobFolder
from .packing import ARRAYS, SEED

GROWING = ("journal", "events.jsonl", "log.txt")
"""In the folder of a part."""

SHORT = (f"{BEGAN}-*", END, "probe.json")
"""Written at once, and sent whole."""

NAME = re.compile(
    r"seed\.nq|shares|arrays/[0-9a-f]{2}/[0-9a-f]{64}\.npy"
    r"|[1-9]\d*/tasks/[\w.-]+/checkpoint"
    r"|([1-9]\d*/)?(journal|events\.jsonl|log\.txt|began-\d+|end\.json|probe\.json)"
)
"""Of files that travel: nothing else is written, whatever the other side says."""

TASK = re.compile(r"[1-9]\d*/tasks/[\w.-]+")

MOST = 32_000_000
"""Bytes of one file that are sent at once."""

LITERAL = 300
"""Bytes of a journal that are read again, for the name of an array that begins in them."""

COPIED = 1 << 20


@dataclass(frozen=True)
class Stretch:
    """A stretch of a file.

    Attributes:
        name: of the file, in the folder of its job.
        start: where it begins in the file; what the other side has behind that is replaced.
        size: its length, in bytes.
        time: when it was last written, in s since 1970 by the clock of its machine.
        more: whether the file goes on behind it.
    """

    name: str
    start: int
    size: int
    time: float
    more: bool = False


def outgoing(whole: Path) -> list[Stretch]:
    """Return what the parts of a job need: what it starts from, and how far it has come so far."""
    found = [
        whole / SEED,
        whole / SHARES,
        *sorted((whole / ARRAYS).glob("*/*.npy")),
        *sorted(whole.glob(f"*/tasks/*/{CHECKPOINT}")),
    ]
    pieces = [_whole(whole, path) for path in found if path.exists()]
    if (whole / JOB).exists():
        for part in JobFolder(whole).job.parts:
            path = whole / str(part.number) / "journal"
            if path.exists() and part.taken:
                pieces.append(replace(_whole(whole, path), size=part.taken))
    return pieces


def grown(whole: Path, have: Mapping[str, int], most: int) -> list[Stretch]:
    """Return by what a folder has grown, arrays that are named there first.

    Args:
        whole: folder of the job.
        have: bytes of each file that the other side has.
        most: bytes of one file.
    """
    pieces: list[Stretch] = []
    names: dict[str, None] = {}
    for folder in (whole, *sorted(whole.glob("[1-9]*"))):
        for path in (folder / name for name in GROWING if (folder / name).exists()):
            piece = _whole(whole, path)
            start = have.get(piece.name, 0)
            if path.name != "journal" and start > piece.size:  # it was begun anew
                start = 0
            if (left := piece.size - start) > 0:
                pieces.append(replace(piece, start=start, size=min(left, most), more=left > most))
                if path.name == "journal":
                    names |= dict.fromkeys(_named(path, pieces[-1]))
        paths = (path for name in SHORT for path in sorted(folder.glob(name)))
        pieces += [_whole(whole, path) for path in paths]
    paths = map(ArrayFiles(whole / ARRAYS).path, names)
    return [*(_whole(whole, path) for path in paths if path.exists()), *pieces]


def _whole(whole: Path, path: Path) -> Stretch:
    found = path.stat()
    return Stretch(str(path.relative_to(whole)), 0, found.st_size, found.st_mtime)


def _named(path: Path, piece: Stretch) -> Iterator[str]:
    """Iterate over the arrays that a stretch of a journal names, also where it ends in a name."""
    with path.open("rb") as file:
        start = max(0, piece.start - LITERAL)
        file.seek(start)
        yield from named_arrays(file.read(piece.start + piece.size - start))


def send(whole: Path, pieces: list[Stretch], out: Writable) -> None:
    """Write pieces to a stream.

    Raises:
        RecordError: a file has become shorter meanwhile.
    """
    for piece in pieces:
        with (whole / piece.name).open("rb") as file:
            file.seek(piece.start)
            _copy(file, out, piece)


def receive(whole: Path, pieces: list[Stretch], source: IO[bytes]) -> None:
    """Write pieces from a stream to a folder; a file that is sent whole appears whole.

    Raises:
        RecordError: the stream ends before its end, or names what it may not.
    """
    for piece in pieces:
        if not NAME.fullmatch(piece.name):
            raise RecordError(
                f"files of the job {whole.name} are to be taken in",
                f"{piece.name!r} is none",
                "see who has changed the program on the other side",
            )
        path = whole / piece.name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        growing = path.name in GROWING
        target = path if growing else path.with_name(path.name + ".part")
        with open(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.truncate(piece.start if growing else 0)
            file.seek(piece.start)
            _copy(source, file, piece)
        os.utime(target, (piece.time, piece.time))
        if not growing:
            target.replace(path)


def _copy(source: IO[bytes], target: Writable, piece: Stretch) -> None:
    left = piece.size
    while left:
        read = source.read(min(left, COPIED))
        if not read:
            raise RecordError(
                f"{piece.name} of a job is to be copied",
                "it ended before its end",
                "look again",
            )
        target.write(read)
        left -= len(read)


def tasks_of(whole: Path) -> list[str]:
    """Return the names of the calculations under way in the folder of a job."""
    return sorted(str(path.relative_to(whole)) for path in whole.glob("[1-9]*/tasks/*"))


def mirror_tasks(whole: Path, names: list[str]) -> None:
    """Have an empty folder for each calculation that is under way on the other side."""
    for gone in {*tasks_of(whole)} - {*names}:
        path = whole / gone
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for name in filter(TASK.fullmatch, names):
        (whole / name).mkdir(mode=0o700, parents=True, exist_ok=True)
