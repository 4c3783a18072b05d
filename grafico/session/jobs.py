"""Runs that a session has computed elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workflows.engine.request.workflow import Finished, Ready, perform, public_result, reopen

from .memory import Memory
from .opened import in_own_loop
from .routing import make_router

if TYPE_CHECKING:
    from workflows.engine import Executor, Listener, Router
    from workflows.engine.jobs.desk import Desk
    from workflows.engine.jobs.job import Job


class JobSession(Memory):
    """A session that hands runs to clusters and takes in what they compute."""

    @property
    def executor(self) -> Executor:
        """The executor, made when first needed."""
        made = super().executor
        made.elsewhere = self._computing
        return made

    async def _computing(self, keys: Sequence[str]) -> str | None:
        """See `Executor.elsewhere`."""
        home = self.kg.store.home
        if home is None or not (home / "jobs").is_dir():
            return None
        return await self.desk.computing(keys)

    @cached_property
    def desk(self) -> Desk:
        """Who looks after the jobs of this store.

        Raises:
            InputError: it is one in memory.
        """
        from workflows.engine.jobs.desk import Desk

        return Desk(self.kg, self.settings.clusters)

    async def send_async(
        self,
        ready: Ready,
        on: str,
        *,
        begin: datetime | None = None,
        after: Sequence[str] = (),
        force: bool = False,
        router: str | Router = "goal",
    ) -> Job | Any:
        """Hand what was prepared to a cluster; `send` is the same without `await`.

        Args:
            ready: what `prepare_async` or `reopen_async` returned.
            on: name of a section `[clusters.NAME]` of the settings, or `here` for a process of its
                own on this machine.
            begin: not before this time.
            after: names of jobs that must have ended before.
            force: however many core hours it is estimated to take.
            router: who chooses the steps up to the first that is computed there.

        Returns:
            The job; or what the request came to, where all of it is remembered.

        Raises:
            GraficoError: see `Desk.submit`.
        """
        from workflows.engine.jobs.desk import Plan

        plan = Plan(begin, tuple(after), force)
        got = await self.desk.submit(ready, on, plan, router=make_router(router))
        return public_result(got) if isinstance(got, Finished) else got

    send = in_own_loop(send_async, "send")

    async def jobs_async(self) -> list[Job]:
        """Return all jobs, the latest first, and look after them; `jobs` is it without `await`.

        What they have recorded is taken in, and what was cut off is submitted again.
        """
        return await self.desk.tend()

    jobs = in_own_loop(jobs_async, "jobs")

    async def follow_async(self, job: str, listener: Listener | None = None) -> Job | Any:
        """Wait until a job has ended; `follow` is the same without `await`.

        Args:
            job: its name, or how that begins.
            listener: is told what it does.

        Returns:
            What its request came to; the job, where it came to nothing.

        Raises:
            NotFoundError: there is no such job.
        """
        ended = await self.desk.follow(job, listener or (lambda _: None))
        if ended.state not in ("finished", "goal unmet"):
            return ended
        return await perform(await reopen(ended.run, self.executor), force=True)

    follow = in_own_loop(follow_async, "follow")

    async def cancel_async(self, job: str) -> Job:
        """End a job; what it has recorded is kept. `cancel` is the same without `await`.

        Raises:
            NotFoundError: there is no such job.
            ResourceError: its cluster does not answer.
        """
        return await self.desk.cancel(job)

    cancel = in_own_loop(cancel_async, "cancel")
