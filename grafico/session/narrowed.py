"""What narrows lists of runs and results: time, level, workflow, tag, formula, failure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import get_args

from ogm import KnowledgeGraph
from ogm.literals import literal
from ontologies.level import Level
from ontologies.provenance import Outcome
from triplestore.errors import InputError
from workflows.registry import workflows
from workflows.registry.levels import split_level
from workflows.text.formulas import hill

DAYS = {"day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0, "hour": 1 / 24, "minute": 1 / 1440}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SIGNS = re.compile(r"[-() ]")
NOTHING = "FILTER(1 = 0)"
RUNNING = "not finished"
"""Status of a run that goes on, or was killed."""

STATUSES: tuple[str, ...] = (*get_args(Outcome.model_fields["status"].annotation), RUNNING)
"""All that a run can have."""

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
CLOCK = re.compile(
    r"(?:(?P<day>today|yesterday)(?: at)? )?(?P<hour>\d\d?)"
    r"(?::(?P<minute>[0-5]\d))? ?(?P<half>am|pm)?"
)
"""A time of today or yesterday."""

AGO = re.compile(
    rf"(?:(\d{{1,5}}|an?|last|{'|'.join(NUMBERS)}) +)(minute|hour|day|week|month|year)s?(?: +ago)?"
)


def moment(text: str, now: datetime | None = None) -> datetime:
    """Return when a time in words was: `yesterday`, `last week`, `2 days ago`, `monday`, ISO 8601.

    `14:30` and `2 pm` are of today, `yesterday 14:30` is not.

    Days begin at midnight, here. A week is the last 7 days, a month 30, a year 365.

    Raises:
        InputError: it is no such time.
    """
    word, now = (
        " ".join(text.lower().split()).removeprefix("since "),
        now or datetime.now().astimezone(),
    )
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    found = CLOCK.fullmatch(word)
    if found and (found["minute"] or found["half"]):
        hour, minute = int(found["hour"]), int(found["minute"] or 0)
        hour = hour % 12 + 12 * (found["half"] == "pm") if found["half"] else hour
        if hour < 24:
            return (
                today
                - timedelta(days=found["day"] == "yesterday")
                + timedelta(hours=hour, minutes=minute)
            )
    if word in ("today", "yesterday"):
        return today - timedelta(days=word == "yesterday")
    if word == "this morning":
        return today
    name = word.removeprefix("last ")
    if name in WEEKDAYS:
        return today - timedelta(days=(today.weekday() - WEEKDAYS.index(name)) % 7 or 7)
    try:
        if found := AGO.fullmatch(word):
            said = found[1]
            number = NUMBERS.index(said) + 1 if said in NUMBERS else 1
            number = int(said) if said.isdecimal() else number
            return now - timedelta(days=number * DAYS[found[2]])
        given = datetime.fromisoformat(text.strip())
        return given if given.tzinfo else given.astimezone()
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"a time was given as {text!r}",
            "that is none",
            "say yesterday, last week, 2 days ago, monday or 2026-11-27",
        ) from error


@dataclass(frozen=True)
class Narrowed:
    """What narrows a list of runs or of results; the same words for both.

    Attributes:
        since: a time in words (`moment`), a `datetime`, or none.
        method: part of the name of a method.
        basis: part of the name of a basis set.
        solvent: part of the name of a solvent.
        about: part of what a run was about, as it was said; of results nothing.
        level: method, or method and basis set, as `B3LYP/def2-SVP`: whole names of both.
        status: how a run has ended: `finished`, `goal unmet`, `interrupted`, `failed`; `not
            finished` while it goes on or was killed.
        workflow: by name: what was asked.
        failed: whether the run failed or did not reach its goal.
        tag: that the run has.
        formula: of a molecule that it is about, in any order: `C2H5OH` is C2H6O.
    """

    since: str | datetime | None = None
    method: str = ""
    basis: str = ""
    workflow: str = ""
    failed: bool = False
    tag: str = ""
    formula: str = ""
    solvent: str = ""
    about: str = ""
    status: str = ""
    level: str = ""

    @property
    def start(self) -> datetime | None:
        """The time.

        Raises:
            InputError: it is none.
        """
        given = self.since or None
        return moment(given) if isinstance(given, str) else given

    def levels(self, kg: KnowledgeGraph) -> str:
        """Return what a query says of `?level`: that it is called so in part; empty for any."""
        said = {"method": self.method, "basis": self.basis, "solvent": self.solvent}
        wanted = {n: short for n, part in said.items() if (short := _short(part))}
        whole = (
            {n: _short(part) for n, part in split_level(self.level).items()} if self.level else {}
        )
        if not wanted and not whole:
            return ""
        levels = [
            f"<{level.iri}>"
            for level in kg.find(Level)
            if all(part in _short(level.words.get(n, "")) for n, part in wanted.items())
            and all(part == _short(level.words.get(n, "")) for n, part in whole.items())
        ]
        return f"VALUES ?level {{ {' '.join(levels)} }}" if levels else NOTHING

    def of_runs(self, kg: KnowledgeGraph) -> str:
        """Return what a query says of `?run`, which started `?started`.

        Raises:
            InputError: the time is none, or the formula.
            GraficoError: there is no such workflow.
        """
        said = [self._asked()]
        if (start := self.start) is not None:
            when = start.astimezone(UTC).isoformat()
            said.append(f"FILTER(?started >= {literal(when)}^^xsd:dateTime)")
        if levels := self.levels(kg):
            said.append(
                f"FILTER EXISTS {{ {levels} {{ ?run g:about ?level }} UNION "
                "{ ?ended g:run ?run ; g:results/g:level ?level } UNION "
                "{ ?part g:parent ?run ; g:about ?level } }"
            )
        if self.formula:
            formula = literal(hill(self.formula))
            said.append(f"FILTER EXISTS {{ ?run g:about/g:formula {formula} }}")
        if self.about:
            part = literal(self.about.strip().lower())
            called = f"?run g:subject ?called FILTER(CONTAINS(LCASE(?called), {part}))"
            said.append(f"FILTER EXISTS {{ {called} }}")
        return " ".join(filter(None, said))

    def of_results(self) -> str:
        """Return what a query says of `?result`, about `?subject`: but time and level.

        A result is of a run that came to it or whose step made it, and of those which that run is
        a part of.

        Raises:
            InputError: the formula is none.
            GraficoError: there is no such workflow.
        """
        said: list[str] = []
        if self.formula:
            said.append(f"?subject g:formula {literal(hill(self.formula))} .")
        if asked := self._asked():
            came = "{ ?came g:results ?result ; g:run ?within }"
            made = "{ ?made prov:generated ?result . ?step g:activity ?made ; g:run ?within }"
            said.append(f"FILTER EXISTS {{ {came} UNION {made} ?within g:parent* ?run . {asked} }}")
        return " ".join(said)

    def _asked(self) -> str:
        """Return what a query says of `?run`: what was asked, how it ended, and its tags."""
        said: list[str] = []
        if self.workflow:
            said.append(f"?run g:graph {literal(workflows().named(self.workflow).name)} .")
        if self.failed:
            said.append(
                "FILTER EXISTS { ?ended g:run ?run ; g:status ?status "
                'FILTER(?status IN ("failed", "goal unmet")) }'
            )
        status = " ".join(self.status.lower().split())
        if status not in ("", *STATUSES):
            asked = f"runs of the status {self.status!r} were asked for"
            raise InputError(asked, "no run has that", f"there are: {', '.join(STATUSES)}")
        if status == RUNNING:
            said.append("FILTER NOT EXISTS { ?ended g:run ?run ; g:status ?status }")
        elif status:
            ended = f"?ended g:run ?run ; g:status {literal(status)}"
            said.append(f"FILTER EXISTS {{ {ended} }}")
        if self.tag:
            said.append(
                f"FILTER EXISTS {{ ?tag g:tagged ?run ; g:word {literal(self.tag.strip().lower())} "
                "FILTER NOT EXISTS { ?undone g:undoes ?tag } }"
            )
        return " ".join(said)


def _short(name: str) -> str:
    """Return a name without what does not matter in it; `6-31G(d)` is `6-31G*`."""
    return SIGNS.sub("", name.lower().replace("(d,p)", "**").replace("(d)", "*"))
