"""Runs and other objects as pages read them, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from grafico.session.inspection import text
from ogm import GraphModel
from ogm.terms import full_iri, with_prefixes
from ontologies.provenance import Requested, Run
from triplestore import Table as StoredTable
from triplestore.errors import InputError, NotFoundError
from workflows.batch.result import BatchResult
from workflows.show.blocks import Block, Chart, Fact, Section, Table, Value
from workflows.show.frames import frames_of, has_frames
from workflows.show.lineage import origin_of
from workflows.show.object_blocks import called, heads, structure_of, title_of
from workflows.text.safe_text import printable, printable_json

from .drawing import files_of
from .html import usual, written
from .jsonable import block_as_dict

if TYPE_CHECKING:
    from grafico.session.client import Grafico

MOST_ROWS = 500
"""Rows of a table that a page gets."""

MOVING = 2
"""Geometries from which on one can be followed to the next."""

MOST_PLACES = 1_000_000
"""Atoms of all geometries together that a page gets."""

CHARTS = {
    "svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf", "csv": "text/csv"
}  # fmt: skip
"""As what charts are written, with the kind of content that is."""

MOST_STEPS = 80
"""Objects that a picture of what something rests on holds."""


def object_as_dict(session: Grafico, iri: str) -> dict[str, Any]:
    """Return what is shown of a run or of any other object, as JSON can hold it.

    Raises:
        NotFoundError: nothing of that IRI is stored.
    """
    shown = _shown(session, iri)
    numbers = iter(range(10_000))
    sections = [section_as_dict(one, numbers) for one in shown.pop("sections")]
    steps = sum(len(one["frames"]) for one in frames(session, shown["iri"]))
    return printable_json(shown) | {"sections": sections, "steps": steps}


def _shown(session: Grafico, iri: str) -> dict[str, Any]:
    """Return the title, how it ended, and the sections of an object."""
    from .report import article, chapter

    iri = session.iri(full_iri(iri))
    model = session.kg.pull(GraphModel, iri)
    is_run = isinstance(model, Run | Requested)
    if isinstance(model, Run) and BatchResult.stored(session.kg, iri) is None:
        told = article(session.kg, chapter(session.kg, iri, session.settings.energy_unit))
        return {
            "iri": iri,
            "title": told.title,
            "subtitle": told.subtitle,
            "asked": told.asked,
            "status": told.status,
            "tone": told.tone,
            "banner": told.banner,
            "run": True,
            "sections": (told.head, *told.sections),
        }
    name = called(model) or title_of(type(model))
    return {
        "iri": iri,
        "title": name[:1].upper() + name[1:],
        "subtitle": "" if name == title_of(type(model)) else title_of(type(model)),
        "asked": "",
        "status": "",
        "tone": "finished",
        "banner": None,
        "run": is_run,
        "sections": tuple(session.blocks(iri)),
    }


def told_of(model: GraphModel | None, said: Mapping[str, object]) -> dict[str, Any]:
    """Return in words what is told of an object that is not stored, and how it is drawn.

    Args:
        model: the object; None for none.
        said: values by their names; what is None or empty is left out.
    """
    words: list[str] = []
    for name, value in said.items():
        many = cast("list[object]", value) if isinstance(value, list) else [value]
        if text := "; ".join(str(one) for one in many if one is not None):
            words.append(name if value is True else f"{name} {text}")
    drawn = structure_of(model) if model is not None else None
    return printable_json({"note": ", ".join(words)}) | {
        "structure": block_as_dict(replace(drawn, iri="")) if drawn else None
    }


def section_as_dict(section: Section, numbers: Iterator[int]) -> dict[str, Any]:
    """Return a section as JSON can hold it; its charts are numbered."""
    return {
        "title": printable(section.title),
        "iri": section.iri,
        "name": section.name,
        "blocks": [_block(one, numbers) for one in section.blocks],
    }


def _block(block: Block, numbers: Iterator[int]) -> dict[str, Any]:
    if isinstance(block, Fact):
        return printable_json(_fact(block))
    said = block_as_dict(block)
    if isinstance(block, Chart):
        return printable_json(
            {n: said[n] for n in ("kind", "title", "name", "iri", "note", "minor") if n in said}
            | {"index": next(numbers)}
        )
    if isinstance(block, Table):
        rows = block.rows[:MOST_ROWS]
        said |= {
            "rows": said["rows"][:MOST_ROWS],
            "shown": [list(_cells(block, row)) for row in rows],
            "left_out": len(block.rows) - len(rows),
        }
    return printable_json(said)


def _cells(table: Table, row: Sequence[Value | None]) -> Iterator[str]:
    for column, value in zip(table.columns, row, strict=True):
        yield "" if value is None else written(value, column.digits)


def _fact(given: Fact) -> dict[str, Any]:
    """Return a fact with how it is written, in the units that people read."""
    fact = usual(given)
    values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    said = block_as_dict(fact) | {"shown": ", ".join(written(v, fact.digits) for v in values)}
    for name in ("also", "at"):
        if others := getattr(fact, name):
            said[name] = [_fact(one) for one in others]
    return said


def chart_of(session: Grafico, iri: str, index: int) -> Chart:
    """Return a chart of an object, by its number.

    Raises:
        NotFoundError: there is none, or nothing of that IRI is stored.
    """
    charts = [
        block
        for one in _shown(session, iri)["sections"]
        for block in one.blocks
        if isinstance(block, Chart)
    ]
    if not 0 <= index < len(charts):
        asked = f"chart {index} of {iri} was asked for"
        raise NotFoundError(asked, f"it has {len(charts)} charts", "read the object anew")
    return charts[index]


def chart_file(chart: Chart, form: str) -> tuple[bytes, str]:
    """Return a chart as `svg`, `png`, `pdf` or `csv`, and what kind of content that is.

    Raises:
        InputError: it is asked for as something else.
        GraficoError: it cannot be drawn.
    """
    if form not in CHARTS:
        found, advice = f"as {form!r}", f"one of {', '.join(CHARTS)}"
        raise InputError("a chart was asked for", found, advice)
    if form == "csv":
        from .chart_data import as_csv

        return as_csv(chart).encode(), CHARTS[form]
    return files_of([chart], form)[0], CHARTS[form]


def frames(session: Grafico, iri: str) -> list[dict[str, Any]]:
    """Return the geometries that are kept of an object or of the results of a run, in order.

    Raises:
        NotFoundError: nothing of that IRI is stored.
    """
    model = session.kg.pull(GraphModel, session.iri(full_iri(iri)))
    named = [iri for iri, _ in _before(session, model)] if isinstance(model, Run) else [model.iri]
    found: list[dict[str, Any]] = []
    for one in session.kg.pull_all(GraphModel, named):
        if not has_frames(one) or len(each := frames_of(one, session.kg).each) < MOVING:
            continue
        if len(each) * len(each[0].atoms.symbols) > MOST_PLACES:
            continue
        if (
            len({tuple(frame.atoms.symbols) for frame in each}) == 1
        ):  # else nothing moves from one to next
            found.append(
                {
                    "stage": title_of(type(one)),
                    "symbols": list(each[0].atoms.symbols),
                    "frames": [
                        {
                            "step": number,
                            "energy": frame.energy,
                            "text": printable(frame.told),
                            "positions": frame.atoms.positions.round(4).tolist(),
                        }
                        for number, frame in enumerate(each, 1)
                    ],
                }
            )
    return found


# --- what something rests on ---------------------------------------------------------------------


@dataclass
class _Ground:
    """What is found on the way back."""

    nodes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    links: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])


def ground(session: Grafico, iri: str) -> dict[str, Any]:
    """Return what an object rests on, back to what was given: objects, and how each was made.

    Raises:
        NotFoundError: nothing of that IRI is stored.
    """
    iri, found = session.iri(full_iri(iri)), _Ground()
    open_ones = [iri]
    while open_ones and len(found.nodes) < MOST_STEPS:
        here = open_ones.pop(0)
        if here in found.nodes:
            continue
        model = session.kg.pull(GraphModel, here)
        found.nodes[here] = _node(model)
        for before, how in _before(session, model):
            found.links.setdefault((before, here), how)
            open_ones.append(before)
    links = [(*pair, how) for pair, how in found.links.items() if set(pair) <= set(found.nodes)]
    nodes = [{"iri": iri, **said} for iri, said in found.nodes.items()]
    return printable_json({"nodes": nodes, "links": links, "more": bool(open_ones)})


def _node(model: GraphModel) -> dict[str, str]:
    from .text import fact_text

    name, kind = called(model), title_of(type(model))
    if isinstance(model, Run):
        return {
            "title": model.goal[:1].upper() + model.goal[1:],
            "text": model.subject,
            "kind": kind,
        }
    facts = [fact for fact in heads(model) if fact.headline or not fact.minor][:2]
    told = "; ".join(f"{fact.label.strip()} {fact_text(fact)}" for fact in facts)
    title = name or kind
    return {
        "title": title[:1].upper() + title[1:],
        "text": told if told and told != name else "",
        "kind": kind,
    }


def _before(session: Grafico, model: GraphModel) -> Iterable[tuple[str, str]]:
    """Iterate over what an object was made from, with how."""
    if isinstance(model, Run):
        results = f"?end g:run <{model.iri}> ; g:results ?result FILTER(isIRI(?result))"
        for (made,) in _rows(session, f"SELECT DISTINCT ?result {{ {results} }} ORDER BY ?result"):
            yield made, "came to"
        return
    rows = _rows(
        session,
        f"SELECT ?name ?used {{ ?made prov:generated <{model.iri}> ; g:calculation ?name ; "
        "prov:used ?used } ORDER BY ?used",
    )
    for name, used in rows:
        yield used, name.rpartition(".")[2].replace("_", " ")
    if not rows and model.identity() != "event":
        origin = origin_of(session.kg, model)
        if origin.witness and origin.witness != model.iri:
            yield origin.witness, origin.text
        elif origin.source is not None:
            yield origin.source.iri, origin.text


def _rows(session: Grafico, query: str) -> list[tuple[str, ...]]:
    answer = session.kg.store.query(with_prefixes(query))
    assert isinstance(answer, StoredTable)
    return [tuple(text(term) for term in row) for row in answer.rows]
