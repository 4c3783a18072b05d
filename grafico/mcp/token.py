"""The token that clients over HTTP show: from the environment, or one that is kept for its user."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

import platformdirs

from triplestore.errors import InputError, ResourceError

NAME = "GRAFICO_MCP_TOKEN"
"""Variable that holds the token of who may come in; never on the command line, where all see it."""

SHORTEST = 16
"""Letters of a token."""


def given_token(asked: str) -> str:
    """Return the token that the environment holds; empty for none.

    Args:
        asked: what was asked, for the error message.

    Raises:
        InputError: it is too short, or has letters that cannot be sent.
    """
    return _checked(os.environ.get(NAME, ""), f"the token in {NAME}", asked)


def kept_token(asked: str) -> tuple[str, Path]:
    """Return the token that is kept for this user, and its file; made when first needed.

    Raises:
        InputError: the file is not this user's alone.
        ResourceError: it cannot be written or read.
    """
    path = platformdirs.user_state_path("grafico") / "mcp-token"
    try:
        if not path.exists():
            _make(path)
        status = path.stat(follow_symlinks=False)
        if (
            not stat.S_ISREG(status.st_mode)
            or status.st_uid != os.getuid()
            or stat.S_IMODE(status.st_mode) & 0o077
        ):
            problem = f"others can read {path}, or it is a link or somebody else's"
            raise InputError(asked, problem, "remove it: another is made")
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        problem = f"{path}: {getattr(error, 'strerror', None) or error}"
        raise ResourceError(asked, problem, f"export {NAME}=$(openssl rand -hex 32)") from error
    if not token:
        raise InputError(asked, f"{path} is empty", "remove it: another is made")
    return _checked(token, f"the token in {path}", asked), path


def _make(path: Path) -> None:
    """Write a new token, whole or not at all, unless another process was quicker."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_hex(32) + "\n")
        with suppress(FileExistsError):
            os.link(part, path)
    finally:
        part.unlink()


def _checked(token: str, what: str, asked: str) -> str:
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable()):
        problem = f"{what} is too short or has odd letters"
        raise InputError(asked, problem, f"take at least {SHORTEST} ASCII letters, at random")
    return token
