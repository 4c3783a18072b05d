"""Tools for what is computed elsewhere or later: how jobs stand, what they came to, their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from grafico.session.inspection import shorten
from grafico.views.brief import brief
from triplestore.errors import NotFoundError
from workflows.engine.jobs.job import Job
from workflows.text.safe_text import printable
from workflows.text.words import duration

from .context import ToolContext
from .toolbox import Found, brief_names, denied, tool

if TYPE_CHECKING:
    from grafico.session.settings import Settings

MOST = 20
"""Jobs that are told, those that go on first."""

LONGEST = 300
"""Letters of a reason."""

ON = Field("", description="As a job, on a cluster or here.")
BEGIN = Field("", description="22:00.")
"""Arguments of tools that compute; `jobs` says which clusters there are."""


def job_told(job: Job) -> Found:
    """Return what a model is told of a job: where it stands and why, and what it takes."""
    hours = sum(part.core_hours for part in job.parts)
    told = dict.fromkeys(
        brief_names(printable(part.told))[:LONGEST]
        for part in job.parts
        if part.told and part.state != "finished"
    )
    found: Found = {
        "job": job.name,
        "state": job.state,
        "subject": job.subject,
        "goal": job.goal,
        "on": job.cluster,
        "run": shorten(job.run),
        "begin": job.begin.isoformat(timespec="minutes") if job.begin else "",
        "estimate": duration(job.estimate) if job.estimate else "",
        "why": [*told],
        "core_hours": float(f"{hours:.3g}"),
    }
    return {name: value for name, value in found.items() if value}


def no_jobs(settings: Settings) -> str | None:
    """Return why there are no jobs with these settings, or None."""
    return "a store in memory is gone before a job ends" if settings.store == "memory:" else None


@tool(off=no_jobs)
async def jobs(context: ToolContext, *, job: str = "") -> Found:
    """List jobs and clusters, or one job."""
    desk = context.session.desk
    if not job:
        every = sorted(await desk.tend(), key=lambda one: one.ended)
        return {"jobs": [job_told(one) for one in every[:MOST]], "clusters": sorted(desk.clusters)}
    seen = await desk.look(job)
    result: Any = seen
    if seen.state in ("finished", "goal unmet"):
        result = await context.session.follow_async(seen.name)
    if isinstance(result, Job):
        return job_told(result)
    return job_told(seen) | brief(result.ran, result.shown_sections())


@tool(off=no_jobs, commands=True)
async def cancel_job(context: ToolContext, *, job: str) -> Found:
    """End a job."""
    seen = await context.session.desk.look(job)
    if seen.ended:
        raise NotFoundError(
            f"the end of {seen.name} was asked for",
            f"it has ended: {seen.state}",
            "leave it",
        )
    why = f"{seen.name} ({seen.subject}: {seen.goal}) is {seen.state} on {seen.cluster}"
    agreed = await context.agreed("cancel_job", {"job": seen.name}, why)
    if not agreed:
        return denied(why, agreed)
    return job_told(await context.session.cancel_async(seen.name))
