"""Structures in a message or a file become IRIs before a model sees them."""

from __future__ import annotations

import asyncio
import json
import math
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from grafico.session.inspection import shorten
from grafico.views.row_choice import RowChoice
from ogm import GraphModel
from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.batch.reading import library_of
from workflows.batch.sources import opened, records
from workflows.batch.tables import MANY_COLUMNS, WIDE
from workflows.engine.request.definition import Pasted, Subject
from workflows.registry import subjects
from workflows.trust.caller import asked_by

from .context import ToolContext, is_source, kind_of, suffixes
from .toolbox import Found

NEWLINE = re.compile(r"\r\n|\n|\r")
"""As files of structures have it; other characters that break lines belong to a comment."""

AROUND = "\"'`“”‘’«»,.;:!?()[]"
"""What may stand around the name of a file in a sentence."""

LONGEST = 200
"""Letters of a comment that a model is told."""

PICKED = f"run_workflow batch, top, sort: {RowChoice.model_fields['sort'].description}"
"""How rows of a table are had in one call."""

MOST_ROWS, TYPED_ROWS = 100_000, 1000
"""Rows of a table that are counted, and of which the columns are looked at."""


@dataclass(frozen=True)
class Attached:
    """A structure that came with a message.

    Attributes:
        iri: of the structure; empty where it could not be read.
        file: its file in the folder of the conversation.
        error: why it could not be read.
    """

    iri: str
    file: str
    error: str = ""


async def take_in(
    context: ToolContext, text: str, files: Sequence[Path] = ()
) -> tuple[str, list[Attached]]:
    """Return a message with a marker in the place of each structure, and the structures.

    A marker is JSON on one line. What a structure says in its comment stands in it as data. Those
    of files, attached or named in the text, stand at the end. One that cannot be read holds up no
    other.

    Raises:
        InputError: no file can be read, or is one of a structure.
        NotFoundError: there is no such file.
    """
    lines, parts, attached, at = NEWLINE.split(text), list[str](), list[Attached](), 0
    for kind, block in await asyncio.to_thread(lambda: list(found(lines))):
        parts += lines[at : block.start]
        path = context.new_path("pasted", block.suffix)
        path.write_text(block.text, encoding="utf-8")
        data, one = await _stored(context, kind, path, "pasted")
        parts.append(data)
        attached.append(one)
        at = block.end
    parts += lines[at:]
    given = {file.resolve() for file in files}
    for kind, path in () if context.whole else named(context, parts):  # the rules read names
        if path not in given:
            data, one = await _stored(context, kind, path, f"the file {path.name} named above")
            parts.append(data)
            attached.append(one)
    failed = dict[Path, GraficoError]()
    for file in files:
        try:
            await looked_at(file)
        except GraficoError as error:  # what is wrong with it is for the person
            failed[file] = error
            if len(failed) == len(files):
                raise
    for file in files:
        kind = kind_of(file)
        if (error := failed.get(file)) is not None:  # the others stand for themselves
            why = "; ".join(filter(None, [error.found, error.advice]))
            said = {"structure": None, "from": f"attached {file.name}", "unreadable": True}
            parts.append(marker(said))
            attached.append(Attached("", file.name, why))
            continue
        path = file.resolve()
        if path.parent != context.folder:
            kept = context.folder / path.name
            if kept.exists():
                kept = context.new_path(path.stem, path.suffix)
            path = Path(shutil.copyfile(path, kept))
        if kind is None:  # its entries are read when they are asked for
            outline = await asyncio.to_thread(outline_of, context, path)
            said = {"table": path.name, "from": f"attached {file.name}", **outline, "by": PICKED}
            parts.append(marker(said))
            continue
        data, one = await _stored(context, kind, path, f"attached {path.name}")
        parts.append(data)
        attached.append(one)
    return "\n".join(parts), attached


async def looked_at(file: Path) -> tuple[GraphModel | None, dict[str, object]]:
    """Return what a file holds, and what is told of it; None where that is a source of many.

    Nothing is stored.

    Raises:
        GraficoError: it cannot be read, or holds nothing that is.
    """
    kind = kind_of(file)
    if kind is not None:
        return await kind.take(file)
    if not is_source(file):
        raise InputError(
            f"{file.name} was attached",
            "it is no file of a structure",
            f"attach one of {', '.join(suffixes())}, or a table",
        )
    if not file.is_file():
        raise NotFoundError(f"{file.name} was attached", "there is no such file", "check it")
    return None, {}


def outline_of(context: ToolContext, path: Path) -> Found:
    """Return how many rows a source of many has, and what stands in its columns.

    Args:
        context: whose folder it is in.
        path: of the file.
    """
    number, types = 0, dict[str, set[str]]()
    try:
        with asked_by(context.caller), opened(str(path), library_of("")[1]) as source:
            for raw in islice(records(source, library_of("")[1]), MOST_ROWS + 1):
                number += 1
                for name, text in raw.columns.items() if number <= TYPED_ROWS else ():
                    kind = types.setdefault(name, set())
                    kind |= {"number" if _is_number(text) else "text"} if text else set()
    except GraficoError as error:
        return {"unreadable": "; ".join(filter(None, [error.found, error.advice]))}
    found: Found = {"rows": number if number <= MOST_ROWS else f"more than {MOST_ROWS}"}
    told = dict(islice(types.items(), MANY_COLUMNS))
    columns = {name[:WIDE]: " or ".join(sorted(kinds)) or "empty" for name, kinds in told.items()}
    if len(types) > len(told):
        columns["…"] = f"{len(types) - len(told)} more"
    return found | ({"columns": columns} if columns else {})


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


async def _stored(
    context: ToolContext, kind: Subject[Any], path: Path, origin: str
) -> tuple[str, Attached]:
    try:
        with asked_by(context.caller):
            model, told = await kind.take(path)
    except GraficoError as error:
        why = "; ".join(filter(None, [error.found, error.advice]))
        said = {"structure": None, "from": origin, "file": path.name, "unreadable": why}
        return marker(said), Attached("", path.name, why)
    context.session.executor.record(model)
    comment = str(told.pop("comment", None) or "")[:LONGEST] or None
    remarks = told.pop("remarks", None)
    said = {
        "structure": shorten(model.iri),
        **told,
        "from": origin,
        "file": path.name,
        "comment": comment,
        "remarks": remarks,
    }
    return marker({n: v for n, v in said.items() if v is not None}), Attached(model.iri, path.name)


def found(lines: Sequence[str]) -> Iterator[tuple[Subject[Any], Pasted]]:
    """Iterate over what is pasted into a text, with its kind; of what overlaps the first counts."""
    kinds = subjects(lambda kind: kind.pasted).values()
    each = [(kind, block) for kind in kinds for block in kind.pasted(lines)]
    at = 0
    for kind, block in sorted(each, key=lambda one: one[1].start):
        if block.start >= at:
            yield kind, block
            at = block.end


def named(context: ToolContext, lines: Sequence[str]) -> list[tuple[Subject[Any], Path]]:
    """Return the files of structures in the folder of a conversation that a text names."""
    there = dict[Path, Subject[Any]]()
    for word in (
        word.strip(AROUND) for line in lines if line[:6] != "[data " for word in line.split()
    ):
        kind = kind_of(Path(word))
        if kind is not None:
            with suppress(InputError):  # it is out of reach: whoever asks for it is told so
                path = context.path(word)
                if kind.path_of(str(path)).is_file():
                    there[path] = kind
    return [(kind, path) for path, kind in there.items()]


def marker(said: Mapping[str, object]) -> str:
    """Return data as one line that no text inside can end."""
    return f"[data {json.dumps(dict(said))}]"
