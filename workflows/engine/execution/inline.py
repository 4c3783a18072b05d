"""An executor within a worker: it computes here and now, and stores nothing itself."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from ogm import GRAFICO, GraphModel, KnowledgeGraph, Motion
from ogm.literals import literal
from ogm.terms import time_ordered_id
from ontologies.provenance import Activity
from triplestore.errors import GraficoError

from ..local.slots import Slots
from ..local.worker import performed, unexpected
from .answer import Answer, DeferredError
from .calculation import Call, ResultT
from .context import Context
from .executor import Executor
from .recall import Recall
from .task import Tasks

_kept: ContextVar[list[GraphModel] | None] = ContextVar("grafico_kept", default=None)


class OwnRecall(Recall):
    """What an executor within a worker remembers: what it has computed itself, too.

    `known` has that by key, `new` the keys and families that the store does not have.

    Args:
        kg: the graph that is asked.
    """

    def __init__(self, kg: KnowledgeGraph) -> None:
        super().__init__(kg)
        self.known: dict[str, Answer[Any]] = {}
        self.new: set[str] = set()
        self._families: dict[str, list[tuple[Call[Any], Answer[Any]]]] = {}

    def keep(self, call: Call[ResultT], answer: Answer[ResultT]) -> None:
        super().keep(call, answer)
        self.known[call.key] = replace(answer, reused=True, former=None)
        for family in call.families if not answer.reused else ():
            self._families.setdefault(family, []).append((call, answer))

    def same(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        at_hand = next((self.known[call.key] for call in ways if call.key in self.known), None)
        if at_hand is not None or all(call.key in self.new for call in ways):
            return at_hand
        return super().same(ways)

    def moved(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        for way in ways:
            for family in way.families:
                for call, known in self._families.get(family, ()):
                    motion = self.motion(way, call.objects.values(), call.key)
                    if motion is not None:
                        moved = known.result.transformed(motion)
                        return Answer(moved, known.activity, known.recorded, True, motion)
        if all(family in self.new for way in ways for family in way.families):
            return None
        return super().moved(ways)


@dataclass
class _Abreast:
    """Who goes abreast, as an executor and all of its twins see it.

    A twin that counted for itself would wait for those who have ended meanwhile, for ever.
    """

    going: int = 0
    asking: list[tuple[set[str], asyncio.Future[None]]] = field(
        default_factory=list[tuple[set[str], "asyncio.Future[None]"]]
    )


class InlineExecutor(Executor):
    """Runs calls in this very process, one after the other; what is remembered is asked for first.

    What it records goes to the store of its graph, which may collect it (`CollectingStore`); it
    remembers what it has computed itself. The store is asked once for what many that go abreast
    need next: most of it is new, and asking for each of them takes longer than a small calculation.

    What it begins is reserved before the store is asked for it, and stays so until what this worker
    has collected is stored, so that nobody else begins it in between.

    Args:
        kg: the graph that is asked first and told last.
        here: what surrounds the calculations; its folder, if any, is that of the bundle.
    """

    def __init__(self, kg: KnowledgeGraph, here: Context, *, recompute: bool = False) -> None:
        slots = Slots(total_cores=here.threads, memory=here.memory, gpus=())
        super().__init__(kg, slots, recompute=recompute)
        home = kg.store.home
        memo = home / "memo" if home is not None else None
        self._bundle, self._reserved = here.folder, set[str]()
        self._here = Context(None, here.threads, here.memory, memo, here.device, here.scratch)
        self._held: list[GraphModel] = []
        self._abreast = _Abreast()

    def _recall_of(self, kg: KnowledgeGraph) -> Recall:
        self._own = OwnRecall(kg)
        return self._own

    def _open_tasks(self, kg: KnowledgeGraph) -> None:
        return

    def record(self, *models: GraphModel, durable: bool = True) -> None:
        kept = _kept.get()
        if kept is not None and not durable:
            kept += models
            return
        self._held += models  # the graph itself forgets what nobody holds
        super().record(*models, durable=durable)

    @contextmanager
    def unless_deferred(self) -> Generator[None]:
        """Record runs within when they have ended, and none that others are to do again."""
        kept = list[GraphModel]()
        token = _kept.set(kept)
        try:
            yield
        except DeferredError:
            kept.clear()
            raise
        finally:
            _kept.reset(token)
            self.record(*kept, durable=False)

    async def abreast(self, works: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Do several things, each up to where it needs the store, and then on."""
        tasks = [asyncio.ensure_future(self._one(work)) for work in works]
        self._abreast.going += len(tasks)
        await asyncio.gather(*tasks)

    async def _one(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._abreast.going -= 1
            self._ask()

    async def recall_soon(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        texts = {text for way in call.served_by for text in (way.key, *way.families)}
        if not texts <= self._own.new and call.key not in self._own.known:
            answered = asyncio.get_running_loop().create_future()
            self._abreast.asking.append((texts, answered))
            self._ask()
            await answered
        return self.recall(call)

    def _ask(self) -> None:
        """Ask the store for what is waited for, once all that go abreast wait."""
        here = self._abreast
        if not here.asking or len(here.asking) < here.going:
            return
        asking, here.asking = here.asking, []
        texts = set[str]().union(*(texts for texts, _ in asking)) - self._own.new
        wanted = " ".join(map(literal, sorted(texts)))
        key, family = GRAFICO.term("key"), GRAFICO.term("family")
        with suppress(GraficoError):  # who asks for himself is told what is wrong
            # not one pattern with a variable for both: the engine would look at all activities
            found = self.memory.rows(f"""
                SELECT DISTINCT ?text {{
                    VALUES ?text {{ {wanted} }}
                    {{ ?activity <{key}> ?text }} UNION {{ ?activity <{family}> ?text }} }}""")
            self._own.new |= texts - {text for (text,) in found}
        for _, answered in asking:
            if not answered.done():
                answered.set_result(None)

    async def _run(self, call: Call[ResultT], recompute: bool) -> Answer[ResultT]:
        again = recompute or self.policy.recompute
        former = self.memory.find([call]) if again else None
        held = again or self._reserve(call)
        answer = None if again else await self.recall_soon(call)
        if answer is not None:
            self._release(call)
        elif not held:
            raise DeferredError(call.calculation.name)
        else:
            activity, result = self._compute_here(call)
            self.record(activity, result, *call.objects.values())
            self.recorded.append(result.iri)
            answer = Answer(result, activity, result.iri, False, Motion(), former)
        self.memory.keep(call, answer)
        return answer

    def _reserve(self, call: Call[Any]) -> bool:
        """Hold what is asked for, so that nobody else begins it; False if somebody else has it.

        What takes a moment is computed twice sooner than it is waited for.
        """
        key, bundle = call.key, self._bundle
        at_hand = key in self._own.known or key in self._reserved
        if bundle is None or call.calculation.brief or at_hand:
            return True
        held = Tasks(bundle.parent, None).reserve(key, bundle.name)
        if held:
            self._reserved.add(key)
            self._own.new.discard(key)  # it may have been stored before it was held
        return held

    def _release(self, call: Call[Any]) -> None:
        """Let go of what proves to be remembered."""
        key, bundle = call.key, self._bundle
        if bundle is not None and key in self._reserved and key not in self._own.known:
            Tasks(bundle.parent, None).release(bundle.name, key)
            self._reserved.discard(key)

    def _compute_here(self, call: Call[ResultT]) -> tuple[Activity, ResultT]:
        said = {
            "key": call.key,
            "family": call.family,
            "signature": call.signature,
            "objects": {name: model.iri for name, model in call.objects.items()},
        }
        try:
            return performed(call, self._here, time_ordered_id(), said)
        except (GraficoError, MemoryError):
            raise
        except Exception as error:
            raise unexpected(call.calculation.name, error) from error
