"""Slurm: `sbatch`, `squeue`, `scancel`. Tried on a live one."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import ClassVar

from .scheduler import JobRequest, Scheduler, seconds
from .state import Cause, QueuedJob, QueueState, Record

FIELDS = ("JobArrayID", "State", "Reason", "exit_code", "TimeUsed", "Name")

QUEUED = {
    "PENDING",
    "CONFIGURING",
    "REQUEUED",
    "REQUEUE_HOLD",
    "REQUEUE_FED",
    "SPECIAL_EXIT",
    "RESV_DEL_HOLD",
}
RUNNING = {"RUNNING", "COMPLETING", "SIGNALING", "STAGE_OUT", "RESIZING"}
STOPPED = {"STOPPED", "SUSPENDED"}
FAILED: dict[str, Cause] = {
    "TIMEOUT": "walltime",
    "DEADLINE": "walltime",
    "OUT_OF_MEMORY": "memory",
    "NODE_FAIL": "node",
    "BOOT_FAIL": "node",
    "PREEMPTED": "preempted",
}

STUCK = {
    r"PartitionTimeLimit|MaxWall": "cancel it, and ask for fewer `hours` or another `queue`",
    r"PartitionNodeLimit|PartitionConfig|BadConstraints|Max\w*PerJob": (
        "cancel it, and ask for what the `queue` gives: `cores`, `memory`, `gpus`, `hours`"
    ),
    r"[Aa]ccount": "cancel it, and give `account` one that may be charged",
    r"InvalidQOS|QOSNotAllowed": "cancel it, and give another `qos` in `attributes`",
    r"DependencyNeverSatisfied": "cancel it, and ask for it without that job",
}
"""Reasons for which a job waits that do not pass by themselves, and what to do then."""

HELD = {
    "JobHeldAdmin": "ask those who look after the cluster why they hold it",
    "JobHeldUser": "let it go: scontrol release {key}",
}
"""The same where somebody holds it."""


class Slurm(Scheduler):
    """How Slurm spells it."""

    name: ClassVar[str] = "slurm"
    native: ClassVar[str] = "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}"
    own: ClassVar[str] = "$SLURM_JOB_ID"
    index: ClassVar[str] = "SLURM_ARRAY_TASK_ID"

    def attributes(self, asked: JobRequest) -> dict[str, str]:
        needed = asked.resources
        found = {"job-name": asked.name}
        if needed.gpus or needed.shards:
            found["gres"] = f"gpu:{needed.gpus}" if needed.gpus else f"shard:{needed.shards}"
        if asked.begin is not None:
            found["begin"] = f"{asked.begin.astimezone():%Y-%m-%dT%H:%M:%S}"
        if asked.after:
            kind = "afterany" if asked.whatever else "afterok"
            found["dependency"] = ":".join((kind, *asked.after))
            found["kill-on-invalid-dep"] = "yes"  # it would wait for ever
        if asked.count is not None:
            found["array"] = f"1-{asked.count}"
        return found

    def words(self, asked: JobRequest) -> list[str]:
        # PSI/J sends this away, and with it all that tells want of memory from other kills
        told = f"{asked.errors}.{'%A.%a' if asked.count else '%j'}.err"
        # what is computed again, and from where, is not Slurm's to say
        return ["--no-requeue", f"--error={told}"]

    def listing(self, keys: Sequence[str] | None) -> list[str]:
        fields = ",".join(f"{field}:|" for field in FIELDS)
        return ["squeue", "--me", "--noheader", "--array", "--states=all", f"--Format={fields}"]

    def read(self, said: str) -> list[Record]:
        found = list[Record]()
        for line in filter(None, said.splitlines()):
            key, state, reason, code, used, name = line.removesuffix("|").split("|", 5)
            native, _, index = key.partition("_")
            job = QueuedJob(native, name, int(index) if index else None)
            found.append(Record(key, job, _state(key, state, reason, int(code), seconds(used))))
        return found

    def key(self, job: QueuedJob) -> str:
        return job.native if job.index is None else f"{job.native}_{job.index}"

    def cause(self, words: str) -> Cause | None:
        return "memory" if re.search(r"memory limit|oom.kill|out of memory", words, re.I) else None


def _state(key: str, state: str, reason: str, code: int, used: float | None) -> QueueState:
    said = f"Slurm says {state}" + (f" ({reason})" if reason not in ("None", "") else "")
    if state in QUEUED:
        for held, advice in HELD.items():
            if reason == held:
                advice = advice.format(key=key)
                return QueueState("queued", None, said, stuck=True, held=True, advice=advice)
        advice = next((text for words, text in STUCK.items() if re.search(words, reason)), "")
        return QueueState("queued", None, said, stuck=bool(advice), advice=advice)
    if state in STOPPED:
        advice = f"it goes on when it is let: scontrol resume {key}"
        return QueueState("queued", None, said, held=True, advice=advice, used=used)
    if state in RUNNING:
        return QueueState("running", None, said, used=used)
    if state == "COMPLETED":  # the script that PSI/J wrapped around it has, whatever came of it
        return QueueState("left", None, said, used=used)
    if state == "CANCELLED":
        if reason == "DependencyNeverSatisfied":
            return QueueState("failed", "dependency", said)
        return QueueState("cancelled", None, said, used=used)
    if state in FAILED:
        return QueueState("failed", FAILED[state], said, used=used)
    if state == "FAILED" and reason == "JobLaunchFailure":
        return QueueState("failed", "launch", said)
    if state == "FAILED":
        status = os.waitstatus_to_exitcode(code)
        if status < 0:
            said += f", ended by signal {-status}"
            return QueueState("failed", "signal", said, 128 - status, used=used)
        return QueueState("failed", "exit", said, status, used=used)
    return QueueState("unknown", None, said)
