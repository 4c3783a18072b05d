"""One entry of a batch, computed as if it had been asked for alone."""

from __future__ import annotations

from dataclasses import replace

from triplestore.errors import RecipeError
from workflows.engine import Executor
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Finished, finished, prepare
from workflows.registry import Workflow

from .entries import Entries


async def compute(entries: Entries, key: str, workflow: Workflow, executor: Executor) -> Finished:
    """Compute an entry, or remember it.

    Raises:
        GraficoError: it cannot be read, or failed, or missed what was asked.
    """
    entry, said = entries.read(key)
    request = Request.of(workflow, (entries.subject_of(entry),), said)
    ready = await prepare(request, executor, listed=True)
    done = await finished(replace(ready, estimated=True))
    if done.status != "finished":
        error = RecipeError(
            f"{workflow.command} of {entry.name} was asked for",
            f"{done.status}: {done.message}",
            "resume its run, or change what is asked",
        )
        error.run = done.run
        raise error
    return done
