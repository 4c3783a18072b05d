"""What jobs have recorded is taken into the store, each record once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ogm import KnowledgeGraph
from ogm.array_storage import ArrayFiles
from triplestore.errors import DiskFullError, GraficoError, RecordError

from .admitting import RefusedJournalError, take
from .job import JOB, Job, JobFolder, Part
from .journal import JournalRecord, read_records
from .packing import ARRAYS, SEED

AT_ONCE = 16 << 20
"""Bytes of N-Quads that are checked as a whole before the first of them is stored; in memory they
take some ten times as much."""

LONGEST = 1000
"""Characters of what was found in a journal that are kept."""


def take_in(kg: KnowledgeGraph, place: JobFolder) -> int:
    """Store what a job has recorded since the last time; return how many records that was.

    Somebody who holds the job's lock calls it. If this process is killed in between, a piece is
    stored again, which changes nothing. Nothing is taken of a job that is left alone, or damaged.

    Raises:
        RefusedJournalError: it has recorded what may not be stored, and is noted as damaged.
        RecordError: a record was changed on the way; what came before it is stored.
        GraficoError: it cannot be stored.
    """
    job = place.job
    taken = 0
    if job.untrusted or job.damaged:
        return taken
    for part in job.parts:
        for records in _pieces(place.part(part.number) / "journal", part):
            if not taken:
                _store_sources(kg, place, job)
            _store(kg, place, job, part, records)
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


def _store(
    kg: KnowledgeGraph, place: JobFolder, job: Job, part: Part, records: list[JournalRecord]
) -> None:
    quads = b"".join(record.quads for record in records)
    try:
        take(kg, job.name, job.run, quads, ArrayFiles(place.folder / ARRAYS))
    except RefusedJournalError as error:
        where = _where(part, records, error.found)
        job.damaged = f"{part.number}/journal, {where}: {error.found[:LONGEST]}"
        place.write(job)
        raise RefusedJournalError(error.asked, job.damaged, way_out(job)) from error


def _store_sources(kg: KnowledgeGraph, place: JobFolder, job: Job) -> None:
    """Store what a job rests on that those have recorded with which it began.

    Their folders are left as they are, as somebody else may look after them: who takes them in
    stores it once more, which changes nothing.
    """
    beside = (JobFolder(path.parent) for path in place.place.parent.glob(f"*/{JOB}"))
    for source in beside if job.sources else ():
        if source.folder in job.sources and not (said := source.job).untrusted and not said.damaged:
            _store_sources(kg, source, said)
            for part in said.parts:
                for records in _pieces(source.part(part.number) / "journal", part):
                    quads = b"".join(record.quads for record in records)
                    take(kg, said.name, said.run, quads, ArrayFiles(source.folder / ARRAYS))


def way_out(job: Job) -> str:
    """Return what can be done about a job whose journal was refused."""
    return (
        f"nothing of it was stored; `grafico cancel {job.name}` takes the job out, and what it was "
        "to compute can be asked for anew"
    )


def _where(part: Part, records: list[JournalRecord], found: str) -> str:
    """Return where the object stands that was refused: the first that is named."""
    named = re.search(r"<([^<>]+)>|(https?://\S+)", found)
    iri = (named[1] or named[2]).encode() if named else b""
    start = part.taken
    for record in records if iri else ():
        if iri in record.quads:
            return f"in the record at byte {start:,}"
        start = record.end
    return f"behind byte {part.taken:,}"


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
