"""Jobs and who chooses their steps: what can be done here, and what goes on behind a choice."""

from __future__ import annotations

from dataclasses import replace

from ..execution.answer import DeferredError
from ..execution.executor import Executor
from ..graph.router import GoalRouter, Router
from ..graph.waiting import NotingRouter
from ..request.consent import told_to_wait
from ..request.workflow import Finished, Ready, finished
from .job import Job, JobFolder
from .submitting import Submitter
from .tending import Tender


async def done_here(ready: Ready, executor: Executor, router: Router) -> Finished | str:
    """Do what can be done here; return the run that goes on elsewhere, if one does.

    Args:
        ready: the request.
        executor: defers.
        router: who chooses up to there.

    Raises:
        GraficoError: see `finished`.
    """
    deferring = replace(ready, executor=executor, estimated=True)
    # the planner is told apart by its class: nothing is stored before it chooses
    planned = router.name == GoalRouter.name
    try:
        with told_to_wait(ready.asked):
            return await finished(deferring, router=None if planned else router, force=True)
    except DeferredError as error:
        return error.run


async def chosen(
    place: JobFolder, ready: Ready, router: Router, submitter: Submitter, tender: Tender
) -> Job | Finished:
    """Go on with a job that waits for a choice; see `Desk.choose`."""
    attempt = place.job.parts[0].attempt
    executor, noted = ready.executor.deferring(), NotingRouter(router)
    got = await done_here(ready, executor, noted)
    with place.alone():
        job = place.job
        [part] = job.parts
        if not job.waits_for_choice or part.attempt != attempt:
            return job  # somebody else was quicker
        if isinstance(got, Finished):
            part.state = "finished" if got.status == "finished" else "goal unmet"
            part.run, part.told = got.run, got.message
            place.write(job)
            await tender.clear(place)
            return got
        job.run, job.router, job.chosen, job.begin = got, noted.name, noted.last, None
        part.left = submitter.trust.section(job).tries
        await submitter.hand_over(place, job, executor)
    return job
