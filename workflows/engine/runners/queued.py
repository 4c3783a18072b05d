"""`QueuedRunner`: parts of jobs as jobs of a batch system."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from triplestore.errors import InputError

from ..queues import Cause, QueuedJob, QueueState, Resources
from ..queues.queue import Queue
from .base import Beside, Reason, Sight, Submission
from .cluster import Cluster

REASONS: dict[Cause, Reason] = {
    "walltime": "walltime", "memory": "out of memory", "node": "node failure",
    "preempted": "preempted", "signal": "killed", "launch": "rejected", "dependency": "rejected",
}  # fmt: skip

INTO_LOG = ("/bin/sh", "-c", 'exec "$@" >> log.txt 2>&1', "sh")
"""Before a command: what it prints goes where that of every part goes."""


class QueuedRunner(Beside):
    """Hands parts to a scheduler, which is asked once per interval however many they are.

    An id is the scheduler's number and the name of the part: the number alone may be given anew.

    Args:
        scheduler: `slurm`, `pbs` or `lsf`.
        folder: for scripts, seen by this machine and the compute nodes.
        interval: s between two questions.
        patience: s after which a scheduler that does not answer is said to be silent.

    Raises:
        ComponentError: the extra `queue` is not installed.
        InputError: the folder cannot be made, or is not this person's alone.
    """

    def __init__(
        self, scheduler: str, folder: Path, interval: float = 5.0, patience: float = 60.0
    ) -> None:
        _make_own(folder)
        self._scheduler = scheduler
        self._queue = Queue(scheduler, folder, interval=interval, patience=patience)

    async def submit(self, part: Submission) -> str:
        job = await self._queue.submit(
            [*INTO_LOG, *part.command],
            part.name,
            resources_of(part.cluster, part.environment),
            folder=part.folder,
            begin=part.begin,
            after=list(map(_job, part.after)),
            whatever=True,
        )
        return _id(job)

    async def find(self, names: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, str]:
        found = await self._queue.find(names)
        return {name: _id(jobs[-1]) for name, jobs in found.items() if jobs}

    async def look(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, Sight]:
        states = await self._queue.statuses(map(_job, ids))
        return {_id(job): _sight(state) for job, state in states.items()}

    async def cancel(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> None:
        await self._queue.cancel(map(_job, ids))

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
            asked, "it is not a folder of yours alone",
            "name a folder of your own (`folder`), or take that one from others: chmod 700",
        )  # fmt: skip


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
    return f"{job.native} {job.name}"


def _job(native: str) -> QueuedJob:
    number, _, name = native.partition(" ")
    return QueuedJob(number, name)
