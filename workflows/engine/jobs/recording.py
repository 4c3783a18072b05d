"""What stays of a job in the graph: where it was computed, what that took, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from ogm import GRAFICO, GraphModel, KnowledgeGraph, Link
from ogm.literals import literal
from ontologies.jobs import AttemptEnding, AttemptReason, ClusterJob, JobAttempt
from ontologies.provenance import Run
from triplestore import Table

from ..runners.cluster import HERE
from .job import ENDED, Job, JobFolder, Part
from .judging import core_hours


def record(kg: KnowledgeGraph, place: JobFolder, job: Job, parts: Sequence[Part]) -> None:
    """Store how the latest attempts at some parts of a job have ended, in one transaction, once.

    Somebody who holds the job's lock calls it before the folder says that they have ended. If this
    process is killed in between, it is asked again, and what is stored stays as it is.

    Raises:
        GraficoError: the store does not take it.
    """
    if not parts:
        return
    of, attempts = recorded(place, job, parts)
    there = _stored(kg, [of, *attempts])
    new = [one for one in attempts if one.iri not in there]
    if not new:
        return
    made = _stored(kg, [one.made for one in new if one.made is not None])
    kept = [
        one if one.made is None or one.made.iri in made else one.model_copy(update={"made": None})
        for one in new
    ]
    kg.push(*kept, *([] if of.iri in there else [of]))


def processors_of(kg: KnowledgeGraph, cluster: str) -> frozenset[str]:
    """Return the processors on which the jobs of a cluster have computed, as far as is known."""
    if cluster == HERE:
        return frozenset()
    g = GRAFICO.term
    where = (
        f"?job <{g('cluster')}> {literal(cluster)} . "
        f"?attempt <{g('job')}> ?job ; <{g('processor')}> ?name"
    )
    answer = kg.store.query(f"SELECT DISTINCT ?name {{ {where} }}")
    assert isinstance(answer, Table)
    return frozenset(filter(None, (str(getattr(row[0], "value", "")) for row in answer.rows)))


def recorded(
    place: JobFolder, job: Job, parts: Sequence[Part]
) -> tuple[ClusterJob, list[JobAttempt]]:
    """Return a job, and the latest attempts at some of its parts, as they are stored."""
    of = ClusterJob(
        run=Link[Run](job.run),
        name=job.name,
        cluster=job.cluster,
        scheduler=job.allotted.scheduler,
        submitted=job.submitted,
        shares=len(job.parts),
        estimate=job.estimated_core_hours,
        factor=job.factor,
    )
    return of, [_attempt(of, place, job, part) for part in parts]


def _attempt(of: ClusterJob, place: JobFolder, job: Job, part: Part) -> JobAttempt:
    asked, beginning, ending = job.allotted, place.beginning(part), place.ending(part)
    ended = ending.ended if ending else place.last_sign(part) if beginning else None
    run = ending.run if ending and ending.run else _first_run(place, part)
    return JobAttempt(
        job=Link[ClusterJob](of.iri),
        share=part.number,
        number=part.attempt,
        native=part.native.partition(" ")[0],
        submitted=part.submitted,
        started=beginning.started if beginning else None,
        ended=ended or datetime.now(UTC),
        host=beginning.host if beginning else "",
        processor=beginning.processor if beginning else "",
        cores=asked.cores,
        memory=asked.memory,
        gpus=asked.gpus,
        shards=asked.shards,
        walltime=asked.hours,
        ending=_ending(part),
        reason=_reason(part),
        error=ending.kind if ending else "",
        core_hours=core_hours(place, job, part),
        made=Link[Run](run) if run else None,
    )


def _ending(part: Part) -> AttemptEnding:
    assert part.state in ("cut off", *ENDED)
    return part.state  # pyright: ignore[reportReturnType]


def _reason(part: Part) -> AttemptReason:
    assert part.reason not in ("held", "suspended", "never")  # those wait
    return part.reason


def _first_run(place: JobFolder, part: Part) -> str:
    """Return the run that the latest attempt at a part has told of first; empty for none."""
    beginning = place.beginning(part)
    runs = (
        event.where.run
        for event, _ in place.events(part.number)
        if beginning is not None and event.time >= beginning.started
    )
    return next(filter(None, runs), "")


def _stored(kg: KnowledgeGraph, several: Sequence[GraphModel | Link[Run]]) -> set[str]:
    """Return the IRIs of those that are stored."""
    if not several:
        return set()
    values = " ".join(f"<{one.iri}>" for one in several)
    answer = kg.store.query(f"SELECT DISTINCT ?one {{ VALUES ?one {{ {values} }} ?one a ?class }}")
    assert isinstance(answer, Table)
    return {str(getattr(row[0], "value", "")) for row in answer.rows}
