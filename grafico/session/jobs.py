"""Runs of a session, computed here or elsewhere."""

from __future__ import annotations

import functools
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from triplestore.errors import InputError, NotFoundError
from triplestore.spans import note, span
from workflows.engine.graph.stored_runs import stored_run
from workflows.engine.graph.waiting import EndingRouter
from workflows.engine.graph.yeses import Waiting, given, waiting
from workflows.engine.request.workflow import Finished, Ready, perform, public_result, reopen
from workflows.engine.runners.cluster import HERE

from .handles import Handle, name_of
from .latest import unfinished
from .marks import Marks
from .naming import is_short
from .opened import in_own_loop
from .routing import make_router, word_of

if TYPE_CHECKING:
    from workflows.engine import Listener, Router
    from workflows.engine.jobs.accuracy import Accuracy
    from workflows.engine.jobs.desk import Desk
    from workflows.engine.jobs.job import Job

P = ParamSpec("P")
T = TypeVar("T")
SessionT = TypeVar("SessionT", bound="JobSession")

IRI = re.compile(r"(https?://|g:|id/)")
"""How the IRI of a run begins; what begins otherwise is the name of a job."""


def as_request(
    function: Callable[Concatenate[SessionT, P], Awaitable[T]],
) -> Callable[Concatenate[SessionT, P], Awaitable[T]]:
    """Return a method that does the same within one span, so that all of it is one trace."""

    @functools.wraps(function)
    async def call(self: SessionT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with span(self.executor.tracer, "request") as here:
            result: Any = await function(self, *args, **kwargs)
            atoms = getattr(result, "atoms", None)
            status = getattr(result, "status", None)  # a job has none yet
            note(here, run=result.run, status=status, atoms=atoms and atoms.iri)
        return result

    return call


class JobSession(Marks):
    """A session that hands runs to clusters and takes in what they compute."""

    async def _computing(self, keys: Sequence[str]) -> str | None:
        """See `Policy.elsewhere`."""
        home = self.kg.store.home
        if home is None or not (home / "jobs").is_dir():
            return None
        return await self.desk.computing(keys)

    @functools.cached_property
    def desk(self) -> Desk:
        """Who looks after the jobs of this store.

        Raises:
            InputError: it is one in memory.
        """
        from workflows.engine.jobs.desk import Desk

        settings = self.settings
        return Desk(self.kg, settings.clusters, withheld=settings.withheld_clusters)

    @as_request
    async def perform_async(
        self,
        ready: Ready,
        *,
        router: str | Router = "goal",
        force: bool = False,
        on: str | None = None,
        begin: str | datetime | None = None,
        after: Sequence[str] = (),
    ) -> Any:
        """Do what was prepared, or remember it; `perform` is the same without `await`.

        Args:
            ready: what `prepare_async` returned.
            router: see `run`.
            force: whether it may take longer than the settings' `hours`, or elsewhere more than
                the cluster's `core_hours`.
            on: see `run`.
            begin: see `run`.
            after: see `run`.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        chooser = make_router(router)
        return await self._performed(ready, chooser, force=force, on=on, begin=begin, after=after)

    perform = in_own_loop(perform_async, "perform")

    def check_cost(
        self,
        ready: Ready,
        hours: float,
        *,
        on: str | None = None,
        begin: str | datetime | None = None,
        after: Sequence[str] = (),
    ) -> None:
        """Refuse what takes longer than may be without a yes, wherever it is computed.

        Args:
            ready: what `prepare_async` returned.
            hours: that it may take.
            on: see `run`.
            begin: see `run`.
            after: see `run`.

        Raises:
            NotFoundError: there is no such cluster.
            ResourceError: it takes longer, or more than the cluster's `core_hours`.
        """
        if on or begin or after:
            self.desk.check_cost(ready, on or HERE, hours)
        else:
            ready.estimate(hours)

    async def _performed(
        self,
        ready: Ready,
        router: Router,
        *,
        force: bool = False,
        on: str | None = None,
        begin: str | datetime | None = None,
        after: Sequence[str] = (),
    ) -> Any:
        """Do what was prepared, here or elsewhere: the one way of all that computes.

        Later is in the background of this machine, if no cluster is named.
        """
        if not (on or begin or after):
            return await perform(ready, router=router, force=force)
        from workflows.engine.jobs.desk import JobStart
        from workflows.engine.jobs.start_time import start_time

        plan = JobStart(start_time(begin) if begin else None, tuple(after), force)
        got = await self.desk.submit(ready, on or HERE, plan, router=router)
        return public_result(got) if isinstance(got, Finished) else got

    async def reopen_async(self, run: str, **asked: Any) -> Ready:
        """Find out what is left of a run; `perform_async` goes on with it.

        Args:
            run: IRI of the run.
            asked: what is asked otherwise than then, such as `max_steps`.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        return await reopen(self.iri(run), self.executor, asked=asked, hours=self.settings.hours)

    @as_request
    async def resume_async(
        self,
        run: Handle = "",
        *,
        router: str | Router | None = None,
        force: bool = False,
        on: str | None = None,
        begin: str | datetime | None = None,
        after: Sequence[str] = (),
        under: str | None = None,
        **asked: Any,
    ) -> Any:
        """Go on with any run that was cut off or ended early; `resume` is it without `await`.

        What it has computed is remembered; a calculation that was under way goes on from its
        checkpoint, if it left one.

        Args:
            run: IRI of the run, what it is called (see `iri`) or what it came to; or a job or its
                name, which is then submitted again where it was; if it waits for a choice, this is
                made here before. The latest run that did not reach its goal if empty.
            router: see `run`; None for the plan, or whoever chose the steps of the job.
            force: see `perform_async`.
            on: see `run`.
            begin: see `run`.
            after: see `run`.
            under: see `follow_async`.
            asked: what is asked otherwise than then, such as `max_steps`.

        Raises:
            InputError: a job goes on as it was asked, where it was.
            GraficoError: see `triplestore.errors`.
        """
        run = self._run_or_job(name_of(run))
        if not IRI.match(run):
            if asked or on or begin or after:
                raise InputError(
                    f"the job {run} is to go on",
                    f"{', '.join(filter(None, [*asked, on, begin and 'begin', *after]))} cannot "
                    "be changed: a job goes on as it was asked, where it was",
                    "name its run to change that",
                )
            self._take_over(run, under)
            return await self._resumed_job(run, router)
        if under is not None:
            raise InputError(
                f"the run {run} is to be taken over", "only jobs are", "name its job; see the list"
            )
        chooser = make_router(router or "goal")
        ready = await self.reopen_async(run, **asked)
        return await self._performed(ready, chooser, force=force, on=on, begin=begin, after=after)

    resume = in_own_loop(resume_async, "resume")

    def _run_or_job(self, word: str) -> str:
        """Return the IRI of the run that is meant, or else the name of a job."""
        if not word:
            return unfinished(self.kg.store)
        if IRI.match(word) or is_short(word):
            return self.iri(word)
        if not any(one.place.name.startswith(word) for one in self.desk.places()):
            with suppress(NotFoundError):  # it will be looked for as a job, which says why not
                return self.iri(word)
        return word

    async def _resumed_job(self, name: str, router: str | Router | None) -> Job | Any:
        """Submit a job again; where it waits for a choice, let a router choose here before."""
        job = await self.desk.look(name)
        if not job.waits_for_choice:
            return await self.desk.resume(name)
        if len(job.parts) > 1:  # of a batch: what is left of it is asked for as a whole
            raise InputError(
                f"the job {job.name} is to go on",
                "it is shared out, and a part of it waits for a person",
                "resume its batch by the IRI of its run, here",
            )
        chooser = make_router(router or word_of(job.router))
        executor = self.executor.recomputing() if job.recompute else self.executor
        ready = await reopen(job.parts[0].run, executor)
        got = await self.desk.choose(job.name, ready, chooser)
        return public_result(got) if isinstance(got, Finished) else got

    def waiting_for_yes(self, run: str) -> Waiting:
        """Return what a run would do to the world, which waits for a person's yes.

        Args:
            run: its IRI, or that of a batch.

        Raises:
            NotFoundError: it is not stored.
            InputError: it waits for nobody.
        """
        return waiting(self.kg, stored_run(self.kg, self.iri(run)))

    def agree(self, to: Waiting, door: str) -> datetime:
        """Record a person's yes; whoever calls this has shown them all of it, and asked them.

        Args:
            to: what they agree to.
            door: where they were asked.

        Returns:
            When it ends.

        Raises:
            GraficoError: it cannot be signed or stored.
        """
        consent = given(to.run, to.deeds, door)
        self.kg.push(consent, *to.deeds)
        return consent.until

    async def jobs_async(self) -> list[Job]:
        """Return all jobs, the latest first, and look after them; `jobs` is it without `await`.

        What they have recorded is taken in, and what was cut off is submitted again.
        """
        return await self.desk.tend()

    jobs = in_own_loop(jobs_async, "jobs")

    def how_estimates_did(self) -> Accuracy | None:
        """Return how well the estimates of the latest jobs did; None where there were none."""
        from workflows.engine.jobs.accuracy import accuracy

        return accuracy(self.kg)

    async def follow_async(
        self,
        job: str | Job,
        listener: Listener | None = None,
        *,
        router: str | Router | None = None,
        under: str | None = None,
    ) -> Job | Any:
        """Wait until a job has ended; `follow` is the same without `await`.

        Args:
            job: its name, or how that begins.
            listener: is told what it does.
            router: who chooses where it waits for a choice; None for nobody.
            under: section of the settings under which a job is taken over that came with a store,
                or whose own section was changed; None for a job that is one's own.

        Returns:
            What its request came to; the job, where it came to nothing, or waits for a choice.

        Raises:
            NotFoundError: there is no such job.
            InputError: it is not trusted.
        """
        from workflows.engine.jobs.reading import read_again

        job = name_of(job)
        self._take_over(job, under)
        while True:
            ended = await self.desk.follow(job, listener or (lambda _: None))
            if router is None or not ended.waits_for_choice:
                break
            got = await self._resumed_job(ended.name, router)
            if not isinstance(got, type(ended)):
                return got
        if ended.state not in ("finished", "goal unmet"):
            return ended
        planned = ended.is_planned
        ready = await reopen(ended.run if planned else ended.parts[0].run, self.executor)
        given = replace(ready.given, remarks=ended.remarks)  # runs do not record them
        ready = replace(ready, given=given)
        ending = ended.parts[0].told.removeprefix(ended.goal).strip()
        chooser = None if planned else EndingRouter(ended.router, ending)
        done = await read_again(ended.run, ready, chooser)
        if done is not None:
            return public_result(done)
        return await perform(ready, router=chooser, force=True)

    follow = in_own_loop(follow_async, "follow")

    async def cancel_async(self, job: str | Job, *, under: str | None = None) -> Job:
        """End a job; what it has recorded is kept. `cancel` is the same without `await`.

        Args:
            job: its name, or how that begins.
            under: see `follow_async`.

        Raises:
            NotFoundError: there is no such job.
            InputError: it is not trusted.
            ResourceError: its cluster does not answer.
        """
        job = name_of(job)
        self._take_over(job, under)
        return await self.desk.cancel(job)

    cancel = in_own_loop(cancel_async, "cancel")

    def _take_over(self, job: str, under: str | None) -> None:
        if under is not None:
            self.desk.take_over(job, under)
