"""The supporting information of a paper: what it says, in which order.

It knows no domain: `workflows.show.paper` says what is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ogm.terms import shorten
from workflows.registry.references import Cited, Reference
from workflows.show.blocks import Chart, Fact, Note, Section
from workflows.show.paper import LevelEntry, Paper
from workflows.show.structures import StructureEntry
from workflows.text.safe_text import on_one_line
from workflows.text.words import listed

from .document import Figure, Grid, Heading, Lines, Paragraph, Piece
from .text import fact_text, rows, tables, written

COLUMNS = (
    "energy",
    "zero_point_energy",
    "enthalpy",
    "gibbs_energy",
    "imaginary",
    "lowest_wavenumber",
    "point_group",
)
"""Facts in the table of all structures, as far as there are such, before other head facts."""

COURSE = "course"
"""The chart of how an optimisation went, of which a paper has no use."""

WITHIN = {"imaginary": "Nimag", "lowest_wavenumber": "lowest mode"}
"""Heads of columns whose facts are labelled by what stands beside them."""


def pieces(found: Paper, figures: Sequence[Figure] = ()) -> Iterator[Piece]:
    """Iterate over what a supporting information says, in order."""
    numbers = {one.doi or one.text: n for n, one in enumerate(found.references, 1)}
    titles = list(dict.fromkeys(on_one_line(one.title) for one in found.runs))
    yield Heading(f"Supporting Information: {'; '.join(titles)}", 1)
    yield Heading("Computational methods")
    yield from map(Paragraph, _methods(found, numbers))
    told = [part for run in found.runs if run.sections for part in _results(run.sections)]
    if told or figures:
        yield Heading("Results")
        yield from told
        yield from figures
    yield Heading("Energies and characterisation of all structures")
    yield from _overview(found)
    yield Heading("Structures")
    first: dict[str, int] = {}
    for place, each in enumerate(found.structures.values(), 1):
        structures = [one for _, one in each]
        same = first.setdefault(structures[0].iri, place)
        yield from _structure(place, structures, same)
    yield Heading("References")
    for place, one in enumerate(found.references, 1):
        yield Paragraph(f"[{place}] {one.formatted}")
    if found.without:
        yield Paragraph(f"No reference is known here for: {'; '.join(found.without)}.")
    yield Heading("Software and data")
    if found.packages:
        yield Paragraph(f"Packages that were loaded besides: {', '.join(found.packages)}.")
    names = ", ".join(shorten(run.record.run.iri) for run in found.runs)
    yield Paragraph(f"Runs: {names} (g: stands for https://w3id.org/grafico/).")


# --- methods ---------------------------------------------------------------------------------


def _methods(found: Paper, numbers: dict[str, int]) -> Iterator[str]:
    programs = listed([_cite(one, numbers) for one in found.programs])
    if found.mixed:
        labels = listed(list(dict.fromkeys(one.label for one in found.levels)))
        yield (
            f"These runs were made at different levels of theory ({labels}). Energies of different "
            "levels do not compare; each is marked with its level below."
        )
    for level in found.levels:
        yield _level(level, numbers)
    if programs:
        yield f"Programs: {programs}."
    notes = dict.fromkeys(
        block.text.rstrip(".")
        for run in found.runs
        for one in run.structures
        for part in one.sections
        for block in part.blocks
        if isinstance(block, Note) and block.minor and not block.lacking
    )
    if notes:
        yield ". ".join(map(on_one_line, notes)) + "."


def _level(level: LevelEntry, numbers: dict[str, int]) -> str:
    kinds = listed(level.kinds) or "energy"
    were = "were" if len(level.kinds) > 1 else "was"
    cited = level.described.cited
    parts = listed([_cite(one, numbers) for one in cited])
    at = f"{level.label}, that is with {parts}" if parts else level.label
    if len(cited) == 1 and cited[0].text == level.label:
        at = parts
    text = f"{kinds} {were} computed at {at}."
    if level.sources:
        files = listed(level.sources)
        text = f"{kinds} at {at} {were} read from {files}, not computed here."
        if level.unsaid:
            them = "these do" if len(level.sources) > 1 else "this file does"
            text += f" Of the level {them} not say: {', '.join(level.unsaid)}."
    if level.described.settings:
        text += f" Settings: {'; '.join(level.described.settings)}."
    return text[:1].upper() + text[1:]


def _cite(one: Cited, numbers: dict[str, int]) -> str:
    places = sorted({numbers[each.doi or each.text] for each in one.references})
    return f"{one.text} [{','.join(map(str, places))}]" if places else one.text


# --- results and structures ------------------------------------------------------------------


def _results(sections: Iterable[Section]) -> Iterator[Piece]:
    for section in sections:
        yield Heading(section.title, 3)
        lines = rows([section])
        if lines:
            yield Grid(
                ("quantity", "value"), [[on_one_line(cell) for cell in row] for row in lines]
            )
        for head, cells in tables([section]):
            yield Grid(head, cells)


def _overview(found: Paper) -> Iterator[Piece]:
    each = [(n, *x) for n, some in enumerate(found.structures.values(), 1) for x in some]
    structures = [one for *_, one in each]
    facts = [one.facts for one in structures]
    names = [name for name in COLUMNS if any(name in some for some in facts)]
    others = dict.fromkeys(
        name
        for some in facts
        for name, fact in some.items()
        if fact.headline and name not in COLUMNS and isinstance(fact.value, int | float)
    )
    names += others
    head = ["no.", "structure", *(["level"] if len(found.levels) > 1 else [])]
    for name in names:
        fact = next(some[name] for some in facts if name in some)
        label = WITHIN.get(name, fact.label.strip())
        unit = "" if name == "imaginary" else fact.unit
        head.append(f"{label} ({unit})" if unit else label)
    if any(one.source for one in structures):
        head.append("read from (not computed here)")
    cells: list[list[str]] = []
    seen: list[list[str]] = []
    for (place, run, one), some in zip(each, facts, strict=True):
        labels = list(dict.fromkeys(level.label for level in one.levels))
        row = [
            f"S{place}",
            on_one_line(one.title),
            *([", ".join(labels)] if "level" in head else []),
        ]
        row += [_value(some.get(name)) for name in names]
        row += [on_one_line(one.source)] if len(head) > len(row) else []
        if row in seen:
            continue
        seen.append([*row])
        if run.differs and len([1 for number, *_ in each if number == place]) > 1:
            row[1] = on_one_line(f"{one.title}, {run.differs}")
        cells.append(row)
    yield Grid(head, cells)
    held: dict[str, list[str]] = {}
    for name in names:
        for fact in filter(None, (some.get(name) for some in facts)):
            at = " and ".join(f"{_value(one)} {one.unit}" for one in fact.at)
            if at and fact.label not in held.setdefault(at, []):
                held[at].append(fact.label)
    said = [f"{listed(labels)} at {at}" for at, labels in held.items()]
    if "imaginary" in names:
        said.append("Nimag: number of imaginary modes")
    if said:
        text = "; ".join(said)
        yield Paragraph(f"{text[:1].upper()}{text[1:]}.")


def _value(fact: Fact | None) -> str:
    if fact is None:
        return ""
    values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    return ", ".join(written(one, fact.digits) for one in values)


def _structure(place: int, each: Sequence[StructureEntry], same: int) -> Iterator[Piece]:
    """Iterate over what is said of a structure: what several runs say of it together, once.

    Args:
        place: its number.
        each: it, as each run has it.
        same: the number of the first structure of the same geometry.
    """
    one = each[0]
    yield Heading(f"S{place}. {on_one_line(one.title)}", 3)
    if one.source:
        yield Paragraph(f"Read from {on_one_line(one.source)}, not computed here.")
    lines: dict[tuple[str, str], None] = {}
    for label, text in (row for same in each for row in rows(same.sections)):
        lines.setdefault((label, text))
    lines.setdefault(("geometry IRI", shorten(one.iri)))
    yield Grid(
        ("quantity", "value"), [[on_one_line(label), on_one_line(text)] for label, text in lines]
    )
    if same != place:
        yield Paragraph(f"Cartesian coordinates: those of S{same}.")
        return
    yield Paragraph("Cartesian coordinates (Å):")
    yield Lines(coordinates(one))


def coordinates(one: StructureEntry) -> str:
    """Return the atoms of a structure, a line for each."""
    pairs = zip(one.drawn.symbols, one.drawn.positions, strict=True)
    return "\n".join(
        f"{symbol:<3}" + "".join(f"{round(x, 8) + 0.0:14.8f}" for x in place)
        for symbol, place in pairs
    )


def xyz(one: StructureEntry, place: int) -> str:
    """Return a structure as an XYZ file."""
    energy = one.facts.get("energy")
    levels = ", ".join(dict.fromkeys(level.label for level in one.levels))
    said = f"S{place} {on_one_line(one.title)}; {levels}"
    said += f"; read from {on_one_line(one.source)}, not computed here" if one.source else ""
    if energy is not None:
        said += f"; energy {fact_text(energy)}"
    return f"{len(one.drawn.symbols)}\n{said}\n{coordinates(one)}\n"


def bibtex(references: Sequence[Reference]) -> str:
    """Return references as a BibTeX file; keys that stand for two publications are told apart."""
    taken: set[str] = set()
    entries: list[str] = []
    for one in references:
        key = one.key
        while key in taken:
            key += "_"
        taken.add(key)
        entries.append(one.bibtex.replace(one.key, key, 1))
    return "\n".join(entries)


def charts(found: Paper) -> dict[Chart, str]:
    """Return what can be drawn of runs, each once, with what it shows."""
    places = [
        *((run.differs, part) for run in found.runs for part in run.sections),
        *(
            (f"S{n}, {one.title}", part)
            for n, each in enumerate(found.structures.values(), 1)
            for _, one in each
            for part in one.sections
        ),
    ]
    shown: dict[Chart, str] = {}
    for where, part in places:
        for block in part.blocks:
            if isinstance(block, Chart) and block.name != COURSE:
                shown.setdefault(block, on_one_line(": ".join(filter(None, [block.title, where]))))
    return shown
