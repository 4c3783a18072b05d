"""What a runner is: who starts the parts of jobs, and tells how they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from .cluster import Cluster
from .started import environment_of, interpreter

Phase: TypeAlias = Literal["waiting", "computing", "gone", "unknown"]
"""Of a part of a job, as its runner sees it: how it went is for its folder to say.

`unknown`: the runner does not say now, so that it stands as before."""

Reason: TypeAlias = Literal[
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
    "held",
    "suspended",
    "never",
]
"""Why a part is gone before its end, or waits, as far as is known.

`not started`: its program has not begun; `held` by a person; `suspended`: stopped on its node;
`never`: it waits for what will not come.
"""


@dataclass(frozen=True)
class Sight:
    """How a part of a job looks from outside.

    Attributes:
        phase: whether it waits, computes, or is gone, as far as that is known.
        reason: why it is gone, or waits; empty where nobody knows.
        told: what the runner says of it in its own words, such as why it waits.
        advice: what to do about it; empty where nobody has to do anything.
    """

    phase: Phase
    reason: Reason = ""
    told: str = ""
    advice: str = ""


@dataclass(frozen=True)
class Submission:
    """A part of a job, or all of them together, ready to be started.

    Attributes:
        name: by which the runner knows it, and finds it again: no two at a time have the same. Of
            several each has its number besides, such as `NAME[3]`.
        whole: folder of the job, with all that its parts need.
        folder: of this part, there or in it; what it prints goes to `log.txt` there. Of several
            each has a folder in it, of its number.
        module: its program, which is told `whole` and `arguments`.
        arguments: what else it is told; of several each is told its number after that.
        cluster: what it is to get.
        begin: when it may start; None for at once.
        after: ids of what must have ended before.
        count: how many parts these are, numbered from 1.
    """

    name: str
    whole: Path
    folder: Path
    module: str
    arguments: Sequence[str]
    cluster: Cluster
    begin: datetime | None = None
    after: Sequence[str] = ()
    count: int = 1

    @property
    def command(self) -> list[str]:
        """Program and arguments, where it is started from this machine."""
        return [*interpreter(self.cluster), self.module, str(self.whole), *self.arguments]

    @property
    def environment(self) -> dict[str, str]:
        """All that the program sees of it."""
        return environment_of(self.cluster)


class Runner(Protocol):
    """Starts parts of jobs, and tells how they are.

    Several of its methods are told the folders of the jobs that the ids and names are of: what was
    left in them is there when they return. A runner whose parts see the very folders of this
    machine has nothing to do for that, and nothing to carry: see `Beside`.

    Attributes:
        together: whether it starts several parts at once.
    """

    together: bool

    async def carry(self, whole: Path) -> None:
        """Bring the folder of a job to where its parts see it, anew where an earlier one was.

        Raises:
            InputError: it cannot be put where it is described.
            ResourceError: the runner does not answer, or a disk is full.
            ComponentError: something is not installed there.
        """
        ...

    async def submit(self, part: Submission) -> Sequence[str]:
        """Start a part, or let it wait; return the ids that the runner gives, in their order.

        Raises:
            InputError: it is refused as it is.
            ResourceError: the runner does not answer, or takes no more.
        """
        ...

    async def find(self, names: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, str]:
        """Return the ids of those of some names that wait or compute.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def look(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, Sight]:
        """Return how parts are, by their ids, asked once for all of them.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def cancel(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> None:
        """End parts, and return when they have been told.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def clear(self, whole: Path) -> None:
        """Remove what was carried of a job, and what it left, which is here by now.

        Raises:
            ResourceError: the runner does not answer.
        """
        ...

    async def forget(self, ids: Sequence[str], job: str = "") -> None:
        """Remove what the runner keeps of parts that have ended, as far as no other needs it.

        Args:
            ids: of these parts.
            job: name of a job of which all parts have ended; empty for none.

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


class Beside:
    """What runners have in common whose parts see the folders of this machine."""

    async def carry(self, whole: Path) -> None:
        """Leave it where it is."""

    async def clear(self, whole: Path) -> None:
        """Leave it to who made it."""
