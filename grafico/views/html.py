"""Blocks as HTML: a page of its own, and what a notebook shows.

Nothing is loaded from anywhere, every text is escaped, and a page runs its own script only.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from urllib.parse import quote

from grafico.session.inspection import shorten
from grafico.views import picture
from ontologies.factors import HARTREE
from workflows.show.blocks import Block, Chart, Fact, Note, Section, Structure, Table, Value
from workflows.text.safe_text import on_one_line, printable

from .chart_data import as_csv, as_table
from .drawing import pictures
from .numbers import number

if TYPE_CHECKING:
    from jinja2 import Template

PICTURE = (640, 400)
"""Pixels of a structure."""

TURNED = 1500
"""Bonds and atoms up to which a structure can be turned."""

WIDE = 5
"""Columns from which on a table has a row of the page for itself."""

LONG = 24
"""Letters of a value from which on it has a row of the key facts for itself."""


@dataclass(frozen=True)
class Article:
    """A part of a page, on one run or object.

    Attributes:
        title: of the part.
        head: a chart or a structure, and key facts, beside each other.
        sections: all else, in order.
        subtitle: beside the title.
        asked: what was asked, in a line.
        status: how it ended.
        tone: `finished`, `unmet`, `failed` or `open`, of the status and the banner.
        banner: what must be read first: a word, and a sentence.
    """

    title: str
    head: Section
    sections: tuple[Section, ...]
    subtitle: str = ""
    asked: str = ""
    status: str = ""
    tone: str = "open"
    banner: tuple[str, str] | None = None

    @property
    def drawn(self) -> bool:
        """Whether a structure stands at its head."""
        return any(isinstance(one, Structure) for one in self.head.blocks)


def page(
    articles: Sequence[Article],
    title: str,
    lead: Sequence[str],
    overview: Table | None = None,
    query: str = "",
    footer: str = "",
    again: int = 0,
) -> str:
    """Return a whole HTML document.

    Args:
        articles: its parts.
        title: of the document.
        lead: the heading, and lines below it.
        overview: a row for each article, the first column its name.
        query: with which its numbers are found again.
        footer: what stands at the end.
        again: seconds after which a browser reads it again, where it is written again; 0 for never.
    """
    drawn = _with_pictures(articles)
    return str(_macros().page(drawn, title, lead, overview, query, footer, again)).lstrip()


def fragment(*sections: Section) -> str:
    """Return sections as HTML that may stand in a page of others, such as a notebook."""
    return str(_macros().fragment(_sections_with_pictures(sections)))


@functools.cache
def _macros() -> Any:
    return _template().module


def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    here = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {
        "again": _again,
        "apart": _apart,
        "cells": _cells,
        "csv": _csv,
        "csp": _digest,
        "data": _data,
        "drawn": _drawn,
        "markup": _markup,
        "numeric": _numeric,
        "parted": _parted,
        "place": _place,
        "rows": _rows,
        "sentence": _sentence,
        "short": shorten,
        "xyz": xyz,
        "table_of": as_table,
        "usual": usual,
        "value": _value,
    }
    here.filters.update(filters)
    return here.get_template("page.html")


def _markup(text: str) -> Any:
    """Let what is made here pass unescaped."""
    from markupsafe import Markup

    return Markup(text)


def _shown(value: Any) -> Any:
    """Return what stands in the page for a value: texts of others without what is not seen."""
    return printable(value) if type(value) is str else value  # markup is made here


def _sentence(text: str) -> str:
    """Begin a sentence with words of ours, and end it; names keep their letters (r2SCAN)."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", ":")) else ".")


def _digest(text: Any) -> str:
    """Return what a content security policy calls an inline script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode()}'"


# --- values --------------------------------------------------------------------------------------


def _value(value: Value | tuple[Value, ...], digits: str = "") -> Any:
    """Write a value: numbers with the exact one beside them, several with commas between."""
    from markupsafe import Markup

    if isinstance(value, tuple):
        return Markup(", ").join(_value(one, digits) for one in value)
    if isinstance(value, bool):
        return written(value, digits)
    if isinstance(value, str):
        short = shorten(value) if value.startswith("https://") else value
        return value if short == value else Markup("<code>{}</code>").format(printable(short))
    return Markup('<data value="{}">{}</data>').format(repr(value), written(value, digits))


def written(value: Value, digits: str = "") -> str:
    """Write a value as it is read: a number with a real minus and powers of ten raised."""
    if isinstance(value, str):
        return shorten(value) if value.startswith("https://") else value
    if isinstance(value, bool):
        yes, _, no = digits.partition("|") if "|" in digits else ("yes", "", "no")
        return yes if value else no
    before, hole, after = digits.partition("{}")
    if hole:
        return f"{before}{written(value)}{after}"
    if not math.isfinite(value):
        return str(float(value)).replace("-", "−")
    try:
        return number(value, digits or ("d" if isinstance(value, int) else ".6g"))
    except ValueError:
        return number(value, ".6g")


def usual(fact: Fact) -> Fact:
    """Return a difference of energies in the units that people read; Eh stands behind them."""
    same = [one for one in fact.also if _again(one, fact)]
    others = [one for one in fact.also if one not in same]
    if fact.difference and fact.unit == "Eh" and isinstance(fact.value, float):
        molar = Fact("", fact.value * HARTREE["kJ/mol"], "kJ/mol", fact.name, digits=".2f")
        first = same.pop(0) if same else molar
        same.append(Fact("", fact.value, fact.unit, fact.name, digits=fact.digits))
        fact = replace(fact, value=first.value, unit=first.unit, digits=first.digits)
    same.sort(key=lambda one: one.unit == "Eh")
    return replace(fact, also=(*same, *others))


def _apart(table: Table) -> tuple[Table, Table | None]:
    """Return what is seen of a table, and its names in the graph, which are behind details."""
    places = range(len(table.columns))
    names = [n for n in places if any(_is_iri(row[n]) for row in table.rows)]
    seen = [n for n in places if n not in names]
    if table.minor or not names or not seen:
        return table, None
    return _columns(table, seen), _columns(table, [seen[0], *names])


def _columns(table: Table, places: Sequence[int]) -> Table:
    rows = tuple(tuple(row[n] for n in places) for row in table.rows)
    return replace(table, columns=tuple(table.columns[n] for n in places), rows=rows)


def _is_iri(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("https://", "http://")) and " " not in value


def _again(one: Fact, fact: Fact) -> bool:
    """Tell whether a fact says another one again, in another unit."""
    return not one.label and one.name == fact.name and not isinstance(one.value, str)


def _numeric(table: Table) -> list[bool]:
    """Tell of each column whether it holds numbers."""
    return [
        any(type(row[place]) in (int, float) for row in table.rows)
        and all(row[place] is None or type(row[place]) in (int, float) for row in table.rows)
        for place in range(len(table.columns))
    ]


def _data(table: Table) -> dict[str, Any]:
    """Return what a script needs of a table that is to be looked through; strings are cleaned."""
    columns = [
        {
            "label": printable(one.label),
            "unit": one.unit,
            "name": printable(one.name),
            "minor": one.minor,
            "number": number,
            "fact": bool(one.digits or one.unit),
            "fixed": int(one.digits[1:-1]) if re.fullmatch(r"\.\d+f", one.digits) else None,
        }
        for one, number in zip(table.columns, _numeric(table), strict=True)
    ]
    return {"columns": columns, "rows": [[_plain(one) for one in row] for row in table.rows]}


def _plain(value: Value | None) -> Value | None:
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no such number
    return printable(value) if isinstance(value, str) else value


def _place(fact: Fact, first: bool) -> str:
    """Tell how much room a key fact takes."""
    texts = [fact.note, *(str(one.value) for one in (fact, *fact.also)), *fact.label.split("|")]
    wide = len(fact.also) > 1 or isinstance(fact.value, tuple) or any(len(t) > LONG for t in texts)
    return "first" if first else "wide" if wide else ""


# --- pictures ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A structure as SVG, and the numbers by which it is turned, if it can be."""

    svg: Any
    numbers: dict[str, Any] | None


def _with_pictures(articles: Sequence[Article]) -> list[Article]:
    """Return articles whose charts are drawn, all at once."""
    sections = [section for one in articles for section in (one.head, *one.sections)]
    drawn = iter(_sections_with_pictures(sections))
    return [
        replace(one, head=next(drawn), sections=tuple(next(drawn) for _ in one.sections))
        for one in articles
    ]


def _sections_with_pictures(sections: Sequence[Section]) -> list[Section]:
    charts = [block for one in sections for block in one.blocks if isinstance(block, Chart)]
    drawn, numbers = iter(pictures(charts)), count(1)

    def shown(block: Block) -> Block:
        if isinstance(block, Structure):  # it may stand there twice
            return replace(block, name=f"{block.name} {next(numbers)}")
        return next(drawn) if isinstance(block, Chart) else block

    return [replace(one, blocks=tuple(map(shown, one.blocks))) for one in sections]


def _csv(chart: Chart) -> tuple[str, str]:
    """Return a name for the numbers of a chart, and the file as a data URI."""
    return f"{_file_name(chart.title) or 'chart'}.csv", _file("text/csv", as_csv(chart))


def _file_name(title: str) -> str:
    plain = normalize("NFKC", title)  # H₂O is H2O
    return "".join(c for c in plain if c.isascii() and c.isalnum())[:80]


def _file(kind: str, text: str) -> str:
    return f"data:{kind};charset=utf-8,{quote(text, '')}"


def _name(structure: Structure) -> str:
    """Return a name for the parts of a picture that no other picture has."""
    said = repr((structure.iri, structure.title, structure.name, structure.positions))
    return f"atoms-{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def _drawn(structure: Structure, turnable: bool, name: str = "") -> Drawn:
    view = picture.scene(replace(structure, title=on_one_line(structure.title)))
    small = len(view.points) + len(view.bonds) <= min(TURNED, picture.MANY)
    return Drawn(
        _markup(picture.draw(view, *PICTURE, name or _name(structure))),
        view.numbers(*PICTURE) if turnable and small and view.points else None,
    )


def xyz(structure: Structure) -> tuple[str, str]:
    """Return a name for an XYZ file of a structure, and the file as a data URI."""
    notes = [structure.note, structure.iri]
    if structure.cell:
        cell = " ".join(f"{x:.9f}" for vector in structure.cell for x in vector)
        notes.insert(0, f'Lattice="{cell}" pbc="T T T"')
    comment = " ".join(" ".join(notes).split())
    rows = [
        f"{symbol} {x:.10f} {y:.10f} {z:.10f}"
        for symbol, (x, y, z) in zip(structure.symbols, structure.positions, strict=True)
    ]
    text = "\n".join([str(len(rows)), comment, *rows, ""])
    return f"{_file_name(structure.title) or 'structure'}.xyz", _file("chemical/x-xyz", text)


# --- layout --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Blocks that stand together."""

    kind: str
    blocks: tuple[Block, ...]
    title: str = ""
    wide: bool = False
    turnable: bool = False
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Cells:
    """What is seen of a section, and what opens on demand."""

    shown: tuple[Cell, ...]
    folded: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True)
class ArticleParts:
    """What stands at the head of an article, and what comes after it."""

    chart: Chart | None
    structure: Structure | None
    facts: tuple[Fact, ...]
    rest: tuple[Section, ...]


def _parted(section: Section) -> ArticleParts:
    blocks = section.blocks
    structure = next((one for one in blocks if isinstance(one, Structure)), None)
    chart = None if structure else next((one for one in blocks if isinstance(one, Chart)), None)
    facts = tuple(
        one for one in blocks if isinstance(one, Fact) and (one.headline or not one.minor)
    )
    rest = tuple(one for one in blocks if one not in (structure, chart, *facts))
    return ArticleParts(
        chart,
        structure,
        facts,
        (Section("", rest),) if rest else (),
    )


def _cells(section: Section, turnable: bool) -> Cells:
    """Arrange the blocks of a section: like ones together, details folded away."""
    shown: list[Cell] = []
    folded: list[tuple[str, Cell]] = []
    seen = [one for one in section.blocks if not _minor(one)]
    minor = tuple(one for one in section.blocks if isinstance(one, Fact) and _minor(one))
    places: dict[str, int] = {}
    for block in section.blocks:
        kind = _kind(block)
        if isinstance(block, Table) and block.minor:
            folded.append((f"{block.title} ({len(block.rows)})", Cell(kind, (block,))))
        elif isinstance(block, Chart | Structure) and block.minor:
            folded.append((block.title, Cell(kind, (block,), turnable=turnable)))
        elif isinstance(block, Fact) and _minor(block):
            continue
        elif kind in places:
            old = shown[places[kind]]
            shown[places[kind]] = replace(old, blocks=(*old.blocks, block))
        else:
            if kind in ("facts", "notes", "small"):
                places[kind] = len(shown)
            wide = isinstance(block, Table) and (block.many or len(block.columns) >= WIDE)
            alone = len(seen) == 1 or getattr(block, "title", "") == section.title
            title = block.title if isinstance(block, Table) and not alone else ""
            shown.append(Cell(kind, (block,), title, wide or kind in ("notes", "small"), turnable))
    shown.sort(key=lambda cell: {"Structure": 1, "small": 2}.get(cell.kind, 0))
    if minor:
        folded.insert(0, ("Details", Cell("facts", minor)))
    if folded and all(cell.kind == "small" for cell in shown):
        folded, shown = [*folded, *(("", cell) for cell in shown)], []
    return Cells(_packed(shown), tuple(folded))


def _minor(block: Block) -> bool:
    """Tell whether a block is folded away; names in the graph always are."""
    return block.minor or (isinstance(block, Fact) and _is_iri(block.value))


def _packed(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Fill the rows of two: a chart beside two others, or a table in a row of its own."""
    narrow = [place for place, cell in enumerate(cells) if not cell.wide]
    if len(narrow) % 2 == 0 or len(cells) == 1:
        return tuple(cells)
    charts = [place for place in narrow if cells[place].kind == "Chart"]
    if charts and len(narrow) > 2:
        beside = [cells[place] for place in narrow if place != charts[0]][:2]
        rest = [cell for cell in cells if cell is not cells[charts[0]] and cell not in beside]
        stack = Cell("stack", (), cells=tuple(beside))
        before = min(narrow[0], len(rest))
        return (*rest[:before], cells[charts[0]], stack, *rest[before:])
    last = narrow[-1]
    wide = cells[last].kind == "Table" or len(narrow) == 1
    return (*cells[:last], replace(cells[last], wide=wide), *cells[last + 1 :])


def _kind(block: Block) -> str:
    match block:
        case Fact():
            return "facts"
        case Note():
            return "small" if block.minor else "notes"
        case Chart():
            return "Chart"
        case _:
            return type(block).__name__


def _rows(sections: Sequence[Section]) -> list[list[Section]]:
    """Put sections that hold facts alone beside each other, two in a row."""
    rows: list[list[Section]] = []
    for section in sections:
        last = rows[-1] if rows else []
        if len(last) == 1 and _narrow(last[0]) and _narrow(section) and section.name != "how":
            last.append(section)
        else:
            rows.append([section])
    return rows


def _narrow(section: Section) -> bool:
    return all(
        isinstance(one, Fact) or (isinstance(one, Table | Note) and one.minor)
        for one in section.blocks
    )
