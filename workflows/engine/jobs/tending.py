"""Jobs under way: how they are, what they have recorded, and again what was cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress

from triplestore.errors import DiskFullError, GraficoError, InputError

from ..runners.base import Runner, Sight
from .checking import ARRIVING
from .job import ENDED, JOB, Job, JobFolder, Part
from .judging import attempt_name, clear, judge
from .recording import record
from .submitting import Submitter
from .taking import take_in

MORE_MEMORY = 1.5
"""How many times the memory of an attempt the next one gets, where it ran out."""


class Tender:
    """Looks after jobs.

    Args:
        submitter: submits again what was cut off.
    """

    def __init__(self, submitter: Submitter) -> None:
        self._submitter = submitter
        self._kg = submitter.kg
        self._unwritten: dict[str, Job] = {}

    async def look(self, places: Sequence[JobFolder]) -> None:
        """Look after jobs, but for those that another process looks after right now."""
        with ExitStack() as held:
            by_runner: dict[int, tuple[Runner, list[JobFolder]]] = {}
            for place in filter(self._submitter.trust.trusts, places):
                if held.enter_context(place.alone(wait=False)):
                    runner = self._submitter.runner_for(place.job)
                    by_runner.setdefault(id(runner), (runner, []))[1].append(place)
            for runner, several in by_runner.values():
                await self._look_at(runner, several)

    def known(self, place: JobFolder) -> Job:
        """Return what is known of a job, also where its disk is too full to have it written."""
        return self._unwritten.get(place.place.name) or self._submitter.trust.seen(place)

    def _write(self, place: JobFolder, job: Job) -> bool:
        """Write what is known of a job; tell whether there was space for it."""
        self._unwritten.pop(job.name, None)
        try:
            place.write(job)
        except DiskFullError:
            self._unwritten[job.name] = job
            return False
        return True

    async def _look_at(self, runner: Runner, places: Sequence[JobFolder]) -> None:
        """Look at the jobs of one runner, which is asked once for all of them."""
        seen: Mapping[str, Sight] = {}
        silent: GraficoError | None = None
        try:
            for place in places:
                await self.recover(runner, place)
            ids = [one for place in places for one in _ids(place)]
            seen = await runner.look(ids, [place.folder for place in places]) if ids else {}
        except GraficoError as error:
            silent = error
        for place in places:
            try:
                if silent is not None:
                    take_in(self._kg, place)
                    raise silent
                await self._update(runner, place, seen)
            except GraficoError as error:  # of this job: the others are looked after all the same
                job = place.job
                for part in job.parts:
                    if part.state not in ENDED:
                        part.told, part.advice = str(error), ""
                self._write(place, job)

    async def recover(self, runner: Runner, place: JobFolder) -> None:
        """Find parts again whose submission nobody has noted; submit those that there are not."""
        job = place.job
        lost = [part for part in job.parts if part.state == "submitting"]
        if not lost:
            return
        known = await runner.find([attempt_name(job, part) for part in lost], [place.folder])
        missing: list[Part] = []
        for part in lost:
            part.native = known.get(attempt_name(job, part), "") or place.began(part) or ""
            if part.native or place.ending(part) is not None:
                part.state = "waiting"
            else:
                missing.append(part)
        place.write(job)
        with suppress(InputError):  # it is refused, and says so
            await self._submitter.start(place, job, missing)

    async def _update(self, runner: Runner, place: JobFolder, seen: Mapping[str, Sight]) -> None:
        take_in(self._kg, place)
        job = place.job
        if job.allotted.scheduler != "none" and _unexplained(place, seen):
            await asyncio.sleep(ARRIVING)
            take_in(self._kg, place)
            job = place.job
        open_ones = [part for part in job.parts if part.state not in (*ENDED, "cut off")]
        for part in open_ones:
            judge(place, job, part, seen)
        over = [part for part in open_ones if part.state in (*ENDED, "cut off")]
        record(self._kg, place, job, over)
        again = [part for part in job.parts if part.state == "cut off"]
        if any(part.reason == "out of memory" for part in again):
            more = round(job.allotted.memory * MORE_MEMORY)
            job.allotted = job.allotted.model_copy(update={"memory": more})
        take_in_last = job.ended
        if not self._write(place, job):
            return
        await _forget(runner, job, over)
        if again:
            await self._submitter.submit(place, job, again)
        if take_in_last:
            take_in(self._kg, place)  # what came between the last look at its journal and its end
            if job.state == "finished":
                await self.clear(place)

    async def clear(self, place: JobFolder) -> None:
        """Remove what a job, if finished, and those that it began with do not need any more."""
        for one in (place, *self._sources(place.job)):
            with suppress(GraficoError):
                job = one.job
                if job.state == "finished" and not self._needed(one):
                    clear(one)
                    with suppress(GraficoError):  # what is left there is no harm
                        await self._submitter.runner_for(job).clear(one.folder)

    def _sources(self, job: Job) -> list[JobFolder]:
        """Return the jobs that one began with, as this store knows them."""
        places = [JobFolder(path.parent) for path in self._submitter.folder.glob(f"*/{JOB}")]
        return [one for one in places if one.folder in job.sources]

    def _needed(self, place: JobFolder) -> bool:
        """Tell whether a job that goes on begins with what another has recorded."""
        for name in place.needed_by:
            with suppress(GraficoError):
                if not JobFolder(self._submitter.folder / name).job.ended:
                    return True
        return False


def _ids(place: JobFolder) -> Iterator[str]:
    """Iterate over the ids of parts that have not ended: as noted, and as their programs say."""
    for part in place.job.parts:
        if part.state not in ENDED:
            yield from filter(None, dict.fromkeys((part.native, place.began(part))))


def _unexplained(place: JobFolder, seen: Mapping[str, Sight]) -> bool:
    """Tell whether a part has gone, nobody knows why, and what it said has not arrived here."""
    return any(
        place.ending(part) is None and seen.get(part.native, Sight("gone")) == Sight("gone")
        for part in place.job.parts
        if part.state in ("waiting", "computing")
    )


async def _forget(runner: Runner, job: Job, over: Sequence[Part]) -> None:
    """Let a runner remove what it keeps of parts that have ended, now that this is noted."""
    if over:
        with suppress(GraficoError):  # what is left there is no harm
            natives = [part.native for part in over if part.native]
            await runner.forget(natives, job.name if job.ended else "")
