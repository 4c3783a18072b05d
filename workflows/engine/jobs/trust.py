"""Which jobs are looked after, and which are only listed: those of others are data.

A job is looked after if this person has signed it and the settings have the section that it names,
alike in all that says where it is computed and what runs there. Everything else of a folder is what
somebody wrote into it: no program of it is run, none that it names is ended, and nothing of it is
stored, until a person takes it over by name, under a section of their own.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from ogm.terms import checked_iri
from triplestore.errors import GraficoError, InputError, NotFoundError, RecordError

from ..runners.cluster import Cluster
from .job import JOB, Allotment, Job, JobFolder, Part

NAME = re.compile(r"[A-Za-z][\w.-]{0,62}", re.ASCII)
"""Of a job: it stands in paths, and in the words of schedulers."""


class Trust:
    """Tells jobs that are looked after from others.

    Args:
        clusters: by name, as the settings of this person have them.
    """

    def __init__(self, clusters: Mapping[str, Cluster]) -> None:
        self._clusters = clusters

    def seen(self, place: JobFolder) -> Job:
        """Return a job as it may be shown: of one that is not looked after little but its name.

        Raises:
            NotFoundError: there is no such job.
        """
        try:
            job = place.job
        except NotFoundError:
            raise
        except RecordError as error:
            unread = Job(
                name=place.place.name,
                run="",
                workflow="",
                subject="",
                goal="",
                cluster="",
                parts=[Part(number=1)],
            )
            return unread.distrusted(error.found, f"see what it is, or remove {place.place}")
        why = self._flaw(job)
        if not why:
            return job
        parts = [Part(number=one.number, state=one.state) for one in job.parts]
        shown = job.model_copy(update={"parts": parts})
        return shown.distrusted(why, self._way_on(place, job))

    def trusts(self, place: JobFolder) -> bool:
        """Tell whether a job is looked after."""
        with suppress(GraficoError):
            return not self.seen(place).untrusted
        return False

    def check(self, place: JobFolder) -> None:
        """Refuse a job that is not looked after.

        Raises:
            InputError: it is none; it says what differs, and how to go on.
        """
        job = self.seen(place)
        if job.untrusted:
            raise InputError(
                f"the job {job.name} was asked for",
                f"it is not trusted, and nothing of it was touched: {job.untrusted}",
                job.way_on,
            )

    def _way_on(self, place: JobFolder, job: Job) -> str:
        remove = f"remove {place.place}"
        if not NAME.fullmatch(place.place.name):
            return remove
        known = job.cluster if job.cluster in self._clusters else "SECTION"
        return (
            f"if you know where it comes from, `grafico follow {place.place.name} --as {known}` "
            "takes it over, as that section of your settings says; so do resume and cancel; "
            f"else {remove}"
        )

    def section(self, job: Job) -> Cluster:
        """Return what the settings say of a job's cluster; it gets no less memory than it had.

        Raises:
            NotFoundError: they have no such section.
        """
        now = self._clusters.get(job.cluster)
        if now is None:
            raise NotFoundError(
                f"the job {job.name} was asked for",
                _absent(job, self._clusters),
                "describe it there again",
            )
        return now.model_copy(update={"memory": max(now.memory, job.allotted.memory)})

    def _flaw(self, job: Job) -> str:
        now = self._clusters.get(job.cluster)
        unlike = now.unlike(job.section) if now is not None else []
        flaws = [job.untrusted] if job.untrusted else []
        if now is None:
            flaws.append(_absent(job, self._clusters))
        elif unlike:
            fields = ", ".join(f"`{name}`" for name in unlike)
            flaws.append(f"its section {job.cluster[:80]!r} had another {fields} than yours has")
        return "; ".join(flaws)

    # --- taking over ---------------------------------------------------------------------------

    def take_over(self, place: JobFolder, name: str, cluster: Cluster) -> None:
        """Make a job this person's, under a section of their own settings.

        Of what it says no path, no name and no program is kept that would lead out of its folder.

        Args:
            place: folder of the job.
            name: of the section.
            cluster: that section.

        Raises:
            InputError: its folder is none of a job, or leads elsewhere.
            NotFoundError: there is no such job.
            RecordError: what is written of it cannot be read.
        """
        _check_folder(place, cluster)
        job = place.job
        numbers = [part.number for part in job.parts]
        if numbers != list(range(1, len(numbers) + 1)):
            _refuse(place, f"its parts have the numbers {numbers[:5]}")
        checked_iri(job.run)
        home = place.place.parent
        beside = {one.folder for one in self._beside(home)}
        kept = {
            "cluster": name,
            "section": cluster.fingerprint,
            "allotted": Allotment.of(cluster),
            "sources": tuple(one for one in job.sources if one in beside),
            "after": tuple(
                one
                for one in job.after
                if NAME.fullmatch(one) and self.trusts(JobFolder(home / one))
            ),
            "parts": [self._part(place, one, cluster) for one in job.parts],
        }
        with place.alone():
            place.write(job.model_copy(update=kept).distrusted(""))

    def _beside(self, home: Path) -> Iterator[JobFolder]:
        """Iterate over the jobs of a store that are looked after."""
        places = (JobFolder(path.parent) for path in home.glob(f"*/{JOB}"))
        yield from (one for one in places if self.trusts(one))

    def _part(self, place: JobFolder, part: Part, cluster: Cluster) -> Part:
        native = part.native if place.calls(part, part.native) else ""
        state = "cut off" if part.state in ("damaged", "not trusted") else part.state
        return part.model_copy(
            update={"native": native, "state": state, "left": min(part.left, cluster.tries)}
        )


def _absent(job: Job, clusters: Mapping[str, Cluster]) -> str:
    known = ", ".join(sorted(clusters))
    return f"your settings have no section {job.cluster[:80]!r} (they have {known})"


def _check_folder(place: JobFolder, cluster: Cluster) -> None:
    """Refuse a folder that is none of a job, or in which something leads elsewhere.

    Raises:
        InputError: it is refused.
    """
    if not NAME.fullmatch(place.place.name):
        _refuse(place, "no job is called so")
    if place.place.is_symlink():
        root = None if cluster.host else cluster.folder
        if root is None or place.folder.parent != root.expanduser().resolve():
            _refuse(place, f"it is a link to {place.folder}, which is not in the section's folder")
    pending = [place.folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for one in entries:
                found = one.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    pending.append(Path(one.path))
                elif not stat.S_ISREG(found.st_mode):
                    _refuse(place, f"{one.path} in it is a link, or no ordinary file")
                if found.st_uid != os.geteuid():
                    _refuse(place, f"{one.path} in it is another user's")


def _refuse(place: JobFolder, why: str) -> NoReturn:
    raise InputError(
        f"the job {place.place.name} is to be taken over",
        why,
        f"nothing of it was touched; remove {place.place}, and ask again",
    )
