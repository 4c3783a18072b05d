"""What a snippet may ask of the knowledge graph: objects and arrays by IRI, and queries."""

from __future__ import annotations

import enum
import json
import logging
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import BASE
from ontologies.derived import Derivation, DerivedQuantity
from ontologies.origins import origins
from ontologies.units import symbol
from triplestore import Table, Triples
from triplestore.errors import GraficoError, InputError, NotFoundError, QueryError, TimeLimitError
from workflows.text.names import named

from ..session import inspection
from ..session.ontology import unknown_terms
from ..session.query_provenance import origins_of
from ..session.settings import Settings, read_settings
from .inside.frames import pack
from .limits import SandboxLimits

if TYPE_CHECKING:
    from ogm.arrays import AnyArray

QUERY_BYTES = 8_000_000
"""Bytes of text after which the answer of a snippet's query is cut."""

MOST_KEPT = 200
"""Numbers that one snippet may keep."""

LONGEST = 60
"""Characters of the name of a number, and of its unit."""

REFERENCE = 200
"""Characters of the place where a number is found."""

Sources: TypeAlias = "frozenset[Any]"
"""Of an object the fields, of a table the cells (row, column), whose numbers are sources."""


@dataclass(frozen=True)
class SourcedAnswer:
    """An answer that a snippet was given, and which of its numbers are sources."""

    head: dict[str, Any]
    sources: Sources
    body: bytes


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


@dataclass(frozen=True)
class Cited:
    """A number of the literature that a snippet uses.

    Attributes:
        value: in its unit.
        unit: as it is written; empty for none.
        reference: where it is found, as whoever wrote the snippet says.
    """

    value: float
    unit: str
    reference: str


@dataclass
class SnippetAccess:
    """What one snippet has read, what it wants kept, and what it still may.

    Attributes:
        limits: how much it may read.
        until: when it ends, by the monotonic clock.
        read: IRIs of the objects whose fields it was given, in order.
        seen: IRIs of the objects in the answers of its queries.
        queries: its queries.
        kept: numbers that it wants kept.
        cited: numbers of the literature that it uses.
        given: the answers, to be given again with other numbers; None where nobody wants them.
    """

    limits: SandboxLimits
    until: float
    read: dict[str, None] = field(default_factory=dict[str, None])
    seen: dict[str, None] = field(default_factory=dict[str, None])
    queries: list[str] = field(default_factory=list[str])
    kept: list[Kept] = field(default_factory=list[Kept])
    cited: list[Cited] = field(default_factory=list[Cited])
    given: dict[str, SourcedAnswer] | None = None
    requests: int = 0
    size: int = 0


class LimitError(InputError):
    """A snippet has asked for more than it may."""


class Values:
    """Answers the requests of snippets from a knowledge graph; it only reads.

    What a snippet wants kept is noted in its `SnippetAccess`; who ran it stores that or not.

    Args:
        kg: what is asked.
        settings: the limits of queries; None for those in force here.
    """

    def __init__(self, kg: KnowledgeGraph, settings: Settings | None = None) -> None:
        import ontologies  # its classes are found through GraphModel

        assert ontologies.__all__
        self._kg, self._settings = kg, settings

    def answer(self, request: Mapping[str, Any], reading: SnippetAccess) -> bytes:
        """Return the frame of an answer; what goes wrong is an answer too."""
        try:
            reading.requests += 1
            if reading.requests > reading.limits.requests:
                raise LimitError(f"a snippet may ask {reading.limits.requests} times")
            head, body = self._answer(request, reading)
            return pack(head, body)
        except (NotFoundError, QueryError, LimitError, TimeLimitError) as error:
            kind = type(error).__name__.replace("TimeLimit", "Limit")
            return pack({"error": kind, "message": str(error)})
        except GraficoError as error:  # the rest of its text may name folders of the host
            return pack({"error": type(error).__name__, "message": f"impossible: {error.asked}"})
        except Exception:
            _log.exception("a snippet's request could not be answered")
            return pack({"error": "", "message": "the store could not answer"})

    def _answer(
        self, request: Mapping[str, Any], reading: SnippetAccess
    ) -> tuple[dict[str, Any], bytes]:
        match request:
            case {"op": "value", "iri": str(iri)}:
                return self._noted(request, reading, *self._value(iri, reading))
            case {"op": "array", "iri": str(iri), "field": str(name)}:
                array, counts = self._array(iri, name, reading)
                head = {"dtype": array.dtype.str, "shape": array.shape}
                body = np.ascontiguousarray(array).tobytes()
                return self._noted(request, reading, head, counts, body)
            case {"op": "query", "sparql": str(sparql)}:
                return self._noted(request, reading, *self._query(sparql, reading))
            case {"op": "table", "iri": str(iri)}:
                return self._noted(request, reading, *self._table(iri, reading))
            case {
                "op": "keep",
                "name": str(name),
                "value": float(value),
                "unit": str(unit),
                "of": [*of],
            }:
                iris = tuple(dict.fromkeys(self._pull(str(iri)).iri for iri in of))
                keep(Kept(name.strip(), value, unit.strip(), iris), reading)
                return {}, b""
            case {"op": "cite", "value": float(value), "unit": str(unit), "reference": str(said)}:
                cite(Cited(value, unit.strip(), " ".join(said.split())), reading)
                return {}, b""
            case _:
                raise QueryError("a request was made", "it has no known form")

    def _noted(
        self,
        request: Mapping[str, Any],
        reading: SnippetAccess,
        head: dict[str, Any],
        sources: Sources,
        body: bytes = b"",
    ) -> tuple[dict[str, Any], bytes]:
        if reading.given is not None:
            reading.given[asked(request)] = SourcedAnswer(head, sources, body)
        return head, body

    def _count(self, size: int, reading: SnippetAccess) -> None:
        reading.size += size
        if reading.size > reading.limits.answers:
            raise LimitError(f"a snippet may read {reading.limits.answers >> 20} MiB in all")

    def _pull(self, iri: str) -> GraphModel:
        return self._kg.pull(GraphModel, full(iri))

    def _array(self, iri: str, name: str, reading: SnippetAccess) -> tuple[AnyArray, Sources]:
        model = self._pull(iri)
        if any(plan.name == name and plan.kind == "array" for plan in type(model).fields()):
            array = vars(model)[name]  # perhaps one that has not been read
            if array is not None:
                self._count(math.prod(array.shape) * array.dtype.itemsize, reading)
                return getattr(model, name), self._sources(model) & {name}
        raise NotFoundError(f"{name} of {iri} was asked for", "it is no array")

    def _value(self, iri: str, reading: SnippetAccess) -> tuple[dict[str, Any], Sources]:
        model = self._pull(iri)
        reading.read[model.iri] = None
        fields = {plan.name: _tagged(vars(model)[plan.name]) for plan in type(model).fields()}
        plans = [plan for plan in type(model).fields() if plan.unit]
        units = {plan.name: plan.unit.code for plan in plans if plan.unit}
        told = {
            named(one.name, symbol(one.unit)): one.name
            for one in plans
            if isinstance(vars(model)[one.name], float | int)
        }
        head = {"iri": inspection.shorten(model.iri), "class": type(model).__name__}
        return {**head, "fields": fields, "units": units, "told": told}, self._sources(model)

    def _sources(self, model: GraphModel) -> frozenset[str]:
        """Return the fields of an object whose numbers something has computed."""
        if isinstance(model, DerivedQuantity):
            made = self._kg.pull(Derivation, model.derivation.iri)
            return frozenset({"value"} if made.used else ())
        known = origins(type(model)).items()
        return frozenset(name for name, origin in known if origin != "setting")

    def _query(self, sparql: str, reading: SnippetAccess) -> tuple[dict[str, Any], Sources]:
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
            return {"truth": answer}, frozenset()
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
        sources: Sources = frozenset()
        if reading.given is not None:
            places = origins_of(self._kg.store, sparql, rows)
            sources = frozenset(
                (down, across)
                for down, row in enumerate(places)
                for across, place in enumerate(row)
                if place is not None and place.how != "setting"
            )
        head = {"columns": columns, "rows": cells, "cut": cut, "unknown": unknown_terms(sparql)}
        return head, sources

    def _table(self, iri: str, reading: SnippetAccess) -> tuple[dict[str, Any], Sources]:
        """Return the rows of a batch; sources are what it computed, not what it was given."""
        from workflows.batch.columns import columns_of, record_of
        from workflows.batch.result import BatchResult
        from workflows.registry import workflows

        result = BatchResult.stored(self._kg, full(iri))
        if result is None:
            raise NotFoundError(f"the table of {iri} was asked for", "it is no batch")
        names = columns_of(result)
        arguments = workflows().named(result.batch.workflow).whole.arguments
        said = {name for name, one in arguments.items() if one.annotation is not bool}  # no switch
        rows: list[list[Any]] = []
        for row in result.rows():
            if len(rows) >= reading.limits.rows:
                raise LimitError(f"a snippet may read {reading.limits.rows:,} rows at once")
            rows.append([*record_of(row, names).values()])
            self._count(sum(len(str(cell)) for cell in rows[-1]), reading)
        reading.read |= dict.fromkeys((result.run, result.batch.iri))
        computed = [
            across
            for across, where in enumerate(names.values())
            if where.startswith("fact:") and where.removeprefix("fact:") not in said
        ]
        sources = frozenset((down, across) for down in range(len(rows)) for across in computed)
        return {"columns": [*names], "rows": rows}, sources


def keep(one: Kept, reading: SnippetAccess) -> None:
    """Note a number that is to be kept.

    Raises:
        QueryError: a name or a unit cannot be, or the number is not finite.
        LimitError: there are too many.
    """
    if len(reading.kept) >= MOST_KEPT or len(one.of) > MOST_KEPT:
        raise LimitError(f"a snippet may keep {MOST_KEPT} numbers")
    if not (one.name and len(one.name) <= LONGEST):
        raise QueryError(f"a name has 1 to {LONGEST} characters, a unit at most {LONGEST}")
    _check(one.name + one.unit, one.unit)
    if not math.isfinite(one.value):
        raise QueryError(f"{one.name} is to be kept, but it is {one.value}")
    reading.kept.append(one)


def cite(one: Cited, reading: SnippetAccess) -> None:
    """Note a number of the literature.

    Raises:
        QueryError: there is no reference, a text cannot be, or the number is not finite.
        LimitError: there are too many.
    """
    if len(reading.cited) >= MOST_KEPT:
        raise LimitError(f"a snippet may cite {MOST_KEPT} numbers")
    if not (re.search(r"[^\W\d_]{2}", one.reference) and len(one.reference) <= REFERENCE):
        raise QueryError(
            "cite(value, unit, reference) names where the number is found, such as "
            f"'CRC Handbook, 97th edition', in at most {REFERENCE} characters"
        )
    _check(one.reference + one.unit, one.unit)
    if not math.isfinite(one.value):
        raise QueryError(f"{one.value} was cited, which is no finite number")
    reading.cited.append(one)


def _check(shown: str, unit: str) -> None:
    if len(unit) > LONGEST or re.search(r"\d{2}|\d[.,]", unit):
        raise QueryError(
            f"a unit has at most {LONGEST} characters and no number but an exponent, such as cm-1"
        )
    if not shown.isprintable():
        raise QueryError("a name and a unit have letters, no commands to a terminal")


def asked(request: Mapping[str, Any]) -> str:
    """Return what two requests share that ask for the same."""
    return json.dumps(request, sort_keys=True)


def full(iri: str) -> str:
    """Return an IRI from its full or short form."""
    from ogm.terms import full_iri

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
