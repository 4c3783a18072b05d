"""Jobs on their way out: what they may take, their folders, and their parts to a runner."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import secrets
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ogm import KnowledgeGraph
from triplestore.errors import InputError, ResourceError
from workflows.text.words import number

from ..execution.executor import Executor
from ..execution.task import carry_checkpoint, write
from ..graph.run import spelt
from ..request.workflow import Ready
from ..runners.base import Runner, Submission
from ..runners.cluster import Cluster
from ..runners.started import slots_of
from .job import ENDED, KEYS, Allotment, Job, JobFolder, Part
from .judging import attempt_name, together_name
from .packing import pack
from .recording import processors_of, record
from .trust import Trust

MODULE = "workflows.engine.jobs.node"
"""The program of each part."""


class Submitter:
    """Hands the parts of jobs to the runners of their clusters.

    Args:
        kg: the store of the jobs.
        folder: of all jobs.
        runners: makes the runner of a cluster.
        trust: tells which jobs are looked after, and where they are.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        folder: Path,
        runners: Callable[[Cluster, Path], Runner],
        trust: Trust,
    ) -> None:
        self.kg, self.folder, self.trust = kg, folder, trust
        self._make_runner = runners
        self._made: dict[tuple[object, ...], Runner] = {}

    def runner(self, cluster: Cluster) -> Runner:
        """Return the runner of a cluster, one for all that have the same scheduler."""
        how = (cluster.host, cluster.ssh, cluster.python, cluster.setup) if cluster.host else ()
        which = (cluster.scheduler, cluster.folder, *how)
        if which not in self._made:
            self.make_home()
            self._made[which] = self._make_runner(cluster, self.folder)
        return self._made[which]

    def runner_for(self, job: Job) -> Runner:
        """Return the runner of a job that is looked after.

        Raises:
            NotFoundError: the settings have no section of its cluster any more.
        """
        return self.runner(self.trust.section(job))

    def make_home(self) -> None:
        """Make the folder of all jobs, in a store that is there: with jobs alone it is none."""
        if not self.folder.exists():
            self.kg.store.query("ASK {}")
        self.folder.mkdir(mode=0o700, exist_ok=True)

    def mark(self) -> str:
        """Return the mark of this store's jobs, made with the first of them."""
        path = self.folder / "mark"
        self.make_home()
        if not path.exists():
            own = self.folder / f"mark.{secrets.token_hex(8)}"
            write(own, secrets.token_hex(8).encode())
            with suppress(FileExistsError):  # somebody else was quicker
                os.link(own, path)
            own.unlink()
        return path.read_text()

    def make(self, place: JobFolder, cluster: Cluster) -> None:
        """Make the folder of a job, empty but for checkpoints of an earlier one of that name.

        Raises:
            InputError: the cluster's folder is not there or may not be written.
        """
        self.make_home()
        if cluster.folder is None or cluster.host:
            place.place.mkdir(mode=0o700, exist_ok=True)
        elif not place.place.is_symlink():
            root = cluster.folder.expanduser()
            try:
                target = Path(tempfile.mkdtemp(prefix=f"{place.place.name}-", dir=root))
            except OSError as error:
                raise InputError(
                    f"a job is to lie in {root}",
                    error.strerror or str(error),
                    "make that folder, or name another one that the compute nodes see (`folder`)",
                ) from error
            place.place.symlink_to(target)

    async def hand_over(self, place: JobFolder, job: Job, executor: Executor) -> None:
        """Write into a job's folder what its run goes on with, and submit it.

        Args:
            place: the folder.
            job: which.
            executor: has deferred what it begins with.

        Raises:
            GraficoError: it was not taken; the job says why.
        """
        keys, tasks = executor.deferred.keys, self.folder.parent / "tasks"
        pack(self.kg, job.run, place.folder, executor.memory.at_hand, executor.deferred.carried)
        for part in () if executor.recompute else job.parts:
            for key in keys:
                carry_checkpoint(tasks, place.part(part.number) / "tasks", key)
        await self.runner_for(job).carry(place.folder)
        write(place.folder / KEYS, "\n".join(keys).encode())
        place.write(job)
        await self.submit(place, job, job.parts)

    async def submit(self, place: JobFolder, job: Job, parts: Sequence[Part]) -> None:
        """Submit parts; who is killed in between finds them again by their names.

        All parts of a job go together, where the runner takes them so; others go singly.

        Raises:
            GraficoError: they were not taken; the job says why.
        """
        section = self.trust.section(job)
        job.section, job.allotted = section.fingerprint, Allotment.of(section)
        together = (
            self.runner(section).together
            and 1 < len(parts) == len(job.parts)
            and len({part.attempt for part in parts}) == 1
        )
        for part in parts:
            place.part(part.number).mkdir(mode=0o700, exist_ok=True)
            part.attempt, part.left, part.together = part.attempt + 1, part.left - 1, together
            part.state, part.native, part.submitted = "submitting", "", datetime.now(UTC)
            part.reason, part.told, part.advice = "", "", ""
        place.write(job)
        await self.start(place, job, parts)

    async def start(self, place: JobFolder, job: Job, parts: Sequence[Part]) -> None:
        """Submit parts of which it is noted that they are being submitted.

        Raises:
            GraficoError: they were not taken; the job says why.
        """
        whole = len(parts) == len(job.parts) and all(part.together for part in parts)
        if not whole and any(part.together for part in parts):
            for part in parts:
                part.together = False
            place.write(job)  # each has a name of its own now
        groups = [parts] if whole else [[part] for part in parts]
        after = self._before(job)
        for at, group in enumerate(groups):
            try:
                await self._start(place, job, group, after)
            except InputError as error:
                refused = list(itertools.chain.from_iterable(groups[at:]))
                for part in refused:
                    part.state, part.reason = "failed", "rejected"
                    part.told, part.advice = f"{error.asked}; {error.found}", error.advice
                record(self.kg, place, job, refused)
                raise
            except ResourceError as error:  # they are looked for by name, and submitted if need be
                for part in itertools.chain.from_iterable(groups[at:]):
                    part.told, part.advice = f"{error.asked}; {error.found}", error.advice
                raise
            finally:
                place.write(job)

    def _before(self, job: Job) -> list[str]:
        """Return the ids of what must have ended before a job begins."""
        places = (JobFolder(self.folder / name) for name in job.after)
        return [
            part.native
            for place in places
            if self.trust.trusts(place)
            for part in place.job.parts
            if part.native and part.state not in ENDED
        ]

    async def _start(
        self, place: JobFolder, job: Job, parts: Sequence[Part], after: Sequence[str]
    ) -> None:
        first = parts[0]
        name, folder, told = together_name(job, first.attempt), place.folder, [str(first.attempt)]
        if not first.together:
            name, folder = attempt_name(job, first), place.part(first.number)
            told.append(str(first.number))
        section = self.trust.section(job)
        natives = await self.runner(section).submit(
            Submission(
                name, place.folder, folder, MODULE, told, section, job.begin, after, len(parts)
            )
        )
        for part, native in zip(parts, natives, strict=True):
            part.state, part.native = "waiting", native


START = 5.0
"""s that a part takes for its start and end, whatever it computes."""


@dataclass(frozen=True)
class Estimated:
    """What a job is thought to take.

    Attributes:
        seconds: on the cores of one part, if it is one.
        factor: within which that is thought to be right.
    """

    seconds: float
    factor: float

    def shared(self, parts: int) -> float:
        """Return what so many parts take together, each on its cores, in s."""
        return self.seconds + START * (parts - 1)


def agreed(
    ready: Ready, name: str, cluster: Cluster, *, force: bool, hours: float = math.inf
) -> Estimated | None:
    """Return what a request will take on a cluster, if it may; None where nobody knows.

    Args:
        ready: the request.
        name: of the cluster.
        cluster: where it is to be computed.
        force: whether everything may pass.
        hours: that it may take, besides the core hours of the cluster.

    Raises:
        ResourceError: it may not without a yes.
    """
    processors = processors_of(ready.executor.kg, name)
    cost = ready.estimate(force=True, slots=slots_of(cluster), processors=processors)
    if cost is None:
        return None
    seconds = cost.seconds + START
    core_hours = seconds * cluster.cores / 3600
    allowed = math.inf if cluster.core_hours is None else cluster.core_hours
    limit = f"{allowed:g} are allowed" if core_hours > allowed else f"{hours:g} hours are allowed"
    if (core_hours > allowed or seconds > hours * 3600) and not force:
        raise ResourceError(
            f"{ready.prepared.label} was asked for",
            f"it is estimated to take {core_hours:.1f} core hours, right within a factor of "
            f"{number(cost.factor)}; without a yes {limit}",
            "ask for less, or agree (`force`)",
        )
    return Estimated(seconds, cost.factor)


def name_of(ready: Ready, mark: str) -> str:
    """Return the name of the job of a request: in one store the same request has the same.

    Args:
        ready: the request.
        mark: of the store: the same person may ask the same of one scheduler from another one.
    """
    said = [
        mark,
        ready.workflow.name,
        spelt(ready.forms),
        ready.executor.recompute,
        sorted(one.iri for one in ready.prepared.about),
    ]
    return "grafico-" + hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]
