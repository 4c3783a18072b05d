"""The report: one self-contained HTML page on runs, everything in it read from the graph.

It knows no domain: what is shown of a result are its blocks, and what is told of a run is what
every run has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ogm import PREFIXES, GraphModel, KnowledgeGraph
from ontologies.level import Level
from triplestore.errors import InputError
from workflows.batch.result import BatchResult
from workflows.engine.execution.withdrawn import why_withdrawn
from workflows.show.blocks import Block, Chart, Column, Fact, Note, Section, Structure, Table, Value
from workflows.show.lineage import lineage
from workflows.show.object_blocks import Around, called, compared, title_of
from workflows.show.run_blocks import answer_first, speaking, subject_blocks
from workflows.show.run_record import RunRecord, capital, how_it_was_made, read_record, utc
from workflows.show.units import EnergyUnit, in_units

from .batch_page import batch_page
from .html import Article, page

OVERVIEW = 5
"""Columns of head facts in an overview at most."""


@dataclass(frozen=True)
class Chapter(RunRecord):
    """What the graph knows of one run, and the same as blocks: subject, results, how they came."""

    sections: Sequence[Section]

    @property
    def title(self) -> str:
        """What it is about, in a word."""
        drawn = (one for one in self.sections[0].blocks if isinstance(one, Structure))
        name = next(drawn, None)
        first = self.ran.about[0] if self.ran.about else None
        known = name.title if name else called(first) if first else ""
        return known or self.run.subject or self.run.graph

    @property
    def subtitle(self) -> str:
        """What else it is about, such as the level of theory."""
        names = [called(model) for model in self.ran.about[1:]]
        return ", ".join(dict.fromkeys(name for name in names if name))

    @property
    def level(self) -> str:
        """The levels of theory that it is about, and nothing else."""
        names = [called(model) for model in self.ran.about if isinstance(model, Level)]
        return ", ".join(dict.fromkeys(names))

    @property
    def headlines(self) -> list[Fact]:
        """The few facts that stand at its head: results first, each name once."""
        about, *others = self.sections
        facts = [
            block
            for section in (*others, about)
            for block in section.blocks
            if isinstance(block, Fact) and block.headline
        ]
        return list({fact.name or fact.label: fact for fact in reversed(facts)}.values())[::-1]


def report(kg: KnowledgeGraph, runs: Sequence[str], unit: EnergyUnit = "") -> str:
    """Return one HTML document on runs, which loads nothing from anywhere.

    Args:
        kg: the graph to read from.
        runs: IRIs of the runs, in the order of their chapters.
        unit: in which energies per mole are shown; empty for the usual one of each.

    Raises:
        NotFoundError: nothing of such an IRI is stored.
        InputError: no run is named, or an IRI is that of something else.
    """
    if not runs:
        raise InputError("a report was asked for", "no run is named", "name some")
    if len(runs) == 1 and (batch := BatchResult.stored(kg, runs[0])) is not None:
        return batch_page(batch)
    chapters = [chapter(kg, iri, unit) for iri in dict.fromkeys(runs)]
    several = len(chapters) > 1
    names = [f"{one.title}: {one.run.goal}" for one in chapters[:3]]
    title = "; ".join(names) + (" …" if len(chapters) > 3 else "") + " (Grafico)"
    lead = [f"Grafico · report on {f'{len(chapters)} runs' if several else 'one run'}"]
    return page(
        [article(kg, one) for one in chapters],
        title,
        [*lead, *_common(chapters)] if several else lead,
        _overview(kg, chapters) if several else None,
        sparql(one.run.iri for one in chapters),
        "Everything on this page was read from the knowledge graph; it loads nothing. Numbers are "
        "rounded for reading; the exact value stands in the page beside each (data value).",
    )


def chapter(kg: KnowledgeGraph, iri: str, unit: EnergyUnit = "") -> Chapter:
    """Read what the graph knows of a run; see `report`."""
    one = read_record(kg, iri)
    return Chapter(**vars(one), sections=in_units(answer_first(one.ran), unit))


def sparql(runs: Iterable[str]) -> str:
    """Return a query that finds the numbers of runs again."""
    names = "\n    ".join(f"<{iri}>" for iri in runs)
    return f"""\
PREFIX g: <{PREFIXES["g"]}>
PREFIX prov: <{PREFIXES["prov"]}>
SELECT DISTINCT ?run ?result ?kind ?property ?value {{
  VALUES ?run {{
    {names}
  }}
  {{ ?outcome a g:Outcome ; g:run ?run ; g:results ?result }}
  UNION {{ ?step a g:Transition ; g:run ?run ; g:activity/prov:generated ?result }}
  ?result a ?kind ; ?property ?value
  FILTER isNumeric(?value)
}} ORDER BY ?run ?result ?property"""


# --- the page ------------------------------------------------------------------------------------


def article(kg: KnowledgeGraph, one: Chapter) -> Article:
    """Return what a page shows of a run: how it ended, the head, and all else in order."""
    about, *results, how = one.sections
    structures = tuple(block for block in about.blocks if isinstance(block, Structure))
    status, tone, banner = _ending(one)
    if why := _withdrawn(kg, one):
        status, tone, banner = "withdrawn", "failed", ("Withdrawn: do not rely on this.", why)
    around = Around(one.ran.results, one.ran.about)
    subjects = [_subject(kg, model, around) for model in dict.fromkeys(one.ran.about)]
    answers = set(speaking(one.ran))
    seen = sorted(results, key=_folded)
    if answers:  # what else there is are its parts
        seen = [two if two.iri in answers else _as_details(two) for two in seen]
        sections = [
            *(two for two in seen if two.iri in answers),
            *subjects[1:],
            *subjects[:1],
            *(two for two in seen if two.iri not in answers),
        ]
    else:
        sections = [*seen[:1], *subjects[1:], *subjects[:1], *seen[1:]]
    leading = sections[0].blocks if answers else ()
    curve = next((block for block in leading if isinstance(block, Chart)), None)
    if curve and subjects:
        place = sections.index(subjects[0])
        sections[place] = replace(subjects[0], blocks=(*structures, *subjects[0].blocks))
    elif structures:
        structures = _named(structures, sections)
    pictures = (curve,) if curve else structures
    head = Section("", (*pictures, *one.headlines, *_notes(one.sections)))
    return Article(
        f"{one.title}: {one.run.goal}",
        head,
        tuple(_trimmed(head, sections, (how_it_was_made(kg, one, how),))),
        one.subtitle,
        _sentence(one),
        status,
        tone,
        banner,
    )


def _as_details(section: Section) -> Section:
    """Return a section of which all is folded away."""
    return replace(section, blocks=tuple(replace(one, minor=True) for one in section.blocks))


def _named(structures: Sequence[Structure], sections: Sequence[Section]) -> tuple[Structure, ...]:
    """Return structures with what sections call the same atoms, which are drawn once."""
    names = {
        block.iri: ", ".join(filter(None, [block.title, block.note]))
        for section in sections
        for block in section.blocks
        if isinstance(block, Structure)
    }
    return tuple(replace(one, note=names.get(one.iri, one.note)) for one in structures)


def _folded(section: Section) -> bool:
    """Tell whether a section holds nothing but details."""
    return all(getattr(block, "minor", False) for block in section.blocks)


def _subject(kg: KnowledgeGraph, model: GraphModel, around: Around) -> Section:
    """Return what is shown of an object that a run is about; its tables are not folded away."""
    told = [] if model is around.about[0] else lineage(kg, model)
    notes = tuple(Note(one.text, minor=True) for one in told if one.witness and one.text)
    blocks = tuple(
        replace(block, minor=False) if isinstance(block, Table) else block
        for block in subject_blocks(model, around)
        if not isinstance(block, Structure)
    )
    return Section(title_of(type(model)), (*blocks, *notes), model.iri, type(model).__name__)


def _notes(sections: Sequence[Section]) -> Iterator[Note]:
    """Iterate over what a reader must know, each text once, not if another one holds it."""
    texts = dict.fromkeys(
        block
        for one in sections
        for block in one.blocks
        if isinstance(block, Note) and not block.minor
    )
    for note in texts:
        if not any(other.text.endswith(f": {note.text}") for other in texts):
            yield note


def _trimmed(
    head: Section, sections: Sequence[Section], how: Sequence[Section]
) -> Iterator[Section]:
    """Iterate over sections without what the head says, draws or was said or drawn before."""
    said: set[tuple[str, Any]] = set()
    drawn = {mark for block in head.blocks if (mark := _mark(block))}
    for section in sections:
        blocks: list[Block] = []
        for block in section.blocks:
            if isinstance(block, Note) and not block.minor:
                continue
            if mark := _mark(block):
                if mark in drawn:
                    continue
                drawn.add(mark)
            if isinstance(block, Fact):
                key = (block.label.strip(), block.value)
                if block.minor and key in said:
                    continue
                said.add(key)
            blocks.append(block)
        if blocks:
            yield replace(section, blocks=tuple(blocks))
    yield from how


def _mark(block: Block) -> Any:
    """Return what two pictures have in common that show the same; None for what is no picture."""
    if isinstance(block, Chart):
        return block.series
    return (block.iri or block.positions) if isinstance(block, Structure) else None


def _sentence(one: Chapter) -> str:
    run = one.run
    return f"Asked for “{run.subject}”, {utc(run.started)}" if run.subject else utc(run.started)


def _withdrawn(kg: KnowledgeGraph, one: RunRecord) -> str:
    """Return who has withdrawn a run, or what it rests on, and why; empty if nobody has."""
    if why := why_withdrawn(kg, [one.run.iri]):
        return f"{capital(why)}."
    rests_on = sorted({step.activity.iri for step in one.steps if step.activity is not None})
    why = why_withdrawn(kg, rests_on)
    return f"What it rests on was {why}." if why else ""


def _ending(one: Chapter) -> tuple[str, str, tuple[str, str] | None]:
    """Return how a run ended, the tone of that, and what must be read first."""
    if one.outcome is None:
        said = (
            "The run is still going on, or it was cut off. What follows is what had been finished "
            "when this page was written."
        )
        return "", "open", ("No outcome is recorded.", said)
    status, message = one.outcome.status, capital(one.outcome.message)
    match status:
        case "finished":
            return status, status, None
        case "goal unmet":
            said = f"{message}. The numbers below are sound, but they do not answer what was asked."
            return "", "unmet", ("The goal was not reached.", said)
        case "interrupted":
            again = f"grafico resume {one.run.iri}"
            said = f"It can be gone on with: {again}. What follows is what had been finished."
            return "", "open", ("The run was interrupted.", said)
        case _:
            some = one.ran.results
            rest = "What had been finished before is shown below" if some else "It has no result"
            return "", "failed", ("The run failed.", f"{message}. {rest}.")


# --- several runs --------------------------------------------------------------------------------


def _common(chapters: Sequence[Chapter]) -> list[str]:
    """Return what all runs share, as a sentence; nothing if they share nothing."""
    goals = {one.run.goal for one in chapters}
    levels = {one.level for one in chapters}
    goal = capital(next(iter(goals))) if len(goals) == 1 else ""
    level = next(iter(levels)) if len(levels) == 1 else ""
    if goal:
        return [f"{goal}, all at {level}." if level else f"{goal}."]
    return [f"All at {level}."] if level else []


def _overview(kg: KnowledgeGraph, chapters: Sequence[Chapter]) -> Table:
    """Return a row for each run: what it is about and the head facts that are numbers."""
    goals = len({one.run.goal for one in chapters}) > 1
    levels = len({one.level for one in chapters}) > 1
    numbers = [{fact.name: fact for fact in one.headlines if _is_number(fact)} for one in chapters]
    names = list(dict.fromkeys(name for facts in numbers for name in facts))[:OVERVIEW]
    columns = [Column("run")]
    columns += [Column("level of theory")] * levels + [Column("goal")] * goals
    for name in names:
        fact = next(facts[name] for facts in numbers if name in facts)
        columns.append(Column(fact.label.strip(), fact.unit, name, fact.digits))
    extra = compared([Around(one.ran.results, one.ran.about) for one in chapters])
    rows: list[tuple[Value | None, ...]] = []
    for place, (one, facts) in enumerate(zip(chapters, numbers, strict=True)):
        ended = one.outcome.status if one.outcome else "no outcome recorded"
        status = "" if ended == "finished" else f": {ended}"
        status += ": withdrawn" if _withdrawn(kg, one) else ""
        row: list[Value | None] = [f"{one.title} {one.run.subject}{status}".strip()]
        row += [one.level] * levels + [one.run.goal] * goals
        row += [cast("Value", facts[name].value) if name in facts else None for name in names]
        rows.append((*row, *(values[place] for _, values in extra)))
    return Table("", (*columns, *(column for column, _ in extra)), tuple(rows))


def _is_number(fact: Fact) -> bool:
    return isinstance(fact.value, int | float) and not isinstance(fact.value, bool)
