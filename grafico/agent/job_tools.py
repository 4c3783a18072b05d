"""Tools for what is computed elsewhere or later: how jobs stand, what they came to, their end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from grafico.session.inspection import shorten
from grafico.session.jobs import IRI
from grafico.views.brief import brief
from ogm.terms import full_iri
from triplestore.errors import InputError, NotFoundError
from workflows.engine.graph.stored_runs import stored_run
from workflows.engine.jobs.job import Job
from workflows.text.safe_text import printable
from workflows.text.words import duration

from .context import ToolContext
from .toolbox import Found, brief_names, denied, tool

if TYPE_CHECKING:
    from grafico.session.latest import RunLine
    from grafico.session.settings import Settings

MOST_RUNS = 10
"""Runs that are told."""

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
    """List jobs, clusters, latest runs, or one job."""
    desk = context.session.desk
    if not job:
        every = sorted(await desk.tend(), key=lambda one: one.ended)
        latest = await asyncio.to_thread(context.session.runs, MOST_RUNS)
        return {
            "jobs": [job_told(one) for one in every[:MOST]],
            "clusters": sorted(desk.clusters),
            "runs": [run_told(one) for one in latest],
        }
    seen = await desk.look(job)
    result: Any = seen
    if seen.state in ("finished", "goal unmet"):
        result = await context.session.follow_async(seen.name)
    if isinstance(result, Job):
        return job_told(result)
    return job_told(seen) | brief(result.ran, result.shown_sections())


def run_told(line: RunLine) -> Found:
    """Return what a model is told of a run in a list."""
    found: Found = {
        "run": shorten(line.run),
        "subject": brief_names(printable(line.subject))[:LONGEST],
        "goal": line.goal,
        "level": line.level,
        "status": line.status,
        "energy_Eh": line.energy,
        "headline": line.result,
        "started": line.started,
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


@tool(off=no_jobs, commands=True)
async def cancel_job(
    context: ToolContext,
    *,
    job: Annotated[str, Field(description="Its name, or the IRI of a run.")],
    why: Annotated[str, Field(max_length=LONGEST)] = "",
) -> Found:
    """End a job, or withdraw a run not to be relied upon."""
    if IRI.match(job):
        return await _withdrawn(context, job, why)
    seen = await context.session.desk.look(job)
    if seen.ended:
        raise NotFoundError(
            f"the end of {seen.name} was asked for",
            f"it has ended: {seen.state}",
            "leave it",
        )
    to_end = f"{seen.name} ({seen.subject}: {seen.goal}) is {seen.state} on {seen.cluster}"
    agreed = await context.agreed("cancel_job", {"job": seen.name}, to_end)
    if not agreed:
        return denied(to_end, agreed)
    return job_told(await context.session.cancel_async(seen.name))


async def _withdrawn(context: ToolContext, run: str, reason: str) -> Found:
    """Withdraw a run, if a person agrees: what it computed is not remembered any more.

    Raises:
        InputError: it is no run, or no reason is given.
    """
    session, iri = context.session, full_iri(run)
    stored = await asyncio.to_thread(stored_run, session.kg, iri)
    if not reason.strip():
        asked = f"{shorten(iri)} was to be withdrawn"
        raise InputError(asked, "no reason is given", "say why it is not to be relied upon")
    said = f"{shorten(iri)} ({stored.subject}: {stored.goal}) would be withdrawn: {reason.strip()}"
    agreed = await context.agreed("cancel_job", {"job": shorten(iri), "why": reason}, said)
    if not agreed:
        return denied(said, agreed)
    done = await asyncio.to_thread(session.withdraw, iri, why=reason)
    rest = [shorten(one) for one in (*done.runs, *done.activities)][:MOST]
    found: Found = {"withdrawn": [shorten(one) for one in done.marked]}
    return found | ({"rest_on_it_and_stay": rest} if rest else {})
