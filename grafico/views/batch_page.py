"""A batch as one page: how it ended, and its rows to be sorted, filtered and plotted."""

from __future__ import annotations

import itertools
import math
import re
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ogm import KnowledgeGraph
from ogm.keeping.atomic_file import new_file
from triplestore.errors import GraficoError
from workflows.batch.columns import columns_of, fact_at, facts_among, name_at, record_of
from workflows.batch.result import BatchResult
from workflows.engine import Event
from workflows.engine.execution.withdrawn import why_withdrawn
from workflows.show.blocks import Column, Fact, Section, Table, Value
from workflows.show.run_record import capital, utc

from .html import Article, page

MOST = 20_000
"""Rows of a page, which a browser holds."""

EVERY, SHARE = 5, 20
"""Seconds after which a page is written again, and times of those that writing it takes."""

SEEN = ("name", "status", "reason")
"""Columns of ours that are seen of all rows; the others, of the one that is opened."""

NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
"""Numbers as people write them."""

FOOTER = (
    "Everything on this page was read from the knowledge graph; it loads nothing. Click a heading "
    "to sort, a row to see all of it, a point to find its row. All digits: grafico batch RUN -o "
    "table.csv."
)


def batch_page(
    result: BatchResult, names: Mapping[str, str] | None = None, *, again: int = 0
) -> str:
    """Return a whole HTML document on a batch, which loads nothing from anywhere.

    Args:
        result: the batch, as the store has it now.
        names: its columns, see `columns_of`; None for all.
        again: seconds after which a browser reads the page again while the batch goes on.
    """
    counts = result.counts
    is_open = bool(counts["open"])
    status = result.status if not is_open else "going on" if again else "not all have ended"
    *beside, facts = result.shown_sections()
    head = replace(facts, blocks=tuple(one for one in facts.blocks if not _is_name(one)))
    ended = counts["finished"] + counts["failed"]
    goes_on = f"Written at {utc(datetime.now(UTC))}; the same command goes on where it was cut off."
    banner = (f"{ended:,} of {counts['calculations']:,} have ended.", goes_on)
    why = why_withdrawn(result.entries.kg, [result.run])
    warning = ("Withdrawn: do not rely on this.", f"{capital(why)}.") if why else None
    article = Article(
        result.collection.source_name,
        Section("", tuple(one for one in head.blocks if isinstance(one, Fact))),
        (
            *beside,
            Section("rows", (table_of(result, names or columns_of(result)),)),
            Section("", tuple(one for one in facts.blocks if not isinstance(one, Fact))),
            Section("where it is", tuple(one for one in facts.blocks if _is_name(one))),
        ),
        asked=result.message,
        status="" if is_open else status,
        tone="failed" if why else "finished" if status == "finished" else "open",
        banner=warning or (banner if is_open else None),
    )
    title = f"{result.collection.source_name}: batch (Grafico)"
    return page([article], title, ["Grafico · batch"], None, "", FOOTER, again if is_open else 0)


def _is_name(block: object) -> bool:
    return isinstance(block, Fact) and bool(block.iri)


def table_of(result: BatchResult, names: Mapping[str, str]) -> Table:
    """Return the rows of a batch as a table to be looked through; see `columns_of`."""
    some = list(itertools.islice(result.rows(), MOST))
    records, facts = [record_of(row, names) for row in some], facts_among(some)
    numbers = {
        name
        for name, where in names.items()
        if where.startswith("column:")
        and all(_is_number(one[name]) for one in records)
        and any(one[name] for one in records)
    }
    for record in records:
        record |= {name: _number(record[name]) for name in numbers}
    order = sorted(names, key=lambda name: _place(names[name]))
    count = result.counts["calculations"] + result.counts["unreadable"]
    rest = f"The first {MOST:,} of {count:,} rows." if count > MOST else ""
    rows = tuple(tuple(_value(record[name]) for name in order) for record in records)
    return Table(
        "rows",
        tuple(_column(name, names, facts) for name in order),
        rows,
        "rows",
        note=rest,
        many=True,
    )


def _place(where: str) -> int:
    """Return where a column stands: the name, how it ended, results, the source, all else."""
    kind, _, key = where.partition(":")
    return (
        SEEN.index(key)
        if key in SEEN and kind == "own"
        else ({"said": 3, "fact": 4, "asked": 4, "also": 4, "column": 5}.get(kind, 6))
    )


def _column(name: str, names: Mapping[str, str], facts: Mapping[str, Fact]) -> Column:
    kind, _, key = names[name].partition(":")
    if (fact := fact_at(facts, names[name])) is not None:
        digits = fact.digits if "{" not in fact.digits and "|" not in fact.digits else ""
        minor = isinstance(fact.value, str)
        label = facts[name_at(names[name])].label.strip()
        return Column(label or name, fact.unit, name, digits or ".6g", minor=minor)
    return Column(name, name=key, minor=kind == "own" and key not in SEEN)


def _is_number(text: str | None) -> bool:
    """Tell whether a number says all of a text: 0012, 10_1 and 20 digits are names of something."""
    if not text:
        return True
    digits = sum(one.isdigit() for one in text)
    return bool(NUMBER.fullmatch(text)) and digits <= 15 and math.isfinite(float(text))


def _number(text: str | None) -> float | None:
    if not text:
        return None
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def _value(value: Any) -> Value | None:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


class LivePages:
    """Pages of a batch that are written again while it goes on; a browser reads them again.

    Args:
        paths: of the pages.
        wanted: their columns; none for all.
    """

    def __init__(self, paths: Sequence[Path], wanted: Sequence[str] = ()) -> None:
        self._paths, self._wanted = paths, wanted
        self._run = ""
        self._over = threading.Event()

    def __call__(self, event: Event) -> None:
        """Hear which run the batch is."""
        if event.kind == "run" and not self._run:
            self._run = event.subject

    @contextmanager
    def written(self, kg: KnowledgeGraph) -> Generator[None]:
        """Write the pages now and then; where it ends too early, a last time as it stands."""
        thread = threading.Thread(target=self._now_and_then, args=(kg,), daemon=True)
        if self._paths:
            thread.start()
        ended = False
        try:
            yield
            ended = True
        finally:
            self._over.set()
            if self._paths:
                thread.join()
            if not ended:  # after the thread, whose page would be read again for ever
                self._write(kg, again=0)

    def _now_and_then(self, kg: KnowledgeGraph) -> None:
        rest = EVERY
        while not self._over.wait(rest):
            clock = time.monotonic()
            self._write(kg, again=EVERY)
            rest = max(EVERY, round(SHARE * (time.monotonic() - clock)))

    def _write(self, kg: KnowledgeGraph, *, again: int) -> None:
        if not self._run or not self._paths:
            return
        with suppress(GraficoError, OSError):  # it is told at the end
            result = BatchResult.stored(kg, self._run)
            if result is None:
                return
            text = batch_page(
                result, columns_of(result, self._wanted, every_unit=True), again=again
            )
            for path in self._paths:
                with new_file(path, overwrite=True, private=False) as file:
                    file.write(text.encode())
