"""Sources of many subjects: files, tables, folders, queries and standard input, as records.

A source is copied before it is read, so that what is read cannot change meanwhile, and its digest
is that of the copy. Nothing of it is held in memory but the record at hand.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import os
import re
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, BinaryIO, cast

from triplestore.errors import InputError
from workflows.engine.request.library import Library, Raw
from workflows.trust import caller
from workflows.trust.caller import SpecialFileError

from .lines import LONGEST_LINE, TOO_LONG, Copy, Digest, copy, no_space, text_lines
from .listed import Files
from .tables import TABLES, as_text, is_table, rows

QUERIES = (".rq", ".sparql")


@dataclass(frozen=True)
class Source:
    """Where many subjects come from, copied.

    Attributes:
        name: what the person called it.
        digest: SHA-256 of all of it.
        files: copies of its files; one, but for folders.
        unread: names of files of a folder that cannot be read, and why.
    """

    name: str
    digest: str
    files: Sequence[Copy]
    unread: Sequence[tuple[str, str]] = ()


@contextmanager
def opened(
    given: str | Files, library: Library, stream: BinaryIO | None = None
) -> Generator[Source]:
    """Copy a source for as long as it is read.

    Args:
        given: path of a file or a folder, or several files; `-` for standard input.
        library: says which files of a folder are read.
        stream: what holds it, where `given` is but what it is called.

    Raises:
        NotFoundError: there is no such file.
        InputError: it holds nothing, or cannot be read.
        ResourceError: there is no space for the copy.
    """
    names = given.names if isinstance(given, Files) else (given,)
    given = f"{len(names)} files" if isinstance(given, Files) else given
    place = caller.located(given)
    path = place or Path(given)
    asked = f"a batch of {given} was asked for"
    digest = hashlib.sha256()
    copies: list[Copy] = []
    unread: list[tuple[str, str]] = []
    with _copies(asked) as into:
        if len(names) > 1:
            name = given
            alone = len({Path(one).name for one in names}) == len(names)
            for one in names:
                called = _text(Path(one).name if alone else one)
                digest.update(f"{called}\0".encode())
                copies.append(_copy_file(Path(one), called, into, digest, asked))
        elif stream is not None or (given == "-" and caller.caller().is_person):
            name = given if stream is not None else "standard input"
            called = given if stream is not None else ""
            copies.append(copy(stream or _standard_input(), called, into, digest, asked))
        elif place is not None and place.is_dir():
            name = _text(path.resolve().name)
            for one in _within(path, library, asked):
                called = _text(str(one.relative_to(path)))
                if not Path(os.path.realpath(one)).is_relative_to(os.path.realpath(path)):
                    unread.append((called, "it is a link out of that folder"))
                    continue
                if copies:
                    digest.update(f"{called}\0".encode())
                try:
                    copies.append(_copy_file(one, called, into, digest, asked, within=True))
                except InputError as error:
                    unread.append((called, error.found))
            if not copies:
                kinds = ", ".join((*library.suffixes, *TABLES))
                why = "; ".join(f"{one}: {why}" for one, why in unread[:3])
                found = why or "no file in that folder can be read"
                raise InputError(asked, found, f"needs {kinds}")
        else:
            name = _text(path.name)
            copies.append(_copy_file(path, name, into, digest, asked))
        if not any(copied.size for copied in copies):
            raise InputError(asked, "it is empty", "give another file")
        yield Source(name, digest.hexdigest(), copies, unread)


def _standard_input() -> BinaryIO:
    """Return standard input without the lock that Python itself needs when it ends."""
    try:
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    except io.UnsupportedOperation:  # something else stands for it
        return sys.stdin.buffer


@contextmanager
def _copies(asked: str) -> Generator[IO[bytes]]:
    """Open a file without a name, which leaves nothing behind, even if this process is killed."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(tempfile.TemporaryFile())
        except OSError as error:
            raise no_space(asked, error) from error
        stack.enter_context(suppress(OSError))
        stack.callback(file.close)  # what could not be written is told already
        yield file


def _text(name: str) -> str:
    """Return the name of a file as text, however it was encoded."""
    return os.fsencode(name).decode("utf-8", "replace")


def _copy_file(
    path: Path,
    name: str,
    into: IO[bytes],
    digest: Digest,
    asked: str,
    *,
    within: bool = False,
) -> Copy:
    advice = "give a file of many, or - for standard input"
    try:
        with caller.opened(path, pipes=not within) as stream:
            return copy(stream, name, into, digest, asked)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        how = "check its name: a file, a folder, a query or an IRI is read"
        raise caller.absent(asked, how) from error
    except SpecialFileError as error:
        found = "it is no file but a device, a pipe or a socket"
        raise InputError(asked, found, advice) from error
    except PermissionError as error:
        raise InputError(asked, "you may not read it", "change its permissions") from error
    except OSError as error:
        found = f"it cannot be opened: {error.strerror or error}"
        raise InputError(asked, found, advice) from error


def _within(folder: Path, library: Library, asked: str) -> list[Path]:
    """Return the files of a folder that are read; what is hidden is not."""

    def refused(error: OSError) -> None:
        problem = f"its folder {error.filename} cannot be read: {error.strerror}"
        raise InputError(asked, problem, "change its permissions, or move it away") from error

    suffixes, found = (*library.suffixes, *TABLES), list[Path]()
    for top, folders, names in os.walk(folder, onerror=refused):
        folders[:] = [one for one in folders if not one.startswith(".")]
        found += [
            Path(top, one) for one in names if _suffix(one) in suffixes and not one.startswith(".")
        ]
    return sorted(found)


def _suffix(name: str) -> str:
    return Path(name.lower().removesuffix(".gz")).suffix


def records(
    source: Source, library: Library, *, kind: str = "", column: str = "", names: str = ""
) -> Iterator[Raw]:
    """Iterate over the records of a source; of a folder also over files that cannot be read.

    Args:
        source: which.
        library: how a kind of subject is read.
        kind: suffix of its files, such as `csv`; empty for what their names or beginnings say.
        column: of a table, which says what is computed; empty for the best known heading.
        names: column which says what a row is called; empty for the best known heading.

    Raises:
        InputError: its only file cannot be read as what it is, or has no such column.
    """
    several = len(source.files) + len(source.unread) > 1
    for name, why in source.unread:
        yield Raw(name, "", problem=why)
    for copied in source.files:
        name, empty = copied.name, several
        try:
            found = _of_file(copied, source.name, library, kind, column, names)
            first, second = next(found, None), next(found, None)
            if several and first is not None and second is None and not first.name:
                first = replace(first, name=name)  # a file of one is called as that is
            for raw in itertools.chain(filter(None, (first, second)), found):
                empty = False
                yield _sound(replace(raw, place=f"{name}, {raw.place}") if several else raw)
            if empty:
                yield _sound(Raw(name, "", problem="it holds no structure"))
        except InputError as error:
            if not several:
                raise
            yield _sound(Raw(name, "", problem=error.found))


def _of_file(
    copied: Copy, source: str, library: Library, kind: str, column: str, names: str
) -> Iterator[Raw]:
    asked = f"a batch of {copied.name or source} was asked for"
    with text_lines(copied, asked) as (head, lines):
        suffix = f".{kind.lstrip('.').lower()}" if kind else _suffix(copied.name)
        if not kind and suffix not in (*TABLES, *library.suffixes):
            table = bool(column) or is_table(head, library)
            suffix = ".csv" if table else library.suffix_of(head)
        if suffix in TABLES:
            yield from rows(lines, head, asked, suffix, library, column, names)
        elif suffix in library.suffixes:
            yield from library.split(lines, suffix)
        else:
            known = ", ".join(one.lstrip(".") for one in (*TABLES, *library.suffixes))
            raise InputError(asked, "its kind is not known", f"say which it is (format): {known}")


def _sound(raw: Raw) -> Raw:
    """Return a record whose texts are text: what is no UTF-8 is read as Latin-1, and told."""
    texts = (raw.text, raw.name, *raw.columns.keys(), *raw.columns.values())
    if any("\0" in text for text in texts):
        if any(TOO_LONG in text for text in texts):
            problem = f"it has a line of more than {LONGEST_LINE:,} characters"
            return Raw(raw.place, "", problem=problem)
        if "\0" in raw.text:
            return replace(raw, text="", problem="it is binary, not text")
    if not any(map(_odd, texts)):
        return raw

    def latin(text: str) -> str:
        return text.encode("utf-8", "surrogateescape").decode("latin-1") if _odd(text) else text

    return replace(
        raw,
        text=latin(raw.text),
        name=latin(raw.name),
        problem=latin(raw.problem),
        columns={latin(key): latin(value) for key, value in raw.columns.items()},
        remarks=(*raw.remarks, "not in UTF-8: read as Latin-1"),
    )


SURROGATE = re.compile("[\udc80-\udcff]")


def _odd(text: str) -> bool:
    return not text.isascii() and SURROGATE.search(text) is not None


@contextmanager
def spooled(found: Iterable[Sequence[str]]) -> Generator[BinaryIO]:
    """Write rows of texts, headings first, as a table for `opened`."""
    with _copies("a batch of what a query finds was asked for") as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        csv.writer(text).writerows(map(as_text, row) for row in found)
        text.flush()
        text.detach()
        file.seek(0)
        yield cast("BinaryIO", file)
