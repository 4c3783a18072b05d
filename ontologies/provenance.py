"""Who did what, when, with what: runs, transitions, activities (PROV-O where it has the word)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, ValidationInfo, field_validator

from ogm import ADDED, PREFIXES, GraphModel, Link, PartOf, Term, Whose

from .units import Angstrom, Seconds

PROV = PREFIXES["prov"]

Started: TypeAlias = Annotated[AwareDatetime, Term(PROV + "startedAtTime")]
Ended: TypeAlias = Annotated[AwareDatetime, Term(PROV + "endedAtTime")]


class Requested:
    """What names a whole request, such as a batch: the latest run about it goes on with it."""


class Software(GraphModel):
    """A program or library and its version.

    Attributes:
        name: what it is called.
        version: of the program or library.
    """

    name: str
    version: str


class Device(GraphModel):
    """What a calculation ran on.

    Attributes:
        kind: `cpu` or `gpu`.
        name: of the processor or card.
    """

    kind: Literal["cpu", "gpu"]
    name: str


class Activity(GraphModel, identity="event"):
    """One execution of a calculation: what it used, made, cost and ran on.

    Attributes:
        calculation: name of the calculation.
        version: its declared version.
        epoch: the engine's declared epoch.
        key: digest of calculation, version, epoch and exact inputs.
        family: the same with moved copies of a structure taken together.
        signature: a number that moved copies share; see `GraphModel.coarse`.
        used: the inputs.
        generated: the result.
        started: when it started.
        ended: when it ended.
        wall_time: elapsed time.
        threads: number of threads it was given.
        device: what it ran on.
        software: what it ran with.
    """

    calculation: str
    version: str
    epoch: str
    key: str
    family: str
    signature: float
    used: Annotated[frozenset[Link[GraphModel]], Term(PROV + "used")]
    generated: Annotated[Link[GraphModel], Term(PROV + "generated"), PartOf()]
    started: Started
    ended: Ended
    wall_time: Seconds
    threads: int
    device: Device
    software: frozenset[Software]


class FileReading(Activity):
    """What somebody else computed was read from a file.

    Nothing was computed here. Its key is that of a place in a file, so that no request has it: it
    answers those alone who accept what was read.
    """


PERIODS = (3, 4, 7, 10, 13, 16)
"""Letters of a time in UTC that name its decade, year, month, day, hour and minute."""


def periods(moment: datetime) -> frozenset[str]:
    """Return the decade (`202`), year, month, day, hour (`2026-11-22T09`) and minute, in UTC."""
    text = moment.astimezone(UTC).isoformat()
    return frozenset(text[:letters] for letters in PERIODS)


class Run(GraphModel, identity="event", schema=3, upgrades={1: ADDED, 2: ADDED}):
    """One execution of one graph.

    Attributes:
        graph: name of the graph.
        goal: what is to be reached, in words.
        subject: what it is about, as the person gave it.
        request: the typed request as JSON: the form that fills in the steps.
        forms: all forms that it was asked with, as JSON by name; empty in runs of earlier versions.
        about: the objects it started from.
        started: when it started.
        period: decade (`202`), year, month, day, hour (`2026-11-22T09`) and minute of that in UTC:
            stores find a text at once, and would read all runs for the latest. Follows from
            `started`.
        software: the version of Grafico.
        parent: the run of which this one is a step, or a part of a step.
        parent_index: position of that step, from 0.
        part: key of the part, where the step has several.
        resumes: the run whose last state this one went on from.
    """

    graph: str
    goal: str
    subject: str
    request: str
    forms: str = ""
    about: Annotated[frozenset[Link[GraphModel]], PartOf(Requested, always=False)] = frozenset()
    started: Started
    period: frozenset[str] = frozenset()
    software: Software
    parent: Annotated[Link[Run] | None, PartOf(always=False, alone=True)] = None
    parent_index: int | None = None
    part: str = ""
    resumes: Link[Run] | None = None

    @field_validator("period", mode="before")
    @classmethod
    def _follows(cls, _: Any, info: ValidationInfo) -> frozenset[str]:
        started = info.data.get("started")  # not there if it was refused
        return periods(started) if started is not None else frozenset()


class Requester(GraphModel, identity="event"):
    """Who asked for a run.

    Attributes:
        run: the run; it is none that another one began.
        user: name of the account, which is no address.
        host: name of the machine at which it was asked for.
        client: what the program calls itself that asked for that account, such as an assistant;
            empty for none.
    """

    run: Annotated[Link[Run], PartOf()]
    user: Annotated[str, Whose()] = ""
    host: Annotated[str, Whose()] = ""
    client: Annotated[str, Whose()] = ""


class Transition(GraphModel, identity="event"):
    """One step of a run: what was on the menu, who chose, what came of it.

    Attributes:
        run: the run it belongs to.
        index: position in the run, from 0.
        node: what was chosen.
        inputs: the node's fields as JSON.
        chosen_by: who chose: a router, `goal for model` where one took over from another, or
            `caller`.
        reason: the router's reason.
        menu: the admissible nodes.
        refused: the others, each with the reason.
        started: when the node started.
        ended: when it ended.
        activity: the activity whose result the node took; None if it needed none.
        reused: whether that activity was remembered instead of done.
        deviation: how far the atoms of the inputs lie from those of that activity at most, in Å,
            after the motion that carries them; None if they are the very same.
        failure: what went wrong, empty if nothing did.
    """

    run: Annotated[Link[Run], PartOf()]
    index: int
    node: str
    inputs: str
    chosen_by: str
    reason: str
    menu: tuple[str, ...]
    refused: tuple[str, ...] = ()
    started: Started
    ended: Ended
    activity: Link[Activity] | None = None
    reused: bool = False
    deviation: Angstrom | None = None
    failure: str = ""


class Part(GraphModel, identity="event"):
    """One of the things that a step of a run does in parallel.

    Attributes:
        run: the run.
        index: position of the step in the run, from 0.
        part: its key among the parts of the step.
        started: when it started.
        ended: when it ended.
        activity: the activity whose result it took; None if it needed none.
        reused: whether that activity was remembered instead of done.
        deviation: how far the atoms of the inputs lie from those of that activity at most, in Å,
            after the motion that carries them; None if they are the very same.
        failure: what went wrong, empty if nothing did.
    """

    run: Annotated[Link[Run], PartOf()]
    index: int
    part: str
    started: Started
    ended: Ended
    activity: Link[Activity] | None = None
    reused: bool = False
    deviation: Angstrom | None = None
    failure: str = ""


class Outcome(GraphModel, identity="event", schema=3, upgrades={1: ADDED, 2: ADDED}):
    """How a run ended.

    Attributes:
        run: the run.
        status: `finished`; `goal unmet`, which can be entered again; `interrupted` from outside,
            which can too; or `failed`.
        message: what it came to, in words.
        ended: when it ended.
        results: what it produced or remembered, in order.
        geometry: the last geometry in the frame of the request, where there is one.
        node: the last step, empty if there was none.
        computed: how long it has computed towards what was agreed; None if it has not, and in
            outcomes of earlier versions.
        pending: names of the steps that can come next, where it was interrupted between two: the
            one that was chosen, or those that somebody is to choose from.
    """

    run: Annotated[Link[Run], PartOf()]
    status: Literal["finished", "goal unmet", "failed", "interrupted"]
    message: str
    ended: Ended
    results: tuple[Link[GraphModel], ...] = ()
    geometry: Link[GraphModel] | None = None
    node: str = ""
    computed: Seconds | None = None
    pending: tuple[str, ...] = ()
