"""The same question at several settings, side by side: what each comes to, and the differences."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ogm import GraphModel, KnowledgeGraph
from ontologies.factors import HARTREE
from ontologies.level import Level
from triplestore.errors import InputError
from workflows.engine.execution.withdrawn import why_withdrawn
from workflows.registry.plausibility import warning_in
from workflows.show.asked_facts import asked_facts, examples, meant_among
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Section, Series, Table
from workflows.show.object_blocks import Around, structure_of
from workflows.show.run_blocks import RunSummary, answering, read_from, read_run
from workflows.show.run_work import work_of
from workflows.text.names import called, plain
from workflows.text.words import first_line, listed

from .rows import Row

FEW = 4
"""Quantities that are compared where nothing says which are the headlines."""

KJ = "kJ/mol"

METHOD = "method"
"""The argument of a level that total energies have to share, to be compared."""

NO_ZERO = "total energies of different methods or molecules have no common zero"

SOURCE = "read_from"
"""The column of the files that results were read from."""

BETWEEN = ", "
"""Between the settings of a row in one text."""


@dataclass(frozen=True)
class Quantity:
    """What is compared.

    Attributes:
        name: for machines.
        label: for people.
        unit: symbol of its unit; empty for none.
        digits: how it is written, as in `format`.
        change: symbol of the unit of its differences.
        factor: that brings a difference into that unit.
        total: whether it is a total energy, whose zero is that of its method.
    """

    name: str
    label: str
    unit: str
    digits: str
    change: str
    factor: float
    total: bool = False

    @classmethod
    def of(cls, fact: Fact) -> Quantity:
        """Return the quantity of which a fact is a value; energies in Eh differ by kJ/mol."""
        hartree = fact.unit == "Eh"
        change, factor = (KJ, HARTREE[KJ]) if hartree else (fact.unit, 1.0)
        total = hartree and not fact.difference
        return cls(fact.name, fact.label.strip(), fact.unit, fact.digits, change, factor, total)

    def step(self, start: float, end: float) -> float:
        """Return the difference of two values, in the unit `change`; of angles the shorter way."""
        found = (end - start) * self.factor
        return (found + 180) % 360 - 180 if self.unit == "°" else found


@dataclass(frozen=True)
class Compared:
    """What one way of asking came to.

    Attributes:
        said: the arguments by which it differs from others; None for those that it does not take.
        status: `finished`, `failed` or `open`.
        reason: why it failed, or why a number is not to be believed.
        run: IRI of its run; empty for none.
        seconds: that all calculations of its run took, whenever they were done.
        values: of the quantities, by name.
        differences: from the first that has a value, by name, in the unit `change`; of a series
            from the one before. Total energies have none between methods.
        zero: what total energies must share to be compared, such as the method.
        made: keys of all that was computed for it, whenever that was.
    """

    said: Mapping[str, Any]
    status: str
    reason: str
    run: str
    seconds: float
    values: Mapping[str, float] = field(default_factory=dict[str, float])
    differences: Mapping[str, float] = field(default_factory=dict[str, float])
    zero: str = ""
    made: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """Its settings in words."""
        return BETWEEN.join(filter(None, (written(n, v) for n, v in self.said.items()))) or "–"


@dataclass(frozen=True)
class Comparison:
    """Several ways of asking the same.

    Attributes:
        subject: what was asked about.
        quantities: what is compared.
        rows: in the order in which they were asked for.
        is_series: whether each is to be better than the one before.
        stored: whether they are runs of any kind, of which it tells nothing how long they took.
    """

    subject: str
    quantities: tuple[Quantity, ...]
    rows: tuple[Compared, ...]
    is_series: bool = False
    stored: bool = False

    def stepwise(self) -> Comparison:
        """Return it as a series, with differences from one row to the next.

        The first row that has a value has none; nor have total energies between methods.
        """
        rows: list[Compared] = []
        before: dict[str, Compared] = {}
        for row in self.rows:
            steps = {
                one.name: one.step(last.values[one.name], row.values[one.name])
                for one in self.quantities
                if one.name in row.values and (last := before.get(one.name)) is not None
                if not (one.total and row.zero != last.zero)
            }
            before |= dict.fromkeys(row.values, row)
            rows.append(replace(row, differences=steps))
        return replace(self, rows=tuple(rows), is_series=True)

    @property
    def _kept(self) -> tuple[str, ...]:
        """Names of what is not told of a row."""
        return ("zero", "made", "seconds") if self.stored else ("zero", "made")

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it; units stand with the quantities."""
        return {
            "quantities": [
                {"name": q.name, "label": q.label, "unit": q.unit, "difference_unit": q.change}
                for q in self.quantities
            ],
            "rows": [
                {n: v for n, v in vars(row).items() if n not in self._kept}
                | ({} if self.stored else {"level": row.label})
                for row in self.rows
            ],
        }

    def section(self, iri: str = "") -> Section:
        """Return it as a table with a chart for each quantity that compares.

        Of total energies without a common zero those differences are drawn that the table has.

        Args:
            iri: of the object that asked for it.
        """
        blocks: list[Block] = [self._table(iri)] if self.rows else []
        blocks += [one for quantity in self.quantities for one in self._chart(quantity, iri)]
        blocks += [Note(f"{row.label}: {row.reason}", row.run) for row in self.rows if row.reason]
        if self.stored and len({row.zero for row in self.rows}) > 1:
            blocks.append(Note(f"Differences are from the first row; {NO_ZERO}", iri))
        if not self.quantities:
            blocks.append(Note("no number to compare came of it", iri))
        return Section("comparison", tuple(blocks), iri, "comparison")

    def _table(self, iri: str) -> Table:
        varied = tuple(self.rows[0].said)
        bad = any(row.status != "finished" or row.reason for row in self.rows)
        columns = [Column(name.replace("_", " "), name=name) for name in varied]
        for one in self.quantities:
            columns.append(Column(one.label, one.unit, one.name, one.digits))
            name = f"{one.name}_difference"
            columns.append(
                Column(
                    "difference",
                    one.change,
                    name,
                    "+.2f" if one.change == KJ else f"+{one.digits.lstrip('+') or '.4g'}",
                )
            )
        columns += [] if self.stored else [Column("time", "s", "seconds", ".1f")]
        columns += [Column("status", name="status")] if bad else []
        columns.append(Column("run", name="run", minor=True))
        rows = tuple(
            (
                *(written(name, row.said[name]) for name in varied),
                *(
                    value
                    for one in self.quantities
                    for value in (row.values.get(one.name), row.differences.get(one.name))
                ),
                *(() if self.stored else (row.seconds,)),
                *((row.status,) if bad else ()),
                row.run,
            )
            for row in self.rows
        )
        note = "differences from the first row that has a value"
        if self.is_series:
            note = "differences from the row before"
        totals = [q.name for q in self.quantities if q.total]
        if len({row.zero for row in self.rows}) > 1 and any(
            n in r.values and n not in r.differences for n in totals for r in self.rows
        ):
            note += f"; {NO_ZERO}"
        return Table("Comparison", tuple(columns), rows, "comparison", iri, note)

    def _chart(self, quantity: Quantity, iri: str) -> Iterator[Chart]:
        unlike = quantity.total and len({row.zero for row in self.rows}) > 1
        if unlike and self.is_series:
            return
        shown = [row.differences if unlike else row.values for row in self.rows]
        there = [
            (float(at), values[quantity.name])
            for at, values in enumerate(shown, 1)
            if quantity.name in values
        ]
        if len(there) < 2:
            return
        ticks = tuple((float(at), row.label) for at, row in enumerate(self.rows, 1))
        x, y = zip(*there, strict=True)
        points = Series("", tuple(x), tuple(y), kind="points")
        label, unit = quantity.label, quantity.unit
        if unlike:
            label, unit = f"difference in {label}", quantity.change
        title = f"{label} of {self.subject}"
        first, second = Axis("", ticks=ticks), Axis(label, unit)
        line = (Series("", tuple(x), tuple(y)),) if self.is_series else ()
        blank = [
            row.label
            for row, values in zip(self.rows, shown, strict=True)
            if quantity.name not in values and row.status == "finished"
        ]
        note = f"not shown, as there is none: {listed(blank)}" if blank and not unlike else ""
        yield Chart(title, first, second, (*line, points), quantity.name, iri, note=note)


def compared(
    kg: KnowledgeGraph,
    subject: str,
    rows: Sequence[Row],
    order: Sequence[str],
    wanted: Sequence[str] = (),
) -> Comparison:
    """Return what the rows of a batch come to, side by side.

    Args:
        kg: where their runs are stored.
        subject: what they are about.
        rows: of one entry at several settings.
        order: of their arguments.
        wanted: names of quantities that are compared; those that their domain calls headlines, if
            none is named.

    Raises:
        InputError: none of them came to such a quantity.
    """
    names = sorted({name for row in rows for name in row.said}, key=[*order].index)
    varied = [n for n in names if any(row.said.get(n) != rows[0].said.get(n) for row in rows)]
    bare = [
        Compared(
            {name: row.said.get(name) for name in varied},
            row.status,
            row.reason,
            row.run,
            work_of(kg, row.run).cost if row.run else 0.0,
            zero=str(row.said.get(METHOD)),
        )
        for row in rows
    ]
    ran = [_read(kg, row) for row in bare]
    bare = [replace(row, made=_made(one)) for row, one in zip(bare, ran, strict=True)]
    found = [_facts(kg, one, wanted) for one in ran]
    quantities = _quantities(found, wanted)
    values = _with_values(bare, found, quantities)
    return Comparison(subject, quantities, _told_lacking(values, quantities) if wanted else values)


def compared_runs(
    kg: KnowledgeGraph, names: Mapping[str, str], wanted: Sequence[str] = ()
) -> Comparison:
    """Return what stored runs come to that at least two of them have, side by side.

    Args:
        kg: where they are stored.
        names: their IRIs, each with what it is called.
        wanted: names of quantities that are compared; all that are shared if none is named.

    Raises:
        NotFoundError: nothing of such an IRI is stored.
        InputError: it is no run, or none of them came to such a quantity.
    """
    bare = [_bare(kg, iri, name) for iri, name in names.items()]
    if not any(one.said[SOURCE] for one in bare):
        bare = [replace(x, said={k: v for k, v in x.said.items() if k != SOURCE}) for x in bare]
    found = [_facts(kg, _read(kg, one), wanted) for one in bare]
    counted = Counter(name for facts in found for name in facts)
    shared = [{n: f for n, f in facts.items() if counted[n] > 1} for facts in found]
    chosen = wanted or [
        *dict.fromkeys(n for facts in shared for n, f in facts.items() if not f.minor)
    ]
    quantities = _quantities(found if wanted else shared, chosen)
    subjects = listed(list(dict.fromkeys(str(one.said["about"]) for one in bare)))
    return Comparison(subjects, quantities, _with_values(bare, found, quantities), stored=True)


def _bare(kg: KnowledgeGraph, iri: str, name: str) -> Compared:
    """Return a stored run with nothing that it came to."""
    ran = read_run(kg, iri)
    withdrawn = why_withdrawn(kg, [ran.run, *(one.activity.iri for one in ran.answers)])
    reason = withdrawn or ("" if ran.status == "finished" else ran.message)
    levels = [one for one in ran.about if isinstance(one, Level)]
    said = {
        "called": name,
        "about": ran.subject,
        "level": listed([one.label for one in levels]),
        SOURCE: listed(
            list(dict.fromkeys(x for y in ran.answers for x in read_from(kg, y.recorded)))
        ),
    }
    methods = [plain(one.words[METHOD]) for one in levels]
    atoms = sorted(called(one) for one in ran.about if structure_of(one))
    zero = " ".join([*methods, *atoms])
    return Compared(said, ran.status or "open", reason, ran.run, 0.0, zero=zero)


def _with_values(
    rows: Sequence[Compared],
    found: Sequence[Mapping[str, Fact]],
    quantities: Sequence[Quantity],
) -> tuple[Compared, ...]:
    """Return rows with the values of quantities, and the differences from the first of each."""
    first, made = dict[str, float](), list[Compared]()
    for row, facts in zip(rows, found, strict=True):
        there = [q for q in quantities if q.name in facts and facts[q.name].unit == q.unit]
        values = {q.name: _number(facts[q.name]) for q in there}
        for name, value in values.items():
            first.setdefault(name, value)
        differences = {
            q.name: q.step(first[q.name], values[q.name])
            for q in there
            if not (q.total and row.zero != rows[0].zero)
        }
        reason = row.reason or warning_in(facts.values())
        made.append(replace(row, reason=reason, values=values, differences=differences))
    return tuple(made)


def _told_lacking(rows: Sequence[Compared], quantities: Sequence[Quantity]) -> tuple[Compared, ...]:
    """Return rows that say which of the quantities they have not, though they are finished."""
    told = list[Compared]()
    for row in rows:
        lacking = [
            one.label.removeprefix("of it ") for one in quantities if one.name not in row.values
        ]
        if row.status == "finished" and lacking:
            why = f"no {listed(lacking)} here: its results have none"
            row = replace(row, reason="; ".join(filter(None, [row.reason, why])))
        told.append(row)
    return tuple(told)


def _read(kg: KnowledgeGraph, row: Compared) -> RunSummary | None:
    """Return what a run came to; None where it has come to nothing."""
    return read_run(kg, row.run) if row.status == "finished" and row.run else None


def _made(ran: RunSummary | None) -> frozenset[str]:
    return frozenset(one.activity.key for one in ran.answers) if ran else frozenset()


def _facts(kg: KnowledgeGraph, ran: RunSummary | None, wanted: Sequence[str]) -> dict[str, Fact]:
    """Return the numbers that answer what a run was asked, by name; of several the last.

    Words that mean none of these are answered from its geometry and its results.
    """
    found: dict[str, Fact] = {}
    for section in answering(ran) if ran else ():
        for one in () if section.name in ("about", "how") else section.blocks:
            for fact in _numbers(one):
                found.pop(fact.name, None)
                found[fact.name] = fact
    if ran and (words := [one for one in wanted if not meant_among(one, found)]):
        last = (kg.pull(GraphModel, ran.geometry),) if ran.geometry else ()
        found |= asked_facts(Around(ran.results, last), words)
    return found


def _numbers(block: Block) -> Iterator[Fact]:
    """Iterate over the numbers of a block that has one of each kind."""
    if isinstance(block, Fact):
        others = (one for one in block.also if one.label)
        yield from filter(_is_number, (_in_ev(block), *others))
    elif isinstance(block, Table) and len(block.rows) == 1:
        for column, value in zip(block.columns, block.rows[0], strict=True):
            fact = Fact(column.label, value or 0, column.unit, column.name, digits=column.digits)
            if isinstance(value, float) and _is_number(fact):
                yield fact


def _in_ev(fact: Fact) -> Fact:
    """Return a fact of an orbital in eV, where it says so too: people compare these in eV."""
    ev = (one for one in fact.also if (one.unit, one.name) == ("eV", fact.name))
    found = next(ev, None) if fact.unit == "Eh" else None
    return fact if found is None else replace(found, label=fact.label, headline=fact.headline)


def _number(fact: Fact) -> float:
    assert isinstance(fact.value, float)
    return fact.value


def _is_number(fact: Fact) -> bool:
    value = fact.value
    return bool(fact.name) and isinstance(value, float) and math.isfinite(value)


def _quantities(found: Sequence[Mapping[str, Fact]], wanted: Sequence[str]) -> tuple[Quantity, ...]:
    known: dict[str, Fact] = {}
    for facts in found:
        for name, fact in facts.items():
            if name not in known or (known[name].minor and not fact.minor):
                known[name] = fact
    if wanted:
        meant = {name: meant_among(name, known) for name in wanted}
        strange = [name for name, found in meant.items() if not found]
        if strange and known:
            raise InputError(
                f"{', '.join(strange)} was to be compared",
                "none of the results has it",
                f"there are: {', '.join(known)}; and of the atoms in it: {', '.join(examples())}",
            )
        heads = [known[name] for name in meant.values() if name]
    else:
        usual = [fact for fact in known.values() if not fact.minor]
        heads = [fact for fact in usual if fact.headline] or usual[:FEW]
    chosen = {
        fact.name: fact
        for one in heads
        for fact in (one, *(other for other in known.values() if _belongs(other, one)))
    }
    return tuple(map(Quantity.of, chosen.values()))


def _belongs(other: Fact, one: Fact) -> bool:
    """Tell whether a fact is compared where another one is."""
    return other.beside == one.name or bool(one.asked and other.asked == one.asked)


def written(name: str, value: object) -> str:
    """Return a setting as it stands in a table; a switch that is on by its name."""
    if value is True:
        return name.replace("_", " ")
    if value is None or value is False:
        return ""
    return json.dumps(value) if isinstance(value, list | dict) else str(first_line(value))
