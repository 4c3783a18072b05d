"""What is shown of a run or a result: typed blocks, which every door renders in its own way.

A block holds values, not prose: terminal, JSON, language models, reports and notebooks read the
same ones. A domain adds to what is shown by default in a module `blocks` of its folder.

IPython and Jupyter ask an object for `_repr_mimebundle_` and `_repr_html_`. Objects here have
blocks, and know no HTML: a door names its renderer once, with `render_with`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

Value: TypeAlias = "float | int | bool | str"


@dataclass(frozen=True)
class Fact:
    """One value with its label.

    Attributes:
        label: for people.
        value: a number, a word, or a few of them.
        unit: symbol of the unit; empty for none.
        name: for machines: the field, or a name of its kind (`gibbs_energy`).
        iri: the object that says so.
        digits: how a number is written, as in `format`; empty for six significant digits. With
            braces it is a phrase around it (`multiplicity {}`); of a truth value it is the words
            for it (`stable|unstable`).
        note: what belongs to it, such as where it comes from.
        minor: whether a short form may leave it out.
        also: what is said in one breath with it: without a label the same in another unit.
        at: the conditions under which it holds.
        fields: of the object, whose defaults it stands for; empty for the one that is its name.
        headline: whether it is among the few that stand at the head of a page or in an overview.
        difference: whether it is an energy less another one, which people read in kJ/mol or eV: a
            page then says Eh behind them.
        beside: the name of the number that it is compared with, such as that whose sign it gives.
        asked: the words that it answers, where nobody lists it; empty for what a result stores.
    """

    label: str
    value: Value | tuple[Value, ...]
    unit: str = ""
    name: str = ""
    iri: str = ""
    digits: str = ""
    note: str = ""
    minor: bool = False
    also: tuple[Fact, ...] = ()
    at: tuple[Fact, ...] = ()
    fields: tuple[str, ...] = ()
    headline: bool = False
    difference: bool = False
    beside: str = ""
    asked: str = ""


@dataclass(frozen=True)
class Column:
    """What a column of a table holds.

    Attributes:
        label: for people.
        unit: symbol of the unit of all its numbers; empty for none.
        name: for machines.
        digits: how numbers are written, as in `format`.
        lead: what stands before its value where a row is written as one line.
        minor: whether a short form may leave it out.
    """

    label: str
    unit: str = ""
    name: str = ""
    digits: str = ""
    lead: str = ", "
    minor: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of values under columns.

    Attributes:
        title: for people.
        columns: what they hold.
        rows: a value for each column; None where there is none.
        name: for machines.
        iri: the object that says so.
        note: what belongs to it.
        minor: whether a short form may leave it out.
        lines: where a short form writes no table: a line for each of its `rows` or its `columns`,
            of which the first is then a name for each row.
        fields: of the object, whose defaults it stands for beside those named by its columns.
        many: whether it is to be looked through: sorted, filtered and plotted, where that can be.
            What its columns call minor is then seen of one row at a time.
        digest: whether it tells again what is foremost in another table.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value | None, ...], ...]
    name: str = ""
    iri: str = ""
    note: str = ""
    minor: bool = False
    lines: Literal["", "rows", "columns"] = ""
    fields: tuple[str, ...] = ()
    many: bool = False
    digest: bool = False


@dataclass(frozen=True)
class Axis:
    """What an axis of a chart measures.

    Attributes:
        label: for people.
        unit: symbol of the unit; empty for none.
        reversed: whether it runs from high to low.
        ticks: places with the texts that stand there; empty for round numbers.
        reach: a value that it reaches whatever is drawn, so that noise does not fill it; None for
            no such value.
    """

    label: str
    unit: str = ""
    reversed: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    reach: float | None = None


@dataclass(frozen=True)
class Series:
    """Points of a chart that belong together.

    Attributes:
        label: for the legend; empty where there is one series only.
        x: along the first axis.
        y: along the second.
        kind: how they are drawn; `levels` are short horizontal lines.
        labels: of the points, if they have any.
        marks: what stands on the points, such as the electrons of an orbital, if anything does.
        axis: the second axis, if it is not that of the chart; it has a scale of its own.
        dashed: whether it is drawn apart from the others, such as what is empty or imaginary.
        joined: whether its levels are states that follow each other, which dotted lines join.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Literal["line", "sticks", "points", "levels"] = "line"
    labels: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    axis: Axis | None = None
    dashed: bool = False
    joined: bool = False


@dataclass(frozen=True)
class Chart:
    """A diagram, as data.

    Attributes:
        title: for people.
        x: the first axis.
        y: the second.
        series: what is drawn.
        name: for machines.
        iri: the object that says so.
        note: what belongs to it.
        above: the first axis read in another unit, by its ticks; None for none.
        minor: whether a page folds it away.
        aside: whether it shows how a result came about, beside charts of what was asked.
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    name: str = ""
    iri: str = ""
    note: str = ""
    above: Axis | None = None
    minor: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Motion:
    """How the atoms of a structure move to and fro, for people to look at.

    Attributes:
        label: for people.
        shifts: Å, three an atom: how far each is from its place where it is farthest.
        number: by which a table calls it, see `Structure.table`.
        at: where its line stands in a spectrum, in the unit of `Structure.axes`; None for nowhere.
        strength: of that line, likewise.
    """

    label: str
    shifts: tuple[tuple[float, float, float], ...]
    number: int = 0
    at: float | None = None
    strength: float | None = None


@dataclass(frozen=True)
class Structure:
    """Atoms in space, ready to be drawn.

    Attributes:
        title: for people.
        iri: of the structure.
        symbols: of the elements, one an atom.
        positions: Å, three an atom.
        bonds: pairs of atoms counted from 0, with their order; 0 where it is not known.
        cell: Å, three vectors; empty without a cell.
        name: for machines.
        note: what belongs to it, such as the label of the geometry.
        minor: whether a page folds it away.
        motions: of which a page shows the one that is chosen.
        table: name of the table in whose first column their numbers stand; empty for none.
        axes: of a spectrum of their lines, each with its unit; empty for none.
    """

    title: str
    iri: str
    symbols: tuple[str, ...]
    positions: tuple[tuple[float, float, float], ...]
    bonds: tuple[tuple[int, int, float], ...] = ()
    cell: tuple[tuple[float, float, float], ...] = ()
    name: str = ""
    note: str = ""
    minor: bool = False
    motions: tuple[Motion, ...] = ()
    table: str = ""
    axes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Note:
    """A sentence that a reader must know.

    Attributes:
        text: the sentence.
        iri: the object that says so; empty for none.
        minor: whether it explains rather than warns: a short form may leave it out.
        lacking: name of a number that there is not, where it says why; empty otherwise.
    """

    text: str
    iri: str = ""
    minor: bool = False
    lacking: str = ""


Block: TypeAlias = Fact | Table | Chart | Structure | Note


Bundle: TypeAlias = dict[str, Any]
Renderer: TypeAlias = "Callable[[Sequence[Section]], Bundle]"

_RENDERERS: list[Renderer] = []


class Drawing(Protocol):
    """A chart that is drawn when a notebook shows it, or when it is saved."""

    @property
    def chart(self) -> Chart:
        """What is drawn."""
        ...

    def save(self, path: str | Path) -> Path:
        """Write it to a file that ends with `.png`, `.svg`, `.pdf`, or `.csv` for its numbers.

        What stands there is replaced.

        Raises:
            InputError: the name has another ending, or no file can stand there.
            GraficoError: it cannot be drawn.
        """
        ...


Drawer: TypeAlias = "Callable[[Sequence[Section], str], Drawing]"

_DRAWERS: list[Drawer] = []


def draw_with(drawer: Drawer) -> None:
    """Have a function return a chart of sections, by its name; the first for none."""
    _DRAWERS[:] = [drawer]


def render_with(renderer: Renderer) -> None:
    """Have a function return what is shown of sections, by media type."""
    _RENDERERS[:] = [renderer]


class Displayed:
    """What is shown as its blocks: by a notebook, by `print`, and by Python where it is typed."""

    def __init_subclass__(cls) -> None:
        """Keep the `repr` of what is shown, which a dataclass would have of its fields."""
        super().__init_subclass__()
        if "__repr__" not in vars(cls):
            cls.__repr__ = Displayed.__repr__

    def __repr__(self) -> str:
        return self._repr_mimebundle_(("text/plain",)).get("text/plain") or object.__repr__(self)

    def __str__(self) -> str:
        return repr(self)

    def shown_sections(self) -> Sequence[Section]:
        """Return what is shown of it."""
        raise NotImplementedError

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        """Return it by media type; empty if nothing renders it, so that its `repr` is shown."""
        if not _RENDERERS:
            return {}
        return {
            kind: said
            for kind, said in _RENDERERS[0](self.shown_sections()).items()
            if (include is None or kind in include) and kind not in (exclude or ())
        }

    def _repr_html_(self) -> str | None:
        return self._repr_mimebundle_(include=("text/html",)).get("text/html")

    def plot(self, name: str = "") -> Drawing:
        """Return a chart of it: a notebook shows it, and `save("x.png")` writes it.

        Args:
            name: of which chart, where it has several; the first if empty.

        Raises:
            NotFoundError: it has no chart, or none of that name; it says which there are.
        """
        return _DRAWERS[0](self.charted_sections(), name)

    def charted_sections(self) -> Sequence[Section]:
        """Return where charts of it are looked for, what was asked first."""
        return self.shown_sections()


@dataclass(frozen=True)
class Section(Displayed):
    """Blocks that belong to one object.

    Attributes:
        title: for people: the class of the object in words, or what the section is about.
        blocks: in the order in which they are read.
        iri: of the object; empty for none.
        name: for machines: the name of the class.
    """

    title: str
    blocks: tuple[Block, ...]
    iri: str = ""
    name: str = ""

    def shown_sections(self) -> tuple[Section, ...]:
        """Return it alone."""
        return (self,)


class Sections(tuple[Section, ...], Displayed):
    """Sections that are shown together, such as those of a run."""

    __slots__ = ()

    def shown_sections(self) -> tuple[Section, ...]:
        """Return them all."""
        return self
