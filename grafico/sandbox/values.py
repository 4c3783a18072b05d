"""What a snippet may ask of the knowledge graph: objects and arrays by IRI, and queries."""

from __future__ import annotations

import enum
import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import BASE
from triplestore import Table, Triples
from triplestore.errors import GraficoError, InputError, NotFoundError, QueryError, TimeLimitError

from .. import inspection
from ..settings import Settings, read_settings
from .inside.frames import pack
from .limits import Limits

if TYPE_CHECKING:
    from ogm.arrays import AnyArray

QUERY_BYTES = 8_000_000
"""Bytes of text after which the answer of a snippet's query is cut."""

MOST_KEPT = 200
"""Numbers that one snippet may keep."""

LONGEST = 60
"""Characters of the name of a number, and of its unit."""

_INSTANCE = BASE + "id/"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Kept:
    """A number that a snippet wants kept.

    Attributes:
        name: what it is.
        value: in its unit.
        unit: as it is written; empty for none.
        of: IRIs of what it is a quantity of.
    """

    name: str
    value: float
    unit: str
    of: tuple[str, ...]


@dataclass
class Reading:
    """What one snippet has read, what it wants kept, and what it still may.

    Attributes:
        limits: how much it may read.
        until: when it ends, by the monotonic clock.
        read: IRIs of the objects whose fields it was given, in order.
        seen: IRIs of the objects in the answers of its queries.
        queries: its queries.
        kept: numbers that it wants kept.
    """

    limits: Limits
    until: float
    read: dict[str, None] = field(default_factory=dict[str, None])
    seen: dict[str, None] = field(default_factory=dict[str, None])
    queries: list[str] = field(default_factory=list[str])
    kept: list[Kept] = field(default_factory=list[Kept])
    requests: int = 0
    given: int = 0


class LimitError(InputError):
    """A snippet has asked for more than it may."""


class Values:
    """Answers the requests of snippets from a knowledge graph; it only reads.

    What a snippet wants kept is noted in its `Reading`; whoever ran it stores that, or does not.

    Args:
        kg: what is asked.
        settings: the limits of queries; None for those in force here.
    """

    def __init__(self, kg: KnowledgeGraph, settings: Settings | None = None) -> None:
        import ontologies  # its classes are found through GraphModel

        assert ontologies.__all__
        self._kg, self._settings = kg, settings

    def answer(self, request: Mapping[str, Any], reading: Reading) -> bytes:
        """Return the frame of an answer; what goes wrong is an answer too."""
        try:
            reading.requests += 1
            if reading.requests > reading.limits.requests:
                raise LimitError(f"a snippet may ask {reading.limits.requests} times")
            return pack(*self._answer(request, reading))
        except (NotFoundError, QueryError, LimitError, TimeLimitError) as error:
            kind = type(error).__name__.replace("TimeLimit", "Limit")
            return pack({"error": kind, "message": str(error)})
        except GraficoError as error:  # the rest of its text may name folders of the host
            return pack({"error": type(error).__name__, "message": f"impossible: {error.asked}"})
        except Exception:
            _log.exception("a snippet's request could not be answered")
            return pack({"error": "", "message": "the store could not answer"})

    def _answer(self, request: Mapping[str, Any], reading: Reading) -> tuple[dict[str, Any], bytes]:
        match request:
            case {"op": "value", "iri": str(iri)}:
                return self._value(iri, reading), b""
            case {"op": "array", "iri": str(iri), "field": str(name)}:
                array = self._array(iri, name, reading)
                head = {"dtype": array.dtype.str, "shape": array.shape}
                return head, np.ascontiguousarray(array).tobytes()
            case {"op": "query", "sparql": str(sparql)}:
                return self._query(sparql, reading), b""
            case {"op": "keep", "name": str(name), "value": float(value), "unit": str(unit),
                  "of": [*of]}:  # fmt: skip
                self._keep(name, value, unit, [str(iri) for iri in of], reading)
                return {}, b""
            case _:
                raise QueryError("a request was made", "it has no known form")

    def _count(self, size: int, reading: Reading) -> None:
        reading.given += size
        if reading.given > reading.limits.answers:
            raise LimitError(f"a snippet may read {reading.limits.answers >> 20} MiB in all")

    def _pull(self, iri: str) -> GraphModel:
        return self._kg.pull(GraphModel, full(iri))

    def _array(self, iri: str, name: str, reading: Reading) -> AnyArray:
        model = self._pull(iri)
        if any(plan.name == name and plan.kind == "array" for plan in type(model).fields()):
            array = vars(model)[name]  # perhaps one that has not been read
            if array is not None:
                self._count(math.prod(array.shape) * array.dtype.itemsize, reading)
                return getattr(model, name)
        raise NotFoundError(f"{name} of {iri} was asked for", "it is no array")

    def _value(self, iri: str, reading: Reading) -> dict[str, Any]:
        model = self._pull(iri)
        reading.read[model.iri] = None
        fields = {plan.name: _tagged(vars(model)[plan.name]) for plan in type(model).fields()}
        units = {plan.name: plan.unit.code for plan in type(model).fields() if plan.unit}
        head = {"iri": inspection.shorten(model.iri), "class": type(model).__name__}
        return {**head, "fields": fields, "units": units}

    def _keep(self, name: str, value: float, unit: str, of: list[str], reading: Reading) -> None:
        if len(reading.kept) >= MOST_KEPT or len(of) > MOST_KEPT:
            raise LimitError(f"a snippet may keep {MOST_KEPT} numbers")
        if not (name.strip() and len(name) <= LONGEST and len(unit) <= LONGEST):
            raise QueryError(f"a name has 1 to {LONGEST} characters, a unit at most {LONGEST}")
        if not (name + unit).isprintable():
            raise QueryError("a name and a unit have letters, no commands to a terminal")
        if not math.isfinite(value):
            raise QueryError(f"{name} is to be kept, but it is {value}")
        iris = tuple(dict.fromkeys(self._pull(iri).iri for iri in of))
        reading.kept.append(Kept(name.strip(), value, unit.strip(), iris))

    def _query(self, sparql: str, reading: Reading) -> dict[str, Any]:
        settings = self._settings or read_settings()
        left = max(reading.until - time.monotonic(), 0.1)
        settings = settings.model_copy(
            update={
                "query_seconds": min(settings.query_seconds, left),
                "query_bytes": min(settings.query_bytes, QUERY_BYTES),
            }
        )
        answer = inspection.query(self._kg.store, sparql, reading.limits.rows, settings)
        reading.queries.append(sparql)
        if isinstance(answer, bool):
            return {"truth": answer}
        if isinstance(answer, Table):
            columns, rows = list(answer.variables), answer.rows
        else:
            columns = ["subject", "predicate", "object"]
            rows = [(triple.subject, triple.predicate, triple.object) for triple in answer]
        cut = answer.cut if isinstance(answer, Table | Triples) else None
        for row in rows:
            for term in row:
                if (name := inspection.text(term)).startswith(_INSTANCE):
                    reading.seen[name] = None
        cells = [[*map(inspection.cell, row)] for row in rows]
        return {"columns": columns, "rows": cells, "cut": cut}


def full(iri: str) -> str:
    """Return an IRI from its full or short form."""
    from ..client import full_iri

    return full_iri(iri)


def _tagged(value: Any) -> tuple[str, Any]:
    """Return a field's value as JSON can hold it, with the name of its form."""
    if hasattr(value, "dtype"):  # an array, read or not
        return "array", list(value.shape)
    if isinstance(value, GraphModel | Link):
        return "object", inspection.shorten(cast("GraphModel", value).iri)
    if isinstance(value, datetime):
        return "time", value.isoformat()
    if isinstance(value, tuple | frozenset):
        items = [_tagged(item) for item in cast("tuple[Any, ...]", value)]
        return "items", sorted(items, key=str) if isinstance(value, frozenset) else items
    return "plain", value.value if isinstance(value, enum.Enum) else value
