"""What a run tells while it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

EventKind: TypeAlias = Literal[
    "subject",
    "run",
    "node",
    "waiting",
    "started",
    "frame",
    "alive",
    "result",
    "transition",
    "finished",
]


@dataclass(frozen=True)
class Event:
    """One piece of news.

    Attributes:
        kind: what happened.
        subject: the run, node or calculation that it happened to.
        data: the details, ready for JSON.
    """

    kind: EventKind
    subject: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


Listener: TypeAlias = Callable[[Event], None]
