"""`JournalStore`: a store whose insertions are also written down, to be taken in elsewhere.

The journal is one file that only grows. Each record is a line of JSON, then N-Quads::

    {"bytes": 1234, "sha256": "…", "settled": ["https://…"]}
    <https://…> …

A record that was cut off, or has not arrived whole on a file system that several hosts see, ends
the reading; what comes before it counts. One whose checksum differs was changed on the way.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from triplestore.bounds import Bounds
from triplestore.errors import RecordError, ResourceError
from triplestore.quads import disk_error
from triplestore.store import Answer, Store, Table

LONGEST_HEAD = 10_000_000
"""Bytes of the line before the quads: that of a thousand settled subjects has some 80,000."""


@dataclass(frozen=True)
class JournalRecord:
    """One insertion.

    Attributes:
        quads: N-Quads.
        settled: see `Store.insert`.
        end: where the next record begins in the file, in bytes.
    """

    quads: bytes
    settled: tuple[str, ...]
    end: int


def read_records(path: Path, start: int = 0) -> Iterator[JournalRecord]:
    """Iterate over the whole records of a journal; of a file that is not there there are none.

    Args:
        path: the journal.
        start: where a record begins, in bytes.

    Raises:
        RecordError: a record is another than was written.
        ResourceError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            while (record := _record(file, path)) is not None:
                yield record
    except FileNotFoundError:
        return
    except OSError as error:
        raise ResourceError(
            f"the journal {path} is to be read",
            error.strerror or str(error),
            "mend the disk or its permissions, and ask again",
        ) from error


def _record(file: BinaryIO, path: Path) -> JournalRecord | None:
    start = file.tell()
    head = file.readline(LONGEST_HEAD)
    if not head.endswith(b"\n"):
        return None
    try:
        said = json.loads(head)
        length, checksum = int(said["bytes"]), str(said["sha256"])
        settled = tuple(map(str, said["settled"]))
    except (ValueError, KeyError, TypeError) as error:
        raise _changed(path, start, "its head cannot be read") from error
    quads = file.read(length)
    if len(quads) < length:
        return None
    if _checksum(quads, settled) != checksum:
        raise _changed(path, start, "its checksum differs")
    return JournalRecord(quads, settled, file.tell())


def _checksum(quads: bytes, settled: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(list(settled)).encode() + b"\n" + quads).hexdigest()


def _changed(path: Path, start: int, why: str) -> RecordError:
    return RecordError(
        f"what the job left in {path} is to be taken in",
        f"the record at byte {start:,} is not what was written: {why}",
        "nothing of it or behind it was stored; copy the file once more from where it was written,"
        " or cancel the job and ask again",
    )


class JournalStore(Store):
    """A store that answers as another does, and writes down what is inserted.

    What the journal holds already is inserted first, and a record that was cut off is removed from
    it, so that an attempt goes on where the one before it ended.

    Args:
        store: answers, and need not outlive the process.
        path: the journal.
        home: the folder for journals and array files.

    Raises:
        RecordError: a record of the journal was changed.
        ResourceError: somebody else writes it, or the disk is full.
    """

    def __init__(self, store: Store, path: Path, home: Path) -> None:
        self._store, self._home = store, home
        self._writing = threading.Lock()
        end = 0
        for record in read_records(path):
            store.insert(record.quads, durable=False, settled=record.settled)
            end = record.end
        try:
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise disk_error(f"write the journal {path}", error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._file.truncate(end)
        except BlockingIOError as error:
            self._file.close()
            raise ResourceError(
                f"the journal {path} is to be written",
                "another process writes it",
                "wait for it, or end it",
            ) from error
        except OSError as error:
            self._file.close()
            raise disk_error(f"write the journal {path}", error) from error

    @property
    def url(self) -> str:
        return self._store.url

    @property
    def home(self) -> Path | None:
        return self._home

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        return self._store.query(sparql, timeout=timeout, max_rows=max_rows)

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        return self._store.query_guarded(sparql, bounds)

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        return self._store.reach(iris, along)

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        self._store.insert(quads, durable=False, settled=settled)
        whole = tuple(settled)
        head = {"bytes": len(quads), "sha256": _checksum(quads, whole), "settled": whole}
        with self._writing:
            start = os.fstat(self._file.fileno()).st_size
            try:
                left = memoryview(json.dumps(head).encode() + b"\n" + quads)
                while left:
                    left = left[self._file.write(left) :]
                if durable:
                    os.fsync(self._file.fileno())
            except OSError as error:
                self._file.truncate(start)
                raise disk_error("write down a result", error) from error

    def flush(self) -> None:
        os.fsync(self._file.fileno())

    def dump(self) -> Iterator[bytes]:
        return self._store.dump()

    def close(self) -> None:
        self._file.close()
        self._store.close()
