"""What jobs have recorded is taken into the store, each record once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ogm import KnowledgeGraph
from ogm.array_storage import ArrayFiles
from ogm.keeping.checksums import named_arrays
from triplestore.errors import DiskFullError, GraficoError, RecordError

from .job import JOB, JobFolder, Part
from .journal import JournalRecord, read_records
from .packing import ARRAYS, SEED, copy_arrays

AT_ONCE = 1 << 20
"""Bytes of N-Quads that are inserted in one transaction."""


def take_in(kg: KnowledgeGraph, place: JobFolder) -> int:
    """Store what a job has recorded since the last time; return how many records that was.

    Somebody who holds the job's lock calls it. If this process is killed in between, a piece is
    stored again, which changes nothing.

    Raises:
        RecordError: a record was changed on the way; what came before it is stored.
        GraficoError: it cannot be stored.
    """
    job = place.job
    taken = 0
    for part in job.parts:
        for records in _pieces(place.part(part.number) / "journal", part):
            _store(kg, place.folder, records)
            part.taken = records[-1].end
            taken += len(records)
            with suppress(DiskFullError):  # where the job lies: the next look stores it once more
                place.write(job)
    return taken


def _pieces(path: Path, part: Part) -> Iterator[list[JournalRecord]]:
    piece: list[JournalRecord] = []
    size = 0
    try:
        for record in read_records(path, part.taken):
            piece.append(record)
            size += len(record.quads)
            if size >= AT_ONCE:
                yield piece
                piece, size = [], 0
    except RecordError:
        if piece:
            yield piece
        raise
    if piece:
        yield piece


def _store(kg: KnowledgeGraph, folder: Path, records: list[JournalRecord]) -> None:
    quads = b"".join(record.quads for record in records)
    names = set(named_arrays(quads))
    if names:
        target = kg.files
        if target is None:
            raise RecordError("a job has left arrays", "the store has no folder for them")
        copy_arrays(ArrayFiles(folder / ARRAYS), target, names)
    settled = dict.fromkeys(iri for record in records for iri in record.settled)
    kg.store.insert(quads, settled=list(settled))


def take_all_in(kg: KnowledgeGraph, folder: Path) -> dict[str, GraficoError]:
    """Store what all jobs of a store have recorded; return why that of some cannot be.

    Nothing but the folders is looked at: no scheduler is asked. Jobs that somebody else looks after
    are left to him, and those that this person has not signed are left alone.
    """
    problems: dict[str, GraficoError] = {}
    for path in sorted(folder.glob(f"*/{SEED}")):  # what has finished was taken in
        place = JobFolder(path.parent)
        try:
            if not (place.folder / JOB).exists() or not _has_more(place):
                continue  # the first where it was not submitted in the end
            with place.alone(wait=False) as alone:
                if alone:
                    take_in(kg, place)
        except GraficoError as error:
            problems[place.place.name] = error
        except OSError:  # it is just being removed
            continue
    return problems


def _has_more(place: JobFolder) -> bool:
    job = place.job
    for part in () if job.untrusted or job.damaged else job.parts:
        path = place.part(part.number) / "journal"
        if path.exists() and path.stat().st_size > part.taken:
            return True
    return False
