"""`Measured`: what calculations took, as a store remembers them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass

from ogm import GRAFICO, PROV, GraphModel, KnowledgeGraph
from ogm.literals import literal
from ontologies.provenance import Activity
from triplestore import Table
from triplestore.errors import NotFoundError, RecordError

from .learning import Past

MOST = 40
"""Calculations of each kind that are looked at."""

ENOUGH = 12
"""Calculations at a level that say enough of it, so that other levels are not looked at."""


@dataclass(frozen=True)
class Took:
    """What a calculation took.

    Attributes:
        used: what it was done with.
        seconds: that it took.
        threads: that it had.
        processor: that it ran on.
    """

    used: tuple[GraphModel, ...]
    seconds: float
    threads: int
    processor: str


class Measured:
    """Answers what calculations took; asks the store once for each kind.

    Calculations on a graphics card are left out.

    Args:
        kg: the store.
        processors: names of those on which it is to be computed; empty for any.
    """

    def __init__(self, kg: KnowledgeGraph, processors: Collection[str] = ()) -> None:
        self.processors = frozenset(processors)
        self._kg = kg
        self._known: dict[tuple[str, str], tuple[Took, ...]] = {}
        self._past: dict[Hashable, list[Past]] = {}

    def past(self, kind: Hashable, find: Callable[[], Iterable[Past]]) -> list[Past]:
        """Return what is made of that for one kind of estimate, found once.

        Args:
            kind: tells it from others.
            find: finds it.
        """
        if kind not in self._past:
            self._past[kind] = list(find())
        return self._past[kind]

    def of(self, calculation: str, level: str) -> tuple[Took, ...]:
        """Return what some calculations of a name took, at a level as far as there are enough.

        Of very many they are any, not the latest: to sort them would take the longer the more there
        are.

        Args:
            calculation: its name.
            level: IRI.
        """
        if (calculation, level) not in self._known:
            own = self._done(calculation, f"<{PROV.term('used')}> <{level}> ; ")
            others = self._done(calculation, "") if len(own) < ENOUGH else []
            self._known[calculation, level] = self._read([*dict.fromkeys([*own, *others])])
        return self._known[calculation, level]

    def _done(self, calculation: str, how: str) -> list[str]:
        named = f"<{GRAFICO.term('calculation')}> {literal(calculation)}"
        answer = self._kg.store.query(f"SELECT ?did {{ ?did {how}{named} }} LIMIT {MOST}")
        assert isinstance(answer, Table)
        return [str(getattr(row[0], "value", "")) for row in answer.rows]

    def _read(self, iris: list[str]) -> tuple[Took, ...]:
        done = [one for one in self._kg.pull_all(Activity, iris) if one.device.kind == "cpu"]
        names = list(dict.fromkeys(link.iri for one in done for link in one.used))
        try:
            used = dict(zip(names, self._kg.pull_all(GraphModel, names), strict=True))
        except (NotFoundError, RecordError):  # for `fsck` to tell: an estimate is made without
            return ()
        return tuple(
            Took(
                tuple(used[link.iri] for link in one.used),
                one.wall_time,
                one.threads,
                one.device.name,
            )
            for one in done
        )
