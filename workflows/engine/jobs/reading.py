"""What a job came to, read again from its record: to look at it is no run of its own."""

from __future__ import annotations

from dataclasses import replace

from ogm import KnowledgeGraph
from ogm.terms import checked_iri, with_prefixes
from triplestore import Table

from ..execution.recalling import RecallingExecutor
from ..graph.router import Router
from ..request.workflow import Finished, Ready, finished


async def read_again(run: str, ready: Ready, router: Router | None) -> Finished | None:
    """Return what a run that went on elsewhere came to there, without recording anything.

    Args:
        run: IRI of the run, as it was cut off here.
        ready: the same, opened again.
        router: who chooses the steps, as they were chosen; the plan if None.

    Returns:
        The same as who had asked for it there was given; None where its end is not recorded, or
        something of it is not remembered any more.
    """
    recalling = RecallingExecutor(ready.executor)
    again = replace(ready, executor=recalling, estimated=True)
    came: list[Finished] = []

    async def ask() -> None:
        came.append(await finished(again, router=router, force=True))

    if await recalling.whole(ask()) is None:
        return None
    [done] = came
    last = _last(ready.executor.kg, run, done.status)
    return replace(done, run=last, ready=ready) if last else None


def _last(kg: KnowledgeGraph, run: str, status: str) -> str:
    """Return the latest run that went on from another and ended so; empty for none."""
    answer = kg.store.query(
        with_prefixes(f"""
        SELECT ?run {{
            ?run g:resumes+ <{checked_iri(run)}> . ?end g:run ?run ; g:status "{status}" ;
                prov:endedAtTime ?ended
            FILTER NOT EXISTS {{ ?run g:parent ?whole }}
        }} ORDER BY DESC(?ended) LIMIT 1""")
    )
    assert isinstance(answer, Table)
    return next((str(getattr(row[0], "value", "")) for row in answer.rows), "")
