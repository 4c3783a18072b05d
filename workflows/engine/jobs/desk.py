"""`Desk`: runs that are handed to clusters, looked after, and taken in."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ogm import KnowledgeGraph
from triplestore.errors import (
    GraficoError,
    InputError,
    NotFoundError,
    RecordError,
    TrustError,
)
from workflows.trust.caller import caller
from workflows.trust.withholding import Reason

from ..execution.events import Event, Listener
from ..execution.task import carry_checkpoint
from ..graph.router import GoalRouter, Router
from ..graph.waiting import NotingRouter
from ..request.workflow import Finished, Ready
from ..runners.base import Runner
from ..runners.cluster import HERE, Cluster
from .attaching import Attachment
from .checking import ClusterCheck, checked
from .choosing import chosen, done_here
from .job import BEGAN, CHOICE, END, ENDED, JOB, Allotment, Job, JobFolder, Part
from .judging import core_hours
from .quarantine import taken_out
from .recording import record
from .running import runner_of
from .sharing import shared_out
from .submitting import Submitter, agreed, name_of
from .taking import take_in, way_out
from .tending import Tender
from .trust import Trust

POLL, POLL_HOST, POLL_SCHEDULER, READ = 0.5, 1.0, 5.0, 0.25
"""Seconds between two looks at a part that is a process here, at what has come from another
machine, at the parts that a scheduler has, and at what they tell."""


@dataclass(frozen=True)
class JobStart:
    """When a job is to start, and what a person has agreed to.

    Attributes:
        begin: not before this time; None for at once.
        after: names of jobs that must have ended before.
        force: however many core hours it is estimated to take.
    """

    begin: datetime | None = None
    after: tuple[str, ...] = ()
    force: bool = False


class Desk:
    """The jobs of one store.

    Args:
        kg: where their runs are, and their results go.
        clusters: by name, as the settings have them.
        withheld: why others may not be used, by name.
        runners: makes the runner of a cluster.

    Raises:
        InputError: the store has no folder.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        clusters: Mapping[str, Cluster],
        runners: Callable[[Cluster, Path], Runner] = runner_of,
        withheld: Mapping[str, Reason] | None = None,
    ) -> None:
        if kg.store.home is None:
            raise InputError(
                "jobs are asked for",
                "a store in memory is gone before a job ends",
                "name a store in a folder or a server (`store`)",
            )
        self.kg = kg
        self.withheld = withheld or {}
        usual = {} if HERE in self.withheld else {HERE: Cluster()}
        self.clusters = {**usual, **clusters}
        self.folder, self._tasks = kg.store.home / "jobs", kg.store.home / "tasks"
        self.trust = Trust(self.clusters)
        self._submitter = Submitter(kg, self.folder, runners, self.trust)
        self._tender = Tender(self._submitter)
        self._attachment = Attachment(self._submitter, self._tender, self._tasks)

    # --- looking -------------------------------------------------------------------------------

    def cluster(self, name: str) -> Cluster:
        """Return the cluster of a name.

        Raises:
            NotFoundError: the settings have none of that name.
            TrustError: it stands in a file that nobody has trusted.
        """
        if name in self.withheld:
            raise TrustError(*self.withheld[name])
        if name not in self.clusters:
            raise NotFoundError(
                f"the cluster {name!r} was asked for",
                f"the settings have {', '.join(sorted(self.clusters))}",
                f"choose one of these ({HERE!r} is the background of this machine), or describe it "
                f"in grafico.toml, in a section [clusters.{name}]",
            )
        return self.clusters[name]

    def places(self) -> list[JobFolder]:
        """Return the folders of all jobs, the latest first."""
        found = [JobFolder(path.parent) for path in sorted(self.folder.glob(f"*/{JOB}"))]
        return sorted(found, key=lambda one: self.trust.seen(one).submitted, reverse=True)

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

    def trusted(self, name: str) -> JobFolder:
        """Return the folder of a job that is looked after, by its name or how that begins.

        Raises:
            NotFoundError: there is none, or several begin so.
            InputError: it is somebody else's, or its section is not what it was.
        """
        place = self.named(name)
        self.trust.check(place)
        return place

    async def look(self, name: str) -> Job:
        """Look how a job is; see `tend`.

        Raises:
            NotFoundError: there is no such job.
            InputError: it is not trusted.
        """
        place = self.trusted(name)
        if not place.job.ended:
            await self._tender.look([place])
        return place.job

    # --- submitting ----------------------------------------------------------------------------

    async def submit(
        self,
        ready: Ready,
        cluster: str,
        plan: JobStart | None = None,
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
            router: who chooses the steps; there the plan can, and anybody else is waited for,
                see `choose`.

        Raises:
            NotFoundError: there is no such cluster, or no job that it is to come after.
            InputError: it cannot be submitted as it is.
            ResourceError: it takes more than may be without a yes, or the cluster does not answer.
            ConsentError: a person has to agree to a step that comes first, and none has.
        """
        plan = plan or JobStart()
        described = self.cluster(cluster)
        after = tuple(self._one_before(name, described) for name in plan.after)
        place = JobFolder(self.folder / name_of(ready, self._submitter.mark()))
        if (under_way := await self._under_way(place)) is not None:
            return under_way
        cost = agreed(ready, cluster, described, force=plan.force or ready.force)
        executor = ready.executor.deferring()
        noted = NotingRouter(router or GoalRouter())
        got = await done_here(ready, executor, noted)
        if isinstance(got, Finished):
            return got
        keys = executor.deferred.keys
        label = ready.prepared.label
        self._attachment.refuse_busy(label, keys)
        others = [] if executor.recompute else await self._attachment.holding(keys)
        others = [one for one in others if not one.job.ended and one.place != place.place]
        after += self._attachment.before(label, others, keys, described)
        splits = ready.prepared.pieces if noted.name == GoalRouter.name else None
        pieces = splits() if splits else ()
        shares = shared_out(pieces, described)
        job = Job(
            name=place.place.name,
            run=got,
            workflow=ready.workflow.name,
            subject=ready.subject,
            goal=ready.prepared.goal.text if ready.prepared.goal else "",
            remarks=ready.given.remarks,
            cluster=cluster,
            section=described.fingerprint,
            allotted=Allotment.of(described),
            recompute=ready.executor.recompute,
            begin=plan.begin,
            after=tuple(dict.fromkeys(after)),
            estimate=cost.shared(len(shares)) if cost else None,
            factor=cost.factor if cost else None,
            router=noted.name,
            chosen=noted.last,
            sources=tuple(one.folder for one in others),
            asker=caller().asker,
            parts=[Part(number=at, left=described.tries) for at, _ in enumerate(shares, 1)],
        )
        self._submitter.make(place, described)
        with place.alone():
            if (place.folder / JOB).exists():
                if not place.job.ended or place.job.waits_for_choice:
                    return place.job  # somebody else was quicker
                with suppress(RecordError):  # what was changed is computed again
                    take_in(self.kg, place)
                _refuse_damaged(place.job)
            for name in ("journal", "events.jsonl", END, f"{BEGAN}-*"):
                for path in place.folder.glob(f"*/{name}"):
                    path.unlink()
            for one in others:
                one.need_by(job.name)
            place.write_shares(shares if pieces else [])
            await self._submitter.hand_over(place, job, executor)
        return job

    async def choose(self, name: str, ready: Ready, router: Router) -> Job | Finished:
        """Go on with a job that waits for a choice: made here, up to the next new calculation.

        Of several who choose at the same time, the first counts.

        Args:
            name: of the job.
            ready: its last run, opened again.
            router: who chooses.

        Returns:
            The job, which has been submitted again; or what its request came to.

        Raises:
            NotFoundError: there is no such job.
            GraficoError: nobody could choose, or its cluster does not take it.
        """
        return await chosen(self.trusted(name), ready, router, self._submitter, self._tender)

    def check_cost(self, ready: Ready, cluster: str, hours: float) -> None:
        """Refuse what takes longer than may be without a yes.

        Args:
            ready: the request.
            cluster: name of a section of the settings, or `here`.
            hours: that it may take there.

        Raises:
            NotFoundError: there is no such cluster.
            ResourceError: it takes longer, or more core hours than the cluster allows.
        """
        agreed(ready, cluster, self.cluster(cluster), hours=hours, force=False)

    async def _under_way(self, place: JobFolder) -> Job | None:
        """Return the job of that folder if it goes on."""
        if not (place.folder / JOB).exists():
            return None
        self.trust.check(place)
        await self._tender.look([place])
        job = place.job
        _refuse_damaged(job)
        return None if job.ended and not job.waits_for_choice else job

    def _one_before(self, name: str, cluster: Cluster) -> str:
        """Return the name of a job that another is to come after.

        Raises:
            NotFoundError: there is none.
            InputError: it is of another scheduler, which this one cannot wait for.
        """
        place = self.trusted(name)
        if self._submitter.runner_for(place.job) is not self._submitter.runner(cluster):
            raise InputError(
                f"a job after {place.place.name} was asked for",
                f"that one is on {place.job.cluster}, which another scheduler looks after",
                "submit both to the same cluster, or this one when that has ended",
            )
        return place.place.name

    async def computing(self, keys: Collection[str]) -> str | None:
        """Return in words which job computes one of some keys; None for none.

        What that has recorded is taken in, and it is submitted again where it was cut off. Where it
        has ended before, a calculation that it had begun can go on here.
        """
        for place in await self._attachment.holding(keys):
            job = place.job
            if not job.ended:
                return f"{job.name} computes it on {job.cluster} ({job.state})"
            for key in keys:
                for path in place.folder.glob(f"*/tasks/{key}"):
                    carry_checkpoint(path.parent, self._tasks, key)
        return None

    # --- looking after -------------------------------------------------------------------------

    def take_over(self, name: str, cluster: str) -> None:
        """Make a job one's own that came with a store, or whose section was changed.

        It goes on under a section of one's own settings; until then nothing of it is touched.

        Args:
            name: of the job, or how that begins.
            cluster: name of the section.

        Raises:
            NotFoundError: there is no such job, or no such section.
            InputError: its folder leads elsewhere, or is none of a job.
            RecordError: what is written of it cannot be read.
        """
        place, section = self.named(name), self.cluster(cluster)
        job = self.trust.seen(place)
        if job.untrusted:
            self.trust.take_over(place, cluster, section)
        elif job.cluster != cluster:
            raise InputError(
                f"the job {job.name} is to go on as {cluster}",
                f"it is yours, on {job.cluster}",
                "leave that word out; name its run to compute it elsewhere",
            )

    async def tend(self) -> list[Job]:
        """Look how all jobs are, take in what they have recorded, submit again what was cut off.

        Returns:
            All jobs, the latest first. Those that another process looks after right now are told as
            they were.
        """
        places = self.places()
        await self._tender.look([one for one in places if not self.trust.seen(one).ended])
        return [self._tender.known(one) for one in places]

    async def follow(self, name: str, tell: Listener) -> Job:
        """Tell what a job tells until it has ended, and take in what it records.

        Who stops following does not stop the job.

        Args:
            name: of the job, or how that begins.
            tell: is told what its parts tell, and how they stand.

        Raises:
            NotFoundError: there is no such job.
        """
        place = self.trusted(name)
        read: dict[int, int] = {}
        stood: dict[int, tuple[str, str]] = {}
        described = self.trust.section(place.job)
        interval = POLL if described.scheduler == "none" else POLL_SCHEDULER
        interval = POLL_HOST if described.host else interval  # which asks its scheduler less often
        looked = -math.inf
        while True:
            if time.monotonic() - looked >= interval:
                await self._tender.look([place])
                looked = time.monotonic()
            job = self._tender.known(place)
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

        One whose journal was refused is taken out with all that it has left, see `taken_out`.

        Raises:
            NotFoundError: there is no such job.
            ResourceError: its cluster does not answer.
        """
        place = self.trusted(name)
        with place.alone():
            job = place.job
            runner = self._submitter.runner_for(job)
            if job.damaged:
                return await taken_out(place, job, runner)
            await self._tender.recover(runner, place)
            job = place.job
            open_ones = [part for part in job.parts if part.state not in ENDED]
            ids = [*(one.native for one in open_ones), *map(place.began, open_ones)]
            await runner.cancel([one for one in dict.fromkeys(ids) if one], [place.folder])
            with suppress(RecordError):  # what was changed is not to be had; the rest is
                take_in(self.kg, place)
            job = place.job
            if job.damaged:
                return await taken_out(place, job, runner)
            open_ones = [part for part in job.parts if part.state not in ENDED]
            for part in open_ones:
                took = core_hours(place, job, part) if part.state != "cut off" else 0.0
                part.core_hours, part.reason = part.core_hours + took, ""
            for part in [*open_ones, *(part for part in job.parts if part.state == CHOICE)]:
                part.state, part.told = "cancelled", "by request"
                part.advice = "resume it to go on"
            record(self.kg, place, job, open_ones)
            place.write(job)
            with suppress(GraficoError):  # what is left there is no harm
                await runner.forget([], job.name)
        return job

    async def resume(self, name: str) -> Job:
        """Submit again, to start at once, what of a job has ended before its goal.

        Raises:
            NotFoundError: there is no such job.
            GraficoError: its cluster does not take it.
        """
        place = self.trusted(name)
        await self._tender.look([place])
        with place.alone():
            job = place.job
            _refuse_damaged(job)
            ended = [part for part in job.parts if part.state in ("failed", "cancelled")]
            for part in ended:
                part.left = self.trust.section(job).tries
            if ended:
                job.begin = None  # now is when it is asked for
            await self._submitter.submit(place, job, ended)
        return job

    async def check(self, names: Sequence[str]) -> dict[str, ClusterCheck]:
        """Try clusters in turn, each with a job of a second.

        Args:
            names: of clusters.

        Raises:
            NotFoundError: there is no cluster of that name.
        """
        described = {name: self.cluster(name) for name in names}
        self._submitter.make_home()
        return {
            name: await checked(one, self._submitter.runner(one), self.folder)
            for name, one in described.items()
        }


def _refuse_damaged(job: Job) -> None:
    """Refuse to go on with a job whose journal was refused.

    Raises:
        InputError: it was.
    """
    if job.damaged:
        raise InputError(f"{job.name} is to go on", f"it is damaged: {job.damaged}", way_out(job))
