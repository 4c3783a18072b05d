"""Where a level of theory comes from: what the names that were asked for were found to mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ogm import GraphModel, KnowledgeGraph
from ontologies.level import LevelOfTheory, LevelResolution
from workflows.show.lineage import Origin, traces


@traces(LevelOfTheory)
def _(level: LevelOfTheory, kg: KnowledgeGraph, results: Sequence[GraphModel]) -> Iterator[Origin]:
    del results
    resolutions = sorted(kg.find(LevelResolution, level=level), key=lambda one: one.iri)
    said = dict.fromkeys(remark for one in resolutions for remark in one.remarks)
    if resolutions:
        yield Origin("; ".join(said), resolutions[0].iri)
