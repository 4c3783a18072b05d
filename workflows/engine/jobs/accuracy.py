"""How well the estimates of jobs did: what was thought beside what was measured."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ogm import GRAFICO, PROV, KnowledgeGraph
from ontologies.jobs import ClusterJob
from triplestore import Table
from workflows.text.words import count

LATEST = 100
"""Jobs that are looked at."""


@dataclass(frozen=True)
class Accuracy:
    """How well the estimates of some jobs did.

    Attributes:
        jobs: how many were estimated, and have reached their ends.
        factor: within which nine of ten were right.
        within: the share of those that were right within the factor that was stated.
    """

    jobs: int
    factor: float
    within: float

    @property
    def text(self) -> str:
        """In words."""
        return (
            f"estimates of the last {count(self.jobs, 'job')}: nine of ten within a factor of "
            f"{self.factor:.2g}, {self.within:.0%} within the factor that was stated"
        )


def accuracy(kg: KnowledgeGraph, latest: int = LATEST) -> Accuracy | None:
    """Return how well the estimates of the latest jobs did; None where there are none.

    These are jobs that were estimated and all of whose parts have finished. What attempts have
    taken that were cut off counts, too.
    """
    g = GRAFICO.term
    query = f"""
        SELECT ?job ?estimate ?factor (SUM(?hours) AS ?took) (MAX(?ended) AS ?last) {{
            ?job a <{ClusterJob.term()}> ; <{g("estimate")}> ?estimate ; <{g("factor")}> ?factor ;
                 <{g("shares")}> ?shares .
            ?attempt <{g("job")}> ?job ; <{g("coreHours")}> ?hours ;
                     <{PROV.term("endedAtTime")}> ?ended ; <{g("ending")}> ?ending .
            BIND (IF(?ending IN ("finished", "goal unmet"), 1, 0) AS ?done)
        }} GROUP BY ?job ?estimate ?factor ?shares HAVING (SUM(?done) = ?shares)
        ORDER BY DESC(?last) LIMIT {latest}"""
    answer = kg.store.query(query)
    assert isinstance(answer, Table)
    rows = [[float(str(getattr(term, "value", 0))) for term in row[1:4]] for row in answer.rows]
    return judged([(thought, factor, took) for thought, factor, took in rows if took > 0])


def judged(jobs: Sequence[tuple[float, float, float]]) -> Accuracy | None:
    """Return how well estimates did: each as estimate, stated factor and what was measured."""
    if not jobs:
        return None
    far = [abs(math.log(took / thought)) for thought, _, took in jobs]
    held = [off <= math.log(factor) for off, (_, factor, _) in zip(far, jobs, strict=True)]
    most = sorted(far)[math.ceil(0.9 * len(far)) - 1]
    return Accuracy(len(jobs), math.exp(most), statistics.fmean(held))
