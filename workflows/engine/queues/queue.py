"""A batch queue, as Grafico sees it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from triplestore.errors import InputError

from .errors import SilentQueueError, missing, refused
from .lsf import LSF
from .pbs import PBS
from .psij import Submitter
from .resources import Resources
from .scheduler import JobRequest, Scheduler
from .slurm import Slurm
from .state import QueuedJob, QueueState, Record

SCHEDULERS: dict[str, type[Scheduler]] = {"slurm": Slurm, "pbs": PBS, "lsf": LSF}

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,62}")

WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
"""How a script is opened: a link in its place leads nowhere."""

AT_ONCE = 500
"""Jobs that one command names at most."""

INDEX, NUMBER = "GRAFICO_INDEX", "GRAFICO_JOB_NUMBER"
"""Variables that tell a job which of an array it is, and the number by which it is known here."""

GONE = re.compile(r"unknown job|has finished|no matching job|already finished|invalid job", re.I)
"""Words for a job that is to be cancelled and is there no more."""

KINDS = ("out", "err", "exit", "part", "own")
"""Files of a job: what it printed, what the scheduler said of it, how it ended, and as what PSI/J's
own files know it."""

SCRIPT = """#!/bin/bash
[ ! -r /etc/profile ] || . /etc/profile
umask 077
task="${{{index}}}"; task="${{task#0}}"
kept={kept}.{native}"${{task:+.$task}}"
echo "{own}" > "$kept.own"
exec >> "$kept.out" 2>&1 < /dev/null
end() {{ echo "$1" > "$kept.part" && mv "$kept.part" "$kept.exit"; }}
trap 'code=$?; [ ! -e {kept}.sh ] || end "$code"' EXIT
trap : TERM INT
cd {folder} || exit
export GRAFICO_INDEX="$task" {number}={native}
{setup}
{command}
"""
"""What a job runs. It survives a signal that ends its command, to write down how that ended, unless
it was forgotten meanwhile.

It knows what the machine gives to everybody, `module` say, and nothing of the person's own profile.
"""


class Queue:
    """Jobs of one scheduler. May be made anew at any time, by any process of the same user.

    Args:
        scheduler: `slurm`, `pbs` or `lsf`.
        folder: for scripts and what jobs print, seen by this machine and those that compute. Only
            this user may read it.
        interval: s between two questions to the scheduler, however often and about however many
            jobs somebody asks here.
        patience: s after which a scheduler that does not answer is said to be silent.

    Raises:
        InputError: there is no such scheduler, or the folder cannot be used.
        ComponentError: the extra `queue` is not installed.
    """

    def __init__(
        self, scheduler: str, folder: Path, *, interval: float = 5.0, patience: float = 60.0
    ) -> None:
        if scheduler not in SCHEDULERS:
            raise InputError(
                f"the scheduler {scheduler!r} was asked for",
                "it is not known",
                f"take one of {', '.join(SCHEDULERS)}",
            )
        self.interval, self.patience = interval, patience
        self.folder = folder.absolute()
        self._scheduler = SCHEDULERS[scheduler]()
        self._submitter = Submitter(self._scheduler, self.folder)
        self._lock = asyncio.Lock()
        self._records = dict[str, Record]()
        self._silent = ""
        self._asked: float | None = None
        self._heard = dict[QueuedJob, float]()
        self._ours = set[QueuedJob]()

    async def submit(
        self,
        command: Sequence[str],
        name: str,
        resources: Resources,
        *,
        folder: Path,
        begin: datetime | None = None,
        after: Sequence[QueuedJob] = (),
        whatever: bool = False,
    ) -> QueuedJob:
        """Submit a job.

        Args:
            command: what runs, and its arguments.
            name: by which it is found again; up to 63 letters, digits and . _ -, a letter first.
            resources: that it needs.
            folder: where it runs.
            begin: when it may start at the earliest.
            after: jobs that must have ended first, and well: if one fails, it is given up.
            whatever: start after them also where they have failed.

        Raises:
            SilentQueueError: the scheduler did not answer: find out whether it took the job.
            InputError: the scheduler, or what is known of it here, refuses the job as it is.
            ResourceError: it is refused for now.
            ComponentError: the scheduler's commands are not here.
        """
        asked = self._asked_for(name, resources, begin, after, whatever, None)
        native = await asyncio.to_thread(self._submit, command, folder, asked)
        return self._submitted(QueuedJob(native, name))

    async def submit_array(
        self,
        command: Sequence[str],
        name: str,
        resources: Resources,
        count: int,
        *,
        folder: Path,
        begin: datetime | None = None,
        after: Sequence[QueuedJob] = (),
        whatever: bool = False,
    ) -> list[QueuedJob]:
        """Submit several jobs of one command at once.

        Each sees its number, counted from 1, as `GRAFICO_INDEX`. The rest is as in `submit`.
        """
        if count < 1:
            raise InputError(f"{count} jobs were asked for", "the least is 1", "ask for more")
        if count == 1:
            return [
                await self.submit(
                    command,
                    name,
                    resources,
                    folder=folder,
                    begin=begin,
                    after=after,
                    whatever=whatever,
                )
            ]
        asked = self._asked_for(name, resources, begin, after, whatever, count)
        native = await asyncio.to_thread(self._submit, command, folder, asked)
        whole = QueuedJob(native, name)
        return [self._submitted(whole.element(index)) for index in range(1, count + 1)]

    async def statuses(self, jobs: Iterable[QueuedJob]) -> dict[QueuedJob, QueueState]:
        """Return where jobs stand, as of at most `interval` ago.

        It raises nothing where the scheduler does not answer: nobody knows then.
        """
        asked = list(jobs)
        async with self._lock:
            now = time.monotonic()
            for job in asked:
                self._heard.setdefault(job, now)
            if self._asked is None or now - self._asked >= self.interval:
                await self._look()
        return {job: self._state(job) for job in asked}

    async def find(self, names: Collection[str]) -> dict[str, list[QueuedJob]]:
        """Find jobs of this user by their names, those that have ended a moment ago included.

        The scheduler is asked each time.

        Returns:
            For each name the jobs that are known, the latest last; of an array, all of it.

        Raises:
            SilentQueueError: the scheduler did not answer.
        """
        said = await self._command(self._scheduler.listing(None), "jobs were looked for")
        found: dict[str, list[QueuedJob]] = {name: [] for name in names}
        for record in self._read(said):
            if record.job.name in found:
                found[record.job.name].append(record.job)
        for jobs in found.values():
            jobs.sort(key=lambda job: (_number(job.native), job.index or 0))
        return found

    async def cancel(self, jobs: Iterable[QueuedJob]) -> None:
        """Cancel jobs, but for those that have ended, or whose number is another's by now.

        Raises:
            SilentQueueError: the scheduler did not answer.
            InputError: the scheduler refuses it.
        """
        asked = {self._scheduler.key(job): job for job in jobs}
        if not asked:
            return
        listing = self._scheduler.listing(list(asked))
        said = await self._command(listing, "jobs were looked for")
        listed = {(record.job.native, record.job.name) for record in self._read(said)}
        keys = [key for key, job in asked.items() if (job.native, job.name) in listed]
        for start in range(0, len(keys), AT_ONCE):
            command = self._submitter.cancelling(keys[start : start + AT_ONCE])
            await self._command(command, "jobs were cancelled", unless=GONE)
        self._asked = None

    def output(self, job: QueuedJob) -> Path:
        """Return the file with what a job has printed, if it has begun."""
        return self._kept(job, "out")

    def forget(self, job: QueuedJob) -> None:
        """Remove the files of a job that has ended, but for the script that an array shares."""
        self._remove(self._kept(job, kind) for kind in KINDS)
        if job.index is None:
            (self.folder / f"{job.name}.sh").unlink(missing_ok=True)
        self._heard.pop(job, None)
        self._ours.discard(job)

    def forget_all(self, name: str) -> None:
        """Remove all files of jobs of a name, also where it goes on behind a point."""
        self._remove(self.folder.glob(f"{name}.*"))
        for job in [one for one in self._heard if f"{one.name}.".startswith(f"{name}.")]:
            self._heard.pop(job)
            self._ours.discard(job)

    def _remove(self, paths: Iterable[Path]) -> None:
        for path in paths:
            if path.suffix == ".own":
                with suppress(OSError):
                    self._submitter.forget(path.read_text().strip())
            path.unlink(missing_ok=True)

    def _asked_for(
        self,
        name: str,
        resources: Resources,
        begin: datetime | None,
        after: Sequence[QueuedJob],
        whatever: bool,
        count: int | None,
    ) -> JobRequest:
        if not NAME.fullmatch(name):
            raise InputError(
                f"a job of the name {name!r} was asked for",
                "schedulers know no such names",
                "take up to 63 letters, digits and . _ -, a letter first",
            )
        if resources.shards and self._scheduler.name != "slurm":
            raise InputError(
                "`shards` of a graphics card were asked for",
                "only Slurm has them",
                "ask for `gpus`",
            )
        keys = [self._scheduler.key(job) for job in after]
        return JobRequest(name, resources, begin, keys, whatever, count, self.folder / name)

    def _submit(self, command: Sequence[str], folder: Path, asked: JobRequest) -> str:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        needed = asked.resources
        exported = (f"export {name}={shlex.quote(v)}" for name, v in needed.environment.items())
        text = SCRIPT.format(
            index=self._scheduler.index,
            native=f'"{self._scheduler.native}"',
            number=NUMBER,
            own=self._scheduler.own,
            kept=shlex.quote(str(self.folder / asked.name)),
            folder=shlex.quote(str(folder)),
            setup="\n".join((*exported, *needed.setup)),
            command=shlex.join(command),
        )
        script = self.folder / f"{asked.name}.sh"
        part = self.folder / f"{asked.name}.{os.getpid()}.part.sh"
        with open(os.open(part, WRITING, 0o600), "w") as file:
            file.write(text)
        part.replace(script)
        return self._submitter.submit(script, asked, self.patience)

    def _submitted(self, job: QueuedJob) -> QueuedJob:
        self._heard[job] = time.monotonic()
        self._ours.add(job)
        return job

    async def _look(self) -> None:
        """Ask the scheduler about all jobs that somebody follows."""
        self._asked = time.monotonic()
        self._began = self._asked
        keys = [self._scheduler.key(job) for job in self._heard]
        try:
            said = await self._command(self._scheduler.listing(keys), "jobs were asked for")
            self._records = {record.key: record for record in self._read(said)}
            self._silent = ""
        except SilentQueueError as error:
            self._silent = error.found

    def _read(self, said: str) -> list[Record]:
        try:
            return self._scheduler.read(said)
        except (ValueError, KeyError, TypeError) as error:
            raise SilentQueueError(
                "jobs were asked for",
                f"the answer cannot be read: {error}",
                "look what the scheduler says there",
            ) from error

    def _state(self, job: QueuedJob) -> QueueState:
        if self._silent:
            return QueueState("unknown", reason=self._silent)
        record = self._records.get(self._scheduler.key(job))
        if record is None and self._heard[job] > self._began:
            if job in self._ours:
                return QueueState("queued", reason="it was submitted a moment ago")
            return QueueState("unknown", reason="the scheduler was not asked yet")
        if record is None and self._was_taken_out(job):
            return QueueState("cancelled", reason="it left its array before it began")
        if record is None:
            return self._left(job, QueueState("left", reason="the scheduler knows it no more"))
        if record.job.name != job.name:
            reason = f"its number is that of {record.job.name} now: the scheduler has forgotten it"
            return self._left(job, QueueState("left", reason=reason))
        if record.state.stage == "left":
            return self._left(job, record.state)
        if record.state.cause in ("signal", "launch"):
            return self._explained(job, record.state)
        return record.state

    def _was_taken_out(self, job: QueuedJob) -> bool:
        """Tell whether one of an array that is still known never began: Slurm tells no more."""
        if job.index is None or self._kept(job, "own").exists():
            return False
        whole = replace(job, index=None)
        return any(replace(one.job, index=None) == whole for one in self._records.values())

    def _left(self, job: QueuedJob, state: QueueState) -> QueueState:
        """Say how its command ended, if that was written down."""
        try:
            code = int(self._kept(job, "exit").read_text())
        except (OSError, ValueError):
            return self._explained(job, state)  # perhaps all of it was killed before it could say
        if code == 0:
            return QueueState("left", None, state.reason, 0, used=state.used)
        said = f"{state.reason}; its command ended with status {code}"
        cause = "signal" if code > 128 else "exit"
        failed = QueueState("failed", cause, said, code, used=state.used)
        return self._explained(job, failed) if code > 128 else failed

    def _explained(self, job: QueuedJob, state: QueueState) -> QueueState:
        """Say why it was ended, if the scheduler has written that down."""
        try:
            words = self._kept(job, "err").read_text(errors="replace")
        except OSError:
            return state
        if (cause := self._scheduler.cause(words)) is None:
            return state
        last = words.strip().splitlines()[-1]
        said = f"{state.reason}: {last}"
        return QueueState("failed", cause, said, state.exit_code, used=state.used)

    def _kept(self, job: QueuedJob, kind: str) -> Path:
        index = "" if job.index is None else f".{job.index}"
        return self.folder / f"{job.name}.{job.native}{index}.{kind}"

    async def _command(
        self, words: Sequence[str], asked: str, unless: re.Pattern[str] | None = None
    ) -> str:
        """Run a command of the scheduler; return what it printed."""
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                env={**os.environ, "LC_ALL": "C"},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except FileNotFoundError as error:
            raise missing(asked, words[0]) from error
        try:
            out, err = await asyncio.wait_for(process.communicate(), self.patience)
        except TimeoutError as error:
            raise SilentQueueError(
                asked,
                f"{words[0]} did not answer within {self.patience:g} s",
                "wait until the scheduler answers, and look again",
            ) from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        said, told = (text.decode("utf-8", errors="replace") for text in (out, err))
        if process.returncode and not (unless and unless.search(told)) and not _is_json(said):
            raise refused(asked, words[0], said + told)
        return said


def _is_json(said: str) -> bool:
    """Tell whether a listing is there, though some of its jobs are known no more."""
    try:
        return isinstance(json.loads(said), dict)
    except ValueError:
        return False


def _number(native: str) -> int:
    found = re.match(r"\d+", native)
    return int(found[0]) if found else 0
