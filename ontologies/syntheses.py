"""Procedures of syntheses, and what simulations of them came to."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, PartOf

from .permits import MakingPermission
from .provenance import Run


class SynthesisProcedure(GraphModel, key=("text",)):
    """A procedure of a synthesis, as typed actions.

    Attributes:
        name: what it is called.
        text: the whole of it as JSON; each number stands with its unit.
    """

    name: str
    text: str


class SimulatedSynthesis(GraphModel, identity="event"):
    """A procedure that a simulated robot has gone through.

    Nothing was moved: there is no class of real ones that this could be taken for.

    Attributes:
        procedure: as it was asked for.
        permission: by which it was done, once.
        run: in which.
        instrument: name of the robot.
        operations: how many there were.
        repairs: what was changed before.
        steps_done: what was done, in words and in order.
        ended: when.
    """

    procedure: SynthesisProcedure
    permission: Link[MakingPermission]
    run: Annotated[Link[Run], PartOf()]
    instrument: str
    operations: int
    repairs: tuple[str, ...] = ()
    steps_done: tuple[str, ...]
    ended: AwareDatetime
