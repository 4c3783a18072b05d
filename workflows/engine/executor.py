"""`Executor`: the only thing that runs calculations, and the one door to what is recorded."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from ogm import GRAFICO, PROV, GraphModel, KnowledgeGraph, Link, Motion
from ogm.codec import double, literal
from ontologies.provenance import Activity
from triplestore import Table

from .calculation import Calculation, Call, ResultT
from .events import Event, EventKind, Listener
from .pool import WorkerPool
from .slots import Slots
from .task import Task, Tasks

ResultT_co = TypeVar("ResultT_co", bound=GraphModel, covariant=True)

NEAR = 1e-3
"""How far the signatures of moved copies may be apart; the comparison of the objects decides."""

HEARTBEAT = 5.0
"""Seconds after which a calculation without news is said to be alive."""


@dataclass(frozen=True)
class Answer(Generic[ResultT_co]):
    """What a call came to.

    Attributes:
        result: in the frame of the caller.
        activity: the activity that made it.
        recorded: IRI of the result as it is stored.
        reused: remembered, not computed.
        motion: how the stored result was moved into the caller's frame.
    """

    result: ResultT_co
    activity: Activity
    recorded: str
    reused: bool
    motion: Motion


class Executor:
    """Runs calls: remembered ones from the graph, new ones in child processes.

    Args:
        kg: the graph that is asked first and told last.
        slots: who may compute where.
        cores: threads for each calculation; None for all that there are.
        listener: is told what happens.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        slots: Slots | None = None,
        cores: int | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.kg = kg
        self.slots = slots or Slots()
        self.cores = cores
        self.listener = listener
        self._pool = WorkerPool()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        home = kg.store.home
        if home is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="grafico-")
            home = Path(self._temporary.name)
        self._tasks = Tasks(home / "tasks", kg.files.folder if kg.files else None)
        self._tasks.sweep()

    def emit(self, kind: EventKind, subject: str, **data: Any) -> None:
        """Tell the listener."""
        if self.listener is not None:
            self.listener(Event(kind, subject, data))

    def record(self, *models: GraphModel, durable: bool = True) -> None:
        """Store objects in one transaction: the only way into the graph."""
        self.kg.push(*models, durable=durable)

    async def run(self, call: Call[ResultT]) -> Answer[ResultT]:
        """Return the result of a call: from memory, or computed and then remembered.

        Of several processes that ask for the same, one computes and the others wait.

        Raises:
            GraficoError: what the calculation ended with.
        """
        name = call.calculation.name
        answer = self.recall(call)
        if answer is None:
            waiting = self._telling("waiting", name)
            async with self._tasks.claim(call.key, waiting) as task:
                answer = self.recall(call)
                if answer is None:
                    await self._compute(call, task)
                    activity, result = task.output(call.calculation.result_type)
                    self.record(activity, result)
                    answer = Answer(result, activity, result.iri, False, Motion())
                self._tasks.remove(task)
        self.emit("result", name, iri=answer.recorded, reused=answer.reused)
        return answer

    async def _compute(self, call: Call[Any], task: Task) -> None:
        name = call.calculation.name
        if task.finished:
            return
        task.prepare(call)
        task.new_frames()

        clock = started = time.monotonic()

        def tick() -> None:
            nonlocal clock
            now = time.monotonic()
            for frame in task.new_frames():
                clock = now
                self.emit("frame", name, **frame)
            if now - clock >= HEARTBEAT:
                clock = now
                self.emit("alive", name, elapsed=now - started)

        self.emit("waiting", "slot")
        async with self.slots.lease(self.cores) as lease:
            self.emit("started", name, threads=lease.threads)
            await self._pool.run(task, lease, call.calculation.backend.preload, tick)

    def recall(self, call: Call[ResultT]) -> Answer[ResultT] | None:
        """Return what the graph remembers of a call, moved into the caller's frame, or None."""
        g = GRAFICO.term
        query = f"""
            SELECT ?activity ?key ?result {{
                ?activity <{g("family")}> {literal(call.family)} ;
                    <{g("key")}> ?key ; <{g("signature")}> ?signature ;
                    <{PROV.term("generated")}> ?result .
                FILTER(ABS(?signature - {double(call.signature)}) < {NEAR})
            }} ORDER BY ?activity"""
        answer = self.kg.store.query(query)
        assert isinstance(answer, Table)
        found = [(_text(iri), _text(key), _text(result)) for iri, key, result in answer.rows]
        for iri, key, result in found:
            if key == call.key:
                return self._answer(call, iri, result, Motion())
        for iri, _, result in found:
            motion = self._motion(call.objects.values(), self.kg.pull(Activity, iri))
            if motion is not None:
                return self._answer(call, iri, result, motion)
        return None

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
            version=calculation.version,
            epoch=calculation.backend.epoch,
        ):
            return Answer(result.transformed(motion), activity, result.iri, True, motion)
        return None

    def _answer(
        self, call: Call[ResultT], activity_iri: str, result_iri: str, motion: Motion
    ) -> Answer[ResultT]:
        activity, result = self.kg.pull_all(GraphModel, [activity_iri, result_iri])
        assert isinstance(activity, Activity)
        assert isinstance(result, call.calculation.result_type)
        return Answer(result.transformed(motion), activity, result_iri, True, motion)

    def _motion(self, wanted: Iterable[GraphModel], activity: Activity) -> Motion | None:
        """Return the one motion that carries the inputs of an activity onto those wanted."""
        remembered = self.kg.pull_all(GraphModel, sorted(link.iri for link in activity.used))
        motions: list[Motion] = []
        for model in wanted:
            twins = (model.motion_from(other) for other in remembered if type(other) is type(model))
            motion = next((twin for twin in twins if twin is not None), None)
            if motion is None:
                return None
            motions.append(motion)
        moved = [motion for motion in motions if not motion.is_rest]
        if len(moved) > 1:
            return None  # several structures, each moved: no common frame is known
        return moved[0] if moved else Motion()

    def _telling(self, kind: EventKind, subject: str) -> Any:
        return lambda: self.emit(kind, subject, reason="another process computes it")

    async def aclose(self) -> None:
        """Close in the loop that the workers belong to."""
        self.close()

    def close(self) -> None:
        """End the workers and remove what was temporary."""
        self._pool.close()
        if self._temporary is not None:
            self._temporary.cleanup()


def _text(term: Any) -> str:
    return str(getattr(term, "value", term))
