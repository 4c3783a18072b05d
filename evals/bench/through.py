"""A batch through Grafico, with its store and all its records, in a process of its own.

``python -m evals.bench.through turn|once STORE JOBS RESULTS``: one run after the other, or all at
once, as many calculations at a time as there are slots. JOBS and RESULTS are those of
`plain_pyscf`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from grafico import Grafico, Result
from ontologies.quantum import ElectronicResult

from .molecules import Job, read_jobs


def in_turn(session: Grafico, jobs: list[Job]) -> list[Result]:
    """Run one job after the other."""
    return [
        session.run(Path(job.file), task=job.task, method=job.method, basis=job.basis)
        for job in jobs
    ]


def at_once(session: Grafico, jobs: list[Job]) -> list[Result]:
    """Run all jobs at once; the slots decide how many calculate."""

    async def every() -> list[Result]:
        runs = (
            session.run_async(Path(job.file), task=job.task, method=job.method, basis=job.basis)
            for job in jobs
        )
        return await asyncio.gather(*runs)

    return session.wait_for(every)


def told(result: Result) -> dict[str, Any]:
    """Return what the bare script tells of a calculation."""
    last = result.last
    assert isinstance(last, ElectronicResult)
    return {
        "energy": last.energy,
        "dipole": last.dipole.tolist(),
        "charges": last.mulliken_charges.tolist(),
    }


def processor_time() -> float:
    """Return the seconds that processors have spent on this process and on all that it started."""
    this = psutil.Process()
    every = [this, *this.children(recursive=True)]
    return sum(sum(process.cpu_times()[:4]) for process in every)


def main() -> None:
    """Run the jobs and tell what they came to."""
    how, store, jobs, results = sys.argv[1:]
    started = time.monotonic()
    with Grafico(store) as session:
        found = (at_once if how == "once" else in_turn)(session, read_jobs(Path(jobs)))
        seconds, processor = time.monotonic() - started, processor_time()
        assert not any(result.reused for result in found)
        answers = [told(result) for result in found]
    taken = {"seconds": seconds, "processor": processor}
    Path(results).write_text(json.dumps({**taken, "results": answers}))


if __name__ == "__main__":
    main()
