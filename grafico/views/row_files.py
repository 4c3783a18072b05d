"""Rows of a batch as files: CSV, TSV, JSON, Parquet and SDF; a page of them is held at a time."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ogm.keeping.atomic_file import new_file
from triplestore.errors import ComponentError, InputError

from .brief import named

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult
    from workflows.batch.rows import Row

OWN = ("index", "name", "place", "status", "reason", "run", "geometry", "remarks")
"""Columns that every row has, before those of the source and the facts."""

GROUP = 5000
"""Rows of a group in a Parquet file."""


def columns_of(result: BatchResult, wanted: Sequence[str] = ()) -> dict[str, str]:
    """Return the columns of the table of a batch: where each value is from, by its name.

    A source's column with the name of one of ours keeps it; ours is then `NAME (computed)`.

    Args:
        result: the batch.
        wanted: facts that are to be columns, by name with or without unit; all if there is none.

    Raises:
        InputError: nothing of such a name is known of any entry.
    """
    source: dict[str, None] = {}
    facts: dict[str, str] = {}
    for row in result.rows():
        source.update(dict.fromkeys(row.columns))
        facts.update({name: named(name, fact.unit) for name, fact in row.facts.items()
                      if wanted or not fact.minor})  # fmt: skip
    ways: list[dict[str, Any]] = [json.loads(one) for one in result.batch.settings]
    varied = [one for one in ways[0] if any(way.get(one) != ways[0][one] for way in ways)]
    if wanted:
        strange = [one for one in wanted if one not in facts and one not in facts.values()]
        if strange:
            raise InputError(
                f"the columns {', '.join(strange)} were asked for", "no entry has them",
                f"there are: {', '.join(sorted(facts.values())) or 'none'}",
            )  # fmt: skip
        facts = {key: name for key, name in facts.items() if {key, name} & {*wanted}}
    own = [*((f"own:{one}", one) for one in OWN), *((f"said:{one}", one) for one in varied),
           *((f"fact:{key}", name) for key, name in facts.items())]  # fmt: skip
    found = {name: f"column:{name}" for name in source}
    for where, name in own:
        free = name if name not in found else f"{name} (computed)"
        found[free] = where
    first = [name for name, where in found.items() if where in ("own:index", "own:name")]
    return {name: found[name] for name in (*first, *(one for one in found if one not in first))}


def record_of(row: Row, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row by the names of its columns; None for what is not known of it."""
    entry, columns = row.entry, row.columns
    own = {
        "index": entry.index, "name": entry.name, "place": entry.place, "status": row.status,
        "reason": row.reason, "run": row.run, "geometry": row.geometry,
        "remarks": "; ".join(entry.notes),
    }  # fmt: skip
    found: dict[str, Any] = {}
    for name, where in names.items():
        kind, _, key = where.partition(":")
        if kind == "own":
            found[name] = own[key] if own[key] != "" else None
        elif kind == "said":
            found[name] = row.said.get(key)
        elif kind == "column":
            found[name] = columns.get(key)
        else:
            fact = row.facts.get(key)
            value = None if fact is None else fact.value
            bad = isinstance(value, float) and not math.isfinite(value)
            found[name] = None if bad else value
    return found


def write_rows(result: BatchResult, path: Path, wanted: Sequence[str] = ()) -> None:
    """Write the table of a batch; the file appears whole or not at all.

    Args:
        result: the batch.
        path: of the file; its suffix says what is written.
        wanted: facts that are to be columns; all if there is none.

    Raises:
        InputError: no table is written in such a file.
        ComponentError: the package for it is not installed.
    """
    write = writer_of(path)
    names = columns_of(result, wanted)
    with new_file(path, overwrite=True, private=False) as file:
        write(result, file, names)


Writer = Callable[["BatchResult", IO[bytes], Mapping[str, str]], None]


def writer_of(path: Path) -> Writer:
    """Return what writes a file of such a name; see `write_rows`."""
    found = _WRITERS.get(path.suffix.lower())
    if found is None:
        raise InputError(
            f"the table {path} was asked for", f"no table is written as {path.suffix or 'that'}",
            f"name a file that ends with {', '.join(_WRITERS)}",
        )  # fmt: skip
    if found is _parquet:
        _arrow()
    return found


def _csv(
    result: BatchResult, file: IO[bytes], names: Mapping[str, str], separator: str = ","
) -> None:
    with _text(file) as text:
        table = csv.writer(text, delimiter=separator)
        table.writerow(names)
        table.writerows(record_of(row, names).values() for row in result.rows())


def _tsv(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    _csv(result, file, names, "\t")


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


def _arrow() -> Any:
    try:
        arrow = import_module("pyarrow")
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise ComponentError(
            "a table in Parquet was asked for", "pyarrow is not installed",
            "pip install 'grafico[parquet]', or write CSV",
        ) from error  # fmt: skip
    return arrow


def _parquet(result: BatchResult, file: IO[bytes], names: Mapping[str, str]) -> None:
    arrow = _arrow()
    kinds: dict[str, set[str]] = {name: set() for name in names}
    for row in result.rows():
        for name, value in record_of(row, names).items():
            if value is not None:
                kinds[name].add(type(value).__name__)
    of_kinds = {"bool": arrow.bool_(), "int": arrow.int64(), "float": arrow.float64(),
                "float int": arrow.float64()}  # fmt: skip
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


_WRITERS: dict[str, Writer] = {
    ".csv": _csv, ".tsv": _tsv, ".jsonl": _lines, ".parquet": _parquet, ".sdf": _library,
}  # fmt: skip
