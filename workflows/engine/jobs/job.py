"""A job's folder: what it is about, who computes it, how far it is, how it ended.

::

    job.json         written by who submitted it
    keys             of the calculations that it begins with, a line each
    shares           keys of what each part computes, a line of JSON each; none for all
    needed_by        names of the jobs that begin with what it has recorded
    seed.nq          the objects that it starts from
    arrays/          large arrays, of these and of what it records
    lock             held by who looks after it
    1/, 2/, …        its parts, most often one, each written by its own program alone
        journal      what it has recorded, see `journal.py`
        tasks/       calculations under way, with their checkpoints
        events.jsonl what it tells while it goes
        began-1, …   who computes it, since when and where: an attempt each, see `claim.py`
        end.json     how an attempt ended
        log.txt      what its program printed

A job's program sees this folder and nothing else: no store, no network.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias, cast

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from triplestore.errors import NotFoundError, RecordError
from workflows.trust.account import Account

from ..execution.events import Event, Scope
from ..execution.task import for_us_alone, write
from ..graph.router import GoalRouter
from ..graph.waiting import Chosen
from ..runners.base import Reason
from ..runners.cluster import Cluster, Scheduler
from .sealing import opened, read_file, sealed

State: TypeAlias = Literal[
    "submitting",
    "waiting",
    "computing",
    "cut off",
    "finished",
    "goal unmet",
    "failed",
    "cancelled",
    "waiting for a choice",
    "damaged",
    "not trusted",
]
"""Of a job, or of one of its parts.

`submitting`: not known to the runner yet; `cut off`: gone before its end, to be submitted again;
`waiting for a choice`: of a person or a model, made where it was submitted; `goal unmet`, `failed`
and `finished` as of a run; `cancelled`: by a person. Of a job alone are `damaged`: what it has
left was refused, see `Job.damaged`; `not trusted`: it is left alone, see `Job.untrusted`.
"""

JOB, KEYS, SHARES, NEEDED_BY = "job.json", "keys", "shares", "needed_by"
BEGAN, END = "began", "end.json"

CHOICE: Literal["waiting for a choice"] = "waiting for a choice"

ORDER: list[State] = [
    "submitting",
    "cut off",
    "computing",
    "waiting",
    CHOICE,
    "failed",
    "cancelled",
    "goal unmet",
    "finished",
]
"""The state of a job is the first of these that one of its parts has."""

ENDED: tuple[State, ...] = ("finished", "goal unmet", "failed", "cancelled", CHOICE)
"""States of which nothing more will come by itself."""


class Beginning(BaseModel):
    """When and where an attempt at a part has started, as its program says.

    Attributes:
        attempt: which one, from 1.
        native: what the runner calls the program.
        started: when.
        host: where.
        processor: of that host.
    """

    attempt: int
    native: str = ""
    started: AwareDatetime
    host: str
    processor: str


class Ending(BaseModel):
    """How an attempt at a part ended, as its program says.

    Attributes:
        attempt: which one, from 1.
        status: as of a run, see `Outcome`; or that somebody is to choose the next step.
        message: in words.
        run: IRI of the run that it made.
        advice: what to do, where it failed.
        kind: class of the error that it failed with.
        ended: when.
        seconds: that it took.
        cores: that it had.
        host: where it was.
    """

    attempt: int
    status: Literal["finished", "goal unmet", "failed", "interrupted", "waiting for a choice"]
    message: str = ""
    run: str = ""
    advice: str = ""
    kind: str = ""
    ended: AwareDatetime
    seconds: float
    cores: int
    host: str = ""


class Part(BaseModel):
    """A part of a job, as who submits it knows it.

    Attributes:
        number: from 1.
        state: where it stands.
        attempt: how often it was submitted.
        left: how often it may be submitted again by itself.
        native: what its runner calls it; empty if that is not known.
        together: whether this attempt was submitted together with those of all other parts.
        reason: why it was cut off or failed, or waits.
        told: the same in more words.
        advice: what to do about it; empty where nobody has to do anything.
        taken: bytes of its journal that were taken in.
        submitted: when its latest attempt was; None if it never was.
        core_hours: that its attempts took, in h times cores.
        run: IRI of the run that its last attempt made; empty if that has not ended.
    """

    number: int
    state: State = "submitting"
    attempt: int = 0
    left: int = 1
    native: str = ""
    together: bool = False
    reason: Reason = ""
    told: str = ""
    advice: str = ""
    taken: int = 0
    submitted: AwareDatetime | None = None
    core_hours: float = 0.0
    run: str = ""


class Allotment(BaseModel):
    """What each part of a job gets.

    Attributes:
        scheduler: that gives it.
        hours: walltime, in h.
        cores: number of cores.
        memory: in MB.
        gpus: graphics cards.
        shards: shares of graphics cards.
    """

    scheduler: Scheduler = "none"
    hours: float = 24.0
    cores: Annotated[int, Field(ge=1)] = 1
    memory: int = 4000
    gpus: int = 0
    shards: int = 0

    @classmethod
    def of(cls, cluster: Cluster) -> Self:
        """Return what a part gets of a cluster."""
        return cls.model_validate(cluster.model_dump(include=set(cls.model_fields)))


class Job(BaseModel):
    """A run that goes on elsewhere.

    Where it is computed and what runs there stands in the person's settings alone: a folder that
    somebody handed over names a section, and describes none.

    Attributes:
        name: deterministic: the same request has the same.
        run: IRI of the run that it goes on with.
        workflow: its name.
        subject: what it is about, as the person said.
        goal: what is to be reached, in words.
        remarks: what was assumed about the subject, in words.
        cluster: name of the section of the settings.
        section: what that said then of where and by what it is computed, as digests by field.
        allotted: what each of its parts gets.
        recompute: compute what is remembered too.
        submitted: when it was.
        begin: when it may start; None for at once.
        after: names of the jobs that must have ended before.
        estimate: how long it is thought to take, in s, on the cores of one part; None for unknown.
        factor: within which that is thought to be right.
        router: name of who chooses the steps.
        chosen: what was chosen to begin with, in order.
        sources: folders of other jobs that compute some of the same: what they have recorded is
            known to this one when it begins.
        asker: which account has submitted it; None in jobs of earlier versions.
        damaged: what was found in what it has left, and where, if that was refused.
        parts: of it.
    """

    model_config = ConfigDict(extra="ignore")

    name: str
    run: str
    workflow: str
    subject: str
    goal: str
    remarks: tuple[str, ...] = ()
    cluster: str
    section: dict[str, str] = Field(default_factory=dict[str, str])
    allotted: Allotment = Allotment()
    recompute: bool = False
    submitted: AwareDatetime = Field(default_factory=lambda: datetime.now(UTC))
    begin: AwareDatetime | None = None
    after: tuple[str, ...] = ()
    estimate: float | None = None
    factor: float | None = None
    router: str = GoalRouter.name
    chosen: tuple[Chosen, ...] = ()
    sources: tuple[Path, ...] = ()
    asker: Account | None = None
    damaged: str = ""
    parts: Annotated[list[Part], Field(min_length=1)]
    _untrusted: str = PrivateAttr(default="")
    _way_on: str = PrivateAttr(default="")

    @model_validator(mode="before")
    @classmethod
    def _earlier(cls, said: Any) -> Any:
        """Read what earlier versions wrote: a whole section, of which nothing is used."""
        if isinstance(said, dict) and "described" in said:
            document = cast("dict[str, Any]", said)
            with suppress(ValidationError):
                cluster = Cluster.model_validate(document["described"])
                allotted = Allotment.of(cluster)
                return {"section": cluster.fingerprint, "allotted": allotted, **document}
        return cast(Any, said)

    @property
    def untrusted(self) -> str:
        """Why it is listed and otherwise left alone; empty for a job that is looked after."""
        return self._untrusted

    @property
    def way_on(self) -> str:
        """What can be done about one that is left alone; empty for others."""
        return self._way_on

    def distrusted(self, why: str, way_on: str = "") -> Self:
        """Return this job as one that is left alone."""
        other = self.model_copy()
        other._untrusted, other._way_on = why, way_on
        return other

    @property
    def state(self) -> State:
        """See `ORDER`."""
        if self.untrusted or self.damaged:
            return "not trusted" if self.untrusted else "damaged"
        return min((part.state for part in self.parts), key=ORDER.index)

    @property
    def estimated_core_hours(self) -> float | None:
        """What all of it was thought to take, its cores times its time, in h; None for unknown."""
        return None if self.estimate is None else self.estimate * self.allotted.cores / 3600

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it by itself."""
        return bool(self.damaged) or all(part.state in ENDED for part in self.parts)

    @property
    def waits_for_choice(self) -> bool:
        """Whether it goes on as soon as somebody has chosen."""
        return self.state == CHOICE

    @property
    def is_planned(self) -> bool:
        """Whether the plan chooses its steps, so that nobody is asked."""
        return self.router == GoalRouter.name


class JobFolder:
    """The folder of one job.

    Args:
        place: where it is known by its name, in the store.
    """

    def __init__(self, place: Path) -> None:
        self.place = place

    @property
    def folder(self) -> Path:
        """Where its files lie, as compute nodes see it."""
        return self.place.resolve()

    def part(self, number: int) -> Path:
        """Return the folder of a part."""
        return self.folder / str(number)

    @property
    def job(self) -> Job:
        """What is written of it; one that this person has not signed is untrusted.

        Raises:
            NotFoundError: there is no such job.
            RecordError: what is written cannot be read.
        """
        asked = f"the job {self.place.name} was asked for"
        try:
            text, ours = opened(self.folder / JOB, self.place)
            job = Job.model_validate_json(text)
        except (FileNotFoundError, NotADirectoryError):
            advice = "look at the list of jobs"
            raise NotFoundError(asked, "there is none of that name", advice) from None
        except (OSError, ValueError) as error:
            raise RecordError(
                asked,
                f"{self.folder / 'job.json'} cannot be read: {error}",
                "cancel it on the cluster by hand, remove its folder, and ask again",
            ) from error
        if ours and job.name == self.place.name:
            return job
        named = job.model_copy(update={"name": self.place.name})
        return named.distrusted("it is not signed with your key, for this folder, as it stands")

    def write(self, job: Job) -> None:
        """Write what is known of it, signed; never of one that is left alone.

        Raises:
            RecordError: it is left alone.
            ResourceError: the disk is full, or there is no key.
        """
        if job.untrusted:
            raise RecordError(f"{job.name} is to be written", job.untrusted, "take it over first")
        said = sealed(job.model_dump(mode="json"), self.place)
        with suppress(OSError):
            if read_file(self.folder / JOB) == said:
                return
        write(self.folder / JOB, said)

    def ending(self, part: Part) -> Ending | None:
        """Return how the latest attempt at a part ended; None if it has not said so."""
        with suppress(OSError, ValidationError):
            ending = Ending.model_validate_json((self.part(part.number) / END).read_bytes())
            return ending if ending.attempt == part.attempt else None
        return None

    def beginning(self, part: Part, before: int = 0) -> Beginning | None:
        """Return when and where an attempt at a part has started; None if it has not, or has just.

        Args:
            part: of the job.
            before: how many attempts before the latest it was.
        """
        with suppress(OSError, ValidationError):
            path = self.part(part.number) / f"{BEGAN}-{part.attempt - before}"
            found = Beginning.model_validate_json(path.read_bytes())
            return found if found.attempt == part.attempt - before else None
        return None

    def began(self, part: Part, before: int = 0) -> str | None:
        """Return what the runner calls the program of an attempt; None if it has not begun.

        It is empty where that program was killed before it could say so.
        """
        found = self.beginning(part, before)
        if found is None:
            path = self.part(part.number) / f"{BEGAN}-{part.attempt - before}"
            return "" if path.exists() else None
        return found.native if self.calls(part, found.native) else ""

    def calls(self, part: Part, native: str) -> bool:
        """Tell whether this can be what a runner calls an attempt at a part.

        It is a process of this job's program, or a number and the name that such an attempt has.
        """
        number, _, name = native.partition(" ")
        if not name:
            return re.fullmatch(r"\d+@[\w.]+", native, re.ASCII) is not None
        own = rf"{re.escape(self.place.name)}\.({part.number}\.\d+|all\.\d+\[{part.number}\])"
        well = re.fullmatch(r"\w[\w.\[\]-]*", number, re.ASCII)
        return well is not None and re.fullmatch(own, name, re.ASCII) is not None

    def last_sign(self, part: Part) -> datetime | None:
        """Return when the program of a part has last written something; None if it never has."""
        times: list[float] = []
        for name in (f"{BEGAN}-{part.attempt}", "events.jsonl", "journal", END):
            with suppress(OSError):
                times.append((self.part(part.number) / name).stat().st_mtime)
        return datetime.fromtimestamp(max(times), UTC) if times else None

    @contextmanager
    def alone(self, *, wait: bool = True) -> Generator[bool]:
        """Look after the job alone; gives False where somebody else does and is not waited for."""
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            yield True
        finally:
            os.close(handle)

    def write_shares(self, shares: Sequence[Sequence[str]]) -> None:
        """Write which keys each part computes; all compute all where nothing is said."""
        (self.folder / SHARES).unlink(missing_ok=True)
        if shares:
            lines = [json.dumps(one) for one in shares]
            write(self.folder / SHARES, "\n".join(lines).encode())

    def share(self, number: int) -> frozenset[str] | None:
        """Return the keys that a part computes; None for all."""
        with suppress(FileNotFoundError):
            lines = (self.folder / SHARES).read_text().splitlines()
            return frozenset(json.loads(lines[number - 1]))
        return None

    @property
    def needed_by(self) -> list[str]:
        """Names of the jobs that begin with what this one has recorded."""
        with suppress(FileNotFoundError):
            return (self.folder / NEEDED_BY).read_text().split()
        return []

    def need_by(self, name: str) -> None:
        """Note that another job begins with what this one has recorded."""
        with open(self.folder / NEEDED_BY, "a", opener=for_us_alone) as file:
            file.write(f"{name}\n")

    def computes(self, keys: Collection[str]) -> bool:
        """Tell whether it is known to compute one of some keys: now, or to begin with."""
        place = os.fspath(self.place)  # strings: this is asked of all jobs for each calculation
        with suppress(FileNotFoundError), open(f"{place}/{KEYS}", encoding="ascii") as file:
            if not set(file.read().split()).isdisjoint(keys):
                return True
        number = 1
        while os.path.isdir(part := f"{place}/{number}"):
            if any(os.path.exists(f"{part}/tasks/{key}") for key in keys):
                return True
            number += 1
        return False

    def events(self, number: int, start: int = 0) -> Iterator[tuple[Event, int]]:
        """Iterate over what a part tells: each event, and where the next begins in the file."""
        try:
            with (self.part(number) / "events.jsonl").open("rb") as file:
                file.seek(start)
                for line in file:
                    if not line.endswith(b"\n"):
                        return
                    start += len(line)
                    with suppress(ValueError, KeyError, TypeError):  # of another version
                        said = json.loads(line)
                        where = Scope(said["run"], said["index"], said["part"])
                        when = datetime.fromisoformat(said["time"])
                        yield Event(said["kind"], said["subject"], said["data"], where, when), start
        except FileNotFoundError:
            return
