"""An executor that computes nothing: it finds out what is wholly remembered, and records that."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any

from ogm import GraphModel
from triplestore.errors import GraficoError

from .answer import Answer, DeferredError
from .calculation import Call, ResultT
from .context import Context
from .executor import Executor
from .inline import InlineExecutor

_recorded: ContextVar[list[GraphModel] | None] = ContextVar("grafico_recorded", default=None)
_recalled: ContextVar[list[Answer[Any]] | None] = ContextVar("grafico_recalled", default=None)


class RecallingExecutor(InlineExecutor):
    """Recalls what many things need that go abreast, and stops each where it would compute.

    Not even what takes a moment is computed: of a thousand things about which nothing is known,
    one question to the store tells so. What is recorded meanwhile is kept back.

    Args:
        outer: whose graph is asked; its `deferred` is told at what things stopped, and what was
            remembered of these.
    """

    def __init__(self, outer: Executor) -> None:
        slots = outer.slots
        super().__init__(outer.kg, Context(None, slots.total_cores, slots.memory))
        self._deferred = outer.deferred

    async def whole(self, work: Coroutine[Any, Any, object]) -> list[GraphModel] | None:
        """Do something, if all of it is remembered; return what it records, None otherwise.

        What fails, or misses what was asked, is for somebody else to do again: it says why.
        """
        with _noted() as (recorded, recalled):
            try:
                await work
            except (DeferredError, GraficoError):
                self._deferred.carried.update(answer.activity.iri for answer in recalled)
                return None
        return recorded

    def record(self, *models: GraphModel, durable: bool = True) -> None:
        if (kept := _recorded.get()) is not None:
            kept += models

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Wait for nobody: nothing is computed here, and nothing stored."""
        del name
        yield

    async def _run(self, call: Call[ResultT], recompute: bool) -> Answer[ResultT]:
        answer = await self.recall_soon(call)
        if answer is None:
            self._deferred.keys.append(call.key)
            raise DeferredError(call.calculation.name)
        if (noted := _recalled.get()) is not None:
            noted.append(answer)
        self.memory.keep(call, answer)
        return answer


@contextmanager
def _noted() -> Generator[tuple[list[GraphModel], list[Answer[Any]]]]:
    """Note what is recorded and recalled within."""
    recorded, recalled = list[GraphModel](), list[Answer[Any]]()
    tokens = _recorded.set(recorded), _recalled.set(recalled)
    try:
        yield recorded, recalled
    finally:
        _recorded.reset(tokens[0])
        _recalled.reset(tokens[1])
