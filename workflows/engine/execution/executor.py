"""`Executor`: the only thing that runs calculations, and the one door to what is recorded."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import tempfile
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from opentelemetry.trace import Tracer, get_current_span

from ogm import GraphModel, KnowledgeGraph, Motion
from ogm.model import when_unknown
from triplestore.spans import any_tracer, note, note_here, span, tell
from workflows.registry.packages import import_classes

from ..graph.effects import Allowed
from ..graph.records import current_records
from ..local.logfile import tail
from ..local.pool import WorkerPool
from ..local.slots import OUR_OWN, Slots
from .answer import Answer, DeferredError
from .bundled import BUNDLE, taken
from .calculation import Backend, Calculation, Call, ResultT
from .events import STRUCTURE, Event, EventKind, Listener
from .meter import counted
from .policy import Accepted, Accepting, Deferred, Policy, WhoComputes
from .recall import Recall
from .stream import Stream
from .task import Task, Tasks, write

when_unknown(import_classes)

RECORDED = 1000
"""Results of which it is kept that they are new."""

LOOK = 0.5
"""Seconds between two looks at who computes something elsewhere."""

HEARTBEAT = 5.0
"""Seconds after which a calculation without news is said to be alive."""


class Executor:
    """Runs calls: remembered ones from the graph, new ones in child processes.

    `recorded` has the IRIs of the latest results that it has computed and stored, until somebody
    takes them out. How it goes about calls is its `policy`; all else is shared by its twins.

    Args:
        kg: the graph that is asked first and told last.
        slots: who may compute where.
        threads_per_calculation: None for a slot's share of the cores.
        listener: is told what happens; `events` takes more of them.
        tracer: makes the spans; None for that of the provider which the program has set, if any.
        share: see `Policy`, as of the rest.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        slots: Slots | None = None,
        *,
        threads_per_calculation: int | None = None,
        listener: Listener | None = None,
        tracer: Tracer | None = None,
        recompute: bool = False,
        share: frozenset[str] | None = None,
        elsewhere: WhoComputes | None = None,
        allowed: Callable[[], Allowed] | None = None,
        accepting: tuple[Accepting, ...] = (),
    ) -> None:
        self.kg = kg
        self.tracer = tracer or any_tracer()
        self.policy = Policy(
            slots or Slots(),
            Stream(),
            threads_per_calculation,
            recompute=recompute,
            share=share,
            elsewhere=elsewhere,
            allowed=allowed,
            accepting=accepting,
        )
        if listener is not None:
            self.events.call(listener)
        self.recorded: deque[str] = deque(maxlen=RECORDED)
        self.memory = self._recall_of(kg)
        self._pool = WorkerPool()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._open_tasks(kg)

    def _recall_of(self, kg: KnowledgeGraph) -> Recall:
        return Recall(kg)

    @property
    def slots(self) -> Slots:
        """Who may compute where."""
        return self.policy.slots

    @property
    def events(self) -> Stream:
        """Who is told what happens."""
        return self.policy.events

    @property
    def recompute(self) -> bool:
        """Whether each call is computed again."""
        return self.policy.recompute

    def _open_tasks(self, kg: KnowledgeGraph) -> None:
        """Open the folder of the tasks, and tidy up what others have left there."""
        home = kg.store.home
        if home is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="grafico-")
            home = Path(self._temporary.name)
        self._tasks = Tasks(home / "tasks", kg.files.folder if kg.files else None)
        self._tasks.sweep(self.memory.has_recorded)

    def under(self, policy: Policy) -> Executor:
        """Return a twin that goes about calls in another way."""
        twin = copy.copy(self)
        twin.policy = policy
        return twin

    @property
    def deferred(self) -> Deferred:
        """What is left to somebody else; nothing where it computes itself."""
        return self.policy.deferred or Deferred()

    def recomputing(self, again: bool = True) -> Executor:
        """Return a twin by which each `run` computes again, or none does."""
        return self.under(replace(self.policy, recompute=again))

    def deferring(self) -> Executor:
        """Return a twin that raises `DeferredError` where it would compute."""
        return self.under(replace(self.policy, deferred=Deferred()))

    def acting(self) -> Executor:
        """Return a twin that computes here whatever is asked for.

        What acts on the world is done where a person has agreed, and handed to nobody.
        """
        return self.under(replace(self.policy, deferred=None, share=None))

    def unheard(self) -> Executor:
        """Return a twin of which nobody is told what it does, only whom it waits for."""
        return self.under(replace(self.policy, events=self.events.delays()))

    def emit(self, kind: EventKind, subject: str, /, **data: Any) -> None:
        """Tell the listeners; none of them can hold this up."""
        if self.events:
            self.events.emit(Event(kind, subject, data))

    def record(self, *models: GraphModel, durable: bool = True) -> None:
        """Store objects in one transaction: the only way into the graph."""
        self.kg.push(*models, durable=durable)

    async def run(self, call: Call[ResultT], *, recompute: bool = False) -> Answer[ResultT]:
        """Return the result of a call: from memory, or computed and then remembered.

        Of several processes that ask for the same, one computes and the others wait.

        Args:
            call: what is asked.
            recompute: compute it although it may be remembered. The new activity stands beside the
                old one, and the newest is what will be remembered.

        Raises:
            GraficoError: what the calculation ended with.
        """
        name = call.calculation.name
        with span(self.tracer, f"calculation {name}", calculation=name, key=call.key) as here:
            answer = await self._run(call, recompute)
            activity, reused = answer.activity.iri, answer.reused
            note(here, result=answer.recorded, activity=activity, reused=reused)
        return answer

    async def _run(self, call: Call[ResultT], recompute: bool) -> Answer[ResultT]:
        name = call.calculation.name
        again = recompute or self.policy.recompute
        former = self.memory.find([call]) if again else None
        answer = None if again else self.recall(call)
        if answer is None and not again:
            for reason in self._accepted(call).refused:
                self.emit("warning", name, reason=reason)
        records = current_records()
        if answer is None and not call.calculation.brief:
            self._defer(call)
        if answer is None and records is not None:
            records.write()
        while answer is None:
            waiting = self._telling("waiting", name)
            asked = time.monotonic()
            async with self._tasks.claim(call.key, waiting) as task:
                note_here(claim_wait_s=time.monotonic() - asked)
                answer = None if again else self.memory.same(list(call.served_by))
                if answer is None and not task.finished:
                    task.prepare(call, again)
                    answer = None if again else await self._recall_awaited(call, task)
                if answer is None:
                    await self._compute(call, task)
                    activity, result = task.output(call.calculation.result_type)
                    self.record(activity, result, *call.objects.values())
                    self.recorded.append(result.iri)
                    answer = Answer(result, activity, result.iri, False, Motion(), former)
                self._tasks.remove(task)
            if former is not None and answer.recorded == former.recorded:
                answer = None  # it was recorded, but the one who did was killed before tidying up
        self.memory.keep(call, answer)
        more = {} if answer.deviation is None else {"deviation": answer.deviation}
        self.emit("result", name, iri=answer.recorded, reused=answer.reused, **more)
        return answer

    def _defer(self, call: Call[Any]) -> None:
        if (deferred := self.policy.deferred) is not None:
            deferred.keys.append(call.key)
            raise DeferredError(call.calculation.name)

    async def bundle(self, call: Call[ResultT], threads: int) -> ResultT:
        """Let a worker do many things at once, and store what it has written, in one transaction.

        Args:
            call: what is done; it leaves objects in its task folder, see `bundled.leave`, and is
                no result itself, so that nothing is remembered of it.
            threads: that it gets.

        Raises:
            GraficoError: what it ended with; nothing of it is stored.
        """
        self._defer(call)
        name = call.calculation.name

        def wait(reason: str) -> None:
            if not reason.endswith(OUR_OWN):
                self.emit("waiting", name, reason=reason)

        async with self._tasks.claim(call.key, self._telling("waiting", name)) as task:
            try:
                if not task.finished:
                    task.prepare(call, fresh=True)
                    async with self.slots.lease(threads=threads, what=name, waiting=wait) as lease:
                        await self._pool.run(task, lease, call.calculation, lambda: None)
                _, result = task.output(call.calculation.result_type)
                self._take(task)
            finally:
                self._tasks.release(call.key)
        return result

    def take_bundles(self) -> None:
        """Store what workers have written for processes that were killed meanwhile."""
        for path in self._tasks.folder.glob(f"*/{BUNDLE}"):
            lock = self._tasks.try_claim(path.parent.name, create=False)
            if lock is not None:
                task = Task(path.parent, None)
                if task.finished:
                    self._take(task)
                os.close(lock)

    def _take(self, task: Task) -> None:
        quads, settled = taken(task.folder)
        self.kg.store.insert(quads, settled=settled)
        self._tasks.release(task.folder.name)
        self._tasks.remove(task)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Be the only process that does something under a name; others wait for it."""
        async with self._tasks.claim(name, self._telling("waiting", name)) as task:
            write(task.folder / "call.json", json.dumps({"calculation": name}).encode())
            yield

    async def _recall_awaited(self, call: Call[ResultT], task: Task) -> Answer[ResultT] | None:
        """Return what a call comes to elsewhere, or that of a moved copy asked for before."""
        elsewhere = await self._recall_elsewhere(call)
        return elsewhere or await self._recall_copy(call, task)

    async def _recall_elsewhere(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        """Return what a call comes to elsewhere; None if nobody computes it, or has failed to."""
        asked = self.policy.elsewhere
        if asked is None or call.calculation.brief:
            return None
        ways, told = list(call.served_by), ""
        keys = [way.key for way in ways]
        while (who := await asked(keys)) is not None:
            if (answer := self.memory.same(ways)) is not None:
                return answer
            if who != told:
                self.emit("waiting", call.calculation.name, reason=who)
                told = who
            await asyncio.sleep(LOOK)
        return self.memory.same(ways) if told else None

    async def _recall_copy(self, call: Call[ResultT], task: Task) -> Answer[ResultT] | None:
        """Return what a moved copy of a call came to that was asked for a moment before."""
        waiting = self._telling("waiting", call.calculation.name)
        for other, said in await self._tasks.announce(task, call):
            with suppress(OSError, ValueError):  # it has just gone
                if (
                    self.memory.motion(call, other.objects().values(), other.folder.name)
                    is not None
                ):
                    waiting()
                    await self._tasks.end_of(other, said)
        return self.memory.moved([call])

    async def _compute(self, call: Call[Any], task: Task) -> None:
        name = call.calculation.name
        if task.finished:
            return

        here = get_current_span()
        clock = started = time.monotonic()
        frames = 0

        def tick() -> None:
            nonlocal clock, frames
            now = time.monotonic()
            for frame in task.new_frames():
                clock = now
                frames += 1
                said = {name: value for name, value in frame.items() if name != STRUCTURE}
                tell(here, str(frame.get("stage", "frame")), **said)
                self.emit("frame", name, **frame)
            if now - clock >= HEARTBEAT:
                clock = now
                self.emit("alive", name, elapsed=now - started)

        def wait(reason: str) -> None:
            tell(get_current_span(), "waiting", reason=reason)
            self.emit("waiting", name, reason=reason)

        try:
            with span(self.tracer, "slot", calculation=name) as slot:
                card = call.calculation.wants_card and bool(self.slots.gpus)
                async with self.slots.lease(
                    threads=self._threads(call.calculation.backend),
                    gpu=card,
                    brief=call.calculation.brief,
                    what=name,
                    waiting=wait,
                ) as lease:
                    waited = time.monotonic() - started
                    note(slot, wait_s=waited, device=lease.device, threads=lease.threads)
                    self.emit("started", name, threads=lease.threads, device=lease.device)
                    async with counted(name):
                        await self._pool.run(task, lease, call.calculation, tick)
        finally:
            note(here, frames=frames)  # of the events, an SDK keeps the last 128
            if here.is_recording() and not task.finished:
                tell(here, "log", text=tail(task.folder))

    def _threads(self, backend: Backend) -> int | None:
        wishes = (self.policy.threads_per_calculation, backend.threads)
        return min((one for one in wishes if one), default=None)

    def recall(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        """Return what the graph remembers of a call, moved into the caller's frame, or None.

        A call of the same key is found by the key alone; of several the newest. Otherwise of the
        calls that a motion carries onto this one, that of the smallest deviation. Calls whose
        results serve this one too count as well, see `Calculation.finer`; last what is accepted.
        """
        return self.memory.find(list(call.served_by)) or self._accepted(call).answer

    def _accepted(self, call: Call[Any]) -> Accepted:
        """Return what is taken of what was not computed here, where somebody accepts that."""
        refused: list[str] = []
        for accepting in self.policy.accepting:
            found = accepting(self.kg, call)
            if found.answer is not None:
                return found
            refused += found.refused
        return Accepted(None, tuple(refused))

    async def recall_soon(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        """Return the same; an executor that does many things at once may ask for all of them."""
        return self.recall(call)

    def remembered(
        self, result: ResultT, calculation: Calculation[..., ResultT], motion: Motion
    ) -> Answer[ResultT] | None:
        """Return a stored result as an answer, moved, if the calculation would still give it."""
        return self.memory.remembered(result, calculation, motion)

    def _telling(self, kind: EventKind, subject: str) -> Any:
        def told() -> None:
            tell(get_current_span(), kind, reason="another process computes it")
            self.emit(kind, subject, reason="another process computes it")

        return told

    async def aclose(self) -> None:
        """Close in the loop that the workers belong to."""
        self.close()

    def close(self) -> None:
        """End the workers and the listeners, and remove what was temporary."""
        self._pool.close()
        self.events.close()
        if self._temporary is not None:
            self._temporary.cleanup()
