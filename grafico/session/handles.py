"""What stands for a run or an object wherever one is named: what `run` returned, or its IRI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

from ogm import GraphModel
from ogm.terms import full_iri
from triplestore.errors import InputError
from workflows.engine.execution.answer import Answer
from workflows.show.displayed_run import DisplayedRun

if TYPE_CHECKING:
    from workflows.engine.jobs.job import Job

Handle: TypeAlias = Union[str, DisplayedRun, GraphModel, Answer[Any], "Job"]
"""An IRI, in full or short; what a request came to; an object; the answer of a calculation, which
stands for its result; a job, which stands for its run."""


def iri_of(handle: Handle) -> str:
    """Return the IRI of a run or an object.

    Raises:
        InputError: it is neither.
    """
    if isinstance(handle, str):
        return full_iri(handle)
    if isinstance(handle, Answer):
        return handle.recorded
    if isinstance(handle, GraphModel):
        return handle.iri
    run = getattr(handle, "run", None)
    if isinstance(run, str):
        return run
    raise InputError(
        "a run or another object was asked for",
        f"{repr(handle)[:60]} is neither, but of the type {type(handle).__name__}",
        "give what `run` returned, an object, an IRI, or a name such as 'last'",
    )


def as_named(given: object, *models: type) -> object:
    """Return the IRI of what `run` returned, or of an object that is no subject itself.

    Args:
        given: a subject, or several in a list.
        models: the classes of subjects and their parts, which stay as they are.
    """
    if isinstance(given, list | tuple):
        many = cast("Sequence[object]", given)
        named = [as_named(one, *models) for one in many]
        changed = any(one is not other for one, other in zip(named, many, strict=True))
        return named if changed else many
    if isinstance(given, GraphModel) and isinstance(given, models):
        return given
    if isinstance(given, GraphModel | DisplayedRun | Answer):
        return iri_of(cast("Handle", given))
    return given


def arguments(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is asked, with what `run` returned and other objects by their IRIs."""
    return {name: as_named(one) for name, one in asked.items()}


def name_of(handle: Handle) -> str:
    """Return the name of a job, the IRI of anything else; a text stays as it is."""
    if isinstance(handle, str):
        return handle
    if isinstance(handle, DisplayedRun | GraphModel | Answer):
        return iri_of(handle)
    return handle.name if hasattr(handle, "name") else iri_of(handle)
