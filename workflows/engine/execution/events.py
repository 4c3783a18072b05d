"""What a run tells while it goes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

EventKind: TypeAlias = Literal[
    "subject",
    "run",
    "node",
    "estimate",
    "waiting",
    "started",
    "frame",
    "progress",
    "alive",
    "result",
    "transition",
    "warning",
    "finished",
]

LOSSY: frozenset[EventKind] = frozenset({"frame", "progress", "alive"})
"""Kinds that a listener who falls behind can do without: the next one says more."""


STRUCTURE = "structure"
"""What a frame may have for people to look at, by the name that a domain gives it: its symbols and
positions. It is passed on to listeners, and is no part of a trace."""


@dataclass(frozen=True)
class Scope:
    """Where in a run something happens.

    Attributes:
        run: IRI of the run, empty outside of one.
        index: of the step.
        part: key of the part, where a step does several things in parallel.
    """

    run: str = ""
    index: int = 0
    part: str = ""


_scope: ContextVar[Scope] = ContextVar("grafico_scope")
_NOWHERE = Scope()


def scope() -> Scope:
    """Return where in a run we are."""
    return _scope.get(_NOWHERE)


@contextmanager
def within(place: Scope) -> Generator[None]:
    """Be at a place of a run: what is told or started here belongs to it."""
    token = _scope.set(place)
    try:
        yield
    finally:
        _scope.reset(token)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Event:
    """One piece of news.

    Attributes:
        kind: what happened: a `subject` was read, a `run` began, a `node` started, a calculation is
            `waiting`, has `started`, tells a `frame` or is `alive`; `progress` of parallel parts;
            a `result`; a `transition` was recorded; a `warning`; a run has `finished`.
        subject: the run, node or calculation that it happened to.
        data: the details, ready for JSON.
        where: the run, step and part that it belongs to.
        time: when.
    """

    kind: EventKind
    subject: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    where: Scope = field(default_factory=scope)
    time: datetime = field(default_factory=_now)


Listener: TypeAlias = Callable[[Event], None]
