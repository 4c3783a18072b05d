"""What the graph remembers of calls."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from ogm import GRAFICO, PROV, GraphModel, KnowledgeGraph, Link, Motion
from ogm.literals import double, literal
from ontologies.provenance import Activity
from triplestore import Table
from triplestore.errors import NotFoundError

from .answer import Answer
from .calculation import NEAR, Calculation, Call, ResultT
from .withdrawn import standing, withdrawals

CANDIDATES = 16
"""Remembered calls that are compared with a new one, those of the nearest signature first."""

BRIEF = 256
"""Answers of brief calculations that a session keeps at hand."""

GENERATED = PROV.term("generated")


class Recall:
    """Finds calls that were computed before, the very same ones or moved copies.

    Args:
        kg: the graph that is asked.
    """

    def __init__(self, kg: KnowledgeGraph) -> None:
        self.kg = kg
        self._brief: OrderedDict[str, Answer[Any]] = OrderedDict()
        self._last: Answer[Any] | None = None  # held, as it is often asked for twice

    def find(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        """Return what is remembered of the first of several calls, or of one that serves it."""
        return self.same(ways) or self.moved(ways)

    def keep(self, call: Call[ResultT], answer: Answer[ResultT]) -> None:
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

    def forget(self) -> None:
        """Keep nothing at hand: what is remembered is asked of the store."""
        self._brief.clear()

    @property
    def at_hand(self) -> list[Answer[Any]]:
        """What the latest calculations came to that took a moment."""
        return list(self._brief.values())

    def same(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        at_hand = self._brief.get(ways[0].key)
        if at_hand is not None:
            return at_hand
        keys = [call.key for call in ways]
        rows = self.rows(f"""
            SELECT ?key ?activity ?result {{
                VALUES ?key {{ {" ".join(map(literal, keys))} }}
                ?activity <{_term("key")}> ?key ; <{GENERATED}> ?result
                {standing("?activity")}
            }} ORDER BY DESC(?activity)""")
        for _, activity, result in sorted(rows, key=lambda row: keys.index(row[0])):
            self._last = answer = self._answer(ways[0], activity, result, Motion())
            return answer
        return None

    def moved(self, ways: Sequence[Call[ResultT]]) -> Answer[ResultT] | None:
        call = ways[0]
        families = " ".join(literal(family) for way in ways for family in way.families)
        rows = self.rows(f"""
            SELECT ?activity ?result ?key {{
                VALUES ?family {{ {families} }}
                ?activity <{_term("family")}> ?family ; <{_term("signature")}> ?signature ;
                    <{_term("key")}> ?key ; <{GENERATED}> ?result .
                BIND(ABS(?signature - {double(call.signature)}) AS ?apart)
                FILTER(?apart < {NEAR}) {standing("?activity")}
            }} ORDER BY ?apart DESC(?activity) LIMIT {CANDIDATES}""")
        found: list[tuple[int, float, str, str, Motion]] = []
        activities = self.kg.pull_all(Activity, [iri for iri, _, _ in rows])
        for activity, (iri, result, key) in zip(activities, rows, strict=True):
            try:
                used = self.kg.pull_all(GraphModel, sorted(link.iri for link in activity.used))
            except NotFoundError:  # earlier versions recorded results without their inputs
                continue
            for place, way in enumerate(ways):
                motion = self.motion(way, used, key)
                if motion is not None:
                    found.append((place, motion.deviation, iri, result, motion))
                    break
        if not found:
            return None
        _, _, iri, result, motion = min(found, key=lambda one: one[:2])
        return self._answer(call, iri, result, motion)

    def has_recorded(self, activity: str) -> bool:
        rows = self.rows(f"SELECT ?key {{ <{activity}> <{_term('key')}> ?key }} LIMIT 1")
        return bool(rows)

    def rows(self, query: str) -> list[list[str]]:
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
            if withdrawals(self.kg, [activity.iri]):
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

    def motion(
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


def _term(name: str) -> str:
    return GRAFICO.term(name)
