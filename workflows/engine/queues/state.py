"""A job, and where it stands, as its scheduler says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Stage = Literal["queued", "running", "left", "failed", "cancelled", "unknown"]
Cause = Literal["walltime", "memory", "node", "preempted", "signal", "exit", "launch", "dependency"]


@dataclass(frozen=True)
class QueuedJob:
    """A job that a scheduler has accepted. It may be written down and read again elsewhere.

    Attributes:
        native: the number that the scheduler gave it. After a crash of the scheduler another job
            may get the same one, so it says nothing without the name.
        name: as its submitter calls it, unique among theirs.
        index: which of an array, counted from 1; None for a job by itself, or all of an array.
    """

    native: str
    name: str
    index: int | None = None

    def element(self, index: int) -> QueuedJob:
        """Return one job of an array."""
        return replace(self, index=index)


@dataclass(frozen=True)
class QueueState:
    """Where a job stands.

    Attributes:
        stage: `queued` or `running`; `left`: it is in the queue no more, and whether it did what it
            should is seen in its folder; `failed` or `cancelled`; `unknown`: the scheduler does not
            say.
        cause: of a failure.
        reason: in words, with those of the scheduler.
        exit_code: with which it ended; None where nobody knows.
        stuck: it waits for what will not come: it has to be asked for otherwise.
        held: somebody has stopped it, before or after it began.
        advice: what to do about it; empty where nobody has to do anything.
        used: s that it has run; None where nobody knows.
    """

    stage: Stage
    cause: Cause | None = None
    reason: str = ""
    exit_code: int | None = None
    stuck: bool = False
    held: bool = False
    advice: str = ""
    used: float | None = None

    @property
    def ended(self) -> bool:
        """Whether it will never run again."""
        return self.stage in ("left", "failed", "cancelled")


@dataclass(frozen=True)
class Record:
    """What a scheduler's list says of one job.

    Attributes:
        key: the number by which it is asked for, that of an array with its index.
        job: it.
        state: where it stands.
    """

    key: str
    job: QueuedJob
    state: QueueState
