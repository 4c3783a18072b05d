"""Jobs: where runs were computed that were handed to a cluster, what they got, how they ended."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AwareDatetime, Field

from ogm import GraphModel, Link, PartOf, Whose

from .provenance import Ended, Run, Started
from .units import CoreHours, Hours, Megabytes, Number

AttemptEnding: TypeAlias = Literal[
    "finished", "goal unmet", "failed", "cut off", "cancelled", "waiting for a choice"
]

AttemptReason: TypeAlias = Literal[
    "",
    "walltime",
    "out of memory",
    "node failure",
    "preempted",
    "cancelled",
    "killed",
    "rejected",
    "not started",
    "disk full",
]


class ClusterJob(GraphModel, key=("run",)):
    """A run that went on elsewhere: on a cluster, or in a process of its own.

    Attributes:
        run: the run, as it was cut off where it was submitted; those that were made of it there
            resume it.
        name: of the job; the same request has the same.
        cluster: name of the section of the settings.
        scheduler: what took it; `none` for a process on the machine that submitted it.
        submitted: when it was.
        shares: among how many parts it was shared out.
        estimate: core hours that it was thought to take; None where that was not estimated.
        factor: within which the estimate was thought to be right.
    """

    run: Annotated[Link[Run], PartOf()]
    name: str
    cluster: str
    scheduler: str
    submitted: AwareDatetime
    shares: Annotated[int, Field(ge=1)] = 1
    estimate: CoreHours | None = None
    factor: Number | None = None


class JobAttempt(GraphModel, key=("job", "share", "number")):
    """An attempt at a part of a job, from its submission to its end.

    Attributes:
        job: the job.
        share: which part, from 1.
        number: which attempt at that part, from 1.
        native: what the scheduler, or this machine, called it; empty where nobody has noted that.
        submitted: when it was, by the clock of who submitted it.
        started: when its program started, by the clock of its host; None if it never did.
        ended: when that ended; where it was killed, its last sign of life.
        host: on which it was computed; empty where it never started.
        processor: of that host.
        cores: that it got.
        memory: that it got.
        gpus: graphics cards that it got.
        shards: shares of graphics cards that it got.
        walltime: that it got.
        ending: how it ended; `cut off` goes on in another attempt, and so does `waiting for a
            choice` when it is made, as a job of the run that this makes.
        reason: why it was cut off or failed, where the scheduler, or the program, has said so.
        error: class of the error that it failed with; empty for none.
        core_hours: that it took, its cores times its time, whether or not they had something to do.
        made: the run that it made, where it got so far.
    """

    job: Annotated[Link[ClusterJob], PartOf()]
    share: Annotated[int, Field(ge=1)]
    number: Annotated[int, Field(ge=1)]
    native: str = ""
    submitted: AwareDatetime | None = None
    started: Started | None = None
    ended: Ended
    host: Annotated[str, Whose()] = ""
    processor: str = ""
    cores: Annotated[int, Field(ge=1)]
    memory: Megabytes
    gpus: Annotated[int, Field(ge=0)] = 0
    shards: Annotated[int, Field(ge=0)] = 0
    walltime: Hours
    ending: AttemptEnding
    reason: AttemptReason = ""
    error: str = ""
    core_hours: CoreHours = 0.0
    made: Link[Run] | None = None
