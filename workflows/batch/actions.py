"""An action asked of each entry of a table: what it says, one below the other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from triplestore.errors import (
    ComponentError,
    ConsentError,
    GraficoError,
    InputError,
    KilledError,
    MemoryLimitError,
    ResourceError,
    TimeLimitError,
)
from workflows.engine.request.definition import ActionDefinition, PreparedAction, Product
from workflows.engine.request.endings import ending_of
from workflows.engine.request.library import Library, Raw
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count
from workflows.trust import caller
from workflows.trust.caller import located

from .sources import opened, records
from .tables import TABLES

MOST = 10_000
"""Entries of one table."""

LINES = (".smi", ".smiles", ".ism", ".names")
"""What else has an entry a line."""

NAMED = 5
"""Entries that a remark names; of more it tells how many."""

HEAD = 4096
FRAMES = re.compile(r"\s*\d{1,9}[ \t]*\r?\n")
"""How a file of frames begins, whatever it is called."""

OF_FOLDER = re.compile(r"(.+), structure (\d+), line \d+")
"""Where a record of one of several files stands."""

EACH_ITS_OWN = (ConsentError, KilledError, MemoryLimitError, TimeLimitError)
"""What stands in the way of one entry, and need not in that of the next."""

Ask = Callable[[Raw, object], Awaitable[PreparedAction]]


def entries(
    given: object, action: ActionDefinition[Any], form: str = "", file: str = ""
) -> list[Raw] | None:
    """Return the entries of a table that an action is asked of; None where it is none.

    Args:
        given: what it is asked of.
        action: which.
        form: the format that was said; empty for that of the file.
        file: what is written; empty for none.

    Raises:
        InputError: it has too many, or cannot be read.
    """
    library: Library | None = action.subject.library
    if not action.of_many or library is None or not isinstance(given, str | Path):
        return None
    name = str(given)
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    known = {*TABLES, *LINES, *(library.suffixes if action.joined else ())}
    place = located(name)
    # a folder that happens to be called `benzene` does not change what benzene is
    folder = (
        place is not None
        and place.is_dir()
        and bool(action.joined)
        and (name == "." or "/" in name)
    )
    if place is None or (place.is_dir() and not folder):
        return None
    if (
        not folder
        and suffix not in known
        and not (action.joined and _begins_like_one(name, library))
    ):
        return None
    if action.joined and (form or ending_of(file).lstrip(".")) not in (*action.joined, "smi", ""):
        return None
    with opened(name, library) as source:
        found = list(itertools.islice(records(source, library), MOST + 1))
    if len(found) > MOST:
        asked, problem = f"{name} was asked about", f"it has more than {MOST:,} entries"
        raise InputError(asked, problem, "give a shorter table")
    if not folder and suffix not in (*TABLES, *LINES) and len(found) < 2:
        return None  # a file of one structure is that structure
    return found


def _begins_like_one(name: str, library: Library) -> bool:
    """Return whether a file of another name begins like one of structures: `xtbopt.log` is XYZ."""
    with suppress(OSError, ValueError), caller.opened(name) as stream:
        head = stream.read(HEAD).decode("utf-8", "replace")
        return bool(FRAMES.match(head)) and library.suffix_of(head) in library.suffixes
    return False


def told_of(raw: Raw, action: ActionDefinition[Any]) -> dict[str, Any]:
    """Return fields of an action that a table says of an entry, such as that it is a name.

    Raises:
        InputError: a column says what it cannot.
    """
    library: Library | None = action.subject.library
    takes = action.subject.form.offered()
    told = dict(library.told(raw)) if library else dict[str, Any]()
    of_folder = OF_FOLDER.fullmatch(raw.place)
    number = f" {of_folder[2]}" if of_folder and of_folder[2] != "1" else ""
    title = raw.name
    if of_folder and title in ("", of_folder[1]):
        title = f"{Path(of_folder[1]).stem}{number}"
    if action.joined and title:
        told["title"], takes = title, {**takes, **action.forms[0].offered()}
    return {name: said for name, said in told.items() if name in takes}


def read_each(library: Library, found: Sequence[Raw]) -> list[object]:
    """Return what records say, as a subject takes it; for one that cannot be read the error."""
    read = list[object]()
    for one in found:
        try:
            read.append(library.given(one))
        except GraficoError as error:
            read.append(error)
    return read


def each(found: Sequence[Raw], ask: Ask, action: ActionDefinition[Any]) -> PreparedAction:
    """Return an action that is asked of each entry; one that fails stops no other.

    Where a component is missing, or the store is lost, it is for all that come after: that ends it.
    Python is handed a list: what each came to, or its error.

    Args:
        found: the entries.
        ask: prepares the action for one.
        action: which; where its texts are joined, nothing stands between them.
    """
    library: Library | None = action.subject.library

    async def make() -> Product:
        lines, told, values = list[str](), list[dict[str, Any]](), list[Any]()
        remarks: dict[str, list[str]] = {}
        failed = 0
        read: list[object] = [one.text for one in found]
        if library is not None and any(one.suffix for one in found):
            read = await in_subprocess("several were to be read", read_each, library, [*found])
        for one, about in zip(found, read, strict=True):
            name = one.name or (one.place if one.suffix else one.text or one.place)
            said: dict[str, Any] = {"entry": name, "given": one.place if one.suffix else one.text}
            try:
                if one.problem or not one.text:
                    asked = f"{one.place} was asked about"
                    raise InputError(asked, one.problem or "it is empty", "mend it")
                if isinstance(about, GraficoError):
                    raise about
                made = await (await ask(one, about)).make()
            except GraficoError as error:
                if _concerns_all(error):
                    raise
                failed += 1
                why = f"{error.found} ({error.advice})"
                if action.joined:
                    remarks.setdefault(f"left out: {why}", []).append(name)
                else:
                    lines.append(f"# {name}: {why}\n")
                values.append(error)
                told.append({**said, "problem": error.found, "advice": error.advice})
                continue
            lines += [] if action.joined else [f"# {name}\n"]
            lines.append(str(made.text))
            for remark in made.remarks:
                remarks.setdefault(remark, []).append(name)
            values.append(made.value)
            told.append({**said, **made.facts})
        notes = [
            remark if len(names) == len(found) - failed > 1 else f"{_named(names)}: {remark}"
            for remark, names in remarks.items()
        ]
        if failed:
            notes.append(f"{failed} of {len(found)} entries have no answer, with the reason")
        facts = {"entries": told}
        many = f"{len(found) - failed} of {len(found)} entries" if action.joined else ""
        bad = failed == len(found)
        return Product("".join(lines), values, facts, tuple(notes), many, failed=bad)

    return PreparedAction(make)


def _concerns_all(error: GraficoError) -> bool:
    """Tell whether an entry failed at what the others need, too."""
    return isinstance(error, (ComponentError, ResourceError)) and not isinstance(
        error, EACH_ITS_OWN
    )


def _named(names: Sequence[str]) -> str:
    """Return names of entries; of many how many they are, and the first few."""
    if len(names) <= NAMED:
        return ", ".join(names)
    return f"{count(len(names), 'entry', 'entries')} ({', '.join(names[:NAMED])} …)"
