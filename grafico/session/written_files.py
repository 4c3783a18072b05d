"""Files that Python is asked for: `convert(result, "a.xyz")`, `report(result, "r.html")`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from triplestore.errors import InputError
from workflows.engine.request.endings import check_ending, ending_of
from workflows.registry import Action

from ..whole_files import write_whole

T = TypeVar("T")


class Told(list[T]):
    """A list whose `repr` is what a terminal tells of it.

    Args:
        found: what is in it.
        text: what is told.
    """

    def __init__(self, found: Sequence[T], text: str) -> None:
        super().__init__(found)
        self._text = text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


def told(value: object, text: str | bytes) -> object:
    """Return what an action says to Python: a list tells what a terminal tells of it."""
    if type(value) is list and isinstance(text, str):  # pyright: ignore[reportUnknownArgumentType]
        return Told(cast("list[object]", value), text)
    return cast("object", value)


def file_among(
    action: Action, given: Sequence[object], asked: dict[str, Any]
) -> tuple[Path | None, list[object]]:
    """Return the file that an action is to write, and what else stands behind its subject.

    Args:
        action: what is asked.
        given: what stands behind its subject: a path, or a text that ends as its files do.
        asked: fields by name; `output` is taken out of it.

    Raises:
        InputError: it writes no such files.
    """
    whole = action.whole
    named = asked.pop("output", None) if "output" not in whole.fields else None
    files = [one for one in given if _is_file(one, whole.endings)]
    rest = [one for one in given if one not in files]
    if named is None and not files:
        return None, rest
    place = Path(str(named if named is not None else files[0]))
    if not whole.endings:
        raise InputError(
            f"cannot write {place}", f"{action.command} writes no file", "leave it out"
        )
    check_ending(place.name, whole.endings, whole.unwritten)
    return place, rest


def _is_file(given: object, endings: Sequence[str]) -> bool:
    return isinstance(given, Path) or (isinstance(given, str) and ending_of(given) in endings)


def write_file(path: Path, content: str | bytes) -> Path:
    """Write a file, in the place of what stands there, and return where it is.

    Raises:
        InputError: no file can stand there.
    """
    try:
        write_whole(path, content)
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(f"cannot write {path}", found, "choose another place") from error
    return path.resolve()
