"""A request that waits for a person's yes, as whoever asked is told."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ogm.terms import shorten
from triplestore.errors import ConsentError

from ..graph.waiting import ApprovalError


def way_on(run: str) -> str:
    """Return what to do about a run that waits for a yes."""
    iri = shorten(run)
    return (
        f"a person can agree to it at a terminal with `grafico approve {iri}`; then go on with "
        f"`grafico resume {iri}`"
    )


@contextmanager
def told_to_wait(what: str) -> Generator[None]:
    """Say what has to be agreed to, by whom, and how, where a request stops for that.

    Args:
        what: is asked for.

    Raises:
        ConsentError: a person has to agree, and none has; names the run, which can be resumed.
    """
    try:
        yield
    except ApprovalError as error:
        who = "the person said no" if error.said_no else "nobody agreed"
        raised = ConsentError(f"{what} was asked for", f"{error.why}, and {who}", way_on(error.run))
        raised.run = error.run
        raise raised from error
