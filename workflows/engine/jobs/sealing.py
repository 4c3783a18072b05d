"""Whose a job is: what is written of it is signed with a key that only this person has.

The signature stands beside what it signs, in `job.json`, and is of the job's folder too: a copy of
it elsewhere is signed by nobody. A folder that somebody else has made, or changed, is data.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import platformdirs

from triplestore.errors import InputError, ResourceError

SIGNED = "signed"
"""In `job.json`: the signature of all the rest."""

LARGEST = 64 << 20
"""Bytes of a `job.json` that is read at all."""


def key_file() -> Path:
    """Return where this person's key lies."""
    return platformdirs.user_state_path("grafico") / "job-key"


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
    return json.dumps(
        {**json.loads(text), SIGNED: _signature(_key(), text, place)}, indent=1
    ).encode()


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
    signature = str(document.pop(SIGNED, ""))
    text = _canonical(document)
    key = _read_key() if signature else b""
    ours = bool(key) and hmac.compare_digest(
        signature.encode(), _signature(key, text, place).encode()
    )
    return text, ours


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


def _signature(key: bytes, text: bytes, place: Path) -> str:
    where = json.dumps([str(place.parent.resolve() / place.name), str(place.resolve())])
    return hmac.new(key, where.encode() + b"\n" + text, hashlib.sha256).hexdigest()


def _key() -> bytes:
    """Return this person's key, made when first needed."""
    path = key_file()
    try:
        if not os.path.lexists(path):
            _make(path)
        key = _read_key()
    except OSError as error:
        raise ResourceError(
            "a job is to be signed",
            f"{path}: {error.strerror or error}",
            "jobs are told from those of others by this key: let its folder be written",
        ) from error
    if not key:
        raise InputError(
            "a job is to be signed",
            f"{path} is damaged, or others can read or write it",
            "remove it: another is made, and jobs that go on are taken over with `--as`",
        )
    return key


def _read_key() -> bytes:
    """Return this person's key; empty where there is none, or it is not theirs alone."""
    with suppress(OSError):
        handle = os.open(key_file(), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            found = os.fstat(handle)
            own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
            if own and not found.st_mode & 0o077:
                key = file.read(1 << 10)
                return key if len(key) == 32 else b""
    return b""


def _make(path: Path) -> None:
    """Write a new key, whole or not at all, unless another process was quicker."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(handle)
        with suppress(FileExistsError):
            os.link(part, path)
    finally:
        part.unlink()
