"""`QueuedRunner`: parts of jobs as jobs of a batch system."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from triplestore.errors import InputError

from ..queues import Cause, QueuedJob, QueueState, Resources
from ..queues.queue import Queue
from .base import Beside, Reason, Sight, Submission
from .cluster import Cluster

REASONS: dict[Cause, Reason] = {
    "walltime": "walltime",
    "memory": "out of memory",
    "node": "node failure",
    "preempted": "preempted",
    "signal": "killed",
    "launch": "not started",
    "dependency": "rejected",
}

INTO_LOG = ("/bin/sh", "-c", 'exec "$@" >> log.txt 2>&1', "sh")
"""Before a command: what it prints goes where that of every part goes."""

INTO_LOGS = (
    "/bin/sh",
    "-c",
    'cd "$GRAFICO_INDEX" && exec "$@" "$GRAFICO_INDEX" >> log.txt 2>&1',
    "sh",
)
"""Before a command of several parts."""


class QueuedRunner(Beside):
    """Hands parts to a scheduler, which is asked once per interval however many they are.

    An id is the scheduler's number and the name of the part: the number alone may be given anew.
    Several parts at once are a job array, whose elements are found by its name and their numbers.

    Args:
        scheduler: `slurm`, `pbs` or `lsf`.
        folder: for scripts, seen by this machine and the compute nodes.
        interval: s between two questions.
        patience: s after which a scheduler that does not answer is said to be silent.

    Raises:
        ComponentError: the extra `queue` is not installed.
        InputError: the folder cannot be made, or is not this person's alone.
    """

    together = True

    def __init__(
        self, scheduler: str, folder: Path, interval: float = 5.0, patience: float = 60.0
    ) -> None:
        _make_own(folder)
        self._scheduler = scheduler
        self._queue = Queue(scheduler, folder, interval=interval, patience=patience)

    async def submit(self, part: Submission) -> Sequence[str]:
        jobs = await self._queue.submit_array(
            [*(INTO_LOG if part.count == 1 else INTO_LOGS), *part.command],
            part.name,
            resources_of(part.cluster, part.environment),
            part.count,
            folder=part.folder,
            begin=part.begin,
            after=list(dict.fromkeys(replace(_job(one), index=None) for one in part.after)),
            whatever=True,
        )
        return list(map(_id, jobs))

    async def find(self, names: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, str]:
        wanted = {name: _named(name) for name in names}
        found = await self._queue.find({name for name, _ in wanted.values()})
        ids: dict[str, str] = {}
        for name, (whole, index) in wanted.items():
            jobs = [job for job in found[whole] if job.index == index]
            if jobs:
                ids[name] = _id(jobs[-1])
        return ids

    async def look(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, Sight]:
        states = await self._queue.statuses(map(_job, ids))
        return {_id(job): _sight(state) for job, state in states.items()}

    async def cancel(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> None:
        await self._queue.cancel(map(_job, ids))

    async def forget(self, ids: Sequence[str], job: str = "") -> None:
        for one in map(_job, ids):
            self._queue.forget(one)
        if job:
            self._queue.forget_all(job)

    async def capacity(self) -> str:
        await self._queue.find([])
        return f"{self._scheduler} answers"


def _make_own(folder: Path) -> None:
    """Make a folder that nobody else may read or write; what it holds is executed.

    Raises:
        InputError: it cannot be made, or is another's.
    """
    asked = f"scripts of jobs are to lie in {folder}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        advice = "name a folder that is there, in which you may write (`folder`)"
        raise InputError(asked, error.strerror or str(error), advice) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise InputError(
            asked,
            "it is not a folder of yours alone",
            "name a folder of your own (`folder`), or take that one from others: chmod 700",
        )


def resources_of(cluster: Cluster, environment: Mapping[str, str]) -> Resources:
    """Return what a part of a job asks a scheduler for.

    Raises:
        InputError: the scheduler knows no such thing.
    """
    return Resources(
        walltime=cluster.hours * 3600,
        cores=cluster.cores,
        memory=cluster.memory,
        gpus=cluster.gpus,
        shards=cluster.shards,
        queue=cluster.queue,
        account=cluster.account,
        setup=cluster.setup,
        environment=environment,
        attributes=cluster.attributes,
    )


def _sight(state: QueueState) -> Sight:
    if state.stage == "queued":
        reason: Reason = "never" if state.stuck else ""
        if state.held:
            reason = "held" if state.stuck else "suspended"
        return Sight("waiting", reason, state.reason, state.advice)
    if state.stage == "running":
        return Sight("computing")
    if state.stage == "unknown":
        return Sight("unknown", "", state.reason)
    if state.stage == "cancelled":
        return Sight("gone", "cancelled", state.reason)
    why = REASONS.get(state.cause, "") if state.cause else ""
    return Sight("gone", why, state.reason if state.stage == "failed" else "")


def _id(job: QueuedJob) -> str:
    return f"{job.native} {job.name}" + ("" if job.index is None else f"[{job.index}]")


def _job(native: str) -> QueuedJob:
    number, _, name = native.partition(" ")
    return QueuedJob(number, *_named(name))


def _named(name: str) -> tuple[str, int | None]:
    """Return the name of a job or an array, and which of it is meant."""
    found = re.fullmatch(r"(.*)\[(\d+)\]", name)
    return (found[1], int(found[2])) if found else (name, None)
