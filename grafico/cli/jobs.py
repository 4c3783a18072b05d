"""``grafico jobs``, ``follow``, ``cancel``, ``clusters``: runs that are computed elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from workflows.text.words import count

from ..say import say
from . import sending
from .errors import leave
from .options import options, reading, session, under_option
from .verbs import show

if TYPE_CHECKING:
    from workflows.trust.withholding import Reason


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
        did = grafico.how_estimates_did()
    recent = datetime.now(UTC) - timedelta(days=7)
    shown = [
        job
        for job in found
        if every or job.untrusted or not job.ended or job.waits_for_choice or job.submitted > recent
    ]
    if as_json:
        say(json.dumps([sending.as_dict(job) for job in shown], indent=2))
    elif shown:
        sending.listing(shown)
        if did is not None:
            say(did.text)
    else:
        say("there are no jobs: `grafico run … --on CLUSTER` submits one", err=True)


@click.command()
@click.argument("job")
@options(
    under_option,
    click.option(
        "--router",
        metavar="goal|ask|model:NAME",
        help="Who chooses where it waits for a choice.  [default: you, at a terminal]",
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)
def follow(
    job: str,
    under: str | None,
    router: str | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Show what a job does until it has ended, and what it came to.

    JOB is its name, as `grafico jobs` lists it, or how that begins. Ctrl-C stops following, not the
    job.
    """
    from ..views.progress import Progress

    with Progress(quiet) as progress, reading(store) as grafico:
        router = router or ("ask" if sys.stdin.isatty() else None)
        got = grafico.follow(job, progress, router=router, under=under)
        result = sending.result_of(got, as_json)
        show(result, as_json)
    leave(result)


@click.command()
@click.argument("job")
@options(under_option)
def cancel(job: str, under: str | None, store: str | None, as_json: bool, debug: bool) -> None:
    """End a job; what it has recorded is kept.

    JOB is its name, as `grafico jobs` lists it, or how that begins. `grafico resume JOB` goes on.
    """
    with reading(store) as grafico:
        ended = grafico.cancel(job, under=under)
    if as_json:
        say(json.dumps(sending.as_dict(ended), indent=2))
    else:
        sending.listing([ended])


@click.group(invoke_without_command=True)
@options()
@click.pass_context
def clusters(ctx: click.Context, store: str | None, as_json: bool, debug: bool) -> None:
    """List the clusters of the settings, or check one."""
    if ctx.invoked_subcommand is not None:
        return
    with session(store) as grafico:
        known, withheld = grafico.desk.clusters, grafico.desk.withheld
    if as_json:
        told: dict[str, object] = {name: one.model_dump(mode="json") for name, one in known.items()}
        told |= {name: {"withheld": found} for name, (_, found, _) in withheld.items()}
        say(json.dumps(told, indent=2))
        return
    for name, one in sorted(known.items()):
        gives = [count(one.cores, "core"), f"{one.memory:,} MB", f"{one.hours:g} h"]
        where = f" at {one.host}" if one.host else ""
        say(f"{name}: {one.scheduler}{where}, {', '.join(gives)}")
    _tell(withheld)


def _tell(withheld: Mapping[str, Reason]) -> None:
    """Say of clusters that may not be used why, and what to do."""
    for name, (_, found, advice) in withheld.items():
        say(f"note: {name}: {found}\n  try: {advice}", err=True)


@clusters.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@options()
def check(names: tuple[str, ...], store: str | None, as_json: bool, debug: bool) -> None:
    """Try clusters with a job of a second each, and say what is wrong.

    NAME is a section of the settings; without one each is tried in turn.
    """
    with session(store) as grafico:
        desk = grafico.desk
        if not names:
            _tell(desk.withheld)
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
