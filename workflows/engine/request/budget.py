"""How much of an agreed time is spent, by this run and those that it repeats or continues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ogm import GRAFICO, KnowledgeGraph
from ogm.literals import literal
from triplestore import Table


def computed_before(
    kg: KnowledgeGraph, former: str, graph: str, forms: str, about: Sequence[str]
) -> float:
    """Return how long others have computed for the same request, in s.

    These are all runs that are linked with the former one by going on from each other, and those
    of the same request that did not reach its end: who may not go on may not begin again either.
    A run that was killed has not said how long it had computed.

    Args:
        kg: the graph to read from.
        former: IRI of the run that is gone on with; empty for a new one.
        graph: of the request.
        forms: as a run records them.
        about: IRIs of the objects that it starts from, its subject first: stores begin with that,
            as of the same forms and level there may be many thousand runs.
    """
    g, same = GRAFICO.term, [f"<{GRAFICO.term('about')}> <{iri}>" for iri in about]
    same += [f"<{g('forms')}> {literal(forms)}", f"<{g('graph')}> {literal(graph)}"]
    alike = {str(run) for (run,) in _rows(kg, f"SELECT ?run {{ ?run {' ; '.join(same)} }}")}
    linked: set[str] = set()
    if former:
        resumes = f"<{g('resumes')}>"
        path = f"SELECT DISTINCT ?run {{ ?run ({resumes}|^{resumes})* <{former}> }}"
        linked = {str(run) for (run,) in _rows(kg, path)}
    if not alike | linked:
        return 0.0
    # a query of its own: joined with the first, a store goes through the outcomes of all runs
    runs = " ".join(sorted(alike | linked))
    said = f"<{g('run')}> ?run ; <{g('status')}> ?status ; <{g('computed')}> ?seconds"
    each = f"VALUES ?run {{ {runs} }} ?outcome {said}"
    rows = _rows(kg, f"SELECT DISTINCT ?outcome ?run ?status ?seconds {{ {each} }}")
    return sum(
        float(seconds.value)
        for _, run, status, seconds in rows
        if str(run) in linked or status.value != "finished"
    )


def _rows(kg: KnowledgeGraph, query: str) -> Sequence[Sequence[Any]]:
    answer = kg.store.query(query)
    assert isinstance(answer, Table)
    return answer.rows
