"""A person's yes, asked for by the engine, whichever door a request came through."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from triplestore.errors import ConsentError
from workflows.caller import caller

if TYPE_CHECKING:
    from .workflow import Ready


async def consented(ready: Ready, *, by_name: bool = False) -> Ready:
    """Return a request that a person has agreed to, where somebody has to.

    Args:
        ready: the request.
        by_name: whether it is the very request that was made, and no part of another. A person who
            asks for a workflow by its name has agreed to it, not to what it asks for besides.

    Raises:
        ConsentError: the person said no, or nobody answers.
    """
    if not ready.confirm or ready.consented:
        return ready
    here, prepared = caller(), ready.prepared
    what = f"{ready.workflow.command}: {prepared.label or ready.subject}"
    agreed: bool | None = None
    if by_name and here.is_person and not prepared.confirm:
        agreed = True
    elif here.ask is not None:
        agreed = await here.ask(what, ready.confirm)
    if not agreed:
        who = "nobody agreed" if agreed is None else "the person said no"
        raise ConsentError(
            f"{what} was asked for",
            f"{ready.confirm}, and {who}",
            "a person has to agree to each use: ask for it by itself, or where somebody can be "
            "asked",
        )
    return replace(ready, consented=True)
