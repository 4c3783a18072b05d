"""Checkpoints by their digests: a level names no path, and the process that computes gets none.

Who names a file leaves a link to it in a folder of this user's on this machine, under its digest;
what computes follows the link and compares the digest of what it reads.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from pathlib import Path

from triplestore.broker.folder import flaw_of
from triplestore.errors import ComponentError, InputError, ResourceError
from workflows.engine.local.tokens import runtime_folder
from workflows.trust.caller import absent, located, opened

LARGEST = 2_000_000_000
"""Bytes."""

ADVICE = "name its file again (checkpoint)"


def digest_of(name: str, asked: str) -> tuple[str, str]:
    """Return the SHA-256 and the name of a checkpoint, which is then found by the former.

    Raises:
        NotFoundError: there is no such file for whoever asks.
        InputError: it cannot be read, or is too large.
        ResourceError: the folder of links is not this user's alone.
    """
    if not name:
        raise InputError(
            asked,
            "it is computed with a checkpoint, and none is named",
            "name a file that MACE has saved (checkpoint)",
        )
    try:
        with opened(name) as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                found = f"{name} has more than {LARGEST / 1e9:.0f} GB"
                raise InputError(asked, found, "give a checkpoint of MACE")
            digest = hashlib.sha256()
            while block := file.read(1 << 20):
                digest.update(block)
    except (FileNotFoundError, IsADirectoryError) as error:
        raise absent(asked) from error
    except (OSError, ValueError) as error:
        raise InputError(asked, f"{name} cannot be read", "give a file that can") from error
    place = located(name)
    if place is None:  # gone meanwhile
        raise absent(asked)
    _link(place.resolve(), digest.hexdigest(), asked)
    return digest.hexdigest(), place.name


def _folder(asked: str) -> Path:
    folder = runtime_folder("checkpoints")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flaw = flaw_of(folder)
    except OSError as error:
        flaw = error.strerror or str(error)
    if flaw:
        raise ResourceError(asked, f"the folder {folder} cannot be used: {flaw}", "remove it")
    return folder


def _link(place: Path, digest: str, asked: str) -> None:
    folder = _folder(asked)
    link, new = folder / digest, folder / uuid.uuid4().hex
    if link.is_symlink() and os.readlink(link) == str(place):
        return
    new.symlink_to(place)
    new.replace(link)


def content_of(digest: str, asked: str) -> bytes:
    """Return what a checkpoint holds.

    Raises:
        ComponentError: its file is not known on this machine, or has changed.
    """
    try:
        content = (_folder(asked) / digest).read_bytes()
    except OSError as error:
        raise ComponentError(
            asked,
            f"the checkpoint with the SHA-256 {digest[:16]}… is not known on this machine",
            ADVICE,
        ) from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise ComponentError(asked, "the file of its checkpoint has changed since", ADVICE)
    return content
