"""Liquid handling: designs of experiments, and the samples that were made of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, PartOf

from .provenance import Run


class LiquidDesign(GraphModel, key=("text",)):
    """A typed design of samples in vials.

    Attributes:
        name: what the experiment is called.
        text: the whole design as JSON; each number stands with its unit.
    """

    name: str
    text: str


class PreparedSamples(GraphModel, identity="event"):
    """Samples made by a device.

    Attributes:
        design: that they were made from.
        run: in which they were counted.
        work: the first run of what made them.
        instrument: name of the device.
        operations_digest: digest of all operations, in order.
        operations: how many there were.
        steps_done: what was done, in words and in order, with operations and times.
        contents: of each vial as JSON, by plate, vial and name: value and unit.
        ended: when they were counted.
    """

    design: LiquidDesign
    run: Annotated[Link[Run], PartOf()]
    work: Link[Run]
    instrument: str
    operations_digest: str
    operations: int
    steps_done: tuple[str, ...]
    contents: str
    ended: AwareDatetime


class SimulatedSamples(GraphModel, identity="event"):
    """Samples of a simulation.

    Nothing was moved: whoever looks for prepared samples does not find these.

    Attributes:
        design: as of prepared samples.
        run: likewise.
        work: likewise.
        instrument: likewise.
        operations_digest: likewise.
        operations: likewise.
        steps_done: likewise.
        contents: likewise.
        ended: likewise.
    """

    design: LiquidDesign
    run: Annotated[Link[Run], PartOf()]
    work: Link[Run]
    instrument: str
    operations_digest: str
    operations: int
    steps_done: tuple[str, ...]
    contents: str
    ended: AwareDatetime
