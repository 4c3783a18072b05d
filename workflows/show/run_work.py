"""What a run has computed and what it remembered, the runs that it began among it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ogm import KnowledgeGraph
from ogm.terms import checked_iri, with_prefixes
from triplestore import Table

PAGE = 500
"""Objects that one query asks about."""


@dataclass(frozen=True)
class Work:
    """How many calculations a run rests on.

    Attributes:
        computed: done in it, or in a run that it began.
        remembered: done before.
        seconds: that those took which were computed.
        cost: seconds that all of them took, those too that were done before.
    """

    computed: int = 0
    remembered: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    @property
    def whole(self) -> int:
        """All of them."""
        return self.computed + self.remembered


def work_of(kg: KnowledgeGraph, run: str) -> Work:
    """Return what a run, and the runs that its steps began, have computed and remembered."""
    runs = front = {run}
    while front:
        front = {one for _, one in _rows(kg, "?above", front, "?run g:parent ?above")} - runs
        runs = runs | front
    steps = _rows(kg, "?run", runs, "?step g:run ?run ; g:activity ?act ; g:reused ?reused")
    done: dict[str, bool] = {}
    for _, _, act, reused in steps:
        done[act] = done.get(act, True) and reused in ("true", "1")
    new = [act for act, reused in done.items() if not reused]
    took = {act: float(time) for act, time in _rows(kg, "?act", done, "?act g:wallTime ?time")}
    seconds = sum(took.get(act, 0.0) for act in new)
    return Work(len(new), len(done) - len(new), seconds, sum(took.values()))


def _rows(
    kg: KnowledgeGraph, about: str, iris: Iterable[str], pattern: str
) -> list[tuple[str, ...]]:
    """Return the values of the variables of a pattern, that of what is asked about first."""
    names = " ".join(dict.fromkeys([about, *re.findall(r"\?\w+", pattern)]))
    listed, rows = sorted(iris), list[tuple[str, ...]]()
    for start in range(0, len(listed), PAGE):
        values = " ".join(f"<{checked_iri(iri)}>" for iri in listed[start : start + PAGE])
        query = f"SELECT {names} {{ VALUES {about} {{ {values} }} {pattern} }}"
        answer = kg.store.query(with_prefixes(query))
        assert isinstance(answer, Table)
        rows += [tuple(str(getattr(term, "value", "")) for term in row) for row in answer.rows]
    return rows
