"""`Journal`: what is stored of one device, in numbered entries without gaps that never change.

Of two that write the entry of one number, the store keeps one and refuses the other's
(`ConflictError`), wherever they are.
"""

from __future__ import annotations

import json
from typing import Generic, TypeVar

from ogm import GRAFICO, GraphModel, KnowledgeGraph
from ogm.terms import RDF_TYPE
from triplestore import Table

AHEAD = tuple(2**n for n in range(17))
"""How far ahead of the last entry that was seen others are looked for."""

EntryT = TypeVar("EntryT", bound=GraphModel)


class Journal(Generic[EntryT]):
    """The entries of one device.

    Args:
        kg: the graph that has them.
        kind: their class.
        number: the field that is the number of an entry, from 1.
        fields: what else they have in common: the device.
    """

    def __init__(
        self, kg: KnowledgeGraph, kind: type[EntryT], number: str, **fields: GraphModel | str | bool
    ) -> None:
        self._kg, self._kind, self._number = kg, kind, GRAFICO.term(number)
        self._fields = " ; ".join(
            f"<{GRAFICO.term(name)}> {_written(value)}" for name, value in fields.items()
        )
        self._seen: tuple[int, str] | None = None
        self._latest: EntryT | None = None

    def latest(self) -> EntryT | None:
        """Return the latest entry, looking ahead of the last one that was seen.

        To look some numbers up takes the same time however many entries there are; to sort them all
        does not.
        """
        seen, number = self._seen, self._seen[0] if self._seen else 0
        while found := self._find(f"VALUES ?n {{ {' '.join(str(number + n) for n in AHEAD)} }}"):
            seen, number = found, found[0]
        if seen is None:  # its beginning may be elsewhere
            seen = self._find("")
        if seen is not None and seen != self._seen:
            self._latest = self._kg.pull(self._kind, seen[1])
            self._seen = seen  # it may be that it cannot be read at once
        return self._latest

    def _find(self, where: str) -> tuple[int, str] | None:
        """Return number and IRI of the latest entry that meets a condition."""
        answer = self._kg.store.query(
            f"SELECT ?n ?this {{ {where} ?this <{self._number}> ?n ; "
            f"{self._fields} ; <{RDF_TYPE}> <{self._kind.term()}> }} ORDER BY DESC(?n) LIMIT 1"
        )
        assert isinstance(answer, Table)
        for number, this in answer.rows:
            return int(getattr(number, "value", 0)), str(getattr(this, "value", ""))
        return None


def _written(value: GraphModel | str | bool) -> str:
    """Return a value as SPARQL has it, whose strings are written as those of JSON.

    But for letters beyond 16 bits, which JSON writes in two halves where it escapes them.
    """
    return (
        f"<{value.iri}>" if isinstance(value, GraphModel) else json.dumps(value, ensure_ascii=False)
    )
