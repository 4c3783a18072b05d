"""The record of a run: steps, calculations, software, objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ogm import PREFIXES, GraphModel, KnowledgeGraph
from ontologies.provenance import Activity, Outcome, Part, Run, Transition
from workflows.show.blocks import Block, Column, Fact, Note, Section, Table, Value
from workflows.show.lineage import lineage, lineage_table
from workflows.show.object_blocks import title_of
from workflows.show.request_facts import asked
from workflows.show.run_blocks import READ, RunSummary, is_read, read_run


@dataclass(frozen=True)
class RunRecord:
    """What the graph knows of one run.

    Attributes:
        run: the run.
        outcome: how it ended; None if that was never recorded.
        steps: in order.
        parts: what steps did in parallel, in order.
        ran: what it is about and what it came to.
        request: what was asked.
    """

    run: Run
    outcome: Outcome | None
    steps: Sequence[Transition]
    parts: Sequence[Part]
    ran: RunSummary
    request: Sequence[Fact]


def read_record(kg: KnowledgeGraph, iri: str) -> RunRecord:
    """Read what the graph knows of a run.

    Raises:
        NotFoundError: nothing of that IRI is stored.
        InputError: it is no run.
    """
    ran = read_run(kg, iri)
    run = kg.pull(Run, ran.run)
    ends = sorted(kg.find(Outcome, run=run), key=lambda end: end.ended)
    steps = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
    parts = sorted(kg.find(Part, run=run), key=lambda part: (part.index, part.part))
    return RunRecord(run, ends[-1] if ends else None, steps, parts, ran, list(asked(run)))


def utc(moment: datetime) -> str:
    """Write a moment as people read it."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def capital(text: str) -> str:
    """Begin a sentence, without the stop at its end; names keep their letters (r2SCAN)."""
    return text[:1].upper() + text[1:].rstrip(".")


def how_it_was_made(kg: KnowledgeGraph, one: RunRecord, how: Section) -> Section:
    """Return what is told of how a run came about, most of it as details.

    Args:
        kg: the graph to read from.
        one: the run.
        how: what a short form tells of it, as `run_blocks` has it.
    """
    took = ""
    if one.outcome:
        seconds = (one.outcome.ended - one.run.started).total_seconds()
        took = f" The run took {seconds:.2f} s in all, and ended {utc(one.outcome.ended)}."
    blocks: list[Block] = [Note(f"{_remembered(one.ran)}.{took}", minor=True)]
    blocks += [
        block
        for block in how.blocks
        if isinstance(block, Fact) and not block.minor and block.name != "how"
    ]
    if one.ran.results:
        blocks.append(_calculations(one.ran))
    software = sorted({(used.name, used.version) for used in _software(one)})
    rows = [(fact.label, _words(fact)) for fact in one.request]
    rows.append(("software", ", ".join(f"{name} {version}" for name, version in software)))
    blocks.append(_two("Request and software", "", "", rows))
    if one.steps:
        blocks.append(_steps(one))
    stored = [kg.pull(GraphModel, answer.recorded) for answer in one.ran.answers]
    geometry = one.ran.about[0] if one.ran.about else None
    ancestors = lineage(kg, geometry, stored) if geometry is not None else []
    if len(ancestors) > 1 or any(one.witness for one in ancestors):
        table = lineage_table(ancestors)
        told = tuple((capital(str(text)), iri) for text, iri in table.rows)
        blocks.append(replace(table, rows=told))
    blocks.append(_objects(one, [a.witness for a in ancestors]))
    return Section("How it was made", tuple(blocks), one.run.iri, "how")


def _words(fact: Fact) -> str:
    values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    said = (
        "yes" if value is True else value if isinstance(value, str) else f"{value:g}"
        for value in values
    )
    return f"{', '.join(said)} {fact.unit}".strip()


def _kind(model: GraphModel) -> str:
    return title_of(type(model))


def _two(title: str, first: str, second: str, rows: Sequence[tuple[str, str]]) -> Table:
    return Table(title, (Column(first), Column(second)), tuple(rows), minor=True)


def _remembered(ran: RunSummary) -> str:
    """Say how much of a run was remembered rather than computed."""
    if is_read(ran):
        return capital(READ)
    old, whole = sum(answer.reused for answer in ran.answers), len(ran.answers)
    if ran.work is not None and ran.work.whole > whole:  # also in runs that this one began
        old, whole = ran.work.remembered, ran.work.whole
    if not ran.results and ran.foreign:
        return "The classes of what was computed are not installed here"
    if not ran.results:
        return "No result was recorded"
    if not whole:
        return "Nothing was calculated"
    if old == whole:
        return "Everything was remembered from earlier runs; nothing was computed anew"
    if old:
        return f"{old} of {whole} calculations were remembered, the others done in this run"
    return "Everything was computed in this run; nothing was remembered"


def _calculations(ran: RunSummary) -> Table:
    rows: list[tuple[Value | None, ...]] = []
    for answer in ran.answers:
        act: Activity = answer.activity
        rows.append(
            (
                _kind(answer.result),
                f"{act.calculation} {act.version}",
                "read" if is_read(ran) else "remembered" if answer.reused else "computed",
                f"{act.device.kind}: {act.device.name}",
                act.threads,
                act.wall_time,
                utc(act.ended),
            )
        )
    rows += [(_kind(made), "from the others", "derived", *[None] * 4) for made in ran.made]
    columns = (
        Column("result"),
        Column("calculation"),
        Column("origin"),
        Column("device"),
        Column("threads"),
        Column("wall time", "s", digits=".2f"),
        Column("done"),
    )
    return Table("Calculations", columns, tuple(rows), minor=True)


def _software(one: RunRecord) -> Iterator[Any]:
    yield one.run.software
    for answer in one.ran.answers:
        yield from answer.activity.software


def _steps(one: RunRecord) -> Table:
    split = {part.index for part in one.parts}
    rows: list[tuple[str, str]] = []
    for step in one.steps:
        came = (
            "remembered"
            if step.reused
            else "read"
            if step.activity and is_read(one.ran)
            else "computed"
            if step.activity
            else "stopped"
            if step.failure
            else "several parts at once"
            if step.index in split
            else "done without a calculation"
        )
        seconds = (step.ended - step.started).total_seconds()
        told = [
            f"chosen by the {step.chosen_by} router ({step.reason}); {came} in {seconds:.2f} s."
        ]
        told += [f"Failed: {step.failure}."] * bool(step.failure)
        told.append(f"On the menu: {', '.join(step.menu) or 'nothing else'}.")
        told += [f"Refused: {'; '.join(step.refused)}."] * bool(step.refused)
        rows.append((step.node, " ".join(told)))
    return _two(f"Steps of the run, graph “{one.run.graph}”", "step", "what happened", rows)


def _objects(one: RunRecord, witnesses: Sequence[str]) -> Table:
    """Return the names by which `grafico show` finds everything again."""
    ran = one.ran
    rows: list[tuple[Value | None, ...]] = [("Run", one.run.iri, None)]
    if one.outcome:
        rows.append(("Outcome", one.outcome.iri, None))
    rows += [(f"Subject: {_kind(m)}", m.iri, None) for m in ran.about]
    for answer in ran.answers:
        title = f"Result: {_kind(answer.result)}"
        rows.append((title, answer.recorded, answer.activity.iri))
    rows += [(f"Result: {_kind(m)}", m.iri, None) for m in ran.made]
    known = {answer.recorded for answer in ran.answers}
    rows += [("Origin", iri, None) for iri in witnesses if iri and iri not in known]
    rows += [(f"Transition: {step.node}", step.iri, None) for step in one.steps]
    note = f"`grafico show` takes these names; g: stands for {PREFIXES['g']}"
    columns = Column("what"), Column("name"), Column("activity that made it")
    return Table("Objects in the knowledge graph", columns, tuple(rows), note=note, minor=True)
