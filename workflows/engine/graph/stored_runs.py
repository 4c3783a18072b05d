"""Runs that are stored, by their IRIs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.provenance import Requested, Run
from triplestore.errors import InputError

from ..execution.executor import Executor
from .graph import Graph


def former_run(graph: Graph[Any], iri: str, executor: Executor) -> Run:
    """Return a stored run of a graph.

    Raises:
        NotFoundError: it is not stored.
        InputError: it is no run, or of another graph.
    """
    run = stored_run(executor.kg, iri)
    if run.graph != graph.name:
        raise InputError(
            f"cannot continue {iri} as a run of {graph.name}",
            f"it is a run of {run.graph}",
            "give a run of that graph",
        )
    return run


def stored_run(kg: KnowledgeGraph, iri: str) -> Run:
    """Return a stored run, or the latest of what was requested as a whole, such as a batch.

    Raises:
        NotFoundError: nothing of that IRI is stored.
        InputError: it is something else.
    """
    run = kg.pull(GraphModel, iri)
    if isinstance(run, Requested):
        run = max(kg.find(Run, about=Link[GraphModel](run)), key=_when, default=run)
    if not isinstance(run, Run):
        raise InputError(
            f"the run {iri} was asked for",
            f"that is a {type(run).__name__}",
            "give the IRI of a run",
        )
    return run


def _when(run: Run) -> datetime:
    return run.started
