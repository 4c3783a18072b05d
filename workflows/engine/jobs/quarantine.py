"""Jobs whose journal was refused: they are ended, and lie where nothing of them is read again."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress

from triplestore.errors import GraficoError

from ..execution.task import cannot_write
from ..runners.base import Runner
from .job import ENDED, Job, JobFolder

REFUSED = "refused"
"""Beside the folders of jobs: what was taken out, for a person to look at, or to remove."""


async def taken_out(place: JobFolder, job: Job, runner: Runner) -> Job:
    """End what a damaged job still computes, and move its folder out of the way.

    Somebody who holds the job's lock calls it. The same request is a new job, or is computed here,
    from then on.

    Args:
        place: folder of the job.
        job: which.
        runner: of its cluster.

    Returns:
        The job, as it is no more.

    Raises:
        ResourceError: its cluster does not answer, or the folder cannot be moved.
    """
    open_ones = [part for part in job.parts if part.state not in ENDED]
    ids = [*(one.native for one in open_ones), *map(place.began, open_ones)]
    await runner.cancel([one for one in dict.fromkeys(ids) if one], [place.folder])
    with suppress(GraficoError):  # what is left there is no harm
        await runner.forget([], job.name)
        await runner.clear(place.folder)
    home = place.place.parent / REFUSED
    target = home / f"{job.name}-{secrets.token_hex(4)}"
    try:
        home.mkdir(mode=0o700, exist_ok=True)
        os.rename(place.place, target)
    except OSError as error:
        raise cannot_write(home, error) from error
    told = f"it was damaged ({job.damaged}); what it has left lies in {target}"
    for part in job.parts:
        part.state, part.told, part.reason = "cancelled", told, ""
        part.advice = "see what has changed it, and remove that folder; then ask anew"
    return job.model_copy(update={"damaged": ""})
