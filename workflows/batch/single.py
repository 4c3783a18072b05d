"""One subject as a collection, so that it can be computed at many settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ogm import GraphModel, Link
from ontologies.collection import Collection, Entry
from triplestore.errors import GraficoError, NotFoundError
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import fill
from workflows.engine.request.refusals import refuse_unknown
from workflows.engine.request.workflow import read
from workflows.registry import subject_of, subjects
from workflows.trust.caller import asked_by, without_files


async def single(
    given: object,
    kind: str,
    said: Mapping[str, Any],
    defaults: Mapping[str, Any],
    executor: Executor,
) -> Given[Collection]:
    """Return a collection of one subject, of whatever kind.

    Its entry holds the text where that says all of it, as if it had been asked for alone; else,
    as of a file, the subject itself.

    Args:
        given: text, a path, or an object of its kind.
        kind: the name of its kind of subject; empty for the usual one.
        said: of the form of its subject.
        defaults: of the settings, for that form.
        executor: what finding it out may use.

    Raises:
        NotFoundError: there is no such kind.
        InputError: a field that its form has not.
        GraficoError: it cannot be found or read.
    """
    subject = subject_of(kind)
    if subject is None:
        found = f"there are: {', '.join(subjects())}"
        raise NotFoundError(f"a {kind} was asked for", "nothing is of that kind", found)
    refuse_unknown(subject.form.offered(), said)
    form = fill(subject.form, said, defaults)
    about = await read(subject, given, form, executor)
    text, model = (given if isinstance(given, str) else ""), about.model
    if text and not await _says_all(subject, text, said, model, executor):
        text = ""
    label = about.text or subject.label(model)
    how = {"single": True, **({"text": text, **said} if text else {})}
    collection = Collection(
        source_name=label,
        digest=hashlib.sha256(model.iri.encode()).hexdigest(),
        kind=subject.name,
        reading=json.dumps(how, sort_keys=True),
    )
    entry = Entry(
        collection=Link[Collection](collection),
        index=0,
        name=label,
        place="",
        text=text,
        structure=None if text else Link[GraphModel](model),
        arguments=json.dumps(dict(said)) if text and said else "",
    )
    if not text:
        executor.record(model, *about.beside)
    executor.record(entry)
    executor.record(collection)
    return Given(collection, label, about.remarks)


async def _says_all(
    subject: Subject[Any], text: str, said: Mapping[str, Any], model: GraphModel, executor: Executor
) -> bool:
    """Tell whether a text means this very object without a file."""
    with suppress(GraficoError), asked_by(without_files()):
        again = await subject.read(text, fill(subject.form, said), executor.unheard())
        return again.model == model
    return False
