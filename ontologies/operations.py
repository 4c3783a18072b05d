"""What devices were told to do, each operation with two records: one before it, one after it."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, PartOf, Whose

from .provenance import Run


class Operation(GraphModel, key=("instrument", "simulated", "operation_number")):
    """What a device was told to do.

    It is stored before the device is told. What came of it is said by its `OperationEnd`; where
    there is none, nobody knows.

    Attributes:
        instrument: name of the device.
        simulated: whether nothing moves; simulated and real devices of a name are different.
        operation_number: of the operation on the device, from 1, without gaps.
        run: in which it was told.
        work: the first run of what it is a part of.
        place_in_work: in that work, from 1.
        of_work: how many operations that work has.
        told: the operation as JSON.
        sent: when.
    """

    instrument: str
    simulated: bool
    operation_number: int
    run: Annotated[Link[Run], PartOf()]
    work: Link[Run]
    place_in_work: int
    of_work: int
    told: str
    sent: AwareDatetime


class OperationEnd(GraphModel, key=("operation",)):
    """What came of an operation.

    Attributes:
        operation: it.
        work: as the operation has it.
        outcome: `done`, `undone`, or `discarded` with all that was made so far.
        reading: what the device read afterwards, as JSON; empty for nothing.
        ended: when.
        said_by: the account of the person who has looked; empty where the device says it.
    """

    operation: Annotated[Link[Operation], PartOf()]
    work: Link[Run]
    outcome: str
    reading: str = ""
    ended: AwareDatetime
    said_by: Annotated[str, Whose()] = ""
