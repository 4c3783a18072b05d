"""`Executor`: the only thing that runs calculations, and the one door to what is recorded."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import tempfile
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from opentelemetry.trace import Tracer, get_current_span

from ogm import GRAFICO, PROV, GraphModel, KnowledgeGraph, Link, Motion
from ogm.literals import double, literal
from ogm.model import when_unknown
from ontologies.provenance import Activity
from triplestore import Table
from triplestore.errors import NotFoundError
from triplestore.spans import any_tracer, note, note_here, span, tell
from workflows.registry.packages import import_classes

from ..graph.effects import Allowed
from ..graph.records import current_records
from ..local.logfile import tail
from ..local.pool import WorkerPool
from ..local.slots import Slots
from ..request.cost import counted
from .bundled import BUNDLE, taken
from .calculation import NEAR, Calculation, Call, ResultT
from .events import Event, EventKind, Listener
from .stream import Stream
from .task import Task, Tasks, write

when_unknown(import_classes)

ResultT_co = TypeVar("ResultT_co", bound=GraphModel, covariant=True)

CANDIDATES = 16
"""Remembered calls that are compared with a new one, those of the nearest signature first."""

GENERATED = PROV.term("generated")

RECORDED = 1000
"""Results of which it is kept that they are new."""

BRIEF = 256
"""Answers of brief calculations that a session keeps at hand."""

LOOK = 0.5
"""Seconds between two looks at who computes something elsewhere."""

WhoComputes: TypeAlias = Callable[[Sequence[str]], Awaitable[str | None]]
"""Tells who computes one of some keys elsewhere, in words, and takes in what that has recorded;
None for nobody."""

HEARTBEAT = 5.0
"""Seconds after which a calculation without news is said to be alive."""


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


class Executor:
    """Runs calls: remembered ones from the graph, new ones in child processes.

    `recorded` has the IRIs of the latest results that it has computed and stored, until somebody
    takes them out. `share` has the keys of those parts of what is many that it computes; None for
    all. `elsewhere` is asked before anything is computed. `allowed` says what steps may do to the
    world without a yes, as it stands in a person's settings; None for nothing. `deferred` has the
    keys at which one that defers has stopped, `carried` the IRIs of activities that were remembered
    on the way there.

    Args:
        kg: the graph that is asked first and told last.
        slots: who may compute where.
        threads_per_calculation: None for a slot's share of the cores.
        listener: is told what happens; `events` takes more of them.
        tracer: makes the spans; None for that of the provider which the program has set, if any.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        slots: Slots | None = None,
        *,
        threads_per_calculation: int | None = None,
        listener: Listener | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self.kg = kg
        self.tracer = tracer or any_tracer()
        self.slots = slots or Slots()
        self.threads_per_calculation = threads_per_calculation
        self.events = Stream()
        if listener is not None:
            self.events.call(listener)
        self.recompute = False
        self.defers = False
        self.deferred: list[str] = []
        self.carried: set[str] = set()
        self.elsewhere: WhoComputes | None = None
        self.share: frozenset[str] | None = None
        self.allowed: Callable[[], Allowed] | None = None
        self.recorded: deque[str] = deque(maxlen=RECORDED)
        self._brief: OrderedDict[str, Answer[Any]] = OrderedDict()
        self._last: Answer[Any] | None = None  # held, as it is often asked for twice
        self._pool = WorkerPool()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._open_tasks(kg)

    def _open_tasks(self, kg: KnowledgeGraph) -> None:
        """Open the folder of the tasks, and tidy up what others have left there."""
        home = kg.store.home
        if home is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="grafico-")
            home = Path(self._temporary.name)
        self._tasks = Tasks(home / "tasks", kg.files.folder if kg.files else None)
        self._tasks.sweep(self._has_recorded)

    def recomputing(self) -> Executor:
        """Return this executor as it is, but that each `run` computes again."""
        twin = copy.copy(self)
        twin.recompute = True
        return twin

    def remembering(self) -> Executor:
        """Return this executor as it is, but that it computes nothing again."""
        twin = copy.copy(self)
        twin.recompute = False
        return twin

    def deferring(self) -> Executor:
        """Return this executor as it is, but that it raises `DeferredError` where it would compute.

        What takes a moment it computes all the same.
        """
        twin = copy.copy(self)
        twin.defers, twin.deferred, twin.carried = True, [], set()
        return twin

    def acting(self) -> Executor:
        """Return this executor as it is, but that it computes here whatever is asked for.

        What acts on the world is done where a person has agreed, and handed to nobody.
        """
        twin = copy.copy(self)
        twin.defers, twin.share = False, None
        return twin

    def within(self, slots: Slots) -> Executor:
        """Return this executor as it is, but that it has other slots and shares them out itself."""
        twin = copy.copy(self)
        twin.slots, twin.threads_per_calculation = slots, None
        return twin

    def unheard(self) -> Executor:
        """Return this executor as it is, but that nobody is told what it does."""
        twin = copy.copy(self)
        twin.events = Stream()
        return twin

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
        again = recompute or self.recompute
        former = self._recall([call]) if again else None
        answer = None if again else self.recall(call)
        records = current_records()
        if answer is None and self.defers and not call.calculation.brief:
            self.deferred.append(call.key)
            raise DeferredError(name)
        if answer is None and records is not None:
            records.write()
        while answer is None:
            waiting = self._telling("waiting", name)
            asked = time.monotonic()
            async with self._tasks.claim(call.key, waiting) as task:
                note_here(claim_wait_s=time.monotonic() - asked)
                answer = None if again else self._recall_same(list(call.served_by))
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
        self._keep(call, answer)
        more = {} if answer.deviation is None else {"deviation": answer.deviation}
        self.emit("result", name, iri=answer.recorded, reused=answer.reused, **more)
        return answer

    async def bundle(self, call: Call[ResultT], threads: int) -> ResultT:
        """Let a worker do many things at once, and store what it has written, in one transaction.

        Args:
            call: what is done; it leaves objects in its task folder, see `bundled.leave`, and is
                no result itself, so that nothing is remembered of it.
            threads: that it gets.

        Raises:
            GraficoError: what it ended with; nothing of it is stored.
        """
        if self.defers:
            self.deferred.append(call.key)
            raise DeferredError(call.calculation.name)
        async with self._tasks.claim(call.key) as task:
            if not task.finished:
                task.prepare(call, fresh=True)
                async with self.slots.lease(threads=threads, what=call.calculation.name) as lease:
                    await self._pool.run(task, lease, call.calculation, lambda: None)
            _, result = task.output(call.calculation.result_type)
            self._take(task)
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
        if self.elsewhere is None or call.calculation.brief:
            return None
        ways, told = list(call.served_by), ""
        keys = [way.key for way in ways]
        while (who := await self.elsewhere(keys)) is not None:
            if (answer := self._recall_same(ways)) is not None:
                return answer
            if who != told:
                self.emit("waiting", call.calculation.name, reason=who)
                told = who
            await asyncio.sleep(LOOK)
        return self._recall_same(ways) if told else None

    async def _recall_copy(self, call: Call[ResultT], task: Task) -> Answer[ResultT] | None:
        """Return what a moved copy of a call came to that was asked for a moment before."""
        waiting = self._telling("waiting", call.calculation.name)
        for other, said in await self._tasks.announce(task, call):
            with suppress(OSError, ValueError):  # it has just gone
                if self._motion(call, other.objects().values(), other.folder.name) is not None:
                    waiting()
                    await self._tasks.end_of(other, said)
        return self._recall_moved([call])

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
                tell(here, str(frame.get("stage", "frame")), **frame)
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
                    threads=self.threads_per_calculation,
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

    def recall(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        """Return what the graph remembers of a call, moved into the caller's frame, or None.

        A call of the same key is found by the key alone; of several the newest. Otherwise of the
        calls that a motion carries onto this one, that of the smallest deviation. Calls whose
        results serve this one too count as well, see `Calculation.finer`.
        """
        return self._recall(list(call.served_by))

    async def recall_soon(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        """Return the same; an executor that does many things at once may ask for all of them."""
        return self.recall(call)

    def _recall(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        """Return what is remembered of the first of several calls, or of one that serves it."""
        return self._recall_same(ways) or self._recall_moved(ways)

    def _keep(self, call: Call[ResultT], answer: Answer[ResultT]) -> None:
        """Keep an answer at hand: the last, and the latest of calculations that take a moment.

        Whether a newer one of the last is stored is asked all the same. What takes a moment gives
        the same each time, so that nobody need ask.
        """
        self._last = answer
        if call.calculation.brief and answer.motion.is_rest:
            self._brief[call.key] = replace(answer, reused=True, former=None)
            self._brief.move_to_end(call.key)
            if len(self._brief) > BRIEF:
                self._brief.popitem(last=False)

    @property
    def at_hand(self) -> list[Answer[Any]]:
        """What the latest calculations came to that took a moment."""
        return list(self._brief.values())

    def _recall_same(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        at_hand = self._brief.get(ways[0].key)
        if at_hand is not None:
            return at_hand
        keys = [call.key for call in ways]
        rows = self._rows(f"""
            SELECT ?key ?activity ?result {{
                VALUES ?key {{ {" ".join(map(literal, keys))} }}
                ?activity <{_term("key")}> ?key ; <{GENERATED}> ?result
            }} ORDER BY DESC(?activity)""")
        for _, activity, result in sorted(rows, key=lambda row: keys.index(row[0])):
            self._last = answer = self._answer(ways[0], activity, result, Motion())
            return answer
        return None

    def _recall_moved(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        call = ways[0]
        families = " ".join(literal(family) for way in ways for family in way.families)
        rows = self._rows(f"""
            SELECT ?activity ?result ?key {{
                VALUES ?family {{ {families} }}
                ?activity <{_term("family")}> ?family ; <{_term("signature")}> ?signature ;
                    <{_term("key")}> ?key ; <{GENERATED}> ?result .
                BIND(ABS(?signature - {double(call.signature)}) AS ?apart)
                FILTER(?apart < {NEAR})
            }} ORDER BY ?apart DESC(?activity) LIMIT {CANDIDATES}""")
        found: list[tuple[int, float, str, str, Motion]] = []
        activities = self.kg.pull_all(Activity, [iri for iri, _, _ in rows])
        for activity, (iri, result, key) in zip(activities, rows, strict=True):
            try:
                used = self.kg.pull_all(GraphModel, sorted(link.iri for link in activity.used))
            except NotFoundError:  # earlier versions recorded results without their inputs
                continue
            for place, way in enumerate(ways):
                motion = self._motion(way, used, key)
                if motion is not None:
                    found.append((place, motion.deviation, iri, result, motion))
                    break
        if not found:
            return None
        _, _, iri, result, motion = min(found, key=lambda one: one[:2])
        return self._answer(call, iri, result, motion)

    def _has_recorded(self, activity: str) -> bool:
        rows = self._rows(f"SELECT ?key {{ <{activity}> <{_term('key')}> ?key }} LIMIT 1")
        return bool(rows)

    def _rows(self, query: str) -> list[list[str]]:
        answer = self.kg.store.query(query)
        assert isinstance(answer, Table)
        return [[str(getattr(term, "value", term)) for term in row] for row in answer.rows]

    def remembered(
        self, result: ResultT, calculation: Calculation[..., ResultT], motion: Motion
    ) -> Answer[ResultT] | None:
        """Return a stored result as an answer, moved, if the calculation would still give it.

        None if it was made by another version of the calculation or in another epoch.
        """
        for activity in self.kg.find(
            Activity,
            generated=Link[GraphModel](result),
            calculation=calculation.name,
            epoch=calculation.backend.epoch,
        ):
            used = self.kg.pull_all(GraphModel, sorted(link.iri for link in activity.used))
            if activity.version != calculation.version_for(used):
                continue
            return Answer(result.transformed(motion), activity, result.iri, True, motion)
        return None

    def _answer(
        self, call: Call[ResultT], activity_iri: str, result_iri: str, motion: Motion
    ) -> Answer[ResultT]:
        names = [activity_iri, result_iri]
        activity, result = self.kg.pull_all(GraphModel, names, parts=call.objects.values())
        assert isinstance(activity, Activity)
        assert isinstance(result, call.calculation.result_type)
        return Answer(result.transformed(motion), activity, result_iri, True, motion)

    def _motion(
        self, call: Call[Any], remembered: Collection[GraphModel], key: str
    ) -> Motion | None:
        """Return the one motion that carries the inputs of another call onto those of this one.

        One input shows which motion that is. Carried by it, the others must be what is wanted, and
        each must have been where it is wanted now: the key of the other call says so.
        """
        wanted = call.objects
        for name, model in wanted.items():
            for other in remembered:
                motion = model.motion_from(other) if type(other) is type(model) else None
                if motion is None:
                    continue
                try:
                    carried = {old.iri: old.transformed(motion) for old in remembered}
                except ValueError:  # structures of several sizes: they have no common numbering
                    continue
                twins = {
                    place: next((iri for iri, new in carried.items() if new == one), "")
                    for place, one in wanted.items()
                }
                if call.key_with({**twins, name: other.iri}) == key:
                    return motion
        return None

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


def _term(name: str) -> str:
    return GRAFICO.term(name)
