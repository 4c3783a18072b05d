"""``grafico jobs``, ``follow``, ``cancel``, ``clusters``: runs that are computed elsewhere."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from workflows.words import count

from ..say import say
from .options import options, reading, session

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
        wait: follow the job to its end.
        begin: not before this time, as it was typed.
        after: names of jobs.
        router: who chooses the steps up to the first that is computed.
        force: whether everything may pass.
    """

    on: str
    wait: bool
    begin: str | None
    after: tuple[str, ...]
    router: str = "goal"
    force: bool = False


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
    if not is_job(got) or not place.wait:
        return got
    say(told(got), err=True)
    return grafico.follow(got.name, progress)


def told(job: Job) -> str:
    """Return of a job that was submitted where it is, and what to do next."""
    named = ", ".join(part.native for part in job.parts if part.native)
    return (
        f"{job.name}: {job.state} on {job.cluster} as {named}\n"
        f"  follow it: grafico follow {job.name}; what it computes comes in with any later command"
    )


def as_dict(job: Job) -> dict[str, Any]:
    """Return a job as JSON can hold it."""
    said = job.model_dump(mode="json", exclude={"described"})
    hours = sum(part.core_hours for part in job.parts)
    return {**said, "state": job.state, "core_hours": round(hours, 6)}


def is_job(got: object) -> bool:
    """Tell whether it is a job, and nothing yet that it came to."""
    from workflows.engine.jobs.job import Job

    return isinstance(got, Job)


def show(got: Any, as_json: bool) -> None:
    """Print a job, or what it came to; ends with status 1 where it has failed."""
    from . import verbs

    if not is_job(got):
        verbs.show(got, as_json)
        if got.status != "finished":
            sys.exit(1)
        return
    if as_json:
        say(json.dumps(as_dict(got), indent=2))
    else:
        say(told(got)) if not got.ended else listing([got])
    if got.state in ("failed", "cancelled"):
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


@click.command()
@options(
    click.option("--all", "every", is_flag=True, help="Also those that have ended, of any age."),
)
def jobs(every: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """List the jobs of this store, and look after them.

    Each is asked how it is, once for all of a scheduler; what they have recorded is taken in, and
    what was cut off is submitted again.
    """
    with reading(store) as grafico:
        found = grafico.jobs()
    recent = datetime.now(UTC) - timedelta(days=7)
    shown = [job for job in found if every or not job.ended or job.submitted > recent]
    if as_json:
        say(json.dumps([as_dict(job) for job in shown], indent=2))
    elif shown:
        listing(shown)
    else:
        say("there are no jobs: `grafico run … --on CLUSTER` submits one", err=True)


@click.command()
@click.argument("job")
@options(click.option("--quiet", is_flag=True, help="Show no progress."))
def follow(job: str, quiet: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Show what a job does until it has ended, and what it came to.

    JOB is its name, as `grafico jobs` lists it, or how that begins. Ctrl-C stops following, not the
    job.
    """
    from ..views.progress import Progress

    with Progress(quiet) as progress, reading(store) as grafico:
        show(grafico.follow(job, progress), as_json)


@click.command()
@click.argument("job")
@options()
def cancel(job: str, store: str | None, as_json: bool, debug: bool) -> None:
    """End a job; what it has recorded is kept.

    JOB is its name, as `grafico jobs` lists it, or how that begins. `grafico resume JOB` goes on.
    """
    with reading(store) as grafico:
        ended = grafico.cancel(job)
    if as_json:
        say(json.dumps(as_dict(ended), indent=2))
    else:
        listing([ended])


@click.group(invoke_without_command=True)
@options()
@click.pass_context
def clusters(ctx: click.Context, store: str | None, as_json: bool, debug: bool) -> None:
    """List the clusters of the settings, or check one."""
    if ctx.invoked_subcommand is not None:
        return
    with session(store) as grafico:
        known = grafico.desk.clusters
    if as_json:
        say(
            json.dumps({name: one.model_dump(mode="json") for name, one in known.items()}, indent=2)
        )
        return
    for name, one in sorted(known.items()):
        gives = [count(one.cores, "core"), f"{one.memory:,} MB", f"{one.hours:g} h"]
        say(f"{name}: {one.scheduler}, {', '.join(gives)}")


@clusters.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@options()
def check(names: tuple[str, ...], store: str | None, as_json: bool, debug: bool) -> None:
    """Try clusters with a job of a second each, and say what is wrong.

    NAME is a section of the settings; without one each is tried in turn.
    """
    with session(store) as grafico:
        desk = grafico.desk
        tried = grafico.wait_for(lambda: desk.check(names or tuple(desk.clusters)))
    if as_json:
        say(json.dumps({name: vars(one) for name, one in tried.items()}, indent=2))
    else:
        for name, one in tried.items():
            say(f"{name}: {one.problem or 'works'}" + (f" ({one.there})" if one.there else ""))
            for line in filter(None, [one.advice and f"try: {one.advice}", one.capacity]):
                say(f"  {line}")
    if any(one.problem for one in tried.values()):
        sys.exit(1)
