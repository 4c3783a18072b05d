"""Who asked for a run, and where what it came to was computed, as the graph remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from ogm import GRAFICO, PROV, KnowledgeGraph, Link
from ontologies.jobs import ClusterJob, JobAttempt
from ontologies.provenance import Requester, Run
from triplestore import Table
from workflows.show.blocks import Fact
from workflows.text.words import count, listed
from workflows.trust.account import Account

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def asked_for(kg: KnowledgeGraph, run: str) -> tuple[Fact, ...]:
    """Return who asked for a run, where something says so."""
    return tuple(
        Fact("asked for by", Account(one.user, one.host, one.client).text, name="asked_for_by")
        for one in kg.find(Requester, run=Link[Run](run))
    )


def computed_where(
    kg: KnowledgeGraph, run: str = "", activities: Sequence[str] = ()
) -> tuple[Fact, ...]:
    """Return a fact for each job that has computed something, as far as it has ended.

    Args:
        kg: the graph to read from.
        run: IRI of a run that was handed to jobs, or was made there; empty for none.
        activities: IRIs of what was done, in whatever run.
    """
    if not _rows(kg, f"SELECT ?job {{ ?job a <{ClusterJob.term()}> }} LIMIT 1"):
        return ()
    own, others = set(_jobs_of(kg, run)) if run else set[str](), set[str]()
    done = _done(kg, activities) if activities else []
    if done:
        others = set(_jobs_around(kg, {by for by, _ in done})) - own
    facts: list[Fact] = []
    for job in sorted(kg.pull_all(ClusterJob, sorted(own | others)), key=lambda one: one.submitted):
        attempts = kg.find(JobAttempt, job=job)
        if job.iri in own or any(_within(when, one) for _, when in done for one in attempts):
            facts += [Fact("computed on", told(job, attempts), name="computed_on", iri=job.iri)]
    return tuple(facts)


def _within(when: datetime, attempt: JobAttempt) -> bool:
    return attempt.started is not None and attempt.started <= when <= attempt.ended


def told(job: ClusterJob, attempts: Iterable[JobAttempt]) -> str:
    """Return of a job in words where it was computed, and what that took."""
    tried = sorted(attempts, key=lambda one: (one.share, one.number))
    hosts = sorted({one.host for one in tried if one.host})
    on = f" on {listed(hosts)}" if hosts else ""
    hours = sum(one.core_hours for one in tried)
    if job.shares > 1:
        where = f"{job.cluster} in {count(job.shares, 'part')}{on}"
        again = sum(one.ending == "cut off" for one in tried)
        more = f", cut off {count(again, 'time')}" if again else ""
    else:
        last, reasons = tried[-1], [one.reason or one.ending for one in tried[:-1]]
        where = f"{job.cluster} as {last.native or 'a job without a number'}{on}"
        said = ORDINALS[last.number - 1] if last.number <= len(ORDINALS) else f"{last.number}th"
        more = f", {said} attempt after {listed(list(dict.fromkeys(reasons)))}" if reasons else ""
        if last.ending not in ("finished", "goal unmet"):
            more += f", {last.reason or last.ending}"
    return f"{where}, {hours:.3g} core hours{more}"


def _done(kg: KnowledgeGraph, activities: Sequence[str]) -> list[tuple[str, datetime]]:
    """Return in which runs activities were done, not remembered, and when that began."""
    values = " ".join(f"<{one}>" for one in activities)
    where = (
        f"VALUES ?done {{ {values} }} ?step <{_g('activity')}> ?done ; <{_g('reused')}> false ; "
        f"<{_g('run')}> ?run . ?done <{PROV.term('startedAtTime')}> ?when"
    )
    rows = _rows(kg, f"SELECT DISTINCT ?run ?when {{ {where} }}")
    return [(str(run.value), datetime.fromisoformat(when.value)) for run, when in rows]


def _jobs_of(kg: KnowledgeGraph, run: str) -> Iterator[str]:
    """Iterate over the jobs that a run was handed to, or was made by."""
    made = f"?attempt <{_g('made')}> <{run}> ; <{_g('job')}> ?job"
    handed = f"?job <{_g('run')}> <{run}> ; a <{ClusterJob.term()}>"
    for (job,) in _rows(kg, f"SELECT DISTINCT ?job {{ {{ {handed} }} UNION {{ {made} }} }}"):
        yield str(job.value)


def _jobs_around(kg: KnowledgeGraph, runs: set[str]) -> Iterator[str]:
    """Iterate over the jobs of runs, of those that they are parts of, and that they resume."""
    known, front = set[str](), runs
    while front:
        known |= front
        values = " ".join(f"<{one}>" for one in sorted(front))
        each = f"{{ ?run <{_g('resumes')}> ?next }} UNION {{ ?run <{_g('parent')}> ?next }}"
        rows = _rows(kg, f"SELECT DISTINCT ?next {{ VALUES ?run {{ {values} }} {each} }}")
        front = {str(one.value) for (one,) in rows} - known
    values = " ".join(f"<{one}>" for one in sorted(known))
    ours = f"?job <{_g('run')}> ?run ; a <{ClusterJob.term()}>"
    for (job,) in _rows(kg, f"SELECT DISTINCT ?job {{ VALUES ?run {{ {values} }} {ours} }}"):
        yield str(job.value)


def _g(name: str) -> str:
    return GRAFICO.term(name)


def _rows(kg: KnowledgeGraph, query: str) -> Sequence[Sequence[Any]]:
    answer = kg.store.query(query)
    assert isinstance(answer, Table)
    return answer.rows
