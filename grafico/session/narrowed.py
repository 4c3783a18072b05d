"""What narrows a list of runs: a time in words, a workflow, a method, a tag, a formula, failure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from ogm.literals import literal
from triplestore.errors import InputError
from workflows.registry import workflows

DAYS = {"day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0, "hour": 1 / 24, "minute": 1 / 1440}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
AGO = re.compile(r"(?:(\d{1,5}|an?|last) +)(minute|hour|day|week|month|year)s?(?: +ago)?")


def moment(text: str, now: datetime | None = None) -> datetime:
    """Return when a time in words was: `yesterday`, `last week`, `2 days ago`, `monday`, ISO 8601.

    Days begin at midnight, here. A week is the last 7 days, a month 30, a year 365.

    Raises:
        InputError: it is no such time.
    """
    word, now = " ".join(text.lower().split()), now or datetime.now().astimezone()
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if word in ("today", "yesterday"):
        return today - timedelta(days=word == "yesterday")
    name = word.removeprefix("last ")
    if name in WEEKDAYS:
        return today - timedelta(days=(today.weekday() - WEEKDAYS.index(name)) % 7 or 7)
    try:
        if found := AGO.fullmatch(word):
            number = int(found[1]) if found[1].isdecimal() else 1
            return now - timedelta(days=number * DAYS[found[2]])
        given = datetime.fromisoformat(text.strip())
        return given if given.tzinfo else given.astimezone()
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"a time was given as {text!r}",
            "that is none",
            "say yesterday, last week, 2 days ago, monday or 2026-11-27",
        ) from error


def narrowed(
    *,
    since: str | datetime | None = None,
    method: str = "",
    workflow: str = "",
    failed: bool = False,
    tag: str = "",
    formula: str = "",
) -> str:
    """Return what a query says of `?run`, which started `?started`; see `Grafico.runs`.

    Raises:
        InputError: the time is none.
        GraficoError: there is no such workflow.
    """
    said: list[str] = []
    if since is not None:
        start = (moment(since) if isinstance(since, str) else since).astimezone(UTC).isoformat()
        said.append(f"FILTER(?started >= {literal(start)}^^xsd:dateTime)")
    if workflow:
        said.append(f"?run g:graph {literal(workflows().named(workflow).name)} .")
    if method:
        said.append(
            "FILTER EXISTS { ?ended g:run ?run ; g:results ?made . ?made g:level/g:method ?method "
            f"FILTER(CONTAINS(LCASE(?method), {literal(method.strip().lower())})) }}"
        )
    if failed:
        said.append(
            "FILTER EXISTS { ?ended g:run ?run ; g:status ?status "
            'FILTER(?status IN ("failed", "goal unmet")) }'
        )
    if tag:
        said.append(
            f"FILTER EXISTS {{ ?tag g:tagged ?run ; g:word {literal(tag.strip().lower())} "
            "FILTER NOT EXISTS { ?undone g:undoes ?tag } }"
        )
    if formula:
        said.append(f"FILTER EXISTS {{ ?run g:about/g:formula {literal(formula.strip())} }}")
    return " ".join(said)
