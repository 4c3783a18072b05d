"""What stands for a run or an object wherever one is named: what `run` returned, or its IRI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, Union

from ogm import GraphModel
from ogm.terms import full_iri
from workflows.engine.execution.answer import Answer
from workflows.show.run_blocks import DisplayedRun

if TYPE_CHECKING:
    from workflows.engine.jobs.job import Job

Handle: TypeAlias = Union[str, DisplayedRun, GraphModel, Answer[Any], "Job"]
"""An IRI, in full or short; what a request came to; an object; the answer of a calculation, which
stands for its result; a job, which stands for its run."""


def iri_of(handle: Handle) -> str:
    """Return the IRI of a run or an object."""
    if isinstance(handle, str):
        return full_iri(handle)
    if isinstance(handle, Answer):
        return handle.recorded
    return handle.iri if isinstance(handle, GraphModel) else handle.run


def name_of(handle: Handle) -> str:
    """Return the name of a job, the IRI of anything else; a text stays as it is."""
    if isinstance(handle, str):
        return handle
    return iri_of(handle) if isinstance(handle, DisplayedRun | GraphModel | Answer) else handle.name
