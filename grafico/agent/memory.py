"""Tools that ask the memory: queries, the ontology, one object, earlier results."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from typing import Annotated, Any, cast

from pydantic import Field

from grafico import inspection
from grafico.inspection import shorten
from ogm import GRAFICO, GraphModel, Link
from ogm.literals import literal
from ogm.terms import with_prefixes
from ontologies.derived import DerivedQuantity
from ontologies.level import LevelOfTheory
from ontologies.schema import classes
from triplestore import Table, Triples
from triplestore.errors import GraficoError

from .computing import meant
from .desk import Desk
from .outcome import tidy
from .toolbox import Found, tool

ROWS = 40
"""Rows that are told at once."""

LETTERS = 6000
"""Letters of the rows that are told at once."""

LONGEST = 400
"""Letters of one value."""

Offset = Annotated[int, Field(ge=0, le=1_000_000, description="Rows to skip.")]


@tool()
async def query(
    desk: Desk, sparql: Annotated[str, Field(description="Read-only.")], offset: Offset = 0
) -> Found:
    """Ask the knowledge graph; see ontology first.

    Prefixes g, prov, rdf, rdfs, xsd, unit are known. Use ORDER BY where an answer may be cut.
    """
    answer = await asyncio.to_thread(  # others go on meanwhile
        inspection.query, desk.session.kg.store, sparql, offset + ROWS + 1, desk.settings
    )
    if isinstance(answer, bool):
        return {"answer": answer}
    if isinstance(answer, Table):
        columns, rows = list(answer.variables), [list(row) for row in answer.rows]
    else:
        columns = ["subject", "predicate", "object"]
        rows = [[one.subject, one.predicate, one.object] for one in cast("Triples", answer)]
    return page(columns, [[cell(term) for term in row] for row in rows], offset)


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


def cut(value: str) -> str:
    """Return the beginning of a long text."""
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}… ({len(value)} letters)"


@tool()
async def ontology(
    desk: Desk, classes: Annotated[tuple[str, ...], Field(description="None: list all.")] = ()
) -> Found:
    """Learn classes and properties before writing SPARQL."""
    from grafico.vocabulary import described
    from ogm.snapshot import outline
    from ontologies.schema import classes as all_classes

    if not classes:
        return {"classes": {item.term: cut(item.text) for item in outline(all_classes())}}
    return {"text": described(classes, "text")}


@tool()
async def get(desk: Desk, iri: str) -> Found:
    """Read one object: scalars with units, IRIs; of arrays the shape."""
    from grafico.client import full_iri

    model = desk.session.kg.pull(GraphModel, full_iri(iri))
    fields: Found = {}
    for plan in type(model).fields():
        value = _plain(vars(model)[plan.name])
        if value in (None, [], ""):
            continue
        unit = f"_{plan.unit.code}" if plan.unit and isinstance(value, float | int) else ""
        if plan.unit and isinstance(value, str):
            value = f"{value} {plan.unit.code}"
        fields[plan.name + unit] = value
    if isinstance(model, DerivedQuantity):
        fields["value"] = f"{fields['value']} {fields.pop('unit', '')}".strip()
    return {"iri": shorten(model.iri), "class": type(model).__name__, "fields": fields}


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


NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")
SIGNS = re.compile(r"[-() ]")
COLUMNS = ["result", "class", "formula", "level of theory", "value", "geometry", "ended"]
FORMULA = re.compile(r"([A-Z][a-z]?\d*){1,30}")


@tool()
async def find_results(
    desk: Desk,
    molecule: Annotated[str, Field(description="Formula, IRI, name or SMILES.")] = "",
    method: str = "",
    basis: str = "",
    property: Annotated[str, Field(description="Such as gibbs_energy; energy if none.")] = "",
    offset: Offset = 0,
) -> Found:
    """Find stored results, newest first."""
    name = property.strip() or "energy"
    columns, rows = COLUMNS.copy(), list[list[Any]]()
    if NAME.fullmatch(term := re.sub(r"[ -]+", "_", name)):
        rows, unit = await _computed(desk, term, molecule, method, basis, offset)
        columns[4] = f"{term} {unit}".strip()
    if property:
        rows += await derived(desk, name, molecule, offset)
    found = page(columns, rows, offset)
    if not rows:
        found["note"] = "nothing is stored of that: calculate it, or ask for less"
    return found


async def _computed(
    desk: Desk, name: str, molecule: str, method: str, basis: str, offset: int
) -> tuple[list[list[Any]], str]:
    """Return the rows of a property of results, newest first, and its unit."""
    head, *rest = name.split("_")
    term = head + "".join(part[:1].upper() + part[1:] for part in rest)
    value = "gibbsEnergy" if term.lower() == "gibbs" else term
    where = [await _about(desk, molecule)] if molecule.strip() else []
    for said, wanted in (("CONCAT(?method, ?correction)", method), ("?basis", basis)):
        if plain := SIGNS.sub("", wanted.lower()):  # PBE-D3(BJ) is stored as PBE and D3(BJ)
            where.append(
                f"FILTER(CONTAINS(REPLACE(LCASE({said}), '[-() ]', ''), {literal(plain)}))"
            )
    answer = desk.session.kg.store.query(
        with_prefixes(f"""
        SELECT DISTINCT ?result ?class ?formula ?level ?value ?atoms ?ended {{
          {{ ?result g:{value} ?value ; g:atoms ?atoms ; g:level ?level }} UNION
          {{ ?result g:{value} ?value ; g:frequencies ?f . ?f g:atoms ?atoms ; g:level ?level }}
          ?result a ?class . ?atoms g:formula ?formula .
          ?level g:method ?method ; g:basis ?basis .
          OPTIONAL {{ ?level g:dispersion/g:kind ?kind }}
          BIND(COALESCE(?kind, "") AS ?correction)
          ?activity prov:generated ?result ; prov:endedAtTime ?ended .
          {" ".join(where)}
        }} ORDER BY DESC(?ended) ?result LIMIT {offset + ROWS + 1}""")
    )
    assert isinstance(answer, Table)
    iris = list(dict.fromkeys(str(row[3].value) for row in answer.rows))  # type: ignore[union-attr]
    levels = dict(zip(iris, desk.session.kg.pull_all(LevelOfTheory, iris), strict=True))
    rows = [[cell(term) for term in row] for row in answer.rows]
    for row, told in zip(rows, answer.rows, strict=True):
        row[3] = levels[str(told[3].value)].label  # type: ignore[union-attr]
    units = {
        plan.predicate: plan.unit.code for cls in classes() for plan in cls.fields() if plan.unit
    }
    unit = units.get(GRAFICO.term(value), "")
    return rows, unit


async def derived(desk: Desk, name: str, molecule: str, offset: int) -> list[list[Any]]:
    """Return the rows of quantities of a name that code has derived, newest first."""
    plain = literal(SIGNS.sub("", name.lower()).replace("_", ""))
    where = await _about(desk, molecule) if molecule.strip() else ""
    answer = desk.session.kg.store.query(
        with_prefixes(f"""
        SELECT DISTINCT ?result ?class ?formula ?level ?value ?unit ?atoms ?ended {{
          ?result a g:DerivedQuantity ; a ?class ; g:name ?name ; g:value ?value ; g:unit ?unit ;
                  g:derivation/prov:endedAtTime ?ended .
          FILTER(REPLACE(LCASE(?name), "[-_() ]", "") = {plain})
          OPTIONAL {{ ?result g:of ?of .
            OPTIONAL {{ ?of g:frequencies ?f }}
            OPTIONAL {{ ?of g:atoms ?own }} OPTIONAL {{ ?f g:atoms ?theirs }}
            BIND(COALESCE(?own, ?theirs, ?of) AS ?atoms)
            OPTIONAL {{ ?of g:level ?mine }} OPTIONAL {{ ?f g:level ?shared }}
            BIND(COALESCE(?mine, ?shared) AS ?level)
            OPTIONAL {{ ?atoms g:formula ?formula }} }}
          {where}
        }} ORDER BY DESC(?ended) ?result LIMIT {offset + ROWS + 1}""")
    )
    assert isinstance(answer, Table)
    rows: list[list[Any]] = []
    for row in answer.rows:
        formula, level = inspection.text(row[2]), inspection.text(row[3])
        label = desk.session.kg.pull(LevelOfTheory, level).label if level else ""
        value = f"{inspection.text(row[4])} {inspection.text(row[5])}".strip()
        rows.append([*map(cell, row[:2]), formula, label, value, *map(cell, row[6:])])
    return rows


async def _about(desk: Desk, molecule: str) -> str:
    """Return what a query says of the atoms that are meant."""
    from grafico.client import full_iri
    from workflows.molecule import recognise

    plain = molecule.strip()
    if FORMULA.fullmatch(plain):
        stored = desk.session.kg.store.query(
            with_prefixes(f"ASK {{ ?atoms g:formula {literal(plain)} }}")
        )
        if stored:
            return f"FILTER(?formula = {literal(plain)})"
    given = meant(desk, plain)
    if isinstance(given, str) and recognise(given) == "iri":
        atoms = desk.session.atoms(full_iri(given))
        return (
            f"FILTER(?atoms = <{atoms.iri}> || EXISTS {{ ?result g:initial <{atoms.iri}> }} || "
            f"EXISTS {{ ?from g:initial <{atoms.iri}> ; g:atoms ?atoms }})"
        )
    try:
        atoms, _ = await desk.session.structure(given)
    except GraficoError:
        if FORMULA.fullmatch(plain):
            return f"FILTER(?formula = {literal(plain)})"
        raise
    return f"FILTER(?formula = {literal(atoms.formula)})"
