"""Looking into a store: queries, one object and its neighbours."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ogm.array_storage import ARRAY_DATATYPE, from_text, touched
from ogm.terms import PREFIXES, RDF_TYPE, XSD, with_prefixes
from ogm.terms import shorten as shorten
from triplestore import Answer, QueryLimits, Store, Table, Triples, check_query
from triplestore.bounds import Bounds
from triplestore.errors import (
    MemoryLimitError,
    NotFoundError,
    QueryError,
    RecordError,
    TimeLimitError,
)

if TYPE_CHECKING:
    from pyoxigraph import Triple

    from ogm import GraphModel

    from .settings import Settings

MOST_NEIGHBOURS = 25
SMALL = 12
"""Numbers of an array that are shown one by one."""
_PLACE = re.compile(r"(\bat |\bline )(\d+)(:|, column )(\d+)")
_SETTING = "query_{0} in grafico.toml or the environment (GRAFICO_QUERY_…)"


def query(
    store: Store, sparql: str, max_rows: int | None = None, settings: Settings | None = None
) -> Answer:
    """Answer a read-only query written by somebody else, within the limits of the settings.

    Args:
        store: what is asked.
        sparql: the query; known prefixes need no declaration.
        max_rows: rows after which the answer is cut, if fewer than the settings allow.
        settings: None for those in force here.

    Returns:
        A table, a truth value or triples; `cut` says what was left out and by which limit.

    Raises:
        QueryError: not a query, not read-only, or beyond the limits.
        TimeLimitError: it took longer than `query_seconds`.
        MemoryLimitError: it took more memory than `query_memory`.
    """
    from .settings import read_settings

    bounds = settings or read_settings()
    names = [item.name for item in fields(QueryLimits) if item.name != "setting"]
    limits = QueryLimits(
        **{name: getattr(bounds, f"query_{name}") for name in names}, setting=_SETTING
    )
    check_query(sparql, limits, PREFIXES)
    rows = bounds.query_rows if max_rows is None else min(max_rows, bounds.query_rows)
    memory = None if bounds.query_memory is None else bounds.query_memory * 1_000_000
    whole = with_prefixes(sparql)
    try:
        answer = store.query_guarded(
            whole, Bounds(bounds.query_seconds, rows, _room(bounds.query_bytes), memory)
        )
    except QueryError as error:
        found = _PLACE.sub(partial(_moved, len(whole) - len(sparql)), error.found)
        # Without its text, in which prefixes stand that its writer has not seen.
        raise QueryError(re.split(" ['\"]", error.asked)[0], found, error.advice) from error
    except (TimeLimitError, MemoryLimitError) as error:
        name = "seconds" if isinstance(error, TimeLimitError) else "memory"
        advice = f"narrow it, or raise {_SETTING.format(name)}"
        raise type(error)(error.asked, error.found, advice) from error
    return answer if isinstance(answer, bool) else _cut(answer, bounds)


def _room(size: int) -> int:
    """Return the bytes of an answer as it travels, separators and all, of which `_cut` keeps some.

    More need not come: it would be held by this process and then thrown away.
    """
    return 2 * size + 65_536


def _moved(prefixes: int, place: re.Match[str]) -> str:
    """Return a place in a query as its writer counts: without the prefixes put in front of it."""
    line, column = int(place[2]), int(place[4])
    return f"{place[1]}{line}{place[3]}{column - prefixes if line == 1 else column}"


def _cut(answer: Table | list[Triple], bounds: Settings) -> Answer:
    """Return an answer as far as the settings allow, with a note that names the one that cut it."""
    rows = answer.rows if isinstance(answer, Table) else answer
    size, count, note = 0, len(rows), ""
    if getattr(answer, "cut", None) and count == bounds.query_rows:
        note = f"cut after {count} rows ({_SETTING.format('rows')})"
    for number, row in enumerate(rows):
        size += sum(len(str(term).encode()) for term in row)
        if size > bounds.query_bytes:
            count = number
            note = f"cut after {count} rows, at {bounds.query_bytes} bytes "
            note += f"({_SETTING.format('bytes')})"
            break
    if not note:
        return answer
    if isinstance(answer, Table):
        return replace(answer, rows=answer.rows[:count], cut=note)
    fewer = Triples(answer[:count])
    fewer.cut = note
    return fewer


@dataclass(frozen=True)
class Portrait:
    """One object.

    Attributes:
        iri: its IRI.
        headline: what it comes to, in words, by label; see `Memory.show`.
        properties: pairs of property and value; arrays are summarised.
        referrers: pairs of property and the IRI of an object that points here.
        more: whether there are more referrers than those.
        note: that its class is not installed here, if so; of a run what can be done with it.
        where: the jobs that have computed it, in words, where some have.
        run: whether it is a run.
    """

    iri: str
    headline: list[tuple[str, str]]
    properties: list[tuple[str, str]]
    referrers: list[tuple[str, str]]
    more: bool
    note: str = ""
    where: tuple[str, ...] = ()
    run: bool = False

    def __repr__(self) -> str:
        lines = [
            *self.headline,
            *self.properties,
            *((f"is {name} of", n) for name, n in self.referrers),
        ]
        width = max((len(name) for name, _ in lines), default=0)
        notes = [f"{'note':{width}}  {self.note}"] if self.note else []
        return "\n".join([self.iri, *(f"{name:{width}}  {said}" for name, said in lines), *notes])


def show(store: Store, iri: str) -> Portrait:
    """Return one object and its neighbours.

    Raises:
        NotFoundError: nothing of that IRI is stored.
    """
    from ogm.terms import checked_iri

    out = store.query(f"SELECT ?p ?o {{ <{checked_iri(iri)}> ?p ?o }} ORDER BY ?p ?o")
    assert isinstance(out, Table)
    if not out.rows:
        raise NotFoundError(
            f"{iri} was asked for", "nothing of that name is stored", "see `grafico runs`"
        )
    into, more = _referrers(store, iri)
    terms = [text(o) for p, o in out.rows if text(p) == RDF_TYPE]
    cls = _class(terms[0] if terms else "")
    units = {one.predicate: one.unit.code for one in cls.fields() if one.unit} if cls else {}
    return Portrait(
        iri=iri,
        headline=[],
        properties=[(shorten(text(p)), _value(o, units.get(text(p), ""))) for p, o in out.rows],
        referrers=[(shorten(p), s) for p, s in into],
        more=more,
        note=_note(store, iri, cls, terms[0] if terms else ""),
        where=_where(store, iri, cls),
        run=_is_run(cls),
    )


def _where(store: Store, iri: str, cls: type[GraphModel] | None) -> tuple[str, ...]:
    """Return the jobs that have computed a run, a result, or what an activity has done."""
    from ogm import PROV, KnowledgeGraph
    from ontologies.provenance import Activity, Run
    from workflows.show.where import computed_where

    if cls is None or not (cls.identity() == "result" or issubclass(cls, Run | Activity)):
        return ()
    kg, made = KnowledgeGraph(store), [iri] if issubclass(cls, Activity) else []
    if cls.identity() == "result":
        answer = store.query(f"SELECT ?made {{ ?made <{PROV.term('generated')}> <{iri}> }} LIMIT 9")
        assert isinstance(answer, Table)
        made = [text(row[0]) for row in answer.rows]
    facts = computed_where(kg, iri if issubclass(cls, Run) else "", made)
    return tuple(str(fact.value) for fact in facts)


def _note(store: Store, iri: str, cls: type[GraphModel] | None, term: str) -> str:
    if cls is None:
        return f"its class, {term}, is not installed here" if term else ""
    if not _is_run(cls):
        return ""
    short = shorten(iri)
    told = f"grafico report {short} shows what it came to"
    return f"{told}; grafico resume {short} goes on with it" if _goes_on(store, iri, cls) else told


def _goes_on(store: Store, iri: str, cls: type[GraphModel] | None) -> bool:
    """Tell whether something may be left: of what did not finish, or is done a part at a time."""
    from ogm import KnowledgeGraph
    from ontologies.provenance import Outcome, Requested
    from workflows.engine.graph.stored_runs import stored_run
    from workflows.registry import workflows
    from workflows.registry.readers import readers

    if cls is not None and issubclass(cls, Requested):
        return True
    kg = KnowledgeGraph(store)
    run = stored_run(kg, iri)
    ends = sorted(kg.find(Outcome, run=run), key=lambda end: end.ended)
    if run.graph in readers() or run.graph not in workflows():
        return False  # it was read, or asked a person what another request needs
    return not (ends and ends[-1].status == "finished")


def _is_run(cls: type[GraphModel] | None) -> bool:
    from ontologies.provenance import Requested, Run

    return cls is not None and issubclass(cls, Run | Requested)


def _referrers(store: Store, iri: str) -> tuple[list[tuple[str, str]], bool]:
    """Return pairs of property and referrer, in order, and whether there are more.

    Of more than that those are taken which the store finds first, from each property that our
    classes have as many as from the others: to sort them all would take the longer the more
    there are.
    """
    bound = MOST_NEIGHBOURS + 1
    answer = store.query(f"SELECT ?p ?s {{ ?s ?p <{iri}> }} LIMIT {bound}")
    assert isinstance(answer, Table)
    referrers = [(text(p), text(s)) for p, s in answer.rows]
    if len(referrers) < bound:
        return sorted(referrers), False
    looks = " UNION ".join(
        f"{{ SELECT (<{p}> AS ?p) ?s {{ ?s <{p}> <{iri}> }} LIMIT {bound} }}" for p in _leading()
    )
    answer = store.query(f"SELECT ?p ?s {{ {looks} }}")
    assert isinstance(answer, Table)
    several: dict[str, list[str]] = {}
    for p, s in answer.rows:
        several.setdefault(text(p), []).append(text(s))
    turns = zip_longest(*([(p, s) for s in sorted(several[p])] for p in sorted(several)))
    fair = [pair for turn in turns for pair in turn if pair is not None]
    return sorted([*dict.fromkeys([*fair, *referrers])][:MOST_NEIGHBOURS]), True


def _leading() -> list[str]:
    """Return the properties of our classes that lead to objects."""
    import ontologies  # its classes are found through GraphModel
    from ogm import GraphModel
    from ogm.forms import form
    from ogm.model import subclasses

    assert ontologies.__all__
    forms = [form(cls) for cls in subclasses(GraphModel) if cls.__module__.startswith("ontologies")]
    return sorted({plan.predicate for one in forms for plan in (*one.parts, *one.links)})


def _class(term: str) -> type[GraphModel] | None:
    """Return the class of a term, None if it is not installed here."""
    import ontologies  # its classes are found through GraphModel
    from ogm import GraphModel
    from ogm.model import found_more, subclasses

    assert ontologies.__all__
    classes_by_name = {cls.term(): cls for cls in subclasses(GraphModel)}
    if term and term not in classes_by_name and found_more():
        classes_by_name = {cls.term(): cls for cls in subclasses(GraphModel)}
    return classes_by_name.get(term)


def _value(term: Any, unit: str) -> str:
    value = text(term)
    datatype = getattr(getattr(term, "datatype", None), "value", "")
    if datatype == ARRAY_DATATYPE:
        value = array_text(value)
    elif not datatype:
        value = shorten(value)
    return f"{value} {unit}" if unit else value


def array_text(literal: str) -> str:
    """Return the numbers of a small array that is a literal, of others shape and ends."""
    kind, shape, body = literal.split(" ", 2)
    size = f"array {shape.replace(',', '×') or 'scalar'} of {kind.lstrip('<|')}"
    if body.startswith("sha256:"):
        return f"{size} in a file, {body[:19]}…"
    try:
        array = touched(from_text(literal, None))
    except RecordError as error:
        return f"{size}, damaged: {error.found}"
    if array.size <= SMALL:
        return str(array.tolist())
    return f"{size}, from {array.min():.6g} to {array.max():.6g}"


def text(term: Any) -> str:
    """Return the text of an RDF term; empty for none."""
    return "" if term is None else str(getattr(term, "value", term))


def numbers(term: Any) -> Any:
    """Return an RDF term as `cell`, but of a small array its numbers, as nested lists."""
    datatype = getattr(getattr(term, "datatype", None), "value", "")
    if datatype == ARRAY_DATATYPE and (kept := text(term)).split(" ", 3)[2][:7] != "sha256:":
        try:
            array = touched(from_text(kept, None))
        except RecordError:
            return cell(term)
        if array.size <= SMALL:
            return array.tolist()
    return cell(term)


def cell(term: Any) -> Any:
    """Return an RDF term as a number, a truth value or text; of an array its kind and shape."""
    if term is None:
        return None
    said = text(term)
    datatype = getattr(getattr(term, "datatype", None), "value", "")
    if datatype == ARRAY_DATATYPE:
        kind, shape = said.split(" ", 2)[:2]
        return f"array {kind} of shape ({shape}): read it with value(iri)"
    match datatype.removeprefix(XSD):
        case "boolean":
            return said in ("true", "1")
        case "double" | "float" | "decimal":
            return float(said)
        case "integer" | "int" | "long" | "nonNegativeInteger" | "positiveInteger":
            return int(said)
        case _:
            return said if datatype else shorten(said)
