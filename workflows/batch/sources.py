"""Sources of many subjects: files, tables, folders, queries and standard input, as records.

A source is copied before it is read, so that what is read cannot change meanwhile, and its digest
is that of the copy. Nothing of it is held in memory but the record at hand.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import itertools
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from triplestore.errors import InputError, NotFoundError, ResourceError
from workflows.engine.request.library import Library, Raw
from workflows.names import plain
from workflows.words import count

TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
"""Suffixes of tables, with what separates their columns if nothing else does."""

QUERIES = (".rq", ".sparql")

NAMES = ("id", "identifier", "name", "title", "label", "compound", "cid", "chemblid", "cas")
"""Headings under which a table says what a row is called, the best first, in plain spelling."""

HEAD = 65_536
"""Bytes by which the kind of a source is found out."""

LONGEST_LINE = 1_000_000
"""Characters."""

MANY_COLUMNS = 30
"""Headings that are told."""


@dataclass(frozen=True)
class Source:
    """Where many subjects come from, copied.

    Attributes:
        name: what the person called it.
        digest: SHA-256 of all of it.
        files: names of its files with their copies; one, but for folders.
    """

    name: str
    digest: str
    files: Sequence[tuple[str, Path]]


@contextmanager
def opened(given: str, library: Library) -> Generator[Source]:
    """Copy a source for as long as it is read.

    Args:
        given: path of a file or a folder; `-` for standard input.
        library: says which files of a folder are read.

    Raises:
        NotFoundError: there is no such file.
        InputError: it holds nothing.
        ResourceError: it cannot be read, or not be copied.
    """
    path = Path(given).expanduser()
    asked = f"a batch of {given} was asked for"
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory(prefix="grafico-batch-") as folder:
        copies: list[tuple[str, Path]] = []

        def copy(name: str, stream: BinaryIO) -> None:
            into = Path(folder, str(len(copies)))
            digest.update(f"{name}\0".encode("utf-8", "surrogateescape") if copies else b"")
            with into.open("wb") as out:
                while block := stream.read(1 << 20):
                    digest.update(block)
                    out.write(block)
            copies.append((name, into))

        try:
            if given == "-":
                copy("", sys.stdin.buffer)
                name = "standard input"
            elif path.is_dir():
                name = path.resolve().name
                for one in _within(path, library):
                    with one.open("rb") as stream:
                        copy(str(one.relative_to(path)), stream)
                if not copies:
                    kinds = ", ".join((*library.suffixes, *TABLES))
                    raise InputError(asked, "no file in that folder can be read", f"needs {kinds}")
            else:
                name = path.name
                with path.open("rb") as stream:
                    copy(name, stream)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFoundError(asked, "there is no such file", "check its name") from error
        except PermissionError as error:
            raise InputError(asked, "you may not read it", "change its permissions") from error
        except OSError as error:
            problem = f"it cannot be copied into {folder}: {error.strerror or error}"
            raise ResourceError(asked, problem, "free some space there, or set TMPDIR") from error
        if all(not copied.stat().st_size for _, copied in copies):
            raise InputError(asked, "it is empty", "give another file")
        yield Source(name, digest.hexdigest(), copies)


def _within(folder: Path, library: Library) -> list[Path]:
    suffixes = (*library.suffixes, *TABLES)
    return sorted(
        one for one in folder.rglob("*")
        if one.is_file() and _suffix(one.name) in suffixes and not one.name.startswith(".")
    )  # fmt: skip


def _suffix(name: str) -> str:
    return Path(name.lower().removesuffix(".gz")).suffix


def records(
    source: Source, library: Library, *, kind: str = "", column: str = "", names: str = ""
) -> Iterator[Raw]:
    """Iterate over the records of a source.

    Args:
        source: which.
        library: how a kind of subject is read.
        kind: suffix of its files, such as `csv`; empty for what their names or beginnings say.
        column: of a table, which says what is computed; empty for the best known heading.
        names: column which says what a row is called; empty for the best known heading.

    Raises:
        InputError: a table has no such column, or a file cannot be read as what it is.
    """
    several = len(source.files) > 1
    for name, copied in source.files:
        called = name or source.name
        with _lines(copied, called) as lines:
            head, lines = _peeked(lines)
            suffix = f".{kind.lstrip('.').lower()}" if kind else _suffix(name)
            if not kind and suffix not in (*TABLES, *library.suffixes):
                suffix = ".csv" if _is_table(head, library) else library.suffix_of(head)
            if suffix in TABLES:
                found = _rows(lines, head, called, suffix, library, column, names)
            elif suffix in library.suffixes:
                found = library.split(lines, suffix)
            else:
                known = ", ".join(one.lstrip(".") for one in (*TABLES, *library.suffixes))
                raise InputError(
                    f"a batch of {called} was asked for", "its kind is not known",
                    f"say which it is (format): {known}",
                )  # fmt: skip
            for raw in found:
                yield _sound(replace(raw, place=f"{name}, {raw.place}") if several else raw)


@contextmanager
def _lines(path: Path, name: str) -> Generator[Iterator[str]]:
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = gzip.GzipFile(fileobj=raw) if packed else raw
        try:
            yield _decoded(stream)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"a batch of {name} was asked for",
                f"it is compressed by gzip, and damaged ({error})", "copy it again",
            ) from error  # fmt: skip


def _decoded(stream: io.BufferedIOBase) -> Iterator[str]:
    first = True
    while line := stream.readline(LONGEST_LINE):
        if first:
            line, first = line.removeprefix(b"\xef\xbb\xbf"), False
        yield line.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


def _peeked(lines: Iterator[str]) -> tuple[str, Iterator[str]]:
    """Return the beginning of a file, and all of it."""
    first: list[str] = []
    for line in lines:
        first.append(line)
        if sum(map(len, first)) > HEAD:
            break
    return "".join(first), itertools.chain(first, lines)


def _sound(raw: Raw) -> Raw:
    """Return a record whose texts are text: what is no UTF-8 is read as Latin-1, and told."""
    texts = (raw.text, raw.name, *raw.columns.keys(), *raw.columns.values())
    if "\0" in raw.text:
        return replace(raw, text="", problem="it is binary, not text")
    if not any(re.search("[\udc80-\udcff]", text) for text in texts):
        return raw

    def latin(text: str) -> str:
        return text.encode("utf-8", "surrogateescape").decode("latin-1") if _odd(text) else text

    return replace(
        raw, text=latin(raw.text), name=latin(raw.name),
        columns={latin(key): latin(value) for key, value in raw.columns.items()},
        remarks=(*raw.remarks, "not in UTF-8: read as Latin-1"),
    )  # fmt: skip


def _odd(text: str) -> bool:
    return any("\udc80" <= letter <= "\udcff" for letter in text)


# --- tables --------------------------------------------------------------------------------------


def _is_table(head: str, library: Library) -> bool:
    """Tell whether a text begins with headings of which one is known."""
    first = head.partition("\n")[0]
    return any(
        separator in first
        and {plain(one.strip(' "')) for one in first.split(separator)} & {*library.columns}
        for separator in ",;\t"
    )


def _rows(
    lines: Iterator[str],
    head: str,
    name: str,
    suffix: str,
    library: Library,
    column: str,
    names: str,
) -> Iterator[Raw]:
    reader = csv.reader(lines, delimiter=_separator(head, TABLES[suffix]))
    asked = f"a batch of {name} was asked for"
    headings = next(_unbroken(reader), None)
    if not headings or isinstance(headings, str):
        raise InputError(asked, "it has no headings", "begin it with the names of its columns")
    headings = _distinct(one.strip() for one in headings)
    at = _column(asked, headings, column, library.columns, "says what is computed")
    assert at is not None
    named = _column(asked, headings, names, NAMES, "says what it is called", at)
    for row in _unbroken(reader):
        place = f"line {reader.line_num}"
        if isinstance(row, str):
            yield Raw(place, "", problem=row)
            continue
        if not any(map(str.strip, row)):
            continue
        columns = dict(zip(headings, map(str.strip, row), strict=False))
        called = columns.get(headings[named], "") if named is not None else ""
        problem = ""
        if len(row) > len(headings):
            problem = f"it has {count(len(row), 'field')}, the headings {len(headings)}"
        text = columns.get(headings[at], "")
        if not text and not problem:
            problem = f"nothing stands under {headings[at]}"
        yield Raw(place, text, called, columns, heading=plain(headings[at]), problem=problem)


def _unbroken(reader: Iterator[list[str]]) -> Iterator[list[str] | str]:
    """Iterate over rows; in the place of one that cannot be read stands why."""
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield f"it is no row of a table: {error}"


def _separator(head: str, usual: str) -> str:
    first = head.partition("\n")[0]
    return max((usual, ",", ";", "\t"), key=first.count)


def _distinct(headings: Iterable[str]) -> list[str]:
    """Return headings of which none is empty and none stands twice."""
    found: list[str] = []
    for number, one in enumerate(headings, 1):
        name = base = one or f"column {number}"
        again = 2
        while name in found:
            name, again = f"{base} ({again})", again + 1
        found.append(name)
    return found


def _column(
    asked: str,
    headings: Sequence[str],
    wanted: str,
    usual: Sequence[str],
    what: str,
    taken: int | None = None,
) -> int | None:
    """Return which column is meant; None for one that is not needed."""
    spelt = [plain(one) for one in headings]
    if wanted:
        if wanted in headings:
            return headings.index(wanted)
        if plain(wanted) in spelt:
            return spelt.index(plain(wanted))
    else:
        best = (spelt.index(one) for one in usual if one in spelt and spelt.index(one) != taken)
        at = next(best, None)
        if at is not None or taken is not None:
            return at
    there = ", ".join(headings[:MANY_COLUMNS]) + ", …" * (len(headings) > MANY_COLUMNS)
    missing = f"it has no column {wanted}" if wanted else f"none of its columns {what}"
    raise InputError(asked, missing, f"name one of its columns: {there}")


def spooled(rows: Iterable[Sequence[str]], folder: Path) -> Path:
    """Write rows of texts, headings first, as a table; return its path."""
    path = folder / "query.csv"
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path
