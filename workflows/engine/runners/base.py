"""What a runner is: who starts the parts of jobs, and tells how they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from .cluster import Cluster

Phase: TypeAlias = Literal["waiting", "computing", "gone", "unknown"]
"""Of a part of a job, as its runner sees it: how it went is for its folder to say.

`unknown`: the runner does not say now, so that it stands as before."""

Reason: TypeAlias = Literal[
    "", "walltime", "out of memory", "node failure", "preempted", "cancelled", "killed", "rejected"
]
"""Why a part is gone before its end, as far as its runner knows."""


@dataclass(frozen=True)
class Sight:
    """How a part of a job looks from outside.

    Attributes:
        phase: whether it waits, computes, or is gone, as far as that is known.
        reason: why it is gone; empty where nobody knows.
        told: what the runner says of it in its own words, such as why it waits.
    """

    phase: Phase
    reason: Reason = ""
    told: str = ""


@dataclass(frozen=True)
class Submission:
    """A part of a job, ready to be started.

    Attributes:
        name: by which the runner knows it, and finds it again: no two at a time have the same.
        folder: its own; what it prints goes to `log.txt` there.
        command: program and arguments.
        cluster: what it is to get.
        environment: all that the program sees of it.
        begin: when it may start; None for at once.
        after: ids of what must have ended before.
    """

    name: str
    folder: Path
    command: Sequence[str]
    cluster: Cluster = field(default_factory=Cluster)
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    begin: datetime | None = None
    after: Sequence[str] = ()


class Runner(Protocol):
    """Starts parts of jobs, and tells how they are."""

    async def submit(self, part: Submission) -> str:
        """Start a part, or let it wait; return the id that the runner gives it.

        Raises:
            InputError: it is refused as it is.
            ResourceError: the runner does not answer, or takes no more.
        """
        ...

    async def find(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return the ids of those of some names that wait or compute.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def look(self, ids: Sequence[str]) -> Mapping[str, Sight]:
        """Return how parts are, by their ids, asked once for all of them.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def cancel(self, ids: Sequence[str]) -> None:
        """End parts, and return when they have been told.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def capacity(self) -> str:
        """Return in words what there is, such as `2 cores` or the state of a queue.

        Raises:
            InputError: what is described in the settings is not there.
            ResourceError: the runner does not answer.
        """
        ...
