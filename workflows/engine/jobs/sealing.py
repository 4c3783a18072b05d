"""Whose a job is: what is written of it is signed with a key that only this person has.

The signature stands beside what it signs, in `job.json`, and is of the job's folder too: a copy of
it elsewhere is signed by nobody. A folder that somebody else has made, or changed, is data.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, cast

from ..local.person_key import is_signed, signature

SIGNED = "signed"
"""In `job.json`: the signature of all the rest."""

LARGEST = 64 << 20
"""Bytes of a `job.json` that is read at all."""


def sealed(document: dict[str, Any], place: Path) -> bytes:
    """Return what is written of a job, with its signature.

    Args:
        document: all that is to be written, without a signature.
        place: folder of the job, as it is called in its store.

    Raises:
        InputError: the key is not this person's alone.
        ResourceError: the key can be neither read nor made.
    """
    text = _canonical(document)
    signed = signature(
        _signed_text(text, place), "a job", "jobs that go on are taken over with `--as`"
    )
    return json.dumps({**json.loads(text), SIGNED: signed}, indent=1).encode()


def opened(path: Path, place: Path) -> tuple[bytes, bool]:
    """Return what is written of a job, without its signature, and whether this person signed it.

    Args:
        path: of its file.
        place: folder of the job, as it is called in its store.

    Raises:
        OSError: there is no such file, or it is none that may be read.
        ValueError: it is no JSON object.
    """
    said = json.loads(read_file(path))
    if not isinstance(said, dict):
        raise ValueError("it is no JSON object")
    document = cast("dict[str, Any]", said)
    signed = str(document.pop(SIGNED, ""))
    text = _canonical(document)
    return text, is_signed(_signed_text(text, place), signed)


def read_file(path: Path) -> bytes:
    """Return the content of an ordinary file; a link or a pipe is none.

    Raises:
        OSError: it is not there, or is something else.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            raise OSError(f"{path.name} is no ordinary file of a job")
        return file.read()


def _canonical(document: dict[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True).encode()


def _signed_text(text: bytes, place: Path) -> bytes:
    where = json.dumps([str(place.parent.resolve() / place.name), str(place.resolve())])
    return where.encode() + b"\n" + text
