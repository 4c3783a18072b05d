"""What a model gets of actions: texts and files of a subject, made without a run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from grafico.session.inspection import shorten
from ogm.validation_errors import readable
from triplestore.errors import GraficoError, InputError
from workflows.engine.request.definition import PreparedAction
from workflows.engine.request.refusals import refuse_unknown
from workflows.registry import Action, Wrapper
from workflows.show.blocks import Note

from .context import ToolContext
from .tool_forms import form_of
from .toolbox import ArgumentsError, Found, checked, failed

LONGEST = 3000
"""Letters of a text that are told; a file has all of it."""

MOST = 40
"""Items of a list that are told."""

FILE = "file"
"""The argument that names the file which is written, in the folder of a conversation."""


Subject: TypeAlias = "str | Mapping[str, Any]"
"""A text, or what fills in the form `typed` of a kind of subject."""


def subjects_of(
    action: Action, subjects: Sequence[str], asked: Mapping[str, Any]
) -> tuple[list[Subject], Found]:
    """Return what an action is about, which may stand among its arguments, and the others.

    Raises:
        ArgumentsError: what fills in the form of its subject does not.
    """
    subject, others = action.whole.subject, dict(asked)
    if subject.typed is None or others.get(subject.name) is None:
        return [*subjects], others
    given = others.pop(subject.name)
    if isinstance(given, Mapping):
        try:
            subject.typed.model_validate(given)
        except ValidationError as error:
            wrong = "; ".join(readable(error))[:900]
            advice = f"see describe {action.command}"
            raise ArgumentsError(f"{action.command} was asked for", wrong, advice) from None
    return [*subjects, cast("Subject", given)], others


def check_action(action: Action, subjects: Sequence[Subject], asked: Mapping[str, Any]) -> None:
    """Check what an action is asked for, as far as that needs no subject.

    Raises:
        ArgumentsError: it takes no such arguments, or they cannot be.
    """
    whole = action.whole
    said = {name: one for name, one in asked.items() if name != FILE and one is not None}
    wrong = [] if subjects or not whole.subject.metavar else [f"no {whole.subject.name} is named"]
    form = form_of(action.name, whole.arguments)
    fine, more = checked(form, said)
    if wrong := [*wrong, *more]:
        takes = f"it takes {', '.join([*whole.arguments, FILE])}"
        raise ArgumentsError(f"{action.command} was asked for", "; ".join(wrong), takes)
    refuse_unknown(whole.arguments, fine or {})


async def made(
    context: ToolContext, action: Action, subjects: Sequence[Subject], asked: Mapping[str, Any]
) -> Found:
    """Return what an action makes of each subject, one after the other; one may fail by itself.

    Raises:
        ArgumentsError: the one that a model has filled in cannot be; it can mend it.
    """
    noun, rows = action.whole.subject.name, list[Found]()
    said = {name: one for name, one in asked.items() if name != FILE}
    for subject in subjects or (None,):
        typed = isinstance(subject, Mapping)
        row: Found = (
            {} if subject is None else {noun: subject.get("name", "") if typed else subject}
        )
        file = str(asked.get(FILE) or "")
        try:
            if file and len(subjects) > 1:  # each its own
                path = Path(file)
                file = f"{path.stem}-{len(rows) + 1}{path.suffix}"
            if file:
                file = _free(context, file).name
            ready = await context.session.prepare_action_async(
                action, subject, file=file, **{n: v for n, v in said.items() if v is not None}
            )
            row |= {"status": "finished"} | await _written(context, ready, file)
        except InputError as error:
            if typed and len(subjects) == 1:
                raise ArgumentsError(error.asked, error.found, error.advice) from error
            row |= failed(error)
        except GraficoError as error:
            row |= failed(error)
        rows.append(row)
    return {f"{noun}s": rows}


async def on_stored(
    context: ToolContext, wrapper: Wrapper, runs: Sequence[str], asked: Mapping[str, Any]
) -> Found:
    """Return what a verb about other verbs says of stored runs, such as a comparison of them.

    Raises:
        InputError: these are not several runs.
    """
    names = " ".join(runs)
    answer = await asyncio.to_thread(context.session.on_stored, wrapper, names, asked)
    if answer is None:
        raise InputError(
            f"{wrapper.command} of stored runs was asked for",
            f"{names[:200] or 'nothing'} does not name several",
            "name them, such as “last 2” or IRIs; settings are compared as lists of values",
        )
    told: list[dict[str, Any]] = answer.frame().to_dict("records")
    rows = [
        {n: shorten(x) if isinstance(x, str) else x for n, x in row.items() if _is_said(x)}
        for row in told
    ]
    blocks = (one for part in answer.shown_sections() for one in part.blocks)
    notes = [one.text for one in blocks if isinstance(one, Note)]
    return {"rows": rows} | ({"remarks": notes} if notes else {})


def _is_said(value: object) -> bool:
    return value not in (None, "") and value == value  # a number that is none is not itself


async def _written(context: ToolContext, ready: PreparedAction, file: str) -> Found:
    """Do what was prepared; return its file, or its text, and what is told of it."""
    path = _free(context, file or ready.file) if file or ready.file else None
    product = await ready.make()
    remarks = [one for one in (product.headline, *product.remarks) if one]
    facts: Found = to_jsonable_python(product.facts, fallback=str)
    told: Found = {
        name: _short(one)
        for name, one in facts.items()
        if one != [*product.remarks] and (path is not None or not isinstance(one, list))
    }  # of a text that is told, its lines say what lists do
    if path is not None:
        content = product.text.encode() if isinstance(product.text, str) else product.text
        await asyncio.to_thread(path.write_bytes, content)
        told["file"] = path.name
    elif isinstance(product.text, bytes):
        told["bytes"] = len(product.text)
    elif len(product.text) > LONGEST:
        told["text"] = f"{product.text[:LONGEST]}… ({len(product.text)} letters: name a {FILE})"
    else:
        told["text"] = product.text
    if product.failed:
        told["status"] = "failed"
    return told | ({"remarks": remarks} if remarks else {})


def _free(context: ToolContext, name: str) -> Path:
    """Return the place of a file in the folder; beside what stands there, which stays.

    Raises:
        InputError: it leads out of the folder.
    """
    path = context.path(Path(name).name if Path(name).is_absolute() else name)
    if path.exists():
        return context.new_path(path.stem, path.suffix)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _short(node: Any) -> Any:
    """Return what can be told of facts: the beginnings of long lists and texts."""
    if isinstance(node, str):
        return node if len(node) <= LONGEST else f"{node[:LONGEST]}…"
    if isinstance(node, dict):
        return {name: _short(one) for name, one in cast("dict[str, Any]", node).items()}
    if isinstance(node, list):
        every = cast("list[Any]", node)
        more = [f"… {len(every)} in all"] if len(every) > MOST else []
        return [*map(_short, every[:MOST]), *more]
    return node
