"""Rows of a batch as files, such as CSV and SDF; a page of them is held at a time."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ogm.keeping.atomic_file import new_file
from triplestore.errors import ComponentError
from workflows.batch.columns import OWN, columns_of, head_of, record_of
from workflows.batch.tables import TABLES, as_text
from workflows.engine.request.endings import check_ending

from .table_files import Cells, latex, markdown, workbook

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row

PLAIN_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]{0,14})(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?")

GROUP = 5000
"""Rows of a group in a Parquet file."""


def write_rows(
    result: BatchResult, path: Path, wanted: Sequence[str] = (), *, raw: bool = False
) -> None:
    """Write the table of a batch; the file appears whole or not at all.

    Args:
        result: the batch.
        path: of the file; its suffix says what is written.
        wanted: facts that are to be columns; all if there is none.
        raw: whether texts of CSV and TSV that look like formulas go without a mark.

    Raises:
        InputError: no table is written in such a file.
        ComponentError: the package for it is not installed.
    """
    write = writer_of(path)
    names = columns_of(result, wanted, every_unit=True)
    with new_file(path, overwrite=True, private=False) as file:
        if separator := TABLES.get(path.suffix.lower()):
            _csv(result, file, names, separator, raw=raw)
        else:
            write(result, file, names)


Writer = Callable[["BatchResult", IO[bytes], Mapping[str, str]], None]


def writer_of(path: Path) -> Writer:
    """Return what writes a file of such a name; see `write_rows`."""
    found = _WRITERS[check_ending(str(path), _WRITERS)]
    if found is _parquet:
        _arrow()
    return found


def _csv(
    result: BatchResult,
    file: IO[bytes],
    names: Mapping[str, str],
    separator: str = ",",
    *,
    raw: bool = False,
) -> None:
    mark: Callable[[Any], Any] = (lambda value: value) if raw else as_text
    with _text(file) as text:
        table = csv.writer(text, delimiter=separator)
        table.writerow(map(mark, names))
        table.writerows(map(mark, record_of(row, names).values()) for row in result.rows())


@contextmanager
def _text(file: IO[bytes]) -> Generator[io.TextIOWrapper]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        yield text
    finally:
        text.detach()


def _lines(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    with _text(file) as text:
        for row in result.rows():
            json.dump(record_of(row, names), text, ensure_ascii=False, allow_nan=False)
            text.write("\n")


def _list(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    with _text(file) as text:
        between = "[\n"
        for row in result.rows():
            text.write(between)
            json.dump(record_of(row, names), text, ensure_ascii=False, allow_nan=False)
            between = ",\n"
        text.write("\n]\n" if between != "[\n" else "[]\n")


def _arrow() -> Any:
    try:
        arrow = import_module("pyarrow")
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise ComponentError(
            "a table in Parquet was asked for",
            "pyarrow is not installed",
            "pip install 'grafico-chem[parquet]', or write CSV",
        ) from error
    return arrow


def _parquet(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    arrow = _arrow()
    kinds: dict[str, set[str]] = {name: set() for name in names}
    for row in result.rows():
        for name, value in record_of(row, names).items():
            if value is not None:
                kinds[name].add(type(value).__name__)
    of_kinds = {
        "bool": arrow.bool_(),
        "int": arrow.int64(),
        "float": arrow.float64(),
        "float int": arrow.float64(),
    }
    fields: list[Any] = [
        arrow.field(name, of_kinds.get(" ".join(sorted(found)), arrow.string()))
        for name, found in kinds.items()
    ]
    schema = arrow.schema(fields)
    texts = {one.name for one in fields if one.type == arrow.string()}
    with arrow.parquet.ParquetWriter(file, schema) as table:
        for group in _groups(result.rows()):
            listed = [
                {n: str(v) if n in texts and v is not None else v for n, v in one.items()}
                for one in (record_of(row, names) for row in group)
            ]
            table.write_table(arrow.Table.from_pylist(listed, schema=schema))


def _groups(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(itertools.islice(rows, GROUP)):
        yield group


def _library(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    """Write the geometries of what has finished, each with its row."""
    from ogm import GraphModel
    from workflows.batch.reading import library_of

    _, library = library_of(result.collection.kind)
    for row in result.rows():
        if row.geometry:
            model = result.entries.kg.pull(GraphModel, row.geometry)
            values = {n: v for n, v in record_of(row, names).items() if v is not None}
            file.write(library.written(model, row.entry.name, values).encode())


def _page(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    from .batch_page import batch_page

    file.write(batch_page(result, names).encode())


def _for_people(
    form: Callable[[Sequence[str], Cells, Sequence[str]], bytes],
) -> Writer:
    """Return what writes rows as people read them: heads in words, without what programs need."""

    def write(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
        rows = [*result.rows()]
        done = all(row.status == "finished" for row in rows)
        left = {f"own:{one}" for one in OWN if one not in ("name", "status", "reason")}
        left |= {"own:status", "own:reason"} if done else set()
        same = {n for n in rows[0].columns if all(x.columns.get(n) == x.entry.name for x in rows)}
        left |= {f"column:{name}" for name in same} if "own:name" in names.values() else set()
        kept = {n: at for n, at in names.items() if at not in left and not at.startswith("also:")}
        heads = [head_of(rows, name, where) for name, where in kept.items()]
        cells = [[*record_of(row, kept).values()] for row in rows]
        file.write(form([head for head, _ in heads], cells, [digits for _, digits in heads]))

    return write


def _workbook(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    kinds = [where.partition(":")[0] for where in names.values()]
    records = (record_of(row, names).values() for row in result.rows())
    each = (zip(kinds, record, strict=True) for record in records)
    cells = ([_as_typed(x) if kind == "column" else x for kind, x in row] for row in each)
    file.write(workbook([*names], cells))


def _as_typed(value: Any) -> Any:
    """Return a text of a source as the number that it is, but for one such as 007."""
    number = isinstance(value, str) and PLAIN_NUMBER.fullmatch(value.strip())
    return float(value) if number else value


_WRITERS: dict[str, Writer] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".json": _list,
    ".jsonl": _lines,
    ".parquet": _parquet,
    ".xlsx": _workbook,
    ".md": _for_people(markdown),
    ".tex": _for_people(latex),
    ".sdf": _library,
    ".html": _page,
}
