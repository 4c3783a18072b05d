"""An open session: its settings, its store, its executor, its loop."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from ogm import KnowledgeGraph
from triplestore import open_store
from triplestore.errors import GraficoError, InputError, NotFoundError
from triplestore.traced import TracedStore
from workflows.engine import Executor, Listener, Slots
from workflows.engine.graph.effects import Allowed
from workflows.engine.local.tokens import Tokens, tokens_folder
from workflows.programs.unread_settings import load_without_files
from workflows.registry.readers import accepting
from workflows.show.blocks import Drawing, Section, draw_with, render_with

from .loop import Loop
from .settings import Settings, read_settings
from .tracing import open_tracing

P = ParamSpec("P")
T = TypeVar("T")
SessionT = TypeVar("SessionT", bound="OpenSession")


def in_own_loop(
    function: Callable[Concatenate[SessionT, P], Awaitable[T]], name: str
) -> Callable[Concatenate[SessionT, P], T]:
    """Return a method that does the same in the session's own loop: one signature for both."""

    @functools.wraps(function)
    def call(self: SessionT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.wait_for(lambda: function(self, *args, **kwargs))

    call.__name__, call.__qualname__ = name, f"Grafico.{name}"
    return call


def _shown(sections: Sequence[Section]) -> dict[str, Any]:
    """Render sections for a notebook; what renders them is loaded when one asks."""
    from workflows.show.units import in_units

    from ..views.notebook import bundle
    from .settings import read_settings

    return bundle(in_units(sections, read_settings().energy_unit))


def _drawn(sections: Sequence[Section], name: str) -> Drawing:
    """Return a chart among sections; what draws it is loaded when one asks."""
    from workflows.show.units import in_units

    from ..views.plotted import plotted
    from .settings import read_settings

    return plotted(in_units(sections, read_settings().energy_unit), name)


class OpenSession:
    """A store and the slots of this machine, until it is closed; arguments: see `Grafico`."""

    def __init__(
        self,
        store: str | Path | None = None,
        *,
        threads_per_calculation: int | None = None,
        listener: Listener | None = None,
        trace: str | Path | None = None,
        accept: Sequence[str] | None = None,
    ) -> None:
        render_with(_shown)
        draw_with(_drawn)
        load_without_files()
        self.settings = read_settings(
            store=None if store is None else str(store),
            threads_per_calculation=threads_per_calculation,
            trace=None if trace is None else str(trace),
            accept=tuple(accept) if accept else None,
        )
        self._accepting = accepting(self.settings.accept)  # refused before anything is opened
        self.tracing = open_tracing(self.settings.trace)
        blobs = self.settings.blobs
        try:
            opened = open_store(self.settings.store, self.settings.home)
        except BaseException:
            self.tracing.close()
            raise
        self.kg = KnowledgeGraph(
            TracedStore(opened, self.tracing.tracer),
            None if blobs is None else blobs.expanduser(),
        )
        self.jobs_not_taken_in = self._take_in_jobs()
        self._executor: Executor | None = None
        self._listener = listener
        self._loop: Loop | None = None

    def _take_in_jobs(self) -> dict[str, GraficoError]:
        """Store what jobs have recorded meanwhile; return why that of some cannot be, by name."""
        home = self.kg.store.home
        if home is None or not (home / "jobs").is_dir():
            return {}
        from workflows.engine.jobs.taking import take_all_in

        return take_all_in(self.kg, home / "jobs")

    def start(self, function: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Start a coroutine in this session's own loop, and go on."""
        if self._loop is None:
            self._loop = Loop()
        return self._loop.start(function)

    @property
    def executor(self) -> Executor:
        """The executor, made when first needed."""
        if self._executor is None:
            self._executor = Executor(
                self.kg,
                machine_slots(self.settings),
                threads_per_calculation=self.settings.threads_per_calculation,
                listener=self._listener,
                tracer=self.tracing.tracer,
                elsewhere=self._computing,
                allowed=self._allowed,
                accepting=self._accepting,
            )
        return self._executor

    def _allowed(self) -> Allowed:
        """See `Policy.allowed`; read when something needs it, for it may be withheld."""
        settings = self.settings
        hosts = frozenset(one.lower() for one in settings.allowed_hosts)
        return Allowed(hosts, settings.allowed_spending)

    async def _computing(self, keys: Sequence[str]) -> str | None:
        """See `Policy.elsewhere`: nobody, as long as there are no jobs."""
        del keys
        return None

    def wait_for(self, function: Callable[[], Awaitable[T]]) -> T:
        """Return what a coroutine comes to in this session's own loop, which lives in a thread.

        What a person can act on is raised as if here: where inside it was found helps nobody.
        """
        if self._loop is None:
            self._loop = Loop()
        try:
            return self._loop.call(function)
        except (InputError, NotFoundError) as error:
            raise error.with_traceback(None) from None

    def close(self) -> None:
        """End the workers and hang up."""
        executor, self._executor = self._executor, None
        if executor is not None and self._loop is not None:
            self._loop.call(executor.aclose)
        elif executor is not None:
            executor.close()
        if self._loop is not None:
            self._loop.close()
            self._loop = None
        self.kg.store.close()
        self.tracing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def machine_slots(settings: Settings) -> Slots:
    """Return the slots of this machine, shared with this user's other commands."""
    return Slots(
        total_cores=settings.total_cores,
        memory=settings.memory,
        slots=settings.slots,
        patience=settings.patience,
        tokens=Tokens(tokens_folder()),
    )
