"""Where a request is computed, as it is said at the command line, and jobs as they are printed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..say import say

if TYPE_CHECKING:
    from workflows.engine.jobs.job import Job

    from ..session.client import Grafico
    from ..views.progress import Progress


@dataclass(frozen=True)
class Where:
    """What was said of where and when a request is computed.

    Attributes:
        on: name of a cluster.
        begin: not before this time, as it was typed.
        after: names of jobs.
        follow: follow the job to its end.
    """

    on: str | None = None
    begin: str | None = None
    after: tuple[str, ...] = ()
    follow: bool = False

    @property
    def said(self) -> dict[str, Any]:
        """Arguments of a session's `run` and `resume`."""
        return {"on": self.on, "begin": self.begin, "after": self.after}

    def result(
        self, grafico: Grafico, got: Any, progress: Progress, as_json: bool, router: str = "goal"
    ) -> Any:
        """Return what a request came to; one that goes on as a job ends the command."""
        if is_job(got) and self.follow:
            say(told(got), err=True)
            got = grafico.follow(got.name, progress, router=router)
        return result_of(got, as_json)


def result_of(got: Any, as_json: bool) -> Any:
    """Return what a request came to; of a job, that is printed, and the command ends."""
    if not is_job(got):
        return got
    show(got, as_json)
    sys.exit(1 if got.ended else 0)


def told(job: Job) -> str:
    """Return of a job that was submitted where it is, and what to do next."""
    numbers = (part.native.partition(" ")[0] for part in job.parts if part.native)
    named = ", ".join(dict.fromkeys(numbers))  # those of an array have one
    return (
        f"{job.name}: {job.state} on {job.cluster} as {named}\n"
        f"  follow it: grafico follow {job.name}; what it computes comes in with any later command"
    )


def as_dict(job: Job) -> dict[str, Any]:
    """Return a job as JSON can hold it."""
    said = job.model_dump(mode="json", exclude={"section", "allotted", "estimate", "factor"})
    hours, thought = sum(part.core_hours for part in job.parts), job.estimated_core_hours
    return {
        **said,
        "state": job.state,
        "untrusted": job.untrusted,
        "core_hours": round(hours, 6),
        "estimated_core_hours": None if thought is None else round(thought, 6),
        "estimate_s": job.estimate,
        "estimate_factor": job.factor,
    }


def is_job(got: object) -> bool:
    """Tell whether it is a job, and nothing yet that it came to."""
    from workflows.engine.jobs.job import Job

    return isinstance(got, Job)


def show(job: Job, as_json: bool) -> None:
    """Print a job."""
    if as_json:
        say(json.dumps(as_dict(job), indent=2))
    elif job.ended:
        listing([job])
    else:
        say(told(job))


def listing(jobs: list[Job]) -> None:
    """Print jobs as a table, and beneath it why some of them stand where they do."""
    from .tables import listing as table

    rows = [
        [
            job.name,
            job.subject,
            job.goal,
            job.cluster,
            job.state,
            f"{job.submitted:%Y-%m-%d %H:%M}",
            _hours(job.estimated_core_hours),
            _hours(sum(one.core_hours for one in job.parts)),
        ]
        for job in jobs
    ]
    when, hours = "submitted (UTC)", ("estimated core h", "core h")
    table(["job", "subject", "goal", "cluster", "state", when, *hours], rows)
    for job in jobs:
        if job.untrusted:
            say(f"{job.name}: not trusted, and nothing of it was touched: {job.untrusted}")
            say(f"  try: {job.way_on}")
        if job.damaged:
            say(f"{job.name}: damaged, and nothing of it was stored: {job.damaged}")
            say(f"  try: grafico cancel {job.name} takes it out; then ask for the same anew")
        for part in () if job.damaged else job.parts:
            if part.told and part.state != "finished":
                reason = f" ({part.reason})" if part.reason else ""
                say(f"{job.name}.{part.number}: {part.state}{reason}: {part.told}")
                if part.advice:
                    say(f"  try: {part.advice}")
        if job.waits_for_choice and not any(part.advice for part in job.parts):
            say(f"  choose: grafico resume {job.name} --router ask")


def _hours(number: float | None) -> str:
    """Return core hours as they are printed; nothing where nobody knows."""
    return "" if number is None else f"{number:.3g}" if number < 100 else f"{number:,.0f}"
