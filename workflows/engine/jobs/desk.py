"""`Desk`: runs that are handed to clusters, looked after, and taken in."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from ogm import KnowledgeGraph
from triplestore.errors import (
    GraficoError,
    InputError,
    NotFoundError,
    RecordError,
    ResourceError,
)

from ..execution.events import Event, Listener
from ..execution.executor import DeferredError
from ..graph.router import Router
from ..graph.run import spelt
from ..request.workflow import Finished, Ready, finished
from ..runners.base import Runner, Sight, Submission
from ..runners.cluster import HERE, Cluster
from ..runners.detached import DetachedRunner
from .checking import ClusterCheck, checked
from .job import ENDED, JOB, Job, JobFolder, Part
from .judging import attempt_name, clear, judge
from .packing import pack
from .started import environment_of, interpreter
from .taking import take_in

POLL, POLL_SCHEDULER, READ = 0.5, 5.0, 0.25
"""Seconds between two looks at a part that is a process here, at the parts that a scheduler has,
and at what they tell."""

MORE_MEMORY = 1.5
"""How many times the memory of an attempt the next one gets, where it ran out."""


@dataclass(frozen=True)
class Plan:
    """When a job is to start, and what a person has agreed to.

    Attributes:
        begin: not before this time; None for at once.
        after: names of jobs that must have ended before.
        force: however many core hours it is estimated to take.
    """

    begin: datetime | None = None
    after: tuple[str, ...] = ()
    force: bool = False


def runner_of(cluster: Cluster, home: Path) -> Runner:
    """Return what starts the jobs of a cluster.

    Args:
        cluster: which.
        home: folder for jobs, where the cluster names none.

    Raises:
        ComponentError: the extra `queue` is not installed.
    """
    if cluster.scheduler == "none":
        return DetachedRunner()
    from ..runners.queued import QueuedRunner

    return QueuedRunner(cluster.scheduler, (cluster.folder or home).expanduser() / "queue")


class Desk:
    """The jobs of one store.

    Args:
        kg: where their runs are, and their results go.
        clusters: by name, as the settings have them.
        runners: makes the runner of a cluster.

    Raises:
        InputError: the store has no folder.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        clusters: Mapping[str, Cluster],
        runners: Callable[[Cluster, Path], Runner] = runner_of,
    ) -> None:
        if kg.store.home is None:
            raise InputError(
                "jobs are asked for", "a store in memory is gone before a job ends",
                "name a store in a folder or a server (`store`)",
            )  # fmt: skip
        self.kg = kg
        self.clusters = {HERE: Cluster(), **clusters}
        self.folder = kg.store.home / "jobs"
        self._make_runner = runners
        self._made: dict[tuple[str, Path | None], Runner] = {}

    def _runners(self, cluster: Cluster) -> Runner:
        """Return the runner of a cluster, one for all that have the same scheduler."""
        which = (cluster.scheduler, cluster.folder)
        if which not in self._made:
            self._make_home()
            self._made[which] = self._make_runner(cluster, self.folder)
        return self._made[which]

    def _make_home(self) -> None:
        """Make the folder of all jobs, in a store that is there: with jobs alone it is none."""
        if not self.folder.exists():
            self.kg.store.query("ASK {}")
        self.folder.mkdir(mode=0o700, exist_ok=True)

    # --- looking -------------------------------------------------------------------------------

    def cluster(self, name: str) -> Cluster:
        """Return the cluster of a name.

        Raises:
            NotFoundError: the settings have none of that name.
        """
        if name not in self.clusters:
            raise NotFoundError(
                f"the cluster {name!r} was asked for",
                f"the settings have {', '.join(sorted(self.clusters))}",
                f"describe it in grafico.toml, in a section [clusters.{name}]",
            )
        return self.clusters[name]

    def places(self) -> list[JobFolder]:
        """Return the folders of all jobs, the latest first."""
        found = [JobFolder(path.parent) for path in self.folder.glob("*/job.json")]
        return sorted(found, key=lambda one: one.job.submitted, reverse=True)

    def named(self, name: str) -> JobFolder:
        """Return the folder of a job by its name, or by how that begins.

        Raises:
            NotFoundError: there is none, or several begin so.
        """
        asked = f"the job {name!r} was asked for"
        found = [one for one in self.places() if one.place.name.startswith(name)] if name else []
        exact = [one for one in found if one.place.name == name]
        if len(exact or found) != 1:
            names = ", ".join(one.place.name for one in found) or "there is none of that name"
            raise NotFoundError(asked, names, "look at the list of jobs")
        return (exact or found)[0]

    # --- submitting ----------------------------------------------------------------------------

    async def submit(
        self,
        ready: Ready,
        cluster: str,
        plan: Plan | None = None,
        *,
        router: Router | None = None,
    ) -> Job | Finished:
        """Hand a request to a cluster, unless all of it is remembered.

        What takes a moment is done here, and what is remembered is looked up; the run is cut off
        where something is to be computed, and goes on from there on the cluster. Who asks for the
        same while its job goes on gets that job.

        Args:
            ready: the request.
            cluster: name of a section of the settings, or `here`.
            plan: when it is to start, and what was agreed to.
            router: who chooses the steps up to there.

        Raises:
            NotFoundError: there is no such cluster, or no job that it is to come after.
            InputError: it cannot be submitted as it is.
            ResourceError: it takes more than may be without a yes, or the cluster does not answer.
        """
        plan = plan or Plan()
        described = self.cluster(cluster)
        after = tuple(self._one_before(name, described) for name in plan.after)
        place = JobFolder(self.folder / name_of(ready))
        if (under_way := await self._under_way(place)) is not None:
            return under_way
        deferring = replace(ready, executor=ready.executor.deferring(), estimated=True)
        try:
            return await finished(deferring, router=router, force=True)
        except DeferredError as error:
            run = error.run
        seconds = self._agreed(ready, described, force=plan.force)
        many = described.parts if ready.prepared.splits else 1
        job = Job(
            name=place.place.name, run=run, workflow=ready.workflow.name, subject=ready.subject,
            goal=ready.prepared.goal.text if ready.prepared.goal else "",
            cluster=cluster, described=described, recompute=ready.executor.recompute,
            begin=plan.begin, after=after, estimate=seconds,
            parts=[Part(number=number, left=described.tries) for number in range(1, many + 1)],
        )  # fmt: skip
        self._make(place, described)
        with place.alone():
            if (place.folder / JOB).exists():
                if not place.job.ended:
                    return place.job  # somebody else was quicker
                with suppress(RecordError):  # what was changed is computed again
                    take_in(self.kg, place)
            for path in (*place.folder.glob("*/journal"), *place.folder.glob("*/events.jsonl")):
                path.unlink()
            pack(self.kg, run, place.folder, ready.executor.at_hand)
            place.write(job)
            await self._submit(place, job, job.parts)
        return job

    async def _under_way(self, place: JobFolder) -> Job | None:
        """Return the job of that folder if it goes on."""
        if not (place.folder / JOB).exists():
            return None
        await self._look([place])
        return None if place.job.ended else place.job

    def _one_before(self, name: str, cluster: Cluster) -> str:
        """Return the name of a job that another is to come after.

        Raises:
            NotFoundError: there is none.
            InputError: it is of another scheduler, which this one cannot wait for.
        """
        place = self.named(name)
        if self._runners(place.job.described) is not self._runners(cluster):
            raise InputError(
                f"a job after {place.place.name} was asked for",
                f"that one is on {place.job.cluster}, which another scheduler looks after",
                "submit both to the same cluster, or this one when that has ended",
            )
        return place.place.name

    def _agreed(self, ready: Ready, cluster: Cluster, *, force: bool) -> float | None:
        """Return the estimate, in s on the cores of one part, if it may take so long.

        Raises:
            ResourceError: it may not without a yes.
        """
        cost = ready.estimate(force=True)
        if cost is None:
            return None
        slots = ready.executor.slots
        threads = ready.executor.threads_per_calculation or slots.total_cores
        core_hours = cost.seconds * threads / 3600
        if cluster.core_hours is not None and core_hours > cluster.core_hours and not force:
            raise ResourceError(
                f"{ready.prepared.label} was asked for",
                f"it is estimated to take {core_hours:.1f} core hours, right within a factor of "
                f"{cost.factor}; without a yes {cluster.core_hours:g} are allowed",
                "ask for less, or agree (`force`)",
            )
        return core_hours * 3600 / cluster.cores

    def _make(self, place: JobFolder, cluster: Cluster) -> None:
        """Make the folder of a job, empty but for checkpoints of an earlier one of that name.

        Raises:
            InputError: the cluster's folder is not there or may not be written.
        """
        self._make_home()
        if cluster.folder is None:
            place.place.mkdir(mode=0o700, exist_ok=True)
        elif not place.place.is_symlink():
            root = cluster.folder.expanduser()
            try:
                target = Path(tempfile.mkdtemp(prefix=f"{place.place.name}-", dir=root))
            except OSError as error:
                raise InputError(
                    f"a job is to lie in {root}", error.strerror or str(error),
                    "make that folder, or name another one that the compute nodes see (`folder`)",
                ) from error  # fmt: skip
            place.place.symlink_to(target)

    async def _submit(self, place: JobFolder, job: Job, parts: Sequence[Part]) -> None:
        """Submit parts; who is killed in between finds them again by their names.

        Raises:
            GraficoError: they were not taken; the job says why.
        """
        runner = self._runners(job.described)
        after = [
            part.native
            for name in job.after
            for part in JobFolder(self.folder / name).job.parts
            if part.native and part.state not in ENDED
        ]
        for part in parts:
            folder = place.part(part.number)
            folder.mkdir(mode=0o700, exist_ok=True)
            part.attempt, part.left = part.attempt + 1, part.left - 1
            part.state, part.native, part.reason, part.told = "submitting", "", "", ""
            place.write(job)
            await self._start(runner, place, job, part, after)

    async def _start(
        self, runner: Runner, place: JobFolder, job: Job, part: Part, after: Sequence[str] = ()
    ) -> None:
        command = [
            *interpreter(job.described), "workflows.engine.jobs.node",
            str(place.folder), str(part.number), str(part.attempt),
        ]  # fmt: skip
        submission = Submission(
            attempt_name(job, part), place.part(part.number), command, job.described,
            environment_of(job.described), job.begin, after,
        )  # fmt: skip
        try:
            part.native = await runner.submit(submission)
        except InputError as error:
            part.state, part.reason, part.told = "failed", "rejected", str(error)
            place.write(job)
            raise
        part.state = "waiting"
        place.write(job)

    # --- looking after -------------------------------------------------------------------------

    async def tend(self) -> list[Job]:
        """Look how all jobs are, take in what they have recorded, submit again what was cut off.

        Returns:
            All jobs, the latest first. Those that another process looks after right now are told as
            they were.
        """
        places = self.places()
        await self._look([one for one in places if not one.job.ended])
        return [one.job for one in places]

    async def follow(self, name: str, tell: Listener) -> Job:
        """Tell what a job tells until it has ended, and take in what it records.

        Who stops following does not stop the job.

        Args:
            name: of the job, or how that begins.
            tell: is told what its parts tell, and how they stand.

        Raises:
            NotFoundError: there is no such job.
        """
        place = self.named(name)
        read: dict[int, int] = {}
        stood: dict[int, tuple[str, str]] = {}
        interval = POLL if place.job.described.scheduler == "none" else POLL_SCHEDULER
        looked = -math.inf
        while True:
            if time.monotonic() - looked >= interval:
                await self._look([place])
                looked = time.monotonic()
            job = place.job
            for part in job.parts:
                for event, end in place.events(part.number, read.get(part.number, 0)):
                    read[part.number] = end
                    tell(event)
                now = (part.state, part.told)
                if stood.get(part.number) != now and part.state not in ("computing", "finished"):
                    reason = ": ".join(filter(None, [part.state, part.told]))
                    tell(Event("waiting", f"{job.name}.{part.number}", {"reason": reason}))
                stood[part.number] = now
            if job.ended:
                return job
            await asyncio.sleep(READ)

    async def cancel(self, name: str) -> Job:
        """End a job; what it has recorded is kept, and so are its checkpoints.

        Raises:
            NotFoundError: there is no such job.
            ResourceError: its cluster does not answer.
        """
        place = self.named(name)
        with place.alone():
            job = place.job
            runner = self._runners(job.described)
            await self._recover(runner, place)
            job = place.job
            open_ones = [part for part in job.parts if part.state not in ENDED]
            await runner.cancel([part.native for part in open_ones if part.native])
            with suppress(RecordError):  # what was changed is not to be had; the rest is
                take_in(self.kg, place)
            job = place.job
            for part in job.parts:
                if part.state not in ENDED:
                    part.state, part.told = "cancelled", "by request; it can be resumed"
            place.write(job)
        return job

    async def resume(self, name: str) -> Job:
        """Submit again, to start at once, what of a job has ended before its goal.

        Raises:
            NotFoundError: there is no such job.
            GraficoError: its cluster does not take it.
        """
        place = self.named(name)
        await self._look([place])
        with place.alone():
            job = place.job
            ended = [part for part in job.parts if part.state in ("failed", "cancelled")]
            for part in ended:
                part.left = job.described.tries
            if ended:
                job.begin = None  # now is when it is asked for
            await self._submit(place, job, ended)
        return job

    async def check(self, names: Sequence[str]) -> dict[str, ClusterCheck]:
        """Try clusters in turn, each with a job of a second.

        Args:
            names: of clusters.

        Raises:
            NotFoundError: there is no cluster of that name.
        """
        described = {name: self.cluster(name) for name in names}
        self._make_home()
        return {
            name: await checked(one, self._runners(one), self.folder)
            for name, one in described.items()
        }

    async def _look(self, places: Sequence[JobFolder]) -> None:
        with ExitStack() as held:
            by_runner: dict[int, tuple[Runner, list[JobFolder]]] = {}
            for place in places:
                if held.enter_context(place.alone(wait=False)):
                    runner = self._runners(place.job.described)
                    by_runner.setdefault(id(runner), (runner, []))[1].append(place)
            for runner, several in by_runner.values():
                await self._look_at(runner, several)

    async def _look_at(self, runner: Runner, places: Sequence[JobFolder]) -> None:
        """Look at the jobs of one runner, which is asked once for all of them."""
        seen: Mapping[str, Sight] = {}
        silent: GraficoError | None = None
        try:
            for place in places:
                await self._recover(runner, place)
            parts = [part for place in places for part in place.job.parts]
            ids = [part.native for part in parts if part.native and part.state not in ENDED]
            seen = await runner.look(ids) if ids else {}
        except ResourceError as error:
            silent = error
        for place in places:
            try:
                if silent is not None:
                    take_in(self.kg, place)
                    raise silent
                await self._update(runner, place, seen)
            except GraficoError as error:  # of this job: the others are looked after all the same
                job = place.job
                for part in job.parts:
                    if part.state not in ENDED:
                        part.told = str(error)
                place.write(job)

    async def _recover(self, runner: Runner, place: JobFolder) -> None:
        """Find parts again whose submission nobody has noted; submit those that there are not."""
        job = place.job
        lost = [part for part in job.parts if part.state == "submitting"]
        if not lost:
            return
        known = await runner.find([attempt_name(job, part) for part in lost])
        for part in lost:
            part.native = known.get(attempt_name(job, part), "")
            if part.native or place.ending(part) is not None:
                part.state = "waiting"
                place.write(job)
            else:
                with suppress(InputError):  # it is refused, and says so
                    await self._start(runner, place, job, part)

    async def _update(self, runner: Runner, place: JobFolder, seen: Mapping[str, Sight]) -> None:
        take_in(self.kg, place)
        job = place.job
        for part in job.parts:
            if part.state not in ENDED:
                judge(place, job, part, seen.get(part.native, Sight("gone")))
        again = [part for part in job.parts if part.state == "cut off"]
        if any(part.reason == "out of memory" for part in again):
            more = round(job.described.memory * MORE_MEMORY)
            job.described = job.described.model_copy(update={"memory": more})
        take_in_last = job.ended
        place.write(job)
        if again:
            await self._submit(place, job, again)
        if take_in_last:
            take_in(self.kg, place)  # what came between the last look at its journal and its end
            if job.state == "finished":
                clear(place)


def name_of(ready: Ready) -> str:
    """Return the name of the job of a request: the same request has the same."""
    said = [
        ready.workflow.name, spelt(ready.forms), ready.executor.recompute,
        sorted(one.iri for one in ready.prepared.about),
    ]  # fmt: skip
    return "grafico-" + hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]
