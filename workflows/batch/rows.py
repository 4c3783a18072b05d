"""What a batch came to, a row for each entry: what it is, how it ended, what is known of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ogm import GRAFICO, GraphModel
from ogm.literals import literal
from ontologies.collection import Entry
from ontologies.provenance import Outcome
from triplestore import Table
from workflows.registry.plausibility import warning_in
from workflows.show.asked_facts import asked_facts, meant_among
from workflows.show.blocks import Fact, Note
from workflows.show.lineage import origin_of
from workflows.show.object_blocks import Around, collect, of_runs
from workflows.show.run_blocks import installed
from workflows.show.shown_numbers import single_numbers
from workflows.text.names import plain

from .entries import PAGE, Entries

DECIMAL_COMMA = re.compile(r"\A([+-]?(?:[0-9]{4,}|0|[0-9]+(?=,(?![0-9]{3}\Z)))),([0-9]+)\Z")
"""A number with a comma where it cannot stand between thousands, as in 1,5 but not in 1,500."""


@dataclass(frozen=True)
class Row:
    """One entry of a batch, computed in one way.

    Attributes:
        entry: the entry.
        said: the arguments with which it was computed.
        status: `finished`, `failed`, `unreadable`, or `open` where it has not ended.
        reason: why it failed, or cannot be read.
        run: IRI of its run; empty where it came to none.
        geometry: IRI of what the run made of its subject; empty for nothing.
        facts: what is known of it, by name; of several results the last that says it.
        standing: what is said of its run as a whole, by name: whether a geometry is relaxed.
        lacking: why it has no number, in words, by name.
    """

    entry: Entry
    said: Mapping[str, Any]
    status: str
    reason: str = ""
    run: str = ""
    geometry: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    standing: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    lacking: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def implausible(self) -> str:
        """Why a number of it is not to be believed, in words; empty where all may be."""
        return warning_in(self.facts.values())

    @property
    def columns(self) -> dict[str, str]:
        """What the source says of it besides."""
        return json.loads(self.entry.columns) if self.entry.columns else {}


@dataclass
class _Ended:
    """How an entry ended, as the last run of the batch has it."""

    failure: str = ""
    ended: bool = False
    run: str = ""


def rows(entries: Entries, words: Sequence[str] = ()) -> Iterator[Row]:
    """Iterate over the rows of a batch, in the order of the source; a page is held at a time.

    Args:
        entries: of the batch.
        words: what else is asked of each, such as `distance C-F`.
    """
    for start in range(0, len(entries.indices), PAGE):
        page = entries.pages(entries.indices[start : start + PAGE])
        yield from _page(entries, page, words)


def row_of(entries: Entries, key: str) -> Row:
    """Return the row of one entry, computed in one way."""
    index, way = entries.parts_of(key)
    return list(_page(entries, entries.pages([index])))[way]


def _page(entries: Entries, page: Sequence[Entry], words: Sequence[str] = ()) -> Iterator[Row]:
    ways = [json.loads(one) for one in entries.batch.settings]
    keys = [
        entries.key(entry.index, way)
        for entry in page
        if not entry.problem
        for way in range(len(ways))
    ]
    ended = _ended(entries, keys)
    runs = [one.run for one in ended.values() if one.run]
    outcomes = _outcomes(entries, runs)
    links = [link.iri for outcome in outcomes.values() for link in outcome.results]
    known, _ = installed(entries.kg, list(dict.fromkeys(links)))
    results = {one.iri: one for one in known}
    for entry in page:
        if entry.problem:
            yield Row(entry, {}, "unreadable", entry.problem)
            continue
        for way, said in enumerate(ways):
            one = ended[entries.key(entry.index, way)]
            outcome = outcomes.get(one.run)
            status = "open"
            if one.ended:
                status = "failed" if one.failure else "finished"
            facts: dict[str, Fact] = {}
            standing: dict[str, Fact] = {}
            lacking: dict[str, str] = {}
            geometry = ""
            if outcome is not None:
                mine = [results[link.iri] for link in outcome.results if link.iri in results]
                facts, lacking = facts_of(mine), lacking_of(mine)
                told = of_runs(Around(tuple(mine), built=_built(entries, entry)))
                standing = {one.name: one for one in told if isinstance(one, Fact)}
                geometry = outcome.geometry.iri if outcome.geometry else ""
                if asked := [x for x in words if not meant_among(x, facts)]:
                    last = (entries.kg.pull(GraphModel, geometry),) if geometry else ()
                    facts |= asked_facts(Around(tuple(mine), last), asked)
            yield Row(entry, said, status, one.failure, one.run, geometry, facts, standing, lacking)


def _built(entries: Entries, entry: Entry) -> str:
    """Return from what the subject of an entry was built, in words; empty where it was given."""
    if entry.structure is None:
        return "built"
    if len(entries.indices) > 1:  # a source that says all of its structures has not built them
        return ""
    return origin_of(entries.kg, entries.kg.pull(GraphModel, entry.structure.iri)).built


def facts_of(results: Sequence[GraphModel]) -> dict[str, Fact]:
    """Return what results say in one value each, by name; the last that says it counts."""
    around = Around(tuple(results))
    found: dict[str, Fact] = {}
    for result in results:
        for _, block in collect(result, around, result.iri):
            if isinstance(block, Fact) and block.name and not isinstance(block.value, tuple):
                found.pop(block.name, None)
                found[block.name] = block
                found |= {one.name: one for one in block.also if one.name and one.label}
    return found


def lacking_of(results: Sequence[GraphModel]) -> dict[str, str]:
    """Return why results have no number, in words, by its name; see `Note.lacking`."""
    around = Around(tuple(results))
    return {
        block.lacking: block.text
        for result in results
        for _, block in collect(result, around, result.iri)
        if isinstance(block, Note) and block.lacking
    }


def numbers_in(row: Row) -> dict[str, float]:
    """Return the single numbers of a row, by name with the unit; those of the source first."""
    source: dict[str, float] = {}
    for name, text in row.columns.items():
        with suppress(TypeError, ValueError):
            source[name] = float(DECIMAL_COMMA.sub(r"\1.\2", text.strip()))
    found = source | dict(single_numbers(row.facts.values())) | source
    return {name: value for name, value in found.items() if math.isfinite(value)}


def value_of(row: Row, name: str) -> float | None:
    """Return a number of a row by its name, with or without the unit; None where it has none."""
    fact = row.facts.get(meant_among(name, row.facts))
    value = fact.value if fact and name not in row.columns else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    wanted = plain(name)
    return next((n for one, n in numbers_in(row).items() if plain(one) == wanted), None)


def _ended(entries: Entries, keys: Sequence[str]) -> dict[str, _Ended]:
    found = {key: _Ended() for key in keys}
    if not keys:
        return found
    g = GRAFICO.term
    wanted = " ".join(map(literal, keys))
    about = f"?batch <{g('about')}> <{entries.batch.iri}>"
    for key, _, failure in _query(
        entries,
        f"""
        SELECT ?key ?part ?failure {{ VALUES ?key {{ {wanted} }}
            {about} . ?part <{g("part")}> ?key ; <{g("run")}> ?batch .
            OPTIONAL {{ ?part <{g("failure")}> ?failure }} }} ORDER BY ?part""",
    ):
        found[key].ended, found[key].failure = True, failure
    for key, run in _query(
        entries,
        f"""
        SELECT ?key ?one {{ VALUES ?key {{ {wanted} }}
            {about} . ?one <{g("part")}> ?key ; <{g("parent")}> ?batch . }} ORDER BY ?one""",
    ):
        found[key].run = run
    return found


def _outcomes(entries: Entries, runs: Sequence[str]) -> dict[str, Outcome]:
    if not runs:
        return {}
    g = GRAFICO.term
    wanted = " ".join(f"<{run}>" for run in runs)
    iris = [
        iri
        for (iri,) in _query(
            entries,
            f"""
        SELECT ?outcome {{ VALUES ?run {{ {wanted} }}
            ?outcome <{g("run")}> ?run ; <{g("status")}> ?status }}""",
        )
    ]
    return {one.run.iri: one for one in entries.kg.pull_all(Outcome, sorted(iris))}


def _query(entries: Entries, query: str) -> Iterator[tuple[str, ...]]:
    answer = entries.kg.store.query(query)
    assert isinstance(answer, Table)
    for row in answer.rows:
        yield tuple(str(getattr(term, "value", term or "")) for term in row)
