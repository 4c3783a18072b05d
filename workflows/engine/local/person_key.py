"""A key that only this person has, and what is signed with it.

It tells what this person has written from what anybody may have put there: jobs, and yeses.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

import platformdirs

from triplestore.errors import InputError, ResourceError


def key_file() -> Path:
    """Return where this person's key lies."""
    return platformdirs.user_state_path("grafico") / "job-key"


def signature(text: bytes, what: str, otherwise: str) -> str:
    """Return the signature of a text; the key is made when first needed.

    Args:
        text: what is signed.
        what: is to be signed, for errors.
        otherwise: what to do where the key is damaged, behind `remove it: another is made`.

    Raises:
        InputError: the key is not this person's alone.
        ResourceError: the key can be neither read nor made.
    """
    return _signed(_key(what, otherwise), text)


def is_signed(text: bytes, given: str) -> bool:
    """Tell whether this person has signed a text."""
    key = _read_key() if given else b""
    return bool(key) and hmac.compare_digest(given.encode(), _signed(key, text).encode())


def _signed(key: bytes, text: bytes) -> str:
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def _key(what: str, otherwise: str) -> bytes:
    path = key_file()
    asked = f"{what} is to be signed"
    try:
        if not os.path.lexists(path):
            _make(path)
        key = _read_key()
    except OSError as error:
        raise ResourceError(
            asked,
            f"{path}: {error.strerror or error}",
            "what is yours is told from that of others by this key: let its folder be written",
        ) from error
    if not key:
        raise InputError(
            asked,
            f"{path} is damaged, or others can read or write it",
            f"remove it: another is made, and {otherwise}",
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
