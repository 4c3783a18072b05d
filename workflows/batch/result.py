"""What a batch came to, as Python is handed it and as every door shows it."""

from __future__ import annotations

import itertools
import json
import pickle
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from ogm import GraphModel, KnowledgeGraph
from ontologies.collection import Batch, Collection
from ontologies.provenance import Outcome
from triplestore.errors import InputError
from workflows.engine.graph.stored_runs import stored_run
from workflows.engine.request.workflow import Finished
from workflows.registry import workflows
from workflows.registry.plausibility import IMPLAUSIBLE
from workflows.show.blocks import Block, Fact, Note, Section
from workflows.show.displayed_run import DisplayedRun
from workflows.show.run_blocks import RunSummary
from workflows.show.units import EnergyUnit, fact_in
from workflows.text.words import count, first_line

from .choosing import Condition
from .comparison import Comparison, compared
from .entries import Entries
from .graph import BATCH, BatchState
from .relative import MANY, with_relatives
from .rows import Row, numbers_in, rows, value_of

if TYPE_CHECKING:
    import pandas as pd

BAD = ("failed", "unreadable")

TOLD = 5
"""Reasons that are told; the table has them all."""


@dataclass(frozen=True)
class BatchResult(DisplayedRun):
    """What a batch came to.

    Attributes:
        run: IRI of this run of it.
        status: `finished`, or how else it ended.
        message: in words.
        collection: the entries.
        batch: what was asked of them; its IRI names all of it.
        entries: of it, in the store.
        remarks: what to know of it, in words.
        order: the number by which its rows are sorted, with or without its unit, smallest first,
            with `-` before it largest first; empty for the order of the source.
        words: what else is asked of each row, such as `distance C-F`; see `asking`.
        where: conditions that its rows fulfil, such as `gap > 0.3`.
        top: how many rows it has at most, the first; None for all.
        unit: of energies per mole; empty to leave all as it is.
    """

    run: str
    status: str
    message: str
    collection: Collection
    batch: Batch
    entries: Entries
    remarks: tuple[str, ...] = ()
    order: str = ""
    words: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    top: int | None = None
    unit: EnergyUnit = ""
    _kept: list[IO[bytes]] = field(default_factory=list["IO[bytes]"], repr=False, compare=False)

    @classmethod
    def of(cls, done: Finished) -> BatchResult:
        """Return what a run of the graph came to."""
        state: BatchState = done.state
        return cls(
            done.run,
            done.status,
            done.message,
            state.collection,
            state.batch,
            state.entries,
            done.remarks,
        )

    def frame(self, name: str = "", *, columns: Sequence[str] = ()) -> pd.DataFrame:
        """Return its rows as a table of pandas; units are in the names of columns.

        Args:
            name: of another table that it has.
            columns: as `--columns` of the command line, such as `dipole` or `distance C-F`; all
                if there is none.
        """
        if name:
            return super().frame(name)
        import pandas as pd

        from .columns import columns_of, record_of

        asked = self.asking(columns) if columns else self
        heads = columns_of(asked, columns, every_unit=True)
        return pd.DataFrame((record_of(row, heads) for row in asked.rows()), columns=list(heads))

    @classmethod
    def stored(cls, kg: KnowledgeGraph, iri: str) -> BatchResult | None:
        """Return what the store has of a batch; None for a run of another kind.

        Args:
            kg: the graph to read from.
            iri: of a run of it, or its own: then what its latest run asked.

        Raises:
            NotFoundError: nothing of that IRI is stored.
            InputError: it is something else.
        """
        run = stored_run(kg, iri)
        if run.graph != BATCH.name:
            return None
        about = kg.pull_all(GraphModel, [link.iri for link in run.about])
        batch = next(one for one in about if isinstance(one, Batch))
        collection = kg.pull(Collection, batch.collection.iri)
        ends = sorted(kg.find(Outcome, run=run), key=lambda end: end.ended)
        status, message = (ends[-1].status, ends[-1].message) if ends else ("", run.goal)
        forms: dict[str, dict[str, int | None]] = json.loads(run.forms or "{}")
        only = {key: forms.get("BatchRequest", {}).get(key) for key in ("limit", "sample")}
        entries = Entries(kg, batch, **only)
        return cls(run.iri, status, message, collection, batch, entries)

    def rows(self) -> Iterator[Row]:
        """Iterate over its rows as the store has them, in their order.

        Once all have ended and were read, they are read from a temporary file: a table goes through
        them for its columns, for each file, and for the reasons of failures.

        Raises:
            InputError: no row has a number by which they are to be sorted or chosen.
        """
        found = self._as_in_source()
        if self.where:
            found = self._matching(found)
        if self.order:
            found = self._sorted(found)
        return itertools.islice(found, self.top)

    @property
    def varied(self) -> list[str]:
        """The arguments by which its settings differ."""
        ways: list[dict[str, Any]] = [json.loads(one) for one in self.batch.settings]
        return [one for one in ways[0] if any(way.get(one) != ways[0][one] for way in ways)]

    def asking(
        self,
        words: Sequence[str] = (),
        order: str = "",
        where: Sequence[str] = (),
        top: int | None = None,
        unit: EnergyUnit = "",
    ) -> BatchResult:
        """Return it with rows as somebody wants to see them.

        Args:
            words: names of columns; what is no number of a result is answered from its geometry.
            order: see `order`; it may be such words, too.
            where: likewise.
            top: how many rows are wanted; None for all.
            unit: of energies per mole.

        Raises:
            InputError: a condition is none.
        """
        said = [*words, order.lstrip("+-"), *(one.name for one in Condition.every(where))]
        asked = tuple(dict.fromkeys(filter(None, said)))
        return replace(
            self, words=asked, order=order, where=tuple(where), top=top, unit=unit, _kept=[]
        )

    def _matching(self, rows: Iterator[Row]) -> Iterator[Row]:
        conditions = Condition.every(self.where)
        every = [(row, [_under(row, one.name) for one in conditions]) for row in rows]
        for number, one in enumerate(conditions):
            if every and all(values[number] is None for _, values in every):
                what = f"{one.name} {one.sign} {one.value}"
                self._refuse(f"rows where {what[:60]!r}", [row for row, _ in every])
        return (
            row
            for row, values in every
            if all(one.holds(value) for one, value in zip(conditions, values, strict=True))
        )

    def _sorted(self, rows: Iterator[Row]) -> Iterator[Row]:
        name, sign = self.order.lstrip("+-"), -1.0 if self.order.startswith("-") else 1.0
        every = [(value_of(row, name), row) for row in rows]
        if every and all(value is None for value, _ in every):
            self._refuse(f"rows sorted by {name[:60]!r}", [row for _, row in every])
        every.sort(key=lambda one: (one[0] is None, sign * (one[0] or 0.0)))
        return (row for _, row in every)

    def _refuse(self, what: str, rows: Sequence[Row]) -> None:
        there = sorted({one for row in rows for one in numbers_in(row)})
        raise InputError(
            f"{what} were asked for",
            "no entry has such a number",
            f"there are: {', '.join(there) or 'none'}",
        )

    def _as_in_source(self) -> Iterator[Row]:
        if self._kept:
            file, at = self._kept[0], 0
            with suppress(EOFError):
                while True:
                    file.seek(at)  # another may read it too
                    row = pickle.load(file)
                    at = file.tell()
                    yield row
            return
        file: IO[bytes] = TemporaryFile()  # noqa: SIM115 it lives as long as the result
        weakref.finalize(self, file.close)
        left_open = False
        every = rows(self.entries, self.words)
        if len(self.entries.indices) * len(self.batch.settings) <= MANY:
            every = with_relatives(self.entries.kg, [*every], self.words)
        for row in every:
            if self.unit:
                facts = {name: fact_in(one, self.unit) for name, one in row.facts.items()}
                row = replace(row, facts=facts)
            pickle.dump(row, file)
            left_open = left_open or row.status == "open"
            yield row
        if not left_open:
            self._kept.append(file)

    @property
    def counts(self) -> dict[str, int]:
        """How many of its calculations ended how."""
        ended = self.entries.ended()
        keys = [
            self.entries.key(at, way)
            for at in self.entries.readable
            for way in range(len(self.batch.settings))
        ]
        found = Counter(
            "open" if key not in ended else "failed" if ended[key] else "finished" for key in keys
        )
        return {
            "calculations": len(keys),
            "finished": found["finished"],
            "failed": found["failed"],
            "open": found["open"],
            "unreadable": self.entries.unread,
        }

    def comparison(self, wanted: Sequence[str] = ()) -> Comparison | None:
        """Return what its settings come to side by side; None where it has one, or several entries.

        Args:
            wanted: names of the quantities that are compared; the headlines if none is named.

        Raises:
            InputError: it came to no such quantity.
        """
        if len(self.batch.settings) < 2 or len(self.entries.readable) != 1:
            return None
        order, name = [*workflows().named(self.batch.workflow).whole.fields], self.collection
        return compared(self.entries.kg, name.source_name, [*self.rows()], order, wanted)

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        about = (self.collection, self.batch)
        return RunSummary(
            self.run,
            self.status,
            self.message,
            about,
            remarks=self.remarks,
            subject=self.collection.source_name,
        )

    @property
    def _asked(self) -> str:
        """What was asked of each entry, in words."""
        ways: list[dict[str, object]] = [json.loads(one) for one in self.batch.settings]
        said = [
            f"{name.replace('_', ' ')} {first_line(value) if value is not True else ''}".rstrip()
            for name, value in ways[0].items()
            if all(way.get(name) == value for way in ways) and value is not False
        ]
        several = [count(len(ways), "setting")] if len(ways) > 1 else []
        return ", ".join([workflows().named(self.batch.workflow).command, *said, *several])

    def standing(self) -> list[Fact]:
        """Return what is said of its runs as a whole, such as how many geometries are relaxed."""
        kept, counted = dict[str, Fact](), dict[str, Counter[str]]()
        for row in self._as_in_source():
            for name, fact in row.standing.items():
                kept.setdefault(name, fact)
                counted.setdefault(name, Counter())[str(fact.value)] += 1
        return [
            replace(fact, value=_counted(counted[name]), note="", headline=False)
            for name, fact in kept.items()
        ]

    def shown_sections(self) -> tuple[Section, ...]:
        """Return the sections of the run: how many ended how, and why some did not."""
        facts: list[Block] = [
            Fact("source", self.collection.source_name, name="source", iri=self.collection.iri),
            Fact("asked", self._asked, name="asked"),
            Fact("batch", self.batch.iri, name="batch", iri=self.batch.iri),
            *(
                Fact(name, number, name=name)
                for name, number in self.counts.items()
                if number or name in ("calculations", "finished")
            ),
        ]
        reasons, doubted = Counter[str](), 0
        for row in self._as_in_source():
            if row.status in BAD:
                reasons[f"{row.status}: {row.reason}"] += 1
            doubted += bool(row.implausible)
        facts += [
            Note(f"{number} × {reason}" if number > 1 else reason)
            for reason, number in reasons.most_common(TOLD)
        ]
        if len(reasons) > TOLD:
            facts.append(Note(f"and {len(reasons) - TOLD} more reasons: see the table"))
        if doubted:
            told = f"{count(doubted, 'entry', 'entries')} came to a number that is not plausible"
            facts.append(Note(f"{told}: see the column {IMPLAUSIBLE} of the table"))
        facts += self.standing()
        facts += map(Note, self.remarks)
        facts.append(Fact("run", self.run, name="run", iri=self.run))
        own = Section("batch", tuple(facts), self.run, "batch")
        beside = self.comparison()
        return (own,) if beside is None else (beside.section(self.batch.iri), own)


def _counted(words: Counter[str]) -> str:
    if len(words) == 1:
        return next(iter(words))
    return ", ".join(f"{number} × {word}" for word, number in words.most_common())


def _under(row: Row, name: str) -> float | str | None:
    """Return what a row has under a name: a number, a setting, how it ended, or a text."""
    value = value_of(row, name)
    if value is not None:
        return value
    own = {"name": row.entry.name, "status": row.status, "reason": row.reason or None}
    return row.columns.get(name, row.said.get(name, own.get(name)))
