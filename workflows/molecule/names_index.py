"""Where names and numbers stand in large tables, kept in the user's cache as an SQLite file.

It is made at the first use, which takes some seconds, and again where the tables have changed. It
holds no names, only digests of them with the places of their lines, so that what it says is read
again in the table itself: an index that is wrong finds nothing, and tells nothing wrong.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import platformdirs

LAYOUT = 2
"""Changes with what stands in the file."""

TABLE = 40
"""Bits of a place that say where in a table a line begins; those above say in which."""

OLD = 30 * 24 * 3600
"""s. What says nothing of its tables, as one of another version may, is removed after so long."""

KEPT_PAGES = -2000
"""KiB of the index that SQLite holds in memory, as a negative number."""


class NamesIndex:
    """Lines of tables by their fields.

    Args:
        file: an SQLite file that `kept` has made.
    """

    def __init__(self, file: Path) -> None:
        self._database = sqlite3.connect(
            f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._database.execute(f"PRAGMA cache_size = {KEPT_PAGES}")
        self._database.execute("SELECT key, place FROM lines LIMIT 1").fetchall()

    def lines(self, field: str) -> list[tuple[int, int]]:
        """Return in which table, and where in it, lines begin that may have a field.

        Raises:
            sqlite3.Error: the file is damaged.
        """
        query = "SELECT place FROM lines WHERE key = ? ORDER BY place"
        every = self._database.execute(query, (_key(field.encode()),)).fetchall()
        return [(place >> TABLE, place & ((1 << TABLE) - 1)) for (place,) in every]


def kept(paths: Sequence[Path], columns: Sequence[int], first: int) -> NamesIndex | None:
    """Return the index of tables, which is made where there is none.

    Args:
        paths: of tables whose fields stand between tabs.
        columns: the columns by which lines are found, from 0.
        first: from here on each column is one of them.

    Returns:
        None where none can be kept.
    """
    with suppress(OSError, sqlite3.Error):
        said = repr([LAYOUT, [*columns], first, [_state(path) for path in paths]])
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        folder = platformdirs.user_cache_path("grafico") / "names"
        file = folder / f"{digest}.sqlite"
        with suppress(sqlite3.Error):
            return NamesIndex(file)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(file, paths, columns, first)
        for other in folder.glob("*.sqlite"):
            if other != file and _is_stale(other):
                other.unlink(missing_ok=True)
        return NamesIndex(file)
    return None


def _state(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return str(path.resolve()), found.st_size, found.st_mtime_ns


def _is_stale(file: Path) -> bool:
    """Return whether the tables of an index are gone or replaced; others may still be used."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as database:
            made = database.execute("SELECT path, size, changed FROM tables").fetchall()
    except sqlite3.Error:
        return time.time() - file.stat().st_mtime > OLD
    try:
        return any(_state(Path(path)) != (path, *rest) for path, *rest in made)
    except OSError:
        return True


def _make(file: Path, paths: Sequence[Path], columns: Sequence[int], first: int) -> None:
    """Write an index under another name, and give it its own once it is whole."""
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    os.close(handle)
    try:
        with closing(sqlite3.connect(name)) as database:
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute("CREATE TABLE tables (path TEXT, size INTEGER, changed INTEGER)")
            states = [_state(path) for path in paths]  # before they are read
            database.executemany("INSERT INTO tables VALUES (?, ?, ?)", states)
            made = "CREATE TABLE lines (key INTEGER, place INTEGER, PRIMARY KEY (key, place))"
            database.execute(f"{made} WITHOUT ROWID")
            rows = np.fromiter(_rows(paths, columns, first), [("key", "i8"), ("place", "i8")])
            rows.sort(order=["key", "place"])  # 16 bytes each, and SQLite writes in order
            each = (row.item() for row in rows)
            database.executemany("INSERT OR IGNORE INTO lines VALUES (?, ?)", each)
            database.commit()
        os.replace(name, file)
    finally:
        with suppress(OSError):
            os.unlink(name)


def _rows(paths: Sequence[Path], columns: Sequence[int], first: int) -> Iterator[tuple[int, int]]:
    for table, path in enumerate(paths):
        if not path.stat().st_size:
            continue
        with (
            path.open("rb") as stream,
            mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            at = 0
            for line in iter(content.readline, b""):
                fields = line.rstrip(b"\r\n").split(b"\t")
                place = (table << TABLE) + at
                at += len(line)
                for field in {*(fields[one] for one in columns if one < len(fields))} | {
                    *fields[first:]
                }:
                    if field:
                        yield _key(field), place


def _key(field: bytes) -> int:
    digest = hashlib.blake2b(field, digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
