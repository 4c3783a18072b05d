"""Nothing is computed twice: what others compute now is waited for, or comes before."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from triplestore.errors import InputError

from ..execution.task import in_flight
from ..runners.cluster import Cluster
from .job import JOB, JobFolder
from .packing import SEED
from .submitting import Submitter
from .tending import Tender


class Attachment:
    """Finds who computes something now.

    Args:
        submitter: knows the runners of clusters.
        tender: looks after the jobs that are found.
        tasks: folder of what is computed on this machine.
    """

    def __init__(self, submitter: Submitter, tender: Tender, tasks: Path) -> None:
        self._submitter, self._tender, self._tasks = submitter, tender, tasks
        self._folder = submitter.folder

    def refuse_busy(self, label: str, keys: Sequence[str]) -> None:
        """Refuse what begins with nothing but what is computed on this machine now.

        Args:
            label: what is asked for, in words.
            keys: of the calculations that it begins with.

        Raises:
            InputError: it does.
        """
        states = {one["key"]: one["state"] for one in in_flight(self._tasks)} if keys else {}
        if states and all(states.get(key) == "computing" for key in keys):
            raise InputError(
                f"{label} was asked for elsewhere",
                "another command on this machine computes that now",
                "wait for that one, or end it: what it has reached goes along",
            )

    async def holding(self, keys: Collection[str]) -> list[JobFolder]:
        """Return the jobs that compute one of some keys, or have before they were cut off."""
        found: list[JobFolder] = []
        for name in os.listdir(self._folder) if self._folder.exists() else ():
            if os.path.exists(f"{self._folder}/{name}/{SEED}"):  # what has finished is taken in
                one = JobFolder(self._folder / name)
                known = one.computes(keys) and (one.folder / JOB).exists()
                found += [one] * (known and self._holds(one))
        await self._tender.look([one for one in found if not one.job.ended])
        return sorted(found, key=lambda one: one.job.ended)

    def _holds(self, one: JobFolder) -> bool:
        """Tell whether what a job computes may be waited for: others are none of ours."""
        return self._submitter.trust.trusts(one) and not one.job.damaged

    def before(
        self, label: str, others: Sequence[JobFolder], keys: Sequence[str], cluster: Cluster
    ) -> tuple[str, ...]:
        """Return the jobs that one must come after which begins with nothing but what they compute.

        Args:
            label: what is asked for, in words.
            others: jobs that go on and compute one of the keys.
            keys: of the calculations that it begins with.
            cluster: where it is to go.

        Raises:
            InputError: they are of another scheduler, which this one cannot wait for.
        """
        if any(not any(one.computes([key]) for one in others) for key in keys):
            return ()
        for one in others:
            if self._submitter.runner_for(one.job) is not self._submitter.runner(cluster):
                raise InputError(
                    f"{label} was asked for",
                    f"{one.place.name} computes what that begins with on {one.job.cluster}",
                    "follow that job and ask again, submit to the same cluster, or cancel that one",
                )
        return tuple(one.place.name for one in others)
