"""`Records`: what a run writes down, together until something is computed."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from ogm import GraphModel


class Records:
    """What one run writes down: kept back until something takes long, then written at once.

    A run that finds everything remembered has nothing to lose, and is stored in one transaction at
    its end. Before anything is computed, done or asked, what was kept back is stored, that of the
    runs around it first, so that a run that is under way, or was killed, can be seen and resumed.

    Args:
        store: stores objects in one transaction.
    """

    def __init__(self, store: Callable[..., None]) -> None:
        self._store = store
        self._around = _current.get()
        self._kept: list[GraphModel] = []

    def add(self, *models: GraphModel) -> None:
        """Keep objects back until the next time that something is written."""
        self._kept += models

    def write(self, *models: GraphModel) -> None:
        """Store what was kept back, and more, in one transaction."""
        if self._around is not None:
            self._around.write()
        due = [*self._kept, *models]
        if due:
            self._store(*due, durable=False)
        self._kept.clear()

    @contextmanager
    def current(self) -> Generator[None]:
        """Be within this run: what is computed here has its records stored before."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


_current: ContextVar[Records | None] = ContextVar("grafico_records", default=None)


def current_records() -> Records | None:
    """Return the records of the run that we are in; None outside of one."""
    return _current.get()
