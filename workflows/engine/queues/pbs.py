"""PBS Pro and OpenPBS: `qsub`, `qstat`, `qdel`. Checked as generated scripts, on no live one."""

from __future__ import annotations

import getpass
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .scheduler import JobRequest, Scheduler, seconds
from .state import Cause, QueuedJob, QueueState, Record

QUEUED, RUNNING, STOPPED = set("HMQTW"), set("BER"), set("US")
CAUSES: dict[int, Cause] = {
    -24: "exit",
    -25: "exit",
    -26: "memory",
    -27: "memory",
    -28: "walltime",
    -29: "walltime",
}
"""Of the exit statuses with which PBS says that it has ended a job (`JOB_EXEC_KILL_…`)."""


class PBS(Scheduler):
    """How PBS spells it."""

    name: ClassVar[str] = "pbs"
    native: ClassVar[str] = "${PBS_ARRAY_ID:-$PBS_JOBID}"
    own: ClassVar[str] = "$PBS_JOBID"
    index: ClassVar[str] = "PBS_ARRAY_INDEX"
    spans_cores: ClassVar[bool] = False

    def attributes(self, asked: JobRequest) -> dict[str, str]:
        needed = asked.resources
        chunk = f"select=1:ncpus={needed.cores}"
        if needed.memory is not None:
            chunk += f":mem={needed.memory}mb"
        if needed.gpus:
            chunk += f":ngpus={needed.gpus}"
        found = {"N": asked.name, "l": chunk, "r": "n"}
        if asked.begin is not None:
            found["a"] = f"{asked.begin.astimezone():%Y%m%d%H%M.%S}"
        if asked.count is not None:
            found["J"] = f"1-{asked.count}"
        return found

    def words(self, asked: JobRequest) -> list[str]:
        if not asked.after:
            return []
        # numbers of arrays have brackets, which PSI/J would put into two kinds of quotes
        kind = "afterany" if asked.whatever else "afterok"
        return ["-W", "depend=" + ":".join((kind, *asked.after))]

    def listing(self, keys: Sequence[str] | None) -> list[str]:
        return ["qstat", "-x", "-t", "-f", "-F", "json", *(keys or ())]

    def read(self, said: str) -> list[Record]:
        jobs: Mapping[str, Mapping[str, Any]] = json.loads(said).get("Jobs", {})
        me = getpass.getuser()
        found = list[Record]()
        for key, told in jobs.items():
            if str(told.get("Job_Owner", me)).partition("@")[0] != me:
                continue
            head, opened, rest = key.partition("[")
            index, _, server = rest.partition("]")
            native = f"{head}[]{server}" if opened else key
            job = QueuedJob(native, str(told["Job_Name"]), int(index) if index else None)
            found.append(Record(key, job, _state(told)))
        return found

    def key(self, job: QueuedJob) -> str:
        return job.native if job.index is None else job.native.replace("[]", f"[{job.index}]")


def _state(told: Mapping[str, Any]) -> QueueState:
    letter, comment = str(told.get("job_state", "")), str(told.get("comment", ""))
    said = f"PBS says {letter}" + (f" ({comment})" if comment else "")
    used = seconds(str(told.get("resources_used", {}).get("walltime", "")))
    if letter in QUEUED:
        # one that waits for another is held by the system
        held = letter == "H" and str(told.get("Hold_Types", "u")) != "s"
        never = "can never run" in comment.lower()
        advice = "cancel it, and ask for less, or for another `queue`" if never else ""
        advice = "let it go: qrls" if held else advice
        return QueueState("queued", None, said, None, held or never, held, advice)
    if letter in STOPPED:
        advice = "it goes on when it is let: qsig -s resume"
        return QueueState("queued", None, said, held=True, advice=advice, used=used)
    if letter in RUNNING:
        return QueueState("running", None, said, used=used)
    status = told.get("Exit_status")
    if letter not in ("F", "X"):
        return QueueState("unknown", None, said)
    if status is None or status == 0:
        return QueueState("left", None, said, used=used)
    said += f", exit status {status}"
    if status in CAUSES:
        return QueueState("failed", CAUSES[status], said, used=used)
    if status < 0:
        return QueueState("failed", "launch", said, used=used)
    if status >= 256:  # 256 and the signal: qdel sends SIGTERM, then SIGKILL
        ended = "cancelled" if status in (265, 271) else "failed"
        return QueueState(
            ended, None if ended == "cancelled" else "signal", said, status - 128, used=used
        )
    return QueueState("failed", "exit", said, int(status), used=used)
