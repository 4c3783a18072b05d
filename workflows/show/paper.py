"""What a supporting information says of runs: their structures, levels, programs and references.

It knows no domain. Structures are found by following what a run came to through parts and links to
the results of levels; what is said of each are its blocks, as for a run that is about it alone.
What is cited of a level its program says; see `workflows.registry.references`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, cast

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.collection import Batch, Entry
from ontologies.level import Level
from ontologies.outputs import NOT_SAID, ImportedLevel
from ontologies.provenance import Activity, FileReading, Run
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import Thermochemistry
from triplestore.errors import ComponentError, RecordError
from workflows.engine.execution.withdrawn import why_withdrawn, withdrawals
from workflows.engine.request.with_units import unit_of
from workflows.registry import workflows
from workflows.registry.levels import offered
from workflows.registry.references import (
    Cited,
    Described,
    Reference,
    basis_cited,
    cited,
    known,
)
from workflows.show.blocks import Fact, Section
from workflows.show.lineage import lineage
from workflows.show.object_blocks import doubts_of, title_of
from workflows.show.run_blocks import answer_first, read_from, speaking
from workflows.show.run_record import RunRecord, read_record
from workflows.show.structures import StructureEntry, last_structure, structures_behind
from workflows.text.words import listed

FILE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
"""How the name of a file ends."""

SPELT = {"geometric": "geomeTRIC", "pyscf": "PySCF", "rdkit": "RDKit"}
"""Programs that are written otherwise than their packages are called."""


@dataclass(frozen=True)
class RunEntry:
    """A run with its structures.

    Attributes:
        record: what the graph knows of it.
        title: what it is about.
        sections: what it came to beside its structures.
        structures: in order.
        differs: by what it differs from others of its title, such as `temperature 350 K`.
    """

    record: RunRecord
    title: str
    sections: tuple[Section, ...]
    structures: tuple[StructureEntry, ...]
    differs: str = ""

    @property
    def called(self) -> str:
        """Its title, with what it differs by."""
        return ", ".join(filter(None, [self.title, self.differs]))

    @property
    def levels(self) -> list[Level]:
        """Each level once."""
        named = [one for one in self.record.ran.about if isinstance(one, Level)]
        used = [level for one in self.structures for level in one.levels]
        return list({one.iri: one for one in (*used, *named)}.values())


@dataclass(frozen=True)
class LevelEntry:
    """A level with what was computed at it.

    Attributes:
        label: its short form; several where only the spins' orbitals differ.
        kinds: of results, in words.
        described: its parts and settings.
        sources: files of other programs that its results were read from; empty where they were
            computed.
        unsaid: what these do not say of it.
    """

    label: str
    kinds: tuple[str, ...]
    described: Described
    sources: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """A supporting information.

    Attributes:
        runs: in the order in which they were named.
        levels: of all.
        programs: with their versions, those that are cited.
        packages: others that were loaded, with their versions.
        mixed: whether runs were made at different levels.
    """

    runs: tuple[RunEntry, ...]
    levels: tuple[LevelEntry, ...]
    programs: tuple[Cited, ...]
    packages: tuple[str, ...]
    mixed: bool

    @property
    def structures(self) -> dict[tuple[str, ...], list[tuple[RunEntry, StructureEntry]]]:
        """Each structure once, with the runs that have it at the same levels."""
        found: dict[tuple[str, ...], list[tuple[RunEntry, StructureEntry]]] = {}
        for run in self.runs:
            for one in run.structures:
                found.setdefault(_key(one), []).append((run, one))
        return found

    @property
    def references(self) -> tuple[Reference, ...]:
        """All that is cited, each once, in the order in which it is."""
        parts = (*(one for level in self.levels for one in level.described.cited), *self.programs)
        found: dict[str, Reference] = {}
        for part in parts:
            for one in part.references:
                found.setdefault(one.doi or one.text, one)
        return tuple(found.values())

    @property
    def without(self) -> tuple[str, ...]:
        """Parts of levels for which no reference is known here."""
        parts = (one for level in self.levels for one in level.described.cited)
        return tuple(dict.fromkeys(one.text for one in parts if not one.references))


def paper(kg: KnowledgeGraph, runs: Sequence[str], *, mixed: bool = False) -> Paper:
    """Read what a supporting information on runs says.

    Args:
        kg: the graph to read from.
        runs: their IRIs.
        mixed: whether runs at different levels may stand together.

    Raises:
        NotFoundError: nothing is stored of a run.
        InputError: an IRI is that of something else.
        RecordError: a run is not finished or has numbers that are not to be believed; it has no
            structure; or levels are mixed that may not be.
    """
    entries = tuple(one for iri in dict.fromkeys(runs) for one in _runs(kg, iri))
    differing = _differing(entries)
    entries = tuple(replace(one, differs=differing.get(one.record.run.iri, "")) for one in entries)
    if len(entries) > 1:
        shared = Counter(key for entry in entries for key in {*map(_key, entry.structures)})
        for entry in entries:
            for one in entry.structures:
                where = entry.title if shared[_key(one)] > 1 else entry.called
                if one.title == entry.title:
                    one.title = where
                else:
                    one.title = f"{one.title} ({where})"
    different = _levels_differ(entries)
    if different and not mixed:
        said = "; ".join(
            f"{one.title}: {', '.join(sorted({_alike(level).label for level in one.levels}))}"
            for one in entries
        )
        raise RecordError(
            "a supporting information on these runs was asked for",
            f"they were made at different levels, whose energies do not compare ({said})",
            "name runs of one level, or add --mixed: the text then says so",
        )
    levels = _levels(kg, entries)
    programs, packages = _programs(kg, entries)
    return Paper(entries, levels, programs, packages, different)


def _key(one: StructureEntry) -> tuple[str, ...]:
    """Return what makes a structure the same one: its geometry and the levels of its results."""
    return (one.iri, *sorted({level.iri for level in one.levels}), one.source)


def _differing(entries: Sequence[RunEntry]) -> dict[str, str]:
    """Return by what runs of the same title differ in what was asked, by IRI."""
    found: dict[str, str] = {}
    for title in {one.title for one in entries}:
        alike = [one.record.run for one in entries if one.title == title]
        asked: list[dict[str, Any]] = [json.loads(one.forms or one.request) for one in alike]
        flat = [_flat(one) for one in asked]
        names = dict.fromkeys(name for one in flat for name in one)
        varied = [n for n in names if len({json.dumps(one.get(n)) for one in flat}) > 1]
        for run, one in zip(alike, flat, strict=True):
            told = [_said_of(run, name, one[name]) for name in varied if one.get(name)]
            found[run.iri] = ", ".join(told)
    return found


def _flat(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of forms, whichever form has them."""
    found: dict[str, Any] = {}
    for name, value in asked.items():
        if isinstance(value, Mapping):
            found |= _flat(cast("Mapping[str, Any]", value))
        else:
            found[name] = value
    return found


def _said_of(run: Run, name: str, value: Any) -> str:
    """Return a field and its value in words, with its unit."""
    whole = workflows()[run.graph].whole if run.graph in workflows() else None
    forms = whole.all_forms if whole else ()
    field = next((form.offered()[name] for form in forms if name in form.offered()), None)
    number = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{name.replace('_', ' ')} {number} {unit_of(field) if field else ''}".rstrip()


# --- runs and their structures ---------------------------------------------------------------


def _runs(kg: KnowledgeGraph, iri: str) -> list[RunEntry]:
    """Return a run, or its parts where it is but their sum, such as a batch."""
    record = read_record(kg, iri)
    if not speaking(record.ran) and not last_structure(record.ran):
        entries: list[Run] = []
        for asked in _of_the_same(kg, record.run):  # asked again, it has computed nothing itself
            parts = kg.find(Run, parent=Link[Run](asked))
            entries = sorted(parts, key=lambda one: (one.parent_index or 0, one.started))
            if entries:
                break
        if entries:
            names = _names(kg, record.run)
            places = {text: place for place, text in enumerate(names)}
            entries.sort(key=lambda one: places.get(one.subject, len(places)))
            return [
                _run(kg, read_record(kg, one.iri), names.get(one.subject, "")) for one in entries
            ]
    return [_run(kg, record)]


def _names(kg: KnowledgeGraph, run: Run) -> dict[str, str]:
    """Return what the entries of a batch are called in its source, by their texts, in order."""
    found: dict[str, str] = {}
    for about in run.about:
        batch = kg.pull(GraphModel, about.iri)
        if isinstance(batch, Batch):
            entries = kg.find(Entry, collection=batch.collection)
            for one in sorted(entries, key=lambda one: one.index):
                found.setdefault(one.text, one.name if one.name != one.place else "")
    return found


def _of_the_same(kg: KnowledgeGraph, run: Run) -> list[Run]:
    """Return a run, and before it those that asked the very same, the latest first."""
    others = [one for about in run.about for one in kg.find(Run, about=about)]
    alike = {one.iri: one for one in others if one.request == run.request and one.iri != run.iri}
    return [run, *sorted(alike.values(), key=lambda one: one.started, reverse=True)]


def _run(kg: KnowledgeGraph, record: RunRecord, name: str = "") -> RunEntry:
    ran = record.ran
    asked = f"a supporting information on {record.run.goal} of {record.run.subject} was asked for"
    if ran.status != "finished":
        why = f" ({ran.message})" if ran.message else ""
        how = ran.status or "has no recorded end"
        raise RecordError(
            asked,
            f"the run is not finished: {how}{why}",
            f"go on with it: grafico resume {ran.run}",
        )
    rests_on = {step.activity.iri for step in record.steps if step.activity is not None}
    if withdrawn := withdrawals(kg, [record.run.iri, *sorted(rests_on)]):
        what = "it" if record.run.iri in withdrawn else "what it rests on"
        raise RecordError(
            asked,
            f"{what} was {why_withdrawn(kg, withdrawn)}",
            "compute it anew, or take it back into use: grafico withdraw --undo",
        )
    spoken = speaking(ran)
    if spoken:
        found = structures_behind(kg, kg.pull_all(GraphModel, spoken))
        chosen = tuple(one for one in answer_first(ran) if one.iri in spoken)
    else:
        found, chosen = last_structure(ran), ()
    if not found:
        raise RecordError(
            asked,
            "no structure with an energy was found in what it came to",
            "name a run that computes molecules; `grafico report` shows this one",
        )
    doubts = [doubt.text for one in found for each in one.results for doubt in doubts_of(each)]
    if doubts := [*doubts, *ran.implausible]:
        raise RecordError(
            asked, f"its numbers are not to be believed: {doubts[0]}", "see `grafico report`"
        )
    for one in found:
        if any(getattr(each, "converged", True) is False for each in one.results):
            raise RecordError(asked, f"{one.title} did not converge", "compute it anew")
        one.sections = _with_origin(kg, one)
        one.source = listed(list(dict.fromkeys(x for y in one.results for x in _files_of(kg, y))))
    title = name or _title(record, found[0])
    if not spoken:
        found[0].title = title
    return RunEntry(record, title, chosen, tuple(found))


def _files_of(kg: KnowledgeGraph, result: GraphModel) -> list[str]:
    return read_from(kg, result.iri) if result.has_iri else []


def _with_origin(kg: KnowledgeGraph, one: StructureEntry) -> tuple[Section, ...]:
    """Return the sections of a structure, with where its coordinates come from, if known."""
    *relaxed, first = lineage(kg, kg.pull(GraphModel, one.iri), one.results)
    if not first.witness or not one.sections:
        return one.sections
    label = "began from" if relaxed else "coordinates"
    head, *rest = one.sections
    blocks = list(head.blocks)
    for place, block in enumerate(blocks if relaxed else ()):
        given = isinstance(block, Fact) and block.name == "geometry" and block.value == "as given"
        if given and isinstance(block, Fact):  # to the run, and not to those who read this
            made = relaxed[0].text.replace(" from the geometry below", "")
            blocks[place] = replace(block, value=made)
    told = Fact(label, first.text, name="origin")
    return (replace(head, blocks=(*blocks, told)), *rest)


def _title(record: RunRecord, first: StructureEntry) -> str:
    """Return what a run is called: as its subject was named, but not where that lies on a disk."""
    subject = record.run.subject
    is_place = subject.startswith(("/", "~", ".", "http")) or FILE.search(subject)
    if is_place:
        return PurePath(subject).stem
    return subject or first.title


# --- levels and programs ---------------------------------------------------------------------


def _alike(level: Level) -> Level:
    """Return a level as it is for closed shells: references of species may differ."""
    if "reference" in type(level).model_fields:
        return level.model_copy(update={"reference": "restricted"})
    return level


def _levels_differ(entries: Sequence[RunEntry]) -> bool:
    return len({frozenset(_alike(level).iri for level in one.levels) for one in entries}) > 1


def _levels(kg: KnowledgeGraph, entries: Sequence[RunEntry]) -> tuple[LevelEntry, ...]:
    kinds: dict[str, list[str]] = {}
    sources: dict[str, list[str]] = {}
    levels: dict[str, Level] = {}
    numbers: dict[str, set[int]] = {}
    for entry in entries:
        for level in entry.levels:
            levels.setdefault(level.iri, level)
        for structure in entry.structures:
            for result in structure.results:
                held = result.frequencies if isinstance(result, Thermochemistry) else result
                if isinstance(held, EnergyResult):
                    key = held.level.iri
                    sources.setdefault(key, []).extend(files := _files_of(kg, result))
                    title = title_of(type(result))
                    kinds.setdefault(key, []).append(title.partition(",")[0] if files else title)
                    numbers.setdefault(key, set()).update(held.atoms.numbers.tolist())
    everything = {one for some in numbers.values() for one in some}
    return tuple(
        LevelEntry(
            level.label,
            tuple(dict.fromkeys(kinds.get(key, ()))),
            _described(level, sorted(numbers.get(key) or everything)),
            tuple(dict.fromkeys(sources.get(key, ()))),
            level.unsaid,
        )
        for key, level in levels.items()
        if key in kinds or not kinds
    )


def _described(level: Level, numbers: Sequence[int]) -> Described:
    try:
        return offered(level).described(level, numbers)
    except ComponentError:  # a store from elsewhere: its program is not installed here
        said = {name: word for name, word in level.words.items() if name not in level.unsaid}
        parts = (
            [cited("method", said["method"], f"the method {said['method']}")]
            if "method" in said
            else []
        )
        basis = said.get("basis")
        return Described((*parts, *(basis_cited(basis, numbers) if basis else ())))


def _programs(
    kg: KnowledgeGraph, entries: Sequence[RunEntry]
) -> tuple[tuple[Cited, ...], tuple[str, ...]]:
    """Return the programs that made the results, and the packages that were loaded beside them.

    Cited are those that levels name, what relaxed geometries, and what made those of a sample.
    """
    versions: dict[str, set[str]] = {}
    named: dict[str, tuple[Reference, ...]] = {}
    treatments: dict[tuple[str, float | None], None] = {}
    for entry in entries:
        own = {level.program.lower() for level in entry.levels}
        made = [(one.result, one.activity) for one in entry.record.ran.answers]
        for result in (one for structure in entry.structures for one in structure.results):
            if isinstance(result, Thermochemistry):
                treatments[result.treatment, result.cutoff] = None
            if result.has_iri:
                found = kg.find(Activity, generated=Link[GraphModel](result))
                made += [(result, activity) for activity in found]
        for level in entry.levels:
            if isinstance(level, ImportedLevel):  # what read it stands among the activities
                versions.setdefault(level.program, set()).add(
                    level.program_version.replace(NOT_SAID, f"(version {NOT_SAID})")
                )
                named[level.program] = known("software", level.program)
        for result, activity in made:
            kinds = ["optimiser"] if isinstance(result, RelaxedGeometry) else []
            if not isinstance(result, EnergyResult | Thermochemistry):
                kinds.append("sampler")
            if isinstance(activity, FileReading):
                kinds.append("reader")
            for used in activity.software:
                versions.setdefault(used.name, set()).add(used.version)
                for kind in (*kinds, *(["software"] if used.name.lower() in own else [])):
                    if there := known(kind, used.name):
                        named[used.name] = there
        grafico = entry.record.run.software
        versions.setdefault(grafico.name, set()).add(grafico.version)
    said = _said(versions)
    programs = [Cited(text, named[name]) for name, text in said if named.get(name)]
    programs += [
        Cited(f"{one} thermochemistry" + (f" around {cutoff:g} cm⁻¹" if cutoff else ""), there)
        for one, cutoff in treatments
        if (there := known("thermochemistry", one))
    ]
    return tuple(programs), tuple(text for name, text in said if not named.get(name))


def _said(versions: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Return names with themselves and their versions in words."""
    return [
        (name, f"{SPELT.get(name, name)} {', '.join(sorted(versions[name]))}")
        for name in sorted(versions)
    ]
