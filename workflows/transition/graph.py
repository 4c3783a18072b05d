"""The graph of a transition state."""

from __future__ import annotations

from workflows.engine import Graph

from .pathway import FollowPath, RateBarrier, RecordPath, RelaxEnds
from .searching import FindSaddle, LeaveHigher, RecordState, VerifySaddle
from .spanning import SpanBand
from .state import TransitionSearch

TRANSITION_STATE: Graph[TransitionSearch] = Graph(
    "transition",
    SpanBand,
    FindSaddle,
    VerifySaddle,
    LeaveHigher,
    RecordState,
    FollowPath,
    RelaxEnds,
    RecordPath,
    RateBarrier,
)
