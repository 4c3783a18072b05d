"""What schedulers say when they refuse, as errors that say what to do."""

from __future__ import annotations

from triplestore.errors import ComponentError, GraficoError, InputError, ResourceError
from workflows.text.safe_text import on_one_line


class SilentQueueError(ResourceError):
    """The scheduler did not answer: nobody knows whether it did what was asked.

    Before a job is submitted again, it has to be looked for by its name.
    """


SILENT = (
    "unable to contact", "timed out", "connection refused", "cannot connect", "connection reset",
    "communication connection failure", "no daemon", "not responding", "no route to host",
    "batch system daemon", "lsf is down", "failed in an lsf library call", "transport endpoint",
    "zero bytes were transmitted", "pbs_server",
)  # fmt: skip
"""Words of schedulers of which nobody hears anything."""

BUSY = (
    "maxsubmit",
    "max submit",
    "temporarily",
    "would exceed",
    "qosmax",
    "job/resource limits",
    "user has too many jobs",
    "pending job threshold",
    "maximum number of jobs",
    "no space",
    "disk quota",
)
"""Words of those that would take it at another time."""

ADVICE = (
    (("unrecognized option", "invalid option", "illegal option"), "leave it out of `attributes`"),
    (("accounting/qos policy",), "look at the limits of the account and the queue"),
    (("partition", "queue"), "give `queue` one that sinfo, qstat -Q or bqueues lists"),
    (("account", "project"), "give `account` one that may be charged"),
    (("generic resource", "gres"), "ask for as many `gpus` or `shards` as a node has"),
    (("memory",), "ask for less `memory`, or for another `queue`"),
    (("time", "walltime"), "ask for less `walltime`, or for another `queue`"),
    (
        ("node configuration",),
        "ask for less than one node of the `queue` has: `cores`, `memory`, `gpus` or `shards`",
    ),
    (("dependency",), "leave out jobs that have ended long ago"),
)


def refused(asked: str, program: str, said: str) -> GraficoError:
    """Return the error for what a scheduler's command said as it failed.

    Args:
        asked: what was asked, as one clause.
        program: the command.
        said: its words on both streams.
    """
    words = on_one_line(said.strip())[:600] or "nothing"
    found, low = f"{program} says: {words}", said.lower()
    if any(piece in low for piece in SILENT):
        return SilentQueueError(asked, found, "wait until the scheduler answers, and look again")
    if any(piece in low for piece in BUSY):
        return ResourceError(asked, found, "wait until other jobs have ended, and ask again")
    for pieces, advice in ADVICE:
        if any(piece in low for piece in pieces):
            return InputError(asked, found, advice)
    return InputError(asked, found, "change what it names")


def missing(asked: str, program: str) -> ComponentError:
    """Return the error where a scheduler's command is not there."""
    return ComponentError(
        asked,
        f"{program} is not on the path",
        "run this on a login node of the cluster, or load the scheduler's module there",
    )
