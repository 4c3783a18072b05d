"""A request that waits for a person's yes, as whoever asked is told."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ogm.terms import shorten
from triplestore.errors import ConsentError

from ..graph.waiting import ApprovalError


def way_on(run: str, then: str = "") -> str:
    """Return what to do about a run that waits for a yes.

    Args:
        run: its IRI.
        then: what to do after that; to resume the run if empty.
    """
    iri = shorten(run)
    return (
        f"a person can agree to it at a terminal with `grafico approve {iri}`; then "
        f"{then or f'go on with `grafico resume {iri}`'}"
    )


@contextmanager
def told_to_wait(what: str, then: str = "") -> Generator[None]:
    """Say what has to be agreed to, by whom, and how, where a request stops for that.

    Args:
        what: is asked for.
        then: what to do after the yes; to resume the run if empty.

    Raises:
        ConsentError: a person has to agree, and none has; names the run, which can be resumed.
    """
    try:
        yield
    except ApprovalError as error:
        who = "the person said no" if error.said_no else "nobody agreed"
        found = f"{error.why}, and {who}"
        raised = ConsentError(f"{what} was asked for", found, way_on(error.run, then))
        raised.run = error.run
        raise raised from error
