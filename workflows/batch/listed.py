"""Many subjects that a program has: a list, a mapping of names, a column or table of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from triplestore.errors import InputError

HEADING = "structure"
"""Of one column: each text is read as by itself, whatever the column was called."""

ASKED = "a batch of a list was asked for"


@dataclass(frozen=True)
class Listed:
    """Rows of texts, headings first, as a table of a file has them."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Files:
    """Several files of one person, read as those of a folder are."""

    names: tuple[str, ...]


def listed(given: object) -> Listed | None:
    """Return what a program holds of many as a table; None if it is no such thing.

    Args:
        given: texts, or a mapping from names to texts, or a Series or DataFrame of pandas, whose
            index gives the names if it is one of texts.

    Raises:
        InputError: something in it is no text.
    """
    held = cast("Any", given)
    if hasattr(held, "columns") and hasattr(held, "itertuples"):
        heads = [str(name) for name in held.columns]
        return _table(heads, held.itertuples(index=False, name=None))
    if hasattr(held, "items") and hasattr(held, "index") and hasattr(held, "dtype"):
        pairs = list(held.items())
        if all(isinstance(name, str) for name, _ in pairs):
            return _table(["name", HEADING], pairs, texts=True)
        return _table([HEADING], ([value] for _, value in pairs), texts=True)
    if isinstance(given, Mapping):
        return _table(["name", HEADING], cast("Mapping[Any, Any]", given).items(), texts=True)
    if isinstance(given, Sequence | set | frozenset | Iterator) and not isinstance(
        given, str | bytes
    ):
        return _table([HEADING], ([value] for value in cast("Iterable[Any]", given)), texts=True)
    return None


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]], *, texts: bool = False) -> Listed:
    found = tuple(tuple(_text(one, texts=texts) for one in row) for row in rows)
    if not found:
        raise InputError(ASKED, "it is empty", "give at least one")
    return Listed((tuple(heads), *found))


def _text(value: Any, *, texts: bool) -> str:
    if isinstance(value, str):
        return value
    if value is None or value != value:  # NaN: a cell without a value
        return ""
    if texts:
        raise InputError(
            ASKED,
            f"one of it is a {type(value).__name__}, not a text",
            "give SMILES, names or IRIs; `run` takes a list of structures",
        )
    return str(value)
