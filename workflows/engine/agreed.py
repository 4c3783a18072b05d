"""How much of what was agreed has been spent: by runs that this one goes on from or repeats."""

from __future__ import annotations

from collections.abc import Sequence

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
        about: IRIs of the objects that it starts from.
    """
    g = GRAFICO.term
    resumes = f"<{g('resumes')}>"
    linked = f"{{ ?run ({resumes}|^{resumes})* <{former}> }} UNION" if former else ""
    subjects = " ".join(f"; <{g('about')}> <{iri}>" for iri in about)
    answer = kg.store.query(f"""
        SELECT DISTINCT ?outcome ?seconds {{
            {linked} {{
                ?run <{g("forms")}> {literal(forms)} ; <{g("graph")}> {literal(graph)} {subjects} .
                ?end <{g("run")}> ?run ; <{g("status")}> ?status
                FILTER(?status != "finished")
            }}
            ?outcome <{g("run")}> ?run ; <{g("computed")}> ?seconds
        }}""")
    assert isinstance(answer, Table)
    return sum(float(str(getattr(row[1], "value", row[1]))) for row in answer.rows)
