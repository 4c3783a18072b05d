"""What a model is told of a batch besides its counts: some rows, and the file of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grafico.views.row_choice import RowChoice, chosen_rows
from grafico.views.row_files import write_rows
from triplestore.errors import InputError

from .toolbox import ArgumentsError, Found, as_error, checked

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult

    from .context import ToolContext


def row_choice(said: Mapping[str, Any]) -> RowChoice:
    """Return which rows of a batch are wanted.

    Raises:
        ArgumentsError: that cannot be.
    """
    one = {"columns", "sort", "where"}  # a text alone is one of them
    said = {n: [v] if n in one and isinstance(v, str) else v for n, v in said.items()}
    fine, wrong = checked(RowChoice, said)
    if wrong or fine is None:
        takes = f"it takes {', '.join(RowChoice.model_fields)}"
        raise ArgumentsError("rows of a table were asked for", "; ".join(wrong), takes)
    return RowChoice(**fine)


def rows_told(context: ToolContext, result: BatchResult, choice: RowChoice) -> Found:
    """Write the table of a batch into the folder of a conversation; return it and some rows.

    Units stand in the names of the values; a person finds the rest in the file, code by the run. A
    choice that cannot be is told beside what was computed.
    """
    path = context.new_path("batch", ".csv")
    write_rows(result, path)
    try:
        found = chosen_rows(result, choice)
    except InputError as error:
        found = {"rows_error": as_error(error)} | chosen_rows(result, RowChoice())
    return found | {"table": path.name}
