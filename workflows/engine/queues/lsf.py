"""LSF: `bsub`, `bjobs`, `bkill`. Checked as generated scripts, on no live one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .scheduler import JobRequest, Scheduler
from .state import Cause, QueuedJob, QueueState, Record

FIELDS = "jobid jobindex job_name stat exit_code exit_reason pend_reason run_time"
QUEUED = {"PEND", "PSUSP", "PROV", "WAIT"}
RUNNING, STOPPED = {"RUN", "UNKWN", "ZOMBI"}, {"USUSP", "SSUSP"}
CAUSES: dict[str, Cause] = {
    "TERM_RUNLIMIT": "walltime",
    "TERM_DEADLINE": "walltime",
    "TERM_MEMLIMIT": "memory",
    "TERM_SWAP": "memory",
    "TERM_PREEMPT": "preempted",
    "TERM_ZOMBIE": "node",
    "TERM_UNKNOWN": "node",
    "TERM_LSF_HOST_LOST": "node",
}


class LSF(Scheduler):
    """How LSF spells it."""

    name: ClassVar[str] = "lsf"
    native: ClassVar[str] = "$LSB_JOBID"
    own: ClassVar[str] = "$LSB_JOBID"
    index: ClassVar[str] = "LSB_JOBINDEX"
    copies: ClassVar[bool] = False
    spans_cores: ClassVar[bool] = False

    def attributes(self, asked: JobRequest) -> dict[str, str]:
        needed = asked.resources
        found = {"n": str(needed.cores), "rn": ""}
        if needed.memory is not None:
            found["M"] = f"{needed.memory}MB"
        if needed.gpus:
            found["gpu"] = f"num={needed.gpus}"
        if asked.begin is not None:
            found["b"] = f"{asked.begin.astimezone():%Y:%m:%d:%H:%M}"
        if asked.count is None:
            found["J"] = asked.name
        return found

    def words(self, asked: JobRequest) -> list[str]:
        # brackets, which PSI/J would put into two kinds of quotes
        found = ["-R", "span[hosts=1]"]
        if asked.count is not None:
            found += ["-J", f"{asked.name}[1-{asked.count}]"]
        if asked.after:
            kind = "ended" if asked.whatever else "done"
            found += ["-w", " && ".join(f"{kind}({key})" for key in asked.after)]
        return found

    def listing(self, keys: Sequence[str] | None) -> list[str]:
        return ["bjobs", "-a", "-json", "-o", FIELDS, *(keys or ())]

    def read(self, said: str) -> list[Record]:
        found = list[Record]()
        for told in json.loads(said)["RECORDS"]:
            if "ERROR" in told:
                continue
            index = int(told.get("JOBINDEX") or 0)
            name = re.sub(r"\[\d+\]$", "", str(told["JOB_NAME"]))
            job = QueuedJob(str(told["JOBID"]), name, index or None)
            found.append(Record(self.key(job), job, _state(told)))
        return found

    def key(self, job: QueuedJob) -> str:
        return job.native if job.index is None else f"{job.native}[{job.index}]"


def _state(told: Mapping[str, Any]) -> QueueState:
    state, why = str(told.get("STAT", "")), str(told.get("EXIT_REASON") or "")
    waits = str(told.get("PEND_REASON") or "")
    said = f"LSF says {state}" + (f" ({why or waits})" if why or waits else "")
    clock = re.match(r"\d+", str(told.get("RUN_TIME") or ""))
    used = float(clock[0]) if clock else None
    if state in QUEUED:
        held = state == "PSUSP"
        advice = "let it go: bresume" if held else ""
        return QueueState("queued", None, said, None, held, held, advice)
    if state in STOPPED:
        advice = "it goes on when it is let: bresume"
        return QueueState("queued", None, said, held=True, advice=advice, used=used)
    if state in RUNNING:
        return QueueState("running", None, said, used=used)
    if state == "DONE":
        return QueueState("left", None, said, used=used)
    if state != "EXIT":
        return QueueState("unknown", None, said)
    code = int(told.get("EXIT_CODE") or 0) or None
    if "TERM_OWNER" in why or "TERM_ADMIN" in why:
        return QueueState("cancelled", None, said, code, used=used)
    for word, cause in CAUSES.items():
        if word in why:
            return QueueState("failed", cause, said, code, used=used)
    cause = "signal" if code is not None and code > 128 else "exit"
    return QueueState("failed", cause, said, code, used=used)
