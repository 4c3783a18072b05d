"""Runs that are stored, by their IRIs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import checked_iri, shorten, with_prefixes
from ontologies.provenance import Requested, Run
from triplestore import Table
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

    The IRI of a result stands for the run that made it, if that is one alone.

    Raises:
        NotFoundError: nothing of that IRI is stored.
        InputError: it is something else, or several runs made it.
    """
    run = kg.pull(GraphModel, iri)
    if isinstance(run, Requested):
        run = max(kg.find(Run, about=Link[GraphModel](run)), key=_when, default=run)
    if isinstance(run, Run):
        return run
    asked, kind = f"the run {iri} was asked for", type(run).__name__
    makers = runs_that_made(kg, run.iri)
    if len(makers) > 1:
        few = ", ".join(map(shorten, makers[:5])) + ", …" * (len(makers) > 5)
        raise InputError(asked, f"that is a {kind} of several runs", f"give one of them: {few}")
    if not makers:
        raise InputError(asked, f"that is a {kind}", "give the IRI of a run")
    return kg.pull(Run, makers[0])


def runs_that_made(kg: KnowledgeGraph, iri: str) -> list[str]:
    """Return the IRIs of the runs that made a result, the oldest first; not those that reused it.

    Where all reused it, as what another process had computed, all of them count.

    Args:
        kg: the graph to read from.
        iri: of the result.
    """
    answer = kg.store.query(
        with_prefixes(
            f"""SELECT DISTINCT ?run ?old {{
            {{ ?made prov:generated <{checked_iri(iri)}> .
               ?step g:activity ?made ; g:run ?run . OPTIONAL {{ ?step g:reused ?old }} }}
            UNION {{ ?end g:results/rdf:rest*/rdf:first|g:results <{checked_iri(iri)}> ;
               g:run ?run . FILTER NOT EXISTS {{ ?any prov:generated <{checked_iri(iri)}> }} }}
            }} ORDER BY ?run"""
        )
    )
    assert isinstance(answer, Table)
    rows = [
        (str(run.value), str(getattr(old, "value", "")) == "true")
        for run, old in answer.rows
        if run
    ]
    return list(dict.fromkeys([run for run, old in rows if not old] or [run for run, _ in rows]))


def _when(run: Run) -> datetime:
    return run.started
