"""How a part of a job stands, by what it has left and by what its runner sees."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from triplestore.errors import DiskFullError, KilledError, MemoryLimitError

from ..local.logfile import tail
from ..runners.base import Reason, Sight
from .job import KEYS, SHARES, Job, JobFolder, Part
from .packing import ARRAYS, SEED

LITTLE = 1 << 16
"""Bytes: on a disk that has no more nothing can be said."""

NEXT: dict[Reason, str] = {
    "walltime": "resumed, it goes on from its checkpoints; give it more `hours` before that",
    "out of memory": "give it more `memory`, and resume it",
    "node failure": "resume it when the cluster is well",
    "preempted": "resume it, or ask for a `queue` in which nobody comes before it",
    "disk full": "free space there, and resume it: it goes on from its checkpoints",
    "not started": "see that the compute nodes see that folder (`folder`) and the interpreter"
    " (`python`, `setup`, `launch`): `grafico clusters check` tries it",
    "rejected": "change what it says, and resume it",
    "cancelled": "resume it to go on",
}
"""What to do about a part that has failed, where what it said gives no advice."""


def judge(place: JobFolder, job: Job, part: Part, seen: Mapping[str, Sight]) -> None:
    """Note how a part is, by what it has left and by what its runner sees."""
    sight = seen.get(part.native, Sight("gone"))
    began = place.began(part)
    if sight.phase == "gone" and began and seen.get(began, sight).phase != "gone":
        part.native, sight = began, seen[began]  # what was noted found that one under way
    ending = place.ending(part)
    open_end = ending is None or ending.status == "interrupted"  # who told it to end will be known
    if sight.phase == "unknown" and open_end:
        part.told, part.advice = sight.told, ""
        return
    if sight.phase in ("waiting", "computing") and open_end:
        part.state, part.reason = sight.phase, sight.reason
        part.told, part.advice = sight.told, sight.advice
        if began is None and sight.phase == "computing" and job.allotted.scheduler == "none":
            part.state, part.told = "waiting", _awaited(job)
        return
    part.reason, part.advice = sight.reason, ""
    part.core_hours += core_hours(place, job, part)
    if ending is not None:
        part.told, part.advice = ending.message, ending.advice
        if ending.status != "interrupted":
            part.reason = _REASONS.get(ending.kind, "")
            part.state, part.run = ending.status, ending.run
            if part.reason not in _AGAIN:
                part.advice = NEXT.get(part.reason, part.advice)
                return
    elif _full(place):
        part.reason, part.told = "disk full", f"{place.folder} is full"
    elif began is None and not part.reason and job.allotted.scheduler != "none":
        part.reason = "not started"
    part.told = sight.told or part.told or "its program ended without a word"
    _decide(place, part)


_REASONS: dict[str, Reason] = {
    MemoryLimitError.__name__: "out of memory",
    DiskFullError.__name__: "disk full",
    KilledError.__name__: "killed",
}

_AGAIN: tuple[Reason, ...] = ("out of memory", "killed")
"""Reasons that the program itself gives for which it is submitted again."""


def _decide(place: JobFolder, part: Part) -> None:
    """Note what becomes of a part that has gone before its end."""
    folder = place.part(part.number)
    twice = part.attempt > 1 and place.began(part, before=1) is None
    advice = NEXT.get(part.reason, "") or part.advice or "resumed, it goes on from its checkpoints"
    if part.reason == "cancelled":
        part.state, part.told = "cancelled", f"by the scheduler or a person: {part.told}"
    elif part.reason in ("rejected", "disk full") or (part.reason == "not started" and twice):
        part.state = "failed"
        if part.reason == "not started":
            part.told = f"its program has not begun in {folder}: {part.told}; {tail(folder)}"
    elif part.left > 0:
        part.state, advice = "cut off", ""  # it is submitted again
    else:
        part.state = "failed"
        why = part.reason or part.told
        part.told = f"cut off {part.attempt} times, at last: {why}; see its log.txt in {folder}"
    part.advice = advice


def _awaited(job: Job) -> str:
    """Return what a part that has its own process waits for."""
    if job.begin is not None and job.begin > datetime.now(UTC):
        return f"until {job.begin:%Y-%m-%d %H:%M} UTC"
    if job.after:
        return f"until {', '.join(job.after)} has ended"
    return "its program starts"


def _full(place: JobFolder) -> bool:
    with suppress(OSError):
        return shutil.disk_usage(place.folder).free < LITTLE
    return False


def core_hours(place: JobFolder, job: Job, part: Part) -> float:
    """Return what the latest attempt at a part has taken, its cores times its time, in h.

    Of one that was killed it is that up to its last sign of life; of one that never started, 0.
    """
    if (ending := place.ending(part)) is not None:
        return ending.seconds * ending.cores / 3600
    started, last = place.beginning(part), place.last_sign(part)
    if started is None or last is None:
        return 0.0
    return max(0.0, (last - started.started).total_seconds()) * job.allotted.cores / 3600


def clear(place: JobFolder) -> None:
    """Remove what a job does not need any more; what it was, how it ended and its log stay."""
    for name in (SEED, KEYS, SHARES):
        (place.folder / name).unlink(missing_ok=True)
    shutil.rmtree(place.folder / ARRAYS, ignore_errors=True)
    for part in place.job.parts:
        for name in ("tasks", "memo"):
            shutil.rmtree(place.part(part.number) / name, ignore_errors=True)


def attempt_name(job: Job, part: Part) -> str:
    """Return the name by which a runner knows an attempt at a part."""
    if part.together:
        return f"{together_name(job, part.attempt)}[{part.number}]"
    return f"{job.name}.{part.number}.{part.attempt}"


def together_name(job: Job, attempt: int) -> str:
    """Return the name of an attempt at all parts together."""
    return f"{job.name}.all.{attempt}"
