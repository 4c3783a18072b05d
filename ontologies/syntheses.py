"""What simulations of syntheses came to."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, PartOf

from .permits import MakingPermission
from .provenance import Run


class SimulatedSynthesis(GraphModel, identity="event"):
    """Simulated steps.

    A simulated robot has gone through the steps of a synthesis. Nothing was moved: there is no
    class of real ones that this could be taken for.

    Attributes:
        permission: by which it was done, once; its plan says all of it.
        run: in which.
        instrument: name of the robot.
        operations: how many there were.
        repairs: what was changed before.
        steps_done: what was done, in words and in order.
        ended: when.
    """

    permission: Link[MakingPermission]
    run: Annotated[Link[Run], PartOf()]
    instrument: str
    operations: int
    repairs: tuple[str, ...] = ()
    steps_done: tuple[str, ...]
    ended: AwareDatetime
