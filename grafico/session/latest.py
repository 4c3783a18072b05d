"""The latest runs, found by what stores look up at once, however many there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from ogm import KnowledgeGraph
from ogm.literals import literal
from ogm.terms import with_prefixes
from ontologies.level import Level
from triplestore import Store, Table
from triplestore.errors import GraficoError, NotFoundError
from workflows.trust.account import Account, own_account

from .inspection import text
from .narrowed import RUNNING

SAMPLE = 1000
"""Runs of which it is looked whether they say their periods."""

DECADES = [str(decade) for decade in range(219, 196, -1)]
"""The decades in which runs are looked for, 1970 to 2199, as runs say them."""

FEW = 100
"""Runs of a period that are read rather than its parts looked through."""


@dataclass(frozen=True)
class RunLine:
    """One run in a list.

    Attributes:
        run: its IRI.
        started: when it started.
        subject: what it was about.
        goal: what was to be reached.
        status: `finished`, `goal unmet`, `interrupted`, `failed`; `not finished` while it runs or
            was killed.
        message: what it came to.
        energy: of its last result, in Eh; None if it has none.
        level: level of theory of its last result.
        result: what its last result says first, where that is no such energy: `gap 5.4 eV`.
        outdated: whether one of its results would be computed anew today, with other numbers.
        number: its running number in this folder; None where the store has no folder.
        withdrawn: whether somebody has withdrawn it.
        rests: whether it rests on what somebody has withdrawn, such as a number that it remembered.
        who: asked for it: account, machine and program between; empty where nothing says so.
    """

    run: str
    started: str
    subject: str
    goal: str
    status: str
    message: str
    energy: float | None
    level: str
    result: str = ""
    outdated: bool = False
    number: int | None = None
    withdrawn: bool = False
    rests: bool = False
    who: str = ""


Rows = list[tuple[str, str]]
"""When runs started, and their IRIs."""


ASKED = "FILTER NOT EXISTS { ?run g:parent ?whole }"
"""That a run was asked for, and is no part of another one."""


def runs(store: Store, limit: int, *, parts: bool = False, where: str = "") -> list[RunLine]:
    """Return the latest runs, newest first; those that are parts of others if `parts` says so.

    A run that was cut off is left out where another one went on with it, unless parts are listed.

    They are looked up by their periods, so that the time does not grow with the number stored;
    where runs of an earlier release are stored, which say none, all are read (`grafico migrate`
    brings them up to date). `where` is what a query says of `?run` and `?started` besides.
    """
    if limit < 1:
        return []
    which, silent, wanted = where if parts else f"{ASKED} {where}", _silent(store), limit
    while True:
        latest = _all(store, wanted, which) if silent else _newest(store, wanted, which)
        told = _told(store, [run for _, run in latest])
        lines = [RunLine(run, started, *told[run]) for started, run in latest if run in told]
        if not parts:
            lines = _without_continued(store, lines)
        if len(lines) >= limit or len(latest) < wanted:
            return lines[:limit]
        wanted *= 2


def lines_of(store: Store, iris: Sequence[str]) -> list[RunLine]:
    """Return the lines of some runs, in their order; what is no run has none."""
    begun = dict(_asked(store, "?run", list(iris), "?run prov:startedAtTime ?started"))
    told = _told(store, list(iris))
    return [RunLine(iri, begun[iri], *told[iri]) for iri in iris if iri in told and iri in begun]


def asked_by(who: str) -> str:
    """Return what a query says of `?run`: in whose name, at which machine or through what."""
    word = literal(own_account().user if who == "me" else who.strip().lower())
    return (
        "FILTER EXISTS { ?asker a g:Requester ; g:run ?run ; g:user|g:host|g:client ?named "
        f"FILTER(CONTAINS(LCASE(?named), {word})) }}"
    )


def askers(store: Store, runs: list[str]) -> dict[str, str]:
    """Return who asked for runs, of which something says so."""
    pattern = "?asker g:run ?run ; g:user ?user ; g:host ?host"
    said = {
        run: (asker, user, host) for run, asker, user, host in _asked(store, "?run", runs, pattern)
    }
    clients = dict(
        _asked(store, "?asker", [a for a, _, _ in said.values()], "?asker g:client ?client")
    )
    return {
        run: Account(user, host, clients.get(one, "")).text
        for run, (one, user, host) in said.items()
    }


def ordered(store: Store, limit: int) -> Rows:
    """Return when the latest runs that were asked for started, and their IRIs, newest first."""
    if limit < 1:
        return []
    return _all(store, limit, ASKED) if _silent(store) else _newest(store, limit, ASKED)


def unfinished(store: Store) -> str:
    """Return the latest run that did not reach its goal and that no other one went on with.

    Raises:
        NotFoundError: all of the latest ones did.
    """
    lines = [line.run for line in runs(store, FEW) if line.status != "finished"]
    later = {run for run, *_ in _asked(store, "?run", lines, "?later g:resumes ?run")}
    for run in lines:
        if run not in later:
            return run
    raise NotFoundError(
        "the latest unfinished run was asked for",
        f"none of the latest {FEW} runs is unfinished",
        "name one of the list of runs",
    )


def _without_continued(store: Store, lines: Sequence[RunLine]) -> list[RunLine]:
    """Return lines without runs that were cut off and that another one went on with.

    So a run that was handed to a job is one line: that of the job, while it goes on and after.
    """
    cut = [line.run for line in lines if line.status in ("interrupted", RUNNING)]
    later = {run for run, *_ in _asked(store, "?run", cut, "?later g:resumes ?run")}
    return [line for line in lines if line.run not in later]


def _silent(store: Store) -> bool:
    """Tell whether a run does not say its periods, from a sample in the order of the index.

    Where there are more runs than that, all of an earlier release stand out still: stores keep
    them in an order that has nothing to do with their age, or the oldest first.
    """
    return bool(
        _rows(
            store,
            f"SELECT ?run {{ {{ SELECT ?run {{ ?run a g:Run }} LIMIT {SAMPLE} }} "
            "FILTER NOT EXISTS { ?run g:period ?any } } LIMIT 1",
        )
    )


def _all(store: Store, limit: int, which: str) -> Rows:
    query = f"""SELECT ?started ?run {{ ?run a g:Run ; prov:startedAtTime ?started {which} }}
                ORDER BY DESC(?started) DESC(?run) LIMIT {int(limit)}"""
    return [(started, run) for started, run in _rows(store, query)]


def _newest(store: Store, limit: int, which: str) -> Rows:
    """Look through periods, the latest first, until there are enough runs."""
    found: Rows = []
    for rows in _within(store, DECADES, limit, which):
        found += rows
        if len(found) >= limit:
            break
    return found[:limit]


def _within(store: Store, periods: list[str], limit: int, which: str) -> Iterator[Rows]:
    """Iterate over the runs of periods, in pieces, the latest first."""
    few = max(2 * limit, FEW)
    for period in _taken(store, periods):
        shorter = _shorter(period)
        bound = (
            f"LIMIT {few + 1}"
            if shorter
            else f"ORDER BY DESC(?started) DESC(?run) LIMIT {int(limit)}"
        )
        found = f'?run g:period "{period}" ; prov:startedAtTime ?started'
        query = f"SELECT ?started ?run {{ {found} {which} }}"
        rows = [(started, run) for started, run in _rows(store, f"{query} {bound}")]
        if len(rows) <= few or not shorter:
            yield sorted(rows, key=_age, reverse=True)
        else:
            yield from _within(store, shorter, limit, which)


def _age(row: tuple[str, str]) -> tuple[datetime, str]:
    started, run = row  # a text of the second 23.5 would come before one of 23
    return datetime.fromisoformat(started), run


def _taken(store: Store, periods: Iterable[str]) -> list[str]:
    """Return those of periods in which a run started."""
    looks = " UNION ".join(
        f'{{ SELECT ("{period}" AS ?period) {{ ?run g:period "{period}" }} LIMIT 1 }}'
        for period in periods
    )
    taken = {period for (period,) in _rows(store, f"SELECT ?period {{ {looks} }}")}
    return [period for period in periods if period in taken]


def _shorter(period: str) -> list[str]:
    """Return what a period consists of, the latest first: years of a decade, their months, …."""
    if len(period) == 3:
        return [f"{period}{digit}" for digit in range(9, -1, -1)]
    first, last, mark = {4: (1, 12, "-"), 7: (1, 31, "-"), 10: (0, 23, "T"), 13: (0, 59, ":")}.get(
        len(period), (0, -1, "")
    )
    return [f"{period}{mark}{number:02}" for number in range(last, first - 1, -1)]


Told = tuple[str, str, str, str, float | None, str]
"""The fields of a line after the first two."""


def _told(store: Store, found: list[str]) -> dict[str, Told]:
    """Return what there is to say of runs, in queries that engines answer from left to right.

    With OPTIONAL in one query Oxigraph reads all outcomes (1.4 s with 25,000 instead of 5 ms).
    """
    runs = _asked(store, "?run", found, "?run g:subject ?subject ; g:goal ?goal")
    ends = {
        run: (outcome, status, message)
        for run, outcome, status, message in _asked(
            store, "?run", found, "?outcome g:run ?run ; g:status ?status ; g:message ?message"
        )
    }
    outcomes = [outcome for outcome, _, _ in ends.values()]
    results: dict[str, list[str]] = {}
    for outcome, result in _asked(store, "?outcome", outcomes, "?outcome g:results ?result"):
        # a list of several says its order beside its members
        whole = json.loads(result) if result.startswith("[") else [f"<{result}>"]
        results[outcome] = max(results.get(outcome, []), whole, key=len)
    last = [iri.strip("<>") for iris in results.values() for iri in iris]
    rows = _asked(
        store, "?result", last, "?result g:energy ?energy ; g:level ?level . ?level g:method ?name"
    )
    levels = sorted({level for _, _, level, _ in rows})
    labels = _labels(store, levels)
    energies = {
        result: (float(energy), labels.get(level, method)) for result, energy, level, method in rows
    }
    told: dict[str, Told] = {}
    for run, subject, goal in runs:
        outcome, status, message = ends.get(run, ("", RUNNING, ""))
        iris = [iri.strip("<>") for iri in results.get(outcome, [])]
        known = [energies[iri] for iri in iris if iri in energies]
        energy, level = known[-1] if known else (None, "")
        told[run] = (subject, goal, status, message, energy, level)
    return told


def _labels(store: Store, levels: Sequence[str]) -> dict[str, str]:
    """Return how levels are called, with all that is unusual of them; by method where unknown."""
    kg, found = KnowledgeGraph(store), dict[str, str]()
    for iri in levels:
        with suppress(GraficoError):  # of a package that is not installed
            found[iri] = kg.pull(Level, iri).label
    return found


def with_results(kg: KnowledgeGraph, lines: Sequence[RunLine]) -> list[RunLine]:
    """Return lines with what their runs came to, where that is no energy at a level.

    Only those of other workflows are read: for the others everything is known already.
    """
    found: list[RunLine] = []
    for line in lines:
        if line.energy is None and line.status == "finished":
            from workflows.show.run_blocks import headline

            with suppress(GraficoError):  # a list does not fail over an object that is damaged
                level, result = headline(kg, line.run)
                line = replace(line, level=line.level or level, result=result)
        found.append(line)
    return found


def _asked(store: Store, about: str, iris: list[str], pattern: str) -> list[list[str]]:
    """Return the values of the variables of a pattern, for these values of one of them."""
    names = list(dict.fromkeys([about, *re.findall(r"\?\w+", pattern)]))
    values = " ".join(f"<{iri}>" for iri in iris)
    query = f"SELECT {' '.join(names)} {{ VALUES {about} {{ {values} }} {pattern} }}"
    return _rows(store, query) if iris else []


def _rows(store: Store, sparql: str) -> list[list[str]]:
    answer = store.query(with_prefixes(sparql))
    assert isinstance(answer, Table)
    return [[text(term) for term in row] for row in answer.rows]
