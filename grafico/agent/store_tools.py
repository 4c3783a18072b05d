"""Tools that read the store: queries, one object, earlier results."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from grafico.session import inspection
from grafico.session import query_provenance as held
from grafico.session.inspection import shorten
from grafico.session.narrowed import Narrowed
from grafico.session.ontology import unknown_terms
from grafico.session.search import Hit, similar
from grafico.session.search import find_results as find_hits
from grafico.session.sifting import MOST, Sifting
from grafico.views.brief import headlines, tidy, values
from grafico.views.row_choice import Columns, RowChoice, Sort, Top, Where, chosen_rows
from grafico.views.shape import measures
from grafico.views.text import fact_text as in_words
from ogm import GraphModel, Link
from ogm.terms import Unit, with_prefixes
from ontologies.collection import Batch
from ontologies.derived import Derivation, DerivedQuantity
from ontologies.properties import spelt
from ontologies.provenance import Run
from ontologies.units import symbol
from triplestore import Table, Triples
from triplestore.errors import InputError
from workflows.batch.result import BatchResult
from workflows.engine.request.form import said_by_models
from workflows.show.blocks import Section
from workflows.show.object_blocks import blocks_of, heads, marks, structure_of
from workflows.show.run_blocks import installed
from workflows.text.names import named

from .context import ToolContext
from .snippet_provenance import constants
from .sources import TYPED
from .tool_forms import form_of, usual_workflow
from .toolbox import Found, Tool, cut, tool

ROWS = 40
"""Rows that are told at once."""

LETTERS = 6000
"""Letters of the rows that are told at once."""

Offset = Annotated[int, Field(ge=0, le=1_000_000, description="Rows to skip.")]


@tool(reads=True)
async def query(
    context: ToolContext,
    sparql: str,
    offset: Offset = 0,
) -> Found:
    """Ask the knowledge graph; describe classes first.

    Prefixes g, prov, rdf, rdfs, xsd, unit are known. Use ORDER BY where an answer may be cut.
    """
    answer = await asyncio.to_thread(  # others go on meanwhile
        inspection.query, context.session.kg.store, sparql, offset + ROWS + 1, context.settings
    )
    if isinstance(answer, bool):
        return {"answer": answer}
    if isinstance(answer, Table):
        columns, rows = list(answer.variables), [list(row) for row in answer.rows]
    else:
        columns = ["subject", "predicate", "object"]
        rows = [[one.subject, one.predicate, one.object] for one in cast("Triples", answer)]
    table = page(columns, [[cell(term) for term in row] for row in rows], offset)
    told: list[list[Any]] = table["rows"]
    origins = await asyncio.to_thread(
        held.origins_of, context.session.kg.store, sparql, rows[offset : offset + len(told)]
    )
    numbers = held.origins_by_column(columns, told, origins)
    wrong = unknown_terms(sparql)
    return table | ({"numbers": numbers} if numbers else {}) | ({"unknown": wrong} if wrong else {})


def page(columns: list[str], rows: list[list[Any]], offset: int) -> Found:
    """Return so many rows as can be told at once, and how to get the rest."""
    told: list[list[Any]] = []
    letters = 0
    for row in rows[offset : offset + ROWS]:
        letters += sum(len(str(value)) for value in row)
        if told and letters > LETTERS:
            break
        told.append(row)
    found: Found = {"columns": columns, "rows": told}
    if len(rows) > offset + len(told):
        found["more"] = f"ask again with offset={offset + len(told)}"
    return found


def cell(term: Any) -> Any:
    """Return an RDF term as JSON can hold it, short."""
    value = inspection.cell(term)
    if isinstance(value, float):
        return tidy(value, 12)
    return cut(value) if isinstance(value, str) else value


@tool(reads=True, hidden=frozenset(RowChoice.model_fields))
async def get(
    context: ToolContext,
    iri: str,
    columns: Columns = (),
    sort: Sort = (),
    top: Top = 5,
    where: Where = (),
) -> Found:
    """Read one object; of arrays the shape. Of a batch's run rows: sort, top, where, columns."""
    from ogm.terms import full_iri

    model = context.session.kg.pull(GraphModel, full_iri(iri))
    choice = RowChoice(columns=columns, sort=sort, top=top, where=where)
    if isinstance(model, Batch | Run):
        result = await asyncio.to_thread(BatchResult.stored, context.session.kg, model.iri)
        if result is not None:
            rows = await asyncio.to_thread(chosen_rows, result, choice)
            return {"iri": shorten(model.iri), "class": type(model).__name__, **rows}
    if choice != RowChoice():
        raise InputError(
            f"rows of {shorten(model.iri)} were asked for",
            f"it is a {type(model).__name__}: rows has only a batch",
            "name the run of a batch, or leave out columns, sort, top and where",
        )
    fields: Found = {}
    for plan in type(model).fields():
        value = _plain(vars(model)[plan.name])
        if value in (None, [], ""):
            continue
        unit = symbol(plan.unit)
        if unit and isinstance(value, str):
            value, unit = f"{value} {unit}", ""
        fields[named(plan.name, unit)] = value
    if isinstance(model, DerivedQuantity):
        made = context.session.kg.pull(Derivation, model.derivation.iri)
        parts = (fields["value"], fields.pop("unit", ""), "" if made.used else TYPED)
        fields["value"] = " ".join(str(part) for part in parts if part != "")
        if rests := [*made.constants] or constants(made.code):
            fields["rests_on"] = sorted(rests)
    head = values((Section("", tuple(heads(model))),))
    section = blocks_of(model)
    numbers, lists = values((section,))
    told: Found = {name: one for name, one in lists.items() if isinstance(one, list | dict)}
    tables: Found = {name: one for name, one in numbers.items() if isinstance(one, list)}
    first = headlines((section,)) if type(model).identity() in ("result", "event") else {}
    found: Found = {"iri": shorten(model.iri), "class": type(model).__name__}
    headline = {**head[0], **head[1]} or tables or first
    found |= {"headline": headline} if headline else {}
    found["fields"] = fields
    if (drawn := structure_of(model)) is not None and not drawn.cell:
        found |= measures(drawn)
    return found | ({"lists": told} if told else {})


def _plain(value: Any) -> Any:
    if hasattr(value, "dtype"):
        return f"array ({','.join(map(str, value.shape))})"
    if isinstance(value, GraphModel | Link):
        return shorten(cast("GraphModel", value).iri)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | frozenset):
        items = [_plain(item) for item in cast("tuple[Any, ...]", value)]
        return items if len(items) <= ROWS else [*items[:ROWS], f"… {len(items)} in all"]
    if isinstance(value, float):
        return tidy(value, 12)
    return cut(value) if isinstance(value, str) else value


COLUMNS = [
    "result",
    "class",
    "formula",
    "level of theory",
    "value",
    "geometry",
    "ended",
    "SMILES",
    "standing",
    "state",
]
VALUE = COLUMNS.index("value")


@tool(reads=True, hidden=frozenset(("above", "below", "solvent", "order", "most")))
async def find_results(
    context: ToolContext,
    subject: str = "",
    method: str = "",
    basis: str = "",
    property: Annotated[str, Field(description="Such as gibbs_energy; energy if none.")] = "",
    offset: Offset = 0,
    solvent: str = "",
    above: str = "",
    below: str = "",
    order: Literal["", "smallest", "largest"] = "",
    most: Annotated[int, Field(ge=1, le=MOST)] = MOST,
    **said: Any,
) -> Found:
    """Find results, newest first."""
    usual, name = usual_workflow(), spelt(property.strip())
    kind = usual.whole.subject if usual else None
    given: Any = str(said.pop(kind.name, subject) if kind else subject).strip()
    hits = await find_hits(
        context.session,
        given,
        Narrowed(method=method, basis=basis, solvent=solvent),
        name=name,
        most=MOST if above or below or order else offset + ROWS + 1,
        **said,
    )
    levels: set[str] = set()
    if above or below or order:
        by = {"sort": order == "smallest", "largest": order == "largest"}
        hits = Sifting(above or None, below or None, **by, every=bool(given)).of(hits)
        levels = {hit.level for hit in hits} - {""} if order else levels
    hits = hits[:most]
    columns = COLUMNS.copy()
    units = {hit.unit for hit in hits if hit.kind != DerivedQuantity.__name__}
    shown = [symbol(Unit(code)) if code else "" for code in sorted(units)]
    columns[VALUE] = named(re.sub(r"[ -]+", "_", name) or "energy", " ".join(filter(None, shown)))
    typed = _typed(context, hits)
    apart = _apart(context, hits[offset : offset + ROWS])
    rows = [_row(hit, typed, apart.get(hit.result, "")) for hit in hits]
    table = page(columns, rows, offset)
    if levels - {hits[0].level if hits else ""}:
        table["remarks"] = [
            f"values at {len(levels)} levels of theory are compared: a level's name narrows it"
        ]
    if not hits:
        near = similar(context.session, name)
        table["note"] = "nothing is stored of that: calculate it, or ask for less" + (
            f"; properties of a similar name: {', '.join(near)}" if near else ""
        )
    return table


def _apart(context: ToolContext, hits: Sequence[Hit]) -> dict[str, str]:
    """Return what tells results of the same substance and level apart, such as charge and spin."""
    iris = dict.fromkeys(iri for hit in hits for iri in (hit.atoms, hit.result) if iri)
    there, _ = installed(context.session.kg, list(iris))
    models = {model.iri: model for model in there}
    found: dict[str, str] = {}
    for hit in hits:
        facts = [f for iri in (hit.atoms, hit.result) if iri in models for f in marks(models[iri])]
        found[hit.result] = ", ".join(
            f"{fact.label} {in_words(replace(fact, note=''))}" for fact in facts
        )
    return found


def finding_tool() -> Tool:
    """Return the tool that finds results, with what can be said of the usual subject."""
    usual = usual_workflow()
    if usual is None:
        return find_results
    kind, others = usual.whole.subject, find_results.form.model_fields
    first = {kind.name: (str, Field("", description=kind.search_help or kind.help))}
    last = {name: (one.annotation, one) for name, one in others.items() if name != "subject"}
    form = form_of("find_results", said_by_models(kind.search.offered()), first, last)
    return replace(find_results, form=form)


def _row(hit: Hit, typed: set[str], state: str) -> list[Any]:
    value = tidy(hit.value, 12) if isinstance(hit.value, float) else hit.value
    if hit.kind == DerivedQuantity.__name__:  # code may write any unit
        parts = (str(hit.value), hit.unit, TYPED if hit.result in typed else "")
        value = " ".join(filter(None, parts))
    about = [shorten(hit.result), hit.kind, hit.formula, hit.level, value]
    return [*about, shorten(hit.atoms), hit.ended, cut(hit.smiles), hit.standing, state]


def _typed(context: ToolContext, hits: Sequence[Hit]) -> set[str]:
    """Return the derived quantities whose code has read nothing."""
    iris = [hit.result for hit in hits if hit.kind == DerivedQuantity.__name__]
    if not iris:
        return set()
    answer = context.session.kg.store.query(
        with_prefixes(f"""
        SELECT ?one {{ VALUES ?one {{ {" ".join(f"<{iri}>" for iri in iris)} }}
                       ?one g:derivation ?made FILTER NOT EXISTS {{ ?made prov:used ?any }} }}""")
    )
    assert isinstance(answer, Table)
    return {inspection.text(row[0]) for row in answer.rows}
