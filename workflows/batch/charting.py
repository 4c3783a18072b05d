"""The numbers of a batch as charts, and how far they are from a column of the source."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from ontologies.factors import HARTREE
from triplestore.errors import InputError
from workflows.show.asked_facts import meant_among
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Section, Series, Table
from workflows.text.names import named, plain
from workflows.text.words import count

from .comparison import BETWEEN, written
from .result import BatchResult
from .rows import Row, numbers_in, value_of

UNIT = re.compile(r"[\s_(\[/](\w+(?:/mol)?)[)\]]?$")
"""The unit at the end of a heading, as in `E (kcal/mol)` and `gap_eV`."""

NAMED = 25
"""Rows that stand side by side in a chart, by name; of more it is told how they are spread."""

MOST = 40
"""Bars of a histogram."""


@dataclass(frozen=True)
class Numbers:
    """A column of numbers.

    Attributes:
        name: of the column.
        label: for people.
        unit: symbol of its unit; empty for none.
        digits: how a number is written, as in `format`.
        computed: whether it is no column of the source.
        factor: that brings its numbers into that unit.
    """

    name: str
    label: str
    unit: str = ""
    digits: str = ""
    computed: bool = False
    factor: float = 1.0

    @property
    def axis(self) -> Axis:
        """The axis along which it is drawn."""
        return Axis(self.label, self.unit)


def pictures(result: BatchResult, wanted: Sequence[str] = (), against: str = "") -> Section:
    """Return charts of the numbers of a batch, and what errors they have against a column.

    Two columns are drawn against each other, that of the source along the first axis, one by the
    names of rows or as a histogram; several against the column of the source, of which mean errors
    are told for each setting.

    Args:
        result: the batch.
        wanted: names of columns; what is no number is left out; the headlines if none is named.
        against: a column of the source, such as of measured values; empty for none.

    Raises:
        InputError: there is no such column of numbers, or it is not said what is set against it.
    """
    rows = [row for row in result.rows() if row.status == "finished"]
    columns = _columns(rows, wanted)
    blocks: list[Block] = []
    if against:
        reference = _reference(rows, against)
        computed = [one for one in columns if one.computed]
        if reference.unit:  # energies are told in the unit of the source
            computed = [_in(one, reference.unit) for one in computed]
        if not wanted or not computed:
            there = sorted({one for row in rows for one in numbers_in(row)} - {reference.name})
            raise InputError(
                f"errors against {reference.name} were asked for",
                "it is not said what is set against it",
                f"name it, as in columns: {', '.join(there)}",
            )
        blocks.append(_errors(result, rows, computed, reference))
        blocks += [_scatter(result, rows, reference, one, equal=True) for one in computed]
    elif wanted and len(columns) > 1:
        first, *others = sorted(columns, key=lambda one: one.computed)
        blocks += [_scatter(result, rows, first, one) for one in others]
    else:
        blocks += [_spread(result, rows, one) for one in columns]
    return Section("charts", tuple(blocks), result.batch.iri, "charts")


def _columns(rows: Sequence[Row], wanted: Sequence[str]) -> list[Numbers]:
    heads = {n: f for row in rows for n, f in row.facts.items() if f.headline and _is_number(f)}
    names = wanted or [*heads]
    found = [_numbers(rows, name) for name in names]
    return [one for one in found if one is not None]


def _numbers(rows: Sequence[Row], name: str) -> Numbers | None:
    """Return the column of a name; None where it has no numbers."""
    if all(value_of(row, name) is None for row in rows):
        return None
    for row in rows:
        same = next((one for one in row.columns if plain(one) == plain(name)), None)
        if same is not None:
            return Numbers(same, same)
        if fact := row.facts.get(meant_among(name, row.facts)):
            label = fact.label.strip()
            ev = next((one for one in fact.also if one.unit == "eV" and not one.label), None)
            if ev is not None:  # of an orbital, which people read so
                return Numbers(named(fact.name, "eV"), label, "eV", ev.digits, computed=True)
            return Numbers(name, label, fact.unit, fact.digits, computed=True)
    return Numbers(name, name, computed=True)


def _in(column: Numbers, unit: str) -> Numbers:
    """Return a column in a unit of energies, where it has another one."""
    if column.unit not in HARTREE:
        return column
    return replace(column, unit=unit, factor=HARTREE[unit] / HARTREE[column.unit])


def _reference(rows: Sequence[Row], name: str) -> Numbers:
    heads = list(dict.fromkeys(one for row in rows for one in row.columns))
    begun = [one for one in heads if plain(one).startswith(plain(name))]
    found = _numbers(rows, begun[0] if len(begun) == 1 else name)
    if found is None or found.computed:
        own = {one for row in rows for one in row.columns if value_of(row, one) is not None}
        raise InputError(
            f"errors against {name} were asked for",
            "the source has no numbers under that name",
            f"there are: {', '.join(sorted(own)) or 'none'}",
        )
    unit = UNIT.search(found.name)
    symbols = {plain(one): one for one in HARTREE}
    return replace(found, unit=symbols.get(plain(unit[1]), "") if unit else "")


def _settings(result: BatchResult, row: Row) -> str:
    return BETWEEN.join(filter(None, (written(n, row.said.get(n)) for n in result.varied)))


def _pairs(
    result: BatchResult, rows: Sequence[Row], one: Numbers, other: Numbers
) -> dict[str, list[tuple[float, float, str]]]:
    """Return the numbers of rows that have both, with their names, by setting."""
    found: dict[str, list[tuple[float, float, str]]] = {}
    for row in rows:
        x, y = value_of(row, one.name), value_of(row, other.name)
        if x is not None and y is not None:
            found.setdefault(_settings(result, row), []).append(
                (x, other.factor * y, row.entry.name)
            )
    return found


def _errors(
    result: BatchResult, rows: Sequence[Row], computed: Sequence[Numbers], reference: Numbers
) -> Table:
    varied = bool(result.varied)
    units = {one.unit for one in computed}
    unit = units.pop() if len(units) == 1 else ""
    first = [Column("setting", name="setting")] if varied else []
    columns = (
        *first,
        Column("quantity", name="quantity"),
        Column("entries", name="entries"),
        Column("mean error", unit, "mean_error", "+.4g"),
        Column("MAE", unit, "mae", ".4g"),
        Column("RMSE", unit, "rmse", ".4g"),
        Column("largest error", unit, "largest", "+.4g"),
        Column("of", name="of"),
        Column("R²", name="r_squared", digits=".3f"),
    )
    lines: list[tuple[float | str | None, ...]] = []
    for one in computed:
        label = one.label if unit or not one.unit else f"{one.label} ({one.unit})"
        for setting, pairs in _pairs(result, rows, reference, one).items():
            errors = [y - x for x, y, _ in pairs]
            worst = max(range(len(errors)), key=lambda n: abs(errors[n]))
            lines.append(
                (
                    *((setting,) if varied else ()),
                    label,
                    len(errors),
                    fmean(errors),
                    fmean(map(abs, errors)),
                    math.sqrt(fmean(one * one for one in errors)),
                    errors[worst],
                    pairs[worst][2],
                    _correlation(pairs),
                )
            )
    note = "computed less that of the source"
    note += f" in {reference.unit}" if reference.unit else ", taken to be in the same unit"
    title = f"Errors against {reference.name}"
    return Table(title, columns, tuple(lines), "errors", result.batch.iri, note)


def _correlation(pairs: Sequence[tuple[float, float, str]]) -> float | None:
    """Return the square of Pearson's correlation; None where it has none."""
    x, y = (np.array([one[n] for one in pairs]) for n in (0, 1))
    x, y = x - x.mean(), y - y.mean()
    both = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y / both) ** 2 if len(pairs) > 2 and both > 0 else None


def _scatter(
    result: BatchResult, rows: Sequence[Row], x: Numbers, y: Numbers, *, equal: bool = False
) -> Chart:
    """Return one column against another, with the line on which both are equal, or that fits."""
    series: list[Series] = []
    told: list[str] = []
    every = _pairs(result, rows, x, y)
    for setting, pairs in every.items():
        across, up, labels = zip(*pairs, strict=True)
        series.append(Series(setting, across, up, "points", labels))
        squared = _correlation(pairs)
        if squared is None:
            continue
        slope, start = np.polyfit(across, up, 1)
        fit = f"{y.label} = {slope:.4g} × {x.label} {start:+.4g}, R² = {squared:.3f}"
        told.append(f"{setting}: {fit}" if setting else fit)
        if not equal and len(every) == 1:
            ends = _around(across)
            line = tuple(float(slope * one + start) for one in ends)
            series.insert(0, Series("", ends, line, dashed=True))
    if equal and series:
        reach = [v for one in series for v in (*one.x, *one.y)]
        ends = _around(reach)
        series.insert(0, Series("equal", ends, ends, dashed=True))
    title = f"{y.label} against {x.label}"
    name = f"{plain(y.name)}_{plain(x.name)}"
    return Chart(title, x.axis, y.axis, tuple(series), name, result.batch.iri, "; ".join(told))


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Return from where to where a line goes that all points stand beside."""
    low, high = min(values), max(values)
    room = 0.05 * (high - low)
    return low - room, high + room


def _spread(result: BatchResult, rows: Sequence[Row], one: Numbers) -> Chart:
    """Return a column by the names of rows, or of many as a histogram."""
    there = [(row, value) for row in rows if (value := value_of(row, one.name)) is not None]
    names = list(dict.fromkeys(row.entry.name for row, _ in there))
    title, iri = f"{one.label} of {result.collection.source_name}", result.batch.iri
    if len(names) <= NAMED:
        ticks = tuple((float(at), name) for at, name in enumerate(names, 1))
        series = tuple(
            Series(setting, tuple(x), tuple(y), "points")
            for setting in dict.fromkeys(_settings(result, row) for row, _ in there)
            for x, y in [
                zip(
                    *(
                        (float(names.index(row.entry.name) + 1), value)
                        for row, value in there
                        if _settings(result, row) == setting
                    ),
                    strict=True,
                )
            ]
        )
        return Chart(title, Axis("", ticks=ticks), one.axis, series, one.name, iri)
    values = np.array([value for _, value in there])
    bins = min(MOST, len(np.histogram_bin_edges(values, "auto")) - 1)
    heights, edges = np.histogram(values, max(bins, 1))
    x = [float(at) for at in np.repeat(edges, 2)]
    y = [0.0, *(float(n) for n in np.repeat(heights, 2)), 0.0]
    note = f"{count(len(values), 'entry', 'entries')}, mean {values.mean():.6g} {one.unit}".strip()
    line = Series("", tuple(x), tuple(y))
    return Chart(title, one.axis, Axis("entries", reach=0.0), (line,), one.name, iri, note)


def _is_number(fact: Fact) -> bool:
    return isinstance(fact.value, float) and math.isfinite(fact.value)
