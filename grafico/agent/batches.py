"""What a model is told of a batch besides its counts: a few rows, and the file of all of them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from grafico.session.inspection import shorten
from grafico.views.brief import named
from grafico.views.row_files import write_rows
from workflows.registry.plausibility import IMPLAUSIBLE
from workflows.text.safe_text import printable

from .toolbox import Found

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row

    from .context import ToolContext

TOLD, FACTS, LONGEST = 5, 4, 60
"""Rows, facts of each, and letters of a name or a reason."""


def rows_told(context: ToolContext, result: BatchResult) -> Found:
    """Write the table of a batch into the folder of a conversation; return it and its first rows.

    Units stand in the names of the values; a person finds the rest in the file.
    """
    path = context.new_path("batch", ".csv")
    write_rows(result, path)
    return {
        "rows": [_told(row) for row in itertools.islice(result.rows(), TOLD)],
        "table": path.name,
    }


def _told(row: Row) -> Found:
    numbers = {
        name: fact
        for name, fact in row.facts.items()
        if isinstance(fact.value, float) and not fact.minor
    }
    first = [name for name, fact in numbers.items() if fact.headline] or [*numbers]
    facts = {named(n, numbers[n].unit): float(f"{numbers[n].value:.10g}") for n in first[:FACTS]}
    found = {"name": printable(row.entry.name)[:LONGEST], "status": row.status, **facts}
    found |= {"run": shorten(row.run)} if row.run else {}
    if row.implausible:
        found[IMPLAUSIBLE] = printable(row.implausible)
    return found | ({"reason": printable(row.reason)[:LONGEST]} if row.reason else {})
