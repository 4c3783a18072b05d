"""Requests that are handed to clusters, and their jobs as they are printed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ..say import say

if TYPE_CHECKING:
    from workflows.engine.jobs.job import Job
    from workflows.engine.request.workflow import Ready

    from ..session.client import Grafico
    from ..views.progress import Progress


@dataclass(frozen=True)
class Place:
    """What was said of where a request is computed.

    Attributes:
        on: name of the cluster.
        follow: follow the job to its end.
        begin: not before this time, as it was typed.
        after: names of jobs.
        router: who chooses the steps up to the first that is computed.
        force: whether everything may pass.
    """

    on: str
    follow: bool
    begin: str | None
    after: tuple[str, ...]
    router: str = "goal"
    force: bool = False


def cluster_of(on: str | None, begin: str | None, after: tuple[str, ...]) -> str | None:
    """Return where a request is computed: later is in the background, if nothing else is said."""
    return on or ("here" if begin or after else None)


def moment(text: str) -> datetime:
    """Return the time that is meant: of a time of day the next one; without a zone the local one.

    Raises:
        InputError: it is no time, or it has passed.
    """
    from triplestore.errors import InputError

    asked, now = f"the time {text!r} was asked for", datetime.now().astimezone()
    try:
        if "-" in text:
            found = datetime.fromisoformat(text)
            found = found if found.tzinfo else found.astimezone()
        else:
            clock = datetime.strptime(text, "%H:%M")
            found = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
            found += timedelta(days=1) if found <= now else timedelta()
    except ValueError as error:
        advice = "write a time of day such as 22:00, or a date such as 2027-01-31T08:00"
        raise InputError(asked, "it cannot be read", advice) from error
    if found <= now:
        raise InputError(asked, "it has passed", "name one to come, or none")
    return found.astimezone(UTC)


def send(grafico: Grafico, ready: Ready, place: Place, progress: Progress) -> Any:
    """Hand a request to a cluster; return its job, or what it came to where that is known."""
    begin = moment(place.begin) if place.begin else None
    got = grafico.send(
        ready, place.on, begin=begin, after=place.after, force=place.force, router=place.router
    )
    if not is_job(got) or not place.follow:
        return got
    say(told(got), err=True)
    return grafico.follow(got.name, progress)


def told(job: Job) -> str:
    """Return of a job that was submitted where it is, and what to do next."""
    named = ", ".join(part.native.partition(" ")[0] for part in job.parts if part.native)
    return (
        f"{job.name}: {job.state} on {job.cluster} as {named}\n"
        f"  follow it: grafico follow {job.name}; what it computes comes in with any later command"
    )


def as_dict(job: Job) -> dict[str, Any]:
    """Return a job as JSON can hold it."""
    said = job.model_dump(mode="json", exclude={"described", "estimate"})
    hours = sum(part.core_hours for part in job.parts)
    return {**said, "state": job.state, "core_hours": round(hours, 6), "estimate_s": job.estimate}


def is_job(got: object) -> bool:
    """Tell whether it is a job, and nothing yet that it came to."""
    from workflows.engine.jobs.job import Job

    return isinstance(got, Job)


def show(job: Job, as_json: bool) -> None:
    """Print a job; ends with status 1 where it has failed."""
    if as_json:
        say(json.dumps(as_dict(job), indent=2))
    elif job.ended:
        listing([job])
    else:
        say(told(job))
    if job.state in ("failed", "cancelled"):
        sys.exit(1)


def listing(jobs: list[Job]) -> None:
    """Print jobs as a table, and beneath it why some of them stand where they do."""
    from .tables import listing as table

    rows = [
        [
            job.name, job.subject, job.goal, job.cluster, job.state,
            f"{job.submitted:%Y-%m-%d %H:%M}", f"{sum(one.core_hours for one in job.parts):.3f}",
        ]
        for job in jobs
    ]  # fmt: skip
    table(["job", "subject", "goal", "cluster", "state", "submitted (UTC)", "core h"], rows)
    for job in jobs:
        for part in job.parts:
            if part.told and part.state != "finished":
                reason = f" ({part.reason})" if part.reason else ""
                say(f"{job.name}.{part.number}: {part.state}{reason}: {part.told}")
