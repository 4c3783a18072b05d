"""How an executor goes about what it is asked for: one value, of which each twin has its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..graph.effects import Allowed
from ..local.slots import Slots
from .answer import Answer
from .stream import Stream

if TYPE_CHECKING:
    from ogm import KnowledgeGraph

    from .calculation import Call

WhoComputes: TypeAlias = Callable[[Sequence[str]], Awaitable[str | None]]
"""Tells who computes one of some keys elsewhere, in words, and takes in what that has recorded;
None for nobody."""


@dataclass(frozen=True)
class Accepted:
    """What is known of a call that was not computed here.

    Attributes:
        answer: that is taken; None for none.
        refused: why what resembles one is not taken, in words.
    """

    answer: Answer[Any] | None = None
    refused: tuple[str, ...] = ()


Accepting: TypeAlias = "Callable[[KnowledgeGraph, Call[Any]], Accepted]"
"""Looks for an answer to a call among what was not computed here."""


@dataclass(frozen=True)
class Deferred:
    """What a run that defers has come upon.

    Attributes:
        keys: at which it has stopped.
        carried: IRIs of activities that were remembered on the way there.
    """

    keys: list[str] = field(default_factory=list[str])
    carried: set[str] = field(default_factory=set[str])


@dataclass(frozen=True)
class Policy:
    """How an executor goes about calls.

    Attributes:
        slots: who may compute where.
        events: who is told what happens.
        threads_per_calculation: None for a slot's share of the cores.
        recompute: whether each call is computed again.
        deferred: where it is noted what would have to be computed, for somebody else computes it;
            None computes here. What takes a moment is computed all the same.
        share: keys of those parts of what is many that are computed here; None for all.
        elsewhere: asked before anything is computed.
        allowed: what steps may do to the world without a yes, as it stands in a person's settings,
            read when something needs it; None for nothing.
        accepting: where answers are looked for that this graph does not remember, besides.
    """

    slots: Slots
    events: Stream
    threads_per_calculation: int | None = None
    recompute: bool = False
    deferred: Deferred | None = None
    share: frozenset[str] | None = None
    elsewhere: WhoComputes | None = None
    allowed: Callable[[], Allowed] | None = None
    accepting: tuple[Accepting, ...] = ()
