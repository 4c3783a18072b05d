"""What calls come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ogm import GraphModel, Motion
from ontologies.provenance import Activity

ResultT_co = TypeVar("ResultT_co", bound=GraphModel, covariant=True)


class DeferredError(Exception):
    """A run stops here, for what comes next is to be computed elsewhere; it can be resumed there.

    It is no `GraficoError`: nothing has failed, so that no step may count it as a failure of its
    own and go on.

    Attributes:
        run: IRI of the outermost run that it ended.
    """

    run = ""


@dataclass(frozen=True)
class Answer(Generic[ResultT_co]):
    """What a call came to.

    Attributes:
        result: in the frame of the caller.
        activity: the activity that made it.
        recorded: IRI of the result as it is stored.
        reused: remembered, not computed.
        motion: how the stored result was moved into the caller's frame, and within how much the
            inputs then agree.
        former: what was remembered before, where it was asked to compute again.
    """

    result: ResultT_co
    activity: Activity
    recorded: str
    reused: bool
    motion: Motion
    former: Answer[ResultT_co] | None = None

    @property
    def deviation(self) -> float | None:
        """How far the inputs are off after the motion, in Å; None if they are the very same."""
        return None if self.motion.is_rest else self.motion.deviation
