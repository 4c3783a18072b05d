"""What differs between schedulers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from .resources import Resources
from .state import Cause, QueuedJob, Record


@dataclass(frozen=True)
class JobRequest:
    """A job as it is submitted.

    Attributes:
        name: of the job.
        resources: that it needs.
        begin: when it may start at the earliest; None for at once.
        after: keys of jobs that must have ended first.
        whatever: whether those may have failed.
        count: of jobs of an array; None for one by itself.
        errors: where the scheduler should write its own last words on a job, without what tells
            jobs apart.
    """

    name: str
    resources: Resources
    begin: datetime | None
    after: Sequence[str]
    whatever: bool
    count: int | None
    errors: Path


class Scheduler(ABC):
    """How one scheduler spells what all of them can do.

    Attributes:
        name: of the scheduler, which is that of PSI/J's executor too.
        native: what a shell of a job knows as the job's number, or that of its array.
        own: what it knows as its own number, also in an array.
        index: the variable with the index in an array.
        copies: whether it keeps a copy of what it was submitted.
        spans_cores: whether PSI/J's description of cores is understood there.
    """

    name: ClassVar[str]
    native: ClassVar[str]
    own: ClassVar[str]
    index: ClassVar[str]
    copies: ClassVar[bool] = True
    spans_cores: ClassVar[bool] = True

    @abstractmethod
    def attributes(self, asked: JobRequest) -> dict[str, str]:
        """Return options that PSI/J does not know, by their names."""

    @abstractmethod
    def words(self, asked: JobRequest) -> list[str]:
        """Return options that stand on the command line, before the script."""

    @abstractmethod
    def listing(self, keys: Sequence[str] | None) -> list[str]:
        """Return the command that tells of these jobs, or of all of this user."""

    @abstractmethod
    def read(self, said: str) -> list[Record]:
        """Read what that command printed.

        Raises:
            ValueError: it is not what it should be.
        """

    @abstractmethod
    def key(self, job: QueuedJob) -> str:
        """Return how a job is called in commands."""

    def cause(self, words: str) -> Cause | None:
        """Return what the scheduler's last words on a job tell of why it ended."""
        return None


def seconds(clock: str) -> float | None:
    """Read a time such as `1-02:03:04` or `3:04`; None where it is none."""
    days, _, rest = clock.rpartition("-")
    try:
        total = 0.0
        for part in rest.split(":"):
            total = total * 60 + float(part)
        return total + 86400 * float(days or 0)
    except ValueError:
        return None
