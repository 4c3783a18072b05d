"""How a part of a job stands, by what it has left and by what its runner sees."""

from __future__ import annotations

import shutil

from triplestore.errors import MemoryLimitError

from ..runners.base import Sight
from .job import KEYS, Job, JobFolder, Part
from .packing import ARRAYS, SEED


def judge(place: JobFolder, job: Job, part: Part, sight: Sight) -> None:
    """Note how a part is, by what it has left and by what its runner sees."""
    ending = place.ending(part)
    told_to_end = ending is not None and ending.status == "interrupted"
    if sight.phase == "unknown" and (ending is None or told_to_end):
        part.told = sight.told
        return
    if sight.phase in ("waiting", "computing") and (ending is None or told_to_end):
        part.state, part.told = sight.phase, sight.told  # who told it to end will be known
        return
    part.reason = sight.reason
    part.core_hours += core_hours(place, job, part)
    if ending is not None:
        part.told = "; ".join(filter(None, [ending.message, ending.advice]))
        if ending.kind == MemoryLimitError.__name__:
            part.reason = "out of memory"
        elif ending.status != "interrupted":
            part.state, part.reason, part.run = ending.status, "", ending.run
            return
    part.told = sight.told or part.told or "its program ended without a word"
    if sight.reason == "cancelled":
        part.state, part.told = "cancelled", f"by the scheduler or a person: {part.told}"
    elif sight.reason == "rejected":
        part.state = "failed"
    elif part.left > 0:
        part.state = "cut off"
    else:
        part.state = "failed"
        why = part.reason or part.told
        part.told = (
            f"cut off {part.attempt} times, at last: {why}; see its log.txt in "
            f"{place.part(part.number)}; resumed, it goes on from its checkpoints"
        )


def core_hours(place: JobFolder, job: Job, part: Part) -> float:
    """Return what the latest attempt at a part has taken, its cores times its time, in h.

    Of one that was killed it is that up to its last sign of life; of one that never started, 0.
    """
    if (ending := place.ending(part)) is not None:
        return ending.seconds * ending.cores / 3600
    started, last = place.beginning(part), place.last_sign(part)
    if started is None or last is None:
        return 0.0
    return max(0.0, (last - started.started).total_seconds()) * job.described.cores / 3600


def clear(place: JobFolder) -> None:
    """Remove what a job does not need any more; what it was, how it ended and its log stay."""
    for name in (SEED, KEYS):
        (place.folder / name).unlink(missing_ok=True)
    shutil.rmtree(place.folder / ARRAYS, ignore_errors=True)
    for part in place.job.parts:
        for name in ("tasks", "memo"):
            shutil.rmtree(place.part(part.number) / name, ignore_errors=True)


def attempt_name(job: Job, part: Part) -> str:
    """Return the name by which a runner knows an attempt at a part."""
    return f"{job.name}.{part.number}.{part.attempt}"
