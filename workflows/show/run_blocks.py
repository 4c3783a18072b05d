"""A run as sections of blocks: subject, results, provenance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyoxigraph import Literal

from ogm import GraphModel, KnowledgeGraph, Link, Motion
from ogm.array_storage import ARRAY_DATATYPE
from ogm.collecting import ForeignError
from ogm.fields import FieldPlan
from ogm.terms import CONTENT, RDF_TYPE, checked_iri
from ontologies.level import Level
from ontologies.provenance import Activity, FileReading, Outcome, Part, Run, Transition
from triplestore import Table as Rows
from workflows.engine import Answer
from workflows.engine.graph.stored_runs import stored_run
from workflows.registry.plausibility import IMPLAUSIBLE, warning_in
from workflows.show.blocks import Block, Fact, Note, Section, Table
from workflows.show.lineage import origin_of
from workflows.show.object_blocks import (
    Around,
    bases,
    blocks_of,
    called,
    collect,
    doubts_of,
    hook_of,
    level_label,
    of_runs,
    structure_of,
    title_of,
)
from workflows.show.run_work import Work, work_of
from workflows.show.where import asked_for, computed_where

READ = "read from a file that another program wrote, not computed here"

RENUMBERED = (
    "Remembered of a copy: texts of this result, such as bonds and remarks on them, count the "
    "atoms in the order of that copy, not in the one above"
)
"""What to know of a result that was moved to the numbers of its subject."""


def leading(result: GraphModel) -> FieldPlan | None:
    """Return the first number with a unit that results of its class have; None for none."""
    return next(
        (
            one
            for one in type(result).fields()
            if one.target is float and one.unit and one.container == "one" and one.required
        ),
        None,
    )


@dataclass(frozen=True)
class RunSummary:
    """What is known of a run, whether it has just ended or was read from the graph.

    Attributes:
        run: its IRI.
        status: how it ended; empty where that was never recorded.
        message: in words.
        about: what it is about: the subject as it is in the end, then the level and others.
        answers: what was computed or remembered, in order, in the frame of the subject.
        made: what was made of these, with IRIs of their own.
        remarks: what was assumed about what was asked, in words.
        geometry: IRI of the last geometry; empty for none.
        subject: what the person called it.
        foreign: what is stored of objects whose classes are not installed here.
        remembered: whether nothing was computed, where the answers do not say so.
        work: what was computed and remembered in all, where that was read from the graph.
        where: who asked for it, and the jobs that have computed it, as far as that is stored.
        stages: IRIs of answers that others took the place of or went on from, so that nobody who
            knows these needs them.
        built: what the subject was built from, as `built from a name`; empty where it was given
            itself, or is another in the end.
    """

    run: str
    status: str
    message: str = ""
    about: tuple[GraphModel, ...] = ()
    answers: tuple[Answer[Any], ...] = ()
    made: tuple[GraphModel, ...] = ()
    remarks: tuple[str, ...] = ()
    geometry: str = ""
    subject: str = ""
    foreign: tuple[Section, ...] = ()
    stages: tuple[str, ...] = ()
    remembered: bool | None = None
    where: tuple[Fact, ...] = ()
    work: Work | None = None
    built: str = ""

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        if self.remembered is not None:
            return self.remembered
        return all(answer.reused for answer in self.answers)

    @property
    def results(self) -> tuple[GraphModel, ...]:
        """All that it came to."""
        return (*(answer.result for answer in self.answers), *self.made)

    @property
    def implausible(self) -> tuple[str, ...]:
        """Why numbers that it came to are not to be believed, in words; empty where all may be."""
        found = (doubt.text for result in self.results for doubt in doubts_of(result))
        return tuple(dict.fromkeys(found))

    @property
    def differences(self) -> dict[str, float]:
        """What was computed again less what was remembered before, by IRI of the result.

        Of each result that is its `leading` number, such as an energy in Eh.
        """
        return {
            answer.recorded: getattr(answer.result, plan.name) - getattr(former.result, plan.name)
            for answer in self.answers
            if (former := answer.former) is not None and (plan := leading(answer.result))
        }


def run_blocks(ran: RunSummary) -> tuple[Section, ...]:
    """Return the sections of a run.

    The first is what it is about; the second what the last result has in common with others, such
    as an energy; then what each adds of its own; the last how it came about. What a later result
    says too, an earlier one says as a detail.
    """
    around = Around(ran.results, ran.about, ran.built)
    parts: list[tuple[GraphModel, str]] = [
        *[(answer.result, answer.recorded) for answer in ran.answers],
        *[(made, made.iri) for made in ran.made],
    ]
    whole = any(_flag(result, "whole") for result, _ in parts)
    main: list[Block] = []
    sections: list[Section] = []
    headline = max((n for n, (one, _) in enumerate(parts) if _shared(one)), default=-1)
    for place, (result, iri) in enumerate(parts):
        later = [other for other, _ in parts[place + 1 :]]
        own: list[Block] = []
        for owner, block in collect(result, around, iri):
            hook = hook_of(owner)
            again = any(isinstance(other, owner) for other in later) and not (hook and hook.each)
            if again or (whole and not _flag(result, "whole")):
                block = _detail(block)
            common = place == headline and not whole and owner in _shared(result)
            (main if common else own).append(block)
        if _renumbered(ran, place):
            own.append(Note(RENUMBERED, iri, minor=True))
        if own:
            title, name = title_of(type(result)), type(result).__name__
            sections.append(Section(title, tuple(own), iri, name))
    subject = [*_subject(ran, around), *map(Note, ran.remarks), *of_runs(around)]
    first = [Section("about", tuple(subject), ran.run, "about")]
    if main:
        result, iri = parts[headline]
        first.append(Section("result", tuple(main), iri, type(result).__name__))
    how = Section("how it was made", tuple(_how(ran)), ran.run, "how")
    return _once((*first, *sections, *ran.foreign, how))


def speaking(ran: RunSummary) -> list[str]:
    """Return the results that speak for all of a run, such as a scan for its points; none for most.

    They are IRIs, in the order in which they are read: of several kinds the later one first, as a
    barrier before the path that leads over it.
    """
    parts: list[tuple[GraphModel, str]] = [
        *[(answer.result, answer.recorded) for answer in ran.answers],
        *[(made, made.iri) for made in ran.made],
    ]
    found = [(type(one).__name__, iri) for one, iri in parts if _flag(one, "whole")]
    kinds = dict.fromkeys(kind for kind, _ in found)
    return [iri for kind in reversed(kinds) for one, iri in found if one == kind]


def answer_first(ran: RunSummary) -> tuple[Section, ...]:
    """Return the sections of a run with what was asked for right behind what it is about."""
    about, *results, how = run_blocks(ran)
    ranks = {iri: rank for rank, iri in enumerate(speaking(ran))}
    results.sort(key=lambda one: ranks.get(one.iri, len(ranks)))
    return (about, *results, how)


def answering(ran: RunSummary) -> tuple[Section, ...]:
    """Return the sections that say what was asked for: those that speak for the run, else all."""
    spoken, sections = set(speaking(ran)), answer_first(ran)
    return tuple(one for one in sections if one.iri in spoken) or sections


def _renumbered(ran: RunSummary, place: int) -> bool:
    """Tell whether a result was remembered of a copy whose items stand in another order."""
    order = ran.answers[place].motion.order if place < len(ran.answers) else None
    return order is not None and list(order) != sorted(order)


def _shared(result: GraphModel) -> list[type[GraphModel]]:
    """Return the classes that a result is derived from, of which a domain says something."""
    return [cls for cls in bases(type(result))[:-1] if hook_of(cls)]


def _flag(result: GraphModel, name: str) -> bool:
    return any(getattr(hook_of(cls), name, False) for cls in bases(type(result)))


def _detail(block: Block) -> Block:
    if isinstance(block, Fact):
        return replace(block, minor=True, headline=False)
    return replace(block, minor=True) if isinstance(block, Table) else block


def _once(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return sections in which each note stands once."""
    seen: set[str] = set()
    found: list[Section] = []
    for section in sections:
        blocks: list[Block] = []
        for block in section.blocks:
            if isinstance(block, Note):
                if block.text in seen:
                    continue
                seen.add(block.text)
            blocks.append(block)
        found.append(replace(section, blocks=tuple(blocks)))
    return tuple(found)


def _subject(ran: RunSummary, around: Around) -> Iterator[Block]:
    """Return what a run is about; what nobody has said of it is a detail."""
    for model in ran.about:
        yield from subject_blocks(model, around)


def subject_blocks(model: GraphModel, around: Around) -> Iterator[Block]:
    """Return what is shown of an object that a run is about; what nobody said is a detail."""
    known = any(map(hook_of, bases(type(model))))
    for owner, block in collect(model, around, model.iri):
        yield _detail(block) if known and not hook_of(owner) else block


def is_read(ran: RunSummary) -> bool:
    """Tell whether what a run came to was read from a file."""
    return any(isinstance(answer.activity, FileReading) for answer in ran.answers)


def read_from(kg: KnowledgeGraph, result: str) -> list[str]:
    """Return the files that a stored result was read from, by name; none if it was computed."""
    readings = kg.find(FileReading, generated=Link[GraphModel](result))
    files = sorted({link.iri for one in readings for link in one.used})
    return [called(one) for one in kg.pull_all(GraphModel, files)]


def _how(ran: RunSummary) -> Iterator[Block]:
    yield Fact("status", ran.status, name="status", note=ran.message, minor=True)
    answers = ran.answers
    if is_read(ran):
        own = [one for one in answers if not isinstance(one.activity, FileReading)]
        results: list[GraphModel] = [one.result for one in own]
        here = ", ".join(dict.fromkeys(title_of(type(one)) for one in results))
        yield Fact("how", READ + (f"; computed here: {here}" if here else ""), name="how")
    elif answers:
        new = [answer for answer in answers if not answer.reused]
        spent, old = sum(one.activity.wall_time for one in new), len(answers) - len(new)
        said = f"{len(new)} computed in {spent:.1f} s" + (f", {old} remembered" if old else "")
        yield Fact("how", said if new else "remembered, nothing computed", name="how")
        yield Fact("computed", len(new), name="computed", minor=True)
        yield Fact("remembered", old, name="remembered", minor=True)
        yield Fact("time of computing", spent, "s", "wall_time", digits=".1f", minor=True)
        last = answers[-1].activity
        threads = Fact("", last.threads, "threads", "threads")
        yield Fact("device", last.device.name, name="device", also=(threads,))
    elif ran.work is not None and ran.work.computed:
        old = f", {ran.work.remembered} remembered" if ran.work.remembered else ""
        told = f"{ran.work.computed} computed in {ran.work.seconds:.1f} s{old}"
        yield Fact("how", told, name="how")
    elif ran.remembered is not None:
        told = "remembered, nothing computed" if ran.remembered else "computed"
        yield Fact("how", told, name="how")
    yield from ran.where
    for made in ran.made:
        yield Fact(f"{title_of(type(made))} IRI", made.iri, name="iri", iri=made.iri)
    if ran.geometry:
        last = next((one for one in ran.about if one.has_iri and one.iri == ran.geometry), None)
        what = "geometry" if last is None or structure_of(last) else title_of(type(last))
        yield Fact(f"{what} IRI", ran.geometry, name="geometry_iri", iri=ran.geometry)
    yield Fact("run", ran.run, name="run", iri=ran.run)


# --- from the graph --------------------------------------------------------------------------


def read_run(kg: KnowledgeGraph, iri: str) -> RunSummary:
    """Read what the graph knows of a run.

    Args:
        kg: the graph to read from.
        iri: of the run, or of what was requested as a whole, such as a batch.

    Raises:
        NotFoundError: nothing of that IRI is stored.
        InputError: it is no run.
    """
    run = stored_run(kg, iri)
    ends = sorted(kg.find(Outcome, run=run), key=lambda end: end.ended)
    outcome = ends[-1] if ends else None
    steps = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
    parts = sorted(kg.find(Part, run=run), key=lambda part: (part.index, part.part))
    done = [step for step in (*steps, *parts) if step.activity is not None]
    links = dict.fromkeys(step.activity.iri for step in done if step.activity)
    activities = {act.generated.iri: act for act in kg.pull_all(Activity, list(links))}
    known = [link.iri for link in outcome.results] if outcome else []
    # those of parts first: what the run says it came to is what is shown last
    order = [one for one in activities if one not in known] if parts else []
    ends_at = [outcome.geometry.iri] if outcome and outcome.geometry else []
    products, strange = installed(kg, list(dict.fromkeys([*order, *known, *activities])))
    about, others = installed(kg, sorted(link.iri for link in run.about))
    last = next(iter(installed(kg, ends_at)[0]), None)
    subjects = about if last is None else [last]
    strange = list(dict.fromkeys([*others, *strange]))
    answers: list[Answer[Any]] = []
    made: list[GraphModel] = []
    for product in products:
        act = activities.get(product.iri)
        if act is None and product.identity() == "result":  # known before the first step
            act = next(iter(kg.find(Activity, generated=Link[GraphModel](product))), None)
        if act is None:
            made.append(product)
            continue
        link = Link[Activity](act)
        reused = all(step.reused for step in done if step.activity == link)
        moved, motion = in_frame(product, last)
        answers.append(Answer(moved, act, product.iri, reused, motion))
    work = work_of(kg, run.iri)
    return RunSummary(
        run.iri,
        outcome.status if outcome else "",
        outcome.message if outcome else "",
        tuple(_about(about, last, answers)),
        tuple(answers),
        tuple(made),
        geometry=last.iri if last else "",
        subject=run.subject,
        foreign=tuple(foreign(kg, iri) for iri in strange),
        where=(
            *asked_for(kg, run.iri),
            *computed_where(kg, run.iri, [*{*links, *(one.activity.iri for one in answers)}]),
        ),
        remembered=None if answers or not work.whole else not work.computed,
        work=work,
        built=next(filter(None, (origin_of(kg, one).built for one in subjects)), ""),
    )


def headline(kg: KnowledgeGraph, iri: str) -> tuple[str, str]:
    """Return the level of a run, and the first number of its last result that its domain names.

    A text stands for it where the domain says first that there is none.

    A word stands for a number that is not plausible. Either is empty where there is none, or where
    its class is not installed here.
    """
    run = kg.pull(Run, iri)
    about, _ = installed(kg, sorted(link.iri for link in run.about))
    at = next((one for one in about if isinstance(one, Level)), None)
    level = "" if at is None else at.label
    ends = sorted(kg.find(Outcome, run=run), key=lambda end: end.ended)
    for link in reversed(ends[-1].results if ends else ()):
        for one in installed(kg, [link.iri])[0]:
            level = "" if at is None else level_label(at, [one])
            blocks = blocks_of(one).blocks
            if warning_in(blocks):
                return level, IMPLAUSIBLE
            for block in blocks:
                if isinstance(block, Fact) and isinstance(block.value, float):
                    number = format(block.value, block.digits or ".6g")
                    return level, f"{block.label} {number} {block.unit}".rstrip()
                if isinstance(block, Fact) and block.headline and isinstance(block.value, str):
                    return level, f"{block.label} {block.value}"
    return level, ""


def installed(kg: KnowledgeGraph, iris: Sequence[str]) -> tuple[list[GraphModel], list[str]]:
    """Return the objects of some IRIs, and the IRIs of those whose class is not installed here."""
    try:
        return list(kg.pull_all(GraphModel, list(iris))), []
    except ForeignError:
        found: list[GraphModel] = []
        strange: list[str] = []
        for iri in iris:
            try:
                found.append(kg.pull(GraphModel, iri))
            except ForeignError:
                strange.append(iri)
        return found, strange


def foreign(kg: KnowledgeGraph, iri: str) -> Section:
    """Return what is stored of an object whose class is not installed here: its plain values."""
    answer = kg.store.query(f"SELECT ?p ?o {{ <{checked_iri(iri)}> ?p ?o }} ORDER BY ?p ?o")
    assert isinstance(answer, Rows)
    facts: list[Block] = []
    kinds: list[str] = []
    for predicate, value in answer.rows:
        term = str(getattr(predicate, "value", predicate))
        if term == RDF_TYPE:
            kinds.append(str(getattr(value, "value", value)))
        elif term != CONTENT and isinstance(value, Literal):
            name = re.split(r"[#/]", term)[-1]
            if value.datatype.value != ARRAY_DATATYPE:
                facts.append(Fact(name, value.value, name=name, iri=iri))
    kind = ", ".join(kinds) or "no class"
    title = re.split(r"[#/]", kind)[-1]
    note = Note(f"the class of {title}, {kind}, is not installed here: values have no units", iri)
    return Section(
        title, (note, *facts, Fact(f"{title} IRI", iri, name="iri", iri=iri)), iri, title
    )


def in_frame(result: GraphModel, geometry: GraphModel | None) -> tuple[GraphModel, Motion]:
    """Return a result in the frame of a geometry that its own is a copy of, else as it is."""
    own = _held(result, type(geometry)) if geometry is not None else None
    motion = geometry.motion_from(own) if geometry is not None and own is not None else None
    if motion is None or motion.is_rest:
        return result, Motion()
    return result.transformed(motion), motion


def _held(result: GraphModel, cls: type[GraphModel]) -> GraphModel | None:
    """Return the first object of a class that a result holds."""
    return next((part for part in result.parts() if type(part) is cls), None)


def _about(
    about: Sequence[GraphModel], last: GraphModel | None, answers: Sequence[Answer[Any]]
) -> Iterator[GraphModel]:
    """Return what a run is about as it is in the end: the last geometry, …, the last level."""
    final = answers[-1].result if answers else None
    for model in sorted(
        about, key=lambda one: (isinstance(one, Level), type(one) is not type(last))
    ):
        if last is not None and type(model) is type(last):
            yield last
        elif final is not None and isinstance(held := _held(final, type(model)), type(model)):
            yield held
        else:
            yield model
