"""The program of a part of a job: it goes on with a run in the job's folder, and nowhere else."""

from __future__ import annotations

import asyncio
import json
import math
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import psutil

from ogm import KnowledgeGraph
from ogm.array_storage import ArrayFiles
from triplestore import open_store
from triplestore.errors import GraficoError
from workflows.engine import Event, Executor
from workflows.programs.unread_settings import load_without_files
from workflows.trust.caller import Caller, asked_by

from ..graph.waiting import ApprovalError, ChoiceError, WaitingRouter
from ..local.devices import processor
from ..local.tokens import Tokens, tokens_folder
from ..queues.queue import INDEX, NUMBER
from ..request.consent import way_on
from ..request.workflow import finished, reopen
from ..runners.detached import AFTER, BEGIN, id_of, process_of
from ..runners.started import slots_of
from .claim import Claim, NotWantedError, claimed
from .job import CHOICE, Beginning, Ending, JobFolder, Part
from .journal import JournalStore
from .judging import attempt_name
from .packing import ARRAYS, add_source, seed_of

MOST_TOLD = 20_000_000
"""Bytes of `events.jsonl` after which frames and signs of life are left out."""


class Telling:
    """Writes events down, a line each.

    Args:
        path: where.
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("a", encoding="utf-8")

    def __call__(self, event: Event) -> None:
        """Write an event."""
        if self._file.tell() > MOST_TOLD and event.kind in ("frame", "alive", "progress"):
            return
        where = event.where
        said = {
            "kind": event.kind,
            "subject": event.subject,
            "data": dict(event.data),
            "run": where.run,
            "index": where.index,
            "part": where.part,
            "time": event.time.isoformat(),
        }
        with suppress(OSError):  # a full disk: what counts says so
            self._file.write(json.dumps(said, default=str) + "\n")
            self._file.flush()


def main(folder: Path, attempt: int, number: int) -> int:
    """Compute a part of a job, and say how it ended; return the exit status."""
    os.umask(0o077)
    load_without_files()  # the folder in which this is started may have come from elsewhere
    place = JobFolder(folder)
    asyncio.run(_waited())
    beginning = Beginning(
        attempt=attempt,
        native=_native(place, number, attempt),
        started=datetime.now(UTC),
        host=platform.node(),
        processor=processor(),
    )
    try:
        with claimed(place, number, beginning) as claim:
            return _attempted(place, number, attempt, claim)
    except NotWantedError as why:
        print(f"this program has nothing to do: {why}", file=sys.stderr)
        return 0


def _native(place: JobFolder, number: int, attempt: int) -> str:
    """Return what the runner calls this program."""
    queued = os.environ.get(NUMBER)
    if queued is None:
        return id_of(psutil.Process())
    part = Part(number=number, attempt=attempt, together=bool(os.environ.get(INDEX)))
    return f"{queued} {attempt_name(place.job, part)}"


def _attempted(place: JobFolder, number: int, attempt: int, claim: Claim) -> int:
    job = place.job
    clock = time.monotonic()
    said: dict[str, Any] = {"status": "interrupted", "message": "ended before its end"}
    try:
        with asked_by(Caller(folder=place.folder, away=True, account=job.asker)):
            said = _computed(place, number, claim)
    except GraficoError as error:
        said = {
            "status": "failed",
            "message": f"{error.asked}; {error.found}",
            "advice": error.advice,
            "run": error.run,
            "kind": type(error).__name__,
        }
    except (asyncio.CancelledError, KeyboardInterrupt):
        said = {"status": "interrupted", "message": "told to end; what is finished is kept"}
    except Exception as error:
        said = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
        raise
    finally:
        ending = Ending(
            attempt=attempt,
            ended=datetime.now(UTC),
            seconds=time.monotonic() - clock,
            cores=job.allotted.cores,
            host=platform.node(),
            **said,
        )
        claim.end(ending)
    return 0 if ending.status in ("finished", "goal unmet", CHOICE) else 1


async def _waited() -> None:
    """Wait for what the part must wait for, where no scheduler does that."""
    begin = os.environ.get(BEGIN)
    if begin:
        until = datetime.fromisoformat(begin)
        while (left := (until - datetime.now(UTC)).total_seconds()) > 0:
            await asyncio.sleep(min(left, 10.0))  # the clock may be put right meanwhile
    while any(process_of(one) is not None for one in os.environ.get(AFTER, "").split()):
        await asyncio.sleep(0.2)


def _computed(place: JobFolder, number: int, claim: Claim) -> dict[str, Any]:
    folder, part = place.folder, place.part(number)
    scratch = Path(tempfile.mkdtemp(prefix="grafico-job-"))
    try:
        inner = open_store(str(scratch / "store"))
        for piece in seed_of(folder):
            inner.insert(piece, durable=False)
        for source in place.job.sources:
            add_source(inner, source, ArrayFiles(folder / ARRAYS))
        with JournalStore(inner, part / "journal", part) as store:
            kg = KnowledgeGraph(store, folder / ARRAYS)
            return asyncio.run(_performed(place, kg, scratch, number, claim))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


async def _performed(
    place: JobFolder, kg: KnowledgeGraph, scratch: Path, number: int, claim: Claim
) -> dict[str, Any]:
    job, part = place.job, place.part(number)
    asked = job.allotted
    own = asked.scheduler != "none"  # what the scheduler gives is ours alone
    slots = slots_of(asked, Tokens(scratch / "slots" if own else tokens_folder()))
    telling = Telling(part / "events.jsonl")
    executor = Executor(kg, slots, listener=telling, share=place.share(number))
    here = asyncio.current_task()
    assert here is not None
    loop = asyncio.get_running_loop()
    for sent in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sent, here.cancel)
    watching = asyncio.create_task(claim.watch())
    watching.add_done_callback(lambda one: one.cancelled() or here.cancel())
    try:
        ready = await reopen(
            job.run, executor.recomputing() if job.recompute else executor, hours=math.inf
        )
        router = None if job.is_planned else WaitingRouter(job.router, job.chosen)
        try:
            done = await finished(ready, router=router, force=True)
        except ApprovalError as error:  # here is nobody
            told = f"a yes is needed: {error.why}"
            advice = f"{way_on(error.run)}, by the name of the job"
            return {"status": CHOICE, "message": told, "advice": advice, "run": error.run}
        except ChoiceError as error:
            return {"status": CHOICE, "message": str(error), "run": error.run}
        return {"status": done.status, "message": done.message, "run": done.run}
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await executor.aclose()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
