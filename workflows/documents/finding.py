"""Files that a request names, and what they say, which the user's cache keeps by their digests."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from triplestore.errors import GraficoError, InputError
from workflows.programs.isolated import in_subprocess_now
from workflows.text.kept import Kept
from workflows.text.words import count, listed
from workflows.trust.caller import absent, located, opened

from .reading import READERS, Page, Text, texts

MOST_FILES = 2000
MOST_BYTES = 100 << 20
"""Of one file."""

AT_ONCE = 16 << 20
"""Bytes that one process reads."""

SECONDS, PATIENCE = 60, 900
"""Of processor time, of such a process, and on the clock of a machine that has other work."""

KEPT = Kept("documents")

LAYOUT = 1
"""Changes with how text is read, so that what was kept is read again."""


@dataclass(frozen=True)
class Document:
    """A file and what it says.

    Attributes:
        name: as it was found.
        digest: SHA-256.
        text: what it says.
    """

    name: str
    digest: str
    text: Text


def documents(place: str) -> list[Document]:
    """Return the documents that a request names: a file, or all in a folder and those in it.

    Files of a folder that are no documents, and what is hidden, are passed by.

    Raises:
        NotFoundError: there is no such file, or it is none that is read for whoever asks.
        InputError: it is no document, or there are too many.
    """
    asked = f"the documents {place[:80]!r} were asked for"
    there, is_folder = _files(place, asked)
    found = list[Document]()
    waiting: list[tuple[str, str, str, bytes]] = []
    for file, name in there:
        ending = Path(name).suffix.lower()
        try:
            with opened(file) as stream:
                content = stream.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            if not is_folder:
                raise absent(asked) from error
            found.append(Document(name, "", Text(problem="it cannot be read")))
            continue
        if len(content) > MOST_BYTES:
            problem = f"it has more than {MOST_BYTES >> 20} MB"
            found.append(Document(name, "", Text(problem=problem)))
            continue
        digest = hashlib.sha256(content).hexdigest()
        if (text := _kept(digest, ending)) is not None:
            found.append(Document(name, digest, text))
            continue
        waiting.append((name, digest, ending, content))
        if sum(len(one[-1]) for one in waiting) >= AT_ONCE:
            found += _read(waiting, asked)
            waiting = []
    found += _read(waiting, asked)
    return sorted(found, key=lambda one: one.name)


def _files(place: str, asked: str) -> tuple[list[tuple[str, str]], bool]:
    """Return files, each with its name for people, and whether they are those of a folder."""
    at = located(place)
    if at is None:
        raise absent(asked)
    endings = listed(sorted(READERS))
    if not at.is_dir():
        if at.suffix.lower() not in READERS:
            raise InputError(asked, "it is no document that is read", f"give one of {endings}")
        return [(place, place)], False
    found = [
        (os.path.join(top, name), os.path.relpath(os.path.join(top, name), at))
        for top, name in _walked(at)
    ]
    if not found:
        raise InputError(asked, "the folder has no document", f"those are {endings}")
    if len(found) > MOST_FILES:
        told = f"it has {len(found)} documents; {count(MOST_FILES, 'file')} are read"
        raise InputError(asked, told, "give a folder in it")
    return found, True


def _walked(at: Path) -> Iterator[tuple[str, str]]:
    for top, folders, names in os.walk(at):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in READERS:
                yield top, name


def _read(waiting: list[tuple[str, str, str, bytes]], asked: str) -> list[Document]:
    """Read files in a process of their own, and keep what they say."""
    if not waiting:
        return []
    given = [(ending, content) for _, _, ending, content in waiting]
    try:
        found = in_subprocess_now(asked, texts, given, seconds=SECONDS, patience=PATIENCE)
    except GraficoError as error:  # one of them took too long, or too much
        if len(waiting) > 1:
            return [one for each in waiting for one in _read([each], asked)]
        (name, digest, _, _), problem = waiting[0], error.found or error.asked
        return [Document(name, digest, Text(problem=problem))]
    KEPT.write(
        {
            _key(digest, ending): json.dumps(asdict(text)).encode()
            for (_, digest, ending, _), text in zip(waiting, found, strict=True)
        }
    )
    return [
        Document(name, digest, text)
        for (name, digest, _, _), text in zip(waiting, found, strict=True)
    ]


# --- what is kept --------------------------------------------------------------------------------


def _key(digest: str, ending: str) -> str:
    return f"{digest}{ending}.{LAYOUT}.json"


def _kept(digest: str, ending: str) -> Text | None:
    with suppress(ValueError, TypeError, KeyError, RecursionError):  # damaged: it is read again
        held = json.loads(KEPT.read(_key(digest, ending)) or b"")
        pages = tuple(
            Page(int(one["number"]), tuple(map(str, one["lines"]))) for one in held["pages"]
        )
        return Text(tuple(pages), str(held["problem"]))
    return None
